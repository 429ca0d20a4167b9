"""The power spectrum of a recording as columns for drawing: bands of frequency, levels in half decibels, one byte each.

Each zoom level has columns of its own width. The levels are absolute and the bands are the same for every
recording, so that two pictures compare, and a picture may show another range of levels without being computed again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.audio.finite import without_non_finite
from engine.audio.mel import Scale, band_edges, band_weights
from engine.audio.source import opened

#: Seconds of a column at zoom level 0; each level above holds twice as much.
FINEST_S = 0.0005
#: The analysis window: long enough that the harmonics of a low voice (80 Hz) stand apart, short enough for syllables.
WINDOW_S = 0.032
#: The frequency axis ends here for every recording: speech at 24 kHz is shown whole, one of 16 kHz ends at 8 kHz.
TOP_HZ = 12_000.0
#: Half decibels of a byte: 0 is this level or less, 255 is 0 dB, the power of a full-scale sine in its band.
LOWEST_DB = -127.5
_STEP_DB = 0.5
_BLOCK = 512  # frames transformed at a time: 8 MB at 48 kHz


@dataclass(frozen=True, slots=True)
class Bands:
    """How frequencies are spread over the rows of a picture: ``count`` rows from 0 Hz to ``TOP_HZ``."""

    count: int
    scale: Scale


def zoom_of(seconds_per_pixel: float) -> int:
    """The coarsest zoom level whose columns are no wider than a pixel; 0 where even the finest are wider.

    >>> zoom_of(0.0005), zoom_of(0.0011), zoom_of(0.00001), zoom_of(0.5)
    (0, 1, 0, 9)
    """
    return max(0, math.floor(math.log2(max(seconds_per_pixel, FINEST_S) / FINEST_S) + 1e-9))


def column_s(zoom: int) -> float:
    """Seconds of a column at a zoom level."""
    return float(FINEST_S * 2**zoom)


def column_count(frame_count: int, sample_rate_hz: int, zoom: int) -> int:
    """Columns that a recording has at a zoom level, the last of them perhaps begun only."""
    return math.ceil(frame_count / (column_s(zoom) * sample_rate_hz) - 1e-9)


def column_frames(columns: range, zoom: int, sample_rate_hz: int) -> tuple[int, int]:
    """The frames [first, end) that ``spectrum_columns`` looks at; ``first`` is 0 where it would be before them all."""
    column = column_s(zoom) * sample_rate_hz
    reach = round(WINDOW_S * sample_rate_hz) // 2 + 1
    return max(0, math.floor(columns.start * column) - reach), math.ceil(columns.stop * column) + reach


def read_spans(path: str | PathLike[str], spans: Iterable[tuple[int, int]]) -> Iterator[NDArray[np.float32]]:
    """Frames [first, end) of an audio file for each of ``spans``, as far as they are there, finite.

    The spans are in order, they may overlap; the file is passed over once and no more than a span is held.
    Each has shape (time, channels). Raises what ``inspect_audio`` raises.
    """
    with opened(Path(path)) as source:
        blocks: Iterator[NDArray[np.float32]] | None = None
        held, at = np.zeros((0, source.channels), np.float32), 0  # ``held`` begins at frame ``at``
        for first, end in spans:
            if blocks is None:
                at, blocks = source.skip_to(first), source.blocks()
            parts, filled = [held[max(0, first - at) :]], at + len(held)
            at = max(at, first)
            while filled < end and (block := next(blocks, None)) is not None:
                parts.append(without_non_finite(block[max(0, first - filled) :]).copy())
                filled += len(block)
            held = np.concatenate(parts)
            yield held[: max(0, end - at)]


def spectrum_columns(
    samples: NDArray[np.float32],
    first: int,
    sample_rate_hz: int,
    columns: range,
    zoom: int,
    bands: Bands,
    frame_count: int,
) -> NDArray[np.uint8]:
    """Columns of a zoom level, shape (bands, columns), low frequencies first; none beyond the end of the recording.

    A column is the mean power of the windows centred in it, over all channels; those wider than half a window look
    at several, so that nothing between them is passed over. Bands above half the sample rate hold nothing.

    Args:
        samples: finite, shape (time,) or (time, channels), full scale 1.0; what is missing is silence.
        first: the frame ``samples`` begin at; at least what ``column_frames`` says has to be there.
        columns: counted from the start of the recording.
        frame_count: frames of the whole recording.
    """
    columns = range(columns.start, min(columns.stop, column_count(frame_count, sample_rate_hz, zoom)))
    if not columns:
        return np.zeros((bands.count, 0), np.uint8)
    column = column_s(zoom) * sample_rate_hz
    length = round(WINDOW_S * sample_rate_hz)
    each = max(1, math.ceil(column / (length / 2)))
    middles = (columns.start + (np.arange(len(columns) * each) + 0.5) / each) * column
    starts = np.rint(middles - length / 2).astype(np.int64) - first
    channels = samples.reshape(len(samples), -1).T
    power = np.zeros((len(starts), bands.count), np.float32)
    for channel in channels:
        power += _band_powers(channel, starts, length, sample_rate_hz, bands)
    levels = (power / len(channels)).reshape(len(columns), each, bands.count).mean(axis=1)
    with np.errstate(divide="ignore"):
        decibels = 10 * np.log10(levels.T)
    codes = np.rint((np.maximum(decibels, LOWEST_DB) - LOWEST_DB) / _STEP_DB)
    return np.asarray(codes.clip(0, 255), np.uint8)


def level_of(code: int) -> float:
    """The level of a byte in dB.

    >>> level_of(0), level_of(255)
    (-127.5, 0.0)
    """
    return LOWEST_DB + _STEP_DB * code


def _band_powers(
    channel: NDArray[np.float32], starts: NDArray[np.int64], length: int, sample_rate_hz: int, bands: Bands
) -> NDArray[np.float32]:
    """The power in each band of the windows that begin at ``starts``, shape (windows, bands)."""
    from scipy import fft  # 0.1 s that only a spectrum pays

    window, weights, size = _kernel(length, sample_rate_hz, bands)
    padded = np.pad(np.ascontiguousarray(channel), length)
    places = np.clip(starts + length, 0, len(padded) - length)
    windows = np.lib.stride_tricks.sliding_window_view(padded, length)
    found = np.empty((len(starts), bands.count), np.float32)
    for begin in range(0, len(starts), _BLOCK):
        spectrum = fft.rfft(windows[places[begin : begin + _BLOCK]] * window, size, axis=1)[:, : weights.shape[0]]
        found[begin : begin + _BLOCK] = (spectrum.real**2 + spectrum.imag**2) @ weights
    return found


@lru_cache(maxsize=16)
def _kernel(length: int, sample_rate_hz: int, bands: Bands) -> tuple[NDArray[np.float32], NDArray[np.float32], int]:
    """The window, the weights of the bins in each band (shape (bins, bands)), and the size of the transform.

    The transform is padded to twice the window, so that the narrow bands of low frequencies have bins of their own.
    """
    size = 2 ** math.ceil(math.log2(2 * length))
    window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(length) / length)).astype(np.float32)
    bins_hz = np.asarray(np.fft.rfftfreq(size, 1 / sample_rate_hz), np.float64)
    weights = band_weights(band_edges(bands.count, TOP_HZ, bands.scale), bins_hz[bins_hz <= TOP_HZ])
    whole = 4 / (size * float(np.square(window).sum()))  # a full-scale sine over all its bins
    return window, np.ascontiguousarray((weights * whole).T, np.float32), size
