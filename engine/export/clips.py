"""Answers' speech as WAV files: the spans that were asked for or tagged, else the whole answer; with a manifest."""

from __future__ import annotations

import csv
import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from engine.audio.read import load_channels
from engine.audio.write import encode_audio
from engine.benchmarks.tables import Cell, written_row
from engine.errors import EngineError
from engine.export.tables import json_line
from engine.query.records import AnswerRecord
from engine.store.audio import audio_of
from engine.store.evidence import Span
from engine.store.workspace import Workspace

_UNSAFE = re.compile(r"[^\w-]+")
_LONGEST_PART = 24
_KEPT_CODINGS = {"PCM_16": "PCM_16", "PCM_24": "PCM_24", "FLOAT": "FLOAT", "DOUBLE": "FLOAT", "PCM_32": "PCM_24"}


class Clips:
    """Writes into a folder; afterwards ``problems`` names the answers that gave no clip, each with why."""

    def __init__(
        self, db: sqlite3.Connection, workspace: Workspace, folder: Path, spans: Mapping[int, tuple[Span, ...]]
    ) -> None:
        self._db, self._workspace, self._folder, self._spans = db, workspace, folder, spans
        self._rows: list[dict[str, Cell]] = []
        self.problems: list[tuple[str, EngineError]] = []

    @property
    def count(self) -> int:
        """How many clips are written."""
        return len(self._rows)

    def write(self, records: Iterable[AnswerRecord]) -> Iterator[int]:
        """Write the clips of each answer, at the last the manifest; yields how many answers are done."""
        for done, record in enumerate(records, start=1):
            try:
                self._write_answer(record)
            except EngineError as error:
                self.problems.append((_place(record), error))
            yield done
        self._write_manifest()

    def _write_answer(self, record: AnswerRecord) -> None:
        if record.clip is None:
            raise EngineError("export.no_audio")
        kept = audio_of(self._db, self._workspace, record.clip)
        samples, rate_hz = load_channels(kept.path)
        coding = _KEPT_CODINGS.get(str((kept.facts or {}).get("subtype", "")), "PCM_16")
        whole = Span(0.0, len(samples) / rate_hz)
        asked: list[tuple[Span, tuple[str, ...]]] = [(span, ()) for span in self._spans.get(record.id, ())]
        asked = asked or list(record.spans) or [(whole, ())]
        for span, tags in asked:
            piece = samples[round(max(span.start_s, 0.0) * rate_hz) : round(min(span.end_s, whole.end_s) * rate_hz)]
            if not len(piece):
                self.problems.append((_place(record), EngineError("export.span_outside", start=span.start_s)))
                continue
            name = _file_name(len(self._rows) + 1, record, span, span == whole, tags or record.tags)
            path = self._folder / name
            path.write_bytes(encode_audio(path, piece, rate_hz, coding))
            self._rows.append(_row(name, record, span, rate_hz, tags))

    def _write_manifest(self) -> None:
        with (self._folder / "manifest.jsonl").open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(json_line(row) for row in self._rows)
        with (self._folder / "manifest.csv").open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file, lineterminator="\r\n")
            writer.writerow(written_row(_COLUMNS))
            writer.writerows(written_row(list(row.values())) for row in self._rows)


_COLUMNS = (
    "file", "system", "benchmark", "subset", "key", "repeat", "start_s", "end_s", "sample_rate_hz", "span_tags",
    "tags", "notes", "text", "transcript", "audio_sha256", "uid",
)  # fmt: skip


def _row(name: str, record: AnswerRecord, span: Span, rate_hz: int, tags: tuple[str, ...]) -> dict[str, Cell]:
    plain = record.plain
    told: dict[str, Cell] = {
        **plain,
        "file": name,
        "start_s": span.start_s,
        "end_s": span.end_s,
        "sample_rate_hz": rate_hz,
        "span_tags": "; ".join(tags),
        "tags": "; ".join(record.tags),
        "notes": "\n\n".join(record.notes),
    }
    return {column: told[column] for column in _COLUMNS}


def _file_name(number: int, record: AnswerRecord, span: Span, is_whole: bool, tags: tuple[str, ...]) -> str:
    """A name that every file system takes: a number, letters and digits of any script, no name of a device."""
    subset, key = str(record.plain["subset"]), str(record.plain["key"])
    rest = key.removeprefix(subset)[-_LONGEST_PART:]  # what tells keys apart stands at their end
    parts = [f"{number:05d}", _safe(str(record.plain["system"])), _safe(subset), _safe(rest)]
    parts += [] if is_whole else [f"{span.start_s:.2f}-{span.end_s:.2f}".replace(".", "_")]
    parts += [_safe(tags[0])] if tags else []
    return "-".join(part for part in parts if part) + ".wav"


def _safe(part: str) -> str:
    kept = _UNSAFE.sub("_", unicodedata.normalize("NFC", part))[:_LONGEST_PART]
    while len(kept.encode()) > 2 * _LONGEST_PART:
        kept = kept[:-1]
    return kept.strip("_-")


def _place(record: AnswerRecord) -> str:
    return f"{record.plain['system']} {record.plain['subset']} {record.plain['key']}"
