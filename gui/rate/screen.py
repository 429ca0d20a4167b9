"""The Rate screen: for its owner the studies and the one looked at, for a rater what they are asked; the sitting."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.query.selection import Selection
from gui.charts import warm
from gui.choosing import Chooser, FileDialogs
from gui.rate.carrying import SUFFIXES, bundle_name, file_name
from gui.rate.new_page import NewPage
from gui.rate.new_study import NewStudy
from gui.rate.pages import Pages
from gui.rate.people import People
from gui.rate.quality_page import QualityPage
from gui.rate.results_model import ResultsModel
from gui.rate.results_page import ResultsPage
from gui.rate.side import Side
from gui.rate.sitting.keys import sitting_keys
from gui.rate.study_page import PARTS, Part, StudyPage
from gui.rate.study_work import StudyWork
from gui.rate.use_line import RANDOM_OFFERED
from gui.rate.view_model import RateViewModel
from gui.rate.warming import warmed
from gui.rate.wording import named, of, say
from gui.services import Services
from gui.theme import space, theme, width
from gui.widgets import Button, InlineError, ScreenBar, Segmented

if TYPE_CHECKING:
    from engine.store.raters import Rater
    from engine.store.studies import SessionRow

_NARROW, _NARROW_LIST = 1000, 208


def make(services: Services, chooser: Chooser | None = None) -> QWidget:
    """The screen, with the dialogs of the desktop unless others are given."""
    return RateScreen(services, chooser=chooser)


def build(services: Services) -> Generator[None, None, QWidget]:
    """The same in steps short enough for the GUI thread."""
    page = StudyPage()
    yield
    return RateScreen(services, page)


class RateScreen(QWidget):
    """Assembles the parts; the keys of the owner are not those of a rater."""

    def __init__(
        self,
        services: Services,
        study_page: StudyPage | None = None,
        chooser: Chooser | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._chooser = chooser if chooser is not None else FileDialogs(self)
        self.model, self.people = RateViewModel(services, self), People(services, self)
        self.new, self.work = NewStudy(services, self), StudyWork(services, self)
        self.results = ResultsModel(services, self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.bar = ScreenBar()
        self.side = Side()
        self.study = study_page or StudyPage()
        self._part: Part = "overview"
        self.pages = Pages(services, self.model, self.people, self.new, self.study)
        self._lay_out()
        self._add_actions()
        self._wire()
        self._retranslate()
        services.jobs.run(warmed(), "aside").succeeded.connect(self.pages.prepare)
        self.model.look()

    @property
    def new_page(self) -> NewPage:
        """Where a study is put together; made when it is first asked for."""
        return self.pages.new_page

    def take(self, selection: object) -> None:
        """Put together a study of what another screen selected."""
        if isinstance(selection, Selection) and self._services.workspace.current is not None:
            self.new.begin()
            self.new.take(selection)
            self.model.show_over("new")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._services.jobs.run(warm())
        self.model.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.side.setFixedWidth(width("run_list") if self.width() >= _NARROW else _NARROW_LIST)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface.window"))

    def _lay_out(self) -> None:
        self.parts = Segmented([(part, "") for part in PARTS], size="button")
        self.people_button, self.merge_button = Button(icon="users"), Button(icon="download-simple")
        self.new_button = Button(icon="plus", role="primary")
        self.cancel_button, self.create_button = Button(), Button(icon="check", role="primary")
        self.bar.left.addWidget(self.parts)
        buttons = (self.people_button, self.merge_button, self.new_button, self.cancel_button, self.create_button)
        for part in (self.parts, *buttons):
            part.hide()  # each page has its own; all of them at once would be wider than a small screen
        for part in buttons:
            self.bar.right.addWidget(part)
        self.error = InlineError()
        errors = QVBoxLayout()
        errors.setContentsMargins(space(3), space(3), space(3), 0)
        errors.addWidget(self.error)
        self._errors = QWidget()
        self._errors.setLayout(errors)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self._errors)
        right.addWidget(self.pages, 1)
        below = QHBoxLayout()
        below.setSpacing(0)
        below.addWidget(self.side)
        below.addLayout(right, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.bar)
        whole.addLayout(below, 1)

    def _add_actions(self) -> None:
        def add(name: str, keys: str, run: Callable[[], object], icon: str = "", in_palette: bool = True) -> None:
            self._services.actions.add(
                f"rate.{name}", keys, run, screen="rate", icon=icon, in_palette=in_palette, for_owner=True
            )

        add("new", "N", self._ask_for_new, "plus")
        add("people", "P", self._ask_for_people, "users")
        add("create", "Ctrl+Return", self._create, "check")
        add("check", "Ctrl+Shift+B", self._check, "eye-slash")
        add("merge", "Ctrl+Shift+G", self._merge, "download-simple")
        for place, part in enumerate(PARTS, start=1):
            add(part, f"Alt+{place}", _Shows(self, part), "")
        add("without", "W", self._leave_out)
        add("back", "Escape", self.model.leave_over, in_palette=False)

        sitting_keys(self._services.actions)  # Settings shows them before anybody sits down

    def _wire(self) -> None:
        model, services, overview = self.model, self._services, self.study.overview
        model.room_changed.connect(self._show_room)
        model.page_changed.connect(self._show_page)
        model.trouble_changed.connect(self._show_error)
        self.work.busy_changed.connect(self._show_busy)
        self.work.trouble_changed.connect(self._show_error)
        self.work.changed.connect(model.look)
        self.work.adjudicated.connect(model.select)
        self.people.added.connect(self._on_rater)
        self.people.trouble_changed.connect(self._show_error)
        self.new.created.connect(self._on_created)
        self.side.list.chosen.connect(model.select)
        self.pages.library_asked.connect(self._go_to_library)
        self.pages.new_asked.connect(self._ask_for_new)
        self.pages.known_asked.connect(self._ask_for_known)
        self.new_button.clicked.connect(self._ask_for_new)
        self.create_button.clicked.connect(self._create)
        self.cancel_button.clicked.connect(model.leave_over)
        self.new.plan_changed.connect(self._show_create)
        self.people_button.clicked.connect(self._ask_for_people)
        self.merge_button.clicked.connect(self._merge)
        self.parts.chosen.connect(self._show_part)
        overview.begun.connect(model.sit_down)
        overview.bundle_asked.connect(self._bundle)
        overview.random_asked.connect(self._add_random)
        overview.carry.bundles_asked.connect(self._bundles)
        overview.carry.stop_asked.connect(self.work.stop)
        overview.carry.merge_asked.connect(self._merge)
        overview.carry.methods_asked.connect(self._copy_methods)
        overview.carry.adjudicate_asked.connect(self._adjudicate)
        overview.carry.export_asked.connect(self._export)
        overview.letters.reveal_asked.connect(self._reveal)
        services.words.changed.connect(self._retranslate)
        services.actions.changed.connect(self._show_keys)

    # where the user goes

    def _ask_for_new(self) -> None:
        self.new.begin()
        self.model.show_over("new")

    def _ask_for_people(self) -> None:
        self.model.show_over("people")

    def _go_to_library(self) -> None:
        self._services.go("library")

    def show_part(self, part: Part) -> None:
        """Show the study as it stands, what came of it, or how its raters did."""
        if self.model.page == "study":
            self.parts.set_value(part)
            self._show_part(part)

    def _leave_out(self) -> None:
        if self.model.page == "study" and self._part == "results":
            self.results.leave_out()

    def _show_part(self, part: Part) -> None:
        self._part = part
        self._show_study()

    # what is done

    def _create(self) -> None:
        if self.model.page == "new":
            self.new.create()

    def _check(self) -> None:
        if self.model.page == "new":
            self.new.check_leaks()

    def _ask_for_known(self) -> None:
        self._chooser.file(say("choose.known"), _documents(), say("choose.tables"), self.new.read_known)

    def _on_created(self, study_id: int) -> None:
        self._services.say(say("said.created"))
        self.model.select(study_id)
        self.model.look()

    def _on_rater(self, rater: Rater) -> None:
        if self.model.page == "new":
            self.new.add_rater(rater)
        self.model.look()

    def _add_random(self) -> None:
        study = self.model.study
        if study is not None:
            self.new.take_like(study.design, RANDOM_OFFERED)
            self.model.show_over("new")

    def _bundle(self, session: SessionRow) -> None:
        start = _documents() / bundle_name(session.study_id, session.rater_name)
        title = say("choose.bundle", rater=named(session.rater_name))
        self._chooser.place(title, start, say("choose.zip"), _With(self.work.export_bundle, session))

    def _bundles(self) -> None:
        study = self.model.study
        if study is not None:
            sessions = self.model.room.sessions_of(study.id)
            self._chooser.folder(say("choose.bundles"), _documents(), _With(self.work.export_bundles, study, sessions))

    def _merge(self) -> None:
        if self._services.workspace.current is not None and not self.work.is_busy:
            self._chooser.file(say("choose.merge"), _documents(), say("choose.zip"), self.work.merge)

    def _export(self, form: str) -> None:
        study = self.model.study
        if study is None:
            return
        if form == "label_studio":
            then = _With(self.work.export_label_studio, study, self.model.room.sessions_of(study.id))
            self._chooser.folder(say("choose.label_studio"), _documents(), then)
            return
        start = _documents() / file_name(study.title, say("choose.ratings"), SUFFIXES[form])
        kinds = say("choose.file", suffix=SUFFIXES[form])
        self._chooser.place(say("choose.export"), start, kinds, _With(self.work.export, study, form))

    def _copy_methods(self) -> None:
        if self.model.study is not None:
            self.work.copy_methods(self.model.study)

    def _adjudicate(self) -> None:
        if self.model.study is not None:
            self.work.adjudicate(self.model.study)

    def _reveal(self, reason: str) -> None:
        if self.model.study is not None:
            self.work.reveal(self.model.study, reason)

    # what is shown

    def _show_room(self) -> None:
        chosen = None if self.model.page == "new" else self.model.selected  # the new one is none of them
        self.side.list.show_studies(self.model.room.studies, chosen)

    def _show_page(self) -> None:
        page = self.model.page
        self.pages.show_page()
        has_list = page not in ("no_workspace", "rater", "sitting") and bool(self.model.room.studies)
        self.side.setVisible(has_list)
        self.bar.setVisible(page != "sitting")
        self.parts.setVisible(page == "study")
        for button in (self.people_button, self.merge_button):
            button.setVisible(page in ("study", "empty"))
        self.new_button.setVisible(page == "study")
        for button in (self.cancel_button, self.create_button):
            button.setVisible(page == "new")
        self._show_create()
        self._show_room()
        self._show_study()
        self._show_error()

    def _show_create(self) -> None:
        creating = self.new.creating
        self.create_button.setEnabled(self.new.can_create)
        done = of(creating.done, creating.total) if creating is not None and creating.total else ""
        self.create_button.setText(say("new.creating", done=done) if done else say("new.create"))

    def _show_busy(self) -> None:
        """Work that goes on has the buttons that would begin other work wait."""
        self.merge_button.setEnabled(not self.work.is_busy)
        if self.model.page == "study" and self.model.study is not None:
            carry = self.study.overview.carry
            carry.show_state(self.model.study, self.work.is_busy)
            carry.show_progress(self.work.progress)
            self.study.overview.bundle_button.setEnabled(not self.work.is_busy)

    def _show_study(self) -> None:
        study = self.model.study
        if self.model.page != "study" or study is None:
            return
        sessions = self.model.room.sessions_of(study.id)
        self.study.overview.show_study(study, sessions, self.work.is_busy)
        self.study.overview.carry.show_fingerprint(self.work.fingerprint)
        self.study.overview.carry.show_progress(self.work.progress)
        if self._part != "overview":
            self._make_part()
            self.results.look(study, sessions)
        self.study.show_part(self._part)

    def _make_part(self) -> None:
        if not self.study.has(self._part):
            self.study.put(self._part, {"results": ResultsPage, "quality": QualityPage}[self._part](self.results))

    def _show_error(self) -> None:
        errors = (self.work.error, self.people.error, self.model.error)
        error = next((each for each in errors if each is not None), None)
        if self.model.page in ("people", "sitting"):
            error = None
        self.error.say(self._services.words.error(error) if error else "", code=error.code if error else "")
        self._errors.setVisible(error is not None)

    def _show_keys(self) -> None:
        keys = self._services.actions.keys
        self.new_button.set_keys(keys("rate.new") or None)
        self.create_button.set_keys(keys("rate.create") or None)
        self.people_button.set_tip(say("bar.people_tip") + _bracketed(keys("rate.people")))
        self.merge_button.set_tip(say("bar.merge_tip") + _bracketed(keys("rate.merge")))
        self.study.show_keys(keys)
        self.pages.show_keys(keys)

    def _retranslate(self) -> None:
        self.bar.set_title(say("title"))
        self.setAccessibleName(say("title"))
        self.parts.setAccessibleName(say("parts.name"))
        self.parts.set_texts([say(f"parts.{part}") for part in PARTS])
        self.people_button.setText(say("bar.people"))
        self.merge_button.setText(say("bar.merge"))
        self.new_button.setText(say("bar.new"))
        self.cancel_button.setText(say("new.cancel"))
        self.side.retranslate()
        self.study.retranslate()
        self.pages.retranslate()
        self._show_keys()
        self._show_page()


class _Shows:
    """Shows one part of a study: what its key runs."""

    def __init__(self, screen: RateScreen, part: Part) -> None:
        self._screen, self._part = screen, part

    def __call__(self) -> None:
        self._screen.show_part(self._part)


class _With:
    """Calls ``then`` with what was known when a dialog opened, and the path chosen in it."""

    def __init__(self, then: Callable[..., object], *known: object) -> None:
        self._then, self._known = then, known

    def __call__(self, path: Path) -> None:
        self._then(*self._known, path)


def _documents() -> Path:
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))


def _bracketed(keys: str) -> str:
    return f" ({keys})" if keys else ""
