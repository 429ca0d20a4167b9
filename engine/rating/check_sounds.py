"""Sounds by which a rater sets the level and checks that left is left; made, not recorded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.audio.write import write_audio

RATE_HZ = 48000
#: The level of speech in recordings (ITU-T P.56): what is comfortable here is comfortable for the clips.
LEVEL_DBFS = -26.0
_SYLLABLES_HZ = 4.0  # how often speech swells in a second
_SPEECH_HZ = 500.0  # above it the long-term spectrum of speech falls
_BEEP_HZ, _BEEP_S, _REST_S = 600.0, 0.22, 0.12


def level_sound(seconds: float = 3.0) -> NDArray[np.float32]:
    """Noise with the spectrum and the swell of speech, shape (time,), its RMS at ``LEVEL_DBFS``."""
    count = round(seconds * RATE_HZ)
    spectrum = np.fft.rfft(np.random.default_rng(1).standard_normal(count))
    hertz = np.fft.rfftfreq(count, 1 / RATE_HZ)
    shaped = np.fft.irfft(spectrum * (hertz > 80) / (1 + (hertz / _SPEECH_HZ) ** 2), count)
    swell = np.sin(np.pi * _SYLLABLES_HZ * np.arange(count) / RATE_HZ) ** 2
    sound = _faded(shaped * swell)
    return np.asarray(sound * 10 ** (LEVEL_DBFS / 20) / np.sqrt(np.mean(sound**2)), np.float32)


def side_sound(side: str) -> NDArray[np.float32]:
    """Two soft beeps in the ``left`` or the ``right`` ear, shape (time, 2)."""
    count = round(_BEEP_S * RATE_HZ)
    beep = _faded(np.sin(2 * np.pi * _BEEP_HZ * np.arange(count) / RATE_HZ)) * np.sqrt(2) * 10 ** (LEVEL_DBFS / 20)
    rest = np.zeros(round(_REST_S * RATE_HZ))
    one = np.concatenate([rest, beep, rest, beep, rest])
    both = np.zeros((len(one), 2), np.float32)
    both[:, 0 if side == "left" else 1] = one
    return both


@dataclass(frozen=True, slots=True)
class CheckSound:
    """One of the sounds as a file."""

    path: Path
    duration_s: float


def write_check_sounds(folder: Path) -> dict[str, CheckSound]:
    """The sounds ``level``, ``left`` and ``right`` in ``folder``. Raises what ``write_audio`` raises."""
    sounds = {"level": level_sound(), "left": side_sound("left"), "right": side_sound("right")}
    return {
        name: CheckSound(write_audio(folder / f"{name}.wav", sound, RATE_HZ), len(sound) / RATE_HZ)
        for name, sound in sounds.items()
    }


def _faded(sound: NDArray[np.float64]) -> NDArray[np.float64]:
    """In and out over 20 ms, so that nothing clicks."""
    ramp = np.sin(np.linspace(0, np.pi / 2, round(0.02 * RATE_HZ))) ** 2
    faded = sound.copy()
    faded[: len(ramp)] *= ramp
    faded[-len(ramp) :] *= ramp[::-1]
    return faded
