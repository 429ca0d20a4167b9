"""The six interferences as functions of samples: pure, and the same for the same random numbers.

Samples are mono, shape (time,), full scale 1.0. Nothing here clips or rounds: the writer brings what is too high down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import signal

from engine.audio.sound import frame_length, frame_powers, sounding_frames
from engine.errors import EngineError

Samples = NDArray[np.float64]
_DECAY = 3 * np.log(10)  # amplitude falls by 60 dB, a factor of 1000


@dataclass(frozen=True, slots=True)
class Clip:
    """One clean recording, and where voices or noise for its background come from.

    ``draw`` gives a stretch of background of so many samples, by the random numbers given.
    """

    samples: Samples
    sample_rate_hz: int
    draw: Callable[[int, np.random.Generator, Mapping[str, Any]], Samples]


@dataclass(frozen=True, slots=True)
class Degraded:
    """What came out, and what measuring it needs.

    Attributes:
        clean: the part of ``samples`` that is the clean speech, at its level there; None where it is not apart.
        response: the impulse response that was applied; None without.
        lost: which samples of the input were lost, shape (time,); None without.
    """

    samples: Samples
    clean: Samples | None = None
    response: Samples | None = None
    lost: NDArray[np.bool_] | None = None


def speech_power(samples: Samples, sample_rate_hz: int) -> float:
    """Mean square of the frames that sound, DC removed; NaN where nothing does."""
    if not len(samples):
        return float("nan")
    channels = np.ascontiguousarray(samples, np.float32)[None, :]
    _, powers = frame_powers(channels, frame_length(sample_rate_hz))
    sounding = sounding_frames(powers[0])
    return float(powers[0][sounding].mean()) if sounding.any() else float("nan")


def white_noise(clip: Clip, level: float, settings: Mapping[str, Any], rng: np.random.Generator) -> Degraded:
    """Gaussian noise at ``level`` dB below (above where negative) the speech."""
    return _mixed(clip, rng.standard_normal(len(clip.samples)), level, settings)


def background_noise(clip: Clip, level: float, settings: Mapping[str, Any], rng: np.random.Generator) -> Degraded:
    """Babble of other clips, or noise from a folder, at an SNR of ``level`` dB."""
    return _mixed(clip, clip.draw(len(clip.samples), rng, settings), level, settings)


def reverberation(clip: Clip, level: float, settings: Mapping[str, Any], rng: np.random.Generator) -> Degraded:
    """The clip in a room whose sound decays by 60 dB in ``level`` seconds."""
    length = max(2, round(level * clip.sample_rate_hz))
    response = rng.standard_normal(length) * np.exp(-_DECAY * np.arange(length) / length)
    response[0] = 0.0
    response *= 10 ** (-float(settings["direct_to_reverberant_db"]) / 20) / np.sqrt(np.sum(response**2))
    response[0] = 1.0
    wet = signal.oaconvolve(clip.samples, response)
    kept = wet if settings["tail"] == "keep" else wet[: len(clip.samples)]
    return Degraded(_levelled(kept, clip, str(settings["level"])), response=response)


def farfield(clip: Clip, level: float, settings: Mapping[str, Any], rng: np.random.Generator) -> Degraded:
    """The clip through a Butterworth filter that is 3 dB down at ``level`` Hz."""
    if level >= clip.sample_rate_hz / 2:
        raise EngineError("degrade.cut_off_too_high", cut_off=level, rate=clip.sample_rate_hz)
    sections = signal.butter(
        int(settings["order"]), level, str(settings["filter"]), fs=clip.sample_rate_hz, output="sos"
    )
    return Degraded(_levelled(signal.sosfilt(sections, clip.samples), clip, str(settings["level"])))


def packet_loss(clip: Clip, level: float, settings: Mapping[str, Any], rng: np.random.Generator) -> Degraded:
    """The share ``level`` of the frames lost, as near as whole frames come; a higher share loses the same and more."""
    length = max(1, round(float(settings["frame_s"]) * clip.sample_rate_hz))
    frames = -(-len(clip.samples) // length)
    burst = int(settings["burst_frames"])
    order = rng.permutation(-(-frames // burst))
    by_burst = (order[:, None] * burst + np.arange(burst)).ravel()
    lost_frames = np.zeros(frames, bool)
    lost_frames[by_burst[by_burst < frames][: round(level * frames)]] = True
    lost = np.repeat(lost_frames, length)[: len(clip.samples)]
    left = clip.samples[~lost] if settings["fill"] == "delete" else np.where(lost, 0.0, clip.samples)
    return Degraded(left, lost=lost)


def distortion(clip: Clip, level: float, settings: Mapping[str, Any], rng: np.random.Generator) -> Degraded:
    """Cut off at the share ``level`` of the peak, or of full scale."""
    peak = float(np.max(np.abs(clip.samples), initial=0.0))
    threshold = level * (peak if settings["threshold_of"] == "peak" else 1.0)
    if threshold <= 0:
        raise EngineError("degrade.silent")
    return Degraded(_levelled(np.clip(clip.samples, -threshold, threshold), clip, str(settings["level"])))


INTERFERENCES: Mapping[str, Callable[[Clip, float, Mapping[str, Any], np.random.Generator], Degraded]] = {
    "white_noise": white_noise,
    "background_noise": background_noise,
    "reverberation": reverberation,
    "farfield": farfield,
    "packet_loss": packet_loss,
    "distortion": distortion,
}


def babble(voices: Sequence[Samples], count: int, rng: np.random.Generator, settings: Mapping[str, Any]) -> Samples:
    """As many of ``voices`` at once as ``talkers`` says, in turn, equally strong, each from a drawn place.

    Shape (count,). Raises EngineError ``degrade.no_noise`` without a voice that sounds.
    """
    usable = [voice / np.sqrt(np.mean(voice**2)) for voice in voices if np.any(voice)]
    if not usable:
        raise EngineError("degrade.no_noise")
    mixed = np.zeros(count)
    for number in range(int(settings["talkers"])):
        mixed += stretch(usable[number % len(usable)], count, rng, bool(settings["looped"]))
    return mixed


def stretch(noise: Samples, count: int, rng: np.random.Generator, looped: bool) -> Samples:
    """``count`` samples of ``noise`` from a drawn place; a short one goes round, or else ends in silence."""
    if len(noise) >= count:
        first = int(rng.integers(len(noise) - count + 1))
        return noise[first : first + count]
    if looped:
        first = int(rng.integers(len(noise)))
        return np.resize(np.roll(noise, -first), count)
    return np.concatenate((noise, np.zeros(count - len(noise))))


def _mixed(clip: Clip, noise: Samples, snr_db: float, settings: Mapping[str, Any]) -> Degraded:
    over_speech = settings["snr_over"] == "speech"
    samples = clip.samples
    power = speech_power(samples, clip.sample_rate_hz) if over_speech else float(np.var(samples)) if len(samples) else 0
    noise_power = float(np.mean(noise**2)) if len(noise) else 0.0
    if not power > 0:
        raise EngineError("degrade.silent")
    if not noise_power > 0:
        raise EngineError("degrade.no_noise")
    return Degraded(samples + noise * np.sqrt(power / noise_power * 10 ** (-snr_db / 10)), clean=samples)


def _levelled(samples: Samples, clip: Clip, level: str) -> Samples:
    if level == "none":
        return samples
    if level == "peak":
        was, now = float(np.max(np.abs(clip.samples))), float(np.max(np.abs(samples)))
        return samples * (was / now) if now > 0 else samples
    was, now = (speech_power(part, clip.sample_rate_hz) for part in (clip.samples, samples))
    return samples * float(np.sqrt(was / now)) if was > 0 and now > 0 else samples
