"""What stands in the way, said where it happened."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.theme import radius, space, theme
from gui.widgets.buttons import Button
from gui.widgets.empty import Glyph
from gui.widgets.labels import label
from gui.widgets.painting import paint_box

_TONES = {
    "error": ("warning-circle", "verdict.fail", "verdict.fail_tint"),
    "warning": ("warning", "verdict.warning", "verdict.warning_tint"),
    "note": ("info", "text.secondary", "surface.hover"),
    "good": ("check-circle", "state.scored", "state_tint.scored"),
}


class InlineError(QWidget):
    """A glyph, a sentence that says what to do, perhaps a button, and the code small; hidden while all is well.

    ``tone`` is ``error``, ``warning``, ``note`` or ``good``.

    Signals:
        acted: the button was pressed.
    """

    acted = Signal()

    def __init__(
        self, sentence: str = "", action: str = "", code: str = "", tone: str = "error", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(2) + 2, space(2), space(2), space(2))
        row.setSpacing(space(2))
        self._glyph = Glyph("warning-circle", "verdict.fail")
        row.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(0)
        self._sentence = label(type="body", wrap=True)
        self._code = label(type="small", tone="tertiary", family="mono", elide=True)
        column.addWidget(self._sentence)
        column.addWidget(self._code)
        row.addLayout(column, 1)
        self._button = Button(size="button_small")
        self._button.clicked.connect(self.acted)
        row.addWidget(self._button, 0, Qt.AlignmentFlag.AlignTop)
        self._tone = tone
        self.say(sentence, action, code, tone)

    def say(self, sentence: str, action: str = "", code: str = "", tone: str = "") -> None:
        """Show what is wrong and what to do; an empty sentence hides it all."""
        self._tone = tone or self._tone
        self._sentence.setText(sentence)
        self._code.setText(code)
        self._code.setVisible(bool(code))
        self._button.setText(action)
        self._button.setVisible(bool(action))
        self._glyph.show_icon(*_TONES[self._tone][:2])
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))
        self.update()

    def set_keys(self, keys: str | None) -> None:
        """Show the keys that do what the button does; None shows none."""
        self._button.set_keys(keys)

    def clear(self) -> None:
        """Nothing is wrong any more."""
        self.say("")

    def sentence(self) -> str:
        """What is said now."""
        return self._sentence.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_box(QPainter(self), self.rect(), radius("control"), theme().color(_TONES[self._tone][2]))
