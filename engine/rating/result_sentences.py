"""Results as sentences that a screen and the command line can print: "3 raters, 60 items: alpha 0.61 [0.52, 0.69]"."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from engine.rating.quality import RaterQuality
from engine.rating.result_values import (
    TOGETHER,
    Agreement,
    Comparison,
    PairAgreement,
    PairResult,
    ScaleResult,
    StudyResults,
    SystemDifference,
    SystemResult,
)
from engine.rating.screening import RuleOutcome, Screened, SideBySide
from engine.rating.worded import counted, worded
from engine.statistics.figures import Figure
from engine.strings import text

_Say = Callable[[str], str]
_SHARES = ("gold_share_at_least", "trap_share_at_least", "repeat_share_at_least")


def figure_said(figure: Figure, language: str, *, is_share: bool = False) -> str:
    """A figure with its interval, or with the reason why it has none; a share in per cent.

    >>> figure_said(Figure(0.613, 0.52, 0.69, 60), "en")
    '0.61 [0.52, 0.69]'
    """
    say = share_said if is_share else number_said
    if math.isnan(figure.value):
        return text("rating.result.no_value", language)
    if lack := figure.too_few:
        if lack.of == "links":
            return text("rating.result.too_few_links", language, value=say(figure.value, language))
        have = counted(lack.of, lack.have, language)
        return text("rating.result.too_few", language, value=say(figure.value, language), have=have, needed=lack.needed)
    if not figure.has_interval:
        return say(figure.value, language)
    low, high = say(figure.low, language), say(figure.high, language)
    return text("rating.result.figure", language, value=say(figure.value, language), low=low, high=high)


def number_said(value: float, language: str) -> str:
    """A number with two decimals.

    >>> number_said(-0.004, "en")
    '0.00'
    """
    if math.isnan(value):
        return text("rating.result.no_value", language)
    return f"{value:.2f}".replace("-0.00", "0.00")


def share_said(value: float, language: str) -> str:
    """A share in per cent with one decimal.

    >>> share_said(0.7, "en")
    '70.0 %'
    """
    return text("rating.result.no_value", language) if math.isnan(value) else f"{100 * value:.1f} %"


def p_said(p: float, language: str) -> str:
    """A probability with three decimals.

    >>> p_said(0.0004, "en")
    '< 0.001'
    """
    if math.isnan(p):
        return text("rating.result.no_value", language)
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def sentences(results: StudyResults, language: str) -> tuple[str, ...]:
    """All that the results say, the basis first; every figure that cannot correct a score says so."""
    ending = "unmarked" if results.basis.corrects_a_score else "marked"
    found = list(basis_sentences(results, language))
    for scale in worded(results, language).scales:
        found.append(text("rating.result.unmarked", language, sentence=counts_said(scale, language)))
        found += [text(f"rating.result.{ending}", language, sentence=each) for each in scale_said(scale, language)]
    return tuple(found)


def basis_sentences(results: StudyResults, language: str) -> tuple[str, ...]:
    """How intervals were made, what the figures may be used for, and what counts nowhere."""
    found = []
    if results.raters:
        how = "one_rater" if len(results.raters) == 1 else results.method
        found.append(text(f"rating.result.{how}", language, raters=len(results.raters)))
    if results.basis.disputed:
        found.append(text("rating.result.disputed", language, n=results.basis.disputed))
    if by_hand := results.basis.by_hand - results.basis.disputed:
        found.append(text("rating.result.by_hand", language, n=by_hand))
    if results.basis.is_weighted:
        effect = number_said(results.basis.design_effect, language)
        found.append(text("rating.result.weighted", language, effect=effect))
    if results.off_scale:
        found.append(text("rating.result.off_scale", language, n=results.off_scale))
    return tuple(found)


def counts_said(scale: ScaleResult, language: str) -> str:
    """What became of what was asked, without a full stop, as all below."""
    counts = scale.counts
    if counts.planned is None:
        return text("rating.result.counts_rated", language, question=scale.question, rated=counts.rated)
    told = {"planned": counts.planned, "rated": counts.rated, "skipped": counts.skipped, "missing": counts.missing}
    return text("rating.result.counts", language, question=scale.question, **told)


def scale_said(scale: ScaleResult, language: str) -> tuple[str, ...]:
    """The systems of one scale, their differences, comparisons, and how far raters agree."""
    found = [each for system in scale.systems for each in system_said(system, scale.passes_note, language)]
    found += [difference_said(each, language) for each in scale.differences]
    if scale.comparison:
        found += comparison_said(scale.comparison, scale.kind == "signed", language)
    if scale.counts.rated:
        found += agreement_said(scale.agreement, language)
    return tuple(found)


def system_said(system: SystemResult, note: str, language: str) -> tuple[str, ...]:
    """One system's mean or shares, what passes, and the value without each rater."""
    told = {"system": _system(system, language), "n": system.n, "items": system.items, "raters": system.raters}
    if system.shares:
        shares = [
            text(
                "rating.result.share",
                language,
                label=each.label,
                figure=figure_said(each.share, language, is_share=True),
            )
            for each in system.shares
        ]
        told["shares"] = text("rating.result.share_separator", language).join(shares)
        found = [text("rating.result.shares", language, **told)]
    else:
        found = [text("rating.result.mean", language, figure=figure_said(system.mean, language), **told)]
    if system.passes is not None:
        passes = figure_said(system.passes, language, is_share=True)
        note = _ended(note, language)
        found.append(text("rating.result.passes", language, system=_system(system, language), figure=passes, note=note))
    say = share_said if system.shares else number_said
    for each in system.without_rater:
        value = say(each.value, language)
        found.append(
            text("rating.result.without", language, system=_system(system, language), rater=each.rater, value=value)
        )
    return tuple(found)


