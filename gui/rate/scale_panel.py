"""What came of one scale: agreement in a sentence, then systems with their intervals, how steps were used, tables."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from engine.rating.result_sentences import agreement_said, comparison_said, counts_said
from gui.rate import result_tables as tables
from gui.rate import wording
from gui.rate.step_bars import StepBars
from gui.rate.whiskers import Whiskers
from gui.strings import words
from gui.theme import space
from gui.widgets import Card, label
from gui.widgets.facts_table import FactsTable

if TYPE_CHECKING:
    from engine.rating.result_values import ScaleResult
    from engine.rating.values import Scale

_SIDE_BY_SIDE = 760
TABLES = ("steps", "systems", "differences", "comparison", "pairs", "items")
MOST_ITEMS = 500


def made_panel() -> Generator[None, None, ScalePanel]:
    """A panel, in steps short enough for the GUI thread."""
    made = {}
    for name in TABLES:
        made[name] = FactsTable(most=12, is_wide=True)
        yield
    return ScalePanel(made)


class ScalePanel(QWidget):
    """Cards of one scale; those that have nothing to say are hidden.

    Signals:
        answer_asked: the uid of an answer that is to be seen in Audit.
        system_asked: the name of a system whose answers are.
    """

    answer_asked, system_asked = Signal(str), Signal(str)

    def __init__(self, made: dict[str, FactsTable], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = label("", "body_large", weight=600, family="content", wrap=True)
        self.agreement, self.counts = label("", "body", wrap=True), label("", "table", "secondary", wrap=True)
        self.means, self.used = Card(ruled=True), Card(ruled=True)
        self.whiskers, self.strengths, self.bars = Whiskers(), Whiskers(), StepBars()
        self.order = label("", "table", "secondary", wrap=True)
        self.cards = {name: Card(ruled=True, flush=True) for name in TABLES}
        self.tables = made
        self._uids: list[str] = []
        self._systems: list[str] = []
        self._lay_out()
        self.tables["items"].opened.connect(self._on_item)
        self.tables["systems"].opened.connect(self._on_system)

    def show_scale(self, result: ScaleResult, scale: Scale, is_sealed: bool) -> None:
        """Show these figures."""
        language = words.language
        self.question.setText(result.question)
        said = agreement_said(result.agreement, language) if result.counts.rated else ()
        agreed = said[: 2 if result.agreement is not None and result.agreement.icc is not None else 1]
        self.agreement.setText(
            wording.say("gap").join(f"{wording.minus(_bare(each))}{wording.say('stop')}" for each in agreed)
        )
        self.agreement.setVisible(bool(agreed))
        self.counts.setText(counts_said(result, language).removeprefix(result.question).strip())
        self._show_means(result, scale)
        self.used.set_title(wording.say("results.used"))
        steps = [(step.label, step.count) for step in result.histogram]
        self.used.set_note(wording.say("results.ratings", n=wording.count(sum(count for _, count in steps))))
        self.bars.show_steps(steps, wording.say("results.used"))
        self._show_tables(result, is_sealed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= _SIDE_BY_SIDE
        self._charts.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)

    def _show_means(self, result: ScaleResult, scale: Scale) -> None:
        rows = tables.system_whiskers(result)
        title = tables.main_title(result)
        is_share = any(system.shares for system in result.systems)
        self.means.set_title(title)
        self.means.set_note(wording.say("results.interval"))
        self.whiskers.setVisible(bool(rows))
        self.whiskers.show_rows(rows, tables.ticks_of(scale, is_share), title, percent=is_share)
        has_rings = any(row.without for row in rows)
        notes = [result.passes_note.strip()] if result.passes_note and result.systems else []
        notes += [wording.say("results.rings")] if has_rings else []
        self.means.set_foot("\n".join(notes))  # the one is in the raters' language
        found = result.comparison
        self.strengths.setVisible(found is not None and bool(found.strengths))
        self.order.setVisible(found is not None)
        if found is not None:
            has_strengths = bool(found.strengths)
            self.means.set_title(wording.say("results.strength" if has_strengths else "results.order"))
            self.means.set_note(wording.say("results.interval") if has_strengths else "")
            strengths, ticks = tables.strength_whiskers(found)
            self.strengths.show_rows(strengths, ticks, wording.say("results.strength"), zero=0.0)
            said = comparison_said(found, scale.kind == "signed", words.language)[-1]
            self.order.setText(f"{said}{wording.say('stop')}")
        self.means.setVisible(bool(rows) or found is not None)

    def _show_tables(self, result: ScaleResult, is_sealed: bool) -> None:
        item_columns, item_rows, self._uids = tables.item_rows(result)
        self._systems = [system.system for system in result.systems]
        found = {
            "items": (item_columns, item_rows[:MOST_ITEMS]),
            "systems": tables.system_rows(result) if not is_sealed else ([], []),
            "steps": tables.step_rows(result),
            "differences": tables.difference_rows(result),
            "comparison": tables.comparison_rows(result.comparison) if result.comparison else ([], []),
            "pairs": tables.pair_rows(result),
        }
        for name, (columns, rows) in found.items():
            self.cards[name].setVisible(bool(rows))
            self.cards[name].set_title(wording.say(f"results.{name}"))
            self.tables[name].setAccessibleName(wording.say(f"results.{name}"))
            self.tables[name].set_rows(columns, rows)
            for column, below in tables.hidden_below(name, columns).items():
                self.tables[name].may_hide(column, below)
        self.cards["steps"].set_note(wording.say("results.steps_note"))
        self.cards["items"].set_note(wording.say("results.items_note"))
        self.cards["differences"].set_note(wording.say("results.holm_note"))

    def _on_item(self, row: int) -> None:
        self.answer_asked.emit(self._uids[row])

    def _on_system(self, row: int) -> None:
        self.system_asked.emit(self._systems[row])

    def _lay_out(self) -> None:
        for part in (self.whiskers, self.strengths, self.order):
            self.means.body.addWidget(part)
        self.means.body.addStretch(1)
        self.used.body.addWidget(self.bars)
        self.used.body.addStretch(1)
        for name in TABLES:
            self.cards[name].body.addWidget(self.tables[name])
        self._charts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._charts.setSpacing(space(3))
        self._charts.addWidget(self.means, 3)
        self._charts.addWidget(self.used, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(3))
        words_first = QVBoxLayout()
        words_first.setSpacing(space(1))
        for part in (self.question, self.agreement, self.counts):
            words_first.addWidget(part)
        column.addLayout(words_first)
        column.addLayout(self._charts)
        for name in TABLES:
            column.addWidget(self.cards[name])


def _bare(sentence: str) -> str:
    return sentence.rstrip(".。")
