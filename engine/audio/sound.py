"""Where something sounds in a recording: energy per 20 ms frame against a floor and against the loud frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Frame length. Two pitch periods of a low voice (100 Hz) fit in, a stop consonant is still seen.
FRAME_S = 0.02
#: Below -60 dBFS (RMS, DC removed) nothing sounds: speech is recorded around -26 dBov (ITU-T P.56), 34 dB above.
SILENCE_FLOOR_DBFS = -60.0
#: Speech spans 30 dB from its weakest to its strongest parts (ANSI S3.5-1997, speech level distribution);
#: with 5 dB in hand, what lies further below the loud frames is background.
SPEECH_RANGE_DB = 35.0
#: The loud level is this percentile of the frames above the floor: one click must not define it.
LOUD_PERCENTILE = 95.0
#: Pauses up to this length belong to speech: the hangover time of ITU-T P.56 method B.
PAUSE_IN_SPEECH_S = 0.2
#: A clip is over-long when at least this much of it is silent (a pause to think is shorter) ...
OVER_LONG_SILENCE_S = 5.0
#: ... and it lasts at least this many times as long as the sound in it (a halting speaker stays under 2).
OVER_LONG_RATIO = 3.0

_FLOOR_POWER = 10 ** (SILENCE_FLOOR_DBFS / 10)


@dataclass(frozen=True, slots=True)
class Sound:
    """How much of a recording sounds, and from where to where; start and end are None for silence."""

    duration_s: float
    spoken_duration_s: float
    start_s: float | None
    end_s: float | None

    @property
    def silent_share(self) -> float:
        """Share 0..1 of the duration in which nothing sounds; 1.0 for an empty recording."""
        return 1.0 - self.spoken_duration_s / self.duration_s if self.duration_s else 1.0


def frame_length(sample_rate_hz: int) -> int:
    """Samples of one frame at ``sample_rate_hz``, at least 1."""
    return max(1, round(FRAME_S * sample_rate_hz))


def sounding_frames(powers: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Which frames sound, shape (frames,), short pauses between sounding frames filled.

    Args:
        powers: mean square of each frame, DC removed, full scale 1.0; shape (frames,).
    """
    audible = powers > _FLOOR_POWER
    if not audible.any():
        return audible
    loud = float(np.percentile(powers[audible], LOUD_PERCENTILE))
    return _filled(powers > max(_FLOOR_POWER, loud * 10 ** (-SPEECH_RANGE_DB / 10)))


def sound_from_frames(powers: NDArray[np.floating], frame_count: int, sample_rate_hz: int) -> Sound:
    """The sound in a recording of ``frame_count`` samples per channel whose 20 ms frames have these powers."""
    length = frame_length(sample_rate_hz)
    (sounding,) = np.nonzero(sounding_frames(powers))
    duration_s = frame_count / sample_rate_hz
    if not len(sounding):
        return Sound(duration_s, 0.0, None, None)
    ends = np.minimum((sounding + 1) * length, frame_count)  # the last frame may be short
    spoken = int(np.sum(ends - sounding * length))
    start_s, end_s = sounding[0] * length / sample_rate_hz, ends[-1] / sample_rate_hz
    return Sound(duration_s, spoken / sample_rate_hz, float(start_s), float(end_s))


def frame_powers(channels: NDArray[np.float32], length: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance (power without DC) of each frame of each channel, both of shape (channels, frames).

    Args:
        channels: finite samples, shape (channels, time), C-contiguous; the last frame may be short.
        length: samples of a frame.
    """
    whole = channels.shape[1] // length * length
    parts = [channels[:, :whole].reshape(len(channels), -1, length)]
    if whole < channels.shape[1]:
        parts.append(channels[:, None, whole:])
    means = [part.mean(axis=2) for part in parts]
    centred = [part - mean[..., None] for part, mean in zip(parts, means, strict=True)]  # exact even on a large DC
    powers = [np.einsum("cfl,cfl->cf", part, part) / max(1, part.shape[2]) for part in centred]
    return np.concatenate(means, axis=1).astype(np.float64), np.concatenate(powers, axis=1).astype(np.float64)


def sound_of(samples: NDArray[np.float32], sample_rate_hz: int) -> Sound:
    """The sound in finite mono ``samples`` of shape (time,), full scale 1.0; empty and silent give 0 s spoken.

    >>> sound_of(np.zeros(16000, np.float32), 16000).spoken_duration_s
    0.0
    """
    channels = np.ascontiguousarray(samples, np.float32)[None, :]
    _, powers = frame_powers(channels, frame_length(sample_rate_hz))
    return sound_from_frames(powers[0], len(samples), sample_rate_hz)


def is_over_long(duration_s: float, spoken_duration_s: float) -> bool:
    """True when a clip lasts much longer than the sound in it: 5 s of silence or more, and 3 times the sound.

    A clip in which nothing sounds is silent, not over-long.

    >>> is_over_long(95.0, 1.0), is_over_long(4.0, 1.0), is_over_long(20.0, 14.0), is_over_long(60.0, 0.0)
    (True, False, False, False)
    """
    silent_s = duration_s - spoken_duration_s
    return (
        spoken_duration_s > 0 and silent_s >= OVER_LONG_SILENCE_S and duration_s >= OVER_LONG_RATIO * spoken_duration_s
    )


def _filled(sounding: NDArray[np.bool_]) -> NDArray[np.bool_]:
    (where,) = np.nonzero(sounding)
    filled = sounding.copy()
    pauses = np.diff(where) - 1
    for index in np.nonzero((pauses > 0) & (pauses <= round(PAUSE_IN_SPEECH_S / FRAME_S)))[0]:
        filled[where[index] : where[index + 1]] = True
    return filled
