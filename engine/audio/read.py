"""Reads audio files: their facts and faults, mono samples for a recogniser, or all channels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path

import numpy as np
import soxr
from numpy.typing import NDArray

from engine.audio.facts import AudioFacts
from engine.audio.faults import clipped_share, find_faults
from engine.audio.finite import are_finite, without_non_finite
from engine.audio.formats import bits_of
from engine.audio.levels import Levels, measure_levels
from engine.audio.source import Source, opened
from engine.errors import EngineError

_RESAMPLER = "HQ"  # soxr's 20-bit quality: its errors lie below a 16-bit step
_MAX_EXPECTED_FRAMES = 1 << 25  # a header may promise anything: no more than this is set aside before it is read


def inspect_audio(path: str | PathLike[str]) -> AudioFacts:
    """The facts and faults of one audio file, from its headers and one pass over its samples.

    A file without samples, or without a single finite one, has facts and a fault that says so.
    Raises EngineError ``audio.*`` when it is not there or not audio that can be read.
    """
    with opened(Path(path)) as source:
        levels = _measured(source)
        rate = source.sample_rate_hz
        return AudioFacts(
            format=source.format,
            subtype=source.subtype,
            sample_rate_hz=rate,
            channels=source.channels,
            frame_count=levels.frames,
            duration_s=levels.frames / rate,
            bits=bits_of(source.subtype),
            peak=float(levels.peak_by_channel.max()),
            peak_by_channel=tuple(levels.peak_by_channel.tolist()),
            dc_offset=max(levels.dc_by_channel.tolist(), key=abs),
            rms_dbfs=levels.rms_dbfs,
            silent_share=levels.sound.silent_share,
            spoken_duration_s=levels.sound.spoken_duration_s,
            sound_start_s=levels.sound.start_s,
            sound_end_s=levels.sound.end_s,
            clipped_share=clipped_share(source, levels),
            non_finite_samples=levels.non_finite,
            first_non_finite_s=None if levels.first_non_finite is None else levels.first_non_finite / rate,
            mixed_channels=tuple(index + 1 for index in levels.mixed),
            faults=find_faults(source, levels),
        )


def load_mono(path: str | PathLike[str], sample_rate_hz: int) -> NDArray[np.float32]:
    """Mono samples at ``sample_rate_hz``, shape (time,), full scale 1.0, always finite.

    The mean of the channels that carry sound (the loudest alone where they cancel each other out); non-finite
    samples are zeros. Silence gives zeros. What is missing of a truncated file is not made up.
    Raises EngineError ``audio.no_samples`` for an empty sound, ``audio.no_usable_sample`` where no sample is
    finite, and what ``inspect_audio`` raises.
    """
    path = Path(path)
    mixed = _mixed_channels(path)
    with opened(path) as source:
        expected = math.ceil(min(source.expected_frames, _MAX_EXPECTED_FRAMES) * sample_rate_hz / source.sample_rate_hz)
        return _joined(_resampled(_mono(source, mixed), source.sample_rate_hz, sample_rate_hz), (), expected)


def load_channels(path: str | PathLike[str], keep_non_finite: bool = False) -> tuple[NDArray[np.float32], int]:
    """All channels at the file's own rate: samples of shape (time, channels), full scale 1.0, and the rate in Hz.

    Non-finite samples become zeros, so that a player may play them; ``keep_non_finite`` leaves them for drawing.
    An empty sound gives shape (0, channels). Raises what ``inspect_audio`` raises.
    """
    with opened(Path(path)) as source:
        blocks = source.blocks() if keep_non_finite else map(without_non_finite, source.blocks())
        expected = min(source.expected_frames, _MAX_EXPECTED_FRAMES)
        return _joined(blocks, (source.channels,), expected), source.sample_rate_hz


def resample(samples: NDArray[np.float32], from_hz: int, to_hz: int) -> NDArray[np.float32]:
    """Samples of shape (time,) or (time, channels) at another rate; the same length in seconds, no delay."""
    if from_hz == to_hz or not len(samples):
        return samples
    return np.asarray(soxr.resample(samples, from_hz, to_hz, _RESAMPLER), np.float32)


def _measured(source: Source) -> Levels:
    return measure_levels(source.blocks(), source.channels, source.sample_rate_hz, bits_of(source.subtype))


def _mixed_channels(path: Path) -> list[int]:
    """Which channels make the mono signal; a pass of its own, for the last block may bring a channel to life."""
    with opened(path) as source:
        if source.channels == 1:
            return [0]
        return list(_measured(source).mixed)


def _mono(source: Source, mixed: list[int]) -> Iterator[NDArray[np.float32]]:
    frames, any_finite = 0, False
    for block in source.blocks():
        frames += len(block)
        any_finite = any_finite or bool(are_finite(block).any())
        finite = without_non_finite(block)
        yield finite[:, mixed[0]] if len(mixed) == 1 else finite[:, mixed].mean(axis=1, dtype=np.float32)
    if not frames:
        raise EngineError("audio.no_samples", path=str(source.path))
    if not any_finite:
        raise EngineError("audio.no_usable_sample", path=str(source.path))


def _resampled(blocks: Iterable[NDArray[np.float32]], from_hz: int, to_hz: int) -> Iterator[NDArray[np.float32]]:
    if from_hz == to_hz:
        yield from blocks
        return
    stream = soxr.ResampleStream(from_hz, to_hz, 1, dtype="float32", quality=_RESAMPLER)
    for block in blocks:
        yield stream.resample_chunk(np.ascontiguousarray(block))
    yield stream.resample_chunk(np.zeros(0, np.float32), last=True)


def _joined(blocks: Iterable[NDArray[np.float32]], row: tuple[int, ...], expected: int) -> NDArray[np.float32]:
    """All blocks in one array that is set aside once: joining a list of them would hold a long file twice."""
    joined = np.empty((expected, *row), np.float32)
    filled = 0
    for block in blocks:
        if filled + len(block) > len(joined):
            joined.resize((filled + len(block) + len(joined) // 2, *row), refcheck=False)
        joined[filled : filled + len(block)] = block
        filled += len(block)
    joined.resize((filled, *row), refcheck=False)
    return joined
