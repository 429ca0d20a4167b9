"""Protocols as declared in resources/protocols/*.toml, loaded in one language; an error names file and key."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from engine.errors import EngineError
from engine.rating.values import (
    Checks,
    PassRule,
    Planning,
    Protocol,
    Scale,
    Screening,
    Step,
    Training,
    Value,
)
from engine.shipped import shipped
from engine.strings import LANGUAGES

__all__ = ["Protocol", "Scale", "Screening", "Step", "load_protocol", "protocol_ids", "read_protocol"]

_T = TypeVar("_T")
_NUMBER = (int, float)
_SHARES = ("gold_share_at_least", "trap_share_at_least", "repeat_share_at_least")
_FEWEST = ("fewest_gold", "fewest_traps", "fewest_repeats", "fewest_rated")


@cache
def protocol_ids() -> tuple[str, ...]:
    """The shipped protocols, in alphabetical order."""
    return tuple(sorted(path.stem for path in shipped("protocols").glob("*.toml")))


@cache
def load_protocol(name: str, language: str) -> Protocol:
    """The shipped protocol of that id as it is put to a rater in ``language``.

    Raises EngineError ``rating.unknown_protocol`` naming those there are, or ``rating.unknown_language``.
    """
    if name not in protocol_ids():
        raise EngineError("rating.unknown_protocol", protocol=name, known=", ".join(protocol_ids()))
    if language not in LANGUAGES:
        raise EngineError("rating.unknown_language", language=language, known=", ".join(LANGUAGES))
    return read_protocol(shipped(f"protocols/{name}.toml"), language)


def read_protocol(path: Path, language: str) -> Protocol:
    """The protocol declared in ``path``, in ``language``; both languages are read, so that neither may be incomplete.

    Raises EngineError ``rating.key_missing``, ``key_unknown``, ``key_value`` or ``declaration_unreadable``.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise EngineError("rating.declaration_unreadable", file=str(path), what=str(error)) from error
    read = {spoken: _protocol(_Table(path, "", values, spoken)) for spoken in LANGUAGES}
    if read[language].id != path.stem:
        raise _Table(path, "", values, language).wrong("id", read[language].id, path.stem)
    return read[language]


def _protocol(table: _Table) -> Protocol:
    scales: list[Scale] = []
    for entry in table.tables("scale"):
        scales.append(_scale(entry, tuple(scales)))
    compares = table.take("compares", bool)
    if not scales or (any(scale.kind == "signed" for scale in scales) and not compares):
        raise table.wrong("scale", [scale.kind for scale in scales], "[[scale]]")
    protocol = Protocol(
        id=table.take("id", str),
        version=table.take("version", int),
        language=table.language,
        title=table.wording("title"),
        instruction=table.wording("instruction"),
        warning=table.wording("warning") if table.has("warning") else "",
        perceived=cast(Any, table.one_of("perceived", ("text", "audio", "both"))),
        question=cast(Any, table.one_of("question", ("audio", "both", "text", "none"))),
        dimension=table.take("dimension", str),
        scales=tuple(scales),
        compares=compares,
        reveals=cast(Any, table.one_of("reveals", ("never", "after_commit", "from_the_start"))),
        shows_reference=table.take("shows_reference", bool),
        is_speed_locked=table.take("is_speed_locked", bool),
        heard_at_least=table.share("heard_at_least"),
        gain=cast(Any, table.one_of("gain", ("per_system", "per_clip", "none"))),
        may_trim=table.take("may_trim", bool),
        break_after_min=table.take("break_after_min", int),
        training=table.part("training", _training),
        checks=table.part("checks", _checks),
        screening=table.part("screening", lambda part: _screening(part, tuple(scales))),
        planning=table.part("planning", _planning),
        passes_when=table.part("passes_when", lambda part: _rule(part, scales)) if table.has("passes_when") else None,
    )
    table.no_more()
    return protocol


def _scale(table: _Table, before: tuple[Scale, ...]) -> Scale:
    kind = table.one_of("kind", ("steps", "choice", "signed"))
    steps = tuple(map(_step, table.tables("step")))
    numbers = [step.value for step in steps if isinstance(step.value, int)]
    if len(steps) < 2 or len(numbers) != (0 if kind == "choice" else len(steps)):
        raise table.wrong("step", [step.value for step in steps], "[[scale.step]] x 2+")
    if len({step.value for step in steps}) < len(steps) or len({step.key for step in steps}) < len(steps):
        raise table.wrong("step", [(step.value, step.key) for step in steps], "value, key: 1 x")
    if kind == "signed" and sorted(numbers) != sorted(-number for number in numbers):
        raise table.wrong("step", numbers, "[-3 .. 3]")
    scale = Scale(
        id=table.take("id", str),
        question=table.wording("question"),
        kind=cast(Any, kind),
        steps=steps,
        is_required=table.take("is_required", bool) if table.has("is_required") else True,
        shown_when=table.part("shown_when", lambda part: _condition(part, before)) if table.has("shown_when") else None,
    )
    if scale.id in {other.id for other in before}:
        raise table.wrong("id", scale.id, "1 x")
    table.no_more()
    return scale


