"""The outline of a waveform in a window of pixels, from its pyramid, and from the samples where pixels are finer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.audio.finite import are_finite
from engine.audio.pyramid import Level, Pyramid


def envelope(
    pyramid: Pyramid,
    start: float,
    end: float,
    columns: int,
    channel: int = 0,
    samples: NDArray[np.float32] | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Minimum and maximum in each of ``columns`` pixels from frame ``start`` to ``end``, each of shape (columns,).

    Every sample of the window is inside the bounds of its column at any zoom: one loud sample is always visible.
    The bounds may also take in the rest of the blocks that a column touches, at most one pixel more to each side
    as long as a pixel is wider than a block of the finest level.

    Args:
        start, end: frames, fractions allowed, start < end; a window may reach beyond the recording.
        channel: counts from 0.
        samples: the recording's samples, shape (time,) or (time, channels), if at hand: with them pixels narrower
            than a block are exact, without them they show their block.

    Returns:
        NaN where there is nothing to draw: beyond the recording, and where no sample of a column is finite.
    """
    level, first, last = _window(pyramid, start, end, columns, channel, samples)
    return _reduced(np.fmin, level.low[channel], first, last), _reduced(np.fmax, level.high[channel], first, last)


def holes(
    pyramid: Pyramid,
    start: float,
    end: float,
    columns: int,
    channel: int = 0,
    samples: NDArray[np.float32] | None = None,
) -> NDArray[np.bool_]:
    """Which of the columns of ``envelope`` hold a sample that is NaN or infinite, to be marked; shape (columns,)."""
    if not pyramid.levels[0].holes[channel].any():
        return np.zeros(columns, np.bool_)
    level, first, last = _window(pyramid, start, end, columns, channel, samples)
    counts = np.concatenate(([0], np.cumsum(level.holes[channel])))
    return np.asarray(counts[last] > counts[first])


def loudness(pyramid: Pyramid, start: float, end: float, columns: int, channel: int = 0) -> NDArray[np.float32]:
    """Root mean square in each of ``columns`` pixels from frame ``start`` to ``end``, shape (columns,); for drawing.

    A column looks at no less than one block of the finest level around its middle, so the outline stays smooth
    however narrow the pixels are. NaN beyond the recording.
    """
    if not start < end:
        raise ValueError(f"the window from {start} to {end} is empty")
    block = pyramid.levels[0].block
    edges = start + (end - start) * np.arange(columns + 1) / max(1, columns)
    middles = (edges[:-1] + edges[1:]) / 2
    half = max((end - start) / max(1, columns), block) / 2
    first = np.clip(middles - half, 0, pyramid.frame_count)
    last = np.clip(middles + half, 0, pyramid.frame_count)
    under = slice(int(first.min(initial=0)) // block, -(-int(last.max(initial=0)) // block))  # of all blocks
    places = np.minimum(np.arange(under.start, under.stop + 1) * block, pyramid.frame_count)
    energy = np.concatenate(([0.0], np.cumsum(pyramid.power[channel, under] * np.diff(places), dtype=np.float64)))
    inside = (edges[:-1] < pyramid.frame_count) & (edges[1:] > 0) & (last > first)
    with np.errstate(invalid="ignore", divide="ignore"):
        power = (np.interp(last, places, energy) - np.interp(first, places, energy)) / (last - first)
        return np.asarray(np.where(inside, np.sqrt(np.maximum(power, 0)), np.nan), np.float32)


def _window(
    pyramid: Pyramid, start: float, end: float, columns: int, channel: int, samples: NDArray[np.float32] | None
) -> tuple[Level, NDArray[np.intp], NDArray[np.intp]]:
    """The level to draw from and the blocks [first, last) of it under each column; none where first == last."""
    if not start < end:
        raise ValueError(f"the window from {start} to {end} is empty")
    edges = start + (end - start) * np.arange(columns + 1) / max(1, columns)
    per_column = (end - start) / max(1, columns)
    if samples is not None and per_column < pyramid.levels[0].block:
        level, offset = _exact(samples, pyramid.channels, edges)
    else:
        level, offset = _coarsest(pyramid, per_column), 0
    inside = (edges[:-1] < pyramid.frame_count) & (edges[1:] > 0)
    count = level.low.shape[1]
    first = np.clip(np.floor(edges[:-1]) // level.block - offset, 0, count).astype(np.intp)
    last = np.clip(-(-np.ceil(edges[1:]) // level.block) - offset, 0, count).astype(np.intp)
    return level, first, np.where(inside, np.maximum(first, last), first)


def _coarsest(pyramid: Pyramid, per_column: float) -> Level:
    """The coarsest level whose blocks are no wider than a column; the finest where none is."""
    fitting = [level for level in pyramid.levels if level.block <= per_column]
    return fitting[-1] if fitting else pyramid.levels[0]


def _exact(samples: NDArray[np.float32], channels: int, edges: NDArray[np.float64]) -> tuple[Level, int]:
    """The samples under the window as a level of blocks of one, and the frame it begins at."""
    frames = samples.reshape(-1, channels)
    offset = int(np.clip(np.floor(edges[0]), 0, len(frames)))
    part = frames[offset : int(np.clip(np.ceil(edges[-1]), 0, len(frames)))].T
    finite = are_finite(part)
    values = np.where(finite, part, np.float32(np.nan))
    return Level(1, values, values, ~finite), offset


def _reduced(
    extreme: np.ufunc, values: NDArray[np.float32], first: NDArray[np.intp], last: NDArray[np.intp]
) -> NDArray[np.float32]:
    if not len(first):
        return np.zeros(0, np.float32)
    begin, end = int(first.min()), int(last.max())
    under = np.append(values[begin:end], np.float32(np.nan))  # so that every ``first`` and ``last`` is a place in it
    found = extreme.reduceat(under, np.stack((first, last), axis=1).reshape(-1) - begin)[::2]
    return np.asarray(np.where(last > first, found, np.float32(np.nan)), np.float32)
