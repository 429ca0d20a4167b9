"""What the rating screen reads, each as one function for a pool thread with its own connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from engine.audio.source import opened
from engine.errors import EngineError
from engine.rating.practice import practised_too_long_ago
from engine.rating.protocols import Protocol
from engine.rating.voiced import Span, read_voiced, within
from engine.store.sittings import Stands, what_stands
from engine.store.studies import (
    AssignmentRow,
    SessionRow,
    Shown,
    assignments_of,
    protocol_declaration,
    session_of,
    study_of,
)
from engine.store.workspace import Workspace

#: The parts of an item that sound, in the order in which they are heard.
PARTS = ("question", "answer", "other")


@dataclass(frozen=True, slots=True)
class Session:
    """A session as it stood when the rater sat down.

    Attributes:
        is_disclosed: its owner has revealed the letters.
        stale: presentations of training that was rated too long ago and is held again.
    """

    row: SessionRow
    protocol: Protocol
    assignments: tuple[AssignmentRow, ...]
    said: Stands
    is_disclosed: bool = False
    stale: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Voiced:
    """Where the clips of an item speak, by their parts, and which of them cannot be played."""

    spans: Mapping[str, tuple[Span, ...]]
    broken: frozenset[str] = frozenset()


def read_session(workspace: Workspace, session_id: int) -> Session:
    """A session with all that was said at it before."""
    with closing(workspace.connect()) as db:
        row = session_of(db, session_id)
        protocol = Protocol.of(protocol_declaration(db, row.protocol_id))
        assignments = assignments_of(workspace, db, session_id)
        said = what_stands(db, session_id)
        is_disclosed = not study_of(db, row.study_id).is_sealed
    lengths: dict[Path, float | None] = {}
    shown = tuple(_with_lengths(one, lengths) for one in assignments)
    return Session(row, protocol, shown, said, is_disclosed, _stale(assignments, said, protocol))


def _stale(assignments: Sequence[AssignmentRow], said: Stands, protocol: Protocol) -> frozenset[int]:
    """The presentations of training that is to be held again; none where all else is done."""
    if all(row.kind == "training" or row.id in said.ratings or row.id in said.skipped for row in assignments):
        return frozenset()
    training = {row.id for row in assignments if row.kind == "training"}
    given = {
        number: max(datetime.fromisoformat(one.made_at) for one in ratings.values())
        for number, ratings in said.ratings.items()
    }
    again = practised_too_long_ago(given, training, protocol.training.again_after_min, datetime.now(UTC))
    return frozenset(one.presentation_id for number in again for one in said.ratings[number].values())


def clips_of(row: AssignmentRow, protocol: Protocol) -> dict[str, Shown]:
    """What sounds of an item under a protocol, by its part: nothing of one that is read."""
    found: dict[str, Shown] = {}
    if protocol.question in ("audio", "both") and row.question.sound is not None:
        found["question"] = row.question
        found |= {f"question_{i}": rest for i, rest in enumerate(row.question_rest, 2) if rest.sound is not None}
    if row.perceived in ("audio", "both"):
        found |= {part: clip for part, clip in (("answer", row.answer), ("other", row.other)) if clip is not None}
    return found


def read_voiced_of(clips: Mapping[str, Shown]) -> Voiced:
    """Where these clips speak, from where their playback begins; one that cannot be read is told apart."""
    spans: dict[str, tuple[Span, ...]] = {}
    broken = set()
    for part, clip in clips.items():
        try:
            if clip.sound is None:
                raise EngineError("rate.no_sound")
            spans[part] = within(read_voiced(clip.sound), clip.skip_s, clip.stop_s)
        except EngineError:  # its sentence names the file, and a rater must not see where it lies
            broken.add(part)
    return Voiced(spans, frozenset(broken))


def _with_lengths(row: AssignmentRow, lengths: dict[Path, float | None]) -> AssignmentRow:
    """The player reads ahead only what it knows the length of; a file that was never looked at tells it by its head."""

    def known(clip: Shown) -> Shown:
        if clip.sound is None or clip.duration_s is not None:
            return clip
        if clip.sound not in lengths:
            lengths[clip.sound] = _length_s(clip.sound)
        return replace(clip, duration_s=lengths[clip.sound])

    return replace(
        row,
        question=known(row.question),
        question_rest=tuple(map(known, row.question_rest)),
        answer=known(row.answer),
        other=None if row.other is None else known(row.other),
    )


def _length_s(path: Path) -> float | None:
    try:
        with opened(path) as source:
            return source.expected_frames / source.sample_rate_hz
    except EngineError:  # told when it is to be played
        return None
