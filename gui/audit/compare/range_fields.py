"""From and to, typed: what the mouse does with a drag, by keyboard."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.strings import words
from gui.theme import space
from gui.widgets import LineEdit, label

_WIDTH = 58


class RangeFields(QWidget):
    """Two small fields; an empty one leaves its side open.

    Signals:
        entered: Return was pressed and both can be read.
    """

    entered = Signal()

    def __init__(self, name_key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name_key = name_key
        self._name = label("", "small", "secondary")
        self._dash = label("\u2013", "small", "tertiary")
        self.low, self.high = LineEdit(mono=True), LineEdit(mono=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1))
        row.addWidget(self._name)
        for part in (self.low, self._dash, self.high):
            row.addWidget(part)
        for field in (self.low, self.high):
            field.setFixedWidth(_WIDTH)
            field.returnPressed.connect(self._on_return)
            field.textEdited.connect(self._forget_error)
        words.changed.connect(self.retranslate)
        self.retranslate()

    def values(self) -> tuple[float, float] | None:
        """Both ends; None where one cannot be read, which its field says then."""
        found = []
        for field, default in ((self.low, -math.inf), (self.high, math.inf)):
            value = _number(field.text(), default)
            if value is None:
                field.set_error(words.text("audit.charts.not_a_number", value=field.text()))
                return None
            found.append(value)
        return min(found), max(found)

    def is_empty(self) -> bool:
        """Whether neither end was typed."""
        return not (self.low.text().strip() or self.high.text().strip())

    def set_values(self, low: float, high: float) -> None:
        """Show a range that was chosen by the mouse."""
        for field, value in ((self.low, low), (self.high, high)):
            field.setText(f"{value:g}".replace("-", "\u2212"))
            field.set_error("")

    def clear(self) -> None:
        """Both sides open."""
        for field in (self.low, self.high):
            field.clear()
            field.set_error("")

    def retranslate(self) -> None:
        """Say what the fields are for, in the language of now."""
        name = words.text(self._name_key)
        self._name.setText(name)
        for field, end in ((self.low, "from"), (self.high, "to")):
            said = f"{name} {words.text(f'audit.charts.{end}')}"
            field.setAccessibleName(said)
            field.setPlaceholderText(words.text(f"audit.charts.{end}"))
            field.setToolTip(said)

    def _on_return(self) -> None:
        if self.values() is not None:
            self.entered.emit()

    def _forget_error(self) -> None:
        for field in (self.low, self.high):
            field.set_error("")


def _number(text: str, default: float) -> float | None:
    text = text.strip().replace("\u2212", "-").replace("－", "-")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        return None
    return None if math.isnan(value) else value
