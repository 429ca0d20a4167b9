"""What the Audit screen reads, each as one function for a pool thread with a connection of its own."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from engine.errors import EngineError
from engine.progress import Progress
from engine.query.complete import Facets, read_facets
from engine.query.fields import Method
from engine.query.grammar import parse
from engine.query.ranks import Ids, Ranks, SortKey
from engine.query.rows import AuditRow, Counts, count, counts, preset_counts, rows_of, sorted_ids
from engine.query.tree import Term
from engine.store.workspace import Workspace
from gui.audit.saved_views import View


@dataclass(frozen=True, slots=True)
class Found:
    """The ids that pass a filter, in order, and how long that took."""

    ids: Ids
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class Pages:
    """Rows by page, and the highest score of each (benchmark, subset) among them."""

    rows: dict[int, list[AuditRow]]
    scales: dict[tuple[str, str], int | None]


@dataclass(frozen=True, slots=True)
class Overview:
    """What there is to look at: the numbers beside the tabs, and what completion offers."""

    counts: Counts
    presets: dict[str, int]
    views: dict[View, int]
    facets: Facets


def find(
    workspace: Workspace,
    tree: Term,
    sort: Sequence[SortKey],
    method: Method,
    ranks: Ranks,
    among: Sequence[int] | None,
) -> Found:
    """All answers that pass ``tree``, sorted."""
    with closing(workspace.connect()) as db:
        started = time.perf_counter()
        ids = sorted_ids(db, tree, sort, method, ranks=ranks, among=among)
        if among is not None and not sort:
            ids = in_order_of(ids, among)
        return Found(ids, (time.perf_counter() - started) * 1000)


def in_order_of(ids: Ids, wanted: Sequence[int]) -> Ids:
    """``ids`` in the order in which they are ``wanted``."""
    asked = np.asarray(wanted, np.int64)
    kept = asked[np.isin(asked, ids)]
    _, firsts = np.unique(kept, return_index=True)
    return kept[np.sort(firsts)]


def read_pages(
    workspace: Workspace, ids_by_page: dict[int, Sequence[int]], method: Method, more: Sequence[str] = ()
) -> Pages:
    """The rows of some pages, with the values of the fields ``more``."""
    from engine.scoring.scale import highest_score

    with closing(workspace.connect()) as db:
        rows = {page: rows_of(db, ids, method, more) for page, ids in ids_by_page.items()}
    places = {(row.benchmark, row.subset) for page in rows.values() for row in page}
    return Pages(rows, {place: highest_score(*place) for place in places})


def read_counts(workspace: Workspace) -> Counts:
    """How many answers there are, before anything slower is counted."""
    with closing(workspace.connect()) as db:
        return counts(db)


def read_overview(
    workspace: Workspace, method: Method, views: Sequence[View] = ()
) -> Generator[Progress, None, Overview]:
    """The numbers beside the tabs, then the values for completion."""
    with closing(workspace.connect()) as db:
        total = counts(db)
        yield Progress(0, 3)
        presets = preset_counts(db, method)
        yield Progress(1, 3)
        counted = {view: found for view in views if (found := _count(db, view)) is not None}
        yield Progress(2, 3)
        return Overview(total, presets, counted, read_facets(db))


def _count(db: sqlite3.Connection, view: View) -> int | None:
    try:
        return count(db, parse(view.query), view.method)
    except EngineError:  # a filter of another version; it is shown when the view is opened
        return None
