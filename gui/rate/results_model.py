"""The state of a study's results: which question is looked at, and what came of it."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.query.selection import Selection
from gui.jobs import Job
from gui.rate.outcome import Outcome, reckoned
from gui.rate.wording import say
from gui.services import Services

if TYPE_CHECKING:
    from engine.rating.result_values import StudyResults
    from engine.store.studies import SessionRow, StudyRow
    from engine.store.workspace import Workspace


class ResultsModel(QObject):
    """Reckons by jobs, and only what has changed.

    Signals:
        changed: ``outcome``, ``leaves_out``, ``is_busy``, ``error`` or what there is to choose from is another.
    """

    changed = Signal()

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._job: Job | None = None
        self._key: tuple[object, ...] = ()
        self._study: StudyRow | None = None
        self.protocols: tuple[tuple[int, str], ...] = ()
        self.protocol: int | None = None
        self.outcome: Outcome | None = None
        self.leaves_out = False
        self.error: EngineError | None = None

    @property
    def is_busy(self) -> bool:
        """Whether figures are being reckoned."""
        return self._job is not None

    @property
    def shown(self) -> StudyResults | None:
        """The figures to be shown: with everyone, or without those whom the rules set aside."""
        outcome = self.outcome
        if outcome is None:
            return None
        return outcome.sides.without if self.leaves_out else outcome.results

    @property
    def can_leave_out(self) -> bool:
        """Whether somebody is set aside, and ratings of others are left."""
        return self.outcome is not None and bool(self.outcome.set_aside) and self.outcome.sides.without.items > 0

    def look(self, study: StudyRow, sessions: tuple[SessionRow, ...]) -> None:
        """Show this study's results, as of now."""
        self._study = study
        ordered = sorted(sessions, key=lambda session: session.number)
        self.protocols = tuple(dict.fromkeys((each.protocol_id, each.protocol_name) for each in ordered))
        if self.protocol not in {number for number, _ in self.protocols}:
            self.protocol = self.protocols[0][0] if self.protocols else None
        self._reckon()

    def choose(self, protocol: int) -> None:
        """Look at another question."""
        self.protocol = protocol
        self._reckon()

    def leave_out(self) -> None:
        """Show the figures without those who are set aside, or with everyone again."""
        self.leaves_out = not self.leaves_out and self.can_leave_out
        self.changed.emit()

    def open_answer(self, uid: str) -> None:
        """See one answer in Audit."""
        self._open((uid,))

    def open_system(self, system: str) -> None:
        """See the answers of a system that were rated under this question in Audit."""
        if self.shown is not None:
            scales = self.shown.scales
            self._open(tuple({item.response_uid for scale in scales for item in scale.items if item.system == system}))

    def _open(self, uids: tuple[str, ...]) -> None:
        workspace = self._services.workspace.current
        if workspace is not None and uids:
            job = self._services.jobs.call(_ids_of, workspace, uids)
            job.succeeded.connect(self._go)

    def _go(self, ids: tuple[int, ...]) -> None:
        self._services.go("audit", Selection(ids=ids))

    def _reckon(self) -> None:
        study, workspace = self._study, self._services.workspace.current
        if study is None or workspace is None or self.protocol is None:
            return
        owner = say("me")
        key = (str(workspace.folder), study.uid, self.protocol, study.rated, study.skipped, study.disclosed_at, owner)
        if key == self._key:
            return
        if key[:3] != self._key[:3]:
            self.outcome, self.leaves_out = None, False
        self._key, self.error = key, None
        if self._job is not None:
            self._job.cancel()
        self._job = job = self._services.jobs.run(reckoned(workspace, study.id, self.protocol, owner))
        job.succeeded.connect(self._on_outcome)
        job.failed.connect(self._on_failure)
        job.finished.connect(self._on_finished)
        self.changed.emit()

    def _on_outcome(self, outcome: Outcome) -> None:
        if self.sender() is self._job:
            self.outcome = outcome
            self.leaves_out = self.leaves_out and self.can_leave_out

    def _on_failure(self, error: Exception) -> None:
        if self.sender() is self._job:
            self._key = ()  # asked for again when it is shown again
            if not isinstance(error, EngineError):
                raise error
            self.error = error

    def _on_finished(self) -> None:
        if self.sender() is self._job:
            self._job = None
            self.changed.emit()


def _ids_of(workspace: Workspace, uids: tuple[str, ...]) -> tuple[int, ...]:
    from engine.query.records import ids_of_uids

    with closing(workspace.connect()) as db:
        return tuple(sorted(ids_of_uids(db, uids).values()))
