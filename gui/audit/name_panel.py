"""A small panel that asks for the name of a view."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.errors import EngineError
from gui.audit.saved_views import LONGEST_NAME
from gui.strings import words
from gui.theme import space
from gui.widgets import Button, LineEdit, Popover, label

_SIZE = QSize(320, 118)


class NamePanel(Popover):
    """Return takes the name; what is wrong with it is said under it, and the panel stays.

    Signals:
        named: the name.
    """

    named = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label("", "body", weight=600, elide=True)
        self.field = LineEdit()
        self.field.setMaxLength(LONGEST_NAME)
        self._why = label("", "small", "error", elide=True)
        self._take = Button(role="primary", size="button_small")
        self._leave = Button(size="button_small")
        buttons, column = QHBoxLayout(), QVBoxLayout(self)
        buttons.addWidget(self._why, 1)
        buttons.addWidget(self._leave)
        buttons.addWidget(self._take)
        column.setContentsMargins(space(3), space(2), space(3), space(3))
        column.setSpacing(space(2))
        column.addWidget(self._title)
        column.addWidget(self.field)
        column.addLayout(buttons)
        self.field.returnPressed.connect(self._on_return)
        self.field.textEdited.connect(self._on_edited)
        self._take.clicked.connect(self._on_return)
        self._leave.clicked.connect(self.leave)

    def ask(self, over: QWidget, title: str, name: str) -> None:
        """Ask near ``over``; ``name`` stands in the field, chosen whole."""
        self._title.setText(title)
        self.setAccessibleName(title)
        self.field.setAccessibleName(words.text("audit.view.name"))
        self.field.setPlaceholderText(words.text("audit.view.name"))
        self._take.setText(words.text("audit.view.save"))
        self._leave.setText(words.text("audit.view.cancel"))
        self.tell(None)
        self.open_near(over, _SIZE)
        self.field.setText(name)
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def tell(self, error: EngineError | None) -> None:
        """Say why the name cannot be taken."""
        said = "" if error is None else words.error(error)
        self._why.setText(said)
        self.field.set_error(said)

    def _on_return(self) -> None:
        self.named.emit(self.field.text())

    def _on_edited(self) -> None:
        self.tell(None)
