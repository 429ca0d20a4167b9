"""What the keys of the player do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gui.actions import Actions
from gui.audit.acts import register
from gui.audit.transport.device_button import DeviceButton
from gui.audit.transport.gain_button import GainButton
from gui.audit.transport.level import Level
from gui.audit.transport.speed_button import SpeedButton
from gui.player.player import Player
from gui.services import Say
from gui.strings import words

STEP_S = 1.0


class Acts:
    """Asks the player, and says on the status line what a narrow bar does not show."""

    def __init__(
        self, player: Player, say: Say, speed: SpeedButton, gain: GainButton, device: DeviceButton, level: Level
    ) -> None:
        self._player, self._say = player, say
        self._speed, self._gain, self._device, self._level = speed, gain, device, level

    def register(self, actions: Actions) -> None:
        """Give each its keys, on the Audit screen."""
        runs: dict[str, Callable[[], object]] = {
            "play": self._player.toggle,
            "play_range": self._player.play_region,
            "loop": self.toggle_loop,
            "loop_start": self.start_range_here,
            "loop_end": self.end_range_here,
            "clear_range": self.clear_range,
            "back": partial(self.step, -STEP_S),
            "pause": self._player.pause,
            "forward": partial(self.step, STEP_S),
            "slower": partial(self.change_speed, -1),
            "faster": partial(self.change_speed, 1),
            "as_recorded": self.reset_speed,
            "gain": self.next_gain,
            "mute": self.mute,
            "clip_lamp": self._level.put_out,
            "sound_device": self._device.open_menu,
        }
        register(actions, runs)

    def toggle_loop(self) -> None:
        """Loop the chosen range, or all of it; or not."""
        self._player.set_looping(not self._player.loops)

    def start_range_here(self) -> None:
        """The chosen range begins where it is heard."""
        here_s, end_s = self._here_and_end()
        self._player.set_region((here_s, end_s if end_s > here_s else self._player.duration_s))

    def end_range_here(self) -> None:
        """The chosen range ends where it is heard."""
        here_s, region = self._player.position_s, self._player.region
        self._player.set_region((region[0] if region is not None and region[0] < here_s else 0.0, here_s))

    def clear_range(self) -> bool:
        """Loop no more and choose nothing; whether there was anything to clear."""
        had = self._player.loops or self._player.region is not None
        self._player.set_looping(False)
        self._player.set_region(None)
        return had

    def step(self, seconds: float) -> None:
        """On by so many seconds, or back."""
        self._player.seek(self._player.position_s + seconds)

    def change_speed(self, tenths: int) -> None:
        """Faster by tenths, or slower."""
        self._speed.step(tenths)
        self._say_speed()

    def reset_speed(self) -> None:
        """As fast as recorded."""
        self._player.set_speed(1.0)
        self._say_speed()

    def next_gain(self) -> None:
        """Follow the next rule of the gain."""
        rule = self._gain.next_mode()
        if not self._gain.isVisible():
            self._say(f"{words.text('player.transport.gain')}: {rule}")

    def mute(self) -> None:
        """Silence the lane that is heard, or hear it again."""
        lane = self._player.spot.lane
        self._player.set_muted(lane, not self._player.is_muted(lane))

    def _here_and_end(self) -> tuple[float, float]:
        region = self._player.region
        return self._player.position_s, region[1] if region is not None else 0.0

    def _say_speed(self) -> None:
        if not self._speed.isVisible():
            self._say(self._speed.accessibleName())
