"""``auricle measure``: recognise, error rates, speech quality, timing; each computed once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from engine.cli.bring import bring_for_recogniser
from engine.cli.console import (
    FINDINGS,
    EventsOption,
    ExclusiveOption,
    WorkspaceOption,
    language,
    open_derived,
    said,
    watch,
)
from engine.cli.flips import tell_flips
from engine.cli.options import MeasureChoice, ScopeChoice, with_options
from engine.strings import text

if TYPE_CHECKING:
    from engine.runs.measure import Measured


@with_options
def measure(
    measuring: MeasureChoice,
    chosen: ScopeChoice,
    events: EventsOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Measure what is not measured yet; exit status 1 when clips failed."""
    from engine.runs.measure import measure_workspace

    opened = open_derived(workspace, exclusive=exclusive)
    scope, options = chosen.scope(opened, measuring.limit), measuring.options()
    if options.recognise:
        bring_for_recogniser(options.recogniser, is_elsewhere=bool(options.command))
    work = measure_workspace(opened, scope, options, sys.stdout if events else None)
    done = watch(work, "measure", quiet=events)
    tell_measured(done)
    tell_flips(opened)
    if done.failed:
        raise typer.Exit(FINDINGS)


def tell_measured(done: Measured) -> None:
    """Say what a measuring run did, on stderr."""
    print(
        said(
            "measured",
            read=done.read,
            recognised=done.recognised,
            measured=done.measured,
            compared=done.compared,
            failed=done.failed,
        ),
        file=sys.stderr,
    )
    for met in done.troubles.values():
        print(said("judge_trouble", count=met.count, why=met.error.sentence(language())), file=sys.stderr)
        where = [part for part in (met.system, met.place, met.file) if part]
        if where:
            print(said("first_trouble", where=text("query.word.comma", language()).join(where)), file=sys.stderr)
