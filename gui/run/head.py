"""The head of a run: its figures, its states, and its steps below."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from engine.runs.respond_request import KIND as RESPOND
from engine.runs.told import RunState
from gui.run import wording
from gui.run.step_rows import StepRows
from gui.theme import line_height, space
from gui.widgets import Card, StateMark, label

_SIDE = 15
_NARROW = 760


class RunHead(Card):
    """Share, time left, rate and cost in large figures; states on the right; a row for each step."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(flush=True, parent=parent)
        top = QWidget()
        self._top = QBoxLayout(QBoxLayout.Direction.LeftToRight, top)
        self._top.setContentsMargins(_SIDE, space(3) + 2, _SIDE, space(3) - 2)
        self._top.setSpacing(space(2))
        self._figures = QGridLayout()
        self._figures.setVerticalSpacing(space(2))
        self._share, self._time, self._rate, self._spent = _Figure(), _Figure(), _Figure(), _Figure()
        self._top.addLayout(self._figures, 1)
        states = QGridLayout()
        states.setHorizontalSpacing(space(4))
        states.setVerticalSpacing(space(1) + 2)
        self._marks = {name: StateMark(name) for name in ("scored", "unparsable", "unscored", "failed")}
        for place, mark in enumerate(self._marks.values()):
            states.addWidget(mark, place // 2, place % 2)
        states.setColumnStretch(2, 1)
        self._top.addLayout(states)
        self.steps = StepRows()
        self.body.setSpacing(0)
        self.body.addWidget(top)
        self.body.addWidget(self.steps)

    def show_run(self, state: RunState) -> None:
        """Show this run."""
        caption = wording.say("head.caption", run=state.run.id, doing=wording.doing(state))
        self._share.show_figure(caption, wording.share(state.share))
        if state.is_going:
            self._time.show_figure(wording.say("head.left"), wording.duration(state.left_s))
        else:
            self._time.show_figure(wording.say("head.took"), wording.duration(_took(state)))
        phase = state.step.phase if state.step else None
        self._rate.show_figure(
            wording.say("head.rate"), wording.rate(state.rate), wording.unit(phase.name) if phase and state.rate else ""
        )
        self._spent.show_figure(wording.say("head.spent"), *wording.spent(state))
        self._show_states(state)
        self.steps.show_run(state)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """The states below the figures where it is narrow, and these in two lines where four would be cut."""
        is_narrow = self.width() < _NARROW
        way = QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        self._top.setDirection(way)
        gap = space(4) if is_narrow else space(7)
        figures = (self._share, self._time, self._rate, self._spent)
        whole = sum(figure.sizeHint().width() + gap for figure in figures) + 2 * _SIDE
        columns = 2 if is_narrow and whole > self.width() else len(figures)
        self._figures.setHorizontalSpacing(gap)
        for place, figure in enumerate(figures):
            self._figures.addWidget(figure, place // columns, place % columns, Qt.AlignmentFlag.AlignTop)
        for column in range(len(figures) + 1):
            self._figures.setColumnStretch(column, int(column == columns))

    @property
    def texts(self) -> list[str]:
        """The large figures, for tests."""
        return [figure.text for figure in (self._share, self._time, self._rate, self._spent)]

    def _show_states(self, state: RunState) -> None:
        step = state.step
        phase = step.phase if step else None
        counts = {"scored": 0, "unparsable": 0, "unscored": 0, "failed": 0}
        if phase is not None:
            waiting = max(0, phase.total - phase.done) if state.state != "done" else phase.unscored
            counts = {
                "scored": phase.scored, "unparsable": phase.unparsable, "unscored": waiting, "failed": phase.failed,
            }  # fmt: skip
        is_judged = step is not None and step.name == "judge"
        self._marks["unparsable"].setVisible(is_judged or bool(counts["unparsable"]))
        for name, mark in self._marks.items():
            key = _open_key(state) if name == "unscored" else wording.good(step) if name == "scored" else name
            mark.set_state(name, wording.say(f"head.{key}", count=wording.count(counts[name])))


class _Figure(QWidget):
    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._caption = label(type="small", tone="secondary", weight=500)
        self._value, self._unit = label(type="display"), label(type="body_large", tone="secondary", elide=True)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(2))
        row.addWidget(self._value)
        beside = QVBoxLayout()
        beside.addStretch(1)
        beside.addWidget(self._unit)
        beside.addSpacing(space(1))  # on the value's baseline
        row.addLayout(beside)
        row.addStretch(1)
        self._value.setFixedHeight(line_height("display"))
        column.addWidget(self._caption)
        column.addLayout(row)

    @property
    def text(self) -> str:
        return f"{self._caption.text()}: {self._value.text()} {self._unit.text()}".strip()

    def show_figure(self, caption: str, value: str, unit: str = "") -> None:
        self._caption.setText(caption)
        self._value.setText(value)
        self._unit.setText(unit)
        self._unit.setVisible(bool(unit))
        self.setAccessibleName(self.text)


def _took(state: RunState) -> float | None:
    if not state.run.ended_at:
        return None
    began, ended = (datetime.fromisoformat(at) for at in (state.run.started_at, state.run.ended_at))
    return (ended - began).total_seconds()


def _open_key(state: RunState) -> str:
    """What the items without a score are called: they wait, words did not decide them, or the budget was spent."""
    if state.state != "done":
        return "waiting"
    if state.step is not None and state.step.name == RESPOND:
        return "no_answer"
    is_asked = state.step is not None and state.step.phase.name in ("ask", "follow_up")
    return "not_asked" if is_asked else "unscored"
