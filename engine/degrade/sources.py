"""Where clean speech comes from: the instances of an imported subset, or a folder of audio files."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from engine.benchmarks.audiopath import AUDIO_SUFFIXES
from engine.errors import EngineError
from engine.store.answers import questions
from engine.store.benchmarks import instances_of
from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Source:
    """One clean recording, the number that its files get, and what is asked in it, as far as that is known."""

    number: str
    name: str
    path: Path
    question: str = ""
    answer: str = ""


def sources_of_folder(folder: Path, limit: int | None = None) -> list[Source]:
    """The audio files below a folder in the order of their names; a ``.txt`` beside one holds what is asked in it.

    Raises EngineError ``degrade.no_audio``.
    """
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in AUDIO_SUFFIXES and path.is_file())
    if not found:
        raise EngineError("degrade.no_audio", path=str(folder))
    return [
        Source(f"{number:03d}", path.relative_to(folder).as_posix(), path, _text_beside(path))
        for number, path in enumerate(found[:limit])
    ]


def sources_of_subset(workspace: Workspace, benchmark: str, subset: str, limit: int | None = None) -> list[Source]:
    """The instances of an imported subset that have audio, numbered as their Qids are.

    Raises EngineError ``degrade.no_instances``.
    """
    with closing(workspace.connect()) as db:
        told = {instance.key: instance for instance in instances_of(db, benchmark, subset)}
        asked = [question for question in questions(db, benchmark, (subset,), ()) if question.audios]
    if not asked:
        raise EngineError("degrade.no_instances", benchmark=benchmark, subset=subset)
    endings = [re.search(r"(\d+)$", question.key) for question in asked]
    numbers = [ending.group(1) if ending else "" for ending in endings]
    if len(set(numbers)) < len(numbers) or "" in numbers:
        numbers = [f"{place:03d}" for place in range(len(asked))]
    return [
        Source(
            number,
            question.key,
            workspace.audio / question.audios[-1].path,  # of several turns, the one that is answered
            question.question,
            told[question.key].reference or "",
        )
        for number, question in list(zip(numbers, asked))[:limit]
    ]


def _text_beside(path: Path) -> str:
    try:
        return path.with_suffix(".txt").read_text(encoding="utf-8").strip()
    except OSError:
        return ""
    except UnicodeDecodeError as error:
        raise EngineError("degrade.not_utf8", path=str(path.with_suffix(".txt"))) from error
