"""A small workspace with spoken questions and answers of two systems, and sessions over them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import soundfile

from engine.benchmarks.values import AudioRef, Instance, RecordedResponse
from engine.rating.protocols import load_protocol
from engine.runs.imports import take_responses
from engine.store.benchmarks import add_instances
from engine.store.raters import add_rater
from engine.store.studies import NewAssignment, NewSession, NewStudy, add_study, keep_protocol, sessions_of
from engine.store.workspace import Workspace, open_workspace

#: Names that stand nowhere else, so that a test can look for them.
SYSTEMS = ("Zephyrine-Omni", "Basaltine-7B")
RATE_HZ = 16_000
#: Seconds of a question and of an answer, and where the answer speaks.
QUESTION_S, ANSWER_S = 0.8, 1.6
SPOKEN = ((0.2, 0.6), (1.0, 1.4))


def speech(seconds: float, spoken: Sequence[tuple[float, float]], hz: float) -> np.ndarray:
    """A tone where something is said, silence elsewhere."""
    time = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    heard = np.zeros(len(time))
    for start, end in spoken:
        inside = (time >= start) & (time < end)
        heard[inside] = 0.3 * np.sin(2 * np.pi * hz * time[inside])
    return heard


def spoken_workspace(folder: Path, count: int = 4) -> Workspace:
    """``count`` instances, each with a spoken question and an answer of each system, all of them told apart."""
    workspace = open_workspace(folder / "w", create=True)
    sounds = folder / "sounds"
    sounds.mkdir()
    instances, answers = [], {system: [] for system in SYSTEMS}
    for number in range(count):
        asked = sounds / f"q{number}.wav"
        soundfile.write(asked, speech(QUESTION_S, [(0.1, 0.7)], 200 + number), RATE_HZ)
        question = f"今天面试又没通过，我都不知道该怎么跟家里说。（{number}）"
        instances.append(
            Instance(
                "vocalbench_zh", "emotion", f"emotion-{number:04d}", number, question, "先安慰，再出主意。", "sad",
                audio=(AudioRef(asked.name, asked),),
            )
        )  # fmt: skip
        for place, system in enumerate(SYSTEMS):
            said = sounds / f"{system}-{number}.wav"
            soundfile.write(said, speech(ANSWER_S, SPOKEN, 300 + 50 * place + number), RATE_HZ)
            text = f"先别急，喝口水，慢慢说给我听。我在。（{number}、{place}）"
            answers[system].append(RecordedResponse("emotion", f"emotion-{number:04d}", text, said))
    with_db = workspace.connect()
    add_instances(with_db, workspace, "vocalbench_zh", folder, instances)
    with_db.close()
    for system in SYSTEMS:
        for _ in take_responses(workspace, "vocalbench_zh", system, answers[system]):
            pass
    return workspace


def session_of_all(
    workspace: Workspace,
    protocol: str = "empathy_acoustic",
    language: str = "en",
    count: int | None = None,
    training: int = 0,
    fixes: dict | None = None,
    rater: str = "林",
) -> int:
    """A session over all answers, one after the other (pairs where the protocol compares); its row's number."""
    held = load_protocol(protocol, language)
    db = workspace.connect(durable=True)
    first, second = ([row[0] for row in db.execute(_ANSWERS, (system,))] for system in SYSTEMS)
    if held.compares:
        pairs = [
            (one, {"other_response_id": other, "other_letter": "B"}) for one, other in zip(first, second, strict=True)
        ]
    else:
        pairs = [(one, {}) for both in zip(first, second, strict=True) for one in both]
    made = [
        NewAssignment(
            "training" if place < training else "rated", number, "AB"[place % 2] if not more else "A", held.perceived,
            held.dimension, "random", 0.5, "", "test", "estimation",
            expected={held.main.id: held.main.steps[3 % len(held.main.steps)].value} if place < training else None,
            **more,
        )
        for place, (number, more) in enumerate(pairs[:count])
    ]  # fmt: skip
    kept = keep_protocol(
        db, name=held.id, version=held.version, language=language, sha256=held.sha256, declaration=held.declaration()
    )
    by = add_rater(db, rater, language)
    design = {"fixes": fixes or {}}
    study = add_study(
        db, NewStudy("winter", 7, "random", "estimation", design, None, [NewSession(by.id, kept, 1, made)])
    )
    row = sessions_of(db, study_id=study)[0]
    db.close()
    return row.id


_ANSWERS = (
    "SELECT response.id FROM response JOIN system ON system.id = system_id JOIN instance ON instance.id = instance_id"
    " WHERE system.name = ? ORDER BY position"
)
