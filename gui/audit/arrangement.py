"""Which columns stand in the table, by which its rows are ordered and by whose rules, as the user keeps them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from engine.query.fields import Method
from engine.query.presets import PRESETS
from engine.query.ranks import SortKey
from gui.audit.columns import (
    Sort,
    clicked,
    known_columns,
    known_sort,
    sort_keys,
    sort_of,
    wanted_fields,
    with_sorted,
)
from gui.settings import Settings


class Arrangement(QObject):
    """Columns and order; the settings remember what the user chose.

    Signals:
        order_changed: the order is another now.
        fields_added: rows have to be read with fields that they came without; before ``columns_changed``.
        columns_changed: other columns are shown, or in another order.
    """

    order_changed, fields_added, columns_changed = Signal(), Signal(), Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.keys: tuple[SortKey, ...] = self._kept_keys()
        self._shown = self.columns

    @property
    def method(self) -> Method:
        """Whose rules the figures follow."""
        return "published" if self._settings.get("audit_method") == "published" else "corrected"

    @property
    def sort(self) -> Sort:
        """Columns in order of weight, each with whether it descends."""
        return sort_of(self.keys)

    @property
    def own_columns(self) -> tuple[str, ...]:
        """The columns that the user wants, in order."""
        return known_columns(self._settings.get("audit_order"))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns to show: those the user wants, and those that decide the order."""
        return with_sorted(self.own_columns, self.sort)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the columns need beside what every row has."""
        return wanted_fields(self._shown)

    def take_order(self, keys: tuple[SortKey, ...]) -> None:
        """Order by these for now; none leaves the rows in the order in which they were sent."""
        self.keys = keys
        self.order_changed.emit()
        self._show()

    def take_kept_order(self) -> None:
        """Order as the user last did."""
        self.take_order(self._kept_keys())

    def sort_by(self, column: str, *, add: bool = False) -> None:
        """Sort by a column, or turn its order round; ``add`` keeps the columns before it."""
        self.take_order(sort_keys(clicked(self.sort, column, add=add)))
        self._settings.set("audit_sort", [list(pair) for pair in self.sort])

    def show(self, names: Sequence[str]) -> None:
        """Show these columns in this order, and remember it."""
        self._settings.set("audit_order", list(known_columns(names)))
        self._show()

    def show_view(self, names: Sequence[str], sort: Sort) -> None:
        """Show the columns of a saved view in its order."""
        self._settings.set("audit_order", list(names))
        self.take_order(sort_keys(sort) or PRESETS[0].sort)

    def leave_out_of_order(self, name: str) -> bool:
        """Sort by a column no longer; False where nothing was sorted by it."""
        if name not in dict(self.sort):
            return False
        self.take_order(sort_keys(tuple(pair for pair in self.sort if pair[0] != name)) or PRESETS[0].sort)
        return True

    def show_usual(self) -> None:
        """Show the columns that ship, as wide and in the order as they ship."""
        self._settings.set("audit_columns", {})
        self._settings.set("audit_order", [])
        self._shown = ()  # widths are others now even where the columns are the same
        self._show()

    def _kept_keys(self) -> tuple[SortKey, ...]:
        return sort_keys(known_sort(self._settings.get("audit_sort"))) or PRESETS[0].sort

    def _show(self) -> None:
        before, self._shown = self._shown, self.columns
        if before != self._shown:
            if set(wanted_fields(self._shown)) - set(wanted_fields(before)):
                self.fields_added.emit()
            self.columns_changed.emit()
