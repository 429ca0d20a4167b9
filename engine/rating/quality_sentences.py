"""How raters rated and whom the protocol's rules set aside, as sentences that a screen and the command line print."""

from __future__ import annotations

import math
from collections.abc import Iterable

from engine.rating.quality import RaterQuality
from engine.rating.result_sentences import figure_said, number_said, share_said, system_named
from engine.rating.result_values import SystemResult
from engine.rating.screening import RuleOutcome, Screened, SideBySide
from engine.rating.worded import counted
from engine.strings import text

_SHARES = ("gold_share_at_least", "trap_share_at_least", "repeat_share_at_least")


def quality_said(found: RaterQuality, language: str) -> tuple[str, ...]:
    """How one rater rated; what there is nothing of is left out."""
    said = []
    answers = counted("answers", found.compared, language)
    if found.as_most.n:
        like = figure_said(found.as_most, language, is_share=True)
        said.append(_of_quality("as_most", language, rater=found.rater, figure=like, n=answers))
    elif found.bias.n:
        bias = figure_said(found.bias, language)
        said.append(_of_quality("bias", language, rater=found.rater, figure=bias, n=answers))
    if not math.isnan(found.sd):
        evenness = number_said(found.evenness, language)
        said.append(_of_quality("spread", language, sd=number_said(found.sd, language), evenness=evenness))
    if not math.isnan(found.pearson):
        said.append(_of_quality("correlation", language, pearson=number_said(found.pearson, language)))
    if found.order is not None:
        counts = {"wins": found.order.wins, "ties": found.order.ties, "losses": found.order.losses}
        said.append(_of_quality("order", language, **counts))
    return (*said, *_checks(found, language))


def screening_said(found: Screened, language: str) -> tuple[str, ...]:
    """Who is set aside and by which rule, with its numbers; and the rules that had too little to look at."""
    if not found.raters:
        return (text("rating.quality.no_ratings", language),)
    separator = text("rating.quality.rule_separator", language)
    said = [
        _of_quality(
            "aside",
            language,
            rater=rater.rater,
            rules=separator.join(rule_said(rule, language) for rule in rater.failed),
        )
        for rater in found.raters
        if rater.is_set_aside
    ]
    is_any_applied = any(rule.state != "not_applied" for rater in found.raters for rule in rater.rules)
    if is_any_applied or not any(rater.rules for rater in found.raters):
        said = said or [text("rating.quality.none_aside", language)]
    return (*said, *_not_applied(found, language))


def _not_applied(found: Screened, language: str) -> Iterable[str]:
    """The rules that some raters have too little for, each with the most that one of them has."""
    short: dict[str, list[RuleOutcome]] = {}
    for rule in (rule for rater in found.raters for rule in rater.rules if rule.state == "not_applied"):
        short.setdefault(rule.rule, []).append(rule)
    told = [
        _of_quality(
            "too_few_for",
            language,
            what=_of_quality(f"looks_at_{name}", language),
            raters=counted("raters", len(rules), language),
            most=max(rule.n for rule in rules),
            needed=rules[0].needed,
        )
        for name, rules in short.items()
    ]
    if told:
        yield _of_quality("not_applied", language, rules=text("rating.quality.rule_separator", language).join(told))


def rule_said(rule: RuleOutcome, language: str) -> str:
    """One rule with what was found and what it asks."""
    say = share_said if rule.rule in _SHARES else number_said
    told = {"value": say(rule.value, language), "limit": say(rule.limit, language), "n": rule.n}
    return _of_quality(f"rule_{rule.rule}", language, **told)


def side_by_side_said(found: SideBySide, language: str) -> tuple[str, ...]:
    """Each system's main figure with everyone and without those set aside."""
    everyone, without = found.everyone.scales[0], found.without.scales[0]
    left = {system.system: _main(system, language) for system in without.systems}
    gone = text("rating.result.no_value", language)
    return tuple(
        _of_quality(
            "with_and_without",
            language,
            system=system_named(system, language),
            everyone=_main(system, language),
            without=left.get(system.system, gone),
        )
        for system in everyone.systems
    )


def _checks(found: RaterQuality, language: str) -> list[str]:
    said = []
    repeats, pace = found.repeats, found.pace
    if repeats.n:
        told = {"same": share_said(repeats.same.value, language), "n": repeats.n}
        apart = {} if math.isnan(repeats.difference) else {"difference": number_said(repeats.difference, language)}
        said.append(_of_quality("repeats_apart" if apart else "repeats", language, **told, **apart))
    for name, hits in (("gold", found.gold), ("traps", found.traps)):
        if hits.n:
            said.append(_of_quality(name, language, right=hits.right, n=hits.n))
    if not math.isnan(pace.over_clip):
        over, shorter = number_said(pace.over_clip, language), share_said(pace.shorter, language)
        said.append(_of_quality("pace", language, seconds=f"{pace.median_s:.1f}", over=over, shorter=shorter))
    return said


def _of_quality(name: str, language: str, **told: object) -> str:
    return text(f"rating.quality.{name}", language, **told)


def _main(system: SystemResult, language: str) -> str:
    is_share = bool(system.shares) and system.passes is not None
    return figure_said(system.passes if is_share and system.passes else system.mean, language, is_share=is_share)
