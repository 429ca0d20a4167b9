"""Sounds as a bundle carries them: samples alone, all at one rate, with as many channels, playback fixes made good.

The fixes are baked in rather than stored: one gain for all answers of a system, written beside each clip, would sort
the clips by system.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.audio.read import load_channels, resample
from engine.audio.write import encode_audio
from engine.errors import EngineError

RATE_HZ = 48_000
MOST_FRAMES = 2 * 60 * 60 * RATE_HZ
_FADE_S = 0.005  # where silence was cut off
_SAME = 2**-15  # channels that differ by less than a 16-bit step are one


@dataclass(frozen=True, slots=True)
class Clip:
    """A sound and how it is played: from ``skip_s`` to ``stop_s`` (None: its end), ``gain_db`` louder."""

    sound: Path
    skip_s: float = 0.0
    stop_s: float | None = None
    gain_db: float = 0.0


@dataclass(frozen=True, slots=True)
class Nature:
    """What all clips of a bundle must fit: the peak after the gain (1.0 is full scale), and whether it is stereo."""

    peak: float
    is_stereo: bool


def nature_of(clip: Clip) -> Nature:
    """Look at a clip; raises EngineError ``bundle.no_sound`` where there is nothing to hear in its place."""
    samples, _ = _read(clip)
    is_stereo = samples.shape[1] == 2 and float(np.abs(samples[:, 0] - samples[:, 1]).max()) > _SAME
    return Nature(float(np.abs(samples).max()), is_stereo)


def encoded(clip: Clip, *, attenuation: float, is_stereo: bool) -> tuple[bytes, int]:
    """The clip as FLAC of 16 bits at ``RATE_HZ`` without any name or tag, and how many frames it has.

    Args:
        attenuation: a factor that all clips of a bundle share, so that none is clipped by its gain.
    """
    samples, rate_hz = _read(clip)
    if samples.shape[1] > 2 or not is_stereo:
        samples = samples.mean(axis=1, keepdims=True, dtype=np.float32)
    if is_stereo:
        samples = np.repeat(samples, 2, axis=1) if samples.shape[1] == 1 else samples
    even = resample(samples, rate_hz, RATE_HZ) * np.float32(attenuation)
    return encode_audio(Path("clip.flac"), np.clip(even, -1.0, 1.0), RATE_HZ), len(even)


def check_clip(data: bytes, frames: int) -> None:
    """Raises ValueError where ``data`` is not the sound of so many frames that it should be."""
    import soundfile

    try:
        found = soundfile.info(io.BytesIO(data))
    except (soundfile.LibsndfileError, RuntimeError) as error:
        raise ValueError("sound") from error
    is_ours = (found.format, found.subtype, found.samplerate) == ("FLAC", "PCM_16", RATE_HZ) and found.channels <= 2
    if not is_ours or found.frames != frames or frames > MOST_FRAMES:
        raise ValueError("sound")


def _read(clip: Clip) -> tuple[NDArray[np.float32], int]:
    try:
        samples, rate_hz = load_channels(clip.sound)
    except EngineError as error:
        raise EngineError("bundle.no_sound", position=0, why=error.code) from error
    first = round(clip.skip_s * rate_hz)
    last = len(samples) if clip.stop_s is None else round(clip.stop_s * rate_hz)
    played = samples[first:last] * np.float32(10 ** (clip.gain_db / 20))
    if not len(played):
        raise EngineError("bundle.no_sound", position=0, why="audio.no_samples")
    ramp = np.linspace(0.0, 1.0, min(round(_FADE_S * rate_hz), len(played)), dtype=np.float32)[:, None]
    if first > 0:
        played[: len(ramp)] *= ramp
    if last < len(samples):
        played[len(played) - len(ramp) :] *= ramp[::-1]
    return played, rate_hz
