"""The workers of a run: what each does, how much it did, where it runs; and the memory of the graphics processors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from engine.runs.told import RunState
from gui.run import wording
from gui.theme import space
from gui.widgets import Card, ProgressBar, label

if TYPE_CHECKING:
    from engine.machine.computer import GpuUse
    from engine.runs.pool import WorkerState

_MOST = 8
_BAR = 180


class WorkersCard(Card):
    """A row for each worker, a bar for each processor; hidden where a run has none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._rows: list[tuple[QLabel, ...]] = []
        self._gpus: list[tuple[QLabel, ProgressBar, QLabel]] = []
        self._grid, self._gpu_grid = QGridLayout(), QGridLayout()
        for grid in (self._grid, self._gpu_grid):
            grid.setHorizontalSpacing(space(4))
            grid.setVerticalSpacing(space(1))
        self._grid.setColumnStretch(3, 1)
        self._gpu_grid.setColumnStretch(2, 1)
        self.body.addLayout(self._grid)
        self.body.addLayout(self._gpu_grid)
        self._none = label(type="small", tone="tertiary")
        self._none.hide()
        self.body.addWidget(self._none)
        self.hide()

    def show_run(self, state: RunState) -> None:
        """Show the workers of this run."""
        self.set_title(wording.say("workers.title"))
        workers = state.workers
        restarts = sum(worker.restarts for worker in workers)
        note = wording.say("workers.note", count=len(workers))
        self.set_note(" · ".join([note, wording.say("workers.restarts", count=restarts)] if restarts else [note]))
        self._fill(workers, state.is_going)
        self.setVisible(bool(workers))

    def show_gpus(self, use: Sequence[GpuUse] | None) -> None:
        """Show what the processors hold; None where nobody has looked."""
        self._none.setText(wording.say("workers.no_gpu"))
        self._none.setVisible(use is not None and not use)
        while len(self._gpus) < len(use or ()):
            self._add_gpu()
        for place, (name, bar, words) in enumerate(self._gpus):
            shown = use is not None and place < len(use)
            for part in (name, bar, words):
                part.setVisible(shown)
            if use is None or not shown:
                continue
            one = use[place]
            name.setText(wording.say("workers.gpu", number=one.number, name=one.name))
            bar.set_counts(round(one.used_gb * 10), total=max(1, round(one.total_gb * 10)))
            held = wording.say("workers.memory", used=f"{one.used_gb:.1f}", total=f"{one.total_gb:.0f}")
            busy = "" if one.busy is None else wording.say("workers.busy_share", share=f"{100 * one.busy:.0f}")
            words.setText(" · ".join(filter(None, (held, busy))))

    @property
    def texts(self) -> list[str]:
        """What each row says, for tests."""
        rows = [row for row in self._rows if row[0].isVisibleTo(self)]
        gpus = [f"{name.text()} {words.text()}" for name, _, words in self._gpus if name.isVisibleTo(self)]
        none = [self._none.text()] if self._none.isVisibleTo(self) else []
        return [" ".join(filter(None, (cell.text() for cell in row))) for row in rows] + gpus + none

    def _fill(self, workers: Sequence[WorkerState], is_going: bool) -> None:
        shown = workers[:_MOST]
        while len(self._rows) < len(shown):
            self._add_row()
        for place, cells in enumerate(self._rows):
            for cell in cells:
                cell.setVisible(place < len(shown))
            if place < len(shown):
                for cell, text in zip(cells, wording.worker(shown[place], is_going)):
                    cell.setText(text)
        more = len(workers) - len(shown)
        self.set_foot(wording.say("workers.more", count=more) if more > 0 else "")

    def _add_row(self) -> None:
        row = len(self._rows)
        number = label(type="figure", family="mono", weight=600)
        doing = label(type="table")
        done = label(type="table", tone="secondary")
        rest = label(type="table", tone="secondary", elide=True)
        for column, cell in enumerate((number, doing, done, rest)):
            self._grid.addWidget(cell, row, column)
        self._rows.append((number, doing, done, rest))

    def _add_gpu(self) -> None:
        row = len(self._gpus)
        name, bar, words = label(type="table", elide=True), ProgressBar(), label(type="table", tone="secondary")
        bar.setFixedWidth(_BAR)
        self._gpu_grid.addWidget(name, row, 0)
        self._gpu_grid.addWidget(bar, row, 1, Qt.AlignmentFlag.AlignVCenter)
        self._gpu_grid.addWidget(words, row, 2)
        self._gpus.append((name, bar, words))
