"""Weights that a verb needs, brought before it begins: size and licence first, and only with ``--allow-download``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

import typer

from engine.cli.console import language, watch
from engine.strings import text

if TYPE_CHECKING:
    from engine.models.declaration import ModelDeclaration
    from engine.models.fetch import FetchPlan
    from engine.speech.values import RecogniserSpec
    from engine.systems.declaration import SystemDeclaration
    from engine.systems.values import Options


def bring_for_recogniser(spec: RecogniserSpec, *, is_elsewhere: bool = False) -> None:
    """Fetch what a recogniser lacks, where that is allowed; ``is_elsewhere``: it runs on another machine."""
    from engine.models.needed import needed_by_recogniser

    if spec.allow_download:
        _bring(needed_by_recogniser(spec), spec.allow_pickle, is_elsewhere=is_elsewhere)


def bring_for_system(system: SystemDeclaration, options: Options, *, is_elsewhere: bool = False) -> None:
    """The same for a system, and say so where the commit is the one whose code was allowed."""
    from engine.models.needed import needed_by
    from engine.systems.revision import revision_of

    weights = options.weights or system.weights
    named = str(options.settings.get("revision") or system.settings.get("revision") or system.revision)
    if system.kind in ("omni", "adapter") and not named:
        commit = revision_of(system.id, weights, "", options.allow_remote_code)
        if commit:
            print(_said("allowed_commit", repository=weights, commit=commit), file=sys.stderr)
    if options.allow_download:
        wanted = needed_by(system, options)
        _bring(wanted, options.allow_pickle, options.allow_remote_code, is_elsewhere=is_elsewhere)


def tell_plan(plan: FetchPlan, file: TextIO) -> None:
    """Say what a fetch would bring: size, licence, and what is left out and why."""
    from engine.models.cache import hub_cache
    from engine.models.listing import PICKLES

    told = {"repository": plan.listing.repository, "commit": plan.listing.commit, "count": len(plan.choice.files)}
    sizes = {"size": plan.size / 1e9, "left": plan.left / 1e9, "free": plan.free / 1e9}
    print(_said("plan", **told, **sizes, folder=plan.folder or hub_cache()), file=file)
    print(_said("plan_licence", licence=plan.licence or _said("no_licence")), file=file)
    harmless = (*plan.model.plain, *plan.model.tensors)
    taken = [f.name for f in plan.choice.files if f.name.lower().endswith(PICKLES) and f.name not in harmless]
    for key, names in (
        ("plan_takes_pickles", taken),
        ("plan_pickles", plan.choice.pickles),
        ("plan_code", plan.choice.code),
    ):
        if names:
            print(_said(key, files=list(names)), file=file)


def _bring(
    wanted: Sequence[ModelDeclaration], allow_pickle: bool, trusted: Sequence[str] = (), *, is_elsewhere: bool
) -> None:
    from engine.models.fetch import fetch, plan_fetch
    from engine.speech.weights import fetch_command

    for model in wanted:
        if is_elsewhere:  # what lies here is of no use there, and the worker there fetches nothing unasked
            command = fetch_command(model.repository, model.revision, allow_pickle=allow_pickle)
            print(_said("elsewhere", command=command), file=sys.stderr)
            continue
        plan = plan_fetch(model, allow_pickle=allow_pickle, trusted=trusted)
        tell_plan(plan, sys.stderr)
        if plan.left and sys.stdin.isatty() and sys.stderr.isatty():
            typer.confirm(_said("ask_fetch"), abort=True, err=True)
        folder = watch(fetch(plan), "fetch")
        print(_said("fetched", model=model.id, folder=folder), file=sys.stderr)


def _said(key: str, **values: Any) -> str:
    return text(f"models.said.{key}", language(), **values)
