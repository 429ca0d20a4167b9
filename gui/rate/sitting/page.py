"""A page that is read before, between and after the items: a heading, paragraphs, one button that Enter presses."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.rate.middle import fill_with_column
from gui.rate.sitting.wording import family_of
from gui.strings import words
from gui.theme import font, space
from gui.widgets import Button, Glyph, label

_WIDEST = 680


class Page(QWidget):
    """Says something and waits.

    Signals:
        gone_on: the button was pressed.
    """

    gone_on = Signal()

    def __init__(self, icon: str, colour: str = "text.secondary", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._glyph = Glyph(icon, colour, 24)
        self.title = label("", "heading", wrap=True)
        self.small = label("", "body", "secondary", wrap=True)
        self.text = label("", "body_large", wrap=True)
        self.extra = label("", "body", "secondary", wrap=True)
        self.button = Button(role="primary", key="Return", size="button_large")
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.button.clicked.connect(self.gone_on)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(space(5), space(6), space(5), space(6))
        column.setSpacing(space(3))
        column.addStretch(2)
        column.addWidget(self._glyph)
        for part in (self.title, self.small, self.text, self.extra):
            column.addWidget(part)
        self.body = QVBoxLayout()
        self.body.setSpacing(space(3))
        column.addLayout(self.body)
        column.addSpacing(space(3))
        foot = QHBoxLayout()
        foot.addWidget(self.button)
        foot.addStretch(1)
        column.addLayout(foot)
        column.addStretch(3)
        fill_with_column(self, inside, _WIDEST)

    def say(self, title: str, text: str, button: str, small: str = "", extra: str = "") -> None:
        """Say it; parts that are empty take no room."""
        for part, kind in ((self.title, "heading"), (self.text, "body_large"), (self.extra, "body")):
            part.setFont(font(kind, family_of(words.language)))
        for part, told in ((self.title, title), (self.small, small), (self.text, text), (self.extra, extra)):
            part.setText(told)
            part.setVisible(bool(told))
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self.setAccessibleName(title)
