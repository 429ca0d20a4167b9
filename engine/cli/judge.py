"""``auricle judge``: by matching words, and by a language model where one is set up."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

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
from engine.cli.options import JudgeChoice, ScopeChoice, with_options
from engine.strings import sentence_of_code, text

if TYPE_CHECKING:
    from engine.runs.judge import Judged


@with_options
def judge(
    judging: JudgeChoice,
    chosen: ScopeChoice,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would take; ask nobody.")] = False,
    reread: Annotated[
        bool, typer.Option("--reread", help="Read the stored replies again by today's rules; ask nobody.")
    ] = False,
    events: EventsOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Judge what is not judged yet. Without an endpoint, what needs none is judged and the rest says so."""
    from engine.runs.judge import estimate_judging, judge_workspace
    from engine.runs.reread import reread_replies

    opened = open_derived(workspace, exclusive=exclusive)
    options = judging.options()
    if reread:
        for line in watch(reread_replies(opened, sys.stdout if events else None), "reread", quiet=events):
            print(line)
        tell_flips(opened)
        return
    scope = chosen.scope(opened)
    if dry_run:
        found = estimate_judging(opened, scope, options)
        cost = said("estimate_cost", cost=found.cost, currency=found.currency) if found.cost is not None else ""
        print(said("estimate", calls=found.calls, tokens_in=found.tokens_in, tokens_out=found.tokens_out, cost=cost))
        return
    done = watch(judge_workspace(opened, scope, options, sys.stdout if events else None), "judge", quiet=events)
    tell_judged(done)
    tell_flips(opened)
    if found_bad(done):
        raise typer.Exit(FINDINGS)


def found_bad(done: Judged) -> bool:
    """Whether some answers have no verdict though a judge was asked."""
    return any(done.states.get(state) for state in ("failed", "unparsable", "unscored"))


def tell_judged(done: Judged) -> None:
    """Say what a judging run did, on stderr."""
    print(said("matched", count=done.matched), file=sys.stderr)
    if done.states:
        states = text("query.word.comma", language()).join(
            f"{count} {text(f'scoring.state.{state}', language())}" for state, count in done.states.items() if count
        )
        print(said("judged", states=states or "0"), file=sys.stderr)
    for why, count in done.troubles.items():
        print(said("judge_trouble", count=count, why=sentence_of_code(why, language())), file=sys.stderr)
    if done.waiting:
        print(said("waiting", count=done.waiting), file=sys.stderr)
