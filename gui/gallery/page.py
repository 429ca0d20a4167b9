"""The gallery: sections of parts in a column that scrolls, drawn anew when the language changes."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from gui.gallery.sections import SECTIONS
from gui.strings import words
from gui.theme import set_theme, space, theme
from gui.widgets import Button, Card, ScreenBar, Segmented, label, scroll_area

TWO_COLUMNS_FROM = 1_100


def gallery() -> QWidget:
    """The page; it needs the application and a theme, nothing else."""
    return Gallery()


class Gallery(QWidget):
    """Every shared part in its states, with switches for theme and language."""

    def __init__(self) -> None:
        super().__init__()
        self._bar = ScreenBar()
        self._note = label(tone="secondary", elide=True)
        self._bar.left.addWidget(self._note)
        self._language = Segmented([("en", "English"), ("zh", "中文")])
        self._language.set_value(words.language)
        self._language.chosen.connect(words.use)
        self._theme = Button()
        self._theme.clicked.connect(self._other_theme)
        self._bar.right.addWidget(self._language)
        self._bar.right.addWidget(self._theme)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._bar)
        self._page = QWidget()
        self._grid = QGridLayout()
        self._cards: list[Card] = []
        self._area = scroll_area(self._page)
        self._column.addWidget(self._area)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def _retranslate(self) -> None:
        self.setWindowTitle(words.text("widgets.gallery.title"))
        self._bar.set_title(words.text("widgets.gallery.title"))
        self._note.setText(words.text("widgets.gallery.note"))
        self._theme.setText(words.text(f"widgets.gallery.{'to_light' if theme().is_dark else 'to_dark'}"))
        self._page = QWidget()
        self._grid = QGridLayout(self._page)
        self._grid.setContentsMargins(space(3), space(3), space(3), space(3))
        self._grid.setSpacing(10)
        self._cards = []
        for name, make in SECTIONS.items():
            card = Card(words.text(f"widgets.gallery.{name}"), ruled=True)
            card.setObjectName(name)
            make(card.body)
            card.body.addStretch(1)
            self._cards.append(card)
        self._place_cards()
        self._area.setWidget(self._page)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_cards()

    def _place_cards(self) -> None:
        """Two columns where there is room, else one."""
        columns = 2 if self.width() >= TWO_COLUMNS_FROM else 1
        for place, card in enumerate(self._cards):
            self._grid.addWidget(card, place // columns, place % columns)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, columns - 1)

    def _other_theme(self) -> None:
        set_theme("light" if theme().is_dark else "dark")
        self._theme.setText(words.text(f"widgets.gallery.{'to_light' if theme().is_dark else 'to_dark'}"))
