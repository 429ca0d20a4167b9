"""``auricle flips``: what came out otherwise in a run, or would if another maker's results counted."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

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
from engine.cli.options import ScopeChoice, with_options
from engine.errors import EngineError
from engine.strings import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.scoring.flips import Flip, FlipGroup, Side
    from engine.store.workspace import Workspace


@with_options
def flips(
    chosen: ScopeChoice,
    run: Annotated[int | None, typer.Option("--run", help="What flipped in this run; else in the last one.")] = None,
    before: Annotated[
        int | None, typer.Option("--before", help="A maker by its number in `auricle makers`, and …")
    ] = None,
    after: Annotated[int | None, typer.Option("--after", help="… the one whose results would count instead.")] = None,
    as_json: JsonOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """List what flipped: verdicts, states, scores and error rates at the cut, per answer and method."""
    opened = open_derived(workspace, exclusive=exclusive, only_reading=True)
    if (before is None) != (after is None):
        raise typer.BadParameter("--before and --after go together")
    if before is not None and after is not None:
        found = _between(opened, chosen, before, after)
    else:
        found = _of_run(opened, run)
    _print(opened, found, as_json)


def tell_flips(opened: Workspace) -> None:
    """Say on stderr what the run that has just ended flipped, where it met earlier results."""
    from engine.runs.before import flips_of_run
    from engine.scoring.flips import grouped
    from engine.store.runs import runs_of

    with closing(opened.connect()) as db:
        last = next(iter(runs_of(db, limit=1)), None)
    found = None if last is None else flips_of_run(opened, last.id)
    if last is None or found is None:
        return
    answers = len({flip.response_id for flip in found})
    print(said("flipped" if answers else "not_flipped", count=answers, run=last.id), file=sys.stderr)
    for group in grouped(found):
        print(f"  {len(group.response_ids)} × {group_said(group, language())}", file=sys.stderr)


def group_said(group: FlipGroup, spoken: str) -> str:
    """A kind of flip in a few words: ``corrected, speech: right -> wrong``."""
    method = text(f"scoring.method.{group.method}", spoken)
    return f"{method}, {text(f'scoring.flips.{group.subject}', spoken)}: {change_said(group, spoken)}"


def change_said(group: FlipGroup, spoken: str) -> str:
    """What became what."""
    if group.kind == "score":
        fallen = len(group.response_ids) - group.risen
        return text("scoring.flips.scores", spoken, risen=group.risen, fallen=fallen)
    return f"{side_said(group.before, spoken)} → {side_said(group.after, spoken)}"


def side_said(side: str, spoken: str) -> str:
    """A verdict, a state, or a side of the cut, as people call it."""
    for room in ("verdict", "state", "flips"):
        try:
            return text(f"scoring.{room}.{side}", spoken)
        except KeyError:
            continue
    return side


def _of_run(opened: Workspace, run: int | None) -> list[Flip]:
    from engine.runs.before import flips_of_run
    from engine.store.runs import run_of, runs_of

    with closing(opened.connect()) as db:
        numbers = [run_of(db, run).id] if run is not None else [row.id for row in runs_of(db)]
    for number in numbers:
        found = flips_of_run(opened, number)
        if found is not None:
            return found
    if run is None:
        return []
    raise EngineError("runs.no_flips", run=run)


def _between(opened: Workspace, chosen: ScopeChoice, before: int, after: int) -> list[Flip]:
    from engine.runs.scope import looked_up
    from engine.scoring.counting import flips_of_makers
    from engine.store.choices import alike, answers_of_both

    with closing(opened.connect()) as db:
        was, now = alike(db, before, after)
        scope = looked_up(db, chosen.scope(opened), opened.runs)
        return watch(flips_of_makers(db, was, now, answers_of_both(db, was, now, scope)), "flips")


def _print(opened: Workspace, found: Sequence[Flip], as_json: bool) -> None:
    from engine.runs.before import pairs_of
    from engine.scoring.flips import grouped
    from engine.store.makers import maker_labels
    from engine.store.plans import places_of

    with closing(opened.connect()) as db:
        labels, pairs = maker_labels(db), pairs_of(db, found)
        places = places_of(db, {flip.response_id for flip in found})
    if as_json:
        print_json({"flips": [asdict(flip) for flip in found], "pairs": [asdict(pair) for pair in pairs]})
        return
    rows = [
        (
            str(flip.response_id),
            places.get(flip.response_id, ""),
            text(f"scoring.method.{flip.method}", language()),
            text(f"scoring.flips.{flip.subject}", language()),
            _side(flip.before),
            _side(flip.after),
            " → ".join(labels.get(side.maker_id or 0, "—") for side in (flip.before, flip.after)),
        )
        for flip in sorted(found, key=lambda flip: flip.response_id)
    ]
    names = ("response", "instance", "method", "subject", "before", "after", "makers")
    print_table(said("flips_title", count=len(found)), [column(name) for name in names], rows, words=len(names))
    for group in grouped(found):
        print(f"{len(group.response_ids)} × {group_said(group, language())}")


def _side(side: Side) -> str:
    told = side_said(side.said, language())
    return told if side.value is None else f"{told} ({side.value:.3g})"
