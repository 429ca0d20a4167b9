"""The Run screen: the list of runs at the left, beside it the one that is looked at or one being put together."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from engine.query.selection import Selection
from gui.charts import warm
from gui.run import wording
from gui.run.ahead import Ahead
from gui.run.ask_panel import AskPanel
from gui.run.ask_run import AskRun
from gui.run.gpu_watch import GpuWatch
from gui.run.head import RunHead
from gui.run.new_panel import NewPanel, made_panel
from gui.run.new_run import NewRun
from gui.run.run_list import RunList
from gui.run.run_panel import RunPanel
from gui.run.systems_model import SystemsModel
from gui.run.systems_page import SystemsPage
from gui.run.view_model import RunViewModel
from gui.run.waiting_list import WaitingList
from gui.services import Services
from gui.theme import space, theme, width
from gui.widgets import Button, EmptyState, Hairline, InlineError, ScreenBar, Segmented, label, scroll_area

if TYPE_CHECKING:
    from engine.store.failures import Trouble

_NARROW, _NARROW_LIST = 1000, 208
_BELOW = ("no_workspace", "no_answers", "empty", "run")  # the other pages lie over these


def make(services: Services) -> QWidget:
    """The screen, for the rail."""
    return RunScreen(services)


def build(services: Services) -> Generator[None, None, QWidget]:
    """The same in steps short enough for the GUI thread."""
    head = RunHead()
    yield
    panel = RunPanel(head)
    yield
    return RunScreen(services, panel)


class RunScreen(QWidget):
    """Assembles the parts and says in words what the view-model holds."""

    def __init__(self, services: Services, panel: RunPanel | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.model, self.new = RunViewModel(services, self), NewRun(services, self)
        self.ask, self.systems = AskRun(services, self), SystemsModel(services, self)
        self._gpus = GpuWatch(services, self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.bar = ScreenBar()
        self.list, self.panel = RunList(), panel or RunPanel()
        self._over = Ahead({"new": self._make_new(), "ask": self._make_ask(), "systems": self._make_systems()}, self)
        self._lay_out()
        self._add_actions()
        self._wire()
        self._retranslate()

    @property
    def new_panel(self) -> NewPanel:
        """Where a run is put together."""
        return cast(NewPanel, self._over.now("new"))

    @property
    def ask_panel(self) -> AskPanel:
        """Where a run that asks a system is put together."""
        return cast(AskPanel, self._over.now("ask"))

    @property
    def systems_page(self) -> SystemsPage:
        """What systems there are."""
        return cast(SystemsPage, self._over.now("systems"))

    def take(self, selection: object) -> None:
        """Put together a run about what another screen selected."""
        if isinstance(selection, Selection) and self._services.workspace.current is not None:
            self.new.take(selection)
            self.model.ask_for_new()
            self.new_panel.focus_start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._services.jobs.run(warm())
        self.model.look()
        self.new.read_choices()
        self.ask.read_choices()
        self._watch_gpus()
        self._over.begin()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._gpus.watch(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._side.setFixedWidth(width("run_list") if self.width() >= _NARROW else _NARROW_LIST)
        self._leaves.setVisible(self.width() >= _NARROW and self.model.going is not None)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface.window"))

    def _lay_out(self) -> None:
        self._leaves = label(tone="secondary", elide=True)
        self.stop_button, self.resume_button = Button(icon="stop"), Button(icon="play")
        self.requeue_button, self.systems_button = Button(icon="repeat"), Button(icon="stack")
        self.new_button = Button(icon="plus", role="primary")
        self.kind = Segmented([("new", ""), ("ask", "")])
        self.bar.left.addWidget(self.kind)
        buttons = (self.stop_button, self.resume_button, self.requeue_button, self.systems_button, self.new_button)
        for part in (self._leaves, *buttons):
            self.bar.right.addWidget(part)
        self.error = InlineError()
        self._to_library, self._empty_new = Button(role="primary"), Button(icon="plus", role="primary")
        self._no_workspace = EmptyState(primary=self._to_library, icon="database")
        self._empty_ask = Button(icon="play")
        self._empty = EmptyState(primary=self._empty_new, others=(self._empty_ask,), icon="play-circle")
        self._pages = QStackedWidget()
        self._to_import = Button(role="primary")
        self._ask_first = Button(icon="play")
        self._no_answers = EmptyState(primary=self._to_import, others=(self._ask_first,), icon="tray")
        self._page_of = {
            "no_workspace": self._no_workspace, "no_answers": self._no_answers, "empty": self._empty,
            "run": scroll_area(self.panel),
        }  # fmt: skip
        for page in self._page_of.values():
            self._pages.addWidget(page)
        self.waiting = WaitingList()
        self._side = _Side(self.list, self.waiting)
        errors = QVBoxLayout()
        errors.setContentsMargins(space(3), space(3), space(3), 0)
        errors.addWidget(self.error)
        self._errors = QWidget()
        self._errors.setLayout(errors)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self._errors)
        right.addWidget(self._pages, 1)
        below = QHBoxLayout()
        below.setSpacing(0)
        below.addWidget(self._side)
        below.addLayout(right, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.bar)
        whole.addLayout(below, 1)

    def _make_new(self) -> Generator[None, None, NewPanel]:
        panel = yield from made_panel(self.new)
        panel.start_asked.connect(self._start)
        panel.left.connect(self.model.leave_new)
        panel.settings_asked.connect(self._go_to_settings)
        yield from self._put("new", panel)
        return panel

    def _make_ask(self) -> Generator[None, None, AskPanel]:
        panel = AskPanel(self.ask)
        panel.start_asked.connect(self._start)
        panel.left.connect(self.model.leave_new)
        yield from self._put("ask", panel)
        return panel

    def _make_systems(self) -> Generator[None, None, SystemsPage]:
        page = SystemsPage(self.systems)
        page.left.connect(self.model.leave_new)
        page.ask_asked.connect(self._ask_system)
        yield from self._put("systems", page)
        return page

    def _put(self, name: str, page: QWidget) -> Generator[None, None, None]:
        yield
        area = scroll_area(page)
        yield
        self._page_of[name] = area
        self._pages.addWidget(area)
        yield

    def _add_actions(self) -> None:
        add = self._services.actions.add
        add("run.new", "N", self._ask_for_new, screen="run", icon="plus")
        add("run.ask", "Shift+N", self._show_ask, screen="run", icon="play")
        add("run.systems", "Shift+S", self._show_systems, screen="run", icon="stack")
        add("run.start", "Ctrl+Return", self._start, screen="run", icon="play")
        add("run.back", "Escape", self.model.leave_new, screen="run", in_palette=False)
        add("run.stop", "Ctrl+.", self.model.stop, screen="run", icon="stop")
        add("run.resume", "R", self.model.resume, screen="run", icon="play")
        add("run.copy_log", "Ctrl+Shift+C", self._copy_log, screen="run", icon="copy")

    def _wire(self) -> None:
        model, services = self.model, self._services
        model.runs_changed.connect(self._show_runs)
        model.page_changed.connect(self._show_page)
        model.state_changed.connect(self._show_state)
        model.troubles_changed.connect(self._show_troubles)
        model.busy_changed.connect(self._show_plan)
        model.trouble_changed.connect(self._show_error)
        self.new.plan_changed.connect(self._show_plan)
        self.list.chosen.connect(model.select)
        self.panel.open_asked.connect(model.open_in_audit)
        self.panel.again_asked.connect(model.ask_again)
        self.panel.flipped.open_asked.connect(model.open_flipped)
        self.panel.flipped.count_asked.connect(model.let_count)
        model.flipped_changed.connect(self._show_flipped)
        model.waiting_changed.connect(self._show_waiting)
        model.worker_words_changed.connect(self._show_worker_words)
        self.panel.log_asked.connect(self._show_kind)
        self.panel.log.workers_asked.connect(model.read_worker_words)
        self.waiting.sooner_asked.connect(model.sooner)
        self.waiting.leave_asked.connect(model.leave_waiting)
        self.waiting.begin_asked.connect(model.begin_waiting)
        self._gpus.changed.connect(self._show_gpus)
        self.ask.plan_changed.connect(self._show_plan)
        self.ask.choices_changed.connect(self._show_page)
        self.kind.chosen.connect(self._on_kind)
        self.requeue_button.clicked.connect(model.requeue)
        self.systems_button.clicked.connect(self._show_systems)
        for button in (self._ask_first, self._empty_ask):
            button.clicked.connect(self._show_ask)
        self.panel.log.copy_button.clicked.connect(self._copy_log)
        self.stop_button.clicked.connect(model.stop)
        self.resume_button.clicked.connect(model.resume)
        self.new_button.clicked.connect(self._ask_for_new)
        self._empty_new.clicked.connect(self._ask_for_new)
        self._to_library.clicked.connect(self._go_to_library)
        self._to_import.clicked.connect(self._go_to_library)
        self.new.choices_changed.connect(self._show_page)
        self._over.made.connect(self._on_made)
        services.workspace.content_changed.connect(self._on_content)
        services.words.changed.connect(self._retranslate)
        services.actions.changed.connect(self._show_keys)

    def _ask_for_new(self) -> None:
        if self._services.workspace.current is not None:
            if self.new.chosen is not None:
                self.new.leave_chosen()
            self.new.read_choices()
            self.model.ask_for_new()

    def _show_ask(self) -> None:
        if self._services.workspace.current is not None:
            self.ask.read_choices()
            self.model.ask_for("ask")

    def _show_systems(self) -> None:
        if self._services.workspace.current is not None:
            self.systems.read()
            self.model.ask_for("systems")

    def _ask_system(self, system_id: str) -> None:
        self.ask.choose(system=system_id)
        self._show_ask()

    def _on_kind(self, kind: object) -> None:
        if kind == "ask":
            self._show_ask()
        else:
            self._ask_for_new()

    def _start(self) -> None:
        page = self.model.page
        panel = self._over.get(page)
        request = self.new.request if page == "new" else self.ask.request
        if isinstance(panel, NewPanel | AskPanel) and request is not None and panel.start_button.isEnabled():
            self.model.start(request)

    def _show_kind(self, trouble: Trouble) -> None:
        self.panel.log.show_kind(trouble.code)

    def _copy_log(self) -> None:
        self._services.say(wording.say("log.copied", count=self.panel.log.copy()))

    def _go_to_library(self) -> None:
        self._services.go("library")

    def _go_to_settings(self) -> None:
        self._services.go("settings")

    def _on_content(self) -> None:
        if self.model.page == "new":
            self.new.read_choices()
        if self.model.page == "ask":
            self.ask.plan_soon()

    def _show_runs(self) -> None:
        self.list.show_runs(self.model.runs, self.model.selected)

    def _show_page(self) -> None:
        page = self.model.page
        shown = "no_answers" if page in ("empty", "new") and self.new.is_empty else str(page)
        if shown == "ask" and self.ask.is_empty:
            shown = "no_answers"
        is_there = shown in _BELOW or self._over.get(shown) is not None
        is_new = is_there and self._pages.currentWidget() is not self._page_of[shown]
        if is_new:
            self._pages.setCurrentWidget(self._page_of[shown])
        elif not is_there:
            self._over.want(shown)  # it is shown when it is made
        self._side.setVisible(page != "no_workspace" and (page != "empty" or bool(self.model.runs)))
        self._show_buttons()
        if shown in ("new", "ask"):
            self.kind.set_value(shown)
            self._show_plan()
        if is_new:
            self._focus_first(shown)

    def _on_made(self, name: str) -> None:
        self._show_keys()
        if name == self.model.page:
            self._show_page()

    def _focus_first(self, shown: str) -> None:
        """Begin where a page that is put together begins."""
        if shown == "new":
            self.new_panel.focus_first()
        elif shown == "ask":
            self.ask_panel.focus_first()
        elif shown == "systems":
            self.systems_page.focus_first()

    def _show_state(self) -> None:
        state = self.model.state
        if state is not None:
            self.panel.show_run(state)
        self.panel.setVisible(state is not None)
        going = self.model.going
        if going is not None:
            self.list.runs.set_left(going.run.id, wording.left(going.left_s))
        self._show_runs()
        self._show_troubles()
        self._show_buttons()
        self._show_waiting()
        self._watch_gpus()
        if self.panel.log.shows_workers and going is not None:
            self.model.read_worker_words()

    def _show_waiting(self) -> None:
        may_begin = self.model.going is None and not self.model.is_starting
        self.waiting.show_waiting(self.model.waiting, may_begin)

    def _show_worker_words(self) -> None:
        self.panel.log.show_workers(self.model.worker_words)

    def _watch_gpus(self) -> None:
        state = self.model.state
        wanted = self.isVisible() and state is not None and state.is_going and bool(state.workers)
        self._gpus.watch(wanted)
        self.panel.workers.show_gpus(self._gpus.use if wanted else None)

    def _show_gpus(self) -> None:
        self.panel.workers.show_gpus(self._gpus.use)

    def _show_troubles(self) -> None:
        may_ask = self.model.going is None and not self.model.is_starting
        language = self._services.words.language
        self.panel.show_troubles(self.model.troubles, self.model.state, may_ask, language)

    def _show_flipped(self) -> None:
        self.panel.flipped.show_flipped(self.model.flipped, self._services.words.language)

    def _show_plan(self) -> None:
        self._show_buttons()
        page, going = self.model.page, self.model.going
        panel = self._over.get(page)
        if not isinstance(panel, NewPanel | AskPanel):
            return
        panel.show_plan(self.model.is_starting, self.model.is_next)
        found = self.new.error if page == "new" else self.ask.counted.error
        error = self._services.words.error(found) if found is not None else ""
        is_note = not error and not self.model.is_next
        if is_note:
            key = "error.another" if going is not None else "error.others_wait"
            run, process = (going.run.id, going.sign.process) if going is not None else ("", "")
            error = wording.say(key, run=run, process=process)
        if error != panel.error.sentence():
            panel.error.say(error, tone="note" if is_note else "error")

    def _show_error(self) -> None:
        error = self.model.error
        self.error.say(self._services.words.error(error) if error else "", code=error.code if error else "")
        self._errors.setVisible(error is not None)

    def _show_buttons(self) -> None:
        state, page = self.model.state, self.model.page
        is_run = page == "run" and state is not None
        number = state.run.id if state is not None else 0
        is_stopping = state is not None and state.state == "stopping"
        self.stop_button.setVisible(is_run and state is not None and state.is_going)
        self.stop_button.setEnabled(self.model.can_stop)
        self.stop_button.setText(wording.say("bar.stopping" if is_stopping else "bar.stop", run=number))
        self.resume_button.setVisible(is_run and self.model.can_resume)
        self.resume_button.setText(wording.say("bar.resume", run=number))
        self.requeue_button.setVisible(is_run and self.model.can_requeue and not self.model.can_resume)
        self.systems_button.setVisible(page in ("run", "empty", "new", "ask"))
        self.kind.setVisible(page in ("new", "ask"))
        self.new_button.setVisible(page in ("run", "empty") and not self.new.is_empty)
        self._leaves.setVisible(self.width() >= _NARROW and self.model.going is not None)

    def _show_keys(self) -> None:
        keys = self._services.actions.keys
        self.new_button.set_keys(keys("run.new") or None)
        for panel in self._over:
            if isinstance(panel, NewPanel | AskPanel):
                panel.start_button.set_keys(keys("run.start") or None)
        self.systems_button.set_tip(wording.say("bar.systems_tip") + _bracketed(keys("run.systems")))
        self.requeue_button.set_tip(wording.say("bar.requeue_tip"))
        self.stop_button.set_tip(wording.say("bar.stop_tip") + _bracketed(keys("run.stop")))
        self.resume_button.set_tip(wording.say("bar.resume_tip") + _bracketed(keys("run.resume")))
        self.panel.log.copy_button.set_tip(wording.say("log.copy_tip") + _bracketed(keys("run.copy_log")))

    def _retranslate(self) -> None:
        say = wording.say
        self.bar.set_title(say("title"))
        self.setAccessibleName(say("title"))
        self._leaves.setText(say("bar.leaves"))
        self.new_button.setText(say("bar.new"))
        self._empty_new.setText(say("bar.new"))
        self._to_library.setText(say("empty.to_library"))
        self._no_workspace.set_sentence(say("empty.no_workspace"))
        self._empty.set_sentence(say("empty.no_run"))
        self._no_answers.set_sentence(say("empty.no_answers"))
        self._to_import.setText(say("empty.to_library"))
        for button in (self._ask_first, self._empty_ask):
            button.setText(say("bar.ask"))
            button.set_tip(say("bar.ask_tip"))
        self.systems_button.setText(say("bar.systems"))
        self.requeue_button.setText(say("bar.requeue"))
        self.kind.set_texts([say("bar.work"), say("bar.ask")], [say("bar.work_tip"), say("bar.ask_tip")])
        self.kind.setAccessibleName(say("bar.kind"))
        self._side.retranslate()
        for panel in self._over:
            panel.retranslate()  # type: ignore[attr-defined]  # each of them has it
        self.panel.log.retranslate()
        self._show_keys()
        self._show_page()
        self._show_state()
        self._show_plan()
        self._show_error()
        self._show_flipped()


class _Side(QWidget):
    """The list with a line at its right and a sentence at its foot."""

    def __init__(self, runs: RunList, waiting: WaitingList) -> None:
        super().__init__()
        self._foot = label("", "table", "secondary", wrap=True)
        self._foot.setContentsMargins(14, 11, 14, 11)
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(runs, 1)
        column.addWidget(waiting)
        column.addWidget(Hairline())
        foot = QVBoxLayout()
        foot.setContentsMargins(14, 10, 14, 10)
        foot.addWidget(self._foot)
        self._foot.setContentsMargins(0, 0, 0, 0)
        column.addLayout(foot)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(column, 1)
        row.addWidget(Hairline(vertical=True))

    def retranslate(self) -> None:
        self._foot.setText(wording.say("list.foot"))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface.panel"))


def _bracketed(keys: str) -> str:
    return f" ({keys})" if keys else ""
