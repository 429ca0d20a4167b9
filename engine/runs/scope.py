"""Turns what the command line names into a scope, and says when nothing is there."""

from __future__ import annotations

from engine.errors import EngineError
from engine.store.plans import Scope
from engine.store.tallies import system_declarations
from engine.store.workspace import Workspace


def chosen_scope(
    workspace: Workspace, system: str | None, benchmark: str | None, subsets: tuple[str, ...], limit: int | None = None
) -> Scope:
    """The scope of a run; raises EngineError where the workspace has no answers, or no such system."""
    db = workspace.connect()
    try:
        known = system_declarations(db)
    finally:
        db.close()
    if not known:
        raise EngineError("runs.no_responses", path=str(workspace.folder))
    if system is not None and system not in known:
        raise EngineError("runs.no_such_system", system=system, known=", ".join(known))
    return Scope(system, benchmark, tuple(name.rpartition("/")[2] for name in subsets), limit)
