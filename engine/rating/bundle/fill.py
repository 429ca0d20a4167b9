"""Fills the workspace of a bundle: sounds as its audio, items as instances, answers as those of one hidden system."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Generator, Mapping
from dataclasses import asdict
from pathlib import Path

from engine.audio.read import inspect_audio
from engine.benchmarks.values import AudioRef, Instance, Turn
from engine.errors import EngineError
from engine.progress import Progress
from engine.rating.bundle.clips import check_clip
from engine.rating.bundle.contents import Contents, Given
from engine.rating.bundle.seal import Sealed
from engine.store.audio import set_facts, take_audio
from engine.store.benchmarks import add_instances
from engine.store.given_studies import GivenAssignment, GivenSession, GivenStudy, put_given_study
from engine.store.responses import NewResponse, add_responses, instance_ids, system_id
from engine.store.runs import begin_run, end_run
from engine.store.studies import keep_protocol
from engine.store.transaction import transaction
from engine.store.workspace import Workspace

HIDDEN = "hidden"  # the one system of such a workspace
_BENCHMARK, _SUBSET = "bundle", "items"


def take_sounds(
    db: sqlite3.Connection, workspace: Workspace, sealed: Sealed, contents: Contents
) -> Generator[Progress, None, dict[str, tuple[int, Path]]]:
    """Each sound into the workspace, checked; returns its row and where it lies, by its id."""
    taken: dict[str, tuple[int, Path]] = {}
    for done, sound in enumerate(contents.sounds, start=1):
        data = b"".join(sealed.pieces(f"audio/{sound.id}.flac"))
        try:
            check_clip(data, sound.frames)
        except ValueError as error:
            raise EngineError("bundle.bad_rows", path=str(sealed.path), why=f"audio/{sound.id}.flac") from error
        file = workspace.folder / f"{sound.id}.flac"
        file.write_bytes(data)
        with transaction(db):
            number = take_audio(db, workspace, file, "copy")
            set_facts(db, number, asdict(inspect_audio(file)))
            kept = workspace.audio / db.execute("SELECT path FROM audio WHERE id = ?", (number,)).fetchone()[0]
        file.unlink()
        taken[sound.id] = (number, kept)
        yield Progress(done, len(contents.sounds), "sound")
    return taken


def put_rows(
    db: sqlite3.Connection, workspace: Workspace, contents: Contents, audio: Mapping[str, tuple[int, Path]]
) -> None:
    """Everything but the sounds, which ``take_sounds`` has put there. Raises what the store raises for odd rows."""
    answers = _put_answers(db, workspace, contents, audio)
    protocols = {
        entry.sha256: keep_protocol(
            db,
            name=entry.name,
            version=entry.version,
            language=entry.language,
            sha256=entry.sha256,
            declaration=entry.declaration,
        )
        for entry in contents.protocols
    }
    sessions = [
        GivenSession(one.uid, protocols[one.protocol], one.number, [_assignment(given, answers) for given in one.given])
        for one in contents.passes
    ]
    given = GivenStudy(contents.study, contents.title, contents.rater, contents.rater_name, contents.language, sessions)
    names = [entry.name for entry in contents.protocols]
    put_given_study(db, given, {"protocols": names, "language": contents.protocols[0].language, "fixes": {}})


def _put_answers(
    db: sqlite3.Connection, workspace: Workspace, contents: Contents, audio: Mapping[str, tuple[int, Path]]
) -> dict[str, int]:
    """Items as instances, answers as responses of the one hidden system; the rows of answers by their ids."""
    instances = [
        Instance(
            _BENCHMARK,
            _SUBSET,
            item.id,
            place,
            item.question,
            context=tuple(Turn("assistant" if role == "assistant" else "user", text) for role, text in item.context),
            audio=tuple(AudioRef(f"{clip}.flac", audio[clip][1]) for clip in item.clips),
        )
        for place, item in enumerate(contents.items)
    ]
    add_instances(db, workspace, _BENCHMARK, Path(_BENCHMARK), instances, keep="copy")
    numbers = instance_ids(db, _BENCHMARK)
    repeats: Counter[str] = Counter()
    rows = []
    for answer in contents.answers:
        clip = None if answer.clip is None else audio[answer.clip][0]
        instance = numbers[(_SUBSET, answer.item)]
        rows.append(NewResponse(instance, "answered", answer.text, clip, {}, repeat=repeats[answer.item]))
        repeats[answer.item] += 1
    run = begin_run(db, "import", {})
    with transaction(db):
        added, _ = add_responses(db, run, system_id(db, HIDDEN, "recorded"), rows, {})
    end_run(db, run, "done")
    return {answer.id: number for answer, number in zip(contents.answers, added, strict=True)}


def _assignment(given: Given, answers: Mapping[str, int]) -> GivenAssignment:
    return GivenAssignment(
        given.uid,
        given.position,
        given.kind,
        answers[given.answer],
        given.letter,
        given.perceived,
        given.dimension,
        None if given.other is None else answers[given.other],
        given.other_letter,
        given.expected,
    )
