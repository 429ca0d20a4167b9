"""Rows of ratings made up for tests of results: what a test does not name is the same everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.rating.protocols import load_protocol
from engine.store.rating_rows import RatingRow

_ALIKE: dict[str, Any] = {
    "study_uid": "study", "protocol": "empathy_semantic", "protocol_sha256": "0" * 64,
    "language": "en", "pass_number": 1, "position": 1, "kind": "rated", "letter": "A", "benchmark": "b", "subset": "s",
    "other_system": None, "dimension": "d", "perceived": "both", "blind": True, "selection": "random", "pi": 0.5,
    "stratum": "", "split": "test", "stage": "estimation", "scale": "empathy_semantic", "expected": None,
    "repeat_of": None, "active_s": 6.0, "clip_s": 4.0, "voiced_share": 1.0, "is_before_reveal": True,
    "device": "device", "sitting_uid": "sitting", "made_at": "2026-12-01T09:00:00.000Z",
}  # fmt: skip


def rating(rater: str, item: int, value: Any, system: str = "a", **told: Any) -> RatingRow:
    """One rating of the answer of ``system`` to the question ``item``."""
    kind = told.get("kind", "rated")
    other = told.get("other_system") or ""
    place = f"{told.get('protocol', '')}-{rater}-{item}-{system}-{other}-{kind}"
    return RatingRow(
        **{
            **_ALIKE,
            "protocol_version": load_protocol(told.get("protocol", _ALIKE["protocol"]), "en").version,
            "rater": rater.title(), "rater_uid": rater, "session_uid": f"session-{rater}", "instance_id": item,
            "instance_key": f"key-{item}", "system": system, "response_id": item, "value": value,
            "response_uid": f"{system}-{item}", "assignment_uid": place, "presentation_uid": f"shown-{place}",
            "rating_uid": f"{place}-{told.get('scale', '')}",
            **told,
        }
    )  # fmt: skip


def table(values: np.ndarray, system: str = "a", **told: Any) -> list[RatingRow]:
    """Ratings from a table of the shape (raters, items), NaN for none."""
    return [
        rating(f"r{rater}", item, int(values[rater, item]), system, **told)
        for rater in range(values.shape[0])
        for item in range(values.shape[1])
        if np.isfinite(values[rater, item])
    ]


def drawn(raters: int, items: int, *, mean: float = 3.3, seed: int = 1) -> np.ndarray:
    """Ratings 1 to 5 of raters who largely agree, shape (raters, items)."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(mean, 1, (1, items))
    return np.clip(np.rint(truth + rng.normal(0, 0.6, (raters, items))), 1, 5)