def _step(table: _Table) -> Step:
    value = table.take("value", (int, str))
    key = table.take("key", str)
    if not (len(key) == 1 and key in "0123456789"):
        raise table.wrong("key", key, "0 .. 9")
    step = Step(value, table.wording("label"), table.wording("anchor"), key)
    table.no_more()
    return step


def _condition(table: _Table, before: tuple[Scale, ...]) -> tuple[str, tuple[Value, ...]]:
    scale = _known_scale(table, before)
    return scale.id, _known_values(table, "values", scale)


def _rule(table: _Table, scales: list[Scale]) -> PassRule:
    scale, note = _known_scale(table, tuple(scales)), table.wording("note")
    if table.has("at_least"):
        at_least = table.take("at_least", int)
        if at_least not in scale.values:
            raise table.wrong("at_least", at_least, " | ".join(map(str, scale.values)))
        return PassRule(scale.id, note, at_least=at_least)
    return PassRule(scale.id, note, among=_known_values(table, "among", scale))


def _screening(table: _Table, scales: tuple[Scale, ...]) -> Screening:
    found: dict[str, Any] = {"scale": _known_scale(table, scales).id, "gold_within": table.take("gold_within", int)}
    found |= {name: table.share(name) for name in _SHARES if table.has(name)}
    for name in ("variance_at_least", "repeat_difference_at_most"):
        if table.has(name):
            found[name] = float(table.take(name, _NUMBER))
    found |= {name: table.take(name, int) for name in _FEWEST if table.has(name)}
    return Screening(**found)


def _training(table: _Table) -> Training:
    return Training(table.take("items", int), table.take("gives_feedback", bool), table.take("again_after_min", int))


def _checks(table: _Table) -> Checks:
    gold, trap, repeat = (table.share(name) for name in ("gold_share", "trap_share", "repeat_share"))
    return Checks(gold, trap, repeat, table.take("repeat_distance", int))


def _planning(table: _Table) -> Planning:
    of_mean = table.has("sd")
    if of_mean == table.has("share"):
        raise table.wrong("sd", None, "sd | share")
    return Planning(
        answer_s=float(table.take("answer_s", _NUMBER)),
        sd=float(table.take("sd", _NUMBER)) if of_mean else None,
        share=None if of_mean else table.share("share"),
        correlation=table.share("correlation"),
    )


def _known_scale(table: _Table, scales: tuple[Scale, ...]) -> Scale:
    name = table.one_of("scale", tuple(scale.id for scale in scales))
    return next(scale for scale in scales if scale.id == name)


def _known_values(table: _Table, key: str, scale: Scale) -> tuple[Value, ...]:
    values = tuple(table.take(key, list))
    if not values or not set(values) <= set(scale.values):
        raise table.wrong(key, list(values), " | ".join(map(str, scale.values)))
    return values


class _Table:
    """One TOML table being read in one language: hands out each key once; what is wrong is told by file and key."""

    def __init__(self, path: Path, name: str, values: dict[str, Any], language: str) -> None:
        self._path, self._name, self._values, self.language = path, name, dict(values), language

    def has(self, key: str) -> bool:
        return key in self._values

    def take(self, key: str, kind: Any) -> Any:
        if key not in self._values:
            raise EngineError("rating.key_missing", file=str(self._path), entry=f"{self._name}{key}")
        value = self._values.pop(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(key, value, getattr(kind, "__name__", "number"))
        return value

    def share(self, key: str) -> float:
        value = float(self.take(key, _NUMBER))
        if not 0 <= value <= 1:
            raise self.wrong(key, value, "0 .. 1")
        return value

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self.take(key, str)
        if value not in allowed:
            raise self.wrong(key, value, " | ".join(allowed))
        return str(value)

    def wording(self, key: str) -> str:
        """The text under ``key`` in the language that is read."""
        words = self._below(key, self.take(key, dict))
        found = str(words.take(self.language, str)).strip()
        if not found:
            raise words.wrong(self.language, found, "...")
        for other in LANGUAGES:
            words._values.pop(other, None)
        words.no_more()
        return found

    def part(self, key: str, read: Callable[[_Table], _T]) -> _T:
        """What ``read`` makes of the table under ``key``, all of whose keys it must take."""
        inner = self._below(key, self.take(key, dict))
        found = read(inner)
        inner.no_more()
        return found

    def tables(self, key: str) -> list[_Table]:
        return [self._below(f"{key}[{i}]", entry) for i, entry in enumerate(self.take(key, list))]

    def no_more(self) -> None:
        for key in self._values:
            raise EngineError("rating.key_unknown", file=str(self._path), entry=f"{self._name}{key}")

    def wrong(self, key: str, value: object, expected: str) -> EngineError:
        return EngineError(
            "rating.key_value", file=str(self._path), entry=f"{self._name}{key}", value=repr(value), expected=expected
        )

    def _below(self, key: str, values: dict[str, Any]) -> _Table:
        return _Table(self._path, f"{self._name}{key}.", values, self.language)
