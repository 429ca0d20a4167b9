"""The charts in the place of the table: made when first opened, with a button and a key of their own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QLayout, QSplitter, QStackedWidget

from gui.audit.acts import register
from gui.audit.detail.panel import DetailPanel
from gui.audit.table import Table
from gui.audit.view_model import AuditViewModel
from gui.services import Services
from gui.widgets import IconButton

if TYPE_CHECKING:
    from gui.audit.compare.charts_page import ChartsPage

_LEAST_CHARTS = 380
_LEAST_DETAIL = 226
_LEAST_BOTH = 480  # in less the charts have it all: they are heard through the transport


class ChartsRoom(QObject):
    """Made once by the screen; the page and pyqtgraph come with the first opening."""

    def __init__(
        self,
        services: Services,
        audit: AuditViewModel,
        detail: DetailPanel,
        table: Table,
        stack: QStackedWidget,
        splitter: QSplitter,
        tools: QLayout,
    ) -> None:
        super().__init__(stack)
        self._services, self._audit, self._detail = services, audit, detail
        self._table, self._stack, self._splitter = table, stack, splitter
        self.page: ChartsPage | None = None
        self._is_open = self._plays_next = False
        self._sizes: list[int] = []
        self._room_soon = QTimer(self)
        self._room_soon.setSingleShot(True)
        self._room_soon.setInterval(0)
        self._room_soon.timeout.connect(self._make_room)
        self.button = IconButton("chart-bar", checkable=True)
        self.button.clicked.connect(self.toggle)
        tools.addWidget(self.button)
        register(services.actions, {"charts": self.toggle})
        services.actions.changed.connect(self._retip)
        services.words.changed.connect(self._retip)
        services.player.loaded.connect(self._on_loaded)
        audit.emptiness_changed.connect(self._keep_page)
        splitter.installEventFilter(self)
        self._retip()

    @property
    def is_open(self) -> bool:
        """Whether the charts are in the place of the table."""
        return self._is_open

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A smaller window leaves the charts their room."""
        if self._is_open and event.type() == QEvent.Type.Resize:
            self._room_soon.start()
        return False

    def toggle(self) -> None:
        """Charts in the place of the table, or the table again."""
        if self._is_open:
            self.close()
        else:
            self.open()

    def open(self) -> None:
        """Show the charts of what the table found."""
        self._is_open = True
        self.button.setChecked(True)
        if self.page is not None:
            self._show_page()
            return
        loading = self._services.jobs.call(_load_page)  # a fifth of what Audit imports: not before it is wanted
        loading.succeeded.connect(self._on_page_loaded)

    def _show_page(self) -> None:
        if self._is_open and self.page is not None:
            self._stack.setCurrentWidget(self.page)
            self._make_room()
            self.page.enter()

    def close(self) -> None:
        """Show the table again."""
        if not self._is_open:
            return
        self._is_open = False
        self.button.setChecked(False)
        if self.page is None:  # it is still being loaded
            return
        self.page.leave()
        self._stack.setCurrentWidget(self._table)
        self._detail.show()
        if self._sizes:
            self._splitter.setSizes(self._sizes)
            self._sizes = []
        self._table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_page_loaded(self) -> None:
        if self._is_open and self.page is None:
            self.page = self._made()
            QTimer.singleShot(0, self, self._show_page)  # the plot is made when it is shown: not in the same turn

    def _made(self) -> ChartsPage:
        from gui.audit.compare.charts_page import ChartsPage
        from gui.audit.compare.charts_view_model import ChartsViewModel
        from gui.charts.warmth import warm

        services = self._services
        services.jobs.run(warm())
        model = ChartsViewModel(self._audit, services.workspace, services.jobs, services.settings, self)
        page = ChartsPage(model, services.jobs)
        page.table_wanted.connect(self.close)
        page.opened.connect(self._on_opened)
        self._stack.addWidget(page)
        return page

    def _make_room(self) -> None:
        """Charts need more height than a table: the detail gives what it can, or all where that is not enough."""
        if not self._is_open or self._splitter.orientation() is Qt.Orientation.Horizontal:
            return
        self._detail.setVisible(self._splitter.height() >= _LEAST_BOTH)
        sizes = self._splitter.sizes()
        if not self._detail.isVisibleTo(self._splitter) or sizes[0] >= _LEAST_CHARTS:
            return
        self._sizes = self._sizes or sizes
        detail = max(min(_LEAST_DETAIL, sizes[1]), sum(sizes) - _LEAST_CHARTS)
        self._splitter.setSizes([sum(sizes) - detail, detail])

    def _keep_page(self, emptiness: str) -> None:
        """The screen shows its table when there are rows again; here the charts stand in its place."""
        if self._is_open and self.page is not None and emptiness == "":
            self._stack.setCurrentWidget(self.page)

    def _on_opened(self, response_id: int) -> None:
        """Look at the answer of a point and hear it; a comparison would hold both systems against each other."""
        page = self.page
        if page is not None and page.model.now is not None:
            choice = page.model.now.choice
            self._detail.compare.model.prefer(tuple(dict.fromkeys((choice.first, choice.second))))
        if response_id == self._audit.current:
            self._services.player.seek(0.0, "answer")
            self._services.player.play()
            return
        self._plays_next = True
        place = self._audit.rows.place_of(response_id)
        if place is None:
            self._audit.choose(response_id)
        else:
            self._table.choose_row(place)

    def _on_loaded(self) -> None:
        if self._plays_next:
            self._plays_next = False
            self._services.player.play(None, "answer")

    def _retip(self) -> None:
        self.button.set_tip(self._services.words.text("audit.charts.button"))
        self.button.set_keys(self._services.actions.keys("audit.charts"))


def _load_page() -> None:
    """Import the page on a pool thread."""
    import_module("gui.audit.compare.charts_page")
