"""What the evidence of answers reads and writes, each as one function for a pool thread with its own connection."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from engine.export.choice import chosen_by
from engine.store.evidence import Act, Evidence, Table, evidence_of, give_back, take_back, undo
from engine.store.notes import add_note
from engine.store.playlists import (
    Entry,
    Playlist,
    add_entries,
    entries_of,
    make_playlist,
    playlists_of,
    remove_playlist,
    rename_playlist,
)
from engine.store.tags import TagInUse, add_tag, tags_in_use
from engine.store.workspace import Workspace
from gui.audit.evidence.target import Target


def read_evidence(workspace: Workspace, response_id: int) -> tuple[Evidence, ...]:
    """What was said of an answer, what was taken back too."""
    with closing(workspace.connect()) as db:
        return evidence_of(db, response_id)


def read_in_use(workspace: Workspace) -> tuple[TagInUse, ...]:
    """Which tags are in use."""
    with closing(workspace.connect()) as db:
        return tags_in_use(db)


def write_tag(workspace: Workspace, target: Target, name: str) -> Act:
    """Tag all of a target."""
    with closing(workspace.connect(durable=True)) as db:
        return add_tag(db, chosen_by(db, target.selection, target.method).ids, name, target.span)


def write_note(workspace: Workspace, target: Target, text: str) -> Act:
    """Write a note on all of a target."""
    with closing(workspace.connect(durable=True)) as db:
        return add_note(db, chosen_by(db, target.selection, target.method).ids, text, target.span)


def write_taken_back(workspace: Workspace, table: Table, uid: str) -> Act:
    """Take one thing back."""
    with closing(workspace.connect(durable=True)) as db:
        return take_back(db, table, [uid])


def write_given_back(workspace: Workspace, table: Table, uid: str) -> Act:
    """Let one thing stand again."""
    with closing(workspace.connect(durable=True)) as db:
        return give_back(db, table, [uid])


def write_undone(workspace: Workspace, act: Act) -> Act:
    """Undo an act, or do again what an undo undid."""
    with closing(workspace.connect(durable=True)) as db:
        return undo(db, act)


def read_playlists(workspace: Workspace) -> tuple[Playlist, ...]:
    """All playlists."""
    with closing(workspace.connect()) as db:
        return playlists_of(db)


def read_entries(workspace: Workspace, playlist_id: int) -> tuple[Entry, ...]:
    """What is in a playlist."""
    with closing(workspace.connect()) as db:
        return entries_of(db, playlist_id)


@dataclass(frozen=True, slots=True)
class Listed:
    """What became of putting answers into a playlist."""

    name: str
    added: int
    is_new: bool


def write_playlist(workspace: Workspace, target: Target | None, name: str) -> Listed:
    """A new playlist of a target, empty without one."""
    with closing(workspace.connect(durable=True)) as db:
        made = make_playlist(db, name, () if target is None else _entries(workspace, target))
        return Listed(made.name, made.count, True)


def write_entries(workspace: Workspace, target: Target, playlist_id: int, name: str) -> Listed:
    """Put a target at the end of a playlist."""
    with closing(workspace.connect(durable=True)) as db:
        return Listed(name, add_entries(db, playlist_id, _entries(workspace, target)), False)


def write_name(workspace: Workspace, playlist_id: int, name: str) -> str:
    """Rename a playlist."""
    with closing(workspace.connect(durable=True)) as db:
        return rename_playlist(db, playlist_id, name)


def write_removed(workspace: Workspace, playlist_id: int) -> None:
    """Delete a playlist."""
    with closing(workspace.connect(durable=True)) as db:
        remove_playlist(db, playlist_id)


def _entries(workspace: Workspace, target: Target) -> list[Entry]:
    with closing(workspace.connect()) as db:
        return [
            Entry(number, target.span) for number in chosen_by(db, target.selection, target.method, target.sort).ids
        ]
