"""A row of our own export, read back whole: what it is a rating of, in which session, and how it was drawn."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from engine.benchmarks.manifest import number_of
from engine.benchmarks.values import JSON
from engine.clock import utc_text
from engine.store.standings import Value

_SELECTIONS = ("random", "stratified", "active", "manual")


@dataclass(frozen=True, slots=True)
class OwnRow:
    """One rating, or one skip, with all that places it; uids are those of the store that wrote the file.

    Attributes:
        rating: its uid; empty of a skip, whose reason is ``skipped``.
        scale, value: empty and None of a skip.
    """

    where: str
    study: str
    session: str
    rater: str
    rater_name: str
    protocol: str
    version: int
    sha256: str
    language: str
    number: int
    assignment: str
    position: int
    kind: str
    letter: str
    other_letter: str
    benchmark: str
    subset: str
    key: str
    system: str
    other_system: str
    dimension: str
    perceived: str
    blind: bool
    selection: str
    pi: float | None
    stratum: str
    split: str
    stage: str
    repeat_of: str
    presentation: str
    sitting: str
    device: str
    made_at: str
    rating: str
    scale: str
    value: Value | None
    expected: Value | None
    active_s: float | None
    voiced_share: float | None
    is_before_reveal: bool
    note: str
    flagged: bool
    skipped: str


def own_row(where: str, told: Mapping[str, JSON], separator: str) -> OwnRow | None:
    """The row, or None where it is not one of ours, not whole, or does not tell the system."""
    try:
        return _read(where, told, separator)
    except (KeyError, ValueError):
        return None


def value_of(told: JSON, separator: str) -> Value | None:
    """A step of a scale: a whole number as such, a word as it is; None for nothing and for what is no finite number."""
    number = number_of(told, separator)
    if number is None:
        return str(told).strip() or None if isinstance(told, str) else None
    if not math.isfinite(number):
        return None
    return int(number) if number == int(number) else number


def _read(where: str, told: Mapping[str, JSON], separator: str) -> OwnRow:
    cells = _Cells(told, separator)
    skipped = cells.text("skipped")
    return OwnRow(
        where,
        cells.uid("study_uid"),
        cells.uid("session_uid"),
        cells.uid("rater_uid"),
        cells.needed("rater"),
        cells.needed("protocol"),
        cells.whole("protocol_version"),
        cells.needed("protocol_sha256"),
        cells.needed("language"),
        cells.whole("pass_number"),
        cells.uid("assignment_uid"),
        cells.whole("position"),
        cells.one_of("kind", ("rated", "training", "gold", "trap", "repeat")),
        cells.needed("letter"),
        cells.text("other_letter"),
        cells.needed("benchmark"),
        cells.needed("subset"),
        cells.needed("instance_key"),
        cells.needed("system"),
        cells.text("other_system"),
        cells.needed("dimension"),
        cells.one_of("perceived", ("text", "audio", "both")),
        cells.text("blind") != "false",
        cells.one_of("selection", _SELECTIONS),
        cells.number("pi"),
        cells.text("stratum"),
        cells.one_of("split", ("dev", "test")),
        cells.needed("stage"),
        cells.text("repeat_of") and cells.uid("repeat_of"),
        cells.uid("presentation_uid"),
        cells.uid("sitting_uid"),
        cells.text("device"),
        utc_text(datetime.fromisoformat(cells.needed("made_at"))),
        "" if skipped else cells.uid("rating_uid"),
        "" if skipped else cells.needed("scale"),
        None if skipped else value_of(told.get("value"), separator),
        value_of(told.get("expected"), separator),
        cells.number("active_s"),
        cells.number("voiced_share"),
        cells.text("is_before_reveal") != "false",
        str(told.get("note") or ""),
        cells.text("flagged") == "true",
        skipped,
    )


class _Cells:
    """Cells by name; what is asked for and not there raises ValueError."""

    def __init__(self, told: Mapping[str, JSON], separator: str) -> None:
        self._told, self._separator = told, separator

    def text(self, name: str) -> str:
        value = self._told.get(name)
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value).strip() if isinstance(value, str | int | float) else ""

    def needed(self, name: str) -> str:
        if not (found := self.text(name)):
            raise ValueError(name)
        return found

    def one_of(self, name: str, allowed: tuple[str, ...]) -> str:
        if (found := self.text(name)) not in allowed:
            raise ValueError(name)
        return found

    def uid(self, name: str) -> str:
        return str(uuid.UUID(self.needed(name)))

    def number(self, name: str) -> float | None:
        found = number_of(self._told.get(name), self._separator)
        return found if found is not None and math.isfinite(found) else None

    def whole(self, name: str) -> int:
        return int(self.needed(name))
