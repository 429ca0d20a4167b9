"""How fast answers are found among 168,225: 15 systems x 11,215 made answers."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

import numpy as np

from engine.query.grammar import parse
from engine.query.ranks import Ranks, SortKey
from engine.query.rows import rows_of, sorted_ids
from engine.store.workspace import Workspace
from tests.bench import Figure, figure
from tests.tools.large_workspace import large_workspace

_PAGE = 200
_FILTERS = (
    "", "error>0.05", "error>0.05 OR mismatch:*", "verdict:right speech:wrong", "is:flipped", "is:other_script",
    "system:system-0* (per>0.05 OR state:failed,unscored) -tag:seen", "rtf>1 OR first>3", "emotion:sad",
    "faults:silent,truncated OR silent>=0.95", "state:unparsable,failed,unscored", "key:reasoning-00*",
    "dnsmos:2..3 length>10", "subset:creativity,emotion score<3", '"竹篮" per>0.05', "-mismatch:none per<0.2",
)  # fmt: skip
_SORTS = tuple((SortKey(name, descending=True),) for name in ("error", "dnsmos", "rtf"))
_WORDS = ("竹篮", "节气", "木匠", "河边", "旧钟", "周四", "相信", "夏至")


@figure("audit.filter.p95_ms")
def filter_p95() -> Figure:
    """A filter, its order and the first page of rows; each column's order is read once, and counted."""
    with closing(_workspace().connect()) as db:
        ranks = Ranks()
        taken = [
            _ms(lambda q=query, s=sort: rows_of(db, sorted_ids(db, parse(q), s, "corrected", ranks=ranks)[:_PAGE]))
            for sort in _SORTS
            for query in (*_FILTERS, *_FILTERS)
        ]
    return _figure("audit.filter.p95_ms", taken, f"{len(_FILTERS)} filters, three orders, page of {_PAGE}")


@figure("search.two_characters.p95_ms")
def search_p95() -> Figure:
    """A two-character Chinese word, found in texts and transcripts, and the first page of it sorted."""
    with closing(_workspace().connect()) as db:
        ranks = Ranks()
        sorted_ids(db, parse(""), _SORTS[0], "corrected", ranks=ranks)
        taken = [
            _ms(lambda w=word: rows_of(db, sorted_ids(db, parse(w), _SORTS[0], "corrected", ranks=ranks)[:_PAGE]))
            for word in _WORDS * 5
        ]
    return _figure("search.two_characters.p95_ms", taken, "order known, page of 200")


@cache
def _workspace() -> Workspace:
    return large_workspace(Path(tempfile.gettempdir()) / "auricle-bench-large-1")


def _ms(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def _figure(name: str, taken: list[float], note: str) -> Figure:
    worst = f"{note}; median {np.median(taken):.1f}, worst {max(taken):.1f}"
    return Figure(name, float(np.percentile(taken, 95)), "ms", note=worst)
