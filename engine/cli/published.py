"""``auricle published``: the papers' printed figures and what they give when recomputed."""

from __future__ import annotations

import typer

from engine.cli.console import JsonOption, column, language, number, print_json, print_table

app = typer.Typer(help="The papers' own figures, and what they give when recomputed.", no_args_is_help=True)


@app.callback()
def _published() -> None:
    pass


@app.command()
def overall(as_json: JsonOption = False) -> None:
    """The overall scores of VocalBench-zh, printed and recomputed from the printed parts."""
    from dataclasses import asdict

    from engine.scoring.overall import recomputed_overalls
    from engine.strings import text

    rows = recomputed_overalls()
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    print_table(
        "VocalBench-zh, Table 2",
        [column(name) for name in ("system", "printed", "recomputed", "difference")],
        [(r.system, number(r.printed, 3), number(r.recomputed, 3), number(r.difference, 4)) for r in rows],
        text("cli.note.difference", language()),
    )
