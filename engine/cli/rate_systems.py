"""Of which systems ``auricle rate new`` has answers rated where none was named, and what each lacks where none fit."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.strings import text

if TYPE_CHECKING:
    from engine.rating.design import Design
    from engine.rating.frame import Frame
    from engine.store.workspace import Workspace

_LEAST_SHARE = 0.5  # of the questions of the system with most, as the window has it


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A system that would leave too few questions to be rated: of how many that the others share it has an answer."""

    system: str
    has: int
    of: int

    def sentence(self, language: str) -> str:
        """Why it was left out, and how to have it nonetheless."""
        return text("rate_verb.left_out", language, system=self.system, has=self.has, of=self.of)


def sharing(workspace: Workspace, design: Design) -> tuple[Design, tuple[LeftOut, ...]]:
    """The design with the systems that share questions, from the one with most on; and those that were left out.

    Where there is nothing to choose between, the design stays as it is.
    """
    rateable, _ = _rateable(workspace, design)
    if len(rateable) < 2 or not any(rateable.values()):
        return design, ()
    by_size = sorted(rateable, key=lambda name: -len(rateable[name]))
    shared = rateable[by_size[0]]
    least = _LEAST_SHARE * len(shared)
    taken, left_out = [by_size[0]], []
    for name in by_size[1:]:
        common = shared & rateable[name]
        if common and len(common) >= least:
            taken, shared = [*taken, name], common
        else:
            left_out.append((name, common))
    if not left_out:
        return design, ()
    ordered = tuple(name for name in rateable if name in taken)
    told = tuple(LeftOut(name, len(common), len(shared)) for name, common in left_out)
    return replace(design, systems=ordered), told


def lacking(workspace: Workspace, design: Design) -> EngineError:
    """What to say where no question can be rated of all systems together: how many each lacks."""
    rateable, found = _rateable(workspace, design)
    names = ", ".join(f"{name} {found - len(ids)}" for name, ids in rateable.items())
    return EngineError("rate_verb.none_shared", found=found, systems=names)


def _rateable(workspace: Workspace, design: Design) -> tuple[dict[str, frozenset[int]], int]:
    """By system, the questions that can be rated of it under the protocols; and how many were looked at."""
    from engine.rating.frame import Needs, read_frame
    from engine.rating.protocols import load_protocol

    needs = Needs.of([load_protocol(name, design.language) for name in design.protocols])
    with closing(workspace.connect()) as db:
        every = _run(read_frame(db, design.chosen, design.systems, needs, design.method))
        alone = {
            name: frozenset(_run(read_frame(db, design.chosen, (name,), needs, design.method)).instance_ids.tolist())
            for name in every.systems
        }
    return alone, every.found


def _run(work: Generator[object, None, Frame]) -> Frame:
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: Frame = end.value
            return found
