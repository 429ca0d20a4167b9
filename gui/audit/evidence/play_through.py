"""Plays one answer after another: each is chosen and shown as it is heard, the next is read meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from engine.store.playlists import Entry
from gui.audit.detail.view_model import DetailViewModel, Loaded
from gui.player.player import Player


class PlayThrough(QObject):
    """Goes on by itself when a clip has ended; a pause waits, another answer chosen by hand ends it.

    Signals:
        wanted: the response id to choose and show.
        stepped: the number from 1 of what is heard, and of how many; 0 when it has ended.
    """

    wanted = Signal(int)
    stepped = Signal(int, int)

    def __init__(self, player: Player, detail: DetailViewModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player, self._detail = player, detail
        self._entries: Sequence[Entry] = ()
        self._at = -1
        self._waits = False
        self._on_air = False
        self._shown: int | None = None
        detail.loaded.connect(self._on_loaded)
        detail.prepared.connect(self._on_prepared)
        player.played_out.connect(self._on_played_out)

    @property
    def is_on(self) -> bool:
        """Whether it plays through."""
        return self._at >= 0

    @property
    def entry(self) -> Entry | None:
        """What is heard, or about to be."""
        return self._entries[self._at] if self.is_on else None

    def start(self, entries: Sequence[Entry]) -> None:
        """Begin with the first."""
        self._entries, self._at = entries, -1
        self.next()

    def stop(self) -> None:
        """Go on no more; what is heard now ends as it would."""
        if self.is_on:
            self._at, self._waits, self._on_air = -1, False, False
            self.stepped.emit(0, 0)

    def next(self) -> None:
        """Go to the next one, or end after the last."""
        if self._at + 1 >= len(self._entries):
            self.stop()
            return
        self._at += 1
        self._waits, self._on_air = True, False
        self.stepped.emit(self._at + 1, len(self._entries))
        wanted = self._entries[self._at].response_id
        if wanted == self._shown:
            QTimer.singleShot(0, self, self._begin)
        else:
            self.wanted.emit(wanted)

    def chosen(self, response_id: int | None) -> None:
        """Another answer was chosen, by this or by hand."""
        if self.entry is not None and response_id != self.entry.response_id:
            self.stop()

    def _on_loaded(self, loaded: Loaded) -> None:
        self._shown = loaded.detail.answered.id
        if self._waits and self.entry is not None and self._shown == self.entry.response_id:
            if loaded.answer is None:
                QTimer.singleShot(0, self, self.next)  # nothing to hear
            else:
                QTimer.singleShot(0, self, self._begin)  # when the lanes have loaded it

    def _on_prepared(self, loaded: Loaded) -> None:
        """The answer after this one is known: its sound is read while this one is heard."""
        if self.is_on and loaded.answer is not None:
            self._player.keep_at_hand([loaded.answer])

    def _begin(self) -> None:
        entry = self.entry
        if entry is None or not self._waits:
            return
        self._waits, self._on_air = False, True
        if entry.span is not None:
            self._player.play((entry.span.start_s, entry.span.end_s), "answer")
        else:
            self._player.seek(0.0, "answer")
            self._player.play()
        if self._at + 1 < len(self._entries):
            self._detail.prepare(self._entries[self._at + 1].response_id)

    def _on_played_out(self) -> None:
        if self.entry is not None and self._on_air:
            QTimer.singleShot(0, self, self.next)
