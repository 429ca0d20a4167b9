"""What the blind-leak check found, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.rate import wording

if TYPE_CHECKING:
    from engine.rating.leaks import Cue, LeakReport

PLAIN = ("leading_silence", "trailing_silence")


def verdict(report: LeakReport) -> tuple[str, str]:
    """The sentence that stands first, and its tone: good, warning or note."""
    if not report.is_enough or report.guess_rate is None:
        key = "leaks.names_only" if report.name_sayers else "leaks.too_few"
        return wording.say(key, n=report.n), "warning" if report.name_sayers else "note"
    values = {
        "rate": wording.percent(report.guess_rate),
        "chance": wording.percent(report.chance),
        "p": p_value(report.p),
        "n": report.n,
    }
    return wording.say("leaks.leaking" if report.is_leaking else "leaks.tight", **values), (
        "warning" if report.is_leaking else "good"
    )


def p_value(p: float | None) -> str:
    """``p`` as it is printed."""
    return wording.DASH if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def cue_row(cue: Cue) -> tuple[str, str, str, str]:
    """What a cue is, how often the system was guessed from it, p after Holm, what stands apart."""
    apart = ""
    if cue.apart is not None and cue.others is not None:
        apart = wording.say("leaks.apart", one=f"{cue.apart:.3g}", rest=f"{cue.others:.3g}")
    name = wording.say(f"leaks.cue.{cue.id}")
    return name, wording.percent(cue.guess_rate), p_value(cue.adjusted_p), apart


def names_said(report: LeakReport) -> str:
    """How many answers name a system, with a few of the words."""
    if not report.name_sayers:
        return ""
    said = tuple(dict.fromkeys(f"“{each.said}”" for each in report.name_sayers))
    return wording.say("leaks.names", n=len(report.saying_their_name), said=wording.names(said, 3))
