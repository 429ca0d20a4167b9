"""Reads the annotations of Label Studio projects that were not made here: ratings of answers by their Qid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.benchmarks.manifest import number_of, plain_name
from engine.benchmarks.values import Problem
from engine.rating.exchange.annotations import annotator_names, listed, tasks_of
from engine.rating.exchange.reading import OutsideRating, OutsideRatings
from engine.store.standings import Value

_VALUES = ("choices", "rating", "number")  # kinds of results that are one value; others are passed over


def read_foreign_annotations(path: Path) -> OutsideRatings:
    """One rating for each single choice, rating or number of each annotation; a text area is a note.

    A task's data name the answer: ``Qid`` or ``key``, and where known ``subset``, ``system`` and ``benchmark``.

    Raises EngineError ``exchange.not_label_studio`` and ``exchange.no_such_file``.
    """
    ratings: list[OutsideRating] = []
    problems: list[Problem] = []
    for number, task in enumerate(tasks_of(path)):
        data = {plain_name(str(name)): value for name, value in task["data"].items()}
        where, key = f"record {number}", str(data.get("key") or "").strip()
        annotations = [one for one in listed(task.get("annotations")) if isinstance(one, dict)]
        if annotations and not key:
            problems.append(Problem(path, where, "exchange.empty", {"field": "Qid"}))
            continue
        for one in annotations:
            if one.get("was_cancelled"):
                problems.append(Problem(path, where, "exchange.cancelled", {}, kept=True))
                continue
            ratings += _ratings(where, key, data, one)
    return OutsideRatings(tuple(ratings), tuple(problems))


def _ratings(where: str, key: str, data: Mapping[str, Any], one: Mapping[str, Any]) -> Iterator[OutsideRating]:
    results = [entry for entry in listed(one.get("result")) if isinstance(entry, dict)]
    notes = [
        str(line)
        for entry in results
        if entry.get("type") == "textarea" and isinstance(entry.get("value"), dict)
        for line in listed(entry["value"].get("text"))
    ]
    for entry in results:
        value = _value(entry.get("value"))
        if value is None or not isinstance(entry.get("from_name"), str):
            continue
        yield OutsideRating(
            where,
            annotator_names(one.get("completed_by"))[0],
            str(data.get("subset") or "").rpartition("/")[2] or key.rpartition("-")[0],
            key,
            entry["from_name"],
            value,
            note="\n".join(notes),
            system=str(data.get("system") or ""),
            benchmark=str(data.get("benchmark") or ""),
        )


def _value(told: Any) -> Value | None:
    found = [told[kind] for kind in _VALUES if isinstance(told, dict) and kind in told]
    given = listed(found[0]) if found else []
    if len(given) != 1:
        return None
    number = number_of(given[0])
    if number is None:
        return str(given[0]).strip() or None if isinstance(given[0], str) else None
    return int(number) if number == int(number) else number
