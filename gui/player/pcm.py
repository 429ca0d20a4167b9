"""Decoded sound at the device's rate, which one thread fills while another plays it."""

from __future__ import annotations

import os
import tempfile

import numpy as np
from numpy.typing import NDArray

#: Above this a recording is kept in a scratch file that the system may page out: six minutes of mono at 48 kHz.
_IN_MEMORY_BYTES = 64 << 20
_MOST_SET_ASIDE = 1 << 26  # a header may promise anything


class Pcm:
    """Frames of shape (time, 1 or 2), full scale 1.0; grows at its end until it is ``complete``.

    One thread appends, others read what is ``ready``; nothing that is ready changes any more.
    """

    def __init__(self, rate_hz: int, expected_frames: int = 0) -> None:
        self.rate_hz = rate_hz
        self.ready = 0
        self.complete = False
        self._expected = expected_frames
        self._frames = np.zeros((0, 1), np.float32)

    @property
    def length(self) -> int:
        """Frames in the whole recording; until it is complete, what its header promises."""
        return self.ready if self.complete else max(self.ready, self._expected)

    def expect(self, frames: int) -> None:
        """Take the length that the header promises."""
        self._expected = frames

    def append(self, frames: NDArray[np.float32]) -> None:
        """Add frames at the end; the array is copied."""
        end = self.ready + len(frames)
        if end > len(self._frames):
            self._grow(end, frames.shape[1])
        self._frames[self.ready : end] = frames
        self.ready = end  # after the samples: a reader trusts this number

    def finish(self) -> None:
        """No more frames will come."""
        self.complete = True

    def read(self, start: int, count: int) -> NDArray[np.float32]:
        """Up to ``count`` frames from ``start``, fewer where the rest is not ready; a view, not to be written to."""
        return self._frames[start : min(start + count, self.ready)]

    def _grow(self, needed: int, columns: int) -> None:
        expected = min(self._expected, _MOST_SET_ASIDE)
        larger = _set_aside(max(needed + needed // 2 if self.ready else needed, expected), columns)
        larger[: self.ready] = self._frames[: self.ready]
        self._frames = larger  # readers hold the old array until they let go of it


def _set_aside(frames: int, columns: int) -> NDArray[np.float32]:
    bytes_needed = frames * columns * 4
    if bytes_needed > _IN_MEMORY_BYTES and hasattr(os, "posix_fallocate"):
        try:
            with tempfile.TemporaryFile(prefix="auricle-") as scratch:
                os.posix_fallocate(scratch.fileno(), 0, bytes_needed)  # or a full disk would be a crash later
                return np.memmap(scratch, np.float32, "r+", shape=(frames, columns))
        except OSError:
            pass  # no room for a scratch file: memory it is
    return np.empty((frames, columns), np.float32)
