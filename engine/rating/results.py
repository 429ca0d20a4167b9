"""Results of a study: means, shares, differences and comparisons with intervals, and how far raters agree.

What counts are the current ratings of the protocol's own version. Hidden repeats tell of a rater's consistency, and
training, gold and traps of care: none of these enters a figure here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from typing import TypeVar, cast

from engine.progress import Progress
from engine.rating.rated import Placed, is_on, is_preference, number, of_first, of_pair, of_protocol
from engine.rating.result_agreement import agreement
from engine.rating.result_comparison import comparison
from engine.rating.result_systems import differences, histogram, item_results, system_results
from engine.rating.result_values import Agreement, Basis, Counts, ScaleResult, StudyResults, SystemResult
from engine.rating.values import Protocol, Scale, Value
from engine.statistics.resampling import method_for
from engine.store.planned_ratings import PlannedRating
from engine.store.rating_rows import RatingRow
from engine.store.selections import ADJUDICATION

T = TypeVar("T")
_About = Callable[[RatingRow | PlannedRating], bool]


def study_results(
    rows: Iterable[RatingRow], protocol: Protocol, *, seed: int, planned: Sequence[PlannedRating] = ()
) -> StudyResults:
    """The results of one protocol; the same rows and seed give the same, whatever order the rows are in.

    Args:
        rows: of ``rating_rows``; other protocols' rows are passed over. Where a transcript is revealed after the
            commit only ratings before it count: read them with ``before_reveal=True``, or an item rated again after
            the reveal is missing.
        planned: of ``planned_ratings``; without it nothing is known of what was skipped or is missing.
    """
    return finished(results_in_steps(rows, protocol, seed=seed, planned=planned))


def finished(work: Generator[Progress, None, T]) -> T:
    """What ``work`` returns, all its steps done at once."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return cast(T, end.value)


def results_in_steps(
    rows: Iterable[RatingRow], protocol: Protocol, *, seed: int, planned: Sequence[PlannedRating] = ()
) -> Generator[Progress, None, StudyResults]:
    """The same bit by bit: 20 raters of 1,200 answers take seconds. Yields after each system and each pair."""
    seed = abs(seed)  # generators of random numbers take none below 0
    ours = sorted(of_protocol(rows, protocol), key=lambda row: (row.rater_uid, row.assignment_uid, row.scale))
    counting = [row for row in ours if row.kind == "rated"]
    known = [row for row in counting if any(is_on(scale, row) for scale in protocol.scales)]
    asked = [one for one in planned if (one.protocol, one.protocol_version) == (protocol.id, protocol.version)]
    asked = [one for one in asked if one.kind == "rated"]
    scales = []
    for scale in protocol.scales:
        scales.append((yield from _scale(known, protocol, scale, asked, seed)))
    raters = {row.rater_uid: row.rater for row in known}
    return StudyResults(
        protocol=protocol.id,
        protocol_version=protocol.version,
        languages=tuple(sorted({row.language for row in known})),
        sha256s=tuple(sorted({row.protocol_sha256 for row in known})),
        raters=tuple(sorted(raters.values())),
        items=len({row.instance_id for row in known}),
        method=method_for(len(raters)),
        seed=seed,
        basis=_basis(known, scales[0].systems),
        off_scale=len(counting) - len(known),
        scales=tuple(scales),
    )


def is_drawn(one: RatingRow | PlannedRating) -> bool:
    """Whether it is of an item that was drawn: what figures for a score may rest on, unlike those picked by hand."""
    return one.pi is not None and one.selection != "manual"


def _scale(
    known: list[RatingRow], protocol: Protocol, scale: Scale, asked: Sequence[PlannedRating], seed: int
) -> Generator[Progress, None, ScaleResult]:
    placed = Placed(tuple(row for row in known if is_on(scale, row)))
    rule = protocol.passes_when if protocol.passes_when and protocol.passes_when.scale == scale.id else None
    compares = protocol.compares
    by_system = {name: _counts(known, scale, asked, _about(name)) for name in placed.systems}
    return ScaleResult(
        scale=scale.id,
        question=scale.question,
        kind=scale.kind,
        counts=_counts(known, scale, asked, lambda _: True),
        passes_note=rule.note if rule else "",
        histogram=histogram(scale, placed.rows),
        systems=() if compares else tuple((yield from system_results(placed, scale, rule, by_system, seed=seed))),
        items=() if compares and not is_preference(scale) else item_results(placed, scale),
        differences=() if compares else tuple((yield from differences(placed, scale, rule, seed=seed))),
        agreement=(yield from _agreement(placed, scale, compares, seed)),
        comparison=comparison(placed, seed=seed) if compares and is_preference(scale) and placed.rows else None,
    )


def _agreement(placed: Placed, scale: Scale, compares: bool, seed: int) -> Generator[Progress, None, Agreement | None]:
    if compares and is_preference(scale):
        steps = tuple(sorted(map(of_first, scale.values)))  # as many on either side of 0, so the same of either system
        return agreement(placed, "ordinal", steps, of_pair, seed=seed, has_numbers=scale.kind == "signed")
    if scale.kind == "choice":
        places = tuple(float(place) for place in range(len(scale.values)))
        return agreement(placed, "nominal", places, partial(_place, scale), seed=seed, has_numbers=False)
    steps = tuple(sorted(float(value) for value in scale.values))
    return agreement(placed, "ordinal", steps, number, seed=seed, has_numbers=True)


def _place(scale: Scale, row: RatingRow) -> float:
    return float(scale.values.index(cast(Value, row.value)))


def _counts(known: list[RatingRow], scale: Scale, asked: Sequence[PlannedRating], about: _About) -> Counts:
    """Of a scale asked after others' values, what was asked is known from the ratings themselves."""
    rated = {row.assignment_uid for row in known if row.scale == scale.id and about(row)}
    if scale.shown_when is not None:
        given: dict[str, dict[str, Value]] = {}
        for row in filter(about, known):
            given.setdefault(row.assignment_uid, {})[row.scale] = cast(Value, row.value)
        shown = sum(scale.is_asked(values) for values in given.values())
        return Counts(shown, len(rated), 0, shown - len(rated))
    if not asked:
        return Counts(None, len(rated), None, None)
    here = [one for one in asked if about(one)]
    skipped = sum(one.state == "skipped" for one in here)
    return Counts(len(here), len(rated), skipped, len(here) - skipped - len(rated))


def _about(system: str) -> _About:
    return lambda one: system in (one.system, one.other_system)


def _basis(known: Sequence[RatingRow], systems: Sequence[SystemResult]) -> Basis:
    by_hand = {row.instance_id for row in known if not is_drawn(row)}
    disputed = {row.instance_id for row in known if row.stage == ADJUDICATION}
    chances = {row.pi for row in known}
    return Basis(
        corrects_a_score=bool(known) and not by_hand,
        by_hand=len(by_hand),
        selections=tuple(sorted({row.selection for row in known})),
        is_weighted=not by_hand and len(chances) > 1,
        design_effect=max((system.design_effect for system in systems), default=math.nan),
        disputed=len(disputed),
    )
