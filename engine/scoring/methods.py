"""The two methods as declared in resources/methods: their rules, and the repairs made to the published one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine.shipped import shipped
from engine.strings import LANGUAGES


@dataclass(frozen=True, slots=True)
class MethodRule:
    """One rule in a sentence, by language; ``is_repair`` marks what the original scripts do otherwise."""

    id: str
    text: Mapping[str, str]
    is_repair: bool


@dataclass(frozen=True, slots=True)
class DeclaredMethod:
    """A method; ``version`` is raised whenever a past result would no longer compare."""

    id: str
    version: int
    rules: Sequence[MethodRule]


@cache
def declared_method(name: str) -> DeclaredMethod:
    """The shipped method of that name. Raises KeyError for a file that lacks a key, which a test would find."""
    table = tomllib.loads(shipped(f"methods/{name}.toml").read_text(encoding="utf-8"))
    rules = [_rule(entry, False) for entry in table["rule"]] + [_rule(entry, True) for entry in table.get("repair", [])]
    return DeclaredMethod(table["id"], table["version"], tuple(rules))


def _rule(entry: Mapping[str, str], is_repair: bool) -> MethodRule:
    return MethodRule(entry["id"], {language: entry[language] for language in LANGUAGES}, is_repair)
