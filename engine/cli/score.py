"""``auricle score``: every figure with its interval, n, states and bounds, under both methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.console import (
    ExclusiveOption,
    JsonOption,
    SystemOption,
    WorkspaceOption,
    column,
    language,
    open_derived,
    print_json,
    print_table,
    said,
)
from engine.strings import listed, text

if TYPE_CHECKING:
    from engine.scoring.compare import Side
    from engine.scoring.score import Figure, SubsetScore
    from engine.scoring.verdicts import Method
    from engine.store.workspace import Workspace

MARKS = {"scored": "●", "unparsable": "◇", "failed": "■", "unscored": "◌"}


def score(
    system: SystemOption = None,
    categories: Annotated[bool, typer.Option("--categories", help="Also by category.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Every figure, a line each.")] = False,
    as_json: JsonOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Print the scores of what is stored; nothing is computed anew but the sums."""
    from engine.runs.scope import chosen_scope

    opened = open_derived(workspace, exclusive=exclusive, only_reading=True)
    chosen_scope(opened, (system,) if system else (), None, ())
    print_scores(opened, system, categories=categories, every=every, as_json=as_json)


def print_scores(
    opened: Workspace,
    system: str | None = None,
    *,
    categories: bool = False,
    every: bool = False,
    as_json: bool = False,
) -> None:
    """The tables of ``auricle score``."""
    from engine.scoring.compare import sides
    from engine.scoring.score import scores
    from engine.scoring.verdicts import METHODS

    with closing(opened.connect()) as db:
        found = scores(db, system, categories=categories)
    overalls = {method: sides(found, method) for method in METHODS}
    if as_json:
        told = {method: [asdict(side) for side in entries] for method, entries in overalls.items()}
        print_json({"scores": [asdict(entry) for entry in found], "overall": told})
        return
    for name in dict.fromkeys(entry.system for entry in found):
        _print_system(name, [entry for entry in found if entry.system == name], every)
    _print_reasons(found)
    _print_overalls(overalls)


def _print_overalls(overalls: Mapping[Method, Sequence[Side]]) -> None:
    """The overall scores; whoever has the same one, or lacks the same parts, is named in one line."""
    by_value: dict[str, dict[str, list[str]]] = {}
    for method, entries in overalls.items():
        name = text(f"scoring.method.{method}", language())
        for side in entries:
            missing = [text(f"scoring.part.{part}", language()) for part in side.overall.missing]
            value = said("overall_missing", parts=missing) if missing else f"{side.overall.value:.3f}"
            by_value.setdefault(value, {}).setdefault(side.system, []).append(name)
    for value, systems in by_value.items():
        named = [f"{system} ({listed(methods, language())})" for system, methods in systems.items()]
        print(said("overall", systems=named, value=value))


def _print_system(name: str, own: Sequence[SubsetScore], every: bool) -> None:
    from engine.benchmarks.titles import subset_title
    from engine.report.figures import figure_title, is_measure

    rows = []
    for place in dict.fromkeys((s.subset, s.category) for s in own):
        both = {s.method: s for s in own if (s.subset, s.category) == place}
        told = [f for s in both.values() for f in s.figures if (f.n or f.why) and (every or not is_measure(f))]
        subset, category = place
        where = " / ".join(part for part in (subset_title(subset, language()), category) if part)
        for position, title in enumerate(dict.fromkeys(f.name for f in told)):
            figures = [both[method].figure(title) for method in ("published", "corrected")]
            rows.append(
                (
                    where if position == 0 else "",
                    figure_title(title, language()),
                    *(_cell(figure) for figure in figures),
                    *(_measures(both["corrected"]) if position == 0 and not every else ("",) * (0 if every else 2)),
                )
            )
    headings = ["subset", "figure", "published", "corrected", *([] if every else ["error_rate", "quality"])]
    print_table(name, [column(heading) for heading in headings], rows, words=2)


def _measures(score: SubsetScore) -> tuple[str, str]:
    """The pooled error rate that decides in the subset's language, and DNSMOS."""
    from engine.report.figures import figure_value

    rates = [score.figure(f"{unit}_error_rate.pooled") for unit in ("word", "syllable")]
    rate = next((figure for figure in rates if figure is not None), None)
    quality = score.figure("dnsmos_ovrl")
    return (
        f"{figure_value(rate.value, '%')} n {rate.n}" if rate else "—",
        f"{figure_value(quality.value, quality.unit)} n {quality.n}" if quality and quality.n else "—",
    )


def _cell(figure: Figure | None) -> str:
    from engine.report.figures import figure_makers, figure_under, figure_value, is_measure

    if figure is None:
        return ""
    states = " ".join(f"{MARKS[state]}{count}" for state, count in sorted(figure.states.items()))
    under = " · ".join(part for part in (figure_under(figure, language()), states) if part)
    by = f" · {figure_makers(figure, language())}" if figure.makers and not is_measure(figure) else ""
    return f"{figure_value(figure.value, figure.unit)}  {under}{by}"


def _print_reasons(found: Sequence[SubsetScore]) -> None:
    from engine.report.figures import reason

    reasons: Counter[str] = Counter()
    for entry in found:
        if entry.category is None and entry.method == "corrected":
            most: Counter[str] = Counter()
            for figure in entry.figures:
                most |= Counter(figure.why)  # the same answer lacks several figures for one reason
            reasons.update({reason(code, language()): count for code, count in most.items()})
    states = "  ".join(f"{mark} {text(f'scoring.state.{state}', language())}" for state, mark in MARKS.items())
    print(states)
    if reasons:
        print(said("why"))
        for sentence, count in reasons.most_common():
            print(f"  {count} × {sentence}")
