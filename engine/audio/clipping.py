"""Clipping: runs of samples that stay at full scale."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

#: A natural or normalised peak touches full scale for one sample, two when it falls between them; three are flat.
MIN_RUN = 3
#: Full scale of the finest grid that counts: the largest positive 16-bit value. Converters to float, 24 and 32 bits
#: keep the 16-bit limit of what they read, so a finer limit would miss the clipping of their input.
FULL_SCALE = 1.0 - 2.0**-15


def full_scale(bits: int | None) -> float:
    """The magnitude from which a sample counts as full scale: 127/128 for 8 bits, 32767/32768 for all else."""
    return 1.0 - 2.0**-7 if bits == 8 else FULL_SCALE


class ClippedRuns:
    """Counts samples in runs of at least ``MIN_RUN`` at full scale in one channel, over blocks in order.

    ``clipped`` and ``runs`` are complete after ``finish``; ``first`` is the frame where the first run begins.
    With ``join_within`` the ``stretches`` are kept too: [first, end) frames of runs that lie no further apart.
    """

    def __init__(self, level: float, join_within: int | None = None) -> None:
        self.clipped = 0
        self.runs = 0
        self.first: int | None = None
        self.stretches: list[tuple[int, int]] = []
        self._level = level
        self._join_within = join_within
        self._open = 0  # length of the run that reaches the end of the blocks so far
        self._seen = 0

    def add(self, samples: NDArray[np.float32]) -> None:
        """Count one block, shape (time,), finite."""
        at_full_scale = np.abs(samples) >= self._level
        if self._open or at_full_scale.any():
            for start, end in self._joined(at_full_scale):
                if end == len(samples):
                    self._open = end - start
                else:
                    self._close(start, end)
        self._seen += len(samples)

    def finish(self) -> None:
        """Count the run that the end of the sound cut off."""
        self._close(-self._open, 0)
        self._open = 0

    def _joined(self, at_full_scale: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
        """Runs as (start, end) in the block; one that began in an earlier block starts below 0."""
        padded = np.concatenate(([False], at_full_scale, [False]))
        edges = np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2).tolist()
        before, self._open = self._open, 0
        if before and not (edges and edges[0][0] == 0):
            edges.insert(0, [0, 0])
        for index, (start, end) in enumerate(edges):
            yield start - (before if index == 0 and start == 0 else 0), end

    def _close(self, start: int, end: int) -> None:
        if end - start < MIN_RUN:
            return
        self.clipped += end - start
        self.runs += 1
        if self.first is None:
            self.first = self._seen + start
        if self._join_within is not None:
            self._stretch(self._seen + start, self._seen + end, self._join_within)

    def _stretch(self, start: int, end: int, join_within: int) -> None:
        if self.stretches and start - self.stretches[-1][1] <= join_within:
            start = self.stretches.pop()[0]
        self.stretches.append((start, end))
