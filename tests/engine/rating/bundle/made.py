"""A workspace of two systems' answers and a study of them by two raters; and a rater who rates as told."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import soundfile

from engine.benchmarks.values import AudioRef, Instance, Turn
from engine.rating.protocols import load_protocol
from engine.runs.imports import take_responses
from engine.store.benchmarks import add_instances
from engine.store.raters import Rater, add_rater
from engine.store.sittings import Heard, Remark, begin_sitting, commit, present
from engine.store.studies import (
    NewAssignment,
    NewSession,
    NewStudy,
    add_study,
    assignments_of,
    keep_protocol,
    sessions_of,
)
from engine.store.workspace import Workspace, open_workspace
from tests.engine.runs.made import response

SYSTEMS = ("Qwen2.5-Omni-Zebra", "glm4voice-yak")
TITLE = "Qwen2.5-Omni-Zebra against glm4voice-yak"


def sound(
    path: Path, hz: float, rate: int, seconds: float = 0.4, lead: float = 0.0, level: float = 0.3, tail: float = 0.0
) -> Path:
    """A tone in a WAV file that tells a lot of where it came from: rate, tags, name."""
    time = np.arange(int(seconds * rate)) / rate
    tone = level * np.sin(2 * np.pi * hz * time)
    path.parent.mkdir(parents=True, exist_ok=True)
    with soundfile.SoundFile(path, "w", rate, 1, "PCM_16") as file:
        file.title, file.artist, file.software = "made by Zebra", "yak", "Qwen vocoder"
        file.write(np.concatenate([np.zeros(int(lead * rate)), tone, np.zeros(int(tail * rate))]))
    return path


def owner(tmp_path: Path, finish, *, items: int = 3, tail: float = 0.0) -> Workspace:
    """Both systems' spoken answers to ``items`` spoken questions, each system with a rate of its own."""
    workspace = open_workspace(tmp_path / "owner", create=True)
    made = [
        Instance(
            "vocalbench_zh",
            "chinese_knowledge",
            f"chinese_knowledge-{n:04d}",
            n,
            f"第 {n} 个问题",
            context=(Turn("user", "你好"), Turn("assistant", "你好呀")),
            audio=(AudioRef(f"q{n}.wav", sound(tmp_path / "questions" / f"q{n}.wav", 200.0 + n, 16_000)),),
        )
        for n in range(items)
    ]
    with closing(workspace.connect()) as db:
        add_instances(db, workspace, "vocalbench_zh", Path("made"), made)
    for place, (system, rate) in enumerate(zip(SYSTEMS, (24_000, 16_000))):
        answers = [
            response(
                n,
                f"回答 {place} {n}",
                audio=sound(tmp_path / system / f"{n}.wav", 300 + 50 * place + n, rate, lead=0.1, tail=tail),
            )
            for n in range(items)
        ]
        finish(take_responses(workspace, "vocalbench_zh", system, answers))
    return workspace


def responses(workspace: Workspace) -> dict[tuple[str, int], tuple[int, str]]:
    """Row and uid of each answer by system and number of the question."""
    with closing(workspace.connect()) as db:
        rows = db.execute(
            "SELECT system.name, instance.position, response.id, response.uid FROM response"
            " JOIN system ON system.id = system_id JOIN instance ON instance.id = instance_id"
        ).fetchall()
    return {(row[0], row[1]): (row[2], row[3]) for row in rows}


def study(
    workspace: Workspace,
    protocol: str = "empathy_acoustic",
    names: tuple[str, ...] = ("甲", "rater-b"),
    fixes: Mapping[str, list[float]] | None = None,
    language: str = "zh",
) -> tuple[int, tuple[Rater, ...]]:
    """A study of every answer by each rater in an order of their own, with gold, a trap and a hidden repeat."""
    read = load_protocol(protocol, language)
    known = responses(workspace)
    items = sorted({number for _, number in known})
    with closing(workspace.connect(durable=True)) as db:
        kept = keep_protocol(
            db,
            name=read.id,
            version=read.version,
            language=language,
            sha256=read.sha256,
            declaration=read.declaration(),
        )
        raters = tuple(add_rater(db, name, language) for name in names)
        sessions = []
        for turned, rater in enumerate(raters):
            order = [(system, n) for n in items for system in (SYSTEMS if turned % 2 == 0 else SYSTEMS[::-1])]
            rows = []
            for system, n in order:
                letter = "AB"[(SYSTEMS.index(system) + n) % 2]
                other = known[(SYSTEMS[1 - SYSTEMS.index(system)], n)][0]
                pair = {"other_response_id": other, "other_letter": "AB".replace(letter, "")} if read.compares else {}
                rows.append(assignment("rated", known[(system, n)][0], letter, read, **pair))
            first = replace(rows[0], pi=None)
            rows.insert(0, replace(first, kind="training", letter="A", expected={read.main.id: 3}))
            rows.append(replace(first, kind="gold", letter="B", expected={read.main.id: 5}))
            rows.append(replace(first, kind="trap", letter="A", expected={read.main.id: 1}))
            rows.append(replace(first, kind="repeat", letter="B", repeats=1))
            sessions.append(NewSession(rater.id, kept, 1, rows))
        design = {"fixes": dict(fixes or {}), "systems": list(SYSTEMS), "query": "system:Zebra"}
        number = add_study(db, NewStudy(TITLE, 7, "stratified", "estimation", design, {"cues": ["Zebra"]}, sessions))
    return number, raters


def assignment(kind: str, response_id: int, letter: str, read, **more) -> NewAssignment:
    return NewAssignment(
        kind, response_id, letter, read.perceived, read.dimension, "stratified", 0.5, "verdict:yes", "dev",
        "estimation", **more,
    )  # fmt: skip


def rate(workspace: Workspace, step: int = 0, *, only: int | None = None) -> int:
    """Rate the items of a workspace's first session that were not rated at the end; how many were."""
    with closing(workspace.connect(durable=True)) as db:
        (session, *_) = sessions_of(db)
        sitting = begin_sitting(db, session.rater_id, device="headphones", sample_rate_hz=48_000, setup={"level": 0.2})
        rows = assignments_of(workspace, db, session.id)[:only]
        for row in rows:
            shown = present(db, row.id, sitting, {})
            values = {"empathy_acoustic": 1 + (row.position + step) % 5, "emotion_heard": "neutral"}
            heard = [Heard("answer", ((0.0, 0.4, 1.0),), 1.0)]
            remarks = [Remark("note", f"备注 {row.position}")] if row.position == 2 else []
            commit(db, shown, values, heard, remarks, active_s=2.5)
    return len(rows)
