"""What the results of a study consist of; all of it becomes plain values for JSON by ``declaration``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.rating.values import Value
from engine.statistics.differences import Difference
from engine.statistics.figures import Figure, plain_values
from engine.statistics.preferences import Split

TOGETHER = "\u2211"  # stands for all systems where none may be told from another


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of what was put before raters; of hidden repeats, training, gold and traps nothing is in it.

    ``missing`` was neither rated nor skipped, nor rated before the reveal where only that counts. Of a scale that is
    asked after others' values, ``planned`` are those where it was. None where it is not known what was planned.
    """

    planned: int | None
    rated: int
    skipped: int | None
    missing: int | None


@dataclass(frozen=True, slots=True)
class StepCount:
    """How often one step of the scale was given, 0 where never."""

    value: Value
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class StepShare:
    """The share of items on which raters gave one step; an item whose raters differ counts in parts."""

    value: Value
    label: str
    share: Figure


@dataclass(frozen=True, slots=True)
class WithoutRater:
    """The value with one rater left out."""

    rater_uid: str
    rater: str
    value: float


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system on one scale.

    Attributes:
        n: ratings. items: that have one or more. raters: that gave one or more.
        mean: of the items' means, weighted by 1 / pi; NaN of scales without numbers. sd, median: of all ratings.
        shares: by step, of scales without numbers. passes: share of ratings that pass by the protocol's rule, averaged
            over items; None where the protocol has no rule for this scale.
        without_rater: of the mean, or of what passes; under 8 raters, 2 at least.
        design_effect: by how much unequal weights blow up the variance, 1 for none.
    """

    system: str
    counts: Counts
    n: int
    items: int
    raters: int
    mean: Figure
    sd: float
    median: float
    histogram: tuple[StepCount, ...]
    shares: tuple[StepShare, ...]
    passes: Figure | None
    without_rater: tuple[WithoutRater, ...]
    design_effect: float


@dataclass(frozen=True, slots=True)
class ItemResult:
    """One item and system, or one item and pair of systems that were compared: above 0 then ``system`` was better.

    ``mean`` has an interval over its raters that stays on the scale, from 3 on (``interval_within``); NaN of scales
    without numbers.
    """

    instance_id: int
    benchmark: str
    subset: str
    instance_key: str
    system: str
    other_system: str | None
    response_uid: str
    n: int
    mean: Figure
    sd: float
    median: float
    histogram: tuple[StepCount, ...]


@dataclass(frozen=True, slots=True)
class SystemDifference:
    """The one system less the other on the items that both have ratings of; of means, or of shares that pass."""

    one: str
    other: str
    of: str
    difference: Difference


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two raters, by uid and name, on the answers that both rated.

    ``kappa`` is weighted by squared distance, of named steps unweighted.
    ``agreed`` and ``by_chance`` are shares of answers, 0..1; ``ac1`` is Gwet's, for steps of which one is rare.
    """

    one_uid: str
    one: str
    other_uid: str
    other: str
    answers: int
    kappa: Figure
    agreed: float
    by_chance: float
    ac1: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far raters agree.

    Attributes:
        raters: that share an answer with another. answers: rated by two or more. items: the questions of these.
        alpha: Krippendorff's, for ``level``. icc: of the mean of all raters, ICC(2,k), over the answers that all of
            them rated; None of scales without numbers.
        pairs: each two raters that share answers.
    """

    raters: int
    answers: int
    items: int
    level: str
    alpha: Figure
    icc: Figure | None
    pairs: tuple[PairAgreement, ...]


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two systems that were compared: how often ``one`` was better.

    Attributes:
        split: counts of all ratings; its share is averaged over items, its p takes items for independent, not raters.
        mean: how much better, in steps of a signed scale, else wins less losses.
        one_first: how often ``one`` was heard first.
        p_holm: over all pairs.
        without_rater: the share with each rater left out.
    """

    one: str
    other: str
    split: Split
    mean: Figure
    one_first: int
    p_holm: float
    without_rater: tuple[WithoutRater, ...]


@dataclass(frozen=True, slots=True)
class Strength:
    """A system's strength by Bradley-Terry, in log odds, mean 0 over systems; ties count half."""

    system: str
    strength: Figure


@dataclass(frozen=True, slots=True)
class Comparison:
    """What comparisons gave: by pair, by system, and whether what was heard first had an advantage (``order``)."""

    pairs: tuple[PairResult, ...]
    strengths: tuple[Strength, ...]
    order: Split


@dataclass(frozen=True, slots=True)
class ScaleResult:
    """One scale of the protocol: ``kind`` as the protocol has it, ``histogram`` over all systems.

    ``passes_note`` says in a sentence what passes, empty where nothing is decided on this scale.
    """

    scale: str
    question: str
    kind: str
    counts: Counts
    passes_note: str
    histogram: tuple[StepCount, ...]
    systems: tuple[SystemResult, ...]
    items: tuple[ItemResult, ...]
    differences: tuple[SystemDifference, ...]
    agreement: Agreement | None
    comparison: Comparison | None


@dataclass(frozen=True, slots=True)
class Basis:
    """What the figures may be used for, by how the items were picked.

    Attributes:
        corrects_a_score: every item has an inclusion probability; without it a figure can be discussed, and cannot
            correct a score.
        by_hand: items that have none. disputed: of those, picked because raters disagree about them.
        selections: random, stratified, active, manual, as far as they occur.
        is_weighted: the probabilities differ, so figures are weighted by 1 / pi.
        design_effect: the largest of any system, NaN without ratings.
    """

    corrects_a_score: bool
    by_hand: int
    selections: tuple[str, ...]
    is_weighted: bool
    design_effect: float
    disputed: int = 0


@dataclass(frozen=True, slots=True)
class StudyResults:
    """The results of one protocol in a study.

    Attributes:
        raters: names of those whose ratings count. method: how means get their intervals with so many raters.
        languages, sha256s: in which wordings the protocol was put to them.
        seed: of every bootstrap in it.
        off_scale: ratings whose value the protocol does not know; they count nowhere.
    """

    protocol: str
    protocol_version: int
    languages: tuple[str, ...]
    sha256s: tuple[str, ...]
    raters: tuple[str, ...]
    items: int
    method: str
    seed: int
    basis: Basis
    off_scale: int
    scales: tuple[ScaleResult, ...]

    def scale(self, name: str) -> ScaleResult:
        """The results of the scale of that id; raises KeyError."""
        for scale in self.scales:
            if scale.scale == name:
                return scale
        raise KeyError(name)

    def declaration(self) -> dict[str, Any]:
        """All of it as plain values for JSON; what has no value is None."""
        told: dict[str, Any] = plain_values(self)
        return told
