"""From a plan to a stored study, whole before anything plays."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import asdict
from typing import Any

from engine.progress import Progress
from engine.rating.design import StudyPlan
from engine.rating.leaks.fixes import playback_fixes
from engine.rating.leaks.values import ClipFix, Fixes
from engine.rating.plan import plan_study
from engine.rating.values import Protocol
from engine.store.frame import response_uids
from engine.store.studies import NewSession, NewStudy, add_study, keep_protocol
from engine.store.transaction import transaction
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
    with closing(workspace.connect(durable=True)) as db, transaction(db):
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
