"""Tiles of spectra: computed a few at a time on a pool thread, kept as long as there is room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from engine.audio.finite import without_non_finite
from engine.audio.spectrum import Bands, column_count, column_frames, column_s, read_spans, spectrum_columns
from engine.errors import EngineError
from engine.progress import Progress
from gui.jobs import Job, JobRunner
from gui.waveform.load import Outline

TILE = 256  # columns
MOST_BYTES = 8 << 20
_AT_ONCE_S = 20.0  # of sound in a job, one tile at least: a pan or another zoom waits for no more
_MOST_FRAMES = 1 << 20  # held of a long recording at a time
_COARSER = 6  # zoom levels that may stand in for one that is being computed

Tile = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Source:
    """A recording as tiles are named by: where it lies, and what tells it from another that lay there."""

    path: Path
    frame_count: int
    sample_rate_hz: int

    def tile_count(self, zoom: int) -> int:
        """Tiles that it has at a zoom level."""
        return -(-column_count(self.frame_count, self.sample_rate_hz, zoom) // TILE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The tiles [first, end) of one zoom level of a recording."""

    source: Source
    bands: Bands
    zoom: int
    first: int
    end: int


class SpectrumTiles(QObject):
    """Holds tiles of any recordings, the longest unused go first.

    Signals:
        arrived: tiles that were wanted are there.
    """

    arrived = Signal()

    def __init__(self, jobs: JobRunner, parent: QObject | None = None, most_bytes: int = MOST_BYTES) -> None:
        super().__init__(parent)
        self._jobs, self._most_bytes = jobs, most_bytes
        self._tiles: OrderedDict[tuple[Source, Bands, int, int], Tile] = OrderedDict()
        self.held_bytes = 0
        self._wanted: tuple[Wanted, Outline] | None = None
        self._failed: set[Source] = set()
        self._job: Job | None = None
        self._asked: tuple[Wanted, range] | None = None

    def want(self, wanted: Wanted, outline: Outline) -> None:
        """What is looked at now: what is missing of it is computed, what was wanted before is not any more."""
        self._wanted = wanted, outline
        self._go_on()

    def forget(self) -> None:
        """Nothing is looked at; what is kept stays."""
        self._wanted = None
        if self._job is not None:
            self._job.cancel()

    @property
    def is_complete(self) -> bool:
        """Whether all that is looked at is there."""
        return self._wanted is None or not self._missing(self._wanted[0])

    def strip(self, wanted: Wanted) -> Tile:
        """The wanted tiles side by side, all of them ``TILE`` wide: what is not there yet coarser, else silent."""
        parts = [self._part(wanted, tile) for tile in range(wanted.first, wanted.end)]
        return np.concatenate(parts, axis=1) if parts else np.zeros((wanted.bands.count, 0), np.uint8)

    def _part(self, wanted: Wanted, tile: int) -> Tile:
        whole = np.zeros((wanted.bands.count, TILE), np.uint8)
        for coarser in range(_COARSER + 1):
            key = (wanted.source, wanted.bands, wanted.zoom + coarser, tile >> coarser)
            found = self._tiles.get(key)
            if found is None:
                continue
            self._tiles.move_to_end(key)
            first = (tile << (8 - coarser)) % TILE if coarser else 0
            part = np.repeat(found[:, first : first + (TILE >> coarser)], 1 << coarser, axis=1)
            whole[:, : part.shape[1]] = part
            break
        return whole

    def _missing(self, wanted: Wanted) -> list[int]:
        last = min(wanted.end, wanted.source.tile_count(wanted.zoom))
        known = (wanted.source, wanted.bands, wanted.zoom)
        return [tile for tile in range(max(0, wanted.first), last) if (*known, tile) not in self._tiles]

    def _go_on(self) -> None:
        if self._wanted is None or self._job is not None or self._wanted[0].source in self._failed:
            return
        wanted, outline = self._wanted
        missing = self._missing(wanted)
        if not missing:
            return
        at_once = max(1, int(_AT_ONCE_S / (TILE * column_s(wanted.zoom))))
        tiles = range(missing[0], min(missing[-1] + 1, missing[0] + at_once))
        self._asked = wanted, tiles
        self._job = self._jobs.run(_tiles(outline, wanted, tiles), "aside")
        self._job.succeeded.connect(self._on_tiles)
        self._job.failed.connect(self._on_failure)
        self._job.finished.connect(self._on_finished)

    def _on_tiles(self, tiles: list[Tile]) -> None:
        assert self._asked is not None
        wanted, places = self._asked
        for place, tile in zip(places, tiles, strict=True):
            self._keep((wanted.source, wanted.bands, wanted.zoom, place), tile)
        self.arrived.emit()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        if self._asked is not None:  # its lane says why: the outline or the player failed at it too
            self._failed.add(self._asked[0].source)

    def _on_finished(self) -> None:
        self._job = self._asked = None
        self._go_on()

    def _keep(self, key: tuple[Source, Bands, int, int], tile: Tile) -> None:
        before = self._tiles.pop(key, None)
        self.held_bytes += tile.nbytes - (0 if before is None else before.nbytes)
        self._tiles[key] = tile
        while self.held_bytes > self._most_bytes and len(self._tiles) > 1:
            self.held_bytes -= self._tiles.popitem(last=False)[1].nbytes


def source_of(outline: Outline) -> Source:
    """What names the tiles of a recording."""
    return Source(outline.path, outline.pyramid.frame_count, outline.pyramid.sample_rate_hz)


def _tiles(outline: Outline, wanted: Wanted, tiles: range) -> Generator[Progress, None, list[Tile]]:
    """The tiles, from the samples in memory or from the part of the file that they look at, a piece at a time."""
    source, zoom, rate = wanted.source, wanted.zoom, wanted.source.sample_rate_hz
    columns = range(tiles.start * TILE, tiles.stop * TILE)
    step = min(TILE, max(1, int(_MOST_FRAMES / (column_s(zoom) * rate))))
    pieces = [range(start, min(start + step, columns.stop)) for start in range(columns.start, columns.stop, step)]
    spans = [column_frames(piece, zoom, rate) for piece in pieces]
    found = []
    for piece, (first, _), samples in zip(pieces, spans, _samples(outline, spans), strict=True):
        found.append(spectrum_columns(samples, first, rate, piece, zoom, wanted.bands, source.frame_count))
        yield Progress(len(found), len(pieces))
    whole = np.concatenate(found, axis=1)
    return [whole[:, start : start + TILE].copy() for start in range(0, len(tiles) * TILE, TILE)]


def _samples(outline: Outline, spans: list[tuple[int, int]]) -> Iterator[NDArray[np.float32]]:
    if outline.samples is None:
        yield from read_spans(outline.path, spans)
    else:
        for first, end in spans:
            yield without_non_finite(outline.samples[first:end])
