"""The state of the Rate screen: what there is, which study is looked at, which page is on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from gui.jobs import Job
from gui.rate.reading import RoomRead, read_room
from gui.services import Services

if TYPE_CHECKING:
    from engine.store.studies import SessionRow, StudyRow

Page = Literal["no_workspace", "no_answers", "empty", "study", "new", "people", "rater", "sitting"]


class RateViewModel(QObject):
    """Reads by jobs and writes nothing; what changes something stands in ``StudyWork``, ``NewStudy`` and ``People``.

    Signals:
        room_changed: what there is was read anew.
        page_changed: another page, or another study on it.
        trouble_changed: ``error`` is another.
    """

    room_changed, page_changed, trouble_changed = Signal(), Signal(), Signal()

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.room = RoomRead()
        self.selected: int | None = None
        self.session: int | None = None
        self.error: EngineError | None = None
        self._over: Literal["new", "people"] | None = None
        self._job: Job | None = None
        self._again = self._is_read = False
        services.workspace.changed.connect(self._on_workspace)
        services.workspace.content_changed.connect(self.look)
        services.profiles.changed.connect(self._on_profile)

    @property
    def page(self) -> Page:
        """What is to be shown, by what there is and where the user went."""
        if self.session is not None:
            return "sitting"
        if not self._services.profiles.now.is_owner:
            return "rater"
        if self._services.workspace.current is None:
            return "no_workspace"
        if self._over is not None:
            return self._over
        if self.study is not None:
            return "study"
        return "empty" if self.room.has_answers or not self._is_read else "no_answers"

    @property
    def study(self) -> StudyRow | None:
        """The study that is looked at."""
        return next((study for study in self.room.studies if study.id == self.selected), None)

    @property
    def own_sessions(self) -> tuple[SessionRow, ...]:
        """In a rater's profile: what this rater is asked to do."""
        return self.room.sessions_by(self._services.profiles.now.rater_uid)

    def look(self) -> None:
        """Read anew what there is; once more where it is being read already."""
        workspace = self._services.workspace.current
        if workspace is None:
            return
        if self._job is not None:
            self._again = True
            return
        self._job = self._services.jobs.call(read_room, workspace)
        self._job.succeeded.connect(self._on_room)
        self._job.failed.connect(self._on_failure)
        self._job.finished.connect(self._on_read)

    def select(self, study_id: int) -> None:
        """Look at a study."""
        self._over, self.selected = None, study_id
        self.page_changed.emit()

    def show_over(self, page: Literal["new", "people"]) -> None:
        """Show the page of a new study, or that of the raters, in place of the study."""
        if self._services.workspace.current is not None and self._services.profiles.now.is_owner:
            self._over = page
            self.page_changed.emit()

    def leave_over(self) -> None:
        """Back to the studies."""
        if self._over is not None:
            self._over = None
            self.page_changed.emit()

    def sit_down(self, session_id: int) -> None:
        """Begin to rate."""
        self.session = session_id
        self.page_changed.emit()

    def get_up(self) -> None:
        """The rater has left the rating screen; the counts are others now."""
        self.session = None
        self.page_changed.emit()
        self.look()

    def _on_room(self, room: RoomRead) -> None:
        if self.sender() is not self._job or self._job is None or self._job.is_cancelled:
            return
        self.room, self._is_read, self.error = room, True, None
        if self.study is None:
            self.selected = room.studies[0].id if room.studies else None
        self.room_changed.emit()
        self.page_changed.emit()
        self.trouble_changed.emit()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.error = error
        self.trouble_changed.emit()

    def _on_read(self) -> None:
        self._job = None
        if self._again:
            self._again = False
            self.look()

    def _on_workspace(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self.room, self.selected, self.session, self._over, self._is_read = RoomRead(), None, None, None, False
        self.room_changed.emit()
        self.page_changed.emit()
        self.look()

    def _on_profile(self) -> None:
        if not self._services.profiles.now.is_owner:
            self._over = None
        self.page_changed.emit()
