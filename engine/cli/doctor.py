"""``auricle doctor``: what this computer has, what it lacks, and how to get it; exit status 1 where something lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.console import FINDINGS, JsonOption, WorkspaceOption, language, print_json, watch
from engine.strings import text

if TYPE_CHECKING:
    from engine.machine.doctor import Finding


def doctor(
    system: Annotated[
        list[str] | None, typer.Option("--system", help="Only this system, and what it lacks counts; repeatable.")
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check this computer. Exit status 1 where something lacks; a system counts when --system names it."""
    from engine.machine.doctor import examine
    from engine.store.workspace import default_folder

    found = watch(examine(workspace or default_folder(), tuple(system or ())), "doctor", quiet=True)
    counted = sum(finding.counts for finding in found)
    if as_json:
        print_json({"clean": not counted, "findings": counted, "checks": [f.told(language()) for f in found]})
    else:
        _print(found)
        print(_said("clean" if not counted else "findings", count=counted))
    if counted:
        raise typer.Exit(FINDINGS)


def _print(found: tuple[Finding, ...]) -> None:
    group = ""
    for finding in found:
        if finding.group != group:
            group = finding.group
            print(f"{text(f'doctor.group.{group}', language())}")
        mark = "✓" if finding.state == "ready" else "!" if finding.counts else "–"
        name = f"{finding.id}  " if group in ("systems", "weights") else ""
        print(f"  {mark} {name}{finding.title[language()]}: {finding.sentence[language()]}{_verified(finding)}")
        for line in filter(None, finding.help.get(language(), "").splitlines()):
            print(f"      {line}")
    print()


def _verified(finding: Finding) -> str:
    if finding.verified is None:
        return ""
    if isinstance(finding.verified, dict):
        return " " + _said("verified", **finding.verified)
    return " " + _said("never_run")


def _said(key: str, **values: object) -> str:
    return text(f"doctor.said.{key}", language(), **values)
