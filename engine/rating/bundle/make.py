"""Makes the bundle of one rater: what they perceive and are asked, in their order, and nothing that tells a system."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.progress import Progress
from engine.rating.bundle.clips import Clip, Nature, encoded, nature_of
from engine.rating.bundle.contents import Answer, Contents, Given, Item, KeptProtocol, Pass, Sound
from engine.rating.bundle.keys import SigningKey, own_key
from engine.rating.bundle.seal import ROWS, SealWriter, json_bytes, sealing
from engine.rating.values import Protocol
from engine.store.raters import Rater, raters_of
from engine.store.studies import (
    AssignmentRow,
    SessionRow,
    Shown,
    StudyRow,
    assignments_of,
    protocol_declaration,
    sessions_of,
    study_of,
)
from engine.store.workspace import Workspace

_HIDDEN_KINDS = {"gold", "trap", "repeat"}  # they look like any other


def make_bundle(
    workspace: Workspace,
    study_id: int,
    rater_id: int,
    target: Path,
    *,
    replace: bool = False,
    key: SigningKey | None = None,
) -> Generator[Progress, None, Path]:
    """Write the signed bundle of one rater's passes to ``target``; yields after each clip; the workspace is only read.

    It is there whole at the end, or not at all. Names, uids and times of answers, systems, runs and files stay here;
    so do letters' systems, gold values, strata and probabilities. Playback fixes of the study are baked into the clips.

    Args:
        key: signs in place of this installation's own.

    Raises EngineError ``bundle.exists``, ``bundle.nothing_assigned``, ``bundle.no_sound``, ``bundle.cannot_write``,
    ``rating.no_such_study``.
    """
    if target.exists() and not replace:
        raise EngineError("bundle.exists", path=str(target))
    study, rater, gathered = gathered_of(workspace, study_id, rater_id)
    signer = key or own_key()
    with sealing(target) as writer:
        sounds = yield from _write_clips(writer, gathered)
        writer.add(ROWS, json_bytes(gathered.contents(study.uid, rater, sounds).rows()))
        writer.close("bundle", {"study": study.uid, "rater": rater.uid}, signer)
    return target


def gathered_of(workspace: Workspace, study_id: int, rater_id: int) -> tuple[StudyRow, Rater, Gathered]:
    """What a rater is given of a study, for files that leave this workspace.

    Raises EngineError ``bundle.nothing_assigned`` and ``rating.no_such_study``.
    """
    with closing(workspace.connect()) as db:
        study = study_of(db, study_id)
        rater = next((rater for rater in raters_of(db) if rater.id == rater_id), None)
        sessions = sessions_of(db, study_id=study_id, rater_id=rater_id)
        if rater is None or not any(session.planned for session in sessions):
            name = str(rater_id) if rater is None else rater.name
            raise EngineError("bundle.nothing_assigned", rater=name, study=study.title, number=study.id)
        return study, rater, _gather(workspace, db, sessions)


@dataclass(slots=True)
class Gathered:
    """What goes into a bundle, as it is found: each sound, item and answer once, each under an id of chance."""

    clips: dict[Clip, str] = field(default_factory=dict)
    items: dict[int, dict[str, Any]] = field(default_factory=dict)
    answers: dict[int, dict[str, Any]] = field(default_factory=dict)
    passes: list[Pass] = field(default_factory=list)
    protocols: dict[str, KeptProtocol] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)
    places: dict[Clip, int] = field(default_factory=dict)  # the first position at which each is heard

    def nature_of(self, clip: Clip) -> Nature:
        """As ``clips.nature_of``; raises EngineError ``bundle.no_sound`` with the place of what cannot be heard."""
        try:
            return nature_of(clip)
        except EngineError as error:
            raise EngineError("bundle.no_sound", position=self.places[clip], why=error.values["why"]) from error

    def contents(self, study: str, rater: Rater, sounds: Sequence[Sound]) -> Contents:
        """All of it, in an order of chance where order says nothing."""
        language = next(iter(self.protocols.values())).language
        return Contents(
            study,
            " · ".join(dict.fromkeys(self.titles)),  # the owner's title may name systems
            rater.uid,
            rater.name,
            rater.language or language,
            tuple(self.protocols.values()),
            tuple(sounds),
            tuple(Item(**told) for told in sorted(self.items.values(), key=lambda told: told["id"])),
            tuple(Answer(**told) for told in sorted(self.answers.values(), key=lambda told: told["id"])),
            tuple(self.passes),
        )

    def take(self, row: AssignmentRow, protocol: Protocol) -> Given:
        """One assignment, with as much of its question and answers as the protocol lets a rater perceive."""
        is_training = row.kind == "training"
        other = None
        if row.other is not None and row.other_response_id is not None:
            other = self._answer(row, row.other_response_id, row.other, protocol)
        return Given(
            row.uid,
            row.position,
            "rated" if row.kind in _HIDDEN_KINDS else row.kind,
            self._answer(row, row.response_id, row.answer, protocol),
            row.letter,
            other,
            row.other_letter,
            row.perceived,
            row.dimension,
            row.expected if is_training else None,
        )

    def _answer(self, row: AssignmentRow, number: int, shown: Shown, protocol: Protocol) -> str:
        item = self._item(row, protocol)
        told = self.answers.setdefault(number, {"id": _chance(), "item": item, "clip": None, "text": ""})
        if row.perceived != "text" and shown.sound is not None:
            told["clip"] = self._clip(row, shown)
        if row.perceived != "audio" or protocol.reveals != "never":
            told["text"] = shown.text
        return str(told["id"])

    def _item(self, row: AssignmentRow, protocol: Protocol) -> str:
        told = self.items.setdefault(row.instance_id, {"id": _chance(), "question": "", "clips": (), "context": ()})
        if protocol.question != "none":
            told["question"] = row.question.text
            told["context"] = tuple((turn.role, turn.text) for turn in row.context)
        if protocol.question in ("audio", "both"):
            heard = (row.question, *row.question_rest)
            told["clips"] = tuple(self._clip(row, shown) for shown in heard if shown.sound is not None)
        return str(told["id"])

    def _clip(self, row: AssignmentRow, shown: Shown) -> str:
        assert shown.sound is not None
        clip = Clip(shown.sound, shown.skip_s, shown.stop_s, shown.gain_db)
        self.places.setdefault(clip, row.position)
        return self.clips.setdefault(clip, _chance())


def _gather(workspace: Workspace, db: sqlite3.Connection, sessions: Sequence[SessionRow]) -> Gathered:
    gathered = Gathered()
    for session in sorted(sessions, key=lambda one: one.number):
        declaration = protocol_declaration(db, session.protocol_id)
        declaration["planning"].pop("meant_for", None)  # it names the benchmark that the questions are of
        protocol = Protocol.of(declaration)
        kept = KeptProtocol(
            session.protocol_name,
            session.protocol_version,
            session.language,
            session.protocol_sha256,
            _for_raters(declaration),
        )
        gathered.protocols[session.protocol_sha256] = kept
        gathered.titles.append(protocol.title)
        given = tuple(gathered.take(row, protocol) for row in assignments_of(workspace, db, session.id))
        gathered.passes.append(Pass(session.uid, session.number, session.protocol_sha256, given))
    return gathered


def _for_raters(declaration: Mapping[str, Any]) -> dict[str, Any]:
    """A protocol without the benchmarks it is meant for: they say where the questions come from, and are no rule."""
    planning = {name: value for name, value in declaration["planning"].items() if name != "meant_for"}
    return {**declaration, "planning": planning}


def _write_clips(writer: SealWriter, gathered: Gathered) -> Generator[Progress, None, list[Sound]]:
    """Two readings: what all clips must fit, then each clip so; in the order of their random ids.

    Each reading counts a clip for half, so that what is told is out of as many clips as there are.
    """
    total = len(gathered.clips)
    peak, is_stereo = 1.0, False
    for done, clip in enumerate(gathered.clips, start=1):
        nature = gathered.nature_of(clip)
        peak, is_stereo = max(peak, nature.peak), is_stereo or nature.is_stereo
        yield Progress(done // 2, total, "sound")
    sounds = []
    for done, (clip, name) in enumerate(sorted(gathered.clips.items(), key=lambda entry: entry[1]), start=1):
        data, frames = encoded(clip, attenuation=1 / peak, is_stereo=is_stereo)
        writer.add(f"audio/{name}.flac", data)
        sounds.append(Sound(name, frames))
        yield Progress((total + done) // 2, total, "sound")
    return sounds


def _chance() -> str:
    return secrets.token_hex(16)
