"""What came of a rating session: ``auricle rate results``, ``quality`` and ``methods``."""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli.console import (
    ExclusiveOption,
    JsonOption,
    ReplaceOption,
    WorkspaceOption,
    language,
    open_or_stop,
    print_json,
)
from engine.cli.rating_words import (
    OWNERS_NAMES,
    listed_name,
    owners_word,
    said,
    session_said,
    standing_of,
)
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.rating.values import Protocol
    from engine.store.raters import Rater
    from engine.store.rating_rows import RatingRow
    from engine.store.studies import StudyRow

StudyArgument = Annotated[str, typer.Argument(metavar="STUDY", help="Its number, title or uid (`auricle rate list`).")]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Of the bootstrap; without it the session's own.")]


def results(
    study: StudyArgument,
    seed: SeedOption = None,
    as_json: JsonOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Means or shares with intervals, differences, comparisons and agreement; with and without raters set aside."""
    from engine.rating.quality_sentences import screening_said, side_by_side_said
    from engine.rating.result_sentences import sentences
    from engine.rating.told import results_told
    from engine.store.raters import OWNER

    names = {} if as_json else {OWNER: owners_word(OWNER)}
    with closing(open_or_stop(workspace, exclusive=exclusive, only_reading=True).connect()) as db:
        found = study_named(db, study)
        parts = [
            (protocol, results_told(db, found.id, protocol, seed=seed, raters=names).sides)
            for protocol in _protocols(db, found)
        ]
    if as_json:
        told = [
            {"protocol": protocol.id, "screened": both.screened.declaration(),
             "everyone": both.everyone.declaration(), "without": both.without.declaration()}
            for protocol, both in parts
        ]  # fmt: skip
        print_json({"study": found.uid, "title": found.title, "is_sealed": found.is_sealed, "results": told})
        return
    if found.is_sealed:
        print(said("together"), file=sys.stderr)
    print(session_said(found))
    for protocol, both in parts:
        print(f"\n{protocol.title}")
        lines = [*sentences(both.everyone, language()), *screening_said(both.screened, language())]
        lines += side_by_side_said(both, language()) if both.screened.set_aside else ()
        for line in lines:
            print(f"- {line}")


def quality(
    study: StudyArgument,
    as_json: JsonOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """How each rater rated: bias, use of the scale, hidden repeats, known items, time; and the rules of screening."""
    from engine.rating.quality import rater_quality
    from engine.rating.quality_sentences import quality_said, screening_said
    from engine.rating.screening import screened

    with closing(open_or_stop(workspace, exclusive=exclusive, only_reading=True).connect()) as db:
        found = study_named(db, study)
        parts = [
            (protocol, rater_quality(rows, protocol), screened(rows, protocol))
            for protocol in _protocols(db, found)
            for rows in [_rows(db, found, protocol, as_json)]
        ]
    if as_json:
        print_json(
            [
                {"protocol": protocol.id, "raters": [one.declaration() for one in raters],
                 "screened": rules.declaration()}
                for protocol, raters, rules in parts
            ]
        )  # fmt: skip
        return
    print(session_said(found))
    for protocol, raters, rules in parts:
        print(f"\n{protocol.title}")
        for one in raters:
            print(f"- {one.rater} ({one.n})")
            for line in quality_said(one, language()):
                print(f"    {line}")
        for line in screening_said(rules, language()):
            print(f"- {line}")


def methods(
    study: StudyArgument,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="A .md or .json file; else it is printed.")] = None,
    spoken: Annotated[str | None, typer.Option("--language", help="zh or en.")] = None,
    as_json: JsonOption = False,
    replace_file: ReplaceOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """The methods paragraph, and what is kept with the session: as Markdown, or as JSON with all of it."""
    import json

    from engine.audio.write import write_bytes
    from engine.rating.methods import methods_of

    if spoken not in (None, "zh", "en"):
        raise typer.BadParameter("zh, en", param_hint="--language")
    if out is not None and out.exists() and not replace_file:
        raise EngineError("exchange.exists", path=str(out))
    with closing(open_or_stop(workspace, exclusive=exclusive, only_reading=True).connect()) as db:
        asked = study_named(db, study)
        found = methods_of(db, asked.id, spoken or language())
    is_json = as_json or (out is not None and out.suffix.lower() == ".json")
    if out is None and is_json:
        print_json(found.declaration())
    elif out is None:
        print(found.markdown(), end="")
    else:
        written = json.dumps(found.declaration(), ensure_ascii=False, indent=1) if is_json else found.markdown()
        write_bytes(out, written.encode())
        print(said("methods_written", path=out, study=session_said(asked)))


def study_named(db: sqlite3.Connection, named: str) -> StudyRow:
    """A study by its number, uid or title.

    Raises EngineError ``rate_verb.no_such_study``, and ``rate_verb.several_studies`` where a title names several.
    """
    from engine.store.studies import studies_of

    known = studies_of(db)
    for study in known:
        if named in (str(study.id), study.uid):
            return study
    titled = [study for study in known if study.title == named]
    if not titled:
        raise EngineError("rate_verb.no_such_study", study=named)
    if len(titled) > 1:
        told = said("between").join(standing_of(study) for study in titled)
        raise EngineError("rate_verb.several_studies", study=named, studies=told)
    return titled[0]


def rater_named(db: sqlite3.Connection, named: str) -> Rater:
    """A rater by name or uid; any of ``OWNERS_NAMES`` is the owner. Raises EngineError ``rate_verb.no_such_rater``."""
    from engine.store.raters import owner_of, raters_of

    if named.strip().lower() in OWNERS_NAMES:
        return owner_of(db)
    known = raters_of(db)
    for rater in known:
        if named in (rater.name, rater.uid):
            return rater
    raise EngineError("rate_verb.no_such_rater", rater=named, known=list(map(listed_name, known)) or "–")


def raters_in(db: sqlite3.Connection, study: StudyRow, named: Sequence[str] | None) -> tuple[Rater, ...]:
    """The raters of a study that were named, else all but the owner; raises EngineError where that is nobody."""
    from engine.store.raters import raters_of
    from engine.store.studies import sessions_of

    if named:
        return tuple(rater_named(db, name) for name in named)
    there = {session.rater_id for session in sessions_of(db, study_id=study.id)}
    found = tuple(rater for rater in raters_of(db) if rater.id in there and not rater.is_owner)
    if not found:
        raise EngineError("rate_verb.nobody_else", study=session_said(study))
    return found


def study_told(study: StudyRow) -> dict[str, Any]:
    """A study for JSON, without what would tell which letter is which system."""
    told = asdict(study)
    told["design"] = {name: value for name, value in told["design"].items() if name != "fixes"}
    if study.is_sealed and study.leaks is not None:
        told["leaks"] = {name: value for name, value in study.leaks.items() if name != "name_sayers"}
    return told


def file_name(title: str, rest: str, suffix: str) -> str:
    """A name that every file system takes."""
    plain = re.sub(r'[\\/:*?"<>|\s\x00-\x1f]+', "-", f"{title} {rest}".strip()).strip("-.")
    return f"{plain[:80] or 'auricle'}{suffix}"


def _protocols(db: sqlite3.Connection, study: StudyRow) -> list[Protocol]:
    """The protocols of a study in the order of its passes."""
    from engine.rating.values import Protocol
    from engine.store.studies import protocol_declaration, sessions_of

    ids = dict.fromkeys(one.protocol_id for one in sorted(sessions_of(db, study_id=study.id), key=lambda s: s.number))
    return [Protocol.of(protocol_declaration(db, protocol_id)) for protocol_id in ids]


def _rows(db: sqlite3.Connection, study: StudyRow, protocol: Protocol, as_json: bool) -> list[RatingRow]:
    """What was rated. Sentences call the owner by the word of the user's language, JSON by the name in the store."""
    from engine.store.rating_rows import rating_rows

    rows = rating_rows(db, study.id, before_reveal=protocol.reveals == "after_commit")
    return [row if as_json else replace(row, rater=owners_word(row.rater)) for row in rows]