def difference_said(found: SystemDifference, language: str) -> str:
    """Two systems on their common items."""
    p = _p_said(found.difference.p, found.difference.p_holm, language)
    figure = figure_said(found.difference.figure, language, is_share=found.of == "passes")
    told = {"one": found.one, "other": found.other, "figure": figure, "p": p}
    return text(f"rating.result.difference_{found.of}", language, **told)


def comparison_said(found: Comparison, has_steps: bool, language: str) -> tuple[str, ...]:
    """Each pair, by how much where the scale has steps for it, each system's strength, and what the order did."""
    order = found.order
    counts = {"wins": order.wins, "ties": order.ties, "losses": order.losses}
    return (
        *(_preferred(pair, language) for pair in found.pairs),
        *(_better_by(pair, language) for pair in found.pairs if has_steps),
        *(
            text(
                "rating.result.pair_without",
                language,
                one=pair.one,
                other=pair.other,
                rater=each.rater,
                value=share_said(each.value, language),
            )
            for pair in found.pairs
            for each in pair.without_rater
        ),
        *(
            text("rating.result.strength", language, system=each.system, figure=figure_said(each.strength, language))
            for each in found.strengths
        ),
        text("rating.result.order", language, p=_p_said(order.p, math.nan, language), **counts),
    )


def agreement_said(found: Agreement | None, language: str) -> tuple[str, ...]:
    """Alpha, the correlation of the mean, and each pair of raters."""
    if found is None:
        return (text("rating.result.no_agreement", language),)
    alpha = figure_said(found.alpha, language)
    of = {"raters": counted("raters", found.raters, language), "items": counted("items", found.items, language)}
    said = [text("rating.result.agreement", language, figure=alpha, **of)]
    if found.icc is not None:
        said.append(text("rating.result.icc", language, figure=figure_said(found.icc, language)))
    return (*said, *(_pair(pair, language) for pair in found.pairs))


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
            system=_system(system, language),
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


def _system(system: SystemResult, language: str) -> str:
    return text("rating.result.together", language) if system.system == TOGETHER else system.system


def _p_said(p: float, p_holm: float, language: str) -> str:
    """The end of a sentence: a probability, and that with Holm's correction; empty where there is none."""
    if math.isnan(p):
        return ""
    told = {"p": p_said(p, language), "p_holm": p_said(p_holm, language)}
    return text(f"rating.result.{'p' if math.isnan(p_holm) else 'p_and_holm'}", language, **told)


def _ended(note: str, language: str) -> str:
    """A note without its full stop, which ends the sentence; in quotation marks where it is in the other language."""
    note = note.strip().rstrip(".。")
    is_chinese = any("\u4e00" <= character <= "\u9fff" for character in note)
    if not note or is_chinese == (language == "zh"):
        return note
    return text("rating.result.quoted", language, said=note)


def _main(system: SystemResult, language: str) -> str:
    is_share = bool(system.shares) and system.passes is not None
    return figure_said(system.passes if is_share and system.passes else system.mean, language, is_share=is_share)


def _preferred(pair: PairResult, language: str) -> str:
    counts = {"wins": pair.split.wins, "ties": pair.split.ties, "losses": pair.split.losses}
    p = _p_said(pair.split.p, pair.p_holm, language)
    share = figure_said(pair.split.share, language, is_share=True)
    return text("rating.result.preferred", language, one=pair.one, other=pair.other, figure=share, p=p, **counts)


def _better_by(pair: PairResult, language: str) -> str:
    figure = figure_said(pair.mean, language)
    return text("rating.result.better_by", language, one=pair.one, other=pair.other, figure=figure)


def _pair(pair: PairAgreement, language: str) -> str:
    told = {"agreed": share_said(pair.agreed, language), "by_chance": share_said(pair.by_chance, language)}
    told |= {"ac1": number_said(pair.ac1, language), "answers": counted("answers", pair.answers, language)}
    kappa = figure_said(pair.kappa, language)
    return text(
        "rating.result.pair",
        language,
        one=pair.one,
        other=pair.other,
        figure=kappa,
        **told,
    )
