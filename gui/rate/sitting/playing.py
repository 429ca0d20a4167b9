"""What a rater hears of one item: its clips in turn with a pause between, and what of each has reached the ears."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from gui.player.clip import Clip
from gui.player.player import Player, State

GAP_MS = 600
Range = tuple[float, float | None]
_NEAR_S = 0.03


class Playing(QObject):
    """Plays clips by their names (``question``, ``answer``, ``other``), each from where its playback begins.

    All are heard in one lane, one after the other; those of the item that comes next are read meanwhile.

    Signals:
        changed: another clip plays, or none.
        moved: name of a clip and where it is heard, in seconds.
        heard: name of a clip, start, end and speed of what left the device.
        failed: an EngineError why nothing is heard.
    """

    changed, moved = Signal(), Signal(str, float)
    heard, failed = Signal(str, float, float, float), Signal(object)

    def __init__(self, player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self._clips: dict[str, Clip] = {}
        self._ranges: dict[str, Range] = {}
        self._now = self._last = ""
        self._last_s = 0.0
        self._rest: list[str] = []
        self._awaits_s: float | None = None
        self._is_played_out = self._is_paused = False
        self._gap = QTimer(self)
        self._gap.setSingleShot(True)
        self._gap.setInterval(GAP_MS)
        self._gap.timeout.connect(self._play_next)
        player.played_out.connect(self._on_played_out)
        player.sounded.connect(self._on_sounded)
        player.state_changed.connect(self._on_state)
        player.failed.connect(self._on_failure)

    def take(self, clips: Mapping[str, Clip], ranges: Mapping[str, Range], ahead: Sequence[Clip]) -> None:
        """Other clips are to be played.

        Args:
            ranges: from which second to which each is played; to its end where the second is None.
            ahead: those of the next item, read now so that they are at hand.
        """
        self.stop()
        self._clips, self._ranges = dict(clips), dict(ranges)
        at_hand = list(dict.fromkeys((*clips.values(), *ahead)))
        if at_hand and self._player.state is State.EMPTY:
            self._player.load(None, at_hand[0])
        self._player.keep_at_hand(at_hand)
        self._now = self._last = ""
        self.changed.emit()

    @property
    def now(self) -> str:
        """The clip that plays, stands still in its middle, or comes after the pause; "" for none."""
        return self._now

    @property
    def is_playing(self) -> bool:
        """Whether something is heard, or is about to be; not what still goes out of an item that was left."""
        return bool(self._now) and not self._is_paused

    @property
    def is_paused(self) -> bool:
        """Whether a clip stands still before its end, or others were to follow it."""
        return bool(self._now) and self._is_paused

    def play(self, names: Sequence[str]) -> None:
        """Play these one after another, each from its beginning; names without a clip are left out."""
        self._gap.stop()
        self._rest = [name for name in names if name in self._clips]
        self._play_next()

    def play_from(self, name: str, second: float) -> None:
        """Play one clip from a place in it."""
        self._gap.stop()
        self._rest = []
        if name in self._clips:
            self._start(name, max(second, self._range(name)[0]))

    def step(self, by_s: float) -> None:
        """Go so many seconds on or back in the clip that is heard, or was heard last."""
        if self._last:
            self.play_from(self._last, self._last_s + by_s)

    def pause(self) -> None:
        """Stand still; ``go_on`` continues."""
        self._is_paused = True
        if self._gap.isActive():
            self._gap.stop()
        else:
            self._player.pause()
        self.changed.emit()

    def go_on(self) -> None:
        """Play on from where it was paused, and what was to follow."""
        self._is_paused = False
        if self._is_played_out:
            self._play_next()
        else:
            self._play(self._player.position_s)
        self.changed.emit()

    def stop(self) -> None:
        """Play no more; nothing is left to go on with."""
        self._gap.stop()
        self._rest, self._now = [], ""
        self._player.pause()
        self.changed.emit()

    def _play_next(self) -> None:
        if not self._rest:
            self._now = ""
            self.changed.emit()
            return
        name = self._rest.pop(0)
        self._start(name, self._range(name)[0])

    def _start(self, name: str, second: float) -> None:
        self._now, self._awaits_s, self._is_paused = name, second, False
        self._player.switch(self._clips[name], second)
        self._play(second)
        self.changed.emit()

    def _play(self, second: float) -> None:
        self._is_played_out = False
        stop_s = self._range(self._now)[1]
        self._player.play(None if stop_s is None else (second, stop_s), "answer")

    def _range(self, name: str) -> Range:
        return self._ranges.get(name, (0.0, None))

    def _on_played_out(self) -> None:
        self._is_played_out = True
        if self._rest:
            self._gap.start()
        else:
            self._now = ""
        self.changed.emit()

    def _on_sounded(self, _lane: str, start_s: float, end_s: float, speed: float) -> None:
        if (
            self._awaits_s is not None
        ):  # what was on its way when another clip was begun still belongs to the one before
            if abs(start_s - self._awaits_s) > _NEAR_S:
                return
            self._awaits_s = None
        if self._now:
            self._last, self._last_s = self._now, end_s
            self.heard.emit(self._now, start_s, end_s, speed)
            self.moved.emit(self._now, end_s)

    def _on_state(self, _state: object) -> None:
        QTimer.singleShot(0, self, self._look)

    def _look(self) -> None:
        """Where the player stood still by itself, as for another device, the rater goes on."""
        if self._now and not self._player.is_playing and not self._gap.isActive() and not self._is_paused:
            self._is_paused = True
        self.changed.emit()

    def _on_failure(self, error: EngineError) -> None:
        self._gap.stop()
        self._rest, self._now = [], ""
        self.changed.emit()
        self.failed.emit(error)
