"""The state of the charts: which systems and measures, the pairs and the spreads among what the table found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.query.compare import FEWEST, MEASURES, MOST, Pairs, Spreads, pairs, spreads, systems_there
from engine.query.fields import Method
from engine.query.ranks import Ids
from engine.query.selection import Selection
from engine.query.wording import number
from engine.store.workspace import Workspace
from gui.audit.compare.series import series_places
from gui.audit.view_model import AuditViewModel
from gui.jobs import Job, JobRunner
from gui.open_workspace import OpenWorkspace
from gui.settings import Settings

USUAL = "error"
USUAL_OTHER = "dnsmos"


@dataclass(frozen=True, slots=True)
class Choice:
    """What the charts show: a system and a measure on each axis, and the measure whose spread is shown."""

    first: str
    second: str
    x: str
    y: str
    spread: str


@dataclass(frozen=True, slots=True)
class Charted:
    """What was read for a choice; ``places`` are the colours and marks of the systems."""

    systems: tuple[str, ...]
    choice: Choice
    pairs: Pairs
    spreads: Spreads
    places: dict[str, int]
    is_filtered: bool


class ChartsViewModel(QObject):
    """Reads anew when the table finds something else, while the charts are shown.

    Signals:
        charted: a ``Charted``, or None where there is nothing to show.
        selected: entries of the pairs, as an array, or None for none; and the corners of what holds them.
        failed: an EngineError.
    """

    charted, selected, failed = Signal(object), Signal(object, object), Signal(object)

    def __init__(
        self,
        audit: AuditViewModel,
        workspace: OpenWorkspace,
        jobs: JobRunner,
        settings: Settings,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._audit, self._workspace, self._jobs, self._settings = audit, workspace, jobs, settings
        self._is_shown = False
        self._charted: Charted | None = None
        self._places: Ids | None = None
        self._job: Job | None = None
        audit.found.connect(self._on_found)
        workspace.changed.connect(self._on_other_workspace)

    @property
    def now(self) -> Charted | None:
        """What is shown."""
        return self._charted

    def set_shown(self, is_shown: bool) -> None:
        """Read, and keep reading, while the charts are on screen."""
        self._is_shown = is_shown
        if is_shown:
            self._read()

    def choose(self, **parts: str) -> None:
        """Show another system or measure: ``first``, ``second``, ``x``, ``y`` or ``spread``."""
        if self._charted is None:
            return
        choice = replace(self._charted.choice, **parts)
        kept = {name: getattr(choice, name) for name in Choice.__dataclass_fields__}
        self._settings.set("charts", kept)
        self._read()

    def enclose(self, corners: Sequence[tuple[float, float]]) -> None:
        """Select the entries within a polygon."""
        if self._charted is not None:
            self._select(self._charted.pairs.enclosed(corners), corners)

    def select_within(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Select the entries in a box."""
        if self._charted is not None:
            far = np.finfo(np.float64).max / 4
            (left, right), (low, high) = ((max(ends[0], -far), min(ends[1], far)) for ends in (x, y))
            corners = [(left, low), (right, low), (right, high), (left, high)]
            self._select(self._charted.pairs.within(x, y), corners)

    def unselect(self) -> None:
        """Select nothing."""
        self._select(None)

    @property
    def selection(self) -> Selection | None:
        """Both answers of every selected instance; None where none is selected."""
        if self._charted is None or self._places is None or not len(self._places):
            return None
        return Selection(ids=self._charted.pairs.response_ids(self._places))

    @property
    def selected_count(self) -> int:
        """How many instances are selected."""
        return 0 if self._places is None else len(self._places)

    def show_selection(self) -> bool:
        """Show the selected answers in the table; False where none is selected."""
        selection = self.selection
        if selection is None:
            return False
        self._audit.take(selection)
        return True

    def filter_by(self, chosen: tuple[float, float]) -> None:
        """Keep only answers whose measure lies in a range: one more term of the filter; an infinite end is open."""
        if self._charted is not None:
            low, high = (number(value) if math.isfinite(value) else "" for value in chosen)
            if self._audit.draft.strip():
                self._audit.commit()
            self._audit.type(f"{self._charted.choice.spread}:{low}..{high}")
            self._audit.commit()

    def _select(self, places: Ids | None, corners: Sequence[tuple[float, float]] = ()) -> None:
        self._places = places
        self.selected.emit(places, corners)

    def _on_found(self) -> None:
        if self._is_shown:
            self._read()

    def _on_other_workspace(self) -> None:
        self._stop()
        self._charted = self._places = None
        self.charted.emit(None)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _read(self) -> None:
        self._stop()
        workspace = self._workspace.current
        if workspace is None:
            return
        ids = self._audit.rows.ids
        among = ids if len(ids) != self._audit.total else None
        kept, compared = dict(self._settings.get("charts")), list(self._settings.get("compare_systems"))
        self._job = job = self._jobs.call(read_charts, workspace, kept, compared, self._audit.method, among)
        job.succeeded.connect(self._on_read)
        job.failed.connect(self._on_failure)

    def _on_read(self, charted: Charted | None) -> None:
        if self.sender() is not self._job:
            return
        self._job = None
        self._charted = charted
        self._places = None
        self.charted.emit(charted)
        self.selected.emit(None, ())

    def _on_failure(self, error: Exception) -> None:
        self._job = None
        if not isinstance(error, EngineError):
            raise error
        self.failed.emit(error)


def read_charts(
    workspace: Workspace, kept: dict[str, Any], compared: Sequence[object], method: Method, among: Ids | None
) -> Charted | None:
    """Pairs and spreads for what was chosen before, as far as it is there; None in a workspace without answers."""
    with closing(workspace.connect()) as db:
        systems = systems_there(db)
        if not systems:
            return None
        choice = chosen(systems, kept)
        named = [name for name in compared if isinstance(name, str) and name in systems]
        rest = named if len(named) >= FEWEST else systems
        shown = tuple(dict.fromkeys((choice.first, choice.second, *rest)))[:MOST]
        return Charted(
            systems,
            choice,
            pairs(db, (choice.first, choice.x), (choice.second, choice.y), method, among=among),
            spreads(db, choice.spread, shown, method, among=among),
            series_places(systems, shown),
            among is not None,
        )


def chosen(systems: Sequence[str], kept: dict[str, Any]) -> Choice:
    """What was chosen before, with what is usual in place of what is not there.

    >>> chosen(["a", "b"], {"second": "a", "x": "nothing"})
    Choice(first='b', second='a', x='error', y='error', spread='error')
    >>> chosen(["a"], {})
    Choice(first='a', second='a', x='error', y='dnsmos', spread='error')
    """
    second = kept.get("second")
    second = second if second in systems else systems[min(1, len(systems) - 1)]
    first = kept.get("first")
    first = first if first in systems else next((name for name in systems if name != second), second)
    x, y, spread = (kept.get(name) if kept.get(name) in MEASURES else None for name in ("x", "y", "spread"))
    x = x or USUAL
    return Choice(str(first), str(second), x, y or (x if first != second else USUAL_OTHER), spread or USUAL)
