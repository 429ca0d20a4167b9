"""Turns what the command line names into a scope, and says when nothing is there by that name."""

from __future__ import annotations

from engine.errors import EngineError
from engine.store.plans import Scope
from engine.store.tallies import answered_subsets, system_declarations
from engine.store.workspace import Workspace


def chosen_scope(
    workspace: Workspace,
    systems: tuple[str, ...],
    benchmark: str | None,
    subsets: tuple[str, ...],
    limit: int | None = None,
) -> Scope:
    """The scope of a run.

    Raises EngineError where the workspace has no answers, or none of such a system, benchmark or subset.
    """
    db = workspace.connect()
    try:
        known_systems, places = system_declarations(db), answered_subsets(db)
    finally:
        db.close()
    if not known_systems:
        raise EngineError("runs.no_responses", path=str(workspace.folder))
    for system in systems:
        if system not in known_systems:
            raise EngineError("runs.no_such_system", system=system, known=", ".join(known_systems))
    benchmarks = dict.fromkeys(name for name, _ in places)
    if benchmark is not None and benchmark not in benchmarks:
        raise EngineError("runs.no_such_benchmark", benchmark=benchmark, known=", ".join(benchmarks))
    names = tuple(name.rpartition("/")[2] for name in subsets)
    known = dict.fromkeys(subset for name, subset in places if benchmark in (None, name))
    for name in names:
        if name not in known:
            raise EngineError("runs.no_such_subset", subset=name, known=", ".join(known))
    return Scope(systems, benchmark, names, limit)
