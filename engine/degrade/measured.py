"""What an interference did, measured on the file that was written; NaN where it cannot be told."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import signal

from engine.degrade.interferences import Samples, speech_power

_COHERENT = 0.9  # least coherence (0..1) of a frequency that is measured at


def snr_db(written: Samples, clean: Samples, sample_rate_hz: int, over: str) -> float:
    """Signal-to-noise ratio in dB: power of the clean part, where it sounds or over all, over that of the rest."""
    noise = written - clean
    power = speech_power(clean, sample_rate_hz) if over == "speech" else float(np.var(clean))
    return float(10 * np.log10(power / np.mean(noise**2))) if np.any(noise) and power > 0 else float("nan")


def rt60_s(response: Samples, sample_rate_hz: int) -> float:
    """Reverberation time in seconds of an impulse response: the slope of its backward integral from -5 to -35 dB."""
    energy = np.cumsum(response[::-1] ** 2)[::-1]
    decay = 10 * np.log10(energy / energy[0], where=energy > 0, out=np.full(len(energy), -np.inf))
    within = (decay <= -5) & (decay >= -35)
    if np.count_nonzero(within) < 2:
        return float("nan")
    slope = np.polyfit(np.flatnonzero(within) / sample_rate_hz, decay[within], 1)[0]
    return float(-60 / slope)


def cut_off_hz(written: Samples, clean: Samples, sample_rate_hz: int, filtered: str) -> float:
    """The frequency at which what was written is 3 dB below the pass band, by their cross spectrum.

    Only frequencies count at which one follows the other: where speech has nothing, rounding is all there is.
    """
    length = min(len(clean), len(written))
    if length < sample_rate_hz // 20:
        return float("nan")
    options = {"fs": sample_rate_hz, "nperseg": min(length // 4, sample_rate_hz)}
    frequencies, power = signal.welch(clean[:length], **options)
    _, power_written = signal.welch(written[:length], **options)
    _, cross = signal.csd(clean[:length], written[:length], **options)
    follows = np.abs(cross) ** 2 > _COHERENT * power * power_written
    follows[0] = False
    if np.count_nonzero(follows) < 3:
        return float("nan")
    gain = np.abs(cross[follows]) / power[follows]
    if filtered == "highpass":
        return _edge(frequencies[follows][::-1], gain[::-1])
    return _edge(frequencies[follows], gain)


def dropped_share(lost: NDArray[np.bool_], written: Samples, fill: str) -> float:
    """Share 0..1 of the samples that are missing from what was written."""
    if fill == "delete":
        return 1 - len(written) / len(lost)
    return float(np.mean(lost & (written == 0)))


def clipping_level(written: Samples, clean: Samples) -> float:
    """Where it was cut off, as a share of the clean peak: the plateau over the gain of what lies well under it."""
    plateau, peak = float(np.max(np.abs(written))), float(np.max(np.abs(clean)))
    below = (np.abs(written) < 0.9 * plateau) & (clean != 0)
    if not np.any(below) or not peak:
        return float("nan")
    gain = float(np.sum(written[below] * clean[below]) / np.sum(clean[below] ** 2))
    return plateau / gain / peak if gain else float("nan")


def clipped_share(written: Samples) -> float:
    """Share 0..1 of the samples at the plateau."""
    plateau = float(np.max(np.abs(written), initial=0.0))
    return float(np.mean(np.abs(written) >= plateau * 0.999)) if plateau else 0.0


def _edge(frequencies: NDArray[np.float64], gain: NDArray[np.float64]) -> float:
    """Where ``gain``, from the pass band on, last falls under -3 dB of its highest, in between two values."""
    passed = gain >= np.max(gain) * np.sqrt(0.5)
    place = int(np.flatnonzero(passed)[-1])
    if place + 1 == len(gain):
        return float("nan")
    share = (gain[place] - np.max(gain) * np.sqrt(0.5)) / (gain[place] - gain[place + 1])
    return float(frequencies[place] + share * (frequencies[place + 1] - frequencies[place]))
