"""Reads the records of a JSON file, an array or one record a line, and names what could not be read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from engine.benchmarks.encodings import BROKEN_BYTE, DecodedText, read_text
from engine.benchmarks.values import JSON, Problem

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_BLANK = " \t\r\n"
_BLANKS = re.compile(r"[ \t\r\n]*")
_SCAN = json.JSONDecoder(strict=False).raw_decode  # not strict: a raw tab or NUL inside a string is text


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object of a file: ``index`` counts the entries from 0, ``line`` the lines from 1."""

    index: int
    line: int
    fields: dict[str, JSON]
    replaced: tuple[str, ...] = ()  # keys whose text held a lone surrogate, now U+FFFD


@dataclass(frozen=True, slots=True)
class JsonFile:
    """The records that could be read, in file order, and the problems of the others."""

    records: tuple[Record, ...]
    problems: tuple[Problem, ...]
    encoding: str


class _Entry(NamedTuple):
    start: int
    end: int
    value: JSON
    fault: str | None  # the code of a problem instead of a value


def read_records(path: Path, encoding: str | None = None) -> JsonFile:
    """Read a JSON array or JSONL (told apart by the first character), in the encoding that ``read_text`` finds.

    A JSONL record ends at LF only. Entries that are no objects, lines that are no JSON and records with broken UTF-8
    become problems, and the rest is read on; in an array whose syntax breaks, what stands before the break is kept.
    A lone surrogate (an escape such as ``\\ud83d`` without its other half) can be written in no UTF-8 file or
    database: it becomes U+FFFD, the record's ``replaced`` names the key, and a problem says so.
    An empty file or one that cannot be read gives no records and a problem. Raises EngineError only for an ``encoding``
    that Python does not know.
    """
    decoded = read_text(path, encoding)
    if decoded.text is None:
        return JsonFile((), decoded.problems, decoded.encoding)
    reader = _Reader(path, decoded)
    records = tuple(reader.records())
    problems = (*decoded.problems, *reader.problems)
    if not records and not reader.problems:
        problems = (*problems, Problem(path, "", "benchmarks.no_records"))
    return JsonFile(records, problems, decoded.encoding)


class _Reader:
    def __init__(self, path: Path, decoded: DecodedText) -> None:
        assert decoded.text is not None
        self.problems: list[Problem] = []
        self._path, self._decoded, self._text = path, decoded, decoded.text
        self._broken = decoded.has_broken_bytes
        self._surrogates = _SURROGATE_ESCAPE.search(self._text) is not None

    def records(self) -> Iterator[Record]:
        line, counted = 1, 0
        for index, entry in enumerate(self._entries()):
            line += self._text.count("\n", counted, entry.start)
            counted = entry.start
            fault = self._fault(entry, line)
            if fault is not None:
                where = f"line {line}" if fault[0] in _BY_LINE else f"record {index}"
                self.problems.append(Problem(self._path, where, f"benchmarks.{fault[0]}", fault[1]))
            else:
                yield self._record(index, line, entry.value)

    def _entries(self) -> Iterator[_Entry]:
        start = _skip_blank(self._text, 0)
        if self._text[start : start + 1] == "[":
            return _array_entries(self._text, start + 1)
        return _line_entries(self._text)

    def _fault(self, entry: _Entry, line: int) -> tuple[str, dict[str, JSON]] | None:
        if self._broken and (bad := BROKEN_BYTE.search(self._text, entry.start, entry.end)):
            return "broken_utf8", {"offset": self._decoded.byte_offset(bad.start())}
        if entry.fault is not None:
            return entry.fault, {"column": entry.end - self._text.rfind("\n", 0, entry.end)}
        if not isinstance(entry.value, dict):
            return "not_a_record", {"kind": json_kind(entry.value), "value": shortened(entry.value)}
        return None

    def _record(self, index: int, line: int, fields: dict[str, JSON]) -> Record:
        if not self._surrogates:
            return Record(index, line, fields)
        replaced = tuple(str(key) for key, value in fields.items() if _holds_surrogate(value))
        for key in replaced:
            self.problems.append(
                Problem(self._path, f"record {index}", "benchmarks.surrogate_replaced", {"field": key}, kept=True)
            )
        return Record(index, line, _without_surrogates(fields) if replaced else fields, replaced)


_BY_LINE = {"broken_utf8", "bad_json", "bad_array", "cut_off", "too_deep"}


