"""Results as rows of cells and of whiskers; figures and sentences are worded by the engine."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from engine.rating.result_sentences import figure_said, number_said, p_said, share_said
from engine.rating.result_values import TOGETHER
from gui.charts.style import round_ticks
from gui.rate import wording
from gui.rate.whiskers import Whisker
from gui.strings import words
from gui.widgets.facts_table import Cell

if TYPE_CHECKING:
    from engine.rating.result_values import Comparison, ScaleResult, StepCount, SystemResult
    from engine.rating.values import Scale
    from engine.statistics.figures import Figure

Rows = list[tuple[Cell, ...]]


#: Of each table, which columns leave first where there is no room for all.
_HIDDEN_BELOW = {
    "systems": {"without": 820, "median": 680, "sd": 620, "skipped": 540, "n": 0, "mean": 0, "passes": 0, "missing": 0},
    "items": {"sd": 560},
}


def hidden_below(table: str, columns: list[str]) -> dict[int, int]:
    """Under which width each of ``columns`` of a table is left out, by its place."""
    wanted = {wording.say(f"results.column.{name}"): below for name, below in _HIDDEN_BELOW.get(table, {}).items()}
    return {place: wanted[column] for place, column in enumerate(columns) if column in wanted}


def system_name(name: str) -> str:
    """A system's name, or that it is all of them."""
    return wording.say("results.together") if name == TOGETHER else name


def main_figure(system: SystemResult) -> tuple[Figure, bool] | None:
    """What a system is shown by: the mean of numbers, or what passes; whether a share. None of mere steps."""
    if system.shares:
        return (system.passes, True) if system.passes is not None else None
    return system.mean, False


def main_title(scale: ScaleResult) -> str:
    """What the whiskers show."""
    if not any(system.shares for system in scale.systems):
        return wording.say("results.mean")
    return wording.say("results.passes")


def system_whiskers(scale: ScaleResult) -> list[Whisker]:
    """One row a system that has a main figure."""
    found = []
    for system in scale.systems:
        main = main_figure(system)
        if main is None:
            continue
        figure, is_share = main
        note = wording.say("results.n", n=wording.count(system.n), items=wording.count(system.items))
        without = tuple(each.value for each in system.without_rater) if _is_of(system) else ()
        said = _figure(figure, is_share)
        name = system_name(system.system)
        found.append(Whisker(name, note, said, figure.value, figure.low, figure.high, without))
    return found


def ticks_of(scale: Scale, is_share: bool) -> tuple[float, ...]:
    """The axis of a scale: its steps, or 0 to 100 %."""
    if is_share or scale.kind == "choice":
        return (0.0, 0.25, 0.5, 0.75, 1.0)
    numbers = sorted(float(value) for value in scale.values)
    return tuple(numbers)


def system_rows(scale: ScaleResult) -> tuple[list[str], Rows]:
    """Each system with its counts, spread, what passes, what is missing, and the range without one rater."""
    has_passes = any(system.passes is not None for system in scale.systems)
    has_means = any(math.isfinite(system.mean.value) for system in scale.systems)
    names = ["system", "n", *(["mean", "sd", "median"] if has_means else []), *(["passes"] if has_passes else [])]
    names += ["skipped", "missing", "without"]
    rows: Rows = []
    for system in scale.systems:
        cells = [Cell(system_name(system.system), is_strong=True), _count(system.n)]
        if has_means:
            cells += [_number(system.mean.value), _number(system.sd), _number(system.median)]
        if has_passes:
            cells.append(_text(_figure(system.passes, True) if system.passes is not None else wording.DASH))
        cells += [_count(system.counts.skipped), _count(system.counts.missing), _text(_range(system))]
        rows.append(tuple(cells))
    return [wording.say(f"results.column.{name}") for name in names], rows


def step_rows(scale: ScaleResult) -> tuple[list[str], Rows]:
    """Each step of a scale without numbers, with the share that it has of each system."""
    systems = [system for system in scale.systems if system.shares]
    rows: Rows = []
    for place, step in enumerate(systems[0].shares if systems else ()):
        shares = (_text(_figure(system.shares[place].share, True)) for system in systems)
        rows.append((Cell(step.label), *shares))
    return [wording.say("results.column.step"), *(system_name(system.system) for system in systems)], rows


def difference_rows(scale: ScaleResult) -> tuple[list[str], Rows]:
    """Each two systems on their common items."""
    rows: Rows = []
    for each in scale.differences:
        is_share, found = each.of == "passes", each.difference
        pair = wording.say("results.less", one=each.one, other=each.other)
        figure = _figure(found.figure, is_share)
        rows.append((Cell(pair), _text(figure), _count(found.figure.n), _p(found.p), _p(found.p_holm)))
    return [wording.say(f"results.column.{name}") for name in ("pair", "difference", "items", "p", "holm")], rows


