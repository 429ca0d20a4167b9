"""Workspaces with spoken questions and spoken answers of several systems, and designs over them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from engine.benchmarks.values import AudioRef, Instance
from engine.rating.design import Design, PlannedSession, StudyPlan
from engine.runs.imports import take_responses
from engine.store.benchmarks import add_instances
from engine.store.raters import add_rater
from engine.store.studies import NewAssignment
from engine.store.workspace import Workspace
from tests.engine.runs.made import response, tone

SYSTEMS = ("Baichuan-Omni", "GLM-4-Voice", "MiniCPM-o", "Qwen2.5-Omni", "VocalNet")
QUESTION_S, ANSWER_S = 2.0, 1.0


def asked(
    workspace: Workspace, sounds: Path, *, items: int = 24, systems: int = 3, raters: int = 2, subset: str = "emotion"
) -> Workspace:
    """``workspace`` with spoken questions, spoken answers of the first ``systems``, and raters."""
    question = tone(sounds / "question.wav", QUESTION_S)
    instances = [
        Instance(
            "vocalbench_zh", subset, f"{subset}-{n:04d}", n, f"第{n}个问题", "少林", "angry" if n % 2 else "sad",
            audio=(AudioRef("question.wav", question),),
        )
        for n in range(items)
    ]  # fmt: skip
    with closing(workspace.connect()) as db:
        add_instances(db, workspace, "vocalbench_zh", sounds, instances)
        for number in range(raters):
            add_rater(db, f"rater {number + 1}", "zh")
    for place, system in enumerate(SYSTEMS[:systems]):
        sound = tone(sounds / f"{place}.wav", ANSWER_S, 300.0 + 50 * place)
        answers = [response(n, f"回答{place}-{n}", subset, audio=sound) for n in range(items)]
        for _ in take_responses(workspace, "vocalbench_zh", system, answers):
            pass
    return workspace


def measured(workspace: Workspace) -> Workspace:
    """``workspace`` with the length of every answer known, as after measuring."""
    with closing(workspace.connect()) as db:
        db.execute("UPDATE audit_row SET duration_s = ?", (ANSWER_S,))
    return workspace


def judged(workspace: Workspace, wrong: int, system: str = SYSTEMS[0]) -> Workspace:
    """``workspace`` where a judge found the first ``wrong`` answers of ``system`` wrong and its others right."""
    with closing(workspace.connect()) as db:
        db.execute(
            "UPDATE audit_row SET corrected_state = 'scored', corrected_verdict ="
            " CASE WHEN CAST(substr(key, -4) AS INTEGER) < ? THEN 'wrong' ELSE 'right' END WHERE system = ?",
            (wrong, system),
        )
    return workspace


def designed(workspace: Workspace, *protocols: str, **more: Any) -> Design:
    """A design for all raters of ``workspace``; in what is not named the simplest there is."""
    with closing(workspace.connect()) as db:
        raters = tuple(row[0] for row in db.execute("SELECT id FROM rater ORDER BY id"))
    return Design(**{"title": "winter", "protocols": protocols, "language": "zh", "raters": raters, **more})


def answers_of(workspace: Workspace, system: str) -> dict[int, int]:
    """The answers of a system: number of the item -> response id."""
    with closing(workspace.connect()) as db:
        rows = db.execute("SELECT substr(key, -4), response_id FROM audit_row WHERE system = ?", (system,))
        return {int(row[0]): int(row[1]) for row in rows}


def systems_of(workspace: Workspace) -> dict[int, str]:
    """Whose each answer is, by response id."""
    with closing(workspace.connect()) as db:
        return dict(db.execute("SELECT response_id, system FROM audit_row").fetchall())


def items_of(workspace: Workspace) -> dict[int, int]:
    """To which instance each answer is, by response id."""
    with closing(workspace.connect()) as db:
        return dict(db.execute("SELECT id, instance_id FROM response").fetchall())


def rated(session: PlannedSession | Sequence[NewAssignment], kind: str = "rated") -> list[NewAssignment]:
    """The assignments of one kind, in their order."""
    assignments = session.assignments if isinstance(session, PlannedSession) else session
    return [entry for entry in assignments if entry.kind == kind]


def by_item(entries: Iterable[NewAssignment], items: dict[int, int]) -> dict[int, list[NewAssignment]]:
    """Assignments by the instance they are about, in their order."""
    found: dict[int, list[NewAssignment]] = defaultdict(list)
    for entry in entries:
        found[items[entry.response_id]].append(entry)
    return found


def told(plan: StudyPlan) -> set[str]:
    """The names of a plan's warnings."""
    return {entry.name for entry in plan.warnings}
