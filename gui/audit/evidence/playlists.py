"""The playlists of the workspace: made, filled, renamed, deleted, read. No widgets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.store.playlists import Entry, Playlist
from gui.audit.evidence.target import Target
from gui.audit.evidence.writing import (
    Listed,
    read_entries,
    read_playlists,
    write_entries,
    write_name,
    write_playlist,
    write_removed,
)
from gui.jobs import Job, JobRunner
from gui.open_workspace import OpenWorkspace
from gui.strings import words


class Playlists(QObject):
    """Writes one after another; every change is followed by ``changed``.

    Signals:
        changed: ``known`` is another now.
        told: a sentence for the status line.
        failed: an EngineError.
    """

    changed, told, failed = Signal(), Signal(str), Signal(object)

    def __init__(self, workspace: OpenWorkspace, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._jobs = workspace, jobs
        self._reading: Job | None = None
        self.known: tuple[Playlist, ...] = ()
        workspace.changed.connect(self._on_other_workspace)
        self.read()

    def read(self) -> None:
        """Read what there is."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        if self._workspace.current is not None:
            self._reading = job = self._jobs.call(read_playlists, self._workspace.current)
            job.succeeded.connect(self._on_read)
            job.failed.connect(self._on_failure)

    def make(self, name: str, target: Target | None) -> None:
        """A new playlist of ``target``, empty without one."""
        self._write(self._on_listed, write_playlist, target, name)

    def add(self, playlist: Playlist, target: Target) -> None:
        """Put ``target`` at the end of a playlist."""
        self._write(self._on_listed, write_entries, target, playlist.id, playlist.name)

    def rename(self, playlist: Playlist, name: str) -> None:
        """Give a playlist another name."""
        self._write(None, write_name, playlist.id, name)

    def remove(self, playlist: Playlist) -> None:
        """Delete a playlist."""
        said = words.text("evidence.playlist.removed", name=playlist.name)
        self._write(_Says(self, said), write_removed, playlist.id)

    def read_entries(self, playlist: Playlist, then: Callable[[tuple[Entry, ...]], None]) -> None:
        """Give what is in a playlist to ``then``."""
        if self._workspace.current is not None:
            job = self._jobs.call(read_entries, self._workspace.current, playlist.id)
            job.succeeded.connect(then)
            job.failed.connect(self._on_failure)

    def _write(self, then: Callable[[Any], Any] | None, function: Callable[..., Any], *arguments: Any) -> None:
        if self._workspace.current is None:
            return
        job = self._jobs.call(function, self._workspace.current, *arguments, pool="writing")
        if then is not None:
            job.succeeded.connect(then)
        job.succeeded.connect(partial(_read_again, self))
        job.failed.connect(self._on_failure)

    def _on_listed(self, listed: Listed) -> None:
        key = "made" if listed.is_new else "added" if listed.added else "added_none"
        self.told.emit(words.text(f"evidence.playlist.{key}", name=listed.name, count=f"{listed.added:,}"))

    def _on_read(self, known: tuple[Playlist, ...]) -> None:
        if self.sender() is self._reading:
            self._reading = None
            if known != self.known:
                self.known = known
                self.changed.emit()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.read()
        self.failed.emit(error)

    def _on_other_workspace(self) -> None:
        self.known = ()
        self.changed.emit()
        self.read()


def _read_again(playlists: Playlists, *_: object) -> None:
    playlists.read()


class _Says:
    def __init__(self, playlists: Playlists, sentence: str) -> None:
        self._playlists, self._sentence = playlists, sentence

    def __call__(self, *_: object) -> None:
        self._playlists.told.emit(self._sentence)
