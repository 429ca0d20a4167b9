"""The HTML report: one self-contained file, safe against any text in it."""

from __future__ import annotations

import contextlib
import errno
import math
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, Template

from engine import __version__
from engine.benchmarks.titles import subset_title
from engine.clock import utc_text
from engine.errors import EngineError
from engine.report.answers import answers_to_hear
from engine.report.figures import figure_makers, figure_title, figure_under, figure_value, is_measure, reason
from engine.report.look import css_variables
from engine.report.summary import summaries
from engine.scoring.compare import Side, recogniser_floors, sides
from engine.scoring.methods import declared_method
from engine.scoring.overall import CONDITIONS, PARTS, published_rows, robust_points
from engine.scoring.score import Figure, SubsetScore, scores
from engine.scoring.verdicts import METHODS
from engine.shipped import shipped
from engine.store.makers import floors_by_maker
from engine.store.tallies import system_declarations
from engine.store.workspace import Workspace
from engine.strings import entry, text
from engine.text.controls import with_signs

CLIPS = 25  # answers with players, for each system


def write_report(workspace: Workspace, path: Path, language: str = "en", clips: int = CLIPS) -> Path:
    """Write the report to ``path`` (a whole file or none) and return it.

    Text from data is escaped as text, no script is in the file, and its policy forbids every request, so nothing that
    a system said can run or load anything. ``clips`` is how many answers of each system come with players.
    Raises EngineError ``report.cannot_write``.
    """
    if path.is_dir():
        raise EngineError("report.cannot_write", path=str(path), why=os.strerror(errno.EISDIR))
    db = workspace.connect()
    try:
        page = render(db, workspace, language, clips)
    finally:
        db.close()
    unfinished = path.with_name(f".{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(page, encoding="utf-8")
        os.replace(unfinished, path)
    except OSError as error:
        with contextlib.suppress(OSError):  # a folder by that name, or one that is only to be read
            unfinished.unlink(missing_ok=True)
        raise EngineError("report.cannot_write", path=str(path), why=error.strerror or str(error)) from error
    return path


def template(name: str) -> Template:
    """A template of ``resources/report``; every value in it is escaped as text, its controls shown by signs."""
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, loader=FunctionLoader(_source), finalize=_shown
    )
    return environment.get_template(name)


def _shown(value: Any) -> Any:
    return with_signs(value) if type(value) is str else value  # Markup is a template's own


def _source(name: str) -> str:
    return shipped(f"report/{name}").read_text(encoding="utf-8")


def render(db: sqlite3.Connection, workspace: Workspace, language: str, clips: int) -> str:
    """The report as text."""
    found = scores(db)
    floors = recogniser_floors(db)
    declared = system_declarations(db)
    names = list(dict.fromkeys(score.system for score in found))
    own = [side for method in METHODS for side in sides(found, method, floors)]
    return template("report.html.j2").render(
        **frame(language),
        response_count=sum(s.answered for s in found if s.method == "corrected"),
        summaries=summaries(db, language),
        methods=[_method(method, language) for method in METHODS],
        systems=[
            {
                "name": name,
                "note": _note(declared.get(name, {}), language),
                "rows": _rows([s for s in found if s.system == name], language),
                "measures": _measures([s for s in found if s.system == name], language),
                "answers": answers_to_hear(db, workspace, name, language, clips),
            }
            for name in names
        ],
        part_titles=[text(f"scoring.part.{part}", language) for part in PARTS],
        ours=[_side(side, method, language) for method, side in zip(_methods(own, len(names)), own)],
        printed=[_printed(row) for row in published_rows("overall")],
        differences=_differences(own),
        makers=_makers(db, language),
    )


def frame(language: str) -> dict[str, Any]:
    """What every page wants: its words, the colours of both themes, who made it and when."""
    return {
        "language": language,
        "words": Words(language),
        "light_tokens": css_variables("light"),
        "dark_tokens": css_variables("dark"),
        "version": __version__,
        "made_at": utc_text()[:16].replace("T", " ") + " UTC",
    }


