"""What can be said of each system in one line, from what is stored: a row of the table that a report opens with."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.scoring.verdicts import ERROR_RATE_CUT
from engine.statistics.figures import Figure
from engine.statistics.shares import wilson
from engine.store.tallies import summary_rows
from engine.strings import text

_CUT_SHORT = {"silent", "no_samples", "no_usable_sample", "truncated", "truncated_stream"}
_SILENT_SHARE = 0.95


def summaries(db: sqlite3.Connection, language: str) -> list[dict[str, Any]]:
    """A row for each system, its shares with interval and n; what no figure can be given of is told as missing."""
    by_system: dict[str, list[sqlite3.Row]] = {}
    for row in summary_rows(db):
        by_system.setdefault(row["system"], []).append(row)
    return [_summary(system, rows, language) for system, rows in by_system.items()]


def median_with_interval(values: Sequence[float]) -> Figure:
    """The median with the interval between two order statistics (95 % or more); NaN of none, no interval under 6.

    >>> figure = median_with_interval([0.5, 0.1, 0.4, 0.2, 0.3, 0.6])
    >>> round(figure.value, 2), figure.low, figure.high
    (0.35, 0.1, 0.6)
    """
    from scipy.special import bdtr

    if not values:
        return Figure(float("nan"))
    count, ordered = len(values), np.sort(values)
    inside = int(np.sum(bdtr(np.arange(count), count, 0.5) <= 0.025))
    if not inside:
        return Figure(float(np.median(ordered)), n=count)
    return Figure(float(np.median(ordered)), float(ordered[inside - 1]), float(ordered[count - inside]), count)


def _summary(system: str, rows: Sequence[sqlite3.Row], language: str) -> dict[str, Any]:
    answered = [row for row in rows if row["response_state"] == "answered"]
    with_audio = [row for row in answered if row["duration_s"] is not None]
    heard = [row for row in with_audio if row["transcript_id"] is not None]
    rates = [row["rate"] for row in heard if row["rate"] is not None]
    judged = [row for row in rows if row["corrected_verdict"] in ("right", "wrong")]
    missing = {
        "unanswered": len(rows) - len(answered),
        "unheard": len(with_audio) - len(heard),
        "unjudged": sum(row["corrected_state"] != "scored" for row in rows),
    }
    told = [text(f"report.words.{name}", language, count=count) for name, count in missing.items() if count]
    over = sum(rate >= ERROR_RATE_CUT for rate in rates)
    return {
        "system": system,
        "cells": [
            {"value": f"{len(answered)} / {len(rows)}", "under": ""},
            {"value": f"{len(heard)} / {len(with_audio)}", "under": ""},
            _percent(median_with_interval(rates), language),
            _share(over, len(rates), language),
            _share(sum(map(_is_silent_or_cut, with_audio)), len(with_audio), language),
            _share(sum(row["corrected_verdict"] == "right" for row in judged), len(judged), language),
        ],
        "missing": text("query.word.comma", language).join(told) or "—",
    }


def _is_silent_or_cut(row: sqlite3.Row) -> bool:
    is_silent = (row["silent_share"] or 0.0) >= _SILENT_SHARE
    return is_silent or "truncation" in row["mismatch"].split() or not _CUT_SHORT.isdisjoint(row["faults"].split())


def _share(count: int, of: int, language: str) -> dict[str, str]:
    share = wilson(count, of)
    return _percent(Figure(share.value, share.low, share.high, of), language)


def _percent(figure: Figure, language: str) -> dict[str, str]:
    if not figure.n:
        return {"value": "—", "under": ""}
    under = {"low": f"{100 * figure.low:.1f}", "high": f"{100 * figure.high:.1f}", "n": figure.n}
    key = "only_n" if np.isnan(figure.low) else "interval"
    return {"value": f"{100 * figure.value:.1f} %", "under": text(f"report.words.{key}", language, **under)}
