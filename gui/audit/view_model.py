"""The state of the Audit screen: filter, order, method, the answers found, which one is chosen. No widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.query.complete import MOST_SUGGESTIONS, Suggestion
from engine.query.fields import Method
from engine.query.grammar import parse
from engine.query.presets import ALL, Preset
from engine.query.ranks import Ids, SortKey
from engine.query.selection import Selection
from engine.query.tree import fields_in
from engine.query.wording import Chip
from gui.audit.ahead import ReadAhead
from gui.audit.arrangement import Arrangement
from gui.audit.chosen import Runs, count_of, ids_at, runs_of
from gui.audit.columns import Sort
from gui.audit.counting import Counting
from gui.audit.filter_text import FilterText, is_readable, told
from gui.audit.reading import Found, Wanted
from gui.audit.row_reader import PAGES_AT_ONCE, RowReader
from gui.audit.rows_model import RowsModel
from gui.audit.saved_views import SavedViews, View
from gui.audit.search import Search
from gui.jobs import JobRunner
from gui.open_workspace import OpenWorkspace
from gui.orders import Orders
from gui.settings import Settings
from gui.strings import Words

WAIT_MS = 150  # after the last key of a filter
FRAME_MS = 20  # what was found is painted by then
MOST_EARLIER = 50  # filters remembered


class AuditViewModel(QObject):
    """Holds the table model; finds anew when filter, order, method or the store change, one search at a time.

    Signals:
        filter_changed: the terms are others now.
        error_changed: the EngineError of what is being typed, or None.
        found: other answers are in the table, or in another order.
        overview_changed: counts beside the tabs, or values for completion.
        order_changed: the order is another now.
        columns_changed: other columns are shown, or in another order.
        method_changed: ``published`` or ``corrected``.
        current_changed: the response id of the answer that is looked at, or None; told once the rows are painted where
            it came of what was found.
        chosen_changed: other answers are chosen, see ``chosen``.
        busy_changed: whether a search runs.
        emptiness_changed: what there is to show, see ``emptiness``.
    """

    filter_changed, found, overview_changed, order_changed = Signal(), Signal(), Signal(), Signal()
    method_changed, current_changed, error_changed = Signal(str), Signal(object), Signal(object)
    chosen_changed, columns_changed = Signal(), Signal()
    busy_changed = Signal(bool)
    emptiness_changed = Signal(str)

    def __init__(
        self,
        workspace: OpenWorkspace,
        jobs: JobRunner,
        settings: Settings,
        words: Words,
        parent: QObject | None = None,
        orders: Orders | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace, self._jobs, self._settings, self._words = workspace, jobs, settings, words
        self._orders = orders or Orders(workspace, jobs, settings, self)
        self.rows = RowsModel(words, self)
        self._arrangement = Arrangement(settings, self)
        self._search = Search(jobs, self)
        self._reader = RowReader(self.rows, workspace, jobs, self._arrangement, self)
        self._counting = Counting(workspace, jobs, self)
        self._ahead = ReadAhead(workspace, jobs, self._orders, self._arrangement, self)
        self.views = SavedViews(settings, self)
        self._text = FilterText(settings.get("audit_filter"), self._counting, words)
        self._looked_for = ""
        self._among: tuple[int, ...] | None = None
        self._current: int | None = None
        self._chosen: Runs = ()
        self._kept: Ids | None = None
        self._emptiness = ""
        self._counts_are_old = False
        self.elapsed_ms: float | None = None
        self.keeps_place = False  # what is found next are the same answers but for what was just done to them
        self._is_telling_found = False
        self._soon = self._timer(WAIT_MS, self._read_draft)
        self._tell_current_soon = self._timer(FRAME_MS, self._tell_current)
        self._wire()
        self._on_other_workspace()

    @property
    def method(self) -> Method:
        """Whose rules the figures follow."""
        return self._arrangement.method

    @property
    def sort(self) -> Sort:
        """Columns in order of weight, each with whether it descends."""
        return self._arrangement.sort

    @property
    def own_columns(self) -> tuple[str, ...]:
        """The columns that the user wants, in order."""
        return self._arrangement.own_columns

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns to show: those the user wants, and those that decide the order."""
        return self._arrangement.columns

    @property
    def draft(self) -> str:
        """What is being typed and is no term yet."""
        return self._text.draft

    @property
    def query(self) -> str:
        """The terms as one text."""
        return self._text.query

    @property
    def among_count(self) -> int | None:
        """Of how many answers another screen sent; None where all are looked at."""
        return None if self._among is None else len(self._among)

    @property
    def total(self) -> int | None:
        """All answers of the workspace; None until they are counted."""
        return self._counting.overview.counts.answers if self._counting.overview else None

    @property
    def preset_counts(self) -> dict[str, int]:
        """Answers by preset; empty until they are counted."""
        return self._counting.overview.presets if self._counting.overview else {}

    @property
    def view_counts(self) -> dict[View, int]:
        """Answers by saved view; those that are not counted yet are missing."""
        return self._counting.overview.views if self._counting.overview else {}

    @property
    def view(self) -> int | None:
        """Which saved view was opened and not left since."""
        return self.views.opened

    @property
    def view_is_changed(self) -> bool:
        """Whether filter, order, method or columns are others than the opened view's."""
        opened = self.views.opened
        return opened is not None and self._as_view(self.views[opened].name) != self.views[opened]

    @property
    def current(self) -> int | None:
        """The response id of the answer that is looked at."""
        return self._current

    @property
    def chosen(self) -> Selection:
        """What is to be done something with: the chosen answers, else the one looked at.

        A filter where the whole result is chosen, and more than one; else ids in the table's order. ``ids`` and
        ``query`` are both empty where all answers of the workspace are chosen: ask ``chosen_count`` for none.
        """
        if self.chosen_count > 1 and count_of(self._chosen) == len(self.rows.ids):
            return self.result
        return Selection(ids=tuple(self.chosen_ids.tolist()))

    @property
    def result(self) -> Selection:
        """All that the filter finds."""
        return Selection(self._text.whole, self._among or ())

    @property
    def chosen_ids(self) -> Ids:
        """The answers that are chosen, else the one looked at, in the table's order."""
        return self._chosen_ids()

    @property
    def chosen_count(self) -> int:
        """How many answers ``chosen`` are; 0 where there is none."""
        return max(count_of(self._chosen), int(self._current is not None))

    @property
    def emptiness(self) -> str:
        """``no_workspace``, ``no_answers``, ``nothing`` (matches), ``loading``, or "" where there are rows."""
        return self._emptiness

    @property
    def preset(self) -> Preset | None:
        """The preset, or part of one, whose filter this is; None while a saved view is open."""
        if self._text.draft or self._among is not None or self.views.opened is not None:
            return None
        query = self.query
        return next((preset for preset in ALL if told(preset.query) == query), None)

    def chips(self) -> tuple[Chip, ...]:
        """The terms, worded in the current language."""
        return self._text.chips()

    def suggest(self, text: str, cursor: int) -> list[Suggestion]:
        """What may be written at ``cursor``."""
        return self._text.suggest(text, cursor)

    def type(self, draft: str) -> None:
        """Take what is being typed; it is read when no key comes for a moment."""
        self._text.draft = draft
        self._soon.start()

    def commit(self) -> bool:
        """Make terms of what is typed; False, with its error told, where it cannot be read."""
        self._soon.stop()
        try:
            self._text.commit()
        except EngineError as error:
            self.error_changed.emit(error)
            return False
        self._remember()
        self._changed_filter()
        return True

    def earlier(self) -> list[str]:
        """Filters made before, the newest first, the one of now left out."""
        now, kept = self.query, self._settings.get("audit_filters")
        return [text for text in reversed(kept) if isinstance(text, str) and text != now][:MOST_SUGGESTIONS]

    def use_filter(self, query: str) -> None:
        """Take a whole filter; one that cannot be read is left to be typed right."""
        self._text.take(query)
        self._among = None
        if not self._text.draft:
            self._remember()
        self._changed_filter()

    def remove(self, place: int) -> None:
        """Take a term away."""
        self._text.remove(place)
        self._changed_filter()

    def reopen(self, place: int) -> str:
        """Take a term back to be typed; its text. What was being typed becomes a term if it can be read."""
        text = self._text.reopen(place)
        self._changed_filter()
        return text

    def clear(self) -> None:
        """All answers again."""
        self._text.take("")
        self._among = self.views.opened = None
        self._changed_filter()

    def leave_selection(self) -> None:
        """Look at all answers again, by the same filter."""
        self._among = None
        self._changed_filter()

    def choose_preset(self, preset: Preset) -> None:
        """Take over the filter and the order of a preset."""
        self._text.take(preset.query)
        self._among = self.views.opened = None
        self._take_order(preset.sort)
        self._changed_filter()

    def open_view(self, place: int) -> None:
        """Show what a saved view shows; a filter that cannot be read is left to be typed right."""
        view = self.views[place]
        self.views.opened, self._among = place, None
        self._text.take(view.query)
        self._arrangement.show_view(view.columns, view.sort)
        if view.method != self.method:
            self._settings.set("audit_method", view.method)
            self._counts_are_old = True
            self.method_changed.emit(view.method)
        self._changed_filter()

    def save_view(self, name: str) -> None:
        """Keep what is shown as a new view, which is open then; raises EngineError where the name does not do."""
        self.views.opened = self.views.put(self._as_view(name))
        self.filter_changed.emit()

    def save_view_again(self) -> None:
        """Let the opened view be what is shown now."""
        if self.views.opened is not None:
            self.views.put(self._as_view(self.views[self.views.opened].name), self.views.opened)
            self.filter_changed.emit()

    def delete_view(self, place: int) -> None:
        """Forget a view; what it showed stays."""
        self.views.delete(place)

    def move_view(self, place: int, to: int) -> None:
        """Let a view stand elsewhere."""
        self.views.move(place, to)

    def take(self, selection: Selection) -> None:
        """Show what another screen selected; a filter that cannot be read is left to be typed right."""
        self._among, self.views.opened = selection.ids or None, None
        self._text.take(selection.query)
        if selection.ids:
            self._take_order(())  # the order in which they were sent
        self._changed_filter()

    def use_method(self, method: str) -> None:
        """Follow other rules: rows, order and counts by method are read anew."""
        if method != self.method:
            self._settings.set("audit_method", method)
            self.method_changed.emit(method)
            self._counts_are_old = True
            self._find()

    def sort_by(self, column: str, *, add: bool = False) -> None:
        """Sort by a column, or turn its order round; ``add`` keeps the columns before it."""
        self._arrangement.sort_by(column, add=add)
        self._find()

    def show_columns(self, names: Sequence[str]) -> None:
        """Show these columns in this order, and remember it."""
        self._arrangement.show(names)

    def hide_column(self, name: str) -> None:
        """Show a column no longer, nor sort by it."""
        if self._arrangement.leave_out_of_order(name):
            self._find()
        self.show_columns([column for column in self.own_columns if column != name])

    def usual_columns(self) -> None:
        """Show the columns that ship, as wide and in the order as they ship."""
        self._arrangement.show_usual()

    def reread_tags(self) -> None:
        """Tags are others now: rows show them, and a filter that asks for them finds anew."""
        if "tag" in fields_in(parse(self._looked_for)):
            self._find()
            self.keeps_place = True
        else:
            self._reader.stop()  # what it reads may be from before
            self.rows.ask_again(PAGES_AT_ONCE)

    def offer_tags(self, names: tuple[str, ...]) -> None:
        """These tags are in use, and offered where a filter is typed."""
        if self._counting.overview is not None:
            self._counting.overview.facets.values["tag"] = names

    def choose(self, response_id: int | None) -> None:
        """Make an answer the one that is looked at."""
        if response_id == self._current:
            return
        self._current = response_id
        if self._is_telling_found:
            self._tell_current_soon.start()
        else:
            self._tell_current()

    def _tell_current(self) -> None:
        self._tell_current_soon.stop()
        self.current_changed.emit(self._current)

    def choose_rows(self, runs: Runs) -> None:
        """Take over which rows of the table are chosen."""
        if runs != self._chosen:
            self._chosen = runs
            self.chosen_changed.emit()

    def rows_to_keep(self) -> Runs:
        """The rows of the answers that were chosen before what was found last, as far as they are still there."""
        if self._kept is None or len(self._kept) < 2:
            return ()
        return runs_of(self.rows.ids, self._kept)

    def _chosen_ids(self) -> Ids:
        if count_of(self._chosen) > 1:
            return ids_at(self.rows.ids, self._chosen)
        return self.rows.ids[:0] if self._current is None else np.array([self._current], np.int64)

    def _as_view(self, name: str) -> View:
        return View(name, self._text.whole, self.sort, self.method, self.own_columns)

    def _on_other_views(self) -> None:
        if set(self.views.all()) - self.view_counts.keys():
            self._count()

    def _take_order(self, keys: tuple[SortKey, ...]) -> None:
        self._arrangement.take_order(keys)

    def _on_fields_added(self) -> None:
        self._reader.stop()
        self.rows.forget_rows()

    def _on_other_workspace(self) -> None:
        self._reader.stop()
        self._ahead.begin_anew()
        self._counting.forget()
        self._search.stop()
        self._current = None
        self.choose_rows(())
        self.rows.set_ids(self.rows.ids[:0])
        self.elapsed_ms = None
        self._tell_current()
        self.overview_changed.emit()
        self._on_new_content()

    def _on_new_content(self) -> None:
        if self._workspace.current is None:
            self._be("no_workspace")
            return
        if not len(self.rows.ids):
            self._be("loading")
        self._counts_are_old = True
        self._find()

    def _read_draft(self) -> None:
        if not is_readable(self._text.draft):
            self.error_changed.emit(self._text.trouble())
        elif self._text.whole != self._looked_for:
            self._changed_filter()
        else:
            self.error_changed.emit(None)

    def _remember(self) -> None:
        now = self.query
        if now:
            kept = [text for text in self._settings.get("audit_filters") if text != now]
            self._settings.set("audit_filters", [*kept, now][-MOST_EARLIER:])

    def _changed_filter(self) -> None:
        self._soon.stop()
        if self._among is None:
            self._settings.set("audit_filter", self.query)
        if self._among is None and not self._arrangement.keys:
            self._arrangement.take_kept_order()
        self.error_changed.emit(None)
        self.filter_changed.emit()
        self._find()

    def _find(self) -> None:
        self.keeps_place = False
        workspace = self._workspace.current
        if workspace is None:
            return
        self._looked_for = self._text.whole
        order, more = self._arrangement.keys, self._arrangement.fields
        wanted = Wanted(parse(self._looked_for), order, self.method, self._among, more, self._current)
        self._search.find(workspace, wanted, self._orders.ranks)

    def _on_found(self, found: Found, wanted: Wanted) -> None:
        self._reader.stop()
        self.elapsed_ms = found.elapsed_ms
        self._kept = self._chosen_ids()
        self.choose_rows(())
        self.rows.set_ids(found.ids)
        if wanted.more == self._arrangement.fields:
            for page, rows in found.pages.rows.items():
                self.rows.put_page(page, rows, found.pages.scales)
        self._be_what_there_is()
        self._is_telling_found = True
        self.found.emit()
        self._is_telling_found = False
        self._ahead.wait()
        if self._counts_are_old:  # rows first: both would read the same pages of the file at once
            self._counts_are_old = False
            self._count()

    def _count(self) -> None:
        self._counting.count(self.method, self.views.all())

    def _on_counted(self) -> None:
        self._ahead.wait()
        self._be_what_there_is()
        self.overview_changed.emit()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.error_changed.emit(error)

    def _be_what_there_is(self) -> None:
        if len(self.rows.ids):
            self._be("")
        elif self.total == 0:
            self._be("no_answers")
        elif not self._search.is_running:
            self._be("nothing" if self.total else "loading")

    def _be(self, emptiness: str) -> None:
        if emptiness != self._emptiness:
            self._emptiness = emptiness
            self.emptiness_changed.emit(emptiness)

    def _wire(self) -> None:
        self._search.found.connect(self._on_found)
        self._search.busy_changed.connect(self.busy_changed)
        self._arrangement.order_changed.connect(self.order_changed)
        self._arrangement.fields_added.connect(self._on_fields_added)
        self._arrangement.columns_changed.connect(self.columns_changed)
        self._counting.counted.connect(self._on_counted)
        self.views.changed.connect(self._on_other_views)
        for part in (self._search, self._reader, self._counting):
            part.failed.connect(self._on_failure)
        self._workspace.changed.connect(self._on_other_workspace)
        self._workspace.content_changed.connect(self._on_new_content)

    def _timer(self, wait_ms: int, act: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(wait_ms)
        timer.timeout.connect(act)
        return timer
