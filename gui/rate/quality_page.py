"""How the raters of a study did: bias, spread, steadiness, known answers, pace; whom the protocol's rules set aside."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.rating.quality_sentences import screening_said, side_by_side_said
from engine.rating.result_sentences import number_said, share_said
from engine.rating.result_values import TOGETHER
from gui.rate import wording
from gui.rate.outcome import Outcome
from gui.rate.protocol_bar import ProtocolBar
from gui.rate.results_model import ResultsModel
from gui.strings import words
from gui.theme import space
from gui.widgets import Card, InlineError, label
from gui.widgets.facts_table import Cell, FactsTable

if TYPE_CHECKING:
    from engine.rating.quality import Hits, RaterQuality
    from engine.rating.screening import Screened

STATES = ("kept", "failed", "not_applied")
COLUMNS = ("rater", "n", "bias", "sd", "repeats", "gold", "traps", "pace", "over", "others")


class QualityPage(QWidget):
    """Shows the same ``ResultsModel`` from the raters' side."""

    def __init__(self, model: ResultsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.protocols = ProtocolBar()
        self.error = InlineError()
        self.sentence, self.nothing = label("", "body", wrap=True), label("", "body", "secondary", wrap=True)
        self.raters, self.rules, self.both = (
            Card(ruled=True, flush=True),
            Card(ruled=True, flush=True),
            Card(ruled=True),
        )
        self.table = FactsTable(most=20, is_wide=True)
        self._both = label("", "body", wrap=True)
        self.raters.body.addWidget(self.table)
        self.rule_table = FactsTable(is_wide=True)
        self.rules.body.addWidget(self.rule_table)
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
        self.sentence.setText(say("gap").join(screening_said(found, language)))
        self.raters.set_title(say("quality.title"))
        self.raters.set_foot(say("quality.foot"))
        self.table.setAccessibleName(say("quality.title"))
        columns = [say(f"quality.column.{name}") for name in COLUMNS]
        self.table.set_rows(columns, [_row(each, each.rater_uid in found.set_aside) for each in outcome.quality])
        rules = rule_rows(found)
        self.rules.set_title(say("quality.rules"))
        self.rules.set_note(say("quality.rules_note"))
        self.rule_table.setAccessibleName(say("quality.rules"))
        self.rule_table.set_rows([say(f"quality.rule_column.{name}") for name in ("rule", *STATES)], rules)
        self.rule_table.setVisible(bool(rules))
        self.rules.set_foot("" if rules else say("quality.no_rules"))
        self.both.set_title(say("quality.both"))
        told = [line.replace(TOGETHER, say("results.together")) for line in side_by_side_said(outcome.sides, language)]
        self._both.setText("\n".join(told))
        self.both.setVisible(bool(told) and bool(found.set_aside))


def rule_rows(found: Screened) -> list[tuple[Cell, ...]]:
    """Each rule of the protocol with who kept it, who did not, and on whom there was too little to apply it."""
    rows: list[tuple[Cell, ...]] = []
    for place, rule in enumerate(found.raters[0].rules if found.raters else ()):
        limit = share_said(rule.limit, words.language) if "share" in rule.rule else wording.figure(rule.limit)
        cells = [Cell(wording.say(f"quality.rule.{rule.rule}", limit=limit))]
        for state in STATES:
            of = [rater for rater in found.raters if rater.rules[place].state == state]
            many = wording.several("rater", len(of)) if state != "failed" and len(of) > 2 else ""
            told = many or wording.names(tuple(rater.rater for rater in of)) or wording.DASH
            cells.append(Cell(told, True, "verdict.warning" if state == "failed" and of else "text.primary"))
        rows.append(tuple(cells))
    return rows


def _row(quality: RaterQuality, is_aside: bool) -> tuple[Cell, ...]:
    language = words.language
    name = wording.named(quality.rater)
    bias = wording.signed(quality.bias.value)
    if not quality.bias.n and quality.as_most.n:
        bias = share_said(quality.as_most.value, language)
    repeats, pace = quality.repeats, quality.pace
    same = wording.of(round(repeats.same.value * repeats.n), repeats.n) if repeats.n else wording.DASH
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
