"""Why a file cannot be read as audio, told from its first bytes: the file is named, and what to do is said."""

from __future__ import annotations

import re
from pathlib import Path

from engine.audio.riff import read_riff
from engine.errors import EngineError

_HEAD_BYTES = 4096
_SHOWN_CHARACTERS = 60

#: First bytes of the containers that libsndfile reads, and the least bytes a header of theirs needs.
_READABLE = {
    b"RIFF": ("WAV", 44),
    b"RIFX": ("WAV", 44),
    b"RF64": ("RF64", 80),
    b"riff": ("W64", 112),
    b"fLaC": ("FLAC", 42),
    b"OggS": ("OGG", 58),
    b"FORM": ("AIFF", 54),
    b".snd": ("AU", 24),
    b"caff": ("CAF", 68),
    b"ID3": ("MP3", 14),
}

#: Media and archives that libsndfile does not read: where the mark stands, the mark, the name.
_OTHERS = (
    (4, b"ftyp", "MP4/M4A (AAC)"),
    (0, b"\x1aE\xdf\xa3", "WebM/Matroska"),
    (0, b"0&\xb2u\x8ef\xcf\x11", "WMA"),
    (0, b"#!AMR", "AMR"),
    (0, b"#!SILK", "SILK"),
    (0, b"\x02#!SILK", "SILK"),
    (0, b"ADIF", "AAC"),
    (0, b"\xff\xf1", "AAC"),
    (0, b"\xff\xf9", "AAC"),
    (8, b"AVI ", "AVI"),
    (0, b"PK\x03\x04", "ZIP"),
    (0, b"\x1f\x8b", "gzip"),
)

_LFS = re.compile(rb"version https://git-lfs\.github\.com/spec/.*?\nsize (\d+)", re.DOTALL)
_MARKUP = re.compile(rb"\s*(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body|\?xml)", re.IGNORECASE | re.DOTALL)


def refusal(path: Path, size: int, reason: str = "") -> EngineError:
    """The error for a file of ``size`` bytes that libsndfile did not take; ``reason`` is what it said, if anything."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    where = str(path)
    if not size:
        return EngineError("audio.empty_file", path=where)
    if pointer := _LFS.match(head):
        return EngineError("audio.lfs_pointer", path=where, size=int(pointer[1]))
    if size < 1024 and b"/annex/objects/" in head:
        return EngineError("audio.annex_pointer", path=where)
    if _is_all_zeros(path):
        return EngineError("audio.only_zeros", path=where)
    if kind := _readable_kind(head):
        code = "cut_header" if _ends_in_header(path, size, head) else "broken_header"
        return EngineError(f"audio.{code}", path=where, format=kind, size=size, reason=reason)
    return _foreign(head, where, size, reason)


def _foreign(head: bytes, where: str, size: int, reason: str) -> EngineError:
    text = head.removeprefix(b"\xef\xbb\xbf")
    if _MARKUP.match(text):
        return EngineError("audio.web_page", path=where)
    for start, mark, name in _OTHERS:
        if head[start : start + len(mark)] == mark:
            return EngineError("audio.unsupported_format", path=where, format=name)
    if any(mark.startswith(head) for mark in _READABLE):  # fewer bytes than even the mark has
        return EngineError("audio.cut_header", path=where, format="?", size=size, reason=reason)
    if (shown := _as_text(text)) is not None:
        return EngineError("audio.text_file", path=where, begins=shown)
    return EngineError("audio.not_audio", path=where, begins=head[:8].hex(" "), reason=reason)


def _readable_kind(head: bytes) -> str | None:
    if head[:4] == b"RIFF" and head[8:12] not in (b"WAVE", b"WAVE"[: max(0, len(head) - 8)]):
        return None
    return next((kind for mark, (kind, _) in _READABLE.items() if head.startswith(mark)), None)


def _ends_in_header(path: Path, size: int, head: bytes) -> bool:
    """True when the file stops before the header does, false when the header is there and makes no sense."""
    least = next(least for mark, (_, least) in _READABLE.items() if head.startswith(mark))
    if size < least:
        return True
    if head[:4] not in (b"RIFF", b"RIFX", b"RF64", b"riff"):
        return False
    with path.open("rb") as file:
        return b"data" not in head and read_riff(file, size) is None


def _is_all_zeros(path: Path) -> bool:
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            if block.strip(b"\0"):
                return False
    return True


def _as_text(head: bytes) -> str | None:
    """The first words of a text in UTF-8, on one line; None for anything else."""
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:  # not just a character that the block cut in two
            return None
        text = head[: error.start].decode("utf-8")
    if any(ord(character) < 32 and character not in "\t\n\r\f" for character in text):
        return None
    return " ".join(text.split())[:_SHOWN_CHARACTERS]
