"""What a stored protocol says of its own ratings: the scale it is about, and when an answer passes.

A declaration may come from elsewhere with a merge: what cannot be read says nothing, it breaks nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard


@dataclass(frozen=True, slots=True)
class DeclaredRule:
    """``main`` is the first scale. An answer passes whose value on ``scale`` is ``at_least`` that, or one of ``among``.

    Attributes:
        scale: None where nothing is decided.
        is_before_reveal: what was rated once the transcript was shown does not count.
    """

    main: str | None
    scale: str | None
    at_least: float | None
    among: tuple[Any, ...]
    is_before_reveal: bool

    def passes(self, values: Mapping[str, Any]) -> bool | None:
        """Whether an answer with these values (by scale) passes; None where nothing is decided."""
        value = None if self.scale is None else values.get(self.scale)
        if value is None:
            return None
        if self.at_least is not None:
            return _is_number(value) and bool(value >= self.at_least)
        return value in self.among

    def number(self, values: Mapping[str, Any]) -> float | None:
        """The value of the main scale, where its steps are numbers."""
        value = None if self.main is None else values.get(self.main)
        return float(value) if _is_number(value) else None


def declared_rule(declaration: str) -> DeclaredRule:
    """The rule of a protocol's stored declaration."""
    told = _mapping(json.loads(declaration))
    scales = told.get("scales")
    first = _mapping(scales[0]) if isinstance(scales, list) and scales else {}
    rule = _mapping(told.get("passes_when"))
    scale, at_least, among = rule.get("scale"), rule.get("at_least"), rule.get("among")
    return DeclaredRule(
        main=_text(first.get("id")),
        scale=_text(scale),
        at_least=at_least if _is_number(at_least) else None,
        among=tuple(among) if isinstance(among, list) else (),
        is_before_reveal=told.get("reveals") == "after_commit",
    )


def _mapping(told: Any) -> Mapping[str, Any]:
    return told if isinstance(told, dict) else {}


def _text(told: Any) -> str | None:
    return told if isinstance(told, str) else None


def _is_number(told: Any) -> TypeGuard[int | float]:
    return isinstance(told, int | float) and not isinstance(told, bool)
