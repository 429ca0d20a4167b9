"""Chunks of RIFF, RIFX, RF64 and Sony Wave64 files: where the samples are and how long they are said to be."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_UNSET_64 = 0xFFFFFFFF
#: Lengths that writers to a pipe leave behind: the ends of the signed and of the unsigned range, less a header.
_UNSET_RANGES = ((0x7FFF0000, 0x80000000), (0xFFFFFF00, 0xFFFFFFFF))
_FIXED_SIZE_CODINGS = (1, 3, 6, 7)  # PCM, float, A-law, mu-law: bytes over frame size are frames
_EXTENSIBLE = 0xFFFE
_MAX_FMT_BYTES = 256


@dataclass(frozen=True, slots=True)
class Riff:
    """The ``fmt`` and ``data`` chunks of one file, lengths in bytes.

    Attributes:
        fmt: body of the format chunk; ``frame_bytes`` is 0 where the coding has no fixed frame size.
        length_unset: the length was never filled in; ``declared_bytes`` then equals ``present_bytes``.
        bytes_after: what follows the declared samples and is no chunk, so it may be sound that is not read.
        needs_mending: libsndfile would refuse the file or find it empty.
    """

    fmt: bytes
    frame_bytes: int
    big_endian: bool
    data_start: int
    declared_bytes: int
    present_bytes: int
    length_unset: bool
    bytes_after: int
    needs_mending: bool


def read_riff(file: BinaryIO, size: int) -> Riff | None:
    """Find the samples of an open file of ``size`` bytes; None when a chunk that is needed is not there."""
    fmt, unpadded = b"", False
    big_endian = _head(file, 0, 4) == b"RIFX"
    for chunk in _chunks(file, size):
        unpadded |= chunk.after_missing_pad
        if chunk.name == b"fmt ":
            fmt = _head(file, chunk.start, min(chunk.length, _MAX_FMT_BYTES))
        elif chunk.name == b"data" and len(fmt) >= 16:
            return _riff(file, size, fmt, big_endian, chunk, unpadded)
    return None


@dataclass(frozen=True, slots=True)
class _Chunk:
    name: bytes
    start: int
    length: int
    after_missing_pad: bool = False


def _riff(file: BinaryIO, size: int, fmt: bytes, big_endian: bool, data: _Chunk, unpadded: bool) -> Riff:
    present = max(0, min(data.length, size - data.start))
    rest = size - data.start - present
    after = 0 if rest < 8 or _is_chunk_at(file, size, data.start + present) else rest
    empty = data.length == 0 and after > 0
    unset = empty or (any(low <= data.length <= high for low, high in _UNSET_RANGES) and data.length > present)
    if unset:
        present, after = size - data.start, 0
    declared = present if unset else data.length
    return Riff(
        fmt, _frame_bytes(fmt, big_endian), big_endian, data.start, declared, present, unset, after, empty or unpadded
    )


def _chunks(file: BinaryIO, size: int) -> Iterator[_Chunk]:
    head = _head(file, 0, 12)
    if head[:4] == b"riff":
        yield from _chunks_of_w64(file, size)
        return
    order = ">" if head[:4] == b"RIFX" else "<"
    position, missing_pad, long_data = 12, False, 0
    while position + 8 <= size:
        name, length = struct.unpack(f"{order}4sI", _head(file, position, 8))
        if name == b"ds64":  # EBU Tech 3306: RIFF size, data size and sample count in 64 bits
            long_data = struct.unpack("<Q", _head(file, position + 16, 8).ljust(8, b"\0"))[0]
        if name == b"data" and length == _UNSET_64 and head[:4] == b"RF64":
            length = long_data
        yield _Chunk(name, position + 8, length, missing_pad)
        end = position + 8 + length
        missing_pad = bool(length % 2) and not _is_chunk_at(file, size, end + 1) and _is_chunk_at(file, size, end)
        position = end if missing_pad else end + length % 2


def _chunks_of_w64(file: BinaryIO, size: int) -> Iterator[_Chunk]:
    position = 40  # the file's own identifier and length, and the identifier "wave"
    while position + 24 <= size:
        name, length = struct.unpack("<4s12xQ", _head(file, position, 24))
        if length < 24:  # lengths include the 24 bytes of the chunk's head
            return
        yield _Chunk(name, position + 24, length - 24)
        position += (length + 7) // 8 * 8


def _is_chunk_at(file: BinaryIO, size: int, position: int) -> bool:
    """True when a printable name and a length that fits the file stand there; also at the very end of the file."""
    head = _head(file, position, 8)
    if not head.strip(b"\0"):
        return position >= size - 8 or len(head) < 8
    return (
        len(head) == 8
        and all(0x20 <= byte < 0x7F for byte in head[:4])
        and (position + 8 + int.from_bytes(head[4:], "little") <= size + 1 or head[:4] in (b"data", b"fmt "))
    )


def _frame_bytes(fmt: bytes, big_endian: bool) -> int:
    order = ">" if big_endian else "<"
    coding, channels, _, _, _, bits = struct.unpack(f"{order}HHIIHH", fmt[:16])
    if coding == _EXTENSIBLE and len(fmt) >= 26:
        coding = struct.unpack(f"{order}H", fmt[24:26])[0]
    return channels * ((bits + 7) // 8) if coding in _FIXED_SIZE_CODINGS else 0


def _head(file: BinaryIO, position: int, length: int) -> bytes:
    file.seek(position)
    return file.read(length)
