"""``auricle makers``: whose results there are, and whose count where several did the same."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from typing import Annotated

import typer

from engine.cli.console import (
    ExclusiveOption,
    JsonOption,
    WorkspaceOption,
    column,
    language,
    open_derived,
    print_json,
    print_table,
    said,
    watch,
)
from engine.errors import EngineError
from engine.strings import text


def makers(
    count: Annotated[
        list[int] | None,
        typer.Option(
            "--count",
            metavar="NUMBER",
            help="Let the results of this one, by number, count before all others; repeatable.",
        ),
    ] = None,
    newest: Annotated[
        list[int] | None,
        typer.Option("--newest", metavar="NUMBER", help="Let this one count no more than the newest does; repeatable."),
    ] = None,
    as_json: JsonOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """List recognisers, judges, quality models, and who made what came in; the newest counts if none is chosen."""
    from engine.scoring.counting import let_count
    from engine.store.choices import choosable

    opened = open_derived(workspace, exclusive=exclusive, only_reading=not (count or newest))
    with closing(opened.connect(durable=True)) as db:
        known = {entry.id: entry for entry in choosable(db)}
        for number in [*(count or ()), *(newest or ())]:
            if number not in known:
                raise EngineError("runs.no_such_maker", maker=number)
        for numbers, counts in ((newest or [], False), (count or [], True)):
            if numbers:
                watch(let_count(db, [known[number].key for number in numbers], counts), "rebuild")
        found = choosable(db)
    if as_json:
        print_json([asdict(entry) for entry in found])
        return
    rows = [
        (
            str(entry.id),
            text(f"scoring.maker.{entry.kind}", language()),
            entry.label,
            entry.about,
            f"{entry.results:,}",
            said("chosen") if entry.rank else "",
        )
        for entry in found
    ]
    names = ("number", "kind", "maker", "about", "results", "counts")
    print_table(said("makers_title"), [column(name) for name in names], rows, said("makers_note"), words=4)
