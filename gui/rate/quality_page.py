"""How the raters of a study did: bias, spread, steadiness, known answers, pace; whom the protocol's rules set aside."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.rating.result_sentences import number_said, rule_said, screening_said, share_said, side_by_side_said
from gui.rate import wording
from gui.rate.outcome import TOGETHER, Outcome
from gui.rate.protocol_bar import ProtocolBar
from gui.rate.results_model import ResultsModel
from gui.strings import words
from gui.theme import space
from gui.widgets import Card, InlineError, label
from gui.widgets.facts_table import Cell, FactsTable

if TYPE_CHECKING:
    from engine.rating.quality import Hits, RaterQuality

COLUMNS = ("rater", "n", "bias", "sd", "repeats", "gold", "traps", "pace", "over", "others")


class QualityPage(QWidget):
    """Shows the same ``ResultsModel`` from the raters' side."""

    def __init__(self, model: ResultsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.protocols = ProtocolBar()
        self.error = InlineError()
        self.sentence, self.nothing = label("", "body", wrap=True), label("", "body", "secondary", wrap=True)
        self.raters, self.rules, self.both = Card(ruled=True, flush=True), Card(ruled=True), Card(ruled=True)
        self.table = FactsTable(most=20)
        self._rules, self._both = label("", "body", wrap=True), label("", "body", wrap=True)
        self.raters.body.addWidget(self.table)
        self.rules.body.addWidget(self._rules)
        self.both.body.addWidget(self._both)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(3), space(3), space(3), space(3))
        column.setSpacing(space(3))
        for part in (self.protocols, self.error, self.nothing, self.sentence, self.raters, self.rules, self.both):
            column.addWidget(part)
        column.addStretch(1)
        self.protocols.chosen.connect(model.choose)
        model.changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show what is known by now."""
        model, outcome = self._model, self._model.outcome
        self.protocols.show_protocols(model.protocols, model.protocol, model.is_busy)
        error = model.error
        self.error.say(words.error(error) if error is not None else "", code=error.code if error is not None else "")
        has_raters = outcome is not None and bool(outcome.quality)
        self.nothing.setText(wording.say("results.nothing"))
        self.nothing.setVisible(outcome is not None and not has_raters)
        for part in (self.sentence, self.raters, self.rules, self.both):
            part.setVisible(has_raters)
        if outcome is not None and has_raters:
            self._show(outcome)

    def _show(self, outcome: Outcome) -> None:
        say, language, found = wording.say, words.language, outcome.sides.screened
        self.sentence.setText(" ".join(screening_said(found, language)))
        self.raters.set_title(say("quality.title"))
        self.raters.set_foot(say("quality.foot"))
        self.table.setAccessibleName(say("quality.title"))
        columns = [say(f"quality.column.{name}") for name in COLUMNS]
        self.table.set_rows(columns, [_row(each, each.rater_uid in found.set_aside) for each in outcome.quality])
        lines = [
            say(f"quality.rule_{rule.state}", rater=wording.named(rater.rater), rule=rule_said(rule, language))
            for rater in found.raters
            for rule in rater.rules
        ]
        self.rules.set_title(say("quality.rules"))
        self.rules.set_note(say("quality.rules_note"))
        self._rules.setText("\n".join(lines) or say("quality.no_rules"))
        self.both.set_title(say("quality.both"))
        told = [line.replace(TOGETHER, say("results.together")) for line in side_by_side_said(outcome.sides, language)]
        self._both.setText("\n".join(told))
        self.both.setVisible(bool(told))


def _row(quality: RaterQuality, is_aside: bool) -> tuple[Cell, ...]:
    language = words.language
    name = wording.named(quality.rater)
    bias = wording.signed(quality.bias.value)
    if not quality.bias.n and quality.as_most.n:
        bias = share_said(quality.as_most.value, language)
    repeats, pace = quality.repeats, quality.pace
    same = f"{share_said(repeats.same.value, language)} / {repeats.n}" if repeats.n else wording.DASH
    over = wording.DASH if not math.isfinite(pace.over_clip) else f"{number_said(pace.over_clip, language)}×"
    shown = wording.say("quality.set_aside", rater=name) if is_aside else name
    return (
        Cell(shown, is_strong=True, tone="verdict.warning" if is_aside else "text.primary"),
        Cell(wording.count(quality.n), True),
        Cell(bias, True),
        Cell(wording.figure(quality.sd), True),
        Cell(same, True),
        Cell(_hits(quality.gold), True),
        Cell(_hits(quality.traps), True),
        Cell(wording.figure(pace.median_s, 1), True),
        Cell(over, True),
        Cell(wording.figure(quality.pearson), True),
    )


def _hits(hits: Hits) -> str:
    return wording.of(hits.right, hits.n) if hits.n else wording.DASH
