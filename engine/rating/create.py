"""From a plan to a stored study, whole before anything plays."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.progress import Progress
from engine.rating.design import SpokenTrap, StudyPlan
from engine.rating.leaks.fixes import playback_fixes
from engine.rating.leaks.values import ClipFix, Fixes
from engine.rating.plan import plan_study
from engine.rating.traps import instruction, write_traps
from engine.rating.values import Protocol
from engine.store.frame import response_uids
from engine.store.studies import NewAssignment, NewSession, NewStudy, add_study, keep_protocol
from engine.store.transaction import transaction
from engine.store.traps import put_trap, sounds_of_answers
from engine.store.workspace import Workspace

__all__ = ["create_study", "creating_study", "plan_study"]


def create_study(workspace: Workspace, plan: StudyPlan, leaks: Mapping[str, Any] | None = None) -> int:
    """Store ``plan`` in one transaction and return the study's id; ``leaks`` is what the leak check declared.

    Reads every clip where levels or silences are evened out: ``creating_study`` does the same in steps.
    """
    work = creating_study(workspace, plan, leaks)
    while True:
        try:
            next(work)
        except StopIteration as end:
            return int(end.value)


def creating_study(
    workspace: Workspace, plan: StudyPlan, leaks: Mapping[str, Any] | None = None
) -> Generator[Progress, None, int]:
    """As ``create_study``, in steps; closed before its end it leaves nothing behind."""
    fixes: dict[int, ClipFix] = {}
    if plan.fixes != Fixes():
        fixes = yield from playback_fixes(workspace, plan.played_ids, plan.fixes)
    with TemporaryDirectory() as folder, closing(workspace.connect(durable=True)) as db:
        traps = yield from _written(db, workspace, plan, Path(folder))
        with transaction(db):
            made = _keep_traps(db, workspace, plan, traps)
            fixes |= {made[trap]: replace(fixes[trap.response_id], stop_s=None) for trap in made if fixes}
            return _keep_study(db, _with_traps(plan, made), fixes, leaks)


def _written(
    db: sqlite3.Connection, workspace: Workspace, plan: StudyPlan, folder: Path
) -> Generator[Progress, None, dict[SpokenTrap, Path]]:
    sounds = sounds_of_answers(db, workspace, (trap.response_id for trap in plan.spoken))
    languages = {protocol.id: protocol.language for protocol in plan.protocols}
    return (yield from write_traps(plan.spoken, sounds, languages, folder))


def _keep_traps(
    db: sqlite3.Connection, workspace: Workspace, plan: StudyPlan, traps: Mapping[SpokenTrap, Path]
) -> dict[SpokenTrap, int]:
    languages = {protocol.id: protocol.language for protocol in plan.protocols}
    return {
        trap: put_trap(db, workspace, trap.response_id, sound, instruction(languages[trap.protocol], trap.key))
        for trap, sound in traps.items()
    }


def _with_traps(plan: StudyPlan, made: Mapping[SpokenTrap, int]) -> StudyPlan:
    """The plan with the clips that were made in the places of the answers they were made of."""
    new = {(trap.protocol, trap.response_id): number for trap, number in made.items()}

    def put(protocol: str, entry: NewAssignment) -> NewAssignment:
        if entry.kind != "trap":
            return entry
        if entry.other_response_id is not None:
            return replace(
                entry, other_response_id=new.get((protocol, entry.other_response_id), entry.other_response_id)
            )
        return replace(entry, response_id=new.get((protocol, entry.response_id), entry.response_id))

    sessions = tuple(
        replace(session, assignments=tuple(put(session.protocol.id, entry) for entry in session.assignments))
        for session in plan.sessions
    )
    return replace(plan, sessions=sessions)


def _keep_study(
    db: sqlite3.Connection, plan: StudyPlan, fixes: Mapping[int, ClipFix], leaks: Mapping[str, Any] | None
) -> int:
    uids = response_uids(db, list(fixes))
    protocols = {protocol.id: _keep(db, protocol) for protocol in plan.protocols}
    sessions = [
        NewSession(session.rater_id, protocols[session.protocol.id], session.number, session.assignments)
        for session in plan.sessions
    ]
    told = declared(plan) | {"fixes": {uids[number]: fix.declaration() for number, fix in fixes.items()}}
    design = plan.design
    return add_study(db, NewStudy(design.title, design.seed, design.selection, design.stage, told, leaks, sessions))


def declared(plan: StudyPlan) -> dict[str, Any]:
    """What a study keeps of its design: all that was chosen, what came of it, and what was told before it began."""
    told = asdict(plan.design)
    told |= {
        "query": plan.design.chosen.query,
        "systems": list(plan.counts.systems),
        "counts": asdict(plan.counts),
        "loads": [asdict(load) for load in plan.loads],
        "precision": [asdict(entry) for entry in plan.precision],
        "strata": {name: list(counts) for name, counts in plan.strata.items()},
        "warnings": [{"name": entry.name, **entry.values} for entry in plan.warnings],
        "playback": asdict(plan.fixes),
    }
    return told


def _keep(db: sqlite3.Connection, protocol: Protocol) -> int:
    return keep_protocol(
        db,
        name=protocol.id,
        version=protocol.version,
        language=protocol.language,
        sha256=protocol.sha256,
        declaration=protocol.declaration(),
    )
