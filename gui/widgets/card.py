"""A card: a head with title and note, a body, a sentence at the foot."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gui.theme import height, line, radius, space, theme
from gui.widgets.hairline import Hairline
from gui.widgets.labels import label
from gui.widgets.painting import paint_box

SIDE = 12


class Card(QWidget):
    """A framed panel.

    Attributes:
        head: the layout of the head's right side, before the note: buttons go here.
        body: the layout of what the card shows.
    """

    def __init__(
        self, title: str = "", note: str = "", ruled: bool = False, flush: bool = False, parent: QWidget | None = None
    ) -> None:
        """``ruled`` draws a line under the head; ``flush`` lets the body reach the edges, for rows and tables."""
        super().__init__(parent)
        self._chosen = False
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.setSpacing(0)
        self._head = QWidget(self)
        self._head.setMinimumHeight(height("card_head"))
        self.head = QHBoxLayout(self._head)
        self.head.setContentsMargins(SIDE - 1, 0, SIDE - 1, 0)
        self.head.setSpacing(space(2))
        self._title = label(title, "body", weight=600, elide=True)
        self._note = label(note, "table", "secondary", elide=True)
        self.head.addWidget(self._title)
        self.head.addStretch(1)
        self.head.addWidget(self._note)
        outer.addWidget(self._head)
        self._rule = Hairline()
        outer.addWidget(self._rule)
        self._rule.setVisible(ruled)
        self.body = QVBoxLayout()
        self.body.setContentsMargins(*((0, 0, 0, 0) if flush else (SIDE - 1, SIDE if ruled else 0, SIDE - 1, SIDE - 1)))
        self.body.setSpacing(space(2))
        outer.addLayout(self.body, 1)
        self.foot: QLabel = label("", "table", "secondary", wrap=True)
        self.foot.setContentsMargins(0, 0, 0, 0)
        self._foot_row = QHBoxLayout()
        self._foot_row.setContentsMargins(SIDE - 1, SIDE if flush else 0, SIDE - 1, SIDE - 1)
        self._foot_row.addWidget(self.foot)
        self.foot.hide()
        self._foot_row.setContentsMargins(0, 0, 0, 0)
        self._foot_margins = (SIDE - 1, space(2) if flush else 0, SIDE - 1, SIDE - 1)
        outer.addLayout(self._foot_row)
        self.set_title(title)
        self.set_note(note)

    def set_title(self, title: str) -> None:
        """Name the card; without a name it has no head."""
        self._title.setText(title)
        self._head.setVisible(bool(title))
        self.setAccessibleName(title)

    def set_note(self, note: str) -> None:
        """Unit, n or time at the head's right end."""
        self._note.setText(note)
        self._note.setVisible(bool(note))

    def set_foot(self, sentence: str) -> None:
        """One sentence under the body, or none."""
        self.foot.setText(sentence)
        self.foot.setVisible(bool(sentence))
        self._foot_row.setContentsMargins(*(self._foot_margins if sentence else (0, 0, 0, 0)))

    def set_chosen(self, chosen: bool) -> None:
        """Frame the card in the accent: the one to take first."""
        self._chosen = chosen
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        edge = colours.color("accent.base" if self._chosen else "surface.line")
        wide = line("selected" if self._chosen else "hairline")
        paint_box(painter, self.rect(), radius("card"), colours.color("surface.panel"), edge, wide)
