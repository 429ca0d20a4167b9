"""A whole number in a field: typed, or stepped with Up and Down."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.widgets.fields import LineEdit

WIDE = 72


class NumberField(LineEdit):
    """From ``least`` to ``most``; empty is None where ``may_be_empty``.

    Signals:
        changed: the number, or None, once it is one that may be.
    """

    changed = Signal(object)

    def __init__(
        self, least: int, most: int, step: int = 1, may_be_empty: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(mono=True, parent=parent)
        self._least, self._most, self._step, self._may_be_empty = least, most, step, may_be_empty
        self.setValidator(QIntValidator(0, most, self))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFixedWidth(WIDE)
        self.textEdited.connect(self._on_edited)

    @property
    def number(self) -> int | None:
        """What stands there; None where nothing does."""
        return int(self.text()) if self.text().isdigit() else None

    def set_number(self, number: int | None) -> None:
        """Show another number; emits nothing. What is being typed stays."""
        if number != self.number or not self.hasFocus():
            self.setText("" if number is None else str(number))

    def set_name(self, name: str) -> None:
        """What is counted, in the language of now."""
        self.setAccessibleName(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}
        if event.key() in by:
            self._move(by[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Turning the wheel scrolls the page, whatever is under it."""
        event.ignore()

    def _move(self, steps: int) -> None:
        number = (self.number or 0) + steps * self._step
        self.setText(str(max(self._least, min(number, self._most))))
        self._on_edited()

    def _on_edited(self) -> None:
        number = self.number
        if number is None and not self._may_be_empty:
            return
        if number is None or self._least <= number <= self._most:
            self.changed.emit(number)
