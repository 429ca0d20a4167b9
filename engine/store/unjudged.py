"""Answers that lack a verdict: which they are, how many, and how many wait for a judge."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Any

from engine.store.plans import JOINS, SCOPED, Scope, bound, count_of


@dataclass(frozen=True, slots=True)
class Answer:
    """A response with what a judge is shown."""

    response_id: int
    benchmark: str
    subset: str
    key: str
    language: str
    question: str
    reference: str | None
    category: str | None
    text: str | None
    state: str


@dataclass(frozen=True, slots=True)
class Lacking:
    """Answers of ``subsets`` (``benchmark/subset``) without a verdict of ``maker`` that can be trusted to stay.

    A failed or unscored judgement is asked for again, unless ``any_state`` says that any will do; one that could not
    be read only where ``unparsable_too`` asks for it.

    Args:
        language: only instances in English (``en``) or in another one (``zh``); None takes all.
        has_text: only what was answered in words.
        decided_by: rules whose verdicts, if each has one, make this one unnecessary.
        after: maker, judge and verdicts: only where the newest verdict of that one is among them.
    """

    maker: int | None
    judge: str
    subsets: tuple[str, ...]
    repeat: int = 0
    any_state: bool = False
    unparsable_too: bool = False
    language: str | None = None
    has_text: bool = False
    decided_by: tuple[int, ...] = ()
    after: tuple[int, str, tuple[str, ...]] | None = None


def answers_without_judgement(
    db: sqlite3.Connection, scope: Scope, lacking: Lacking, limit: int | None = None
) -> list[Answer]:
    """The answers that lack a verdict, or the first ``limit`` of them."""
    where, values = _lacking(lacking)
    rows = db.execute(
        "SELECT response.id, benchmark.name, subset, key, instance.language, question, reference, category,"
        f" response.text, response.state{JOINS} WHERE {SCOPED} AND {where} ORDER BY response.id LIMIT :most",
        {**bound(scope), **values, "most": -1 if limit is None else limit},
    )
    return [Answer(*row) for row in rows]


def count_without_judgement(db: sqlite3.Connection, scope: Scope, lacking: Lacking) -> int:
    """How many answers lack a verdict."""
    where, values = _lacking(lacking)
    return count_of(db, f"SELECT COUNT(*){JOINS} WHERE {SCOPED} AND {where}", {**bound(scope), **values})


def count_waiting_for_a_judge(db: sqlite3.Connection, scope: Scope) -> int:
    """How many answers have no corrected verdict only because no judge was asked."""
    return count_of(
        db,
        f"SELECT COUNT(*){JOINS} JOIN audit_row ON audit_row.response_id = response.id WHERE {SCOPED}"
        " AND corrected_state = 'unscored' AND corrected_why = 'not_judged_yet'",
        bound(scope),
    )


def _lacking(lacking: Lacking) -> tuple[str, dict[str, Any]]:
    """The condition of answers that lack a verdict, and its values."""
    known = "SELECT 1 FROM judgement WHERE judgement.response_id = response.id AND judgement.maker_id ="
    where = [
        "benchmark.name || '/' || subset IN (SELECT value FROM json_each(:asked))",
        f"NOT EXISTS ({known} :maker AND judge = :judge AND judgement.repeat = :repeat"
        " AND (:any_state OR judgement.state = 'scored' OR (judgement.state = 'unparsable' AND NOT :again)))",
    ]
    values: dict[str, Any] = {
        "asked": json.dumps(list(lacking.subsets)),
        "maker": lacking.maker,
        "judge": lacking.judge,
        "repeat": lacking.repeat,
        "any_state": lacking.any_state,
        "again": lacking.unparsable_too,
    }
    if lacking.language is not None:
        where.append("instance.language " + ("=" if lacking.language == "en" else "<>") + " 'en'")
    if lacking.has_text:
        where.append("response.state = 'answered' AND response.text IS NOT NULL")
    if lacking.decided_by:
        each = [f"EXISTS ({known} :rule{n} AND judgement.state = 'scored')" for n in range(len(lacking.decided_by))]
        where.append(f"NOT ({' AND '.join(each)})")
        values |= {f"rule{n}": maker for n, maker in enumerate(lacking.decided_by)}
    if lacking.after is not None:
        newest = f"{known} :first AND judge = :first_judge AND judgement.state = 'scored'".replace("1", "verdict", 1)
        where.append(f"({newest} ORDER BY judgement.repeat DESC LIMIT 1) IN (SELECT value FROM json_each(:calling))")
        values |= {"first": lacking.after[0], "first_judge": lacking.after[1]}
        values["calling"] = json.dumps(list(lacking.after[2]))
    return " AND ".join(where), values
