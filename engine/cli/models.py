"""``auricle models``: weights that are known, here or to be had; fetched, removed, and whose code may run."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli.console import JsonOption, language, print_json, print_table
from engine.strings import text

if TYPE_CHECKING:
    from engine.models.declaration import ModelDeclaration

app = typer.Typer(help="List, fetch and remove weights; allow a repository's code to run.", no_args_is_help=True)
ModelArgument = Annotated[str, typer.Argument(help="A model's id, or a repository of the hub: owner/name.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """All weights that are declared or that a system names, and whether they are here."""
    from engine.models.cache import hub_cache
    from engine.models.declaration import load_models

    models = load_models().values()
    if as_json:
        print_json([_as_json(model) for model in models])
        return
    rows = [(m.id, text(f"models.role.{m.role}", language()), _size(m), m.licence, _here(m)) for m in models]
    heads = [text(f"models.column.{name}", language()) for name in ("model", "role", "size", "licence", "here")]
    print_table(_said("title", count=len(rows)), heads, rows, _said("note", cache=hub_cache()), words=5)


@app.command()
def show(model: ModelArgument, as_json: JsonOption = False) -> None:
    """What is declared of one model; the hub is not asked."""
    from engine.models.consent import consents
    from engine.models.declaration import declared_model

    found = declared_model(model)
    if as_json:
        print_json(_as_json(found))
        return
    told = {
        "role": text(f"models.role.{found.role}", language()),
        "repository": found.repository,
        "revision": (found.revision or _said("newest")) if found.repository else "",
        "packages": " ".join(found.packages),
        "licence": found.licence,
        "size_key": _size(found),
        "here_key": _here(found),
        "systems": ", ".join(found.systems),
    }
    print(found.id)
    for name, value in told.items():
        if value:
            print(f"  {_said(name)}: {value}")
    if found.note:
        print(f"  {found.note[language()]}")
    if found.pickle:
        print(f"  {_said('pickles_only')}")
    if found.remote_code:
        commits = [one.revision for one in consents() if one.repository == found.repository]
        print(f"  {_said('remote_code', commits=', '.join(commits) or _said('nobody'))}")


@app.command()
def fetch(
    model: ModelArgument,
    revision: Annotated[str, typer.Option("--revision", help="Commit, tag or branch; else the declared one.")] = "",
    to: Annotated[Path | None, typer.Option("--to", help="Into this folder instead of the hub's cache.")] = None,
    allow_pickle: Annotated[
        bool, typer.Option("--allow-pickle", help="Fetch pickles too: they can run any code when they are loaded.")
    ] = False,
    without_code: Annotated[
        bool, typer.Option("--without-code", help="Leave out program code that was not allowed.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be fetched.")] = False,
    yes: YesOption = False,
) -> None:
    """Fetch weights: size and licence first, then what is missing; cut off, the same command goes on from there."""
    from engine.cli.bring import tell_plan
    from engine.cli.console import watch
    from engine.models.declaration import declared_model
    from engine.models.fetch import fetch as fetch_planned
    from engine.models.fetch import plan_fetch

    plan = plan_fetch(declared_model(model, revision), to, allow_pickle=allow_pickle, without_code=without_code)
    tell_plan(plan, sys.stdout)
    if dry_run:
        return
    if plan.left and not yes:
        typer.confirm(_said("ask_fetch"), abort=True)
    folder = watch(fetch_planned(plan), "fetch")
    print(_said("fetched" if plan.left else "nothing_to_fetch", model=plan.model.id, folder=folder))


@app.command()
def remove(model: ModelArgument, yes: YesOption = False) -> None:
    """Take a model's weights out of the hub's cache, all its revisions."""
    from engine.errors import EngineError
    from engine.models.cache import kept_of
    from engine.models.cache import remove as remove_kept
    from engine.models.declaration import declared_model

    found = declared_model(model)
    if not found.repository:
        print(_said("in_packages_remove", model=found.id, packages=" ".join(found.packages)))
        return
    kept = kept_of(found.repository)
    if not kept.folder.is_dir():
        raise EngineError("models.not_here", repository=found.repository, folder=str(kept.folder.parent))
    size = (kept.size + kept.unfinished) / 1e9
    if not yes:
        typer.confirm(_said("ask_remove", repository=found.repository, size=size, folder=kept.folder), abort=True)
    print(_said("removed", size=remove_kept(found.repository) / 1e9))


@app.command("trust")
def trust_code(
    repository: Annotated[str, typer.Argument(help="owner/name")],
    revision: Annotated[str, typer.Argument(help="The commit, 40 digits; may be left out with --withdraw.")] = "",
    take_back: Annotated[bool, typer.Option("--withdraw", help="Take the consent back.")] = False,
    yes: YesOption = False,
) -> None:
    """Allow the program code of one repository at one commit to run when its weights are loaded."""
    from engine.models.consent import COMMIT, trust, withdraw

    if take_back:
        print(_said("withdrawn", count=withdraw(repository, revision)))
        return
    if not yes and COMMIT.fullmatch(revision):
        typer.confirm(_said("ask_trust", repository=repository, revision=revision), abort=True)
    trust(repository, revision)
    print(_said("trusted", repository=repository, revision=revision))


def _as_json(model: ModelDeclaration) -> dict[str, Any]:
    from engine.models.cache import kept_of
    from engine.models.consent import consents

    told = asdict(model)
    if model.repository:
        kept = kept_of(model.repository)
        trusted = [one.revision for one in consents() if one.repository == model.repository]
        told |= {"here": bool(kept.commits), "commits": kept.commits, "bytes": kept.size}
        told |= {"unfinished_bytes": kept.unfinished, "trusted_code": trusted}
    else:
        told["here"] = not _lacking(model)
    return told


def _size(model: ModelDeclaration) -> str:
    if model.size_gb is None:
        return _said("unknown")
    return _said("size" if model.size_source == "stated" else "size_estimated", size=model.size_gb)


def _here(model: ModelDeclaration) -> str:
    from engine.models.cache import kept_of

    if not model.repository:
        return _said("packages_lack" if _lacking(model) else "in_packages")
    kept = kept_of(model.repository)
    if kept.unfinished:
        return _said("unfinished", size=kept.unfinished / 1e9)
    return _said("here", size=kept.size / 1e9) if kept.commits else _said("not_here")


def _lacking(model: ModelDeclaration) -> list[str]:
    from importlib.util import find_spec

    return [name for name in model.packages if find_spec(name.replace("-", "_")) is None]


def _said(key: str, **values: Any) -> str:
    return text(f"models.said.{key}", language(), **values)