def _line_entries(text: str) -> Iterator[_Entry]:
    whole = _whole_document(text)
    if whole is not None:
        yield whole
        return
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        entry = _line_entry(text, start, end)
        if entry is not None:
            yield entry
        start = end + 1


def _whole_document(text: str) -> _Entry | None:
    """One object spread over several lines, which is a single record and no JSONL; None for anything else."""
    first = text.strip(_BLANK).partition("\n")[0]
    if first.rstrip(_BLANK) != "{":
        return None
    start = text.index("{")
    value, end, fault = _scan(text, start)
    return None if fault or text[end:].strip(_BLANK) else _Entry(start, end, value, None)


def _line_entry(text: str, start: int, end: int) -> _Entry | None:
    line = text[start:end].strip(_BLANK)
    if not line:
        return None
    value, stop, fault = _scan(line, 0)
    if fault is None and stop != len(line):
        fault = "bad_json"
    if fault == "bad_json" and end == len(text) and stop >= len(line):
        fault = "cut_off"
    return _Entry(start, end if fault is None else start + min(stop, len(line)), value, fault)


def _array_entries(text: str, start: int) -> Iterator[_Entry]:
    position = _skip_blank(text, start)
    while text[position : position + 1] != "]":
        value, end, fault = _scan(text, position)
        if fault is not None:
            yield _broken_array(text, position, max(end, position))
            return
        yield _Entry(position, end, value, None)
        position = _skip_blank(text, end)
        if text[position : position + 1] == ",":
            position = _skip_blank(text, position + 1)
        elif text[position : position + 1] != "]":
            yield _broken_array(text, position, position)
            return
    after = _skip_blank(text, position + 1)
    if after < len(text):
        yield _broken_array(text, after, after)


def _broken_array(text: str, start: int, end: int) -> _Entry:
    """Nothing tells where the next entry would begin, so that the rest is lost."""
    return _Entry(start, end, None, "cut_off" if end >= len(text) else "bad_array")


def _skip_blank(text: str, start: int) -> int:
    found = _BLANKS.match(text, start)
    return start if found is None else found.end()


def _scan(text: str, start: int) -> tuple[JSON, int, str | None]:
    """The JSON value at ``start`` and where it ends, or the code of a problem and where it was met."""
    try:
        value, end = _SCAN(text, start)
    except json.JSONDecodeError as error:
        unclosed = error.msg.startswith("Unterminated string")
        return None, len(text) if unclosed else error.pos, "bad_json"
    except RecursionError:
        return None, start, "too_deep"
    except ValueError:  # a number of more digits than Python converts
        return None, start, "bad_json"
    return value, end, None


def json_kind(value: JSON) -> str:
    """What JSON calls the kind of ``value``: string, number, true/false, null, list or object."""
    if value is None:
        return "null"
    names = {str: "string", bool: "true/false", int: "number", float: "number", list: "list", dict: "object"}
    return names[type(value)]


def shortened(value: JSON, longest: int = 60) -> str:
    """``value`` as JSON on one line for a message, cut after ``longest`` characters."""
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= longest else shown[:longest] + "…"


def place(record: Record) -> str:
    """Where a record stands, for ``Problem.where``: its index, and its Qid if it has one."""
    key = record.fields.get("Qid")
    return f"record {record.index} ({key})" if isinstance(key, str) else f"record {record.index}"


def what_is_wrong(field: str, record: Record) -> tuple[str, dict[str, JSON]]:
    """The code and values of the problem with a key that should be text: missing, empty, or of another kind."""
    if field not in record.fields:
        return "key_missing", {"field": field}
    value = record.fields[field]
    if isinstance(value, str):
        return "empty", {"field": field}
    return "wrong_kind", {"field": field, "kind": json_kind(value), "value": shortened(value)}


def _holds_surrogate(value: JSON) -> bool:
    if isinstance(value, str):
        return LONE_SURROGATE.search(value) is not None
    if isinstance(value, dict):
        return any(_holds_surrogate(key) or _holds_surrogate(inner) for key, inner in value.items())
    return isinstance(value, list) and any(map(_holds_surrogate, value))


def _without_surrogates(value: JSON) -> JSON:
    if isinstance(value, str):
        return LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(inner) for key, inner in value.items()}
    return [_without_surrogates(inner) for inner in value] if isinstance(value, list) else value
