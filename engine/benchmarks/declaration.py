"""How subsets are declared in resources/benchmarks: one TOML file each, read into a frozen value."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.shipped import shipped

_KINDS: Mapping[str, type] = {
    "id": str, "version": int, "title": dict, "file": str, "language": str, "dimension": str, "audio_folder": str,
    "headline": str, "required": list, "optional": list, "reference": str, "category": str, "judge": list,
    "result": list,
}  # fmt: skip
_MAY_LACK = {"optional", "reference", "category", "judge", "result"}
_CHOICES = {"language": ("zh", "en", "mixed"), "dimension": ("semantic", "chat", "robust")}
_JUDGE_KEYS = ({"id", "subject"}, {"id", "subject"})
_RESULT_KEYS = ({"key"}, {"key", "judge", "metric", "metrics", "true", "false", "reason"})


@dataclass(frozen=True, slots=True)
class JudgeUse:
    """A judge that the subset's answers are shown to, and which form of the answer it sees (``response_text``)."""

    id: str
    subject: str


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A key of the published scripts' result rows: a judge's verdict or score, or one or several measurements.

    For a judge, ``true`` and ``false`` are the verdicts that JSON's true and false stand for (empty: the value is a
    score), ``reason`` the key that explains it. For measurements, ``metrics`` names the value, or each of a list.
    """

    key: str
    judge: str = ""
    metrics: tuple[str, ...] = ()
    true: str = ""
    false: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SubsetDeclaration:
    """What a subset's data look like and what is asked of the answers; ``name`` is its id within the benchmark.

    ``required`` and ``optional`` are the keys of a record. ``reference`` and ``category`` name the key that gives them,
    empty where there is none. ``headline`` is the measure that the subset is known by.
    """

    id: str
    version: int
    title: Mapping[str, str]
    file: str
    language: str
    dimension: str
    audio_folder: str
    headline: str
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    reference: str = ""
    category: str = ""
    judges: tuple[JudgeUse, ...] = ()
    results: tuple[ResultColumn, ...] = ()

    @property
    def benchmark(self) -> str:
        """The benchmark's part of the id."""
        return self.id.partition("/")[0]

    @property
    def name(self) -> str:
        """The subset's part of the id, which is also the stem of its file."""
        return self.id.partition("/")[2]


@cache
def declared_subsets(benchmark: str) -> Mapping[str, SubsetDeclaration]:
    """Every subset that ships for ``benchmark``, by name, in alphabetical order."""
    loaded = (load_subset(path) for path in sorted(shipped(f"benchmarks/{benchmark}").glob("*.toml")))
    return {subset.name: subset for subset in loaded}


def load_subset(path: Path) -> SubsetDeclaration:
    """Read one declaration. Raises EngineError that names the file and the key that is missing, unknown or wrong."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise EngineError("benchmarks.declaration_syntax", file=path, reason=error) from None
    _check_keys(path, "", data, set(_KINDS) - _MAY_LACK, set(_KINDS))
    for key, value in data.items():
        if not isinstance(value, _KINDS[key]) or (key in _CHOICES and value not in _CHOICES[key]):
            raise EngineError("benchmarks.declaration_value", file=path, field=key, value=value)
    if data["id"].partition("/")[2] != path.stem:
        raise EngineError("benchmarks.declaration_value", file=path, field="id", value=data["id"])
    _check_keys(path, "title.", data["title"], {"en", "zh"}, {"en", "zh"})
    tables: dict[str, Any] = {key: tuple(data.pop(key, ())) for key in ("required", "optional")}
    tables["judges"] = tuple(_judge(path, *entry) for entry in enumerate(data.pop("judge", [])))
    tables["results"] = tuple(_result(path, *entry) for entry in enumerate(data.pop("result", [])))
    return SubsetDeclaration(**data, **tables)


def _judge(path: Path, number: int, entry: dict[str, Any]) -> JudgeUse:
    _check_keys(path, f"judge[{number}].", entry, *_JUDGE_KEYS)
    return JudgeUse(**entry)


def _result(path: Path, number: int, entry: dict[str, Any]) -> ResultColumn:
    _check_keys(path, f"result[{number}].", entry, *_RESULT_KEYS)
    single = [entry["metric"]] if "metric" in entry else []
    rest = {key: value for key, value in entry.items() if key not in ("metric", "metrics")}
    return ResultColumn(metrics=tuple(entry.get("metrics", single)), **rest)


def _check_keys(path: Path, inside: str, table: Mapping[str, Any], needed: set[str], known: set[str]) -> None:
    for key in sorted(needed - set(table)):
        raise EngineError("benchmarks.declaration_key_missing", file=path, field=inside + key)
    for key in sorted(set(table) - known):
        raise EngineError("benchmarks.declaration_key_unknown", file=path, field=inside + key)
