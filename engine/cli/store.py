"""``auricle store``: back up, rebuild and tidy a workspace."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from engine.cli.console import ExclusiveOption, WorkspaceOption, open_or_stop, said, watch

app = typer.Typer(help="Back up, rebuild or tidy a workspace.", no_args_is_help=True)


@app.command()
def backup(
    to: Annotated[Path | None, typer.Argument(help="Folder to write into; else backup/ in the workspace.")] = None,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Write a consistent copy of the database, while it may be in use."""
    from engine.store.backup import back_up

    opened = open_or_stop(workspace, exclusive=exclusive)
    with closing(opened.connect()) as db:
        print(back_up(db, to or opened.folder / "backup"))


@app.command()
def rebuild(workspace: WorkspaceOption = None, exclusive: ExclusiveOption = False) -> None:
    """Derive every wide row and the search index anew from what is stored."""
    from engine.scoring.derive import rebuild as rebuild_rows
    from engine.store.standings import settle_all

    with closing(open_or_stop(workspace, exclusive=exclusive).connect()) as db:
        settle_all(db)
        print(said("rebuilt", count=watch(rebuild_rows(db), "rebuild")))


@app.command()
def gc(
    remove: Annotated[bool, typer.Option("--remove", help="Delete them; without it they are only counted.")] = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Find audio files that nothing refers to."""
    from engine.store.audio import collect_garbage

    opened = open_or_stop(workspace, exclusive=exclusive)
    with closing(opened.connect()) as db:
        files, byte_count = collect_garbage(db, opened, remove=remove)
    print(said("garbage_removed" if remove else "garbage", files=files, megabytes=byte_count / 1e6))
