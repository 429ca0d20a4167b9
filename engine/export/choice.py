"""Which answers are taken out: those of a filter, of a playlist, or of a list of uids."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError
from engine.query.fields import Method
from engine.query.grammar import parse
from engine.query.ranks import SortKey
from engine.query.records import ids_of_uids
from engine.query.rows import sorted_ids
from engine.query.selection import Selection
from engine.store.evidence import Span
from engine.store.playlists import entries_of, playlists_of


@dataclass(frozen=True, slots=True)
class Chosen:
    """Answers by id, in order, and the spans of some of them that were asked for, by id."""

    ids: tuple[int, ...]
    spans: dict[int, tuple[Span, ...]]


def chosen_by(
    db: sqlite3.Connection, selection: Selection, method: Method = "corrected", sort: Sequence[SortKey] = ()
) -> Chosen:
    """The answers of a selection; ids given without a sort keep their order."""
    found = sorted_ids(db, parse(selection.query), sort, method, among=selection.ids or None).tolist()
    if selection.ids and not sort:
        kept = set(found)
        found = [number for number in dict.fromkeys(selection.ids) if number in kept]
    return Chosen(tuple(found), {})


def chosen_from(db: sqlite3.Connection, named: str, query: str = "", method: Method = "corrected") -> Chosen:
    """The answers of a playlist by its name, or of a file with one uid a line; of these, those that pass ``query``.

    Raises EngineError ``export.no_selection`` where ``named`` is neither, and ``export.unknown_uid``.
    """
    playlist = next((playlist for playlist in playlists_of(db) if playlist.name == named), None)
    if playlist is None:
        return chosen_by(db, Selection(query, _from_file(db, Path(named))), method)
    entries = entries_of(db, playlist.id)
    if not entries:
        return Chosen((), {})
    chosen = chosen_by(db, Selection(query, tuple(entry.response_id for entry in entries)), method)
    spans: dict[int, tuple[Span, ...]] = {}
    for entry in entries:
        if entry.span is not None:
            spans[entry.response_id] = (*spans.get(entry.response_id, ()), entry.span)
    return Chosen(chosen.ids, spans)


def _from_file(db: sqlite3.Connection, path: Path) -> tuple[int, ...]:
    try:
        lines = path.read_text(encoding="utf-8-sig").split()
    except (OSError, UnicodeDecodeError) as error:
        raise EngineError("export.no_selection", name=str(path)) from error
    known = ids_of_uids(db, lines)
    unknown = [uid for uid in lines if uid not in known]
    if unknown or not lines:
        raise EngineError("export.unknown_uid", path=str(path), uid=(unknown or ["-"])[0][:60], count=len(unknown))
    return tuple(known[uid] for uid in lines)
