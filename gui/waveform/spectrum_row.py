"""The lane of the answer's spectrum: an indexed picture of what is on screen, whose colours follow the theme."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from engine.audio.mel import band_edges, height_of
from engine.audio.spectrum import TOP_HZ, Bands, column_s, level_of, zoom_of
from gui.player.clip import Clip, Lane
from gui.strings import words
from gui.theme import font, theme
from gui.waveform.load import Outline
from gui.waveform.spans import MismatchSpan
from gui.waveform.spectrum_look import SpectrumLook, colour_table
from gui.waveform.spectrum_tiles import TILE, SpectrumTiles, Wanted, source_of
from gui.waveform.stretches import Stretch
from gui.waveform.ticks import decibel_text
from gui.waveform.view import TimeView

_AXIS_GAP = 8
_EDGE = 0.5  # of the height of an axis text, kept from the lane's own edge


class SpectrumRow:
    """A row of a canvas as ``Row`` is; it shows the recording of ``lane`` once its outline is there."""

    lane: Lane = "answer"
    spans: tuple[MismatchSpan, ...] = ()
    stretches: tuple[Stretch, ...] = ()

    def __init__(self, tiles: SpectrumTiles, look: SpectrumLook) -> None:
        self.top, self.height = 0, 0
        self.clip: Clip | None = None
        self.outline: Outline | None = None
        self.look = look
        self._tiles = tiles
        self._key: tuple[Any, ...] = ()
        self._colours: tuple[str, int] = ("", 0)
        self._codes: NDArray[np.uint8] = np.zeros((0, 0), np.uint8)
        self._image: QImage | None = None
        self._is_whole = False

    @property
    def is_shown(self) -> bool:
        """Whether the user wants it and there is something to show."""
        return self.look.is_shown and self.clip is not None

    def show(self, clip: Clip | None) -> None:
        """Take another recording, not read yet."""
        self.clip, self.outline = clip, None
        self._image, self._key = None, ()
        self._tiles.forget()

    def paint(self, painter: QPainter, view: TimeView, ratio: float) -> None:
        """Draw what is there of the spectrum; what is not is asked for."""
        if self.outline is None or not self.outline.pyramid.frame_count:
            return
        key = (ratio, view, self.height, id(self.outline), self.look.scale)
        if key != self._key or self._image is None or not self._is_whole:
            self._image, self._key, self._colours = self._draw(view, ratio), key, ("", 0)
        colours = (theme().name, self.look.range_db)
        if colours != self._colours:
            self._image.setColorTable(colour_table(self.look.range_db))
            self._colours = colours
        painter.drawImage(QPointF(0, self.top), self._image)

    def paint_axis(self, painter: QPainter, left: float, width: float) -> None:
        """Write frequencies beside the lane."""
        if self.outline is None:
            return
        painter.setFont(font("axis"))
        painter.setPen(theme().color("text.tertiary"))
        room = painter.fontMetrics().height()
        for hz in self.look.axis_hz:
            y = self.top + self.height * (1 - height_of(hz, TOP_HZ, self.look.scale))
            y = min(max(y, self.top + _EDGE * room), self.top + self.height - _EDGE * room)
            box = QRectF(left + _AXIS_GAP, y - room / 2, width - _AXIS_GAP, room)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), f"{hz // 1000}k")

    def told_at(self, x: float, y: float, ratio: float, second: float = 0.0) -> str:
        """The frequency and the level under a pixel."""
        row, column = int((y - self.top) * ratio), int(x * ratio)
        if not (0 <= row < self._codes.shape[0] and 0 <= column < self._codes.shape[1]):
            return ""
        bands = self._codes.shape[0]
        hz = float(band_edges(bands, TOP_HZ, self.look.scale)[bands - row])
        code = int(self._codes[row, column])
        level = decibel_text(level_of(code) if code else -math.inf, 0)
        return words.text("player.spectrum.at", hz=f"{hz:.0f}", level=level)

    def _draw(self, view: TimeView, ratio: float) -> QImage:
        """The columns on screen, the loudest of those under a pixel; 0 beyond the recording."""
        assert self.outline is not None
        wide = max(1, round(view.width * ratio))
        zoom = zoom_of(view.span_s / wide)
        seconds = view.start_s + view.span_s * np.arange(wide) / wide
        columns = np.floor(seconds / column_s(zoom) + 1e-6).astype(np.int64)
        first, end = int(columns[0]) // TILE, int(columns[-1]) // TILE + 1
        bands = Bands(max(1, round(self.height * ratio)), self.look.scale)
        wanted = Wanted(source_of(self.outline), bands, zoom, first, end)
        self._tiles.want(wanted, self.outline)
        self._is_whole = self._tiles.is_complete
        places = columns - first * TILE
        strip = self._tiles.strip(wanted)[:, : places[-1] + 1]
        # of columns that lie under one pixel, reduceat takes the loudest; of pixels under one column, it repeats it
        self._codes = np.ascontiguousarray(np.maximum.reduceat(strip, places, axis=1)[::-1])
        image = QImage(self._codes.data, wide, bands.count, self._codes.strides[0], QImage.Format.Format_Indexed8)
        image.setDevicePixelRatio(ratio)
        return image
