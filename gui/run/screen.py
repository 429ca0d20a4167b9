"""The Run screen: the list of runs at the left, beside it the one that is looked at or one being put together."""

from __future__ import annotations

from collections.abc import Generator

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from engine.query.selection import Selection
from gui.charts import warm
from gui.run import wording
from gui.run.new_panel import NewPanel
from gui.run.new_run import NewRun
from gui.run.run_list import RunList
from gui.run.run_panel import RunPanel
from gui.run.view_model import RunViewModel
from gui.services import Services
from gui.theme import space, theme, width
from gui.widgets import Button, EmptyState, Hairline, InlineError, ScreenBar, label, scroll_area

_NARROW, _NARROW_LIST = 1000, 208


def make(services: Services) -> QWidget:
    """The screen, for the rail."""
    return RunScreen(services)


def build(services: Services) -> Generator[None, None, QWidget]:
    """The same in steps short enough for the GUI thread."""
    panel = RunPanel()
    yield
    return RunScreen(services, panel)


class RunScreen(QWidget):
    """Assembles the parts and says in words what the view-model holds."""

    def __init__(self, services: Services, panel: RunPanel | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.model, self.new = RunViewModel(services, self), NewRun(services, self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.bar = ScreenBar()
        self.list, self.panel = RunList(), panel or RunPanel()
        self._new_panel: NewPanel | None = None
        self._lay_out()
        self._add_actions()
        self._wire()
        self._retranslate()

    @property
    def new_panel(self) -> NewPanel:
        """Where a run is put together; made when it is first asked for."""
        if self._new_panel is None:
            self._new_panel = panel = NewPanel(self.new)
            panel.start_asked.connect(self._start)
            panel.left.connect(self.model.leave_new)
            panel.settings_asked.connect(self._go_to_settings)
            self._page_of["new"] = scroll_area(panel)
            self._pages.addWidget(self._page_of["new"])
            self._show_keys()
        return self._new_panel

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._side.setFixedWidth(width("run_list") if self.width() >= _NARROW else _NARROW_LIST)
        self._leaves.setVisible(self.width() >= _NARROW and self.model.going is not None)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface.window"))

    def _lay_out(self) -> None:
        self._leaves = label(tone="secondary", elide=True)
        self.stop_button, self.resume_button = Button(icon="stop"), Button(icon="play")
        self.new_button = Button(icon="plus", role="primary")
        for part in (self._leaves, self.stop_button, self.resume_button, self.new_button):
            self.bar.right.addWidget(part)
        self.error = InlineError()
        self._to_library, self._empty_new = Button(role="primary"), Button(icon="plus", role="primary")
        self._no_workspace = EmptyState(primary=self._to_library, icon="database")
        self._empty = EmptyState(primary=self._empty_new, icon="play-circle")
        self._pages = QStackedWidget()
        self._to_import = Button(role="primary")
        self._no_answers = EmptyState(primary=self._to_import, icon="tray")
        self._page_of = {
            "no_workspace": self._no_workspace, "no_answers": self._no_answers, "empty": self._empty,
            "run": scroll_area(self.panel),
        }  # fmt: skip
        for page in self._page_of.values():
            self._pages.addWidget(page)
        self._side = _Side(self.list)
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

    def _add_actions(self) -> None:
        add = self._services.actions.add
        add("run.new", "N", self._ask_for_new, screen="run", icon="plus")
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
        self.panel.log.copy_button.clicked.connect(self._copy_log)
        self.stop_button.clicked.connect(model.stop)
        self.resume_button.clicked.connect(model.resume)
        self.new_button.clicked.connect(self._ask_for_new)
        self._empty_new.clicked.connect(self._ask_for_new)
        self._to_library.clicked.connect(self._go_to_library)
        self._to_import.clicked.connect(self._go_to_library)
        self.new.choices_changed.connect(self._show_page)
        services.workspace.content_changed.connect(self._on_content)
        services.words.changed.connect(self._retranslate)
        services.actions.changed.connect(self._show_keys)

    def _ask_for_new(self) -> None:
        if self._services.workspace.current is not None:
            if self.new.chosen is not None:
                self.new.leave_chosen()
            self.new.read_choices()
            self.model.ask_for_new()

    def _start(self) -> None:
        request = self.new.request
        if self.model.page == "new" and request is not None and self.model.going is None:
            self.model.start(request)

    def _copy_log(self) -> None:
        self._services.say(wording.say("log.copied", count=self.panel.log.copy()))

    def _go_to_library(self) -> None:
        self._services.go("library")

    def _go_to_settings(self) -> None:
        self._services.go("settings")

    def _on_content(self) -> None:
        if self.model.page == "new":
            self.new.read_choices()

    def _show_runs(self) -> None:
        self.list.show_runs(self.model.runs, self.model.selected)

    def _show_page(self) -> None:
        page = self.model.page
        shown = "no_answers" if page in ("empty", "new") and self.new.is_empty else str(page)
        if shown == "new":
            self.new_panel.retranslate()
        is_new = self._pages.currentWidget() is not self._page_of[shown]
        self._pages.setCurrentWidget(self._page_of[shown])
        self._side.setVisible(page != "no_workspace" and (page != "empty" or bool(self.model.runs)))
        self._show_buttons()
        if shown == "new":
            self._show_plan()
            if is_new:
                self.new_panel.focus_first()

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

    def _show_troubles(self) -> None:
        may_ask = self.model.going is None and not self.model.is_starting
        language = self._services.words.language
        self.panel.show_troubles(self.model.troubles, self.model.state, may_ask, language)

    def _show_flipped(self) -> None:
        self.panel.flipped.show_flipped(self.model.flipped, self._services.words.language)

    def _show_plan(self) -> None:
        self._show_buttons()
        if self._new_panel is None or self.model.page != "new":
            return
        going = self.model.going
        self.new_panel.show_plan(self.model.is_starting, going is None)
        error = self._services.words.error(self.new.error) if self.new.error is not None else ""
        if going is not None:
            error = wording.say("error.another", run=going.run.id, process=going.sign.process)
        if error != self.new_panel.error.sentence():
            self.new_panel.error.say(error, tone="note" if going is not None else "error")

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
        self.new_button.setVisible(page in ("run", "empty") and not self.new.is_empty)
        self._leaves.setVisible(self.width() >= _NARROW and self.model.going is not None)

    def _show_keys(self) -> None:
        keys = self._services.actions.keys
        self.new_button.set_keys(keys("run.new") or None)
        if self._new_panel is not None:
            self._new_panel.start_button.set_keys(keys("run.start") or None)
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
        self._side.retranslate()
        if self._new_panel is not None:
            self._new_panel.retranslate()
        self.panel.log.retranslate()
        self._show_keys()
        self._show_page()
        self._show_state()
        self._show_plan()
        self._show_error()
        self._show_flipped()


class _Side(QWidget):
    """The list with a line at its right and a sentence at its foot."""

    def __init__(self, runs: RunList) -> None:
        super().__init__()
        self._foot = label("", "table", "secondary", wrap=True)
        self._foot.setContentsMargins(14, 11, 14, 11)
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(runs, 1)
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
