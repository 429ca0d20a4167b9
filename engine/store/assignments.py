"""What is put before a rater, in order: clips and words, and nothing that tells whose they are."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Shown:
    """One clip as the rater meets it.

    Attributes:
        sound: its file; None where there is none. A file that is kept by reference may lie under a telling name, so
            it is for the player alone: it is never shown, logged or put in a tooltip, and left out of ``repr``.
        text: what it says, as far as it is known; the protocol decides whether and when it is shown.
        skip_s, stop_s, gain_db: the fix of the blind-leak check, on playback only: it plays from the one second to the
            other (None: to its end), and louder by the gain.
    """

    sound: Path | None = field(repr=False)
    duration_s: float | None
    text: str
    sha256: str | None = field(repr=False)
    skip_s: float = 0.0
    gain_db: float = 0.0
    stop_s: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier turn of the conversation that a question stands in."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class AssignmentRow:
    """One thing to rate, as a screen may hold it: no system, no run, no uid of an answer.

    Attributes:
        question: the first sound of what was asked, with its text; ``question_rest`` are further sounds of it.
        other: of a comparison, what is heard second.
        reference: the right answer to the question, for protocols that show it; empty where there is none.
        response_id, other_response_id: for the player's and the engine's use; never shown, left out of ``repr``.
    """

    id: int
    uid: str
    position: int
    kind: str
    letter: str
    other_letter: str | None
    instance_id: int
    question: Shown
    context: tuple[Turn, ...]
    answer: Shown
    other: Shown | None
    expected: dict[str, int | float | str] | None
    perceived: str
    dimension: str
    response_id: int = field(repr=False)
    other_response_id: int | None = field(repr=False)
    question_rest: tuple[Shown, ...] = ()
    reference: str = ""


def assignments_of(workspace: Workspace, db: sqlite3.Connection, session_id: int) -> tuple[AssignmentRow, ...]:
    """The assignments of a session in the order in which they are put; files are named, not looked for."""
    design = db.execute(
        "SELECT design FROM study JOIN session ON study_id = study.id WHERE session.id = ?", (session_id,)
    ).fetchone()
    fixes = json.loads(design[0]).get("fixes") or {} if design is not None else {}
    questions = _questions(workspace, db, session_id)
    rows = db.execute(f"{_ASSIGNMENTS} WHERE session_id = ? ORDER BY assignment.position", (session_id,))
    return tuple(_assignment(workspace, row, questions, fixes) for row in rows)


_CLIP = (
    " {0}.uid AS {0}_uid, {0}_audio.path AS {0}_path, {0}_audio.sha256 AS {0}_sha256,"
    " json_extract({0}_audio.facts, '$.duration_s') AS {0}_s,"
    " COALESCE(NULLIF({0}.text, ''), {0}_row.transcript, '') AS {0}_text"
)
_CLIP_FROM = (
    " LEFT JOIN audio AS {0}_audio ON {0}_audio.id = {0}.audio_id"
    " LEFT JOIN audit_row AS {0}_row ON {0}_row.response_id = {0}.id"
)
_ASSIGNMENTS = (
    "SELECT assignment.*, instance.id AS instance_id, instance.question, instance.context, instance.reference,"
    f"{_CLIP.format('answer')},{_CLIP.format('other')} FROM assignment"
    f" JOIN response AS answer ON answer.id = assignment.response_id{_CLIP_FROM.format('answer')}"
    f" LEFT JOIN response AS other ON other.id = assignment.other_response_id{_CLIP_FROM.format('other')}"
    " JOIN instance ON instance.id = answer.instance_id"
)
_QUESTIONS = (
    "SELECT DISTINCT instance_audio.instance_id, part, path, sha256, json_extract(facts, '$.duration_s') AS seconds"
    " FROM assignment JOIN response ON response.id = assignment.response_id"
    " JOIN instance_audio ON instance_audio.instance_id = response.instance_id"
    " JOIN audio ON audio.id = instance_audio.audio_id WHERE session_id = ? ORDER BY 1, 2"
)


def _questions(workspace: Workspace, db: sqlite3.Connection, session_id: int) -> dict[int, list[Shown]]:
    found: dict[int, list[Shown]] = {}
    for row in db.execute(_QUESTIONS, (session_id,)):
        shown = Shown(workspace.audio / row["path"], row["seconds"], "", row["sha256"])
        found.setdefault(row["instance_id"], []).append(shown)
    return found


def _assignment(
    workspace: Workspace, row: sqlite3.Row, questions: Mapping[int, list[Shown]], fixes: Mapping[str, Any]
) -> AssignmentRow:
    first, *rest = questions.get(row["instance_id"], [Shown(None, None, "", None)])
    context = json.loads(row["context"]) if row["context"] else []
    return AssignmentRow(
        row["id"], row["uid"], row["position"], row["kind"], row["letter"], row["other_letter"], row["instance_id"],
        Shown(first.sound, first.duration_s, row["question"], first.sha256),
        tuple(Turn(str(turn.get("role", "")), str(turn.get("text", ""))) for turn in context),
        _clip(workspace, row, "answer", fixes),
        None if row["other_response_id"] is None else _clip(workspace, row, "other", fixes),
        None if row["expected"] is None else json.loads(row["expected"]), row["perceived"], row["dimension"],
        row["response_id"], row["other_response_id"], tuple(rest), row["reference"] or "",
    )  # fmt: skip


def _clip(workspace: Workspace, row: sqlite3.Row, name: str, fixes: Mapping[str, Any]) -> Shown:
    path = row[f"{name}_path"]
    skip_s, gain_db, *stop = fixes.get(row[f"{name}_uid"]) or (0.0, 0.0)
    sound = None if path is None else workspace.audio / path
    return Shown(sound, row[f"{name}_s"], row[f"{name}_text"], row[f"{name}_sha256"], skip_s, gain_db, *stop)
