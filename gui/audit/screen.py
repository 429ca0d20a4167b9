"""The Audit screen: tabs, filter and table, assembled; the detail, the transport and the rest come after the rows."""

from __future__ import annotations

import base64
from collections.abc import Generator
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from engine.query.selection import Selection
from gui.audit.acts import expect
from gui.audit.completion import Completion, Steps
from gui.audit.filter_bar import FilterBar
from gui.audit.room_for import DetailRoom, TransportRoom
from gui.audit.table import Table
from gui.audit.tabs import Tabs
from gui.audit.view_model import AuditViewModel
from gui.audit.view_tabs import ViewTabs
from gui.services import Services
from gui.theme import height
from gui.widgets import Button, EmptyState, ScreenBar

if TYPE_CHECKING:
    from gui.audit.columns_panel import ColumnsPanel
    from gui.audit.compare.charts_room import ChartsRoom
    from gui.audit.correction.again import Again
    from gui.audit.detail.panel import DetailPanel
    from gui.audit.evidence.room import EvidenceRoom
    from gui.audit.transport import Transport

WORDS = ("audit", "query", "widgets")
SIDE_BY_SIDE_FROM = 2200  # LOOK: table left, detail right
DETAIL = 375  # leaves 13 rows of the table at 900, 8 at 768
KEEP_AFTER_MS = 300
AHEAD_AFTER_MS = 150  # an answer looked at so long is not just passed by
AFTER_ROWS_MS = 30  # the rest of the screen comes so long after a search, when its rows are painted
NO_ROWS_MS, LATEST_MS = 1000, 10_000  # where there is no workspace yet, and where a search does not end


def make(services: Services) -> QWidget:
    """The Audit screen, all of it."""
    model = _model(services)
    screen = AuditScreen(services, model, Table(model.rows, services.settings))
    screen.completion.finish()
    return screen


def build(services: Services) -> Generator[None, None, QWidget]:
    """The Audit screen as far as its first rows need it; what shows and plays an answer is made after them."""
    model = _model(services)
    yield  # the search begins
    table = Table(model.rows, services.settings)
    yield
    screen = AuditScreen(services, model, table)
    waits_ms = NO_ROWS_MS if model.emptiness == "no_workspace" else LATEST_MS
    screen.completion.begin_in(AFTER_ROWS_MS if model.rows.rowCount() else waits_ms)
    return screen


def _model(services: Services) -> AuditViewModel:
    return AuditViewModel(services.workspace, services.jobs, services.settings, services.words, orders=services.orders)


