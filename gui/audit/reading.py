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
from gui.audit.rows_model import PAGE
from gui.audit.saved_views import View


@dataclass(frozen=True, slots=True)
class Pages:
    """Rows by page, and the highest score of each (benchmark, subset) among them."""

    rows: dict[int, list[AuditRow]]
    scales: dict[tuple[str, str], int | None]


@dataclass(frozen=True, slots=True)
class Found:
    """The ids that pass a filter, in order, how long that took, and the rows that are looked at first."""

    ids: Ids
    elapsed_ms: float
    pages: Pages


@dataclass(frozen=True, slots=True)
class Overview:
    """What there is to look at: the numbers beside the tabs, and what completion offers."""

    counts: Counts
    presets: dict[str, int]
    views: dict[View, int]
    facets: Facets


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for, in which order, by whose rules; ``among`` only these answers, None for all.

    ``more`` are the fields that rows need beside. The page of ``current`` is read along, else the first one.
    """

    tree: Term
    sort: Sequence[SortKey]
    method: Method
    among: Sequence[int] | None
    more: tuple[str, ...]
    current: int | None


def find(workspace: Workspace, wanted: Wanted, ranks: Ranks) -> Found:
    """All answers that are wanted, in order, with the page that is looked at first."""
    with closing(workspace.connect()) as db:
        started = time.perf_counter()
        ids = sorted_ids(db, wanted.tree, wanted.sort, wanted.method, ranks=ranks, among=wanted.among)
        if wanted.among is not None and not wanted.sort:
            ids = in_order_of(ids, wanted.among)
        elapsed_ms = (time.perf_counter() - started) * 1000
        kept = np.flatnonzero(ids == wanted.current) if wanted.current is not None else ids[:0]
        page = int(kept[0]) // PAGE if len(kept) else 0
        first = {page: ids[page * PAGE : (page + 1) * PAGE].tolist()} if len(ids) else {}
        return Found(ids, elapsed_ms, _pages(db, first, wanted.method, wanted.more))


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
    with closing(workspace.connect()) as db:
        return _pages(db, ids_by_page, method, more)


def _pages(db: sqlite3.Connection, ids_by_page: dict[int, Sequence[int]], method: Method, more: Sequence[str]) -> Pages:
    from engine.scoring.scale import highest_score

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


def read_ahead(workspace: Workspace, key: SortKey, method: Method, ranks: Ranks) -> None:
    """A column by which a ready filter sorts, so that the first click on one need not wait for it."""
    with closing(workspace.connect()) as db:
        ranks.read(db, (key,), method)


def _count(db: sqlite3.Connection, view: View) -> int | None:
    try:
        return count(db, parse(view.query), view.method)
    except EngineError:  # a filter of another version; it is shown when the view is opened
        return None
