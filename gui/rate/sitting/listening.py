"""What is heard of the item that stands before the rater: it goes into the item's ledgers as it reaches the device."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from engine.rating.heard import Ledger
from engine.rating.protocols import Protocol
from engine.store.studies import AssignmentRow, Shown
from gui.jobs import JobRunner
from gui.player.clip import Clip
from gui.player.player import Player
from gui.rate.sitting.item import Item
from gui.rate.sitting.playing import Playing
from gui.rate.sitting.reading import Voiced, clips_of, read_voiced_of


class Listening(QObject):
    """Plays the clips of an item and finds out where they speak, those of the next item ahead.

    Signals:
        changed: more was heard, or where the clips speak is known.
        opened: by that the scales may be answered now.
    """

    changed, opened = Signal(), Signal()

    def __init__(self, jobs: JobRunner, player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.playing = Playing(player, self)
        self._item: Item | None = None
        self._voiced: dict[int, Voiced] = {}
        self._questions: dict[str, Ledger] = {}
        self._underruns = 0
        self.playing.heard.connect(self._on_heard)
        player.underruns_changed.connect(self._on_underruns)

    def question(self, row: AssignmentRow) -> Ledger:
        """What was heard of a question at this sitting, by whatever item."""
        return self._questions.setdefault(row.question.sha256 or row.uid, Ledger())

    def take(self, item: Item, following: AssignmentRow | None, protocol: Protocol) -> None:
        """Another item stands there; nothing plays yet."""
        self._item = item
        item.voiced = self._voiced.get(item.row.id)
        ahead = {} if following is None else clips_of(following, protocol)
        self.playing.take(
            {part: _clip(shown) for part, shown in item.clips.items() if shown.sound is not None},
            {part: (shown.skip_s, shown.stop_s) for part, shown in item.clips.items()},
            [_clip(shown) for shown in ahead.values() if shown.sound is not None],
        )
        self._look(item.row.id, item.clips)
        if following is not None:
            self._look(following.id, ahead)

    def let_go(self) -> None:
        """No item stands there."""
        self.playing.stop()
        self._item = None

    def play_all_to_hear(self) -> None:
        """Play what is still to be heard: the question only as long as too little of it was; the answer anyway."""
        item = self._item
        if item is not None:
            questions = [part for part in item.clips if part.startswith("question")]
            wanted = [part for part in questions if item.wants_hearing(part)]
            self.playing.play([*wanted, *(part for part in item.clips if part not in questions)])

    def toggle(self) -> None:
        """Pause, go on, or play what is to be heard."""
        if self.playing.is_playing:
            self.playing.pause()
        elif self.playing.is_paused:
            self.playing.go_on()
        else:
            self.play_all_to_hear()

    def _look(self, number: int, clips: Mapping[str, Shown]) -> None:
        if number not in self._voiced:
            self._jobs.call(_voiced_of, number, clips).succeeded.connect(self._on_voiced)

    def _on_voiced(self, found: tuple[int, Voiced]) -> None:
        number, voiced = found
        self._voiced[number] = voiced
        if self._item is not None and self._item.row.id == number:
            self._item.voiced = voiced
            self.changed.emit()
            self.opened.emit()

    def _on_heard(self, part: str, start_s: float, end_s: float, speed: float) -> None:
        item = self._item
        if item is not None:
            was_open = item.is_open
            item.hear(part, start_s, end_s, speed)
            self.changed.emit()
            if item.is_open != was_open:
                self.opened.emit()

    def _on_underruns(self, count: int) -> None:
        if self._item is not None:
            self._item.underruns += max(count - self._underruns, 0)
        self._underruns = count


def _clip(shown: Shown) -> Clip:
    assert shown.sound is not None
    return Clip(None, shown.sound, shown.duration_s, gain_db=shown.gain_db)


def _voiced_of(number: int, clips: Mapping[str, Shown]) -> tuple[int, Voiced]:
    return number, read_voiced_of(clips)
