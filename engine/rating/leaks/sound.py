"""What of a clip's sound, beside what it says, may tell one system from another; kept in a bounded folder.

It lies in ``cues/`` of the workspace, one file per audio by the hash of its bytes. Losing it loses nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.audio.finite import without_non_finite
from engine.audio.sound import frame_length, frame_powers, sound_from_frames
from engine.audio.source import opened
from engine.errors import EngineError
from engine.progress import Progress
from engine.store.audio import audio_of
from engine.store.blind_answers import BlindAnswer
from engine.store.kept_files import keep_file, read_kept
from engine.store.loudness import measured_loudness
from engine.store.workspace import Workspace

#: Some 20,000 clips.
MOST_BYTES = 8 << 20
_VERSION = 1
_T = TypeVar("_T")
#: The spectrum of the loud frames ends where it lies this far under its strongest part and stays there.
_RANGE_DB = 50.0
_LOUD_RANGE_DB, _LEAST_POWER = 20.0, 1e-6
_SMOOTHED_HZ = 300.0
#: The floor is the level that a twentieth of the frames between first and last sound stay under.
_QUIET_SHARE = 5.0
#: 16-bit silence; less cannot be told from nothing.
_LOWEST_DBFS = -96.0


@dataclass(frozen=True, slots=True)
class ClipSound:
    """Figures of one clip as its file is; a silent one starts and ends at 0 s and has NaN for what sound alone has.

    Attributes:
        start_s, end_s: where the first sound begins and the last one ends, in steps of 20 ms.
        spoken_s: seconds in which something sounds.
        cut_off_hz: where the spectrum of its loud parts ends, at most half the sample rate.
        noise_dbfs: how loud its quietest moments are between first and last sound; -96 for digital silence.
        coding: container, coding and channels, as the file's headers say.
        lufs, peak_dbfs: integrated loudness, NaN under 400 ms; and the largest sample.
    """

    duration_s: float
    start_s: float
    end_s: float
    spoken_s: float
    cut_off_hz: float
    noise_dbfs: float
    sample_rate_hz: int
    coding: str
    lufs: float
    peak_dbfs: float


def clip_sound(workspace: Workspace, sha256: str, path: Path) -> Generator[Progress, None, ClipSound]:
    """The figures of a file, from the folder or measured and kept there; yields after each block.

    Raises EngineError ``audio.*`` for what cannot be read.
    """
    kept = workspace.folder / "cues" / f"{sha256}.json"
    found = _from_bytes(read_kept(kept))
    if found is not None:
        return found
    loudness = yield from measured_loudness(workspace, sha256, path)
    with opened(path) as source:
        meter = _Meter(source.sample_rate_hz)
        for block in source.blocks():
            meter.add(block)
            yield Progress(meter.frames, max(meter.frames, source.expected_frames))
        coding = f"{source.format} {source.subtype} {source.channels}"
        rate = source.sample_rate_hz
    sound = sound_from_frames(meter.powers(), meter.frames, rate)
    made = ClipSound(
        duration_s=sound.duration_s,
        start_s=sound.start_s or 0.0,
        end_s=sound.end_s or 0.0,
        spoken_s=sound.spoken_duration_s,
        cut_off_hz=meter.cut_off_hz() if sound.start_s is not None else math.nan,
        noise_dbfs=_noise_dbfs(meter.powers(), sound.start_s, sound.end_s),
        sample_rate_hz=rate,
        coding=coding,
        lufs=round(loudness.lufs, 2),  # as it comes from its own folder, which keeps fewer digits
        peak_dbfs=round(max(loudness.peak_dbfs, -200.0), 2),
    )
    keep_file(kept, json.dumps({"version": _VERSION, **asdict(made)}).encode(), MOST_BYTES)
    return made


class _Meter:
    """Hears blocks of whole 20 ms frames: their powers, and the mean level of each line of the loud frames' spectra.

    A mean of levels, not of powers: a click or a single sibilant must not stand for the whole.
    """

    def __init__(self, sample_rate_hz: int) -> None:
        self.frames = 0
        self._rate, self._length = sample_rate_hz, frame_length(sample_rate_hz)
        self._window = np.hanning(self._length + 1)[:-1].astype(np.float32)
        self._levels, self._loud = np.zeros(self._length // 2 + 1), 0
        self._powers: list[NDArray[np.float64]] = [np.zeros(0)]

    def add(self, block: NDArray[np.float32]) -> None:
        samples = np.ascontiguousarray(without_non_finite(block).T)
        powers = frame_powers(samples, self._length)[1].max(axis=0)
        self._powers.append(powers)
        self.frames += len(block)
        mono = samples.mean(axis=0)[: len(block) // self._length * self._length].reshape(-1, self._length)
        loud = powers[: len(mono)] > max(_LEAST_POWER, np.percentile(powers, 95) * 10 ** (-_LOUD_RANGE_DB / 10))
        mono = mono[loud]
        lines = np.fft.rfft((mono - mono.mean(axis=1, keepdims=True)) * self._window, axis=1)
        self._levels += np.sum(10 * np.log10(lines.real**2 + lines.imag**2 + 1e-12), axis=0)
        self._loud += len(mono)

    def powers(self) -> NDArray[np.float64]:
        return np.concatenate(self._powers)

    def cut_off_hz(self) -> float:
        step_hz = self._rate / self._length
        width = max(1, round(_SMOOTHED_HZ / step_hz))
        levels = np.pad(self._levels / max(1, self._loud), width, "edge")
        smooth = np.convolve(levels, np.ones(width) / width, "same")[width:-width]
        (above,) = np.nonzero(smooth > smooth.max() - _RANGE_DB)
        return float(min((above[-1] + 1) * step_hz, self._rate / 2))


def _noise_dbfs(powers: NDArray[np.float64], start_s: float | None, end_s: float | None) -> float:
    if start_s is None or end_s is None:
        return math.nan
    within = powers[round(start_s / 0.02) : math.ceil(end_s / 0.02 - 1e-6)]
    quiet = float(np.percentile(within, _QUIET_SHARE))
    return max(10 * math.log10(quiet), _LOWEST_DBFS) if quiet > 0 else _LOWEST_DBFS


def _from_bytes(data: bytes | None) -> ClipSound | None:
    try:
        told = json.loads(data or b"{}")
        return ClipSound(**told) if told.pop("version", None) == _VERSION else None
    except (ValueError, TypeError, AttributeError):  # damaged, or of another version
        return None


def sounds_of(workspace: Workspace, answers: Sequence[BlindAnswer]) -> Generator[Progress, None, dict[int, ClipSound]]:
    """The figures of the answers' clips by answer; those without a clip that can be read are left out."""
    found: dict[int, ClipSound] = {}
    with closing(workspace.connect()) as db:
        for done, answer in enumerate(answers, start=1):
            yield Progress(done - 1, len(answers))
            if answer.audio_id is None:
                continue
            try:
                kept = audio_of(db, workspace, answer.audio_id)
                work = clip_sound(workspace, kept.sha256, kept.path)
                found[answer.id] = yield from told_as(Progress(done - 1, len(answers)), work)
            except EngineError:
                continue
    yield Progress(len(answers), len(answers))
    return found


def told_as(place: Progress, work: Generator[Progress, None, _T]) -> Generator[Progress, None, _T]:
    """``work``, each step of which is told as ``place`` in a larger work."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            made: _T = done.value
            return made
        yield place
