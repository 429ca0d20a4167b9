"""What the Library screen asks of the engine, each piece run on a pool thread."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import EngineError
from engine.progress import Progress

if TYPE_CHECKING:  # the rooms behind load numpy and more: on the pool thread, not before the first paint
    from engine.benchmarks.guess import Guess, Kind
    from engine.machine.values import Check
    from engine.runs.checked_import import Checked, Written
    from engine.runs.sample import SampleContents
    from engine.store.audio import Keep
    from engine.store.overview import Durations, Glance, Overview
    from engine.store.workspace import Workspace


NEW_NAME = "auricle-workspace"
REPORT = "report.html"  # where `auricle report` writes it unless it is told otherwise


@dataclass(frozen=True, slots=True)
class Contents:
    """What a workspace holds.

    ``report`` is the report that was written into it, None where none was.
    """

    overview: Overview
    report: Path | None = None


@dataclass(frozen=True, slots=True)
class Recent:
    """A workspace that was open before, and what is there now."""

    path: Path
    opened_at: str
    glance: Glance | None = None  # None until somebody looked


def read_contents(workspace: Workspace) -> Contents:
    """Count what is in the workspace."""
    from engine.benchmarks.declaration import declared_subsets
    from engine.store.overview import overview

    with closing(workspace.connect()) as db:
        found = overview(db)
    declared_subsets("vocalbench_zh")  # read here, that their titles are at hand on the GUI thread
    report = workspace.folder / REPORT
    return Contents(found, report if report.is_file() else None)


def read_lengths(workspace: Workspace) -> Generator[Progress, None, Durations]:
    """How long the questions are."""
    from engine.store.lengths import question_lengths

    return (yield from question_lengths(workspace))


def look_at(recents: Sequence[Recent]) -> Generator[Progress, None, tuple[Recent, ...]]:
    """Look at each workspace from outside; one on a sleeping drive holds up only this job."""
    from engine.store.overview import glance

    found = []
    for recent in recents:
        found.append(Recent(recent.path, recent.opened_at, glance(recent.path)))
        yield Progress(len(found), len(recents))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ComputerAsked:
    """What the checks are about, as the settings keep it."""

    folder: Path
    recogniser: Mapping[str, Any]
    endpoints: Sequence[Mapping[str, Any]]
    chinese_font: str
    list_devices: bool


def check_computer(asked: ComputerAsked, workspace: Workspace | None) -> Generator[Progress, None, tuple[Check, ...]]:
    """All checks, the recogniser's floor as the workspace knows it."""
    from engine.machine.check import check_machine, known_floors
    from engine.machine.values import Asked, JudgeAsked
    from engine.speech.values import RecogniserSpec

    named = {key: value for key, value in asked.recogniser.items() if key in RecogniserSpec.__slots__}
    spec = RecogniserSpec(**named)
    floors: Mapping[str, float] = {}
    if workspace is not None:
        with closing(workspace.connect()) as db:
            floors = known_floors(db, spec)
    yield Progress(0, 0)
    judges = tuple(
        JudgeAsked(str(e["base_url"]), str(e.get("model") or ""), str(e.get("key_env") or ""))
        for e in asked.endpoints
        if e.get("base_url")
    )
    about = Asked(asked.folder, spec, judges, floors, asked.chinese_font, asked.list_devices)
    return (yield from check_machine(about))


def describe_sample() -> Generator[Progress, None, SampleContents]:
    """How much the sample holds."""
    from engine.runs.sample import sample_contents

    return (yield from sample_contents())


def make_sample(folder: Path) -> Generator[Progress, None, Path]:
    """Take the sample into the workspace in ``folder``, made where there is none."""
    from engine.runs.sample import take_sample
    from engine.store.workspace import open_workspace

    workspace = open_workspace(folder, create=True)
    yield Progress(0, 0)
    yield from take_sample(workspace)
    return workspace.folder


def place_for_new(folder: Path) -> Path:
    """Where a new workspace goes: ``folder``, or where other things lie in it a folder of its own below."""
    from engine.store.workspace import DATABASE

    try:
        if not folder.is_dir() or (folder / DATABASE).exists() or not any(folder.iterdir()):
            return folder
    except OSError as error:
        raise EngineError("store.cannot_write", path=str(folder), why=str(error)) from error
    number, place = 1, folder / NEW_NAME
    while place.exists():
        number += 1
        place = folder / f"{NEW_NAME}-{number}"
    return place


def look_into(path: Path) -> Guess:
    """What was dropped or chosen."""
    from engine.benchmarks.guess import guess

    return guess(path)


def benchmarks_of(workspace: Workspace) -> tuple[str, ...]:
    """The benchmarks that answers may belong to."""
    from engine.runs.checked_import import imported_benchmarks

    with closing(workspace.connect()) as db:
        return imported_benchmarks(db)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user chose to import; the engine's own value of it is made where it may load numpy."""

    kind: Kind
    path: Path
    system: str
    benchmark: str
    keep: Keep
    encoding: str


def check(workspace: Workspace | None, asked: Asked) -> Generator[Progress, None, Checked]:
    """Read and check what is to be imported."""
    from engine.runs.checked_import import ImportAsked, check_import

    about = ImportAsked(asked.kind, asked.path, asked.system, asked.benchmark, asked.keep, asked.encoding)
    return (yield from check_import(workspace, about))


def write(folder: Path, checked: Checked) -> Generator[Progress, None, tuple[Path, Written]]:
    """Import what was checked into the workspace in ``folder``, made where there is none."""
    from engine.runs.checked_import import write_import
    from engine.store.workspace import open_workspace

    workspace = open_workspace(folder, create=True)
    yield Progress(0, checked.count)
    return folder, (yield from write_import(workspace, checked))
