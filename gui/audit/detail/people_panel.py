"""What people rated of the answer: a line for each protocol; nothing at all where nobody rated it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.store.people_said import NOBODY_SAID, PeopleSaid
from gui.audit.detail.people_words import people_lines
from gui.strings import words
from gui.theme import font, height, space
from gui.widgets.buttons import Button
from gui.widgets.empty import Glyph
from gui.widgets.hairline import Hairline
from gui.widgets.labels import Paragraph, label, set_tone

_MOST_LINES = 2  # the window of all ratings holds the others


class PeoplePanel(QWidget):
    """Shows a ``PeopleSaid`` in few lines.

    Signals:
        ratings_wanted: the button for every rating.
    """

    ratings_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._people = NOBODY_SAID
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Hairline())
        column.addWidget(self._head())
        inside = QVBoxLayout()
        inside.setContentsMargins(space(3), 0, space(3), space(2))
        inside.setSpacing(0)
        self._lines = [label("", "small", "secondary", elide=True) for _ in range(_MOST_LINES)]
        for line in self._lines:
            inside.addWidget(line)
        self._sealed = _Sentence()
        inside.addWidget(self._sealed)
        column.addLayout(inside)
        words.changed.connect(self._retranslate)
        self._retranslate()
        self.hide()

    @property
    def button(self) -> Button:
        """Opens every rating."""
        return self._ratings

    @property
    def said(self) -> tuple[str, ...]:
        """The lines that stand in it."""
        shown = [line.text() for line in (*self._lines, self._sealed) if not line.isHidden()]
        return tuple(shown)

    def show_people(self, people: PeopleSaid) -> None:
        """Tell of another answer."""
        self._people = people
        found = people_lines(people)
        for number, line in enumerate(self._lines):
            line.setVisible(number < len(found))
            line.setText(found[number] if number < len(found) else "")
        self._sealed.setVisible(people.is_sealed)
        self._sealed.setText(words.text("audit.detail.people.sealed") if people.is_sealed else "")
        self._ratings.setVisible(bool(people.items))
        self.setAccessibleDescription("\n".join(self.said))
        self.setVisible(bool(people.items) or people.is_sealed)

    def _head(self) -> QWidget:
        head = QWidget()
        head.setFixedHeight(height("card_head"))
        row = QHBoxLayout(head)
        row.setContentsMargins(space(3), 0, space(2), 0)
        row.setSpacing(space(1) + 2)
        self._title = label("", "body", weight=600, elide=True)
        self._ratings = Button(size="button_small")
        self._ratings.clicked.connect(self.ratings_wanted)
        row.addWidget(Glyph("users", "text.tertiary", 14))
        row.addWidget(self._title, 1)
        row.addWidget(self._ratings)
        return head

    def _retranslate(self) -> None:
        self._title.setText(words.text("audit.detail.people.title"))
        self._ratings.setText(words.text("audit.detail.people.button"))
        self._ratings.set_tip(words.text("audit.detail.people.tip"))
        self.setAccessibleName(words.text("audit.detail.people.name"))
        self.show_people(self._people)


class _Sentence(Paragraph):
    """As tall as its lines; a column with one of known height for each width would be as tall as it likes to be."""

    def __init__(self) -> None:
        super().__init__("small")
        self.setProperty("type", "small")
        self.setFont(font("small"))
        set_tone(self, "tertiary")
        policy = self.sizePolicy()
        policy.setHeightForWidth(False)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return False

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setFixedHeight(self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setFixedHeight(self.heightForWidth(event.size().width()))
