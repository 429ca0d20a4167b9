"""An import in two steps: read and check it, see what was found, then write it."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from engine.benchmarks.check import check_recorded
from engine.benchmarks.dynamic_superb import read_dynamic_superb
from engine.benchmarks.guess import Kind
from engine.benchmarks.outside import Outside, without_answer
from engine.benchmarks.values import Finding, Imported, OutsideJudgement, OutsideMeasurement, Problem
from engine.benchmarks.vocalbench_zh import read_vocalbench_zh
from engine.errors import EngineError
from engine.progress import Progress
from engine.runs.imports import (
    Answers,
    read_answers,
    take_answers,
    take_benchmark,
    take_judgements,
    take_measurements,
)
from engine.runs.outside import read_known_results
from engine.store.audio import Keep
from engine.store.benchmarks import instances_of, subset_sizes
from engine.store.responses import current_ids
from engine.store.workspace import Workspace

EXAMPLES = 8  # kept of each group
Severity = Literal["left_out", "fault", "note"]
_WEIGHT: Mapping[str, int] = {"left_out": 0, "fault": 1, "note": 2}


@dataclass(frozen=True, slots=True)
class ImportAsked:
    """What is to be taken in.

    ``system`` and ``encoding`` are empty where the files tell them; ``benchmark`` is empty for the one whose subsets
    fit best.
    """

    kind: Kind
    path: Path
    system: str = ""
    benchmark: str = ""
    keep: Keep = "link"
    encoding: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """One of a group."""

    about: Finding | Problem

    def place(self, language: str = "en") -> str:
        """Where it is: a Qid, a subset, or a place in a file; empty where it is about all of them."""
        return self.about.place if isinstance(self.about, Finding) else self.about.place(language)

    def sentence(self, language: str = "en") -> str:
        """What was found there."""
        return self.about.sentence(language) if isinstance(self.about, Finding) else self.about.what(language)


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one kind: how many, in which subsets, and the first of them.

    ``left_out``: records that could not be taken. ``fault``: a score would be wrong or missing. ``note``: accepted.
    """

    code: str
    severity: Severity
    count: int
    subsets: tuple[str, ...]
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A subset (or metric, or judge) of what was read, with its counts.

    Of a benchmark: ``found`` instances, ``good`` of them with audio. Of answers: ``asked`` instances, ``found``
    answers, ``good`` with audio about which nothing was found. Of results: ``found`` rows, ``good`` that have an
    answer.
    """

    name: str
    asked: int
    found: int
    good: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What was read and what was found; ``write_import`` takes it in. ``count`` is how much that would be."""

    asked: ImportAsked
    system: str
    benchmark: str
    parts: tuple[Part, ...]
    groups: tuple[Group, ...]
    count: int
    read: Imported | Answers | Outside = field(repr=False)

    @property
    def faults(self) -> int:
        """Findings that make a later score wrong or missing, left out records included."""
        return sum(group.count for group in self.groups if group.severity != "note")


@dataclass(frozen=True, slots=True)
class Written:
    """What an import wrote: rows that are new, changed, or the same as before, and those that belong to nothing."""

    kind: Kind
    added: int = 0
    changed: int = 0
    same: int = 0
    unknown: int = 0
    without_audio: int = 0
    measurements: int = 0
    judgements: int = 0


def check_import(workspace: Workspace | None, asked: ImportAsked) -> Generator[Progress, None, Checked]:
    """Read what is asked and look for faults; writes nothing.

    Only a benchmark can be checked without a workspace. Raises EngineError where the files are not what they are said
    to be or may not be read, or the benchmark that was answered is not in the workspace.
    """
    try:
        return (yield from _checked(workspace, asked))
    except OSError as error:
        why = error.strerror or str(error)
        raise EngineError("runs.cannot_read", path=str(error.filename or asked.path), why=why) from error


def _checked(workspace: Workspace | None, asked: ImportAsked) -> Generator[Progress, None, Checked]:
    if asked.kind in ("vocalbench_zh", "dynamic_superb"):
        return (yield from _check_benchmark(asked))
    if workspace is None:
        raise EngineError("runs.benchmark_not_imported", benchmark=asked.benchmark or "vocalbench_zh")
    with closing(workspace.connect()) as db:
        if asked.kind == "answers":
            return (yield from _check_answers(db, asked))
        return (yield from _check_results(db, asked))


def write_import(workspace: Workspace, checked: Checked) -> Generator[Progress, None, Written]:
    """Take in what was checked, in batches; closed early, what is written stays and the same import adds the rest."""
    read, asked = checked.read, checked.asked
    if isinstance(read, Imported):
        stored = yield from take_benchmark(workspace, read, asked.path, asked.keep)
        return Written(asked.kind, stored.added, stored.changed, stored.same, without_audio=stored.audio_missing)
    if isinstance(read, Answers):
        taken = yield from take_answers(workspace, checked.benchmark, read, asked.keep)
        return Written(
            "answers",
            taken.added,
            taken.replaced,
            same=taken.same,
            unknown=taken.unknown,
            without_audio=taken.without_audio,
            measurements=taken.measurements,
            judgements=taken.judgements,
        )
    return (yield from _write_results(workspace, checked, read))


def imported_benchmarks(db: sqlite3.Connection) -> tuple[str, ...]:
    """The names of the benchmarks that answers may belong to."""
    return tuple(dict.fromkeys(benchmark for benchmark, _ in subset_sizes(db)))


