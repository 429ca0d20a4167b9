"""The sample workspace: shipped instances and answers, imported as any others are."""

from __future__ import annotations

import tomllib
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.benchmarks.dynamic_superb import read_dynamic_superb
from engine.benchmarks.vocalbench_zh import read_vocalbench_zh
from engine.errors import EngineError
from engine.progress import Progress
from engine.runs.imports import Answers, read_answers, take_benchmark, take_responses
from engine.shipped import shipped
from engine.store.benchmarks import subset_sizes
from engine.store.workspace import Workspace

BENCHMARKS = ("vocalbench_zh", "dynamic_superb")


@dataclass(frozen=True, slots=True)
class SampleTaken:
    """What the sample workspace holds: instances and answers, and how many of them are new."""

    instances: int
    answers: int
    added: int


@dataclass(frozen=True, slots=True)
class SampleContents:
    """How much the sample pack holds; ``byte_count`` is what it takes on the disk."""

    instances: int
    systems: int
    answers: int
    byte_count: int


def sample_contents() -> Generator[Progress, None, SampleContents]:
    """What ``take_sample`` would take in, counted from the pack's files."""
    folder = shipped("data/sample")
    instances = answers = 0
    for reader in (read_vocalbench_zh(folder / "vocalbench_zh"), read_dynamic_superb(folder / "dynamic_superb")):
        instances += len((yield from reader).instances)
    systems = sorted(path for path in (folder / "model_output").iterdir() if path.is_dir())
    for system in systems:
        answers += len((yield from _read_system(system)).recorded.responses)
    byte_count = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return SampleContents(instances, len(systems), answers, byte_count)


def take_sample(workspace: Workspace) -> Generator[Progress, None, SampleTaken]:
    """Import the sample pack; taking it again changes nothing.

    Raises EngineError ``runs.sample_in_the_way`` where the workspace holds more instances than the pack: the sample is
    for trying things out and is not mixed with real data.
    """
    folder = shipped("data/sample")
    db = workspace.connect()
    try:
        held = sum(subset_sizes(db).values())
        readers = (read_vocalbench_zh(folder / "vocalbench_zh"), read_dynamic_superb(folder / "dynamic_superb"))
        read = []
        for reader in readers:
            read.append((yield from reader))
        if held > sum(len(imported.instances) for imported in read):
            raise EngineError("runs.sample_in_the_way", path=str(workspace.folder))
        for imported in read:
            yield from take_benchmark(workspace, imported, folder, "copy")
    finally:
        db.close()
    answers = added = 0
    for system in sorted(path for path in (folder / "model_output").iterdir() if path.is_dir()):
        taken = yield from _take_system(workspace, system, {i.benchmark: {x.subset for x in i.instances} for i in read})
        answers, added = answers + taken[0], added + taken[1]
    return SampleTaken(sum(len(imported.instances) for imported in read), answers, added)


def _take_system(
    workspace: Workspace, folder: Path, subsets: Mapping[str, set[str]]
) -> Generator[Progress, None, tuple[int, int]]:
    read = yield from _read_system(folder)
    answers = added = 0
    declaration = _declared(folder)
    for benchmark in BENCHMARKS:
        mine = [r for r in read.recorded.responses if r.subset in subsets[benchmark]]
        if mine:
            taken = yield from take_responses(
                workspace, benchmark, folder.name, mine, declaration=declaration, heard_by=read.heard_by, keep="copy"
            )
            answers, added = answers + taken.added + taken.same, added + taken.added
    return answers, added


def _read_system(folder: Path) -> Generator[Progress, None, Answers]:
    manifest = folder / "manifest.jsonl"
    listed = manifest.exists()
    return (yield from read_answers(None if listed else folder, manifest if listed else None, system=folder.name))


def _declared(folder: Path) -> Mapping[str, Any]:
    """What a system of the pack declares of itself, however its answers are listed."""
    return tomllib.loads((folder / "system.toml").read_text(encoding="utf-8"))