class AuditScreen(QWidget):
    """Lays out and wires; the view-model decides."""

    def __init__(self, services: Services, model: AuditViewModel, table: Table, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.model, self.table = model, table
        model.setParent(self)
        self.completion = Completion(services.jobs, services.actions, self._build_rest, self)
        self.bar = ScreenBar(bar_height="tab_bar")
        self.tabs = Tabs()
        self._views = ViewTabs(services, self.model, self.tabs, self)
        self._commands = Button(role="quiet", icon="command", size="button_small")
        self.filter = FilterBar(self.model)
        self._detail_room, self._transport_room = DetailRoom(), TransportRoom()
        self._nothing = self._empty_of("nothing")
        self._nothing.setAutoFillBackground(True)
        self._nothing.setBackgroundRole(QPalette.ColorRole.Base)
        self._stack = QStackedWidget()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self._pages = QStackedWidget()
        self._work = QWidget()
        self._blank = {name: self._empty_of(name) for name in ("no_workspace", "no_answers")}
        self._keep_soon = QTimer(self)
        self._keep_soon.setSingleShot(True)
        self._keep_soon.setInterval(KEEP_AFTER_MS)
        self._keep_soon.timeout.connect(self._keep_splitter)
        self._ahead_soon = QTimer(self)
        self._ahead_soon.setSingleShot(True)
        self._ahead_soon.setInterval(AHEAD_AFTER_MS)
        self._ahead_soon.timeout.connect(self._look_ahead)
        self._going = 1
        self._split_as = ""
        self._place = 0
        self._lay_out()
        self._wire()
        self._add_actions()
        self._retranslate()
        self._show_columns()
        self._show_emptiness(self.model.emptiness)
        if self.model.rows.rowCount():  # found while this was made
            self._keep_choice()

    @property
    def detail(self) -> DetailPanel:
        """The answer that is looked at; asked for before it came, it comes now."""
        return self.completion.finish().detail

    @property
    def transport(self) -> Transport:
        """What plays it."""
        return self.completion.finish().transport

    @property
    def evidence(self) -> EvidenceRoom:
        """What is said of answers, and taken out."""
        return self.completion.finish().evidence

    @property
    def charts(self) -> ChartsRoom:
        """The charts in the place of the table."""
        return self.completion.finish().charts

    @property
    def again(self) -> Again:
        """What sends chosen answers on."""
        return self.completion.finish().again

    @cached_property
    def columns(self) -> ColumnsPanel:
        """The panel in which columns are chosen, made when it is first wanted."""
        from gui.audit.columns_panel import ColumnsPanel

        made = ColumnsPanel(self)
        made.chosen.connect(self.model.show_columns)
        made.reset_asked.connect(self.model.usual_columns)
        return made

    def take(self, selection: Selection) -> None:
        """Show what another screen selected."""
        self.model.take(selection)
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Beside each other where the window is very wide; the splitter keeps its place for either."""
        super().resizeEvent(event)
        self._split(self.width() >= SIDE_BY_SIDE_FROM)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc that nothing else wanted clears the range and the loop."""
        parts = self.completion.parts
        if event.key() != Qt.Key.Key_Escape or parts is None or not parts.transport.acts.clear_range():
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        self.bar.left.addWidget(self.tabs, 1)
        self.bar.right.addWidget(self._commands)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self._nothing)
        self.splitter.setHandleWidth(3)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self._stack)
        self.splitter.addWidget(self._detail_room)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self._stack.setMinimumHeight(height("header") + 3 * height("row"))
        self._column = inner = QVBoxLayout(self._work)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.filter)
        inner.addWidget(self.splitter, 1)
        inner.addWidget(self._transport_room)
        self._pages.addWidget(self._work)
        for page in self._blank.values():
            self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self._pages, 1)
        self.setFocusProxy(self.table)

    def _wire(self) -> None:
        model = self.model
        model.order_changed.connect(self._show_order)
        model.columns_changed.connect(self._show_columns)
        self.filter.columns_asked.connect(self.choose_columns)
        self.table.header.arranged.connect(model.show_columns)
        self.table.header.hide_asked.connect(model.hide_column)
        self.table.header.columns_asked.connect(self.choose_columns)
        self.table.header.reset_asked.connect(model.usual_columns)
        model.emptiness_changed.connect(self._show_emptiness)
        model.found.connect(self._keep_choice)
        model.busy_changed.connect(self._on_busy)
        model.current_changed.connect(self._show_detail)
        model.method_changed.connect(self._show_detail)
        self.table.row_chosen.connect(self._on_row)
        self.table.rows_chosen.connect(model.choose_rows)
        self.table.opened.connect(self.focus_detail)
        self.table.header.sort_asked.connect(self._on_sort)
        self.filter.left_down.connect(self.focus_table)
        self.completion.completed.connect(self._on_completed)
        self.splitter.splitterMoved.connect(self._keep_soon.start)
        self._commands.clicked.connect(self._show_commands)
        self._services.words.changed.connect(self._retranslate)
        self._services.actions.changed.connect(self._show_keys)

    def _build_rest(self) -> Steps:
        from gui.audit.answer_parts import Places, build

        around = (self, self.table, self.filter, self._stack, self.splitter, self._column)
        return build(self._services, self.model, Places(*around, self._detail_room, self._transport_room))

    def _on_busy(self, is_busy: bool) -> None:
        if self.completion.is_due:
            self.completion.begin_in(LATEST_MS if is_busy else AFTER_ROWS_MS)

    def _on_completed(self) -> None:
        self.transport.previous_wanted.connect(self.previous_answer)
        self.transport.next_wanted.connect(self.next_answer)
        self._show_detail()

    def _add_actions(self) -> None:
        add = self._services.actions.add
        add("audit.filter", "Ctrl+F", self.filter.focus, screen="audit", icon="funnel")
        add("audit.clear_filter", "Ctrl+Shift+F", self.model.clear, screen="audit", icon="x-circle")
        add("audit.table", "Ctrl+T", self.focus_table, screen="audit", icon="table")
        add("audit.next", "Ctrl+Down", self.next_answer, screen="audit", icon="arrow-down")
        add("audit.previous", "Ctrl+Up", self.previous_answer, screen="audit", icon="arrow-up")
        add("audit.choose", ("X", "Ctrl+Space"), self.table.toggle_chosen, screen="audit", icon="check")
        add("audit.choose_all", "Ctrl+A", self.table.choose_all, screen="audit", icon="selection-all")
        add("audit.choose_one", "Ctrl+Shift+A", self.table.choose_one, screen="audit")
        add("audit.columns", "Ctrl+Shift+K", self.choose_columns, screen="audit", icon="columns")
        add("audit.method", "Ctrl+M", self.other_method, screen="audit", icon="swap")
        add("audit.next_tab", "Ctrl+PgDown", self.next_tab, screen="audit")
        add("audit.previous_tab", "Ctrl+PgUp", self.previous_tab, screen="audit")
        expect(self._services.actions, self.completion.do_then)

    def focus_table(self) -> None:
        """Put the keyboard into the table."""
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if self.table.currentIndex().row() < 0:
            self.table.step(0)

    def focus_detail(self) -> None:
        """Put the keyboard into the detail: the lanes, or what stands there where an answer has no sound."""
        if self.completion.parts is None:
            return
        places = (self.detail.lanes, *self.detail.findChildren(QAbstractScrollArea))
        for place in places:
            if place.isVisible() and place.focusPolicy() & Qt.FocusPolicy.TabFocus:
                place.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    def choose_columns(self) -> None:
        """Open the panel in which columns are chosen."""
        self.columns.open_for(self.filter.columns, self.model.own_columns, self.table.squeezed_out)

    def next_answer(self) -> None:
        """Choose the answer below."""
        self.table.step(1)

    def previous_answer(self) -> None:
        """Choose the answer above."""
        self.table.step(-1)

    def other_method(self) -> None:
        """Follow the rules of the other method."""
        self.model.use_method("corrected" if self.model.method == "published" else "published")

    def next_tab(self) -> None:
        """Choose the tab to the right."""
        self.tabs.step(1)

    def previous_tab(self) -> None:
        """Choose the tab to the left."""
        self.tabs.step(-1)

    def _on_row(self, place: int) -> None:
        self._going = -1 if 0 <= place < self._place else 1
        self._place = place if place >= 0 else self._place
        self.model.choose(int(self.model.rows.ids[place]) if place >= 0 else None)
        self._ahead_soon.start()

    def _look_ahead(self) -> None:
        """The answer that comes next in the direction of the last step is read while this one is looked at."""
        place = self.table.currentIndex().row() + self._going
        is_row = 0 <= place < len(self.model.rows.ids) and self.table.currentIndex().isValid()
        if is_row and self.completion.parts is not None:
            self.detail.model.look_ahead(int(self.model.rows.ids[place]))

    def _on_sort(self, column: str, add: bool) -> None:
        self.model.sort_by(column, add=add)

    def _keep_choice(self) -> None:
        """The chosen answer stays chosen where it is still among those found; else the first is, or the next one
        where a tag has just taken it away."""
        kept = None if self.model.current is None else self.model.rows.place_of(self.model.current)
        if self.model.rows.rowCount():
            runs = self.model.rows_to_keep()
            next_one = min(self._place, self.model.rows.rowCount() - 1) if self.model.keeps_place else 0
            self.table.choose_row(next_one if kept is None else kept)
            if runs and kept is not None:
                self.table.choose_runs(runs)
        else:
            self.model.choose(None)

    def _show_detail(self, *_: object) -> None:
        if self.completion.parts is not None:
            self.detail.show_response(self.model.current, self.model.method)

    def _show_order(self) -> None:
        self.table.header.set_sort(self.model.sort)

    def _show_columns(self) -> None:
        self.table.show_columns(self.model.columns, self.model.sort)
        if "columns" in self.__dict__ and self.columns.isVisible():
            self.columns.follow(self.model.own_columns, self.table.squeezed_out)

    def _show_emptiness(self, emptiness: str) -> None:
        blank = self._blank.get(emptiness)
        self._pages.setCurrentWidget(self._work if blank is None else blank)
        self._stack.setCurrentWidget(self._nothing if emptiness == "nothing" else self.table)
        self.tabs.setVisible(blank is None)

    def _show_commands(self) -> None:
        for action in self._services.actions:
            if action.id == "frame.palette":
                action.run()

    def _show_keys(self) -> None:
        keys = self._services.actions.keys
        self._commands.set_keys(keys("frame.palette"))
        self.filter.set_keys(keys("audit.filter"), keys("audit.columns"))

    def _empty_of(self, name: str) -> EmptyState:
        first, *others = _CHOICES[name]
        buttons = []
        for choice in (first, *others):
            button = Button(role="primary" if choice == first else "plain")
            button.setProperty("choice", choice)
            button.clicked.connect(self._on_choice)
            buttons.append(button)
        return EmptyState("", buttons[0], buttons[1:], icon="waves" if name != "nothing" else "funnel")

    def _on_choice(self) -> None:
        choice = str(self.sender().property("choice"))
        if choice == "clear":
            self.model.clear()
        elif choice == "edit":
            self.filter.focus()
        else:
            self._services.go(choice)

    def _retranslate(self) -> None:
        text = self._services.words.text
        self.bar.set_title(text("audit.tab.title"))
        self._commands.setText(text("audit.tab.commands"))
        for name, page in (*self._blank.items(), ("nothing", self._nothing)):
            page.set_sentence(text(f"audit.empty.{name}"))
            for button in page.findChildren(Button):
                button.setText(text(f"audit.empty.choice_{button.property('choice')}"))
        self._views.show()
        self._show_order()
        self._show_keys()

    def _split(self, is_wide: bool) -> None:
        name = "audit_wide" if is_wide else "audit"
        if name == self._split_as:
            return
        self._split_as = name
        self.splitter.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)
        kept = self._services.settings.get("splitters").get(name, "")
        if not (kept and self.splitter.restoreState(QByteArray(base64.b64decode(kept, validate=False)))):
            whole = self.width() if is_wide else self.height()
            detail = whole // 2 if is_wide else DETAIL
            self.splitter.setSizes([max(whole - detail, 1), detail])

    def _keep_splitter(self) -> None:
        state = base64.b64encode(bytes(self.splitter.saveState().data())).decode()
        kept = self._services.settings.get("splitters")
        self._services.settings.set("splitters", {**kept, self._split_as: state})


_CHOICES = {
    "no_workspace": ("library",),
    "no_answers": ("library", "run"),
    "nothing": ("clear", "edit"),
}
