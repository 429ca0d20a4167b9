"""Whose ratings are set aside, by rules that the protocol fixed before any rating; nothing is deleted."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engine.progress import Progress
from engine.rating.quality import RaterQuality, rater_quality
from engine.rating.result_values import StudyResults
from engine.rating.results import finished, results_in_steps
from engine.rating.values import Protocol, Screening
from engine.statistics.figures import plain_values
from engine.store.planned_ratings import PlannedRating
from engine.store.rating_rows import RatingRow

State = Literal["kept", "failed", "not_applied"]


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """One rule held against one rater.

    ``value`` is what was found and ``limit`` what the rule allows; ``n`` ratings were looked at where ``needed`` are.
    With fewer the rule is not applied: too little to set anybody aside.
    """

    rule: str
    state: State
    value: float
    limit: float
    n: int
    needed: int


@dataclass(frozen=True, slots=True)
class ScreenedRater:
    """One rater with the outcome of every rule that the protocol has."""

    rater_uid: str
    rater: str
    rules: tuple[RuleOutcome, ...]

    @property
    def is_set_aside(self) -> bool:
        """Whether a rule failed."""
        return any(rule.state == "failed" for rule in self.rules)

    @property
    def failed(self) -> tuple[RuleOutcome, ...]:
        """The rules that failed."""
        return tuple(rule for rule in self.rules if rule.state == "failed")


@dataclass(frozen=True, slots=True)
class Screened:
    """Every rater held against the protocol's rules."""

    protocol: str
    raters: tuple[ScreenedRater, ...]

    @property
    def set_aside(self) -> frozenset[str]:
        """The uids of raters who failed a rule."""
        return frozenset(rater.rater_uid for rater in self.raters if rater.is_set_aside)

    def kept(self, rows: Iterable[RatingRow]) -> tuple[RatingRow, ...]:
        """The rows of raters who failed no rule."""
        aside = self.set_aside
        return tuple(row for row in rows if row.rater_uid not in aside)

    def declaration(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        told: dict[str, Any] = plain_values(self)
        return told | {"set_aside": sorted(self.set_aside)}


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The results with all raters, and without those set aside; how each of them rated.

    ``without`` is ``everyone`` where nobody is set aside.
    """

    quality: tuple[RaterQuality, ...]
    screened: Screened
    everyone: StudyResults
    without: StudyResults


def screened(rows: Iterable[RatingRow], protocol: Protocol) -> Screened:
    """Every rater who rated under the protocol, held against its rules, by name."""
    return screened_by_quality(rater_quality(rows, protocol), protocol)


def screened_by_quality(qualities: Iterable[RaterQuality], protocol: Protocol) -> Screened:
    """The same where it is known already how they rated."""
    return Screened(protocol.id, tuple(_screened(quality, protocol.screening) for quality in qualities))


def side_by_side(
    rows: Sequence[RatingRow], protocol: Protocol, *, seed: int, planned: Sequence[PlannedRating] = ()
) -> SideBySide:
    """The results with and without raters who failed a rule; both from the same seed, so only they differ."""
    return finished(side_by_side_in_steps(rows, protocol, seed=seed, planned=planned))


def side_by_side_in_steps(
    rows: Sequence[RatingRow], protocol: Protocol, *, seed: int, planned: Sequence[PlannedRating] = ()
) -> Generator[Progress, None, SideBySide]:
    """The same bit by bit."""
    quality = rater_quality(rows, protocol)
    yield Progress(0, 0)
    found = screened_by_quality(quality, protocol)
    everyone = without = yield from results_in_steps(rows, protocol, seed=seed, planned=planned)
    if found.set_aside:
        left = [one for one in planned if one.rater_uid not in found.set_aside]
        without = yield from results_in_steps(found.kept(rows), protocol, seed=seed, planned=left)
    return SideBySide(quality, found, everyone, without)


def _screened(quality: RaterQuality, rules: Screening) -> ScreenedRater:
    gold, traps, repeats = quality.gold, quality.traps, quality.repeats
    outcomes = (
        _at_least("gold_share_at_least", rules.gold_share_at_least, gold.share.value, gold.n, rules.fewest_gold),
        _at_least("trap_share_at_least", rules.trap_share_at_least, traps.share.value, traps.n, rules.traps_needed),
        _at_least("variance_at_least", rules.variance_at_least, quality.sd**2, quality.n, rules.fewest_rated),
        _at_most(
            "repeat_difference_at_most",
            rules.repeat_difference_at_most,
            repeats.difference,
            repeats.n,
            rules.repeats_needed,
        ),
        _at_least(
            "repeat_share_at_least", rules.repeat_share_at_least, repeats.same.value, repeats.n, rules.repeats_needed
        ),
    )
    return ScreenedRater(quality.rater_uid, quality.rater, tuple(outcome for outcome in outcomes if outcome))


def _at_least(rule: str, limit: float | None, value: float, n: int, needed: int) -> RuleOutcome | None:
    return None if limit is None else _outcome(rule, limit, value, n, needed, value >= limit)


def _at_most(rule: str, limit: float | None, value: float, n: int, needed: int) -> RuleOutcome | None:
    return None if limit is None else _outcome(rule, limit, value, n, needed, value <= limit)


def _outcome(rule: str, limit: float, value: float, n: int, needed: int, holds: bool) -> RuleOutcome:
    if n < needed or math.isnan(value):
        return RuleOutcome(rule, "not_applied", value, limit, n, needed)
    return RuleOutcome(rule, "kept" if holds else "failed", value, limit, n, needed)
