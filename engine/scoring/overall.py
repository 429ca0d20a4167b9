"""The paper's overall score, formed from its parts; what is missing is named, never guessed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.shipped import shipped

PARTS = (
    "knowledge",
    "reasoning",
    "creativity",
    "fluency",
    "clarity",
    "single_round",
    "instruction_following",
    "empathy",
    "safety",
    "robust",
)
CONDITIONS = ("white_noise", "background_noise", "reverberation", "far_field", "packet_loss", "clipping_distortion")


@dataclass(frozen=True, slots=True)
class Overall:
    """``value`` is NaN while any of ``missing`` is not measured; ``known`` is the sum of the points there are."""

    value: float
    known: float
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A printed overall score beside the one that its own row gives; ``difference`` is recomputed - printed."""

    system: str
    printed: float
    recomputed: float
    difference: float


def overall(parts: Mapping[str, float]) -> Overall:
    """Combine ``parts``: percentages, 1-5 scores, UTMOS, PER in percent, and the robust part in points (0..15).

    Formula: equations (6) and (7) of the paper as its Table 2 follows them (reasoning counts a tenth). Multi-round,
    code switching and latency are not in it.
    """
    points = {name: _points(name, parts[name]) for name in PARTS if name in parts and not math.isnan(parts[name])}
    missing = tuple(name for name in PARTS if name not in points)
    known = math.fsum(points.values())
    return Overall(math.nan if missing else known, known, missing)


def robust_points(clean: float, scores: Mapping[str, float]) -> float:
    """The robust part, 0..15: 2.5 for each of the six conditions times its score over the clean one, at most 1.

    NaN where a condition is missing or the clean score is not above 0.
    """
    if not clean > 0 or any(name not in scores for name in CONDITIONS):
        return math.nan
    return math.fsum(2.5 * min(1.0, scores[name] / clean) for name in CONDITIONS)


def recomputed_overalls() -> list[Recomputed]:
    """Every printed overall score of the paper beside the one recomputed from its printed parts, in Table 2's order."""
    robust = {row["system"]: row for row in published_rows("robust")}
    found = []
    for row in published_rows("overall"):
        value = overall(_printed_parts(row, robust[row["system"]])).value
        found.append(Recomputed(row["system"], row["overall"], value, value - row["overall"]))
    return found


def published_rows(table: str) -> list[dict[str, Any]]:
    """The rows of one printed table of the paper, by the names of ``resources/published/vocalbench_zh.json``."""
    rows: list[dict[str, Any]] = published()[table]["rows"]
    return rows


@cache
def published() -> dict[str, Any]:
    """All printed figures of VocalBench-zh that ship, and what they were made with."""
    tables: dict[str, Any] = json.loads(shipped("published/vocalbench_zh.json").read_text(encoding="utf-8"))
    return tables


def _points(name: str, value: float) -> float:
    if name in ("creativity", "single_round"):
        return 2 * value
    if name in ("fluency", "robust"):
        return value
    if name == "clarity":
        return max(0.0, 10.0 - math.floor(value / 2))
    return value / 10


def _printed_parts(row: Mapping[str, Any], robust: Mapping[str, Any]) -> dict[str, float]:
    return {
        "knowledge": row["knowledge_accuracy_pct"],
        "reasoning": row["reasoning_accuracy_pct"],
        "creativity": row["creativity_score"],
        "fluency": row["fluency_utmos"],
        "clarity": row["clarity_per_pct"],
        "single_round": row["single_round_score"],
        "instruction_following": row["if_following_rate_pct"],
        "empathy": row["ee_eer_pct"],
        "safety": row["safety_refusal_rate_pct"],
        "robust": robust_points(robust["clean_score"], {name: robust[f"{name}_score"] for name in CONDITIONS}),
    }
