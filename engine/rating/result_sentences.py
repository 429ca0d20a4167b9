"""Results as sentences that a screen and the command line can print: "3 raters, 60 items: alpha 0.61 [0.52, 0.69]"."""

from __future__ import annotations

import math

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
from engine.rating.worded import counted, worded
from engine.statistics.figures import Figure
from engine.strings import text


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
    name = system_named(system, language)
    told = {"system": name, "n": system.n, "items": system.items, "raters": system.raters}
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
        found.append(text("rating.result.passes", language, system=name, figure=passes, note=note))
    say = share_said if system.shares else number_said
    for each in system.without_rater:
        value = say(each.value, language)
        found.append(text("rating.result.without", language, system=name, rater=each.rater, value=value))
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


def system_named(system: SystemResult, language: str) -> str:
    """A system's name, or that it is all of them together."""
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
