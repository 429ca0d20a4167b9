"""The steps of a run, one row each: what, how far, how fast, when."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from engine.runs.told import RunState, StepState
from gui.run import wording
from gui.run.marks import StepMark
from gui.theme import space, theme
from gui.widgets import ProgressBar, label

ROW = 44
_NAME, _BAR, _COUNT, _RATE, _TIME = 256, 420, 150, 84, 138
_NARROW = 760
_SIDE = 14
_USUAL = 4  # steps of a run over answers


class StepRows(QWidget):
    """One row for each step; rows are kept and only filled anew."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[_StepRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, 0, 1, 1)
        self._column.setSpacing(0)
        self._make_rows(_USUAL)  # here, or the first news of a run would wait for them

    def show_run(self, state: RunState) -> None:
        """Show the steps of this run."""
        self._make_rows(len(state.steps))
        for row, step in zip(self._rows, state.steps):
            row.show_step(state, step)
        for place, row in enumerate(self._rows):
            row.setVisible(place < len(state.steps))

    def _make_rows(self, count: int) -> None:
        while len(self._rows) < count:
            row = _StepRow(self)
            row.hide()
            self._rows.append(row)
            self._column.addWidget(row)

    @property
    def texts(self) -> list[tuple[str, str, str, str]]:
        """Name, count, rate and time of each row that is shown, for tests."""
        return [row.texts for row in self._rows if row.isVisibleTo(self)]


class _StepRow(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedHeight(ROW)
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 1, _SIDE - 4, 0)
        row.setSpacing(space(3))
        self._mark = StepMark()
        self._name, self._note = label(weight=500), label(type="small", tone="secondary", elide=True)
        self._words = QWidget()
        names = QVBoxLayout(self._words)
        names.setContentsMargins(0, 3, 0, 3)
        names.setSpacing(0)
        names.addWidget(self._name)
        names.addWidget(self._note)
        self._bar = ProgressBar()
        self._bar.setMaximumWidth(_BAR)
        self._count, self._rate = _figure(_COUNT), _figure(_RATE)
        self._time = label(type="table", tone="secondary", elide=True)
        self._time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._mark)
        row.addWidget(self._words)
        row.addWidget(self._bar, 1)
        row.addStretch(0)
        for cell in (self._count, self._rate, self._time):
            row.addWidget(cell)
        self._fit()

    @property
    def texts(self) -> tuple[str, str, str, str]:
        return self._name.text(), self._count.text(), self._rate.text(), self._time.text()

    def show_step(self, state: RunState, step: StepState) -> None:
        phase = step.phase
        self._mark.show_state("waiting" if step.state == "waiting" else step.state)
        self._name.setText(wording.say(f"step.{step.name}"))
        self._note.setText(wording.step_note(state.run, step, state.at_once if step is state.step else 0))
        shown = step.name != "score"
        done = phase.asked if phase.total or step.state != "done" else 1
        total = phase.total or (1 if step.state == "done" else 0)
        self._bar.set_counts(done, phase.unparsable, phase.failed, total)
        of = wording.say("step.of", done=wording.count(phase.asked), total=wording.count(phase.total))
        self._count.setText(of if phase.total and shown else "")
        rate = state.rate if step is state.step and state.is_going else phase.rate
        self._rate.setText(wording.say("step.rate", rate=wording.rate(rate)) if rate and shown else "")
        is_empty = step.state == "done" and shown and not phase.total
        time = wording.step_time(step, state.left_s if step is state.step else None)
        self._time.setText(wording.say("step.nothing") if is_empty else time)
        spoken = (self._name.text(), self._note.text(), self._count.text(), self._time.text())
        self.setAccessibleName(", ".join(filter(None, spoken)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(0, 0, self.width(), 1, theme().color("surface.line"))

    def _fit(self) -> None:
        """In a narrow place the names give way first, then the rate."""
        is_narrow = self.width() < _NARROW
        self._words.setFixedWidth(148 if is_narrow else _NAME)
        self._rate.setVisible(not is_narrow)
        self._time.setFixedWidth(96 if is_narrow else _TIME)
        self._count.setFixedWidth(112 if is_narrow else _COUNT)


def _figure(width: int) -> QLabel:
    made = label(type="figure", family="mono")
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    made.setFixedWidth(width)
    return made
