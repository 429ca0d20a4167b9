"""The page on which a study is put together: choices at the left, what they come to at the right."""

from __future__ import annotations

from collections.abc import Generator

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from gui.rate.asked_card import AskedCard
from gui.rate.leak_card import LeakCard
from gui.rate.new_study import NewStudy
from gui.rate.sizes_card import SizesCard
from gui.rate.what_card import WhatCard
from gui.rate.who_card import WhoCard
from gui.strings import words
from gui.theme import space
from gui.widgets import InlineError

_SIDE_BY_SIDE = 760
_FIRST = ("empathy_semantic", "empathy_acoustic", "safety", "correctness", "instruction_followed", "speech_quality",
          "naturalness", "says_exactly_this", "preference", "comparison")  # fmt: skip


Cards = tuple[WhatCard, AskedCard, WhoCard, SizesCard, LeakCard]


def made_cards(new: NewStudy) -> Generator[None, None, Cards]:
    """The cards of the page, one a step: all at once they would take longer than a frame."""
    what = WhatCard(new)
    yield
    asked = AskedCard(new)
    asked.set_protocols(_offered())
    yield
    who = WhoCard(new)
    yield
    sizes = SizesCard(new)
    yield
    return what, asked, who, sizes, LeakCard(new)


class NewPage(QWidget):
    """Lays out the cards and tells them of changes.

    Signals:
        rater_asked: the name of somebody to be added.
        file_asked: a list of known answers is to be read.
    """

    rater_asked, file_asked = Signal(str), Signal()

    def __init__(self, new: NewStudy, cards: Cards, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._new = new
        self.what, self.asked, self.who, self.sizes, self.leaks = cards
        self.error = InlineError()
        self._lay_out()
        self._wire()
        self.retranslate()

    def retranslate(self) -> None:
        """Say it in the language of now."""
        for card in (self.what, self.asked, self.who):
            card.retranslate()
        self.show_plan()

    def show_plan(self) -> None:
        """The plan is another."""
        error = self._new.error
        self.error.say(words.error(error) if error is not None else "", code=error.code if error is not None else "")
        self.sizes.fill()
        self.leaks.fill()
        self.what.say_plan()

    def focus_first(self) -> None:
        """Where the keyboard begins."""
        self.what.focus_first()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= _SIDE_BY_SIDE
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(way)

    def _lay_out(self) -> None:
        left, right = QVBoxLayout(), QVBoxLayout()
        for column in (left, right):
            column.setSpacing(space(3))
        for card in (self.what, self.asked, self.who):
            left.addWidget(card)
        left.addStretch(1)
        for part in (self.error, self.sizes, self.leaks):
            right.addWidget(part)
        right.addStretch(1)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._columns.setContentsMargins(space(3), space(3), space(3), space(3))
        self._columns.setSpacing(space(3))
        self._columns.addLayout(left, 1)
        self._columns.addLayout(right, 1)

    def _wire(self) -> None:
        new = self._new
        new.offer_changed.connect(self._on_choices)
        new.choices_changed.connect(self._on_choices)
        new.plan_changed.connect(self.show_plan)
        new.leaks_changed.connect(self.leaks.fill)
        self.who.rater_asked.connect(self.rater_asked)
        self.who.file_asked.connect(self.file_asked)

    def _on_choices(self) -> None:
        for card in (self.what, self.asked, self.who):
            card.fill()


def _offered() -> tuple[str, ...]:
    """The shipped protocols, those first that the product is most about."""
    from engine.rating.protocols import protocol_ids

    first = [name for name in _FIRST if name in protocol_ids()]
    return (*first, *(name for name in protocol_ids() if name not in first))
