"""What a file's own headers promise: frames declared, a length never filled in, an end that is missing.

libsndfile reads what is there and keeps quiet about what is not; these few readers of headers fill that gap.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

from engine.audio.riff import Riff, read_riff

_MAX_OGG_PAGE = 27 + 255 + 255 * 255  # RFC 3533, section 6
_AU_SAMPLE_BYTES = {1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 8, 27: 1}  # coding numbers of Sun's audio file header
_AU_UNKNOWN = 0xFFFFFFFF  # that header's own mark for an unknown length


@dataclass(frozen=True, slots=True)
class Promise:
    """What the headers say. ``frames`` is None where they say nothing that can be compared.

    Attributes:
        length_unset: the writer left the length open (a pipe); the data run to the end of the file.
        broken_off: the file ends before the container does, and the number of missing frames is unknown.
        bytes_after: bytes that follow the declared end of the samples and are no chunk of the format.
        riff: of a RIFF file, where its samples are.
    """

    frames: int | None = None
    length_unset: bool = False
    broken_off: bool = False
    bytes_after: int = 0
    riff: Riff | None = None


def read_promise(file: BinaryIO, size: int) -> Promise:
    """Read the headers of an open file of ``size`` bytes; anything unknown promises nothing."""
    file.seek(0)
    head = file.read(12)
    if head[:4] in (b"RIFF", b"RIFX", b"RF64", b"riff"):
        return _promise_of_riff(read_riff(file, size))
    if head[:4] == b"FORM":
        return _promise_of_aiff(file, size)
    if head[:4] == b"fLaC":
        return _promise_of_flac(file)
    if head[:4] == b"OggS":
        return Promise(broken_off=not _ogg_is_closed(file, size))
    if head[:4] == b".snd":
        return _promise_of_au(file)
    return Promise(frames=_frames_of_mp3(file, head))


def _promise_of_riff(riff: Riff | None) -> Promise:
    if riff is None:
        return Promise()
    if riff.length_unset:
        return Promise(length_unset=True, riff=riff)
    short = riff.present_bytes < riff.declared_bytes
    frames = riff.declared_bytes // riff.frame_bytes if riff.frame_bytes else None
    return Promise(frames, broken_off=short and frames is None, bytes_after=riff.bytes_after, riff=riff)


def _promise_of_aiff(file: BinaryIO, size: int) -> Promise:
    position = 12
    while position + 8 <= size:
        file.seek(position)
        name, length = struct.unpack(">4sI", file.read(8))
        if name == b"COMM":
            body = file.read(6)
            return Promise(frames=struct.unpack(">HI", body)[1]) if len(body) == 6 else Promise()
        position += 8 + length + length % 2
    return Promise()


def _promise_of_flac(file: BinaryIO) -> Promise:
    file.seek(8)  # STREAMINFO is the first block (RFC 9639, section 8.2): the low 36 bits here are the sample count
    body = file.read(18)
    frames = int.from_bytes(body[10:18], "big") & (1 << 36) - 1
    return Promise(frames=frames) if frames else Promise(length_unset=len(body) == 18)


def _promise_of_au(file: BinaryIO) -> Promise:
    file.seek(8)
    fields = file.read(16)
    if len(fields) < 16:
        return Promise()
    length, coding, _, channels = struct.unpack(">4I" if fields[4] == 0 else "<4I", fields)
    if length == _AU_UNKNOWN:
        return Promise(length_unset=True)
    frame_bytes = _AU_SAMPLE_BYTES.get(coding, 0) * channels
    return Promise(frames=length // frame_bytes) if frame_bytes else Promise()


def _ogg_is_closed(file: BinaryIO, size: int) -> bool:
    """True when the last page is whole and carries the end-of-stream mark (RFC 3533)."""
    start = max(0, size - 2 * _MAX_OGG_PAGE)
    file.seek(start)
    tail = file.read()
    page = tail.rfind(b"OggS\0")
    if page < 0 or page + 27 > len(tail):
        return False
    segments = tail[page + 27 : page + 27 + tail[page + 26]]
    return (
        bool(tail[page + 5] & 4)
        and len(segments) == tail[page + 26]
        and page + 27 + len(segments) + sum(segments) <= len(tail)
    )


def _frames_of_mp3(file: BinaryIO, head: bytes) -> int | None:
    """Frames by the Xing or Info tag in the first MPEG frame; None without one."""
    start = 0
    if head[:3] == b"ID3" and len(head) >= 10:
        start = 10 + (head[6] << 21 | head[7] << 14 | head[8] << 7 | head[9])
    file.seek(start)
    frame = file.read(256)
    if len(frame) < 4 or frame[0] != 0xFF or frame[1] & 0xE6 != 0xE2:  # sync word, layer III
        return None
    tag = max(frame.find(b"Xing"), frame.find(b"Info"))
    if tag < 0 or len(frame) < tag + 12 or not frame[tag + 7] & 1:
        return None
    version_1 = frame[1] & 0x18 == 0x18
    return int.from_bytes(frame[tag + 8 : tag + 12], "big") * (1152 if version_1 else 576)
