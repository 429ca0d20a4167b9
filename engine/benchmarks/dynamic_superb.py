"""Reads Dynamic-SUPERB tasks from folders: metadata.json, or instance.json with a CSV, and the audio beside them."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.benchmarks.audiopath import AUDIO_SUFFIXES, AudioFolder, OutsideFolderError
from engine.benchmarks.jsonfile import json_kind, read_records, shortened
from engine.benchmarks.tables import read_table
from engine.benchmarks.values import JSON, AudioRef, Imported, Instance, Problem
from engine.errors import EngineError
from engine.progress import Progress

BENCHMARK = "dynamic_superb"
_METADATA, _INSTANCE = "metadata.json", "instance.json"
_FURTHER_AUDIO = re.compile(r"audio\d+")
_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+")
_PARSED = ("file", "file_name", "instruction", "label")


@dataclass(frozen=True, slots=True)
class _Row:
    where: str
    name: str  # of the first audio, as the data spell it
    fields: Mapping[str, JSON]


def snake_case(name: str) -> str:
    """A task's name as an id.

    >>> snake_case("SpeechTextMatching_LibriSpeech-TestClean")
    'speech_text_matching_libri_speech_test_clean'
    >>> snake_case("LibriTTS")
    'libri_tts'
    """
    return "_".join(part for part in _WORD_STARTS.split(name) if part).lower()


def read_dynamic_superb(
    folder: Path, subsets: Sequence[str] | None = None, encoding: str | None = None
) -> Generator[Progress, None, Imported]:
    """Read one task's folder, or every task in a folder of them; yields after each, writes nothing.

    The subset is the task's name in snake case (instance.json's ``name``, else the folder's), the key the row's
    ``file``, the question its ``instruction``, the reference its ``label``; ``text`` and other columns are labels.
    A second audio (``<name>_pair``, or columns ``audio2``, ``audio3``) follows the first. Instances are taken as
    English.

    Raises EngineError when there is no task, or not one that was named.
    """
    tasks = {snake_case(_task_name(task)): task for task in _task_folders(folder)}
    wanted = list(tasks) if subsets is None else [name.rpartition("/")[2].replace("-", "_") for name in subsets]
    for name in wanted:
        if name not in tasks:
            raise EngineError("benchmarks.unknown_subset", subset=name, folder=folder, known=", ".join(tasks))
    instances: list[Instance] = []
    problems: list[Problem] = []
    yield Progress(0, len(wanted))
    for done, name in enumerate(wanted, start=1):
        reader = _TaskReader(tasks[name], name)
        instances.extend(reader.read(encoding))
        problems.extend(reader.problems)
        yield Progress(done, len(wanted), name)
    refused = {(problem.code, problem.where) for problem in problems if problem.code == "benchmarks.audio_outside"}
    without = sum(any(audio.path is None for audio in instance.audio) for instance in instances)
    return Imported(BENCHMARK, tuple(wanted), tuple(instances), tuple(problems), without - len(refused))


def _task_folders(folder: Path) -> list[Path]:
    found = [task for task in (folder, *sorted(folder.glob("*/"))) if is_task(task)]
    if not found:
        raise EngineError("benchmarks.not_dynamic_superb", folder=folder)
    return found


def is_task(folder: Path) -> bool:
    """Whether a folder is laid out as one task."""
    return (folder / _METADATA).is_file() or ((folder / _INSTANCE).is_file() and any(folder.glob("*.csv")))


def _task_name(folder: Path) -> str:
    declared = read_records(folder / _INSTANCE).records if (folder / _INSTANCE).is_file() else ()
    name = declared[0].fields.get("name") if declared else None
    return name if isinstance(name, str) and name.strip() else folder.resolve().name


class _TaskReader:
    def __init__(self, folder: Path, subset: str) -> None:
        self.problems: list[Problem] = []
        self._folder, self._subset = folder, subset
        self._audio = AudioFolder(folder)
        metadata = folder / _METADATA
        self._path = metadata if metadata.is_file() else min(folder.glob("*.csv"))

    def read(self, encoding: str | None) -> Iterator[Instance]:
        """The instances of the task, in file order."""
        seen: dict[str, _Row] = {}
        for position, row in enumerate(self._rows(encoding)):
            file, question = row.fields.get("file"), row.fields.get("instruction")
            key = file if isinstance(file, str) and file.strip() else row.name
            if not isinstance(question, str) or not question.strip():
                self._say(row, "empty" if question == "" else "key_missing", field="instruction")
            elif key in seen:
                same = seen[key].fields == row.fields
                self._say(row, "duplicate_same" if same else "duplicate_differs", qid=key)
            else:
                seen[key] = row
                yield self._instance(row, position, key, question)

    def _instance(self, row: _Row, position: int, key: str, question: str) -> Instance:
        label = row.fields.get("label")
        if label is None:
            self._say(row, "null" if "label" in row.fields else "key_missing", kept=True, field="label")
        reference = label if isinstance(label, str) or label is None else shortened(label, 10**6)
        labels = {name: value for name, value in row.fields.items() if name not in _PARSED}
        audio = tuple(self._audio_refs(row))
        return Instance(
            BENCHMARK, self._subset, key, position, question, reference, language="en", audio=audio, labels=labels
        )

    def _rows(self, encoding: str | None) -> Iterator[_Row]:
        if self._path.suffix == ".csv":
            yield from self._table_rows(encoding)
            return
        file = read_records(self._path, encoding)
        self.problems.extend(file.problems)
        keyed = len(file.records) == 1 and all(isinstance(value, dict) for value in file.records[0].fields.values())
        entries = (
            enumerate(file.records[0].fields.items())
            if keyed
            else ((record.index, (record.fields.get("file_name"), record.fields)) for record in file.records)
        )
        for index, (name, fields) in entries:
            if isinstance(name, str) and name.strip():
                yield _Row(f"record {index} ({name})", name, fields)
            else:
                values = {"field": "file_name", "kind": json_kind(name), "value": shortened(name)}
                self.problems.append(Problem(self._path, f"record {index}", "benchmarks.wrong_kind", values))

    def _table_rows(self, encoding: str | None) -> Iterator[_Row]:
        table = read_table(self._path, encoding)
        self.problems.extend(table.problems)
        for row in table.rows:
            name = row.cells.get("file_name") or row.cells.get("file") or ""
            if name.strip():
                yield _Row(f"line {row.line} ({name})", name, dict(row.cells))
            else:
                where = f"line {row.line}"
                self.problems.append(Problem(self._path, where, "benchmarks.key_missing", {"field": "file_name"}))

    def _audio_refs(self, row: _Row) -> Iterator[AudioRef]:
        first = self._found(row, row.name)
        yield AudioRef(row.name, first)
        if first is not None:
            pair = first.with_name(f"{first.stem}_pair{first.suffix}")
            if pair.is_file():
                yield AudioRef(pair.name, pair)
        for column in sorted(filter(_FURTHER_AUDIO.fullmatch, row.fields)):
            name = row.fields[column]
            if isinstance(name, str) and name.strip():
                yield AudioRef(name, self._found(row, name))

    def _found(self, row: _Row, name: str) -> Path | None:
        """The file called ``name``, with or without its suffix."""
        has_suffix = name.lower().endswith(AUDIO_SUFFIXES)
        try:
            candidates = [self._audio.find(name + suffix) for suffix in ("",) if has_suffix]
            candidates += [self._audio.find(name + suffix) for suffix in AUDIO_SUFFIXES if not has_suffix]
        except OutsideFolderError:
            self._say(row, "audio_outside", kept=True, field="file_name", value=name)
            return None
        return next((path for path in candidates if path is not None), None)

    def _say(self, row: _Row, code: str, *, kept: bool = False, **values: JSON) -> None:
        self.problems.append(Problem(self._path, row.where, f"benchmarks.{code}", values, kept))
