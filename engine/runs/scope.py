"""Turns what the command line or a screen names into a scope, and says when nothing is there by that name."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

from engine.errors import EngineError, unknown
from engine.query.grammar import parse
from engine.query.rows import sorted_ids
from engine.store.plans import Chosen, Scope
from engine.store.tallies import answered_subsets, system_declarations
from engine.store.workspace import Workspace

CHOSEN = "chosen.json"  # in the folder of a run about certain answers


def chosen_scope(
    workspace: Workspace,
    systems: tuple[str, ...],
    benchmark: str | None,
    subsets: tuple[str, ...],
    limit: int | None = None,
    chosen: Chosen | None = None,
) -> Scope:
    """The scope of a run.

    Raises EngineError where the workspace has no answers, or none of such a system, benchmark or subset, and
    ``query.*`` for a filter that cannot be read.
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
            raise unknown("runs.no_such_system", system, known_systems, system=system)
    benchmarks = dict.fromkeys(name for name, _ in places)
    if benchmark is not None and benchmark not in benchmarks:
        raise unknown("runs.no_such_benchmark", benchmark, benchmarks, benchmark=benchmark)
    names = tuple(name.rpartition("/")[2] for name in subsets)
    known = dict.fromkeys(subset for name, subset in places if benchmark in (None, name))
    for name in names:
        if name not in known:
            raise unknown("runs.no_such_subset", name, known, subset=name)
    if chosen is not None:
        parse(chosen.where)
    return Scope(systems, benchmark, names, limit, chosen)


def looked_up(db: sqlite3.Connection, scope: Scope, runs: Path) -> Scope:
    """``scope`` with the answers that were chosen by their ids; as it is where none were.

    Those that an earlier run looked up are taken from the folder of that run below ``runs``. Raises EngineError
    ``runs.nothing_chosen`` where no answer is among them, ``runs.chosen_lost`` where that folder has gone.
    """
    chosen = scope.chosen
    if chosen is None:
        return scope
    if chosen.kept_by is not None:
        ids = _kept(runs / str(chosen.kept_by) / CHOSEN, chosen.kept_by)
    else:
        ids = tuple(sorted_ids(db, parse(chosen.where), (), chosen.method, among=chosen.ids).tolist())
    if not ids:
        raise EngineError("runs.nothing_chosen", where=chosen.where or "—")
    return replace(scope, chosen=replace(chosen, ids=ids, count=len(ids)))


def keep_chosen(scope: Scope, folder: Path) -> None:
    """Keep the answers of a scope in the folder of the run that is about them."""
    if scope.chosen is not None:
        (folder / CHOSEN).write_text(json.dumps(scope.chosen.ids), encoding="utf-8")


def brief(scope: Scope) -> Scope:
    """The scope as a run's row keeps it: how many answers, without their ids."""
    if scope.chosen is None:
        return scope
    return replace(scope, chosen=replace(scope.chosen, ids=None, kept_by=None))


def _kept(path: Path, run: int) -> tuple[int, ...]:
    try:
        return tuple(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise EngineError("runs.chosen_lost", run=run, path=str(path)) from error
