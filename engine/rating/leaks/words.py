"""The leak check in sentences: which cue tells systems apart, how well, and what helps; never which system it is."""

from __future__ import annotations

from collections.abc import Callable

from engine.rating.leaks.values import FEWEST_ITEMS, Cue, LeakReport
from engine.strings import text

_CLEARER = 0.1  # one system is spoken of where it is told that much better than all together

_FIGURES: dict[str, tuple[str, Callable[[float], str]]] = {
    "leading_silence": ("ms", lambda value: f"{1000 * value:.0f}"),
    "trailing_silence": ("ms", lambda value: f"{1000 * value:.0f}"),
    "level": ("lufs", lambda value: f"{value:.1f}".replace("-", "−")),
    "noise_floor": ("dbfs", lambda value: f"{value:.0f}".replace("-", "−")),
    "bandwidth": ("khz", lambda value: f"{value / 1000:.1f}"),
    "length": ("s", lambda value: f"{value:.1f}"),
    "speaking_rate": ("per_s", lambda value: f"{value:.1f}"),
    "written_length": ("characters", lambda value: f"{value:.0f}"),
}


def sentences_of(report: LeakReport, language: str = "en") -> tuple[str, ...]:
    """The report line by line: all cues together, each cue that leaks, names, and what was not looked at."""
    found = [_together(report, language)]
    found += [cue_sentence(cue, report, language) for cue in (*report.leaking, *report.in_files)]
    if report.strongest:
        found += [_adds(cue, report, language) for cue in report.strongest]
        found.append(text("rating.leak.what_remains", language))
    if report.name_sayers:
        found.append(text("rating.leak.names", language, count=len(report.saying_their_name)))
    if report.left_out:
        found.append(text("rating.leak.left_out", language, count=report.left_out))
    if any(cue.id == "level" for cue in report.cues):  # something was heard
        found.append(text("rating.leak.voice", language))
    return tuple(found)


def cue_sentence(cue: Cue, report: LeakReport, language: str = "en") -> str:
    """What one cue tells, and what helps against it: "System guessable at 93 % (chance 20 %) from ..."."""
    values = {"rate": _percent(cue.guess_rate), "chance": _percent(report.chance or 0.0)}
    told = text(
        f"rating.leak.{'by_cue' if cue.is_heard else 'in_files'}", language, cue=_cue(cue, report, language), **values
    )
    if cue.clearest > cue.guess_rate + _CLEARER:
        told = _joined(told, text("rating.leak.clearest", language, rate=_percent(cue.clearest)), language)
    return _joined(told, remedy_of(cue, report, language), language)


def remedy_of(cue: Cue, report: LeakReport, language: str = "en") -> str:
    """What on playback removes a cue, or why nothing does."""
    return text(f"rating.leak_remedy.{_remedy(cue, report)}", language)


def _adds(cue: Cue, report: LeakReport, language: str) -> str:
    """What a cue adds to all of them, where none does it alone."""
    values = {"rate": _percent(cue.guess_rate), "chance": _percent(report.chance or 0.0)}
    told = text("rating.leak.adds", language, cue=_cue(cue, report, language), **values)
    return _joined(told, remedy_of(cue, report, language), language)


def _remedy(cue: Cue, report: LeakReport) -> str:
    if not cue.is_heard:
        return "files"
    if cue.remedy == "trim" and not report.fixes.trim:
        return "trim" if report.allowed.trim else "rated"
    if cue.remedy == "gain" and report.fixes.gain == "none":
        return "gain" if report.allowed.gain != "none" else "rated"
    if cue.remedy in ("trim", "gain"):
        return "left"
    return "sound" if cue.id in ("bandwidth", "noise_floor") else cue.remedy


def _together(report: LeakReport, language: str) -> str:
    if report.guess_rate is None:
        return text("rating.leak.too_few", language, n=report.n, fewest=FEWEST_ITEMS)
    values = {
        "rate": _percent(report.guess_rate),
        "chance": _percent(report.chance or 0.0),
        "detectable": _percent(report.detectable or 0.0),
        "n": report.n,
        "systems": report.systems,
    }
    is_above = report.guess_rate > (report.detectable or 0.0)
    is_clear = report.is_told_together and (is_above or not report.leaking)
    form = "together" if is_clear else "partly" if report.is_told_apart else "hidden"
    return text(f"rating.leak.{form}", language, **values)


def _cue(cue: Cue, report: LeakReport, language: str) -> str:
    """The cue by its name, and by the figures that lie apart."""
    name = text(f"rating.leak_cue.{cue.id}", language)
    if cue.apart is None or cue.others is None:
        return name
    unit, written = _FIGURES[cue.id]
    apart, others = (text(f"rating.leak_unit.{unit}", language, value=written(v)) for v in (cue.apart, cue.others))
    form = "figures_of_two" if report.systems == 2 else "figures"
    return text(f"rating.leak.{form}", language, name=name, apart=apart, others=others)


def _joined(first: str, then: str, language: str) -> str:
    return first + ("" if language == "zh" else " ") + then


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
