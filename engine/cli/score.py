"""``auricle score``: every figure with its interval, n, states and bounds, under both methods."""

from __future__ import annotations

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
    open_or_stop,
    print_json,
    print_table,
    said,
)
from engine.strings import text

if TYPE_CHECKING:
    from engine.scoring.score import Figure, SubsetScore
    from engine.store.workspace import Workspace


def score(
    system: SystemOption = None,
    categories: Annotated[bool, typer.Option("--categories", help="Also by category.")] = False,
    as_json: JsonOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Print the scores of what is stored; nothing is computed anew but the sums."""
    opened = open_or_stop(workspace, exclusive=exclusive)
    print_scores(opened, system, categories=categories, as_json=as_json)


def print_scores(
    opened: Workspace, system: str | None = None, *, categories: bool = False, as_json: bool = False
) -> None:
    """The tables of ``auricle score``."""
    from engine.scoring.compare import conditions_of, sides
    from engine.scoring.score import scores
    from engine.scoring.verdicts import METHODS

    db = opened.connect()
    found = scores(db, system, categories=categories)
    conditions = conditions_of(db)
    db.close()
    overalls = {method: sides(found, method, conditions) for method in METHODS}
    if as_json:
        told = {method: [asdict(side) for side in entries] for method, entries in overalls.items()}
        print_json({"scores": [asdict(entry) for entry in found], "overall": told})
        return
    _print(found)
    for method, entries in overalls.items():
        for side in entries:
            missing = ", ".join(text(f"scoring.part.{part}", language()) for part in side.overall.missing)
            value = said("overall_missing", parts=missing) if missing else f"{side.overall.value:.3f}"
            name = text(f"scoring.method.{method}", language())
            print(said("overall", system=side.system, method=name, value=value))


def _print(found: list[SubsetScore]) -> None:
    from engine.report.figures import figure_title, figure_value, reason

    reasons: dict[str, int] = {}
    for name in dict.fromkeys(score.system for score in found):
        rows = []
        own = [score for score in found if score.system == name]
        for place in dict.fromkeys((s.subset, s.category) for s in own):
            both = {s.method: s for s in own if (s.subset, s.category) == place}
            titles = [f.name for s in both.values() for f in s.figures if f.n or f.why]
            for position, title in enumerate(dict.fromkeys(titles)):
                where = place[0] + (f" / {place[1]}" if place[1] else "") if position == 0 else ""
                cells = [both[method].figure(title) for method in ("published", "corrected")]
                rows.append(
                    (
                        where,
                        figure_title(title, language()),
                        *(cell for f in cells for cell in (figure_value(f.value, f.unit) if f else "", _under(f))),
                    )
                )
                for figure in cells:
                    for code, count in (figure.why if figure else {}).items():
                        reasons[reason(code, language())] = reasons.get(reason(code, language()), 0) + count
        print_table(
            name,
            [column(name) for name in ("subset", "figure", "published", "under", "corrected", "under")],
            rows,
        )
    if reasons:
        print(said("why"))
        for sentence, count in sorted(reasons.items(), key=lambda entry: -entry[1]):
            print(f"  {count} × {sentence}")


def _under(figure: Figure | None) -> str:
    from engine.report.figures import figure_under

    if figure is None:
        return ""
    marks = {"scored": "●", "unparsable": "◇", "failed": "■", "unscored": "◌"}
    states = " ".join(f"{marks[state]}{count}" for state, count in figure.states.items())
    return " · ".join(part for part in (figure_under(figure, language()), states) if part)
