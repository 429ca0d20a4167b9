"""Ten thousand points as one picture: a small stamp for each kind, put on in one pass and darker where they meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

Mask = NDArray[np.bool_]
SHAPES = ("disc", "triangle_up", "triangle_down", "ring", "diamond", "square")
_ALONE, _CROWDED = 0.95, 0.35  # how dense one stamp is, at most and at least
_FEW = 1_000  # points; of more each is less dense


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the points of a kind look like."""

    kind: int
    shape: str
    colour: QColor


@lru_cache(maxsize=64)
def mask(shape: str, side: int) -> Mask:
    """The pixels of a shape in a square of ``side`` pixels, an odd number."""
    at = (np.arange(side) - side // 2) / (side / 2)
    x, y = at[None, :], at[:, None]
    if shape == "disc":
        return np.asarray(np.hypot(x, y) <= 0.95)
    if shape == "ring":
        return np.asarray((np.hypot(x, y) <= 1.0) & (np.hypot(x, y) > 1.0 - 3.2 / side))
    if shape == "triangle_up":
        return np.asarray(np.abs(x) <= (y + 1.0) / 2)
    if shape == "triangle_down":
        return np.asarray(np.abs(x) <= (1.0 - y) / 2)
    if shape == "diamond":
        reach = np.abs(x) + np.abs(y)
        return np.asarray((reach <= 1.05) & (reach > 1.0 - 3.4 / side))
    return np.ones((side, side), bool)


def picture(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    kinds: NDArray[np.int64],
    stamps: Sequence[Stamp],
    size: tuple[int, int],
    side: int,
    faded: float = 1.0,
) -> QImage:
    """The points at ``x`` and ``y``, in pixels of a picture of ``size``; later stamps lie on earlier ones.

    Args:
        side: pixels of a stamp, an odd number.
        faded: what is left of how dense they are.
    """
    half = side // 2
    wide, high = size[0] + 2 * half, size[1] + 2 * half  # a border, so that no stamp runs over an edge
    red, green, blue, whole = (np.zeros(wide * high, np.float32) for _ in range(4))
    clear = np.float32(1 - faded * np.clip(_ALONE * (_FEW / max(len(x), 1)) ** 0.4, _CROWDED, _ALONE))
    columns, rows = np.rint(x).astype(np.int64), np.rint(y).astype(np.int64)
    shown = (columns >= 0) & (columns < size[0]) & (rows >= 0) & (rows < size[1])
    centres = (rows + half) * wide + columns + half
    for stamp in stamps:
        places, counts = np.unique(centres[shown & (kinds == stamp.kind)], return_counts=True)
        if not len(places):
            continue
        down, across = np.nonzero(mask(stamp.shape, side))
        pixels = (places[:, None] + ((down - half) * wide + across - half)[None, :]).ravel()
        number = np.bincount(pixels, np.repeat(counts, len(down)), minlength=wide * high)
        there = np.flatnonzero(number)
        alpha = 1 - clear ** number[there].astype(np.float32)
        for channel, value in (
            (red, stamp.colour.redF()),
            (green, stamp.colour.greenF()),
            (blue, stamp.colour.blueF()),
        ):
            channel[there] += (np.float32(value) - channel[there]) * alpha
        whole[there] += (1 - whole[there]) * alpha
    parts = [(channel * 255 + 0.5).astype(np.uint32) for channel in (whole, red, green, blue)]
    every = parts[0] << 24 | parts[1] << 16 | parts[2] << 8 | parts[3]
    inner = np.ascontiguousarray(every.reshape(high, wide)[half : half + size[1], half : half + size[0]])
    image = QImage(inner.data, *size, inner.strides[0], QImage.Format.Format_ARGB32_Premultiplied)
    return image.copy()  # with memory of its own
