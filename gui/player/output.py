"""The way to the ears: a PortAudio stream that asks for blocks, and says when each is heard."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from gui.player.channels import for_device
from gui.player.devices import OPEN, PORTAUDIO, OutputDevice, Plan, list_outputs, plan_for, portaudio
from gui.player.heard import HeardClock
from gui.player.mixer import Mixer

#: What is asked of the device: long enough to ride over a busy GUI thread, short enough to feel immediate.
LATENCY_S = 0.06


@dataclass(slots=True)
class Told:
    """What the output's thread leaves behind for others to read."""

    underruns: int = 0
    last_block_s: float | None = None


class Output(Protocol):
    """An open device that plays what a mixer renders."""

    plan: Plan
    told: Told
    clock: HeardClock

    @property
    def latency_s(self) -> float:
        """Between handing a frame over and hearing it, as the device says."""

    def now(self) -> float:
        """The device's own time, in seconds."""

    def close(self) -> None:
        """Stop at once; what was handed over and not heard is lost."""


class Sound(Protocol):
    """Where outputs come from; PortAudio, or what a test puts in its place. For pool threads only."""

    def plan(self, device: str, refresh: bool) -> Plan:
        """How ``device`` will be driven, looked for anew with ``refresh``; raises EngineError ``player.*``."""

    def open(self, plan: Plan, mixer: Mixer, ended: Callable[[], None]) -> Output:
        """An output that plays ``mixer``; ``ended`` is called, on any thread, when the device stops by itself."""

    def outputs(self, refresh: bool) -> tuple[OutputDevice, ...]:
        """The devices that play."""


class PortAudio:
    """The machine's own devices."""

    def plan(self, device: str, refresh: bool) -> Plan:
        """See ``Sound``."""
        return plan_for(device, refresh=refresh)

    def open(self, plan: Plan, mixer: Mixer, ended: Callable[[], None]) -> Output:
        """See ``Sound``. Raises EngineError ``player.cannot_open`` when the device would not start."""
        return _Stream(plan, mixer, ended)

    def outputs(self, refresh: bool) -> tuple[OutputDevice, ...]:
        """See ``Sound``."""
        return list_outputs(refresh=refresh)


class _Stream:
    def __init__(self, plan: Plan, mixer: Mixer, ended: Callable[[], None]) -> None:
        self.plan, self.told, self.clock = plan, Told(), HeardClock(plan.rate_hz)
        self._mixer, self._ended = mixer, ended
        self._is_closing = False
        self._closed_at_s = self._closed_at_monotonic_s = 0.0
        self._latency_s = LATENCY_S
        with PORTAUDIO:
            sound = portaudio()
            try:
                self._stream = sound.OutputStream(
                    samplerate=plan.rate_hz,
                    device=plan.number,
                    channels=plan.channels,
                    dtype="float32",
                    latency=LATENCY_S,
                    callback=self._fill,
                    finished_callback=self._finished,
                )
                self._latency_s = float(self._stream.latency)
                OPEN.add(self)
                self._stream.start()
            except (sound.PortAudioError, ValueError) as error:
                self.close()
                raise EngineError("player.cannot_open", device=plan.device, why=_reason(error)) from error

    @property
    def latency_s(self) -> float:
        return self._latency_s

    def now(self) -> float:
        if self._is_closing:  # its clock went with it; time goes on
            return self._closed_at_s + time.monotonic() - self._closed_at_monotonic_s
        return float(self._stream.time)

    def close(self) -> None:
        with PORTAUDIO:
            if self not in OPEN:
                return
            OPEN.remove(self)
            self._closed_at_s, self._closed_at_monotonic_s = self.now(), time.monotonic()
            self._is_closing = True
            self._stream.abort(ignore_errors=True)
            self._stream.close(ignore_errors=True)

    def _fill(self, out: NDArray[np.float32], frames: int, times: Any, status: Any) -> None:  # the output's thread
        if status.output_underflow and self._mixer.is_playing:
            self.told.underruns += 1
        first = self._mixer.frames
        out[:] = for_device(self._mixer.render(frames), self.plan.channels)
        now, heard = float(times.currentTime), float(times.outputBufferDacTime)
        if not 0 <= heard - now < 5:  # some hosts leave it empty
            heard = now + self._latency_s
        self.clock.note(first, heard)
        self.told.last_block_s = now

    def _finished(self) -> None:  # the output's thread
        if not self._is_closing:
            self._ended()


def _reason(error: Exception) -> str:
    return str(error.args[0]) if error.args else str(error)
