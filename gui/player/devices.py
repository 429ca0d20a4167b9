"""Sound devices by PortAudio: which there are, and what rate and channels each takes. For pool threads only.

PortAudio is loaded here when first needed; its calls are made one at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

from engine.errors import EngineError

#: PortAudio is not made for calls from two threads at once.
PORTAUDIO = threading.RLock()


class Closable(Protocol):
    """A stream that PortAudio has open."""

    def close(self) -> None:
        """Close it; a second time comes to nothing."""


#: Whoever opens a stream puts it here, and takes it out when it is closed; both with ``PORTAUDIO`` held.
OPEN: set[Closable] = set()

#: Asked in this order after what the device calls its own.
_RATES_HZ = (48000, 44100, 96000, 32000, 24000, 16000, 8000)
_SHARED_ALSA = "ALSA"  # its plugins claim 44100 Hz whatever the sound server runs at


@dataclass(frozen=True, slots=True)
class OutputDevice:
    """A device that plays; ``is_default`` is the one used where nothing was chosen."""

    name: str
    channels: int
    is_default: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """How a device is going to be driven; ``number`` is PortAudio's."""

    device: str
    number: int
    rate_hz: int
    channels: int


def portaudio() -> ModuleType:
    """The sounddevice module. Raises EngineError ``player.no_portaudio`` where the library is not installed."""
    try:
        import sounddevice
    except OSError as error:
        raise EngineError("player.no_portaudio") from error
    module: ModuleType = sounddevice
    return module


def list_outputs(*, refresh: bool = False) -> tuple[OutputDevice, ...]:
    """The devices that play, in PortAudio's order; without one an empty tuple.

    Args:
        refresh: look for devices that came or went; every open stream is closed.

    Raises EngineError ``player.no_portaudio``.
    """
    with PORTAUDIO:
        sound = portaudio()
        if refresh:
            look_again(sound)
        default = _default(sound)
        return tuple(
            OutputDevice(str(found["name"]), int(found["max_output_channels"]), number == default)
            for number, found in _outputs(sound)
        )


def look_again(sound: ModuleType) -> None:
    """Make PortAudio look for devices anew; every stream is closed, since none outlives that."""
    for stream in tuple(OPEN):
        stream.close()
    sound._terminate()
    sound._initialize()


def plan_for(name: str, *, refresh: bool = False) -> Plan:
    """How to drive the device ``name`` ("" is the default one, which also stands in for one that is gone).

    Args:
        refresh: look for devices that came or went; every open stream is closed.

    Raises EngineError ``player.no_portaudio``, ``player.no_device``, or ``player.refuses_all`` for a device that takes
    no rate at all.
    """
    with PORTAUDIO:
        sound = portaudio()
        if refresh:
            look_again(sound)
        outputs = dict(_outputs(sound))
        number = next((n for n, found in outputs.items() if name and found["name"] == name), _default(sound))
        if number not in outputs:
            raise EngineError("player.no_device")
        return plan(sound, number, outputs[number])


def plan(sound: Any, number: int, found: Any) -> Plan:
    """The first rate and number of channels that the device takes, its own rate before all others."""
    own = round(float(found["default_samplerate"]))
    host = str(sound.query_hostapis(found["hostapi"])["name"])
    rates = (48000, own, *_RATES_HZ) if host == _SHARED_ALSA else (own, *_RATES_HZ)
    most = int(found["max_output_channels"])
    widths = [width for width in dict.fromkeys((2, 1, most)) if width <= most]
    for rate in dict.fromkeys(rates):
        for channels in widths:
            if _takes(sound, number, rate, channels):
                return Plan(str(found["name"]), number, rate, channels)
    raise EngineError("player.refuses_all", device=str(found["name"]))


def _takes(sound: Any, number: int, rate_hz: int, channels: int) -> bool:
    try:
        sound.check_output_settings(device=number, samplerate=rate_hz, channels=channels, dtype="float32")
    except (sound.PortAudioError, ValueError):
        return False
    return True


def _outputs(sound: Any) -> Iterator[tuple[int, Any]]:
    return ((n, found) for n, found in enumerate(sound.query_devices()) if found["max_output_channels"] > 0)


def _default(sound: Any) -> int:
    return int(sound.default.device[1])