def comparison_rows(found: Comparison) -> tuple[list[str], Rows]:
    """Each two systems that were compared."""
    rows: Rows = []
    for pair in found.pairs:
        split = pair.split
        name = wording.say("results.against", one=pair.one, other=pair.other)
        counts = (_count(split.wins), _count(split.ties), _count(split.losses))
        rows.append((Cell(name), *counts, _text(_figure(split.share, True)), _p(pair.p_holm)))
    names = ("pair", "better", "same", "worse", "share", "holm")
    return [wording.say(f"results.column.{name}") for name in names], rows


def strength_whiskers(found: Comparison) -> tuple[list[Whisker], list[float]]:
    """Bradley-Terry's strengths in log odds, and the ticks of their axis."""
    rows = [
        Whisker(each.system, "", _figure(each.strength, False), each.strength.value, each.strength.low,
                each.strength.high)
        for each in found.strengths
    ]  # fmt: skip
    ends = [abs(end) for row in rows for end in (row.value, row.low, row.high) if math.isfinite(end)]
    positive = round_ticks(max(ends, default=1.0), most=2)
    return rows, [*(-tick for tick in reversed(positive[1:])), *positive]


def pair_rows(scale: ScaleResult) -> tuple[list[str], Rows]:
    """Each two raters who share answers."""
    rows: Rows = []
    for pair in scale.agreement.pairs if scale.agreement is not None else ():
        one, other = wording.named(pair.one), wording.named(pair.other)
        name = wording.say("results.and", one=one, other=other)
        language = words.language
        shares = (_text(share_said(pair.agreed, language)), _text(share_said(pair.by_chance, language)))
        rows.append((Cell(name), _text(_figure(pair.kappa, False)), *shares, _count(pair.answers)))
    names = ("raters", "kappa", "agreed", "by_chance", "answers")
    return [wording.say(f"results.column.{name}") for name in names], rows


def item_rows(scale: ScaleResult) -> tuple[list[str], Rows, list[str]]:
    """Each answer that was rated, those first on which raters differ most; and the uids of the answers, row by row."""
    rows: Rows = []
    uids: list[str] = []
    has_means = any(math.isfinite(each.mean.value) for each in scale.items)
    for each in sorted(scale.items, key=lambda item: (-_spread(item.sd), item.instance_key, item.system)):
        name = each.system if each.other_system is None else f"{each.system} − {each.other_system}"
        key = each.instance_key if each.subset in each.instance_key else f"{each.subset} {each.instance_key}"
        given = "  ".join(f"{_short(step)} × {step.count}" for step in each.histogram if step.count)
        figures = (_text(_figure(each.mean, False)), _number(each.sd)) if has_means else ()
        first = (Cell(key, keeps=_number_of(key)), Cell(name, tone="text.secondary"), _count(each.n))
        rows.append((*first, *figures, Cell(given, True, "text.secondary")))
        uids.append(each.response_uid)
    names = ("item", "system", "n", *(("mean", "sd") if has_means else ()), "given")
    return [wording.say(f"results.column.{name}") for name in names], rows, uids


def _number_of(key: str) -> str:
    """The end of an item's name that tells it from the others of its subset.

    >>> _number_of("robust-background_noise-snr_5-000"), _number_of("emotion")
    ('-000', '')
    """
    found = re.search(r"\W?\d+$", key)
    return found.group() if found else ""


def _short(step: StepCount) -> str:
    """A step's number, or its word where it has none."""
    return str(step.value).replace("-", "−") if isinstance(step.value, int) else step.label


def _spread(sd: float) -> float:
    return sd if math.isfinite(sd) else -1.0


def _is_of(system: SystemResult) -> bool:
    """Whether the values without one rater are of the figure that is shown."""
    return main_figure(system) is not None


def _range(system: SystemResult) -> str:
    values = [each.value for each in system.without_rater if math.isfinite(each.value)]
    if not values:
        return wording.DASH
    say = share_said if system.shares else number_said
    return wording.say("results.range", low=say(min(values), words.language), high=say(max(values), words.language))


def _figure(figure: Figure, is_share: bool) -> str:
    if not math.isfinite(figure.value):
        return wording.DASH
    if figure.too_few is not None:
        return wording.minus(_bare(figure, is_share))
    return wording.minus(figure_said(figure, words.language, is_share=is_share))


def _bare(figure: Figure, is_share: bool) -> str:
    """A value that has no interval; why not stands in the sentences."""
    return share_said(figure.value, words.language) if is_share else number_said(figure.value, words.language)


def _number(value: float) -> Cell:
    return Cell(wording.figure(value), True)


def _count(number: int | None) -> Cell:
    return Cell(wording.DASH if number is None else wording.count(number), True)


def _text(said: str) -> Cell:
    return Cell(said, True)


def _p(p: float) -> Cell:
    return Cell(wording.DASH if not math.isfinite(p) else p_said(p, words.language), True)