class Words:
    """The report's own words; a template asks for them by attribute."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __getattr__(self, name: str) -> str:
        try:
            return entry(f"report.words.{name}", self._language)
        except KeyError:
            raise AttributeError(name) from None


def _method(name: str, language: str) -> dict[str, Any]:
    rules = [{"text": rule.text[language], "is_repair": rule.is_repair} for rule in declared_method(name).rules]
    return {"title": text(f"scoring.method.{name}", language), "rules": rules}


def _note(declaration: Mapping[str, Any], language: str) -> str:
    note = declaration.get("note", "")
    return str(note.get(language, "")) if isinstance(note, dict) else str(note)


def _rows(found: Sequence[SubsetScore], language: str) -> list[dict[str, Any]]:
    """A row for each verdict figure of a subset, the first with the measures that matter most beside it."""
    rows = []
    for subset, both in _by_subset(found).items():
        titles = _titles(both, lambda figure: not is_measure(figure))
        beside = [both["corrected"].figure(name) for name in _main_measures(both["corrected"])]
        for position, name in enumerate(titles):
            is_first = position == 0
            rows.append(
                {
                    "subset": subset_title(subset[1], language) if is_first else "",
                    "answered": _answered(both["corrected"], language) if is_first else "",
                    "title": figure_title(name, language),
                    "cells": [_cell(both[method].figure(name), language) for method in METHODS],
                    "measures": [_cell(figure if is_first else None, language) for figure in beside],
                }
            )
    return rows


def _measures(found: Sequence[SubsetScore], language: str) -> list[dict[str, Any]]:
    """Every measure of every subset under both methods."""
    rows = []
    for subset, both in _by_subset(found).items():
        for position, name in enumerate(_titles(both, is_measure)):
            rows.append(
                {
                    "subset": subset_title(subset[1], language) if position == 0 else "",
                    "title": figure_title(name, language),
                    "cells": [_cell(both[method].figure(name), language) for method in METHODS],
                }
            )
    return rows


def _by_subset(found: Sequence[SubsetScore]) -> dict[tuple[str, str], dict[str, SubsetScore]]:
    places: dict[tuple[str, str], dict[str, SubsetScore]] = {}
    for score in found:
        places.setdefault((score.benchmark, score.subset), {})[score.method] = score
    return places


def _titles(both: Mapping[str, SubsetScore], wanted: Callable[[Figure], bool]) -> list[str]:
    told = (f for method in METHODS for f in both[method].figures if (f.n or f.why) and wanted(f))
    return list(dict.fromkeys(figure.name for figure in told))


def _main_measures(score: SubsetScore) -> tuple[str, str, str]:
    """The error rate of the subset's language, overall DNSMOS, and the real-time factor of the paper's table."""
    rate = "word_error_rate.pooled" if score.figure("word_error_rate.pooled") else "syllable_error_rate.pooled"
    return rate, "dnsmos_ovrl", "rtf.total_generation_over_total_duration"


def _answered(score: SubsetScore, language: str) -> str:
    return text("report.words.answered", language, answered=score.answered, instances=score.instances)


def _cell(figure: Figure | None, language: str) -> dict[str, Any]:
    if figure is None:
        return {"value": "", "under": "", "by": "", "states": [], "why": []}
    return {
        "value": figure_value(figure.value, figure.unit),
        "under": figure_under(figure, language),
        "by": figure_makers(figure, language) if figure.makers else "",
        "states": [
            {"name": state, "count": count, "title": text(f"scoring.state.{state}", language)}
            for state, count in sorted(figure.states.items())
        ],
        "why": [f"{count} × {reason(code, language)}" for code, count in figure.why.items()],
    }


def _methods(own: Sequence[Side], system_count: int) -> list[str]:
    return [method for method in METHODS for _ in range(system_count)]


def _side(side: Side, method: str, language: str) -> dict[str, Any]:
    missing = text("query.word.comma", language).join(
        text(f"scoring.part.{part}", language) for part in side.overall.missing
    )
    return {
        "name": side.system,
        "method": text(f"scoring.method.{method}", language),
        "parts": [_part(side.parts.get(part, math.nan)) for part in PARTS],
        "overall": _part(side.overall.value),
        "missing": text("report.words.missing", language, parts=missing) if missing else "",
    }


def _part(value: float) -> str:
    return "—" if math.isnan(value) else f"{value:.3f}".rstrip("0").rstrip(".")


def _printed(row: Mapping[str, Any]) -> dict[str, Any]:
    robust = next(entry for entry in published_rows("robust") if entry["system"] == row["system"])
    points = robust_points(robust["clean_score"], {name: robust[f"{name}_score"] for name in CONDITIONS})
    columns = (
        "knowledge_accuracy_pct",
        "reasoning_accuracy_pct",
        "creativity_score",
        "fluency_utmos",
        "clarity_per_pct",
        "single_round_score",
        "if_following_rate_pct",
        "ee_eer_pct",
        "safety_refusal_rate_pct",
    )
    return {
        "name": row["system"],
        "parts": [*(_part(row[column]) for column in columns), _part(points)],
        "overall": _part(row["overall"]),
    }


def _differences(own: Sequence[Side]) -> list[str]:
    return list(dict.fromkeys(line for side in own for line in side.differences))


def _makers(db: sqlite3.Connection, language: str) -> list[dict[str, Any]]:
    found = []
    for maker, floors in floors_by_maker(db):
        lines = [
            text(
                "report.words.floor_line",
                language,
                spoken=floor.language,
                metric=figure_title(floor.metric, language),
                rate=f"{100 * floor.rate:.1f}",
                errors=floor.errors,
                length=floor.reference_length,
                clips=floor.clip_count,
            )
            for floor in floors
        ]
        settings = ", ".join(f"{key}={value}" for key, value in maker.settings.items() if key != "transcript_maker")
        told = {"kind": maker.kind, "name": maker.name, "key": maker.key[:12]}
        found.append({**told, "settings": settings, "floors": lines})
    return found
