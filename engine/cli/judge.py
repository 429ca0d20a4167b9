"""``auricle judge``: by matching words, and by a language model where one is set up."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.console import (
    FINDINGS,
    BenchmarkOption,
    EventsOption,
    ExclusiveOption,
    SubsetOption,
    SystemOption,
    WorkspaceOption,
    derived,
    language,
    open_or_stop,
    said,
    underscored,
    watch,
)
from engine.errors import EngineError
from engine.strings import entry, text

if TYPE_CHECKING:
    from engine.runs.judge import Judged


def judge(
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="An OpenAI-compatible endpoint; else $AURICLE_JUDGE_BASE_URL.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="Its model; else $AURICLE_JUDGE_MODEL.")] = None,
    key_env: Annotated[str, typer.Option("--key-env", help="Environment variable that holds the key.")] = "",
    concurrency: Annotated[int, typer.Option("--concurrency", help="Calls at once, to start with.", min=1)] = 32,
    time_limit: Annotated[float, typer.Option("--time-limit", help="Seconds for one call.", min=1)] = 120,
    rubric_language: Annotated[
        str | None, typer.Option("--rubric-language", help="zh or en; else the instance's own.")
    ] = None,
    only: Annotated[list[str] | None, typer.Option("--judge", help="Only this judge; may be repeated.")] = None,
    repeats: Annotated[int, typer.Option("--repeats", help="Ask about each answer so many times.", min=1)] = 1,
    budget: Annotated[float | None, typer.Option("--budget", help="The most to spend; needs both prices.")] = None,
    max_calls: Annotated[int | None, typer.Option("--max-calls", help="The most calls to make.")] = None,
    price_in: Annotated[float | None, typer.Option("--price-in", help="Price of a million tokens in.")] = None,
    price_out: Annotated[float | None, typer.Option("--price-out", help="Price of a million tokens out.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would take; ask nobody.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Ask again where the reply could not be read.")] = False,
    reread: Annotated[
        bool, typer.Option("--reread", help="Read the stored replies again by today's rules; ask nobody.")
    ] = False,
    system: SystemOption = None,
    benchmark: BenchmarkOption = None,
    subset: SubsetOption = None,
    events: EventsOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Judge what is not judged yet. Without an endpoint, what needs none is judged and the rest says so."""
    from engine.judges.budget import Budget, Price
    from engine.judges.endpoint import Endpoint
    from engine.runs.judge import estimate_judging, judge_workspace
    from engine.runs.judge_plan import JudgeOptions
    from engine.runs.reread import reread_replies
    from engine.runs.scope import chosen_scope

    opened = derived(open_or_stop(workspace, exclusive=exclusive))
    _check_names(rubric_language, only)
    if reread:
        for line in watch(reread_replies(opened, sys.stdout if events else None), "reread", quiet=events):
            print(line)
        return
    scope = chosen_scope(opened, system, underscored(benchmark), tuple(underscored(s) or s for s in subset or ()))
    base_url = base_url or os.environ.get("AURICLE_JUDGE_BASE_URL")
    model = model or os.environ.get("AURICLE_JUDGE_MODEL")
    if (base_url is None) != (model is None):
        raise typer.BadParameter("--base-url and --model go together")
    endpoint = None
    if base_url is not None and model is not None:
        endpoint = Endpoint(base_url, model, key_env, concurrency=concurrency, time_limit_s=time_limit)
    price = Price(price_in, price_out) if price_in is not None and price_out is not None else None
    options = JudgeOptions(
        endpoint,
        again=again,
        language=rubric_language,
        repeats=tuple(range(repeats)),
        budget=Budget(money=budget, calls=max_calls),
        price=price,
        judges=tuple(only or ()),
    )
    if dry_run:
        found = estimate_judging(opened, scope, options)
        cost = said("estimate_cost", cost=found.cost, currency=found.currency) if found.cost is not None else ""
        print(said("estimate", calls=found.calls, tokens_in=found.tokens_in, tokens_out=found.tokens_out, cost=cost))
        return
    done = watch(judge_workspace(opened, scope, options, sys.stdout if events else None), "judge", quiet=events)
    tell_judged(done)
    if done.states.get("failed") or done.states.get("unparsable") or done.states.get("unscored"):
        raise typer.Exit(FINDINGS)


def _check_names(rubric_language: str | None, judges: list[str] | None) -> None:
    from engine.judges.declaration import load_judges
    from engine.strings import LANGUAGES

    if rubric_language not in (None, *LANGUAGES):
        raise typer.BadParameter("zh, en", param_hint="--rubric-language")
    for name in judges or ():
        if name not in load_judges():
            raise EngineError("runs.no_such_judge", judge=name, known=", ".join(load_judges()))


class _Gaps(dict[str, str]):
    """Values of a sentence that stands for many items: what differs between them is left open."""

    def __missing__(self, key: str) -> str:
        return "…"


def _why(code: str) -> str:
    """The sentence of a failure's code in the user's language; the code itself where it has none."""
    name = code.rpartition(".")[2]
    for table in ("failure", "error"):
        try:
            return entry(f"judges.{table}.{name}", language()).format_map(_Gaps())
        except KeyError:
            continue
    return code


def tell_judged(done: Judged) -> None:
    """Say what a judging run did, on stderr."""
    print(said("matched", count=done.matched), file=sys.stderr)
    if done.states:
        states = ", ".join(
            f"{count} {text(f'scoring.state.{state}', language())}" for state, count in done.states.items() if count
        )
        print(said("judged", states=states or "0"), file=sys.stderr)
    for why, count in done.troubles.items():
        print(said("judge_trouble", count=count, why=_why(why)), file=sys.stderr)
    if done.waiting:
        print(said("waiting", count=done.waiting), file=sys.stderr)
