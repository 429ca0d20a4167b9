"""What a run would have to do: a row for each part, the time it took the last time, the cost."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from engine.runs.plan import WorkPlan
from gui.run import wording
from gui.run.new_run import NewRun
from gui.theme import space
from gui.widgets import Card, label

_PHASES = ("read", "recognise.recognise", "measure.quality", "measure.rates", "judge.words", "judge.ask")


class PlanCard(Card):
    """Counts by part; the sentence below says what it costs and what stays undone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, parent=parent)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(space(3))
        self._grid.setVerticalSpacing(space(1))
        self._grid.setColumnStretch(1, 1)
        self._rows = {phase: self._row(place) for place, phase in enumerate((*_PHASES, "total"))}
        self._nothing = label(tone="secondary", wrap=True)
        self._cost = label("", "table", "secondary", wrap=True)
        self.body.addLayout(self._grid)
        self.body.addWidget(self._nothing)
        self.body.addWidget(self._cost)
        self.body.addStretch(1)

    def show_plan(self, new: NewRun) -> None:
        """Show what the choices of now would take."""
        self.set_title(wording.say("new.plan"))
        self.set_note(wording.say("plan.counting") if new.is_counting else "")
        plan = new.plan
        items = plan.items if plan is not None else {}
        for phase in _PHASES:
            self._fill(phase, items.get(phase, 0), plan)
        self._fill_total(plan)
        self._nothing.setText(self._without(new))
        self._nothing.setVisible(bool(self._nothing.text()))
        self._cost.setText("\n".join(_cost(new, plan)) if plan is not None else "")
        self._cost.setVisible(bool(self._cost.text()))

    @property
    def texts(self) -> list[str]:
        """Number, words and time of each row that is shown, for tests."""
        rows = [cells for cells in self._rows.values() if cells[0].isVisibleTo(self)]
        return [" ".join(cell.text() for cell in cells) for cells in rows] + [self._nothing.text(), self._cost.text()]

    def _row(self, place: int) -> tuple[QLabel, QLabel, QLabel]:
        number = label(type="figure", family="mono", weight=600)
        number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        what, time = label(type="table", elide=True), label(type="table", tone="secondary")
        time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for column, cell in enumerate((number, what, time)):
            self._grid.addWidget(cell, place, column)
            cell.hide()
        return number, what, time

    def _fill(self, phase: str, number: int, plan: WorkPlan | None) -> None:
        cells = self._rows[phase]
        if number and plan is not None:
            name = phase.rpartition(".")[2]
            key = "ask_at_most" if name == "ask" and plan.words else name
            seconds = plan.seconds.get(phase)
            time = wording.say("plan.unknown_time")
            if seconds is not None:
                time = wording.say("plan.about", time=wording.duration(seconds))
            for cell, text in zip(cells, (wording.count(number), wording.say(f"plan.{key}"), time)):
                cell.setText(text)
        for cell in cells:
            cell.setVisible(bool(number))

    def _fill_total(self, plan: WorkPlan | None) -> None:
        total = plan.total_s if plan is not None and len(plan.items) > 1 else None
        number, what, time = self._rows["total"]
        if total is not None:
            what.setText(wording.say("plan.total"))
            time.setText(wording.say("plan.about", time=wording.duration(total)))
        for cell in (number, what, time):
            cell.setVisible(total is not None)

    def _without(self, new: NewRun) -> str:
        if new.plan is not None and not new.plan.items:
            return wording.say("plan.nothing" if new.chosen is None else "plan.nothing_again")
        if new.plan is None and new.request is None and new.sizes:
            steps = (new.recognise, new.measure, new.judge, new.score)
            return wording.say("plan.no_scope" if any(steps) else "plan.no_step")
        return ""


def _cost(new: NewRun, plan: WorkPlan) -> list[str]:
    calls, judge = plan.calls, new.chosen_judge
    found = []
    if plan.unasked:
        found.append(wording.say("plan.unasked", count=wording.count(plan.unasked)))
    if calls.calls:
        tokens_in, tokens_out = wording.count(calls.tokens_in), wording.count(calls.tokens_out)
        found.append(wording.say("plan.tokens", tokens_in=tokens_in, tokens_out=tokens_out))
        if calls.cost is not None:
            found.append(wording.say("plan.cost", cost=f"{calls.cost:.2f}", currency=calls.currency))
            if new.budget is not None and calls.cost > new.budget:
                found.append(wording.say("plan.over_budget", budget=f"{new.budget:.2f}"))
        else:
            found.append(wording.say("plan.local" if judge.is_local else "plan.no_cost"))
    return found
