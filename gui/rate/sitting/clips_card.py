"""The clips of an item under each other in one card."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from gui.rate.sitting.clip_row import ClipRow
from gui.rate.sitting.item import Item
from gui.rate.sitting.wording import percent_of_needed, say
from gui.theme import paint_box, radius, theme
from gui.widgets import Hairline


class ClipsCard(QWidget):
    """A row for each clip that sounds; rows are kept from item to item.

    Signals:
        wanted: the button of a part was pressed.
        asked: part, and the second of it that was clicked.
    """

    wanted, asked = Signal(str), Signal(str, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[str, ClipRow] = {}
        self._lines: list[Hairline] = []
        self._fit = (False, False, False)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, 1, 1, 1)
        self._column.setSpacing(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def fit(self, *, narrow: bool, tight: bool, low: bool) -> None:
        """Much room, less or little."""
        self._fit = (narrow, tight, low)
        for row in self.rows.values():
            row.fit(narrow=narrow, tight=tight, low=low)

    @property
    def tall(self) -> int:
        """How tall it is with the clips of now, shown or not."""
        return sum(row.height() for row in self.rows.values()) + len(self._lines) + 2

    def show_item(self, item: Item) -> None:
        """The clips of another item."""
        if tuple(self.rows) != tuple(item.clips):
            self._make_rows(tuple(item.clips))
        self.setVisible(bool(self.rows))
        self.show_heard(item)

    def show_heard(self, item: Item) -> None:
        """What was heard of each by now."""
        for part, row in self.rows.items():
            clip = item.clips[part]
            voiced = [] if item.voiced is None else list(item.voiced.spans.get(part, ()))
            tags = [(tag.start_s, tag.end_s) for tag in item.tags if tag.clip == part]
            row.show_clip(clip_name(item, part), clip.duration_s, voiced, list(item.ledgers[part].spans), tags)
            is_question = part.startswith("question")
            share = item.share(part)
            n = percent_of_needed(share, item.protocol.heard_at_least)
            row.show_status(share, n, item.is_heard(part), is_question, part in item.broken)

    def show_playing(self, item: Item, now: str, positions: Mapping[str, float]) -> None:
        """Which clip plays, and where each stands."""
        for part, row in self.rows.items():
            row.show_playing(part == now, item.is_heard(part), positions.get(part))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme()
        edge = colours.color("surface.line")
        paint_box(QPainter(self), self.rect(), radius("card"), colours.color("surface.panel"), edge)

    def _make_rows(self, parts: tuple[str, ...]) -> None:
        for widget in (*self.rows.values(), *self._lines):
            self._column.removeWidget(widget)
            widget.deleteLater()
        self.rows, self._lines = {}, []
        for place, part in enumerate(parts):
            if place:
                line = Hairline()
                self._lines.append(line)
                self._column.addWidget(line)
            row = self.rows[part] = ClipRow(is_main=not part.startswith("question"))
            row.fit(narrow=self._fit[0], tight=self._fit[1], low=self._fit[2])
            row.wanted.connect(self._on_wanted)
            row.asked.connect(self._on_asked)
            self._column.addWidget(row)

    def _part(self) -> str:
        return next((part for part, row in self.rows.items() if row is self.sender()), "")

    def _on_wanted(self) -> None:
        self.wanted.emit(self._part())

    def _on_asked(self, second: float) -> None:
        self.asked.emit(self._part(), second)


def clip_name(item: Item, part: str) -> str:
    """What a rater calls a clip: a letter, never a system."""
    if part == "answer":
        return say("clip.answer", letter=item.row.letter)
    if part == "other":
        return say("clip.answer", letter=item.row.other_letter or "")
    several = [one for one in item.clips if one.startswith("question")]
    return say("clip.question") if len(several) == 1 else say("clip.question_n", n=several.index(part) + 1)
