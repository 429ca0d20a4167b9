"""The state of a study being put together: what is chosen, what it would take, whether systems can be told apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.progress import Progress
from engine.query.selection import Selection
from gui.jobs import Job
from gui.rate.choices import Choices, How
from gui.rate.completing import Completing
from gui.rate.planning import Offer, answering, checked, created, flagged, listed, looked_up, planned
from gui.rate.wording import say
from gui.services import Services

if TYPE_CHECKING:
    from pathlib import Path

    from engine.rating.design import Known, StudyPlan
    from engine.rating.leaks import LeakReport
    from engine.store.raters import Rater

PLAN_AFTER_MS = 200


class NewStudy(QObject):
    """Holds the choices; plans them by a job whenever they change, checks for leaks and creates when asked to.

    Signals:
        offer_changed: there are other systems, raters or known answers to choose from.
        choices_changed: something else is chosen.
        plan_changed: ``plan``, ``is_planning`` or ``error`` is another.
        leaks_changed: ``leaks``, ``checking`` or ``leak_error`` is another.
        created: the id of the study that is stored now.
    """

    offer_changed, choices_changed, plan_changed, leaks_changed = Signal(), Signal(), Signal(), Signal()
    created = Signal(int)

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.offer, self.choices = Offer(), Choices(language=services.words.language)
        self.completing = Completing(services, self)
        self.plan: StudyPlan | None = None
        self.error: EngineError | None = None
        self.leaks: LeakReport | None = None
        self.leak_error: EngineError | None = None
        self.checking: Progress | None = None
        self.creating: Progress | None = None
        self._their_systems: frozenset[str] = frozenset()  # of the answers that were handed over
        self._asking_whose: Job | None = None
        self._looking: Job | None = None
        self._listing: Job | None = None
        self._planning: Job | None = None
        self._checking: Job | None = None
        self._creating: Job | None = None
        self._checks_next = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(PLAN_AFTER_MS)
        self._soon.timeout.connect(self._plan)
        services.workspace.changed.connect(self._on_workspace)

    @property
    def is_planning(self) -> bool:
        """Whether the plan is not known yet."""
        asking = (self._planning, self._looking, self._asking_whose)
        return self._soon.isActive() or any(job is not None for job in asking)

    @property
    def is_checking(self) -> bool:
        """Whether the leak check goes on."""
        return self._checking is not None

    @property
    def is_creating(self) -> bool:
        """Whether the study is being stored."""
        return self._creating is not None

    @property
    def can_create(self) -> bool:
        """Whether what is shown could be stored as it is."""
        return self.plan is not None and not self.is_planning and not self.is_creating and not self.is_checking

    def begin(self) -> None:
        """Read what there is to choose from; what was chosen stays."""
        workspace = self._services.workspace.current
        if workspace is not None and self._looking is None:
            self._looking = self._services.jobs.call(looked_up, workspace, pool="writing")  # the owner may be made
            self._looking.succeeded.connect(self._on_offer)
            self._looking.failed.connect(self._on_failure)
            self._looking.finished.connect(self._on_looked)
            self.completing.read()

    def take(self, selection: Selection) -> None:
        """Rate what was chosen elsewhere; certain answers are a choice by hand, a filter is drawn from."""
        by_hand = bool(selection.ids) and not selection.query
        self._their_systems = frozenset()
        how: How = "manual" if by_hand else "random"
        self.choose(chosen=selection, selection=how, filter="", added_random=0, systems=self.offer.usual)
        workspace = self._services.workspace.current
        if selection.ids and workspace is not None:
            self._asking_whose = self._services.jobs.call(answering, workspace, selection.ids)
            self._asking_whose.succeeded.connect(self._on_whose)
            self._asking_whose.finished.connect(self._on_whose_known)

    def let_go(self) -> None:
        """Draw from all answers again, of the systems that there usually are."""
        how = "random" if self.choices.is_by_hand else self.choices.selection
        self._their_systems = frozenset()
        self.choose(chosen=None, selection=how, systems=self.offer.usual)

    def take_like(self, design: dict[str, Any], items: int) -> None:
        """The same questions and raters with ``items`` drawn at random: what makes a hand-picked session count."""
        self.choices = Choices.like(design, self.choices, items)
        self.begin()
        self.choices_changed.emit()
        self.plan_soon()

    def choose(self, **choices: Any) -> None:
        """Choose otherwise, by the names of ``Choices``; what the leak check found holds no more."""
        self.choices = replace(self.choices, **choices)
        self._forget_leaks()
        self.choices_changed.emit()
        self.plan_soon()

    def add_rater(self, rater: Rater) -> None:
        """Somebody new rates too."""
        if all(known.id != rater.id for known in self.offer.raters):
            self.offer = replace(self.offer, raters=(*self.offer.raters, rater))
        self.offer_changed.emit()
        self.choose(raters=(*self.choices.raters, rater.id))

    def read_known(self, path: Path) -> None:
        """Take the answers of known rating that a file lists."""
        workspace = self._services.workspace.current
        if workspace is not None and self._listing is None:
            self._listing = self._services.jobs.call(listed, workspace, path)
            self._listing.succeeded.connect(self._on_listed)
            self._listing.failed.connect(self._on_failure)
            self._listing.finished.connect(self._on_listing_over)

    def plan_soon(self) -> None:
        """Plan anew when no other change follows."""
        self._soon.start()
        self.plan_changed.emit()

    def check_leaks(self) -> None:
        """See whether the systems can be told apart by something that is not rated."""
        workspace, plan = self._services.workspace.current, self.plan
        if workspace is None or plan is None or self._checking is not None:
            return
        self.leaks, self.leak_error, self.checking = None, None, Progress(0, 0)
        self._checking = self._services.jobs.run(checked(workspace, plan), "aside")
        self._checking.progressed.connect(self._on_check_progress)
        self._checking.succeeded.connect(self._on_checked)
        self._checking.failed.connect(self._on_check_failure)
        self._checking.finished.connect(self._on_check_over)
        self.leaks_changed.emit()

    def stop_check(self) -> None:
        """Do not wait for the check."""
        if self._checking is not None:
            self._checking.cancel()

    def even_out(self, **fixes: bool) -> None:
        """Apply ``trim`` or ``evens_level``, and check again once that is planned."""
        self.choose(**fixes)
        self._checks_next = True

    def flag_names(self, *, leave_out: bool) -> None:
        """Tag the answers in which a system is named; ``leave_out`` also leaves their questions out of the study."""
        workspace, report = self._services.workspace.current, self.leaks
        if workspace is None or report is None or not report.name_sayers:
            return
        names = report.saying_their_name
        job = self._services.jobs.call(flagged, workspace, names, say("leaks.tag"), pool="writing")
        job.succeeded.connect(self._services.workspace.content_changed)
        if leave_out:
            self.choose(without=self.choices.without | names)
            self._checks_next = True

    def take_back_in(self) -> None:
        """Draw from all questions again, those too in whose answers a system is named."""
        self.choose(without=frozenset())

    def create(self) -> None:
        """Store the study as it is planned; ``created`` follows."""
        workspace, plan = self._services.workspace.current, self.plan
        if workspace is None or plan is None or not self.can_create:
            return
        self._creating = self._services.jobs.run(created(workspace, plan, self.leaks), "aside")
        self._creating.progressed.connect(self._on_create_progress)
        self._creating.succeeded.connect(self._on_created)
        self._creating.failed.connect(self._on_failure)
        self._creating.finished.connect(self._on_create_over)
        self.plan_changed.emit()

    def _plan(self) -> None:
        workspace = self._services.workspace.current
        if self._planning is not None:
            self._planning.cancel()
            self._planning = None
        self.error = None
        design = self.choices.design(self.offer)
        if workspace is None or design is None:
            self.plan = None
            self.plan_changed.emit()
            return
        self._planning = job = self._services.jobs.run(planned(workspace, design))
        job.succeeded.connect(self._on_plan)
        job.failed.connect(self._on_failure)
        job.finished.connect(self._on_planned)

    def _forget_leaks(self) -> None:
        self.stop_check()
        self.leaks = self.leak_error = None
        self.leaks_changed.emit()

    def _on_whose(self, systems: frozenset[str]) -> None:
        if self.sender() is self._asking_whose and systems:
            self._their_systems = systems
            self.choose(systems=systems)

    def _on_whose_known(self) -> None:
        if self.sender() is self._asking_whose:
            self._asking_whose = None
            self.plan_changed.emit()

    def _on_offer(self, offer: Offer) -> None:
        is_first = not self.offer.systems
        self.offer = offer
        if is_first:
            self.choices = replace(self.choices, systems=self._their_systems or offer.usual)
        self.offer_changed.emit()
        self.plan_soon()

    def _on_listed(self, found: tuple[tuple[str, Known], ...]) -> None:
        self.choose(listed=found)

    def _on_listing_over(self) -> None:
        self._listing = None

    def _on_looked(self) -> None:
        self._looking = None
        self.plan_changed.emit()

    def _on_plan(self, plan: StudyPlan) -> None:
        if self.sender() is self._planning:
            self.plan = plan

    def _on_planned(self) -> None:
        if self.sender() is self._planning:
            self._planning = None
            self.plan_changed.emit()
            if self._checks_next and self.plan is not None:
                self._checks_next = False
                self.check_leaks()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        if self.sender() in (self._planning, self._looking, self._listing, self._creating):
            self.plan, self.error = None, error
            self.plan_changed.emit()

    def _on_check_progress(self, progress: Progress) -> None:
        self.checking = progress
        self.leaks_changed.emit()

    def _on_checked(self, report: LeakReport) -> None:
        if self.sender() is self._checking:
            self.leaks = report

    def _on_check_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.leak_error = error

    def _on_check_over(self) -> None:
        if self.sender() is self._checking:
            self._checking = self.checking = None
            self.leaks_changed.emit()
            self.plan_changed.emit()

    def _on_create_progress(self, progress: Progress) -> None:
        self.creating = progress
        self.plan_changed.emit()

    def _on_created(self, study_id: int) -> None:
        self._forget_leaks()
        self.choices = Choices(language=self._services.words.language, systems=self.offer.usual)
        self.plan = None
        self.choices_changed.emit()
        self.created.emit(study_id)

    def _on_create_over(self) -> None:
        self._creating = self.creating = None
        self.plan_changed.emit()

    def _on_workspace(self) -> None:
        self.offer, self.plan, self.error = Offer(), None, None
        self.choices = Choices(language=self._services.words.language)
        self._their_systems, self._asking_whose = frozenset(), None
        self._forget_leaks()
        self.offer_changed.emit()
        self.choices_changed.emit()
