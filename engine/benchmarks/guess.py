"""What a file or folder seems to hold, so that it may be dropped without saying so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.benchmarks.dynamic_superb import is_task
from engine.benchmarks.jsonfile import read_records
from engine.benchmarks.manifest import read_named_rows
from engine.benchmarks.vocalbench_zh import json_folder

Kind = Literal["vocalbench_zh", "dynamic_superb", "answers", "results"]
KINDS: tuple[Kind, ...] = ("vocalbench_zh", "dynamic_superb", "answers", "results")
TABLES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson")
_ANSWERS_ALONE = ("wav", "json_asr", "result")
_STORE = "auricle.db"


@dataclass(frozen=True, slots=True)
class Guess:
    """``kind`` is ``workspace``, a kind of import, or empty where nothing is known of it.

    ``systems`` are the folders of answers inside, where the folder itself is a folder of several systems.
    """

    path: Path
    kind: Kind | Literal["workspace", ""]
    systems: tuple[Path, ...] = ()


def guess(path: Path) -> Guess:
    """What ``path`` holds, going by its layout and by the keys of one record; changes nothing.

    Of what may not be read nothing is known.
    """
    try:
        return _guessed(path)
    except OSError:
        return Guess(path, "")


def _guessed(path: Path) -> Guess:
    if path.is_file():
        if path.name == _STORE:
            return Guess(path.parent, "workspace")
        return Guess(path, _of_file(path) if path.suffix.lower() in TABLES else "")
    if not path.is_dir():
        return Guess(path, "")
    if (path / _STORE).exists():
        return Guess(path, "workspace")
    if is_answers(path):
        return Guess(path, "answers")
    if _is_vocalbench(path):
        return Guess(path, "vocalbench_zh")
    inside = sorted(child for child in path.iterdir() if child.is_dir())
    if is_task(path) or any(is_task(child) for child in inside):
        return Guess(path, "dynamic_superb")
    systems = tuple(child for child in inside if is_answers(child))
    return Guess(path, "answers" if systems else "", systems)


def is_answers(folder: Path) -> bool:
    """Whether a folder is laid out as ``model_output/<system>``; a benchmark's json folder holds questions instead."""
    if any((folder / part).is_dir() for part in _ANSWERS_ALONE):
        return True
    files = sorted((folder / "json").glob("*.json*")) if (folder / "json").is_dir() else []
    return bool(files) and "Response" in _first_keys(files[0])


def _is_vocalbench(folder: Path) -> bool:
    found = json_folder(folder)
    return found is not None and "Response" not in _first_keys(sorted(found.glob("*.json"))[0])


def _of_file(path: Path) -> Kind | Literal[""]:
    names = read_named_rows(path).names
    if "judge" in names or {"metric", "value"} <= names:
        return "results"
    return "answers" if not names.isdisjoint(("text", "audio", "transcript")) else ""


def _first_keys(path: Path) -> frozenset[str]:
    records = read_records(path).records
    return frozenset(records[0].fields) if records else frozenset()
