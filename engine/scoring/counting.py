"""Chooses whose results count, and says what two makers' results of the same answers would flip."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Generator, Sequence
from dataclasses import replace
from typing import TypeVar

from engine.progress import Progress
from engine.scoring.derive import floors_for, refresh, row_of
from engine.scoring.flips import Flip, flips_between
from engine.store.audit_row import (
    CHUNK,
    JudgementFacts,
    MeasurementFacts,
    ResponseFacts,
    TranscriptFacts,
    facts_of,
)
from engine.store.choices import answers_of_makers, choose
from engine.store.derivation import ROWS_VERSION, mark_derivation
from engine.store.transaction import transaction

_FIRST = 1 << 62
Result = TypeVar("Result", TranscriptFacts, MeasurementFacts, JudgementFacts)


def let_count(db: sqlite3.Connection, keys: Sequence[str], counts: bool = True) -> Generator[Progress, None, int]:
    """Let the results of these makers count before all others, or as the newest again; returns of how many answers.

    The choice and the rows are one transaction where the rows are few. Where they are many the rows are known not to be
    whole until the last is derived, so that one killed on the way is made good by the next ``ensure_derived``.
    """
    answers = answers_of_makers(db, keys)
    with transaction(db):
        choose(db, keys, counts)
        refresh(db, answers[:CHUNK])
        if len(answers) > CHUNK:
            mark_derivation(db, "rebuilding")
    yield Progress(min(CHUNK, len(answers)), len(answers), "rows")
    for start in range(CHUNK, len(answers), CHUNK):
        with transaction(db):
            refresh(db, answers[start : start + CHUNK])
            if start + CHUNK >= len(answers):
                mark_derivation(db, ROWS_VERSION)
        yield Progress(min(start + CHUNK, len(answers)), len(answers), "rows")
    return len(answers)


def flips_of_makers(
    db: sqlite3.Connection, before: Collection[int], after: Collection[int], response_ids: Sequence[int]
) -> Generator[Progress, None, list[Flip]]:
    """What flips when the results of the makers ``after`` count in place of those of ``before``.

    Only answers of which both have results can flip; nothing is written.
    """
    found: list[Flip] = []
    for start in range(0, len(response_ids), CHUNK):
        for facts in facts_of(db, response_ids[start : start + CHUNK]):
            floors = floors_for(db, facts)
            was = row_of(as_if(facts, before, after), floors)
            found += flips_between(was, row_of(as_if(facts, after, before), floors))
        yield Progress(min(start + CHUNK, len(response_ids)), len(response_ids), "rows")
    return found


def as_if(facts: ResponseFacts, counting: Collection[int], without: Collection[int]) -> ResponseFacts:
    """The facts as if the makers ``counting`` were chosen and those of ``without`` had never made anything."""
    return replace(
        facts,
        transcripts=_chosen(facts.transcripts, counting, without),
        measurements=_chosen(facts.measurements, counting, without),
        judgements=_chosen(facts.judgements, counting, without),
    )


def _chosen(results: Sequence[Result], counting: Collection[int], without: Collection[int]) -> list[Result]:
    left = [result for result in results if result.maker.id not in without]
    return [
        replace(result, maker=replace(result.maker, rank=_FIRST)) if result.maker.id in counting else result
        for result in left
    ]