def _check_benchmark(asked: ImportAsked) -> Generator[Progress, None, Checked]:
    read = read_vocalbench_zh if asked.kind == "vocalbench_zh" else read_dynamic_superb
    imported = yield from read(asked.path, encoding=asked.encoding or None)
    sizes = Counter(instance.subset for instance in imported.instances)
    lacking = [
        Finding(instance.subset, instance.key, "benchmarks.no_audio", severity="note")
        for instance in imported.instances
        if any(ref.path is None for ref in instance.audio)
    ]
    without = Counter(finding.subset for finding in lacking)
    parts = tuple(Part(name, sizes[name], sizes[name], sizes[name] - without[name]) for name in imported.subsets)
    groups = grouped(lacking, imported.problems)
    return Checked(asked, "", imported.benchmark, parts, groups, len(imported.instances), imported)


def _check_answers(db: sqlite3.Connection, asked: ImportAsked) -> Generator[Progress, None, Checked]:
    is_folder = asked.path.is_dir()
    read = yield from read_answers(
        asked.path if is_folder else None,
        None if is_folder else asked.path,
        system=asked.system or None,
        encoding=asked.encoding or None,
    )
    benchmark = asked.benchmark or _best_fit(db, (r.subset for r in read.recorded.responses))
    instances = list(instances_of(db, benchmark))
    if not instances:
        raise EngineError("runs.benchmark_not_imported", benchmark=benchmark)
    report = yield from check_recorded(read.recorded, instances)
    parts = tuple(Part(c.subset, c.asked, c.answered, c.good_audio) for c in report.counts if c.answered)
    known = {(instance.subset, instance.key) for instance in instances}
    count = sum((r.subset, r.key) in known for r in read.recorded.responses)
    return Checked(
        asked, read.recorded.system, benchmark, parts, grouped(report.findings, report.problems), count, read
    )


def _check_results(db: sqlite3.Connection, asked: ImportAsked) -> Generator[Progress, None, Checked]:
    read = yield from read_known_results(asked.path, asked.encoding or None)
    rows: list[OutsideMeasurement | OutsideJudgement] = [*read.measurements, *read.judgements]
    benchmark = asked.benchmark or _best_fit(db, (row.subset for row in rows))
    known = current_ids(db, benchmark)
    found: Counter[str] = Counter()
    good: Counter[str] = Counter()
    unplaced = []
    for row in rows:
        name = row.metric if isinstance(row, OutsideMeasurement) else row.judge
        found[name] += 1
        if (row.system or asked.system, row.subset, row.key) in known:
            good[name] += 1
        else:
            unplaced.append(without_answer(row))
    parts = tuple(Part(name, 0, count, good[name]) for name, count in found.items())
    groups = grouped(unplaced, read.problems)
    return Checked(asked, asked.system, benchmark, parts, groups, good.total(), read)


def _write_results(workspace: Workspace, checked: Checked, read: Outside) -> Generator[Progress, None, Written]:
    total = len(read.measurements) + len(read.judgements)
    system = checked.system or None
    yield Progress(0, total)
    with closing(workspace.connect()) as db:
        numbers = take_measurements(db, checked.benchmark, read.measurements, system)
        yield Progress(len(read.measurements), total)
        verdicts = take_judgements(db, checked.benchmark, read.judgements, system)
        yield Progress(total, total)
    unknown = total - numbers - verdicts
    return Written("results", unknown=unknown, measurements=numbers, judgements=verdicts)


def _best_fit(db: sqlite3.Connection, subsets: Iterable[str]) -> str:
    """The benchmark that has most of the rows' subsets; VocalBench-zh, the usual one, where none has any."""
    wanted = Counter(subsets)
    fits: Counter[str] = Counter()
    for benchmark, subset in subset_sizes(db):
        fits[benchmark] += wanted[subset]
    best = fits.most_common(1)
    return best[0][0] if best else "vocalbench_zh"


def grouped(findings: Sequence[Finding], problems: Sequence[Problem]) -> tuple[Group, ...]:
    """Findings by kind, the gravest and then the most frequent first."""
    kept: dict[tuple[Severity, str], list[Example]] = defaultdict(list)
    counts: Counter[tuple[Severity, str]] = Counter()
    subsets: dict[tuple[Severity, str], dict[str, None]] = defaultdict(dict)
    for finding in findings:
        _add(kept, counts, (finding.severity, finding.code), Example(finding))
        subsets[finding.severity, finding.code][finding.subset] = None
    for problem in problems:
        severity: Severity = "left_out" if not problem.kept else "fault" if problem.is_loss else "note"
        kind: tuple[Severity, str] = (severity, problem.code)
        _add(kept, counts, kind, Example(problem))
    groups = [
        Group(
            code, severity, count, tuple(name for name in subsets[severity, code] if name), tuple(kept[severity, code])
        )
        for (severity, code), count in counts.items()
    ]
    return tuple(sorted(groups, key=lambda group: (_WEIGHT[group.severity], -group.count)))


def _add(
    kept: dict[tuple[Severity, str], list[Example]],
    counts: Counter[tuple[Severity, str]],
    kind: tuple[Severity, str],
    example: Example,
) -> None:
    counts[kind] += 1
    if len(kept[kind]) < EXAMPLES:
        kept[kind].append(example)
