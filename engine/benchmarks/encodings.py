"""Bytes of a text file to text: marks and evidence in the bytes decide the encoding, never the machine's locale."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from engine.benchmarks.values import Problem
from engine.errors import EngineError

BROKEN_BYTE = re.compile("[\udc80-\udcff]")  # where a byte that is not UTF-8 stood, see PEP 383
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NON_ASCII_RUN = re.compile(rb"[\x80-\xff]")
_FEWEST_WIDE = 4  # fewer characters are no evidence of an encoding
_COMMON_SHARE = 0.7  # of characters; Chinese prose has over 0.9, Big5 or Latin-1 read as GB18030 well under 0.5


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The text without its byte order mark; None when it could not be decoded, which ``problems`` then say.

    Broken bytes in a file otherwise UTF-8 stand as ``BROKEN_BYTE`` characters: what holds one must not be used.
    """

    text: str | None
    encoding: str
    mark_length: int
    problems: tuple[Problem, ...] = ()

    @property
    def has_broken_bytes(self) -> bool:
        """Whether some bytes were not UTF-8."""
        return self.encoding == "utf-8" and self.text is not None and BROKEN_BYTE.search(self.text) is not None

    def byte_offset(self, position: int) -> int:
        """The offset in the file, in bytes from 0, of the character at ``position``."""
        before = (self.text or "")[:position]
        return self.mark_length + len(before.encode(self.encoding, "surrogateescape"))


def read_text(path: Path, encoding: str | None = None) -> DecodedText:
    """Read and decode a file; an unreadable one gives no text and a problem.

    Args:
        encoding: what the user says it is; None finds out: byte order marks, UTF-16 by its zero bytes, UTF-8, then
            GB18030 where the characters are plainly Chinese (named by a problem that keeps the text).

    Raises EngineError for an encoding that Python does not know.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return DecodedText(None, "", 0, (Problem(path, "", "benchmarks.file_unreadable", {"reason": reason}),))
    return decode(path, data, encoding)


def decode(path: Path, data: bytes, encoding: str | None = None) -> DecodedText:
    """Decode ``data``, the content of ``path``, as ``read_text`` does."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _decoded_as(path, data, name, len(mark))
    if encoding is not None:
        return _decoded_as(path, data, _known(encoding), 0)
    wide = _unmarked_utf16(data)
    if wide is not None:
        return _decoded_as(path, data, wide, 0)
    try:
        return DecodedText(data.decode("utf-8"), "utf-8", 0)
    except UnicodeDecodeError as error:
        return _not_utf8(path, data, error.start)


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise EngineError("benchmarks.unknown_encoding", encoding=encoding) from None


def _decoded_as(path: Path, data: bytes, encoding: str, mark_length: int) -> DecodedText:
    body = data[mark_length:]
    try:
        return DecodedText(body.decode(encoding), encoding, mark_length)
    except UnicodeDecodeError as error:
        if encoding == "utf-8":
            return DecodedText(body.decode("utf-8", "surrogateescape"), encoding, mark_length)
        where = {"encoding": encoding, "offset": mark_length + error.start}
        problem = Problem(path, _line_of(body, error.start), "benchmarks.wrong_encoding", where)
        return DecodedText(None, encoding, mark_length, (problem,))


def _unmarked_utf16(data: bytes) -> str | None:
    head = data[:2]
    if len(head) == 2 and head[0] and not head[1]:
        return "utf-16-le"
    return "utf-16-be" if len(head) == 2 and head[1] and not head[0] else None


def _not_utf8(path: Path, data: bytes, first_bad: int) -> DecodedText:
    high = len(_NON_ASCII_RUN.findall(data))
    valid = len(_NON_ASCII_RUN.findall(data.decode("utf-8", "ignore").encode("utf-8")))
    if valid > high / 2:  # UTF-8 that was damaged in places
        return DecodedText(data.decode("utf-8", "surrogateescape"), "utf-8", 0)
    chinese = _plainly_chinese(data)
    if chinese is not None:
        note = Problem(path, "", "benchmarks.encoding_found", {"encoding": "GB18030"}, kept=True)
        return DecodedText(chinese, "gb18030", 0, (note,))
    problem = Problem(path, _line_of(data, first_bad), "benchmarks.not_utf8", {"offset": first_bad})
    return DecodedText(None, "", 0, (problem,))


def _plainly_chinese(data: bytes) -> str | None:
    """``data`` read as GB18030, or None where it is not, or where its characters are not those of Chinese prose."""
    try:
        found = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    wide = [character for character in found if ord(character) > 127]
    common = sum(_is_common(character) for character in wide)
    return found if len(wide) >= _FEWEST_WIDE and common >= _COMMON_SHARE * len(wide) else None


def _is_common(character: str) -> bool:
    """Whether GB 2312 has it among its symbols (rows 1-3) or the 3,755 characters of its first level (rows 16-55)."""
    try:
        lead = character.encode("gb2312")[0]
    except UnicodeEncodeError:
        return False
    return 0xA1 <= lead <= 0xA3 or 0xB0 <= lead <= 0xD7


def _line_of(data: bytes, offset: int) -> str:
    return f"line {data.count(10, 0, offset) + 1}"
