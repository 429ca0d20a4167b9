"""A waveform as a picture: one column of device pixels per piece of time, peaks around their power."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from engine.audio import Pyramid, envelope, holes, loudness

_CLIP, _HOLE = 3, 4  # after nothing, body and core


@dataclass(frozen=True, slots=True)
class Columns:
    """What is drawn in each column, shape (columns,); NaN where the recording is not."""

    low: NDArray[np.float32]
    high: NDArray[np.float32]
    power: NDArray[np.float32]
    holes: NDArray[np.bool_]

    def peak(self, column: int) -> float | None:
        """The largest magnitude in a column; None beyond the recording."""
        if not 0 <= column < len(self.low) or np.isnan(self.low[column]):
            return None
        return float(max(abs(self.low[column]), abs(self.high[column])))


def columns_of(
    pyramid: Pyramid, samples: NDArray[np.float32] | None, start_s: float, end_s: float, columns: int
) -> Columns:
    """The columns of a window in seconds, all channels in one outline: no loud sample of any is lost."""
    start, end = start_s * pyramid.sample_rate_hz, end_s * pyramid.sample_rate_hz
    channels = range(pyramid.channels)
    bounds = [envelope(pyramid, start, end, columns, channel, samples) for channel in channels]
    return Columns(
        np.fmin.reduce([low for low, _ in bounds]),
        np.fmax.reduce([high for _, high in bounds]),
        np.fmax.reduce([loudness(pyramid, start, end, columns, channel) for channel in channels]),
        np.logical_or.reduce([holes(pyramid, start, end, columns, channel, samples) for channel in channels]),
    )


@dataclass(frozen=True, slots=True)
class Inks:
    """Colours of an outline: its peaks, its core, where it is over full scale, and samples that are not numbers."""

    body: QColor
    core: QColor
    clip: QColor
    hole: QColor


def picture(columns: Columns, height: int, full_scale: float, inks: Inks, above: int = 0) -> QImage:
    """The columns as an image of ``height`` device pixels below ``above`` empty ones.

    ``full_scale`` is that of a sample of 1.0, in device pixels.
    """
    codes = np.zeros((above + height, len(columns.low)), np.uint8)
    codes[above:] = _codes(columns, height, full_scale)
    image = QImage(codes.data, codes.shape[1], codes.shape[0], codes.strides[0], QImage.Format.Format_Indexed8)
    image.setColorTable([0, *(colour.rgba() for colour in (inks.body, inks.core, inks.clip, inks.hole))])
    return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)  # with memory of its own


def _codes(columns: Columns, height: int, full_scale: float) -> NDArray[np.uint8]:
    """What each pixel shows, shape (height, columns): nothing, body, core, clip or hole."""
    middle = (height - 1) / 2
    there = ~np.isnan(columns.low)
    high = np.where(there, np.clip(columns.high, -1.2, 1.2), 0)
    low = np.where(there, np.clip(columns.low, -1.2, 1.2), 0)
    core = np.where(there, np.clip(columns.power, 0, 1.2), 0)
    top, bottom = _rows(middle - high * full_scale), _rows(middle - low * full_scale)
    bottom[~there] = -1  # nothing lies between
    rows = np.arange(height, dtype=np.int16)[:, None]
    body = (rows >= top) & (rows <= bottom)
    inner_top = np.maximum(top, _rows(middle - core * full_scale))
    inner_bottom = np.minimum(bottom, _rows(middle + core * full_scale))
    codes = body.view(np.uint8) + ((rows >= inner_top) & (rows <= inner_bottom)).view(np.uint8)
    edge = max(2.0, height / 40)
    if (columns.high >= 1).any() or (columns.low <= -1).any():
        over = ((columns.high >= 1) & (rows < top + edge)) | ((columns.low <= -1) & (rows > bottom - edge))
        codes[body & over] = _CLIP
    if columns.holes.any():
        codes[np.broadcast_to(columns.holes, codes.shape) & (rows >= height - edge)] = _HOLE
    return codes


def _rows(places: NDArray[Any]) -> NDArray[np.int16]:
    return np.asarray(np.rint(places), np.int16)
