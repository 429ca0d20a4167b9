"""An export as a job: the answers are found, then written; the engine's writers are imported on the pool thread."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError
from engine.export.choice import chosen_by
from engine.progress import Progress
from engine.store.workspace import Workspace
from gui.audit.evidence.target import Target


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written, and which answers gave nothing, each with why."""

    path: Path
    answers: int
    clips: int
    problems: tuple[tuple[str, EngineError], ...]


def exported(
    workspace: Workspace, target: Target, form: str, path: Path, language: str, replaces: bool
) -> Generator[Progress, None, Exported]:
    """Write a target to ``path``."""
    from engine.export.export import FORMATS, export  # jinja2, soundfile: not needed before

    yield Progress(0, target.count)
    with closing(workspace.connect()) as db:
        chosen = chosen_by(db, target.selection, target.method, target.sort)
    kind = next(known for known in FORMATS if known == form)
    done = yield from export(workspace, chosen, kind, path, language=language, replace=replaces)
    return Exported(done.path, done.answers, done.clips, done.problems)
