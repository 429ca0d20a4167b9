"""``auricle merge``: takes a pack into the workspace."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from engine.cli.console import FINDINGS, ExclusiveOption, WorkspaceOption, open_derived, said, watch

_SHOWN = 10


def merge(
    file: Annotated[Path, typer.Argument(help="What `auricle pack` wrote: a .zip or a folder.")],
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Bring answers and all that is known of them home; twice does no more than once, and order does not matter."""
    from engine.bring.merge import merge as merged

    opened = open_derived(workspace, create=True, exclusive=exclusive)
    done = watch(merged(opened, file), "merge")
    names = ("response", "audio", "transcript", "measurement", "judgement")
    print(said("merged", **{name: done.added[name] for name in names}, path=opened.folder))
    if people := sum(done.added[name] for name in ("tag", "note", "correction", "maker_choice", "playlist")):
        print(said("merged_people", count=people))
    if done.added["study"] or done.added["rating"] or done.added["remark"]:
        print(said("merged_ratings", **{name: done.added[name] for name in ("study", "rating", "remark")}))
    if done.left_out:
        print(said("merged_left_out", count=done.left_out), file=sys.stderr)
    for conflict in done.conflicts[:_SHOWN]:
        print("  " + said("merged_conflict", table=conflict.table, name=conflict.name), file=sys.stderr)
    if len(done.conflicts) > _SHOWN:
        print("  " + said("and_more", count=len(done.conflicts) - _SHOWN), file=sys.stderr)
    if done.conflicts:
        raise typer.Exit(FINDINGS)
