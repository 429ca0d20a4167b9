"""A WAV file whose header libsndfile would not take, shown to it with the header it should have had."""

from __future__ import annotations

import io
import struct
from typing import BinaryIO

from engine.audio.riff import Riff

_MAX_DATA_BYTES = 0xFFFFFFFF - 1024  # lengths have 32 bits, and the header counts too


class MendedWave(io.RawIOBase):
    """A WAV file as it should have been written: a whole header, then the samples of the file it is made from.

    Reads the file it stands for and alters nothing. Samples past 4 GiB are left out.
    """

    def __init__(self, file: BinaryIO, riff: Riff) -> None:
        self._file = file
        self._length = min(riff.present_bytes, _MAX_DATA_BYTES)
        order, name = (">", b"RIFX") if riff.big_endian else ("<", b"RIFF")
        fmt = struct.pack(f"{order}4sI", b"fmt ", len(riff.fmt)) + riff.fmt + b"\0" * (len(riff.fmt) % 2)
        body = b"WAVE" + fmt + struct.pack(f"{order}4sI", b"data", self._length)
        self._header = struct.pack(f"{order}4sI", name, len(body) + self._length) + body
        self._data_start = riff.data_start
        self._position = 0

    def readable(self) -> bool:
        """True."""
        return True

    def seekable(self) -> bool:
        """True."""
        return True

    def tell(self) -> int:
        """The position in the mended file, in bytes."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to a position, never before the start; returns it."""
        origin = (0, self._position, len(self._header) + self._length)[whence]
        self._position = max(0, origin + offset)
        return self._position

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill ``buffer`` from the header or from the samples; 0 at the end."""
        data = self._header[self._position : self._position + len(buffer)]
        if not data:
            done = self._position - len(self._header)
            self._file.seek(self._data_start + done)
            data = self._file.read(max(0, min(len(buffer), self._length - done)))
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)
