"""Views that the user saved: a filter with its order, method and columns under a name, kept in the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.query.fields import Method
from gui.audit.columns import Sort, known_columns, known_sort
from gui.settings import Settings

LONGEST_NAME = 60
MOST = 40


@dataclass(frozen=True, slots=True)
class View:
    """What the table shows, by name."""

    name: str
    query: str
    sort: Sort
    method: Method
    columns: tuple[str, ...]


class SavedViews(QObject):
    """The views in the user's order; ``opened`` is the place of the one that was opened and not left since.

    Signals:
        changed: there are others now, or they are called or stand otherwise.
    """

    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        kept = (_read(entry) for entry in settings.get("audit_views"))
        self._views = [view for view in kept if view is not None][:MOST]
        self.opened: int | None = None

    def __len__(self) -> int:
        return len(self._views)

    def __getitem__(self, place: int) -> View:
        return self._views[place]

    def all(self) -> tuple[View, ...]:
        """The views in order."""
        return tuple(self._views)

    def put(self, view: View, place: int | None = None) -> int:
        """Keep a view in place of the one at ``place``, else at the end; returns where it stands.

        Raises EngineError ``audit.view_without_name``, ``audit.view_name_taken``, ``audit.too_many_views``.
        """
        view = replace(view, name=self._checked(view.name, place))
        if place is None:
            if len(self._views) >= MOST:
                raise EngineError("audit.too_many_views", most=MOST)
            self._views.append(view)
            place = len(self._views) - 1
        else:
            self._views[place] = view
        self._keep()
        return place

    def rename(self, place: int, name: str) -> None:
        """Call a view otherwise; raises as ``put`` does."""
        self.put(replace(self._views[place], name=name), place)

    def delete(self, place: int) -> None:
        """Forget a view."""
        del self._views[place]
        if self.opened is not None:
            self.opened = None if self.opened == place else self.opened - (self.opened > place)
        self._keep()

    def move(self, place: int, to: int) -> None:
        """Let a view stand elsewhere; those between make room."""
        self._views.insert(to, self._views.pop(place))
        if self.opened is not None:
            order = list(range(len(self)))
            order.insert(to, order.pop(place))
            self.opened = order.index(self.opened)
        self._keep()

    def _checked(self, name: str, place: int | None) -> str:
        name = " ".join(name.split())[:LONGEST_NAME]
        if not name:
            raise EngineError("audit.view_without_name")
        others = (view.name.casefold() for number, view in enumerate(self._views) if number != place)
        if name.casefold() in others:
            raise EngineError("audit.view_name_taken", name=name)
        return name

    def _keep(self) -> None:
        self._settings.set("audit_views", [_written(view) for view in self._views])
        self.changed.emit()


def _written(view: View) -> dict[str, Any]:
    return {
        "name": view.name,
        "query": view.query,
        "sort": [list(pair) for pair in view.sort],
        "method": view.method,
        "columns": list(view.columns),
    }


def _read(entry: object) -> View | None:
    """A view as it was written down; None where it was not written by us."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str) or not entry["name"].strip():
        return None
    query, sort, columns = entry.get("query"), entry.get("sort"), entry.get("columns")
    return View(
        entry["name"][:LONGEST_NAME],
        query if isinstance(query, str) else "",
        known_sort(sort if isinstance(sort, list) else ()),
        "published" if entry.get("method") == "published" else "corrected",
        known_columns(columns if isinstance(columns, list) else ()),
    )
