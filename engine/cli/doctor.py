"""``auricle doctor``: what this computer has, what it lacks, and how to get it; exit status 1 where something lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.console import FINDINGS, JsonOption, WorkspaceOption, language, print_json, watch
from engine.strings import text

if TYPE_CHECKING:
    from engine.machine.findings import Finding


def doctor(
    system: Annotated[
        list[str] | None,
        typer.Option("--system", metavar="NAME", help="Only this system, and what it lacks counts; repeatable."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Each package, weight and system, with what it lacks.")
    ] = False,
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
        for group, ones in groupby(found, key=lambda finding: finding.group):
            is_long = everything or (group == "systems" and bool(system))
            for line in (_whole if is_long else _short)(group, tuple(ones)):
                print(line)
        print("\n" + _said("clean" if not counted else "findings", count=counted))
    if counted:
        raise typer.Exit(FINDINGS)


def _short(group: str, found: Sequence[Finding]) -> Iterator[str]:
    """One line of what is there, and indented under it what is not and how to get it."""
    head, lacking = _group(group) + _said("colon"), [finding for finding in found if finding.state != "ready"]
    if group == "systems":
        yield f"{_mark(found)} {head}{_ready_systems(found)}"
        if lacking:
            yield f"    {_said('systems_lack', count=len(lacking))}"
        return
    if len(found) == 1 and lacking:
        yield f"{_mark(found)} {head}{lacking[0].sentence[language()]}"
        yield from _helps(lacking[0], "    ")
        return
    yield f"{_mark(found)} {head}{_here([finding for finding in found if finding.state == 'ready'])}"
    for finding in lacking:
        yield from _told(finding, "    ")


def _whole(group: str, found: Sequence[Finding]) -> Iterator[str]:
    yield _group(group)
    for finding in found:
        yield from _told(finding, "  ")


def _told(finding: Finding, indent: str) -> Iterator[str]:
    name = f"{finding.id}  " if finding.kind else ""
    said = _join((finding.sentence[language()], *_verified(finding)))
    yield f"{indent}{_mark([finding])} {name}{finding.title[language()]}{_said('colon')}{said}"
    yield from _helps(finding, indent + "    ")


def _helps(finding: Finding, indent: str) -> Iterator[str]:
    for line in filter(None, finding.help.get(language(), "").splitlines()):
        yield f"{indent}{line}"


def _here(ready: Sequence[Finding]) -> str:
    """What is there in a few words: the versions of packages are for ``--all``."""
    if not ready:
        return _said("nothing")
    if ready[0].group == "packages":
        return _said("packages", names=[finding.title[language()] for finding in ready])
    return _join([finding.sentence[language()] for finding in ready])


def _ready_systems(found: Sequence[Finding]) -> str:
    ready = [finding for finding in found if finding.state == "ready"]
    addresses = [finding for finding in ready if finding.kind == "endpoint"]
    local = [finding.id for finding in ready if finding.kind != "endpoint"]
    told = _said("systems_ready", count=len(local), all=len(found), names=local or _said("none"))
    return _join((told, *((_said("systems_addresses", count=len(addresses)),) if addresses else ())))


def _mark(found: Sequence[Finding]) -> str:
    """A tick where all that is needed is there, a cross line where something else lacks, ``!`` where it counts."""
    if any(finding.counts for finding in found):
        return "!"
    is_ready = (found[0].group == "systems" and len(found) > 1) or any(finding.state == "ready" for finding in found)
    return "✓" if is_ready else "–"


def _join(sentences: Sequence[str]) -> str:
    return ("" if language() == "zh" else " ").join(sentences)


def _group(group: str) -> str:
    return text(f"doctor.group.{group}", language())


def _verified(finding: Finding) -> tuple[str, ...]:
    if finding.verified is None:
        return ()
    if isinstance(finding.verified, dict):
        return (_said("verified", **finding.verified),)
    return (_said("never_run"),)


def _said(key: str, **values: object) -> str:
    return text(f"doctor.said.{key}", language(), **values)
