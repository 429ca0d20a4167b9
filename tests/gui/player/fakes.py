"""A device and a clock that a test moves by hand, and a PortAudio that takes only what it is told to."""

from __future__ import annotations

import threading

import numpy as np

from engine.errors import EngineError
from gui.player.devices import OutputDevice, Plan, plan
from gui.player.heard import HeardClock
from gui.player.output import Told

LATENCY_S = 0.05


class FakeOutput:
    """Plays when the test says how long; what was handed over is heard ``LATENCY_S`` later."""

    def __init__(self, plan, mixer, ended):
        self.plan, self.told, self.clock = plan, Told(), HeardClock(plan.rate_hz)
        self.latency_s = LATENCY_S
        self.is_closed = False
        self.blocks = []
        self._mixer, self.ended = mixer, ended
        self._now = 100.0

    def now(self):
        return self._now

    def play(self, seconds, block_s=0.01):
        """Let the device ask for blocks for ``seconds``."""
        for _ in range(round(seconds / block_s)):
            first = self._mixer.frames
            self.blocks.append(self._mixer.render(round(block_s * self.plan.rate_hz)))
            self.clock.note(first, self._now + LATENCY_S)
            self.told.last_block_s = self._now
            self._now += block_s

    def wait(self, seconds):
        """Let time pass without the device asking for anything."""
        self._now += seconds

    def close(self):
        self.is_closed = True

    @property
    def heard(self):
        """All that was handed over, left ear."""
        return np.concatenate([np.zeros((0, 2), np.float32), *self.blocks])[:, 0]


class FakeSound:
    """One device, or the trouble there is with it."""

    def __init__(self, rate_hz=16000):
        self.plan_now = Plan("Headphones", 0, rate_hz, 2)
        self.trouble: EngineError | None = None
        self.cannot_open: EngineError | None = None
        self.opened: list[FakeOutput] = []
        self.looked_again = 0
        self.threads: set[int] = set()
        self.may_open = threading.Event()
        self.may_open.set()

    def plan(self, device, refresh):
        self.looked_again += refresh
        self.threads.add(threading.get_ident())
        if self.trouble:
            raise self.trouble
        return self.plan_now

    def open(self, plan, mixer, ended):
        self.threads.add(threading.get_ident())
        self.may_open.wait(10)
        if self.cannot_open:
            raise self.cannot_open
        self.opened.append(FakeOutput(plan, mixer, ended))
        return self.opened[-1]

    def outputs(self, refresh):
        self.threads.add(threading.get_ident())
        self.looked_again += refresh
        for output in self.opened if refresh else ():
            output.close()
        return (OutputDevice("Headphones", 2, True),)


class PickyPortAudio:
    """sounddevice as far as ``plan`` asks it, with a device that accepts few rates and widths."""

    PortAudioError = type("PortAudioError", (Exception,), {})

    def __init__(self, accepts_hz, channels, own_hz=44100.0, host="Core Audio"):
        self._accepts, self._channels, self._host = accepts_hz, channels, host
        self.found = {
            "name": "Picky",
            "default_samplerate": own_hz,
            "max_output_channels": max(channels),
            "hostapi": 0,
        }

    def query_hostapis(self, number):
        return {"name": self._host}

    def check_output_settings(self, device, samplerate, channels, dtype):
        if samplerate not in self._accepts:
            raise self.PortAudioError("Invalid sample rate [PaErrorCode -9997]")
        if channels not in self._channels:
            raise self.PortAudioError("Invalid number of channels [PaErrorCode -9998]")

    @property
    def plan(self):
        return plan(self, 0, self.found)
