"""The peak pyramid: minimum and maximum per block at several levels, for drawing any window of a waveform fast.

Beside the peaks it keeps the power of each block of the finest level, for the core that is drawn inside them.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.audio.finite import are_finite
from engine.audio.source import opened
from engine.errors import EngineError

#: Samples of a block at the finest level: 1.4 MB for ten minutes at 48 kHz.
BASE_BLOCK = 256
#: Each level joins this many blocks of the level below: a column never looks at more than about five blocks.
LEVEL_FACTOR = 4
VERSION = 2  # 1 had no power

_MAGIC = b"AURPEAKS"
_HEADER = struct.Struct("<8sHHIIQI")  # magic, version, channels, block, rate, frames, CRC-32 of what follows


@dataclass(frozen=True, slots=True)
class Level:
    """Peaks of all blocks of one size, each of shape (channels, blocks).

    ``low`` and ``high`` are NaN for a block without a finite sample; ``holes`` marks blocks with any that is not.
    """

    block: int
    low: NDArray[np.float32]
    high: NDArray[np.float32]
    holes: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pyramid:
    """Peaks of one recording, ``levels`` from fine to coarse; an empty recording has levels without blocks.

    ``power`` is the mean square of each block of the finest level, shape (channels, blocks), samples that are not
    finite counted as zeros.
    """

    channels: int
    frame_count: int
    sample_rate_hz: int
    levels: tuple[Level, ...]
    power: NDArray[np.float32]

    def to_bytes(self) -> bytes:
        """The pyramid for the cache: a versioned header and the finest level, from which the others are made."""
        fine = self.levels[0]
        holes = np.packbits(fine.holes, axis=None).tobytes()
        body = b"".join(values.astype("<f4").tobytes() for values in (fine.low, fine.high, self.power)) + holes
        return self._header(zlib.crc32(body)) + body

    def _header(self, checksum: int) -> bytes:
        return _HEADER.pack(
            _MAGIC, VERSION, self.channels, self.levels[0].block, self.sample_rate_hz, self.frame_count, checksum
        )


def build_pyramid(samples: NDArray[np.float32], sample_rate_hz: int = 0) -> Pyramid:
    """The pyramid of samples in memory, shape (time,) or (time, channels); any may be NaN or infinite."""
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    return pyramid_of_blocks([samples.reshape(-1, channels)], channels, sample_rate_hz)


def read_pyramid(path: str | PathLike[str]) -> Pyramid:
    """The pyramid of an audio file in one pass, without holding its samples. Raises what ``inspect_audio`` raises."""
    with opened(Path(path)) as source:
        return pyramid_of_blocks(source.blocks(), source.channels, source.sample_rate_hz)


def pyramid_of_blocks(blocks: Iterable[NDArray[np.float32]], channels: int, sample_rate_hz: int) -> Pyramid:
    """The pyramid of frames that come in blocks of any length, shape (time, channels)."""
    parts: list[tuple[Level, NDArray[np.float32]]] = []
    rest = np.zeros((0, channels), np.float32)
    frame_count = 0
    for block in blocks:
        frame_count += len(block)
        frames = np.concatenate((rest, block)) if len(rest) else block
        whole = len(frames) // BASE_BLOCK * BASE_BLOCK
        parts.append(_peaks(frames[:whole]))
        rest = frames[whole:].copy()
    parts.append(_peaks(rest))
    fine = Level(
        BASE_BLOCK,
        np.concatenate([level.low for level, _ in parts], axis=1),
        np.concatenate([level.high for level, _ in parts], axis=1),
        np.concatenate([level.holes for level, _ in parts], axis=1),
    )
    power = np.concatenate([power for _, power in parts], axis=1)
    return Pyramid(channels, frame_count, sample_rate_hz, _levels_above(fine), power)


def pyramid_from_bytes(data: bytes) -> Pyramid:
    """The pyramid that ``to_bytes`` stored.

    Raises EngineError ``audio.pyramid_version`` for another version and ``audio.pyramid_damaged`` for anything else
    that was not written by ``to_bytes``: make it again from the audio.
    """
    if len(data) < _HEADER.size or not data.startswith(_MAGIC):
        raise EngineError("audio.pyramid_damaged")
    _, version, channels, block, rate, frame_count, checksum = _HEADER.unpack_from(data)
    if version != VERSION:
        raise EngineError("audio.pyramid_version", version=version, readable=VERSION)
    body = data[_HEADER.size :]
    count = channels * -(-frame_count // block) if block else -1
    if zlib.crc32(body) != checksum or len(body) != 12 * count + (count + 7) // 8:
        raise EngineError("audio.pyramid_damaged")
    low, high, power = np.frombuffer(body, "<f4", 3 * count).reshape(3, channels, -1).astype(np.float32)
    holes = np.unpackbits(np.frombuffer(body, np.uint8, offset=12 * count), count=count).astype(bool)
    fine = Level(block, low, high, holes.reshape(channels, -1))
    return Pyramid(channels, frame_count, rate, _levels_above(fine), power)


def _peaks(frames: NDArray[np.float32]) -> tuple[Level, NDArray[np.float32]]:
    """Peaks and power of frames of shape (time, channels) in base blocks; the last block may be short."""
    channels = np.ascontiguousarray(frames.T)
    if channels.size and channels.shape[1] % BASE_BLOCK == 0 and (found := _peaks_of_numbers(channels)) is not None:
        return found
    finite = are_finite(channels)
    if finite.all():
        low = high = channels
    else:
        low = high = np.where(finite, channels, np.float32(np.nan))
    squares = np.square(np.where(finite, channels, np.float32(0)))
    return _joined(Level(1, low, high, ~finite), BASE_BLOCK), _mean(squares, BASE_BLOCK)


def _peaks_of_numbers(channels: NDArray[np.float32]) -> tuple[Level, NDArray[np.float32]] | None:
    """The same of whole blocks, three times as fast; None where a sample is not finite, which a peak then shows."""
    blocks = channels.reshape(len(channels), -1, BASE_BLOCK)
    low, high = blocks.min(axis=2), blocks.max(axis=2)
    if not (are_finite(low).all() and are_finite(high).all()):
        return None
    power = np.einsum("cbk,cbk->cb", blocks, blocks) / np.float32(BASE_BLOCK)
    return Level(BASE_BLOCK, low, high, np.zeros(low.shape, np.bool_)), power


def _mean(values: NDArray[np.float32], factor: int) -> NDArray[np.float32]:
    """The mean of every ``factor`` values, the last of what is there."""
    count = values.shape[1]
    if not count:
        return values
    starts = np.arange(0, count, factor)
    return np.asarray(np.add.reduceat(values, starts, axis=1) / np.diff([*starts, count]), np.float32)


def _levels_above(fine: Level) -> tuple[Level, ...]:
    levels = [fine]
    while levels[-1].low.shape[1] > LEVEL_FACTOR:
        levels.append(_joined(levels[-1], LEVEL_FACTOR))
    return tuple(levels)


def _joined(level: Level, factor: int) -> Level:
    """The level above: every ``factor`` blocks as one."""
    if not level.low.shape[1]:
        return Level(level.block * factor, level.low, level.high, level.holes)
    starts = np.arange(0, level.low.shape[1], factor)
    return Level(
        level.block * factor,
        np.fmin.reduceat(level.low, starts, axis=1),
        np.fmax.reduceat(level.high, starts, axis=1),
        np.logical_or.reduceat(level.holes, starts, axis=1),
    )
