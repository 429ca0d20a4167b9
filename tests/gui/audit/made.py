"""A small workspace with answers right and wrong, failed and unjudged, made through the importers."""

from __future__ import annotations

from pathlib import Path

from engine.benchmarks.values import OutsideJudgement
from engine.runs.imports import take_judgements, take_responses
from engine.store.workspace import Workspace, open_workspace
from tests.engine.runs.made import response, tone, with_benchmark

HOSTILE = (
    "\u202eright to left\u202c <b>html</b> \x00\x07 e" + "\u0301" * 40 + " 👩‍👩‍👧‍👦 שלום",
    "长" * 100_000,
    "zero\u200bwidth\u200b\u2066isolate",
)


def finish(work):
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def workspace_with_answers(folder: Path, count: int = 12) -> Workspace:
    """Two systems: ``steady`` answers ``count`` instances, right but each third; ``broken`` two, one of them failed."""
    workspace = open_workspace(folder, create=True)
    with_benchmark(workspace, "chinese_knowledge", "single_round", count=count)
    sound = tone(folder.parent / "tone.wav")
    answers = [response(n, "少林寺" if n % 3 else "竹篮", audio=sound if n == 0 else None) for n in range(count)]
    answers += [response(n, f"第{n}首诗", "single_round") for n in range(3)]
    judged = [
        OutsideJudgement("chinese_knowledge", f"chinese_knowledge-{n:04d}", "knowledge", "scored",
                         "correct" if n % 3 else "incorrect", system="steady", maker_name="own")
        for n in range(count - 1)
    ]  # fmt: skip
    judged.append(
        OutsideJudgement(
            "single_round", "single_round-0000", "single_round", "scored", None, 4.0, system="steady", maker_name="own"
        )
    )
    finish(take_responses(workspace, "vocalbench_zh", "steady", answers))
    finish(
        take_responses(
            workspace,
            "vocalbench_zh",
            "broken",
            [response(0, None, error="timed out after 60 s"), response(1, HOSTILE[0])],
        )
    )
    db = workspace.connect()
    take_judgements(db, "vocalbench_zh", judged)
    db.close()
    return workspace
