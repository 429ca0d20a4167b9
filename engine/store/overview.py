"""What a workspace holds and how far along the way it is, counted without reading a text."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.errors import EngineError
from engine.store.reading import read_only_address
from engine.store.workspace import DATABASE, refuse_strangers

BIN_S = 2.0
LAST_S = 60.0  # the last bin holds all that is longer
LONG_S = 30.0  # recognisers hear up to this at a time

Step = Literal["import_benchmark", "import_answers", "follow", "measure", "judge", "listen"]


@dataclass(frozen=True, slots=True)
class SubsetPart:
    """A subset or task: its instances, those whose audio is all there, and how many answers systems gave to it."""

    benchmark: str
    subset: str
    instances: int
    with_audio: int
    answers: int

    @property
    def missing_audio(self) -> int:
        """Instances of which an audio is missing."""
        return self.instances - self.with_audio


@dataclass(frozen=True, slots=True)
class SystemPart:
    """A system's answers: all, those with audio, measured, with a judge's state, and those a judge was not asked yet.

    ``measured`` counts answers that were heard or whose quality was estimated, failures included. ``waiting`` counts
    only answers in subsets that have a judge.
    """

    name: str
    kind: str
    answers: int
    spoken: int
    measured: int
    judged: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Durations:
    """How long clips are: counts by bins of ``BIN_S`` seconds, the last one open; only known lengths count."""

    counts: tuple[int, ...]
    over_30_s: int

    @property
    def known(self) -> int:
        """How many lengths are known."""
        return sum(self.counts)

    @property
    def share_over_30_s(self) -> float | None:
        """Share 0..1 of the known lengths that is over 30 s; None where none is known."""
        return self.over_30_s / self.known if self.known else None


@dataclass(frozen=True, slots=True)
class LastRun:
    """The newest run, whatever became of it; ``ended_at`` is None while it goes on."""

    id: int
    kind: str
    state: str
    planned: int
    done: int
    failed: int
    started_at: str
    ended_at: str | None


@dataclass(frozen=True, slots=True)
class Overview:
    """All that is counted of a workspace. ``own_bytes`` lie below its folder, ``referenced_bytes`` elsewhere."""

    subsets: tuple[SubsetPart, ...]
    systems: tuple[SystemPart, ...]
    durations: Durations
    ratings: int
    own_bytes: int
    referenced_bytes: int
    last_run: LastRun | None

    @property
    def instances(self) -> int:
        """Instances of all benchmarks."""
        return sum(part.instances for part in self.subsets)

    @property
    def missing_audio(self) -> int:
        """Instances of which an audio is missing."""
        return sum(part.missing_audio for part in self.subsets)

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """The benchmarks' names, in order."""
        return tuple(dict.fromkeys(part.benchmark for part in self.subsets))

    @property
    def answering(self) -> int:
        """Systems that answered, as everywhere where systems are counted."""
        return sum(part.answers > 0 for part in self.systems)

    @property
    def answers(self) -> int:
        """Current answers of all systems."""
        return sum(part.answers for part in self.systems)

    @property
    def spoken(self) -> int:
        """Answers that have audio."""
        return sum(part.spoken for part in self.systems)

    @property
    def measured(self) -> int:
        """Answers that were heard or whose quality was estimated."""
        return sum(part.measured for part in self.systems)

    @property
    def judged(self) -> int:
        """Answers with a verdict, or a judge's failure."""
        return sum(part.judged for part in self.systems)

    @property
    def waiting(self) -> int:
        """Answers that a judge was not asked about yet."""
        return sum(part.waiting for part in self.systems)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was imported yet."""
        return not self.subsets and not self.systems


@dataclass(frozen=True, slots=True)
class Glance:
    """A workspace seen from outside: ``here`` with its counts, ``missing``, or ``unreadable``."""

    state: Literal["here", "missing", "unreadable"]
    systems: int = 0
    answers: int = 0
    ratings: int = 0


def overview(db: sqlite3.Connection) -> Overview:
    """Count what the store holds; reads indexes only, so 168,000 answers take a part of a second."""
    places = _places(db)
    kept = dict(db.execute("SELECT kept, SUM(byte_count) FROM audio GROUP BY kept").fetchall())
    pages = db.execute("PRAGMA page_count").fetchone()[0] * db.execute("PRAGMA page_size").fetchone()[0]
    return Overview(
        subsets=tuple(_subsets(db, places)),
        systems=tuple(_systems(db, places)),
        durations=_durations(places),
        ratings=_ratings(db),
        own_bytes=int(pages) + kept.get("link", 0) + kept.get("copy", 0),
        referenced_bytes=kept.get("reference", 0),
        last_run=_last_run(db),
    )


def what_next(found: Overview, *, has_judge: bool = False) -> Step:
    """The step that is due: the first on the way from benchmark to listening that has something left to do.

    ``has_judge``: whether an endpoint is known; without one nobody is sent to judge.
    """
    if not found.instances:
        return "import_benchmark"
    if not found.answers:
        return "import_answers"
    if found.last_run is not None and found.last_run.state == "running" and found.last_run.kind != "import":
        return "follow"
    if found.measured < found.spoken:
        return "measure"
    if found.waiting and has_judge:
        return "judge"
    return "listen"


def glance(folder: Path) -> Glance:
    """What a workspace holds, without opening it for good: nothing is written or brought up to date."""
    database = folder / DATABASE
    try:
        if not database.is_file():
            return Glance("missing")
        refuse_strangers(database)
        db = sqlite3.connect(read_only_address(database), uri=True)
    except (OSError, EngineError, sqlite3.Error):
        return Glance("unreadable")
    try:
        counts = "SELECT COUNT(DISTINCT system_id), COUNT(*) FROM response WHERE current = 1"
        systems, answers = db.execute(counts).fetchone()
        return Glance("here", systems, answers, _ratings(db))
    except sqlite3.Error:
        return Glance("unreadable")
    finally:
        db.close()


def durations_of(seconds: Iterable[float]) -> Durations:
    """Lengths in seconds, counted by bins."""
    counts = [0] * (int(LAST_S / BIN_S) + 1)
    long = 0
    for value in seconds:
        counts[_bin(value)] += 1
        long += value > LONG_S
    return Durations(tuple(counts), long)


@dataclass(frozen=True, slots=True)
class _Place:
    """Answers of one system to one subset with lengths in one bin; ``bin`` is None where no length is known."""

    system: str
    benchmark: str
    subset: str
    bin: int | None
    long: int
    answers: int
    measured: int
    judged: int
    waiting: int


def _places(db: sqlite3.Connection) -> list[_Place]:
    rows = db.execute(
        "SELECT system, benchmark, subset, CAST(MIN(duration_s, :last) / :bin AS INTEGER) AS bin,"
        " COALESCE(SUM(duration_s > :long), 0), COUNT(*),"
        " SUM(transcript_state IS NOT NULL OR quality_state IS NOT NULL),"
        " SUM(corrected_state IN ('scored', 'unparsable')"
        "   OR (corrected_state = 'failed' AND corrected_why NOT IN ('no_answer', 'failed'))),"
        " SUM(corrected_state = 'unscored' AND corrected_why NOT IN ('no_judge_for_this_subset', 'answer_has_no_text'))"
        " FROM audit_row GROUP BY system, benchmark, subset, bin",
        {"last": LAST_S, "bin": BIN_S, "long": LONG_S},
    )
    return [_Place(*row) for row in rows]


def _subsets(db: sqlite3.Connection, places: list[_Place]) -> list[SubsetPart]:
    answers: dict[tuple[str, str], int] = {}
    for place in places:
        answers[place.benchmark, place.subset] = answers.get((place.benchmark, place.subset), 0) + place.answers
    lacking = {
        (row[0], row[1]): row[2]
        for row in db.execute(
            "SELECT benchmark_id, subset, COUNT(DISTINCT instance.id) FROM instance_audio"
            " JOIN instance ON instance.id = instance_id WHERE audio_id IS NULL GROUP BY benchmark_id, subset"
        )
    }
    rows = db.execute(
        "SELECT benchmark.id, benchmark.name, subset, COUNT(*) FROM benchmark JOIN instance ON benchmark_id ="
        " benchmark.id GROUP BY benchmark.id, subset ORDER BY benchmark.name, subset"
    )
    return [
        SubsetPart(row[1], row[2], row[3], row[3] - lacking.get((row[0], row[2]), 0), answers.get((row[1], row[2]), 0))
        for row in rows
    ]


def _systems(db: sqlite3.Connection, places: list[_Place]) -> list[SystemPart]:
    spoken = dict(
        db.execute(
            "SELECT system_id, COUNT(*) FROM response WHERE current = 1 AND audio_id IS NOT NULL GROUP BY system_id"
        ).fetchall()
    )
    found = []
    for system_id, name, kind in db.execute("SELECT id, name, kind FROM system ORDER BY name").fetchall():
        mine = [place for place in places if place.system == name]
        found.append(
            SystemPart(
                name,
                kind,
                answers=sum(place.answers for place in mine),
                spoken=spoken.get(system_id, 0),
                measured=sum(place.measured for place in mine),
                judged=sum(place.judged for place in mine),
                waiting=sum(place.waiting for place in mine),
            )
        )
    return found


def _durations(places: list[_Place]) -> Durations:
    counts = [0] * (int(LAST_S / BIN_S) + 1)
    long = 0
    for place in places:
        if place.bin is not None:
            counts[place.bin] += place.answers
            long += place.long
    return Durations(tuple(counts), long)


def _bin(seconds: float) -> int:
    return int(min(max(seconds, 0.0), LAST_S) / BIN_S)


def _ratings(db: sqlite3.Connection) -> int:
    known = db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'rating'").fetchone()
    return int(db.execute("SELECT COUNT(*) FROM rating").fetchone()[0]) if known else 0


def _last_run(db: sqlite3.Connection) -> LastRun | None:
    row = db.execute(
        "SELECT id, kind, state, planned, done, failed, started_at, ended_at FROM run ORDER BY id DESC LIMIT 1"
    ).fetchone()
    return None if row is None else LastRun(*row)
