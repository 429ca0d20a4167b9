"""The state of a comparison: how many systems, which, who is heard, and where another one goes on. No widgets."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.metrics.clauses import MODES, Landing, Mode, landing, same_share
from engine.query.compare import FEWEST, MOST
from gui.audit.compare.reading import Answer, Compared, read_compared
from gui.audit.detail.view_model import Loaded
from gui.jobs import Job, JobRunner
from gui.open_workspace import OpenWorkspace
from gui.player.player import Player
from gui.settings import Settings

ONE = 1


class CompareViewModel(QObject):
    """Reads the answers of several systems to the instance that is looked at, and switches the player among them.

    Signals:
        count_changed: how many systems stand beside each other; 1 is no comparison.
        shown: a ``Compared``: other answers are there, or None while nothing is.
        heard_changed: the place of the lane that is heard now.
        landed: the ``Landing`` of the last switch.
        mode_changed: how a switch finds its place.
        failed: an EngineError.
    """

    count_changed, shown, heard_changed = Signal(int), Signal(object), Signal(int)
    landed, mode_changed, failed = Signal(object), Signal(str), Signal(object)

    def __init__(
        self,
        jobs: JobRunner,
        workspace: OpenWorkspace,
        settings: Settings,
        player: Player,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._workspace, self._settings, self._player = jobs, workspace, settings, player
        self._count = ONE
        self._preferred: tuple[str, ...] = ()
        self._wanted: tuple[int, str] | None = None
        self._compared: Compared | None = None
        self._heard = self._before = 0
        self._landings: dict[tuple[int, int | None, int], Landing] = {}
        self._job: Job | None = None
        workspace.changed.connect(self.leave)
        workspace.content_changed.connect(self._read)
        player.loaded.connect(self._keep_at_hand)

    @property
    def count(self) -> int:
        """How many systems stand beside each other; 1 is no comparison."""
        return self._count

    @property
    def is_on(self) -> bool:
        """Whether systems are compared."""
        return self._count > ONE

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The lanes; none while they are read."""
        return self._compared.answers if self._compared is not None else ()

    @property
    def compared(self) -> Compared | None:
        """What is shown."""
        return self._compared

    @property
    def heard(self) -> int:
        """The lane that is heard."""
        return self._heard

    @property
    def is_own_heard(self) -> bool:
        """Whether the player holds the answer that was chosen."""
        return self._compared is None or self._heard == self._compared.own

    @property
    def told(self) -> Loaded | None:
        """The answer of the lane that is heard."""
        return self.answers[self._heard].loaded if self._heard < len(self.answers) else None

    @property
    def mode(self) -> Mode:
        """How a switch finds its place in the other answer."""
        kept = self._settings.get("compare_mode")
        return next((mode for mode in MODES if mode == kept), MODES[-1])

    def show(self, response_id: int | None, method: str) -> None:
        """Look at the instance of another answer."""
        wanted = None if response_id is None else (response_id, method)
        if wanted != self._wanted:
            self._wanted = wanted
            self._read()

    def compare(self, count: int) -> None:
        """Put ``count`` systems beside each other; 1 is one answer alone."""
        count = min(max(count, ONE), MOST)
        if count == self._count:
            return
        was_on, self._count = self.is_on, count
        if not was_on:
            self._player.set_part("answer")
        self.count_changed.emit(count)
        if self.is_on:
            self._read()
        elif was_on:
            self._stop()
            self._compared = None
            self.shown.emit(None)

    def leave(self) -> None:
        """One answer alone again."""
        self.compare(ONE)

    def prefer(self, systems: tuple[str, ...]) -> None:
        """Put these first until others are chosen: what a chart held against each other."""
        if systems != self._preferred:
            self._preferred = systems
            self._read()

    def choose_systems(self, systems: tuple[str, ...]) -> None:
        """Put these systems beside each other, as many as they are."""
        if FEWEST <= len(systems) <= MOST:
            self._preferred = ()
            self._settings.set("compare_systems", list(systems))
            if self.is_on and len(systems) != self._count:
                self._count = len(systems)
                self.count_changed.emit(self._count)
            self._read()

    def use_mode(self, mode: str) -> None:
        """Switch by the same second, from the start, or to the matching clause."""
        if mode != self.mode:
            self._settings.set("compare_mode", mode)
            self.mode_changed.emit(self.mode)

    def next_mode(self) -> None:
        """The mode after this one."""
        self.use_mode(MODES[(MODES.index(self.mode) + 1) % len(MODES)])

    def switch(self, place: int) -> None:
        """Hear another lane, where the mode says."""
        if not 0 <= place < len(self.answers) or place == self._heard:
            return
        found = self.landing_in(place)
        self._hear(place, found.at_s)
        self.landed.emit(found)

    def step(self, by: int) -> None:
        """Hear the next lane that has a sound, or the one before."""
        count = len(self.answers)
        places = [(self._heard + by * steps) % count for steps in range(1, count)] if count else []
        found = next((place for place in places if self.answers[place].clip is not None), None)
        if found is not None:
            self.switch(found)

    def back(self) -> None:
        """Hear the lane that was heard before this one."""
        self.switch(self._before)

    def seek(self, place: int, second: float) -> None:
        """Hear a lane from ``second`` on."""
        if place == self._heard:
            self._player.seek(second, "answer")
        elif 0 <= place < len(self.answers):
            self._hear(place, second)

    def landing_in(self, place: int) -> Landing:
        """Where a switch to a lane would go now."""
        here, there, second = self.answers[self._heard].voice, self.answers[place].voice, self.position_s
        if self.mode != "clause":
            return landing(self.mode, here, second, there)
        key = (self._heard, here.at(second), place)  # within a clause it is the same: looked for once
        if key not in self._landings:
            self._landings[key] = landing("clause", here, second, there)
        found = self._landings[key]
        return same_share(here, second, there) if found.how == "share" else found

    @property
    def position_s(self) -> float:
        """Where the heard lane is heard."""
        spot = self._player.spot
        return spot.position_s if spot.lane == "answer" else 0.0

    def _hear(self, place: int, second: float) -> None:
        self._before, self._heard = self._heard, place
        clip = self.answers[place].clip
        if clip is None:
            self._player.pause()
        else:
            self._player.switch(clip, second)
        self.heard_changed.emit(place)

    def _read(self) -> None:
        self._stop()
        workspace = self._workspace.current
        if not self.is_on or workspace is None:
            return
        if self._wanted is None:
            self._show(None)
            return
        chosen = (*self._preferred, *self._settings.get("compare_systems"))
        kept = [name for name in chosen if isinstance(name, str)]
        self._job = job = self._jobs.run(read_compared(workspace, *self._wanted, kept, self._count))
        job.succeeded.connect(self._on_read)
        job.failed.connect(self._on_failure)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _on_read(self, compared: Compared) -> None:
        if self.sender() is not self._job:
            return
        self._job = None
        self._show(compared)

    def _show(self, compared: Compared | None) -> None:
        if compared is not None and compared == self._compared:
            return  # results were written, none of them of these answers
        shown = self._compared
        is_same = compared is not None and shown is not None and compared.response_id == shown.response_id
        before, second = self.told if is_same else None, self.position_s
        self._compared = compared
        self._landings.clear()
        ids = [answer.response_id for answer in self.answers]
        own = compared.own if compared is not None else 0
        stays = before is not None and before.detail.answered.id in ids
        self._heard = self._before = ids.index(before.detail.answered.id) if before is not None and stays else own
        self._keep_at_hand()
        if before is not None and not stays:
            self._hear(own, second)
        self.shown.emit(compared)
        self.heard_changed.emit(self._heard)

    def _keep_at_hand(self) -> None:
        if self.answers and self._job is None:  # else they are about to be others
            self._player.keep_at_hand([answer.clip for answer in self.answers if answer.clip is not None])

    def _on_failure(self, error: Exception) -> None:
        self._job = None
        if not isinstance(error, EngineError):
            raise error
        self.failed.emit(error)
