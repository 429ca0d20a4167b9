"""The check before a sitting: a comfortable level, then three beeps of which the rater says the side."""

from __future__ import annotations

import random
import shutil
import tempfile
import threading
import weakref
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.rating.check_sounds import CheckSound, write_check_sounds
from gui.jobs import JobRunner
from gui.player.clip import Clip
from gui.player.player import Player

TRIALS = 3
SIDES = ("left", "right")


class SetupCheck(QObject):
    """Plays on the device that the clips will be played on; what it found goes with the sitting.

    Signals:
        changed: another step, or a beep was answered, or there is trouble.
        done: what was found, to be kept with the sitting.
    """

    changed, done = Signal(), Signal(object)

    def __init__(
        self, jobs: JobRunner, player: Player, parent: QObject | None = None, chance: random.Random | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs, self._player = jobs, player
        self._chance = chance or random.Random()
        self._folder: Path | None = None
        self._sounds: dict[str, CheckSound] = {}
        self._is_on = False
        self._gone = threading.Event()
        self.step = "level"
        self.was_heard = False
        self.trouble: EngineError | None = None
        self.answers: list[tuple[str, str]] = []
        self.sides: list[str] = []
        player.played_out.connect(self._on_played_out)
        player.failed.connect(self._on_failure)

    def start(self) -> None:
        """From the beginning; the sounds are made meanwhile."""
        self.step, self.answers, self.was_heard, self.trouble, self._is_on = "level", [], False, None, True
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="auricle-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)  # where nobody closes it
            job = self._jobs.call(_made, self._folder, self._gone)
            job.succeeded.connect(self._on_made)
            job.failed.connect(self._on_failure)
        self.changed.emit()

    def play(self) -> None:
        """Play the sound of this step, or stop it."""
        self.trouble = None
        if self._player.is_playing:
            self._player.pause()
            return
        name = self._next_side if self.step == "sides" else "level"
        if self.step in ("level", "sides") and name in self._sounds:
            self._load(name)
            self._player.play()
        self.changed.emit()

    def go_on(self) -> None:
        """Enter: from the level to the sides, from the sides to the end."""
        if self.step == "level":
            self._player.pause()
            if self.has_sides:
                self._begin_sides()
            else:
                self._finish()
        elif self.step == "result":
            self._finish()

    def again(self) -> None:
        """The beeps once more."""
        if self.step == "result":
            self._begin_sides()

    def answer(self, side: str) -> None:
        """The rater says on which side it was; the next beep is for Space."""
        if self.step == "sides" and self.was_heard:
            self.answers.append((self._next_side, side))
            self.was_heard = False
            if len(self.answers) == TRIALS:
                self.step = "result"
            self.changed.emit()

    def skip(self) -> None:
        """Go on without the check; that it was left out is kept."""
        self._player.pause()
        self._is_on = False
        self.done.emit({"skipped": True})

    @property
    def has_sides(self) -> bool:
        """Whether the device has two sides, as far as is known."""
        return self._player.plan is None or self._player.plan.channels >= 2

    @property
    def is_right(self) -> bool:
        """Whether every beep was heard where it was."""
        return bool(self.answers) and all(side == said for side, said in self.answers)

    def close(self) -> None:
        """Put the sounds away."""
        self._is_on = False
        self._gone.set()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    @property
    def _next_side(self) -> str:
        return self.sides[min(len(self.answers), TRIALS - 1)]

    def _begin_sides(self) -> None:
        """Three beeps, at least one on each side."""
        rest = [self._chance.choice(SIDES) for _ in range(TRIALS - len(SIDES))]
        self.sides = [*SIDES, *rest]
        self._chance.shuffle(self.sides)
        self.step, self.answers, self.was_heard = "sides", [], False
        self.changed.emit()
        self.play()

    def _finish(self) -> None:
        self._is_on = False
        found: dict[str, Any] = {"skipped": False, "level_dbfs": -26, "sides": [list(pair) for pair in self.answers]}
        self.done.emit(found | {"sides_right": self.is_right if self.answers else None})

    def _on_made(self, sounds: dict[str, CheckSound]) -> None:
        self._sounds = sounds
        if self._is_on:
            self._load("level")  # the device is asked for meanwhile
        self.changed.emit()

    def _load(self, name: str) -> None:
        sound = self._sounds[name]
        self._player.load(None, Clip(None, sound.path, sound.duration_s, gain_db=0.0))

    def _on_played_out(self) -> None:
        if self._is_on and self.step in ("level", "sides"):
            self.was_heard = True
            self.changed.emit()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        if self._is_on:
            self.trouble = error
            self.changed.emit()


def _made(folder: Path, gone: threading.Event) -> dict[str, CheckSound]:
    """The sounds; nothing is left of them where nobody waits any more."""
    sounds = write_check_sounds(folder)
    if gone.is_set():
        shutil.rmtree(folder, ignore_errors=True)
    return sounds
