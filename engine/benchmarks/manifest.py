"""Reads a system's recorded answers from a manifest: a table or JSONL with one answer a row."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.benchmarks.audiopath import AudioFolder, OutsideFolderError
from engine.benchmarks.jsonfile import json_kind, read_records, shortened
from engine.benchmarks.responses import Recorded, ResponseRows, spoken_text
from engine.benchmarks.tables import read_table
from engine.benchmarks.values import JSON, Problem, RecordedResponse
from engine.errors import EngineError
from engine.progress import Progress

TIMINGS = ("first_token_s", "first_audio_s", "generation_s", "duration_s")
_ALSO_CALLED = {"qid": "key", "response": "text", "response_hyp": "transcript", "set": "subset"}
_KNOWN = {"subset", "key", "text", "audio", "transcript", "error", *TIMINGS}
_OWN_COLUMNS = {"answer_state", "audio_sha256", "corrected_maker", "uid"}
_JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row of a table or a JSON record, where it stands, and its values by name; an empty cell is None."""

    where: str
    values: Mapping[str, JSON]
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedRows:
    """Rows with their names made one: ``Qid`` reads as ``key``, ``Response`` as ``text``; names are lower case."""

    names: frozenset[str]
    rows: tuple[NamedRow, ...]
    problems: tuple[Problem, ...]
    separator: str = ","


def read_manifest(
    path: Path, system: str | None = None, audio: Path | None = None, encoding: str | None = None, guarded: bool = False
) -> Generator[Progress, None, Recorded]:
    """Read the answers that a CSV or JSONL file lists; yields now and then, opens no audio.

    Columns: subset, key or Qid, text or Response, audio, transcript, error, and the timings in seconds first_token_s,
    first_audio_s, generation_s, duration_s. Others are kept in ``extra``.

    Args:
        system: its name; None takes the file's stem.
        audio: the folder that audio names are relative to and must stay in; None takes the manifest's own.
        guarded: as in ``read_table``, for a file that Auricle wrote.

    Raises EngineError when a column that is needed is not there.
    """
    read = read_named_rows(path, encoding, guarded)
    _check_columns(path, read)
    reader = _ManifestReader(path, AudioFolder(audio if audio is not None else path.parent, absolute_names=True))
    rows = ResponseRows()
    for done, row in enumerate(read.rows, start=1):
        response = reader.response(row)
        if response is not None:
            rows.add(response)
        if done % 500 == 0:
            yield Progress(done, len(read.rows))
    yield Progress(len(read.rows), len(read.rows))
    problems = (*read.problems, *reader.problems)
    return Recorded(system or path.stem, tuple(rows.found.values()), problems, tuple(rows.duplicates))


def is_own_export(path: Path) -> bool:
    """Whether a table was written by Auricle's export, whose guarding apostrophes are no text."""
    if path.suffix.lower() != ".csv":
        return False
    with path.open("rb") as file:
        heading = file.readline(1 << 16).decode("utf-8", "replace").strip().split(",")
    return set(heading) >= _OWN_COLUMNS


def read_named_rows(path: Path, encoding: str | None = None, guarded: bool = False) -> NamedRows:
    """The rows of a table (CSV, TSV) or JSON file, told apart by the file's suffix."""
    if path.suffix.lower() in _JSON_SUFFIXES:
        file = read_records(path, encoding)
        rows = tuple(
            NamedRow(f"line {record.line}", _renamed(record.fields), ("surrogate_replaced",) if record.replaced else ())
            for record in file.records
        )
        return NamedRows(frozenset(name for row in rows for name in row.values), rows, file.problems)
    table = read_table(path, encoding, guarded)
    cells = (NamedRow(f"line {row.line}", _renamed(_filled(row.cells))) for row in table.rows)
    return NamedRows(frozenset(map(plain_name, table.columns)), tuple(cells), table.problems, table.separator)


def plain_name(name: str) -> str:
    """A column's name in lower case, with blanks and hyphens as underscores, and the one name of its synonyms."""
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    return _ALSO_CALLED.get(plain, plain)


def number_of(value: JSON, separator: str = ",") -> float | None:
    """``value`` as a number, or None; takes a decimal comma where semicolons separate the columns."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value.replace(",", ".") if isinstance(value, str) and separator == ";" else value)
    except (ValueError, OverflowError):
        return None


def _renamed(values: Mapping[str, JSON]) -> dict[str, JSON]:
    return {plain_name(name): value for name, value in values.items()}


def _filled(cells: Mapping[str, str]) -> dict[str, JSON]:
    return {name: cell if cell != "" else None for name, cell in cells.items()}


def _check_columns(path: Path, read: NamedRows) -> None:
    if not read.names:
        return  # the problems say why
    for column, others in (("subset", ()), ("Qid", ("key",)), ("Response", ("text", "audio"))):
        if read.names.isdisjoint((plain_name(column), *others)):
            raise EngineError("benchmarks.manifest_columns", file=path, column=column)


class _ManifestReader:
    def __init__(self, path: Path, audio: AudioFolder) -> None:
        self.problems: list[Problem] = []
        self._path, self._audio = path, audio

    def response(self, row: NamedRow) -> RecordedResponse | None:
        """The answer of one row, or None and a problem when it does not say to what."""
        identity = [self._identity(row, name) for name in ("subset", "key")]
        if identity[0] is None or identity[1] is None:
            return None
        written = self._string(row, "text")
        text = None if written is None else spoken_text(written)
        path, flags = self._audio_path(row)
        blank = ("blank_text",) if written and text is None else ()
        return RecordedResponse(
            subset=identity[0].rpartition("/")[2].replace("-", "_"),
            key=identity[1],
            text=text,
            audio=path,
            transcript=self._string(row, "transcript"),
            timings=dict(self._timings(row)),
            error=self._string(row, "error"),
            flags=(*row.flags, *blank, *flags),
            extra={name: value for name, value in row.values.items() if name not in _KNOWN and value is not None},
        )

    def _identity(self, row: NamedRow, name: str) -> str | None:
        value = row.values.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
        shown = "Qid" if name == "key" else name
        if value is None or isinstance(value, str):
            self._say(row, "key_missing", field=shown)
        else:
            self._say(row, "wrong_kind", field=shown, kind=json_kind(value), value=shortened(value))
        return None

    def _string(self, row: NamedRow, name: str) -> str | None:
        value = row.values.get(name)
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return shortened(value, 10**6)
        self._say(row, "not_text", kept=True, field=name, kind=json_kind(value), value=shortened(value))
        return None

    def _audio_path(self, row: NamedRow) -> tuple[Path | None, Sequence[str]]:
        name = self._string(row, "audio")
        if name is None or not name.strip():
            return None, ()
        try:
            path = self._audio.find(name)
        except OutsideFolderError:
            self._say(row, "audio_outside", kept=True, field="audio", value=name)
            return None, ("audio_outside",)
        return path, () if path is not None else ("audio_missing",)

    def _timings(self, row: NamedRow) -> Iterator[tuple[str, float]]:
        for name in TIMINGS:
            value = row.values.get(name)
            if value is None or value == "":
                continue
            seconds = number_of(value, ";")
            if seconds is not None and math.isfinite(seconds) and seconds >= 0:
                yield name, seconds
            else:
                self._say(row, "bad_timing", kept=True, field=name, value=shortened(value))

    def _say(self, row: NamedRow, code: str, *, kept: bool = False, **values: JSON) -> None:
        key = row.values.get("key")
        where = f"{row.where} ({key})" if isinstance(key, str) else row.where
        self.problems.append(Problem(self._path, where, f"benchmarks.{code}", values, kept))
