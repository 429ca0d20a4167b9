"""What a new study takes and how sharp it can get, before it is created: items, hours, intervals, what is assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gui.rate import wording
from gui.rate.figure_rows import FigureRow, FigureRows
from gui.rate.lines import heading
from gui.rate.new_study import NewStudy
from gui.rate.titles import title_of
from gui.strings import words
from gui.widgets import Card, InlineError, label

if TYPE_CHECKING:
    from engine.rating.design import Precision, StudyPlan

CHECKS = ("repeats", "gold", "traps", "training")


class SizesCard(Card):
    """A sentence first, then the counts, then one line of precision for each question."""

    def __init__(self, new: NewStudy, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, parent=parent)
        self._new = new
        self.sentence = label("", "body", weight=600, wrap=True)
        self.rows, self.precision = FigureRows(), FigureRows()
        self._sharp = heading()
        self._assumed = label("", "small", "secondary", wrap=True)
        self._use = InlineError(tone="warning")
        self.strata = label("", "table", "secondary", wrap=True)
        self._worth, self.told = heading(), label("", "table", "secondary", wrap=True)
        for part in (self.sentence, self._use, self.rows, self.strata, self._sharp, self.precision, self._assumed):
            self.body.addWidget(part)
        self.body.addWidget(self._worth)
        self.body.addWidget(self.told)
        self.body.addStretch(1)

    def fill(self) -> None:
        """Show the plan of now; what is not known stays as it was until it is."""
        new = self._new
        self.set_title(wording.say("sizes.title"))
        self.set_note(wording.say("sizes.planning") if new.is_planning else "")
        self._sharp.setText(wording.say("sizes.sharp"))
        plan = new.plan
        if plan is None and new.is_planning:
            return
        for part in (self.rows, self.strata, self._sharp, self.precision, self._assumed):
            part.setVisible(plan is not None)
        self.sentence.setText(self._sentence(plan))
        self._use.say(wording.say("use.manual_plan") if plan is not None and self._is_no_use(plan) else "")
        self._show_warnings(plan)
        if plan is not None:
            self.rows.show_rows(_counted(plan))
            self.strata.setText(_strata(plan))
            self.strata.setVisible(len(plan.strata) > 1)
            self.precision.show_rows([_sharp(each) for each in plan.precision])
            self._assumed.setText(_assumed(plan.precision))
            is_sharp = any(each.half_width is not None for each in plan.precision)  # never of what was picked by hand
            for part in (self._sharp, self.precision, self._assumed):
                part.setVisible(is_sharp)

    def _is_no_use(self, plan: StudyPlan) -> bool:
        return plan.design.selection == "manual" and not plan.design.added_random

    def _sentence(self, plan: StudyPlan | None) -> str:
        if plan is None:
            choices = self._new.choices
            if self._new.error is not None:
                return wording.say("sizes.cannot")
            missing = "protocol" if not choices.protocols else "rater" if not choices.raters else "system"
            return wording.say(f"sizes.no_{missing}")
        longest = max(plan.loads, key=lambda load: load.minutes)
        time = wording.duration(longest.minutes * 60)
        return wording.say("sizes.sentence", time=time, n=wording.count(longest.presentations))

    def _show_warnings(self, plan: StudyPlan | None) -> None:
        told = [each.sentence(words.language) for each in plan.warnings if each.name != "manual"] if plan else []
        self._worth.setText(wording.say("sizes.worth"))
        self.told.setText("\n".join(f"·  {sentence}" for sentence in told))
        for part in (self._worth, self.told):
            part.setVisible(bool(told))


def _counted(plan: StudyPlan) -> list[FigureRow]:
    counts = plan.counts
    rows = [
        FigureRow(wording.count(counts.items), wording.say("sizes.items", all=wording.count(counts.instances))),
        FigureRow(
            wording.count(len(counts.systems)), wording.say("sizes.systems", names=wording.names(counts.systems, 4))
        ),
        FigureRow(wording.count(counts.presentations), wording.say("sizes.presentations")),
    ]
    for check in CHECKS:
        number = getattr(counts, check)
        if number:
            rows.append(FigureRow(wording.count(number), wording.say(f"sizes.{check}")))
    rows += [
        FigureRow(wording.count(number), wording.say(f"sizes.left_out_{why}"), tone="warning")
        for why, number in counts.left_out.items()
        if number
    ]
    hours = sum(load.minutes for load in plan.loads) * 60
    if len(plan.loads) > 1:
        rows.append(FigureRow(wording.duration(hours), wording.say("sizes.all_raters", n=len(plan.loads))))
    return rows


def _sharp(each: Precision) -> FigureRow:
    if each.half_width is None:
        return FigureRow(wording.DASH, title_of(each.protocol))
    unit = "share" if each.is_share else "steps"
    half = f"± {100 * each.half_width:.0f}" if each.is_share else f"± {each.half_width:.2f}"
    beside = ""
    if each.difference is not None:
        size = f"{100 * each.difference:.0f}" if each.is_share else f"{each.difference:.2f}"
        beside = wording.say(f"sizes.apart_{unit}", size=size)
    return FigureRow(half, wording.say(f"sizes.half_{unit}", protocol=title_of(each.protocol)), beside)


def _assumed(precision: tuple[Precision, ...]) -> str:
    parts = []
    for each in precision:
        known = {name: value for name, value in each.assumed.items() if name in ("sd", "share", "correlation")}
        said = wording.say("comma").join(wording.say(f"sizes.by_{n}", value=f"{v:g}") for n, v in known.items())
        parts.append(wording.say("sizes.assumed", protocol=title_of(each.protocol), what=said))
    return wording.say("gap").join(parts)


def _strata(plan: StudyPlan) -> str:
    """How many were drawn of how many in each stratum."""
    parts = [f"{name or wording.DASH} {wording.of(drawn, there)}" for name, (drawn, there) in plan.strata.items()]
    return wording.say("sizes.strata", strata=wording.say("comma").join(parts))
