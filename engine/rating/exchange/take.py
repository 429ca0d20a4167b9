"""Takes ratings that were given elsewhere into the store, as a study that nobody takes for a blind one."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from engine.benchmarks.values import Problem
from engine.errors import EngineError
from engine.progress import Progress
from engine.rating.exchange.outside_protocol import outside_protocol
from engine.rating.exchange.own_rows import OwnRow
from engine.rating.exchange.reading import OutsideRating
from engine.rating.exchange.take_own import Answers, TakenWhole, protocols_here, take_whole
from engine.rating.protocols import load_protocol, protocol_ids
from engine.rating.split import split_of
from engine.rating.values import Protocol
from engine.store.raters import Rater, add_rater, raters_of
from engine.store.rating_rows import rating_rows, remark_rows
from engine.store.responses import current_ids
from engine.store.sittings import Remark, begin_sitting, commit, present
from engine.store.standings import Value
from engine.store.studies import (
    NewAssignment,
    NewSession,
    NewStudy,
    add_study,
    assignments_of,
    keep_protocol,
    sessions_of,
    studies_of,
)
from engine.store.transaction import transaction
from engine.store.workspace import Workspace

Placed = tuple[OutsideRating, int, str]  # a rating, the answer it is of, and the benchmark


@dataclass(frozen=True, slots=True)
class TakenRatings:
    """What an import did: ratings new and there already; the study they stand in, None where nothing was new.

    Our own export may hold several studies; ``studies`` are all of them.
    """

    study_id: int | None
    added: int
    same: int
    raters: tuple[str, ...]
    problems: tuple[Problem, ...]
    studies: tuple[int, ...] = ()
    skips: int = 0


def take_ratings(
    workspace: Workspace,
    path: Path,
    ratings: Sequence[OutsideRating],
    *,
    system: str | None = None,
    benchmark: str = "vocalbench_zh",
    protocol: str | None = None,
    language: str = "zh",
    title: str = "",
    skips: Sequence[OwnRow] = (),
) -> Generator[Progress, None, TakenRatings]:
    """Store ratings as one new study, whole or not at all; those that were imported before are passed over.

    A rater is found by name, an answer by system, subset and Qid. The items count as picked by hand unless the file
    says how they were drawn, and as not blind. Ratings of our own export that tell all of themselves come in as they
    were: the same sessions, assignments and protocols under the same uids, hidden repeats and skips with them.

    Args:
        path: where they were read, for its name and the problems.
        system: whose answers, where the file does not say it and more than one system answered.
        protocol: id of a shipped protocol whose scales and steps the values must be; else one is made of the values.
        skips: of our own export, what was skipped.

    Raises EngineError ``exchange.no_such_protocol``.
    """
    with closing(workspace.connect(durable=True)) as db:
        taking, known = _Taking(db, path, system, benchmark), _known(db)
        fresh = [one for one in ratings if one.uid not in known]
        whole = TakenWhole((), 0, 0, 0) if protocol is not None else taking.whole(fresh, skips, title or path.stem)
        unknown = [one for one in fresh if one.uid not in taking.taken]
        placed = taking.placed(unknown)
        yield Progress(0, len(placed))
        new = [one for one in placed if _key(one[0], one[1]) not in known]
        same = len(ratings) - len(unknown) - whole.ratings + len(placed) - len(new)
        asked = _protocol(protocol, new, language)
        new = list(taking.fitting(new, asked))
        if not new or asked is None:
            return TakenRatings(next(iter(whole.studies), None), whole.ratings, same, tuple(taking.raters),
                                tuple(taking.problems), whole.studies, whole.skips)  # fmt: skip
        with transaction(db):
            study = _store(workspace, db, new, asked, title or path.stem, path.name)
        yield Progress(len(placed), len(placed))
        raters = tuple(dict.fromkeys([*taking.raters, *(one.rater for one, _, _ in new)]))
        return TakenRatings(
            study, whole.ratings + len(new), same, raters, tuple(taking.problems), (*whole.studies, study), whole.skips
        )


class _Taking:
    """Finds the answers that ratings are of; what it does not find are problems."""

    def __init__(self, db: sqlite3.Connection, path: Path, system: str | None, benchmark: str) -> None:
        self.problems: list[Problem] = []
        self.taken: set[str] = set()  # uids of ratings that were taken whole
        self.raters: list[str] = []
        self._db, self._path, self._system, self._benchmark = db, path, system, benchmark
        self._answers: dict[str, dict[tuple[str, str], dict[str, int]]] = {}

    def whole(self, ratings: Iterable[OutsideRating], skips: Sequence[OwnRow], title: str) -> TakenWhole:
        """Take what our own export tells all of; what of it has no protocol or no answer here is left to the others."""
        own = [one.own for one in ratings if one.own is not None]
        protocols = protocols_here(self._db, [*own, *skips])
        here = {one.assignment_uid for one in remark_rows(self._db) if one.kind == "skip"} if skips else set()
        rows = []
        for row in (*own, *(one for one in skips if one.assignment not in here)):
            protocol = protocols.get((row.sha256, row.language))
            if protocol is None or self._answers_to(row) is None:
                continue
            if row.scale and row.value not in allowed_by(protocol).get(row.scale, set()):
                continue
            rows.append(row)
        if not rows:
            return TakenWhole((), 0, 0, 0)
        self.taken = {row.rating for row in rows if row.rating}
        self.raters = list(dict.fromkeys(row.rater_name for row in rows))
        taken = take_whole(self._db, self._path, rows, protocols, self._placed, title)
        if taken.clashes:
            self.problems.append(Problem(self._path, "", "exchange.clash", {"count": taken.clashes}))
        return taken

    def _placed(self, row: OwnRow) -> Answers:
        found = self._answers_to(row)
        assert found is not None
        return found

    def _answers_to(self, row: OwnRow) -> Answers | None:
        there = self._of(row.benchmark).get((row.subset, row.key), {})
        if row.system not in there or (row.other_system and row.other_system not in there):
            return None
        return there[row.system], there[row.other_system] if row.other_system else None

    def placed(self, ratings: Iterable[OutsideRating]) -> list[Placed]:
        found = []
        for one in ratings:
            if one.own is not None and one.own.other_system:
                self._say(one, "compared")
                continue
            benchmark = one.benchmark or self._benchmark
            there = self._of(benchmark).get((one.subset, one.key), {})
            system = one.system or self._system or (next(iter(there)) if len(there) == 1 else "")
            if system in there:
                found.append((one, there[system], benchmark))
            elif there and not system:
                self._say(one, "which_system", systems=", ".join(sorted(there)))
            else:
                self._say(one, "no_answer", key=f"{one.subset}/{one.key}", system=system or "-")
        return found

    def fitting(self, placed: Sequence[Placed], protocol: Protocol | None) -> Iterable[Placed]:
        allowed = allowed_by(protocol)
        seen = set()
        for one, answer, benchmark in placed:
            place = (one.rater, answer, one.scale)
            if one.value not in allowed.get(one.scale, set()):
                self._say(one, "no_step", scale=one.scale, value=str(one.value))
            elif place in seen:
                self._say(one, "twice", rater=one.rater, key=one.key, scale=one.scale)
            else:
                seen.add(place)
                yield one, answer, benchmark

    def _of(self, benchmark: str) -> dict[tuple[str, str], dict[str, int]]:
        if benchmark not in self._answers:
            found: dict[tuple[str, str], dict[str, int]] = {}
            for (system, subset, key), number in current_ids(self._db, benchmark).items():
                found.setdefault((subset, key), {})[system] = number
            self._answers[benchmark] = found
        return self._answers[benchmark]

    def _say(self, one: OutsideRating, code: str, **values: str) -> None:
        self.problems.append(Problem(self._path, one.where, f"exchange.{code}", values))


def allowed_by(protocol: Protocol | None) -> dict[str, set[Value]]:
    """The values that each scale of a protocol may take."""
    return {} if protocol is None else {scale.id: set(scale.values) for scale in protocol.scales}


def _known(db: sqlite3.Connection) -> set[object]:
    """What earlier imports brought, by rater, answer, scale and value; and the uids of all ratings."""
    imported = {study.uid for study in studies_of(db) if study.is_imported}
    rows = rating_rows(db, with_history=True)
    known: set[object] = {row.rating_uid for row in rows}
    return known | {(row.rater, row.response_id, row.scale, row.value) for row in rows if row.study_uid in imported}


def _key(one: OutsideRating, answer: int) -> tuple[str, int, str, Value]:
    return one.rater, answer, one.scale, one.value


def _protocol(named: str | None, placed: Sequence[Placed], language: str) -> Protocol | None:
    if named is not None:
        if named not in protocol_ids():
            raise EngineError("exchange.no_such_protocol", protocol=named, known=list(protocol_ids()))
        return load_protocol(named, language)
    values: dict[str, list[Value]] = {}
    for one, _, _ in placed:
        if not isinstance(one.value, float):
            values.setdefault(one.scale, []).append(one.value)
    return outside_protocol(values, language) if values else None


def _store(
    workspace: Workspace,
    db: sqlite3.Connection,
    placed: Sequence[Placed],
    protocol: Protocol,
    title: str,
    file: str,
) -> int:
    raters = {rater.name: rater for rater in raters_of(db)}
    by_rater: dict[int, dict[int, list[OutsideRating]]] = {}
    rows: dict[tuple[int, int], NewAssignment] = {}
    for one, answer, benchmark in placed:
        rater = _rater(db, one.rater, raters)
        by_rater.setdefault(rater.id, {}).setdefault(answer, []).append(one)
        rows[(rater.id, answer)] = _assignment(one, answer, benchmark, protocol)
    kept = keep_protocol(
        db, name=protocol.id, version=protocol.version, language=protocol.language, sha256=protocol.sha256,
        declaration=protocol.declaration(),
    )  # fmt: skip
    sessions = [
        NewSession(rater, kept, 1, [rows[(rater, answer)] for answer in answers]) for rater, answers in by_rater.items()
    ]
    selections = {row.selection for row in rows.values()}
    selection = selections.pop() if len(selections) == 1 else "manual"
    design = {"imported": {"file": file}, "language": protocol.language, "protocols": [protocol.id], "fixes": {}}
    study = add_study(db, NewStudy(title, 0, selection, "imported", design, None, sessions))
    for session in sessions_of(db, study_id=study):
        said = by_rater[session.rater_id]
        sitting = begin_sitting(db, session.rater_id, device="", sample_rate_hz=None, setup={"imported": file})
        for row in assignments_of(workspace, db, session.id):
            ratings = said[row.response_id]
            notes = dict.fromkeys(one.note for one in ratings if one.note)
            remarks = [Remark("note", "\n\n".join(notes))] if notes else []
            values: Mapping[str, Value] = {one.scale: one.value for one in ratings}
            commit(db, present(db, row.id, sitting, {}), values, (), remarks)
    return study


def _rater(db: sqlite3.Connection, name: str, known: dict[str, Rater]) -> Rater:
    if name not in known:
        known[name] = add_rater(db, name)
    return known[name]


def _assignment(one: OutsideRating, answer: int, benchmark: str, protocol: Protocol) -> NewAssignment:
    return NewAssignment(
        "rated", answer, "A", protocol.perceived, protocol.dimension, one.selection,
        None if one.selection == "manual" else one.pi, one.stratum, split_of(benchmark, one.subset, one.key),
        "imported", blind=False,
    )  # fmt: skip
