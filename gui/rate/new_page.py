"""The page on which a study is put together: choices scroll at the left, what they come to stays at the right."""

from __future__ import annotations

from collections.abc import Generator

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.rate.asked_card import AskedCard
from gui.rate.leak_card import LeakCard
from gui.rate.new_study import NewStudy
from gui.rate.sizes_card import SizesCard
from gui.rate.what_card import WhatCard
from gui.rate.who_card import WhoCard
from gui.strings import words
from gui.theme import space
from gui.widgets import InlineError, scroll_area

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
        self._put_outcome(beside=self.width() >= _SIDE_BY_SIDE)

    def _put_outcome(self, *, beside: bool) -> None:
        """What the choices come to: beside them, where it stays in sight while they scroll, or below them."""
        if beside == self.outcome_area.isVisibleTo(self):
            return
        if beside:
            self._below.removeWidget(self._outcome)
            self.outcome_area.setWidget(self._outcome)
        else:
            self._below.addWidget(self.outcome_area.takeWidget())
        self._outcome.setAutoFillBackground(False)
        self._outcome.show()
        self.outcome_area.setVisible(beside)

    def _lay_out(self) -> None:
        form, self._outcome = QWidget(), QWidget()
        choices, outcome, self._below = QVBoxLayout(), QVBoxLayout(self._outcome), QVBoxLayout(form)
        choices.setContentsMargins(space(3), space(3), space(3), space(3))
        outcome.setContentsMargins(space(3), space(3), space(3), space(3))
        self._below.setContentsMargins(0, 0, 0, 0)
        for column in (choices, outcome):
            column.setSpacing(space(3))
        self._below.setSpacing(0)
        for card in (self.what, self.asked, self.who):
            choices.addWidget(card)
        for part in (self.error, self.sizes, self.leaks):
            outcome.addWidget(part)
        outcome.addStretch(1)
        self._below.addLayout(choices)
        self._below.addStretch(1)
        self.form_area, self.outcome_area = scroll_area(form), scroll_area(self._outcome)
        columns = QHBoxLayout(self)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(0)
        for area in (self.form_area, self.outcome_area):
            area.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
            columns.addWidget(area, 1)

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
