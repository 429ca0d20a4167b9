"""Small workspaces with answers to rate, and sessions over them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from engine.runs.imports import take_responses
from engine.store.raters import Rater, add_rater
from engine.store.sittings import Act, begin_sitting, commit, present
from engine.store.studies import (
    AssignmentRow,
    NewAssignment,
    NewSession,
    NewStudy,
    SessionRow,
    add_study,
    assignments_of,
    keep_protocol,
    sessions_of,
)
from engine.store.workspace import Workspace
from tests.engine.runs.made import response, with_benchmark

SYSTEMS = ("Qwen2.5-Omni", "MiniCPM-o")


def with_answers(workspace: Workspace, count: int = 3, systems: Sequence[str] = SYSTEMS) -> Workspace:
    """``workspace`` with ``count`` instances and each system's answers to them, in text."""
    with_benchmark(workspace, count=count)
    for system in systems:
        for _ in take_responses(
            workspace, "vocalbench_zh", system, [response(n, f"an answer of it, {n}") for n in range(count)]
        ):
            pass
    return workspace


def protocol(db: sqlite3.Connection, name: str = "empathy_acoustic") -> int:
    """A protocol of that name."""
    told = {"id": name, "scales": ["empathy", "emotion"]}
    return keep_protocol(db, name=name, version=1, language="zh", sha256=name * 2, declaration=told)


def new_assignment(response_id: int, letter: str = "A", **more: object) -> NewAssignment:
    """An item drawn at random."""
    told = {"kind": "rated", "perceived": "audio", "dimension": "empathy", "selection": "random", "pi": 0.25}
    placed = {"stratum": "", "split": "test", "stage": "estimation"}
    return NewAssignment(**{**told, **placed, "response_id": response_id, "letter": letter, **more})  # type: ignore[arg-type]


def answers(db: sqlite3.Connection) -> list[int]:
    """All answers, the first system's first."""
    return [row[0] for row in db.execute("SELECT id FROM response ORDER BY id")]


@dataclass(frozen=True, slots=True)
class Sat:
    """A rater at a session of a study: what a screen would hold."""

    workspace: Workspace
    db: sqlite3.Connection
    study: int
    rater: Rater
    session: SessionRow
    items: tuple[AssignmentRow, ...]
    sitting: int

    def rate(self, place: int, **values: int | float | str | None) -> Act:
        """Show the item at ``place`` and commit these values."""
        return commit(self.db, present(self.db, self.items[place].id, self.sitting, {}), values)

    def shown(self, place: int) -> int:
        """Show the item at ``place``."""
        return present(self.db, self.items[place].id, self.sitting, {})


def sat_down(workspace: Workspace, name: str = "林", count: int | None = None) -> Sat:
    """A study of all answers for one rater, who has sat down to it; the workspace has answers."""
    db = workspace.connect(durable=True)
    rater = add_rater(db, name)
    assignments = [new_assignment(n, "AB"[i % 2]) for i, n in enumerate(answers(db)[:count])]
    session = NewSession(rater.id, protocol(db), 1, assignments)
    study = add_study(db, NewStudy("empathy, winter", 7, "random", "estimation", {"items": 3}, None, [session]))
    row = sessions_of(db, study_id=study)[0]
    items = assignments_of(workspace, db, row.id)
    sitting = begin_sitting(db, rater.id, device="Headset", sample_rate_hz=48_000, setup={"sides": "right"})
    return Sat(workspace, db, study, rater, row, items, sitting)
