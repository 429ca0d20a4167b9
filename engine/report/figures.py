"""Figures as tables and reports print them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.strings import text

if TYPE_CHECKING:
    from engine.scoring.score import Figure


def figure_title(name: str, language: str) -> str:
    """The name of a figure for people, e.g. ``syllable error rate, pooled``; outside ones by their own names."""
    stem, _, variant = name.partition(".")
    if stem == "outside":
        return variant
    title = text(f"scoring.figure.{stem}", language)
    if not variant:
        return title
    return f"{title}{'，' if language == 'zh' else ', '}{text(f'scoring.figure.{variant}', language)}"


def is_measure(figure: Figure) -> bool:
    """Whether a figure is measured from the audio, and not a share or score of verdicts."""
    return figure.name.startswith(("dnsmos", "rtf", "outside.")) or "error_rate" in figure.name


def figure_value(value: float, unit: str) -> str:
    """A figure with its unit; a dash for no value."""
    if math.isnan(value):
        return "—"
    return _plain(value, unit) + (" %" if unit == "%" else "")


def figure_under(figure: Figure, language: str) -> str:
    """What stands under a figure: interval, n, and bounds where answers are missing."""
    if figure.n == 0:
        parts = []
    elif math.isnan(figure.low):
        parts = [text("report.words.only_n", language, n=figure.n)]
    else:
        low, high = (_plain(value, figure.unit) for value in (figure.low, figure.high))
        parts = [text("report.words.interval", language, low=low, high=high, n=figure.n)]
    if not math.isnan(figure.bound_low) and figure.bound_high - figure.bound_low > 1e-9:
        low, high = (_plain(value, figure.unit) for value in (figure.bound_low, figure.bound_high))
        parts.append(text("report.words.bounds", language, low=low, high=high))
    return " · ".join(parts)


def figure_makers(figure: Figure, language: str) -> str:
    """Who made a figure; several are counted and marked as a mix, and word rules are told by their rule."""
    named = {_maker_name(name, language): count for name, count in figure.makers.items()}
    if len(named) == 1:
        return next(iter(named))
    told = text("query.word.comma", language).join(f"{name} ×{count}" for name, count in named.items())
    return text("report.words.mixed", language, makers=told)


def _maker_name(name: str, language: str) -> str:
    try:
        return text(f"scoring.rule.{name}", language)
    except KeyError:
        return name


def reason(code: str, language: str) -> str:
    """Why a verdict is what it is, for people; a code without a sentence is shown as it is."""
    try:
        return text(f"scoring.why.{code}", language)
    except KeyError:
        return code


def _plain(value: float, unit: str) -> str:
    return f"{value:.{1 if unit == '%' else 2}f}".replace("-", "−")
