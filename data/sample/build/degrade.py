"""What is done to clean speech: the conditions of the robust subset and the planted audio faults. Seeded, pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

RATE_HZ = 24_000
_PACKET_S = 0.02


def add_noise(speech: Samples, noise: Samples, snr_db: float) -> Samples:
    """``speech`` with ``noise`` (cut or repeated to its length) at a signal-to-noise ratio in dB."""
    noise = np.resize(noise, speech.shape)
    gain = np.sqrt(np.mean(speech**2) / (np.mean(noise**2) * 10 ** (snr_db / 10)))
    return _limited(speech + gain * noise)


def white_noise(length: int, seed: int) -> Samples:
    """Gaussian noise of unit power."""
    return np.asarray(np.random.default_rng(seed).standard_normal(length), np.float32)


def babble(voices: list[Samples]) -> Samples:
    """Several voices at once, none to be understood: each reversed, of equal power, as long as the longest."""
    length = max(voice.size for voice in voices)
    mixed = np.sum([np.resize(voice[::-1] / np.std(voice), length) for voice in voices], axis=0)
    return np.asarray(mixed, np.float32)


def reverberate(speech: Samples, rt60_s: float, seed: int) -> Samples:
    """``speech`` in a room whose sound falls by 60 dB in ``rt60_s``: a decaying noise tail behind the direct sound."""
    from scipy.signal import fftconvolve

    time = np.arange(round(rt60_s * RATE_HZ)) / RATE_HZ
    tail = white_noise(time.size, seed) * 10 ** (-3 * time / rt60_s)
    response = 0.5 * tail / np.sqrt(np.sum(tail**2))
    response[0] = 1.0
    return _limited(fftconvolve(speech, response)[: speech.size + RATE_HZ // 2].astype(np.float32))


def low_pass(speech: Samples, cut_off_hz: float) -> Samples:
    """``speech`` through a second-order low-pass, as from far away or behind a door."""
    from scipy.signal import butter, sosfilt

    filtered = sosfilt(butter(2, cut_off_hz, fs=RATE_HZ, output="sos"), speech).astype(np.float32)
    return np.asarray(filtered * (np.std(speech) / np.std(filtered)), np.float32)


def lose_packets(speech: Samples, share: float, seed: int) -> Samples:
    """``speech`` with ``share`` of its 20 ms packets replaced by silence."""
    packet = round(_PACKET_S * RATE_HZ)
    lost = np.random.default_rng(seed).random(-(-speech.size // packet)) < share
    return np.asarray(np.where(np.repeat(lost, packet)[: speech.size], np.float32(0.0), speech), np.float32)


def clip_at(speech: Samples, level: float) -> Samples:
    """``speech`` clipped at ``level`` times its peak and brought back to half of full scale."""
    limit = level * np.max(np.abs(speech))
    return np.asarray(np.clip(speech, -limit, limit) * (0.5 / limit), np.float32)


def amplify_until_clipped(speech: Samples, gain: float) -> Samples:
    """``speech`` times ``gain``, cut off at full scale."""
    return np.asarray(np.clip(speech * gain, -1.0, 1.0), np.float32)


def cut_short(speech: Samples, keep: float) -> Samples:
    """The first ``keep`` (0..1) of ``speech``."""
    return speech[: round(keep * speech.size)]


def raise_voice(speech: Samples, factor: float) -> Samples:
    """``speech`` played ``factor`` times as fast, which raises its pitch as much."""
    import soxr

    return np.asarray(soxr.resample(speech, RATE_HZ * factor, RATE_HZ), np.float32)


def robust(speech: Samples, others: list[Samples], category: str, level: str, seed: int) -> Samples:
    """``speech`` under one condition of the robust subset, named as the benchmark names it."""
    amount = float(level.rpartition("_")[2].removesuffix("hz"))
    match category:
        case "background_noise":
            return add_noise(speech, babble(others), amount)
        case "white_noise":
            return add_noise(speech, white_noise(speech.size, seed), amount)
        case "reverberation":
            return reverberate(speech, amount / 10, seed)
        case "farfield":
            return low_pass(speech, amount)
        case "packet_loss":
            return lose_packets(speech, amount, seed)
        case "distortion":
            return clip_at(speech, amount)
    raise ValueError(f"unknown condition {category}")


def _limited(samples: Samples) -> Samples:
    peak = float(np.max(np.abs(samples)))
    return np.asarray(samples * (0.95 / peak) if peak > 0.95 else samples, np.float32)
