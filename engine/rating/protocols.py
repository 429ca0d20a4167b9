"""Protocols as declared in resources/protocols/*.toml, loaded in one language; an error names file and key."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, cast

from engine.declared import NUMBER, read_toml
from engine.errors import EngineError
from engine.rating.declared import Table
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
        raise EngineError("rating.unknown_protocol", protocol=name, known=list(protocol_ids()))
    if language not in LANGUAGES:
        raise EngineError("rating.unknown_language", language=language, known=list(LANGUAGES))
    return read_protocol(shipped(f"protocols/{name}.toml"), language)


def read_protocol(path: Path, language: str) -> Protocol:
    """The protocol declared in ``path``, in ``language``; both languages are read, so that neither may be incomplete.

    Raises EngineError ``rating.key_missing``, ``key_unknown``, ``key_value`` or ``declaration_unreadable``.
    """
    values = read_toml(path, "rating")
    read = {spoken: _protocol(Table(path, values, spoken)) for spoken in LANGUAGES}
    if read[language].id != path.stem:
        raise Table(path, values, language).wrong("id", read[language].id, path.stem)
    return read[language]


def _protocol(table: Table) -> Protocol:
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


def _scale(table: Table, before: tuple[Scale, ...]) -> Scale:
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


def _step(table: Table) -> Step:
    value = table.take("value", (int, str))
    key = table.take("key", str)
    if not (len(key) == 1 and key in "0123456789"):
        raise table.wrong("key", key, "0 .. 9")
    step = Step(value, table.wording("label"), table.wording("anchor"), key)
    table.no_more()
    return step


def _condition(table: Table, before: tuple[Scale, ...]) -> tuple[str, tuple[Value, ...]]:
    scale = _known_scale(table, before)
    return scale.id, _known_values(table, "values", scale)


def _rule(table: Table, scales: list[Scale]) -> PassRule:
    scale, note = _known_scale(table, tuple(scales)), table.wording("note")
    if table.has("at_least"):
        at_least = table.take("at_least", int)
        if at_least not in scale.values:
            raise table.wrong("at_least", at_least, " | ".join(map(str, scale.values)))
        return PassRule(scale.id, note, at_least=at_least)
    return PassRule(scale.id, note, among=_known_values(table, "among", scale))


def _screening(table: Table, scales: tuple[Scale, ...]) -> Screening:
    found: dict[str, Any] = {"scale": _known_scale(table, scales).id, "gold_within": table.take("gold_within", int)}
    found |= {name: table.share(name) for name in _SHARES if table.has(name)}
    for name in ("variance_at_least", "repeat_difference_at_most"):
        if table.has(name):
            found[name] = float(table.take(name, NUMBER))
    found |= {name: table.take(name, int) for name in _FEWEST if table.has(name)}
    return Screening(**found)


def _training(table: Table) -> Training:
    return Training(table.take("items", int), table.take("gives_feedback", bool), table.take("again_after_min", int))


def _checks(table: Table) -> Checks:
    gold, trap, repeat = (table.share(name) for name in ("gold_share", "trap_share", "repeat_share"))
    return Checks(gold, trap, repeat, table.take("repeat_distance", int))


def _planning(table: Table) -> Planning:
    of_mean = table.has("sd")
    if of_mean == table.has("share"):
        raise table.wrong("sd", None, "sd | share")
    return Planning(
        answer_s=float(table.take("answer_s", NUMBER)),
        sd=float(table.take("sd", NUMBER)) if of_mean else None,
        share=None if of_mean else table.share("share"),
        correlation=table.share("correlation"),
        meant_for=_subsets(table) if table.has("meant_for") else (),
    )


def _subsets(table: Table) -> tuple[str, ...]:
    names = table.take("meant_for", list)
    if not names or not all(isinstance(name, str) and name.count("/") == 1 for name in names):
        raise table.wrong("meant_for", names, '["benchmark/subset"]')
    return tuple(names)


def _known_scale(table: Table, scales: tuple[Scale, ...]) -> Scale:
    name = table.one_of("scale", tuple(scale.id for scale in scales))
    return next(scale for scale in scales if scale.id == name)


def _known_values(table: Table, key: str, scale: Scale) -> tuple[Value, ...]:
    values = tuple(table.take(key, list))
    if not values or not set(values) <= set(scale.values):
        raise table.wrong(key, list(values), " | ".join(map(str, scale.values)))
    return values
