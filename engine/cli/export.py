"""``auricle export``: answers of a filter or a playlist as CSV, JSONL, WAV clips or one page with players."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.console import (
    ExclusiveOption,
    ReplaceOption,
    WorkspaceOption,
    column,
    language,
    open_derived,
    print_table,
    said,
    stop_for_problems,
    watch,
)

if TYPE_CHECKING:
    from engine.export.export import Exported
    from engine.query.fields import Method
    from engine.store.workspace import Workspace


def export(
    where: Annotated[str, typer.Option("--where", help='A filter, as on the Audit screen: "per>0.05 tag:loop".')] = "",
    selection: Annotated[
        str | None, typer.Option("--selection", help="A playlist by its name, or a file with one uid a line.")
    ] = None,
    form: Annotated[str, typer.Option("--format", "-f", help="csv, jsonl, clips or html.")] = "csv",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The file, or for clips the folder.")] = None,
    method: Annotated[str, typer.Option("--method", help="Whose rules: published or corrected.")] = "corrected",
    sort: Annotated[str, typer.Option("--sort", help="A field, with - before it for the highest first.")] = "",
    replace: ReplaceOption = False,
    page_language: Annotated[str | None, typer.Option("--language", help="Of a page: zh or en.")] = None,
    playlists: Annotated[bool, typer.Option("--playlists", help="List the playlists and leave.")] = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Take answers out, with their figures, verdicts, makers, tags and notes; the workspace is only read."""
    from engine.export.choice import chosen_by, chosen_from
    from engine.export.export import FORMATS, SUFFIXES
    from engine.export.export import export as written
    from engine.query.ranks import SortKey
    from engine.query.selection import Selection
    from engine.strings import LANGUAGES

    if form not in FORMATS:
        raise typer.BadParameter(", ".join(FORMATS), param_hint="--format")
    if method not in ("published", "corrected"):
        raise typer.BadParameter("published, corrected", param_hint="--method")
    if page_language not in (None, *LANGUAGES):
        raise typer.BadParameter("zh or en", param_hint="--language")
    opened = open_derived(workspace, exclusive=exclusive, only_reading=True)
    if playlists:
        _tell_playlists(opened)
        return
    keys = [SortKey(sort.lstrip("-"), sort.startswith("-"))] if sort else []
    with closing(opened.connect()) as db:
        rules: Method = "published" if method == "published" else "corrected"
        if selection is None:
            chosen = chosen_by(db, Selection(where), rules, keys)
        else:
            chosen = chosen_from(db, selection, where, rules)
    kind = next(known for known in FORMATS if known == form)
    path = out or Path(f"answers{SUFFIXES[kind]}" if SUFFIXES[kind] else "clips")
    _tell(watch(written(opened, chosen, kind, path, language=page_language or language(), replace=replace), "export"))


def _tell(done: Exported) -> None:
    print(said("exported_clips" if done.clips else "exported", count=done.answers, clips=done.clips, path=done.path))
    stop_for_problems(done.problems)


def _tell_playlists(opened: Workspace) -> None:
    from engine.store.playlists import playlists_of

    with closing(opened.connect()) as db:
        rows = [
            [playlist.name, str(playlist.count), playlist.made_at[:16].replace("T", " ")]
            for playlist in playlists_of(db)
        ]
    print_table(said("playlists"), [column("playlist"), column("entries"), column("made_at")], rows)
