"""The interferences as declared in resources/interferences/*.toml; an error names file and key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from engine.errors import EngineError
from engine.shipped import shipped

#: What each setting may be, where it is one of some words.
WORDS: Mapping[str, tuple[str, ...]] = {
    "snr_over": ("speech", "file"),
    "tail": ("keep", "cut"),
    "filter": ("lowpass", "highpass"),
    "fill": ("zeros", "delete"),
    "threshold_of": ("peak", "full_scale"),
    "level": ("none", "speech", "peak"),
}


@dataclass(frozen=True, slots=True)
class Level:
    """How strong: its name in the published list, and the number."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Interference:
    """One kind of interference; ``settings`` are what the papers leave open, ``headline`` the level they report."""

    id: str
    version: int
    title: Mapping[str, str]
    unit: str
    headline: str
    settings: Mapping[str, Any]
    levels: tuple[Level, ...]


@cache
def load_interferences() -> Mapping[str, Interference]:
    """The shipped interferences by id; raises ValueError naming the file for one that is declared wrongly."""
    return {path.stem: _read(path) for path in sorted(shipped("interferences").glob("*.toml"))}


def chosen(
    kinds: Sequence[str] = (), levels: Sequence[str] = (), settings: Sequence[str] = (), headline: bool = False
) -> list[Interference]:
    """The interferences that were asked for, each with the levels wanted.

    Args:
        kinds: their ids; () takes all.
        levels: names of levels; () takes all, or with ``headline`` those that the paper reports.
        settings: changes, each ``kind.name=value``.

    Raises EngineError ``degrade.unknown_kind``, ``degrade.unknown_level`` and ``degrade.bad_setting``.
    """
    known = load_interferences()
    for kind in kinds:
        if kind not in known:
            raise EngineError("degrade.unknown_kind", kind=kind, known=list(known))
    picked = [known[kind] for kind in dict.fromkeys(kinds)] or list(known.values())
    names = {level.name for entry in picked for level in entry.levels}
    for name in levels:
        if name not in names:
            raise EngineError("degrade.unknown_level", level=name, known=sorted(names))
    for change in settings:
        picked = _changed(picked, change)
    wanted = [
        replace(entry, levels=tuple(level for level in entry.levels if _is_wanted(entry, level, levels, headline)))
        for entry in picked
    ]
    return [entry for entry in wanted if entry.levels]


def _is_wanted(entry: Interference, level: Level, levels: Sequence[str], headline: bool) -> bool:
    if levels:
        return level.name in levels
    return not headline or level.name == entry.headline


def _changed(picked: Sequence[Interference], change: str) -> list[Interference]:
    place, _, written = change.partition("=")
    kind, _, name = place.strip().partition(".")
    known = {entry.id: entry for entry in picked}
    if kind not in known or name not in known[kind].settings:
        raise EngineError("degrade.bad_setting", setting=change, known=list(_settings_of(picked)))
    value = _value(written.strip(), known[kind].settings[name])
    if value is None or (isinstance(value, str) and value not in WORDS[name]):
        raise EngineError("degrade.bad_setting", setting=change, known=list(WORDS.get(name, ("1", "0.5"))))
    known[kind] = replace(known[kind], settings={**known[kind].settings, name: value})
    return list(known.values())


def _settings_of(picked: Sequence[Interference]) -> list[str]:
    return [f"{entry.id}.{name}" for entry in picked for name in entry.settings]


def _value(written: str, like: object) -> Any:
    if isinstance(like, bool):
        return {"true": True, "false": False}.get(written)
    if isinstance(like, str):
        return written
    try:
        number = int(written) if isinstance(like, int) else float(written)
    except ValueError:
        return None
    return number if isinstance(like, float) or number > 0 else None


def _read(path: Any) -> Interference:
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        levels = tuple(Level(entry["name"], float(entry["value"])) for entry in told.pop("level"))
        found = Interference(levels=levels, **told)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error
    if found.id != path.stem or found.headline not in {level.name for level in levels}:
        raise ValueError(f"{path}: id or headline")
    return found
