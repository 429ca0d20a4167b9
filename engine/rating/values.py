"""What a rating protocol consists of: scales with their steps, rules fixed before any rating, and how it is held."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Value = int | str
#: Hidden repeats under which nobody is set aside for them, whatever a protocol says: from 5 on one slip alone, as wide
#: as the scale, breaks none of the rules (4 steps in 5 repeats are 0.8 on average, 4 of 5 the same are 80 %).
FEWEST_REPEATS = 5
#: Traps under which nobody is set aside for them, whatever a protocol says: from 4 on one slip alone breaks none of the
#: rules (3 of 4 are 75 %). Who misses one trap in twenty fails half of 4 once in 2,000 times; of 1, once in twenty.
FEWEST_TRAPS = 4
ScaleKind = Literal["steps", "choice", "signed"]
Perceived = Literal["text", "audio", "both"]
Reveals = Literal["never", "after_commit", "from_the_start"]
Gain = Literal["per_system", "per_clip", "none"]


@dataclass(frozen=True, slots=True)
class Step:
    """One answer a rater may give: what is stored, its name, one sentence that says when it is right, and its digit."""

    value: Value
    label: str
    anchor: str
    key: str


@dataclass(frozen=True, slots=True)
class Scale:
    """One thing to be said of an answer.

    ``steps`` stand in the order in which they are shown. ``shown_when`` names an earlier scale and the values of it
    after which this one is asked; None means always. ``signed`` steps are numbers around 0, of a comparison: above 0
    the one heard second is better.
    """

    id: str
    question: str
    kind: ScaleKind
    steps: tuple[Step, ...]
    is_required: bool = True
    shown_when: tuple[str, tuple[Value, ...]] | None = None

    @property
    def values(self) -> tuple[Value, ...]:
        """Every value it may take, in the order shown."""
        return tuple(step.value for step in self.steps)

    def is_asked(self, values: Mapping[str, Value]) -> bool:
        """Whether it is asked once ``values`` (scale: value) were given."""
        return self.shown_when is None or values.get(self.shown_when[0]) in self.shown_when[1]

    def step_of(self, value: Value) -> Step:
        """The step with that value; raises KeyError."""
        for step in self.steps:
            if step.value == value:
                return step
        raise KeyError(value)


@dataclass(frozen=True, slots=True)
class Screening:
    """Rules that say whose ratings are set aside, fixed before data; None is a rule that is not applied.

    All look at the values of one scale. A rule with fewer than its ``fewest_*`` ratings to look at is not applied.

    Attributes:
        gold_within: steps that a rating of a gold item may lie from the expected one and still be right.
        gold_share_at_least, trap_share_at_least: share of gold and trap items that must be right.
        variance_at_least: of the ratings of one rater; a rater who always gives the same step has none.
        repeat_difference_at_most: mean absolute difference between a rating and that of its hidden repeat.
        repeat_share_at_least: share of hidden repeats that must be rated as before, of scales without numbers.
        fewest_rated: ratings before ``variance_at_least`` is looked at.
    """

    scale: str
    gold_within: int = 1
    gold_share_at_least: float | None = None
    trap_share_at_least: float | None = None
    variance_at_least: float | None = None
    repeat_difference_at_most: float | None = None
    repeat_share_at_least: float | None = None
    fewest_gold: int = 2
    fewest_traps: int = 1
    fewest_repeats: int = 3
    fewest_rated: int = 10

    @property
    def traps_needed(self) -> int:
        """Traps before the rule on them is looked at."""
        return max(self.fewest_traps, FEWEST_TRAPS)

    @property
    def repeats_needed(self) -> int:
        """Hidden repeats before the rules on them are looked at."""
        return max(self.fewest_repeats, FEWEST_REPEATS)


@dataclass(frozen=True, slots=True)
class Training:
    """How a rater is made familiar with the scales: how many items, and whether the right answer is told after each.

    Training is held again when the last was ``again_after_min`` minutes ago.
    """

    items: int
    gives_feedback: bool
    again_after_min: int


@dataclass(frozen=True, slots=True)
class Checks:
    """What is put among the items, as a share of their presentations, unless a design says otherwise.

    A hidden repeat stands at least ``repeat_distance`` places after what it repeats.
    """

    gold_share: float
    trap_share: float
    repeat_share: float
    repeat_distance: int


@dataclass(frozen=True, slots=True)
class PassRule:
    """When an answer passes: its value on ``scale`` is at least ``at_least``, or one of ``among``.

    ``note`` says so in a sentence, also what becomes of a middle answer.
    """

    scale: str
    note: str
    at_least: int | None = None
    among: tuple[Value, ...] = ()

    def passes(self, value: Value) -> bool:
        """Whether an answer with that value passes."""
        if self.at_least is not None:
            return isinstance(value, int) and value >= self.at_least
        return value in self.among


@dataclass(frozen=True, slots=True)
class Planning:
    """What a size is reckoned with before there are ratings: assumptions, each shown beside the figures they lead to.

    Attributes:
        answer_s: seconds a rater takes beside listening, per presentation.
        sd: standard deviation of the ratings of one system between items, in steps; None of a share.
        share: the share that passes or is preferred; None of a mean.
        correlation: between two systems' ratings of the same items.
        meant_for: subsets (benchmark/subset) whose questions the protocol is about; of other benchmarks nothing is
            said. Empty where it may be asked of any answer.
    """

    answer_s: float
    sd: float | None
    share: float | None
    correlation: float
    meant_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Protocol:
    """How a rating is held, in one language: what a rater perceives, is asked, and what is done with the answers.

    Attributes:
        dimension: what is rated, e.g. empathy_acoustic.
        perceived: what of the answer a rater perceives before rating.
        question: what of the question a rater perceives: ``none`` where the answer is rated by itself.
        reveals: when the answer's text is shown: never, once the rating is committed, or from the start.
        shows_reference: whether the reference answer is shown beside the question.
        is_speed_locked: clips play at 1x only.
        heard_at_least: share of the speech of every clip that is played which must be heard before a rating counts.
        gain: what may be evened out on playback. may_trim: whether leading and trailing silence may be left out.
        warning: what is said before the first item, empty without; a rater may leave or skip then and later.
    """

    id: str
    version: int
    language: str
    title: str
    instruction: str
    warning: str
    perceived: Perceived
    question: Literal["audio", "both", "text", "none"]
    dimension: str
    scales: tuple[Scale, ...]
    compares: bool
    reveals: Reveals
    shows_reference: bool
    is_speed_locked: bool
    heard_at_least: float
    gain: Gain
    may_trim: bool
    break_after_min: int
    training: Training
    checks: Checks
    screening: Screening
    planning: Planning
    passes_when: PassRule | None = None

    @property
    def main(self) -> Scale:
        """The scale that the protocol is about: the first."""
        return self.scales[0]

    def scale(self, name: str) -> Scale:
        """The scale of that id; raises KeyError."""
        for scale in self.scales:
            if scale.id == name:
                return scale
        raise KeyError(name)

    @property
    def sha256(self) -> str:
        """Of all that a rater is shown and of all rules, in this language; what sizes are reckoned with is no rule."""
        rules = {key: value for key, value in self.declaration().items() if key != "planning"}
        told = json.dumps(rules, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(told.encode()).hexdigest()

    def declaration(self) -> dict[str, Any]:
        """The whole of it as JSON values; ``Protocol.of`` reads it back."""
        told: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return told

    @classmethod
    def of(cls, declaration: Mapping[str, Any]) -> Protocol:
        """The protocol that ``declaration`` gave."""
        told = dict(declaration)
        rule, planned = told.get("passes_when"), told["planning"]
        return cls(
            **{
                **told,
                "scales": tuple(map(_scale_of, told["scales"])),
                "training": Training(**told["training"]),
                "checks": Checks(**told["checks"]),
                "screening": Screening(**told["screening"]),
                "planning": Planning(**{**planned, "meant_for": tuple(planned.get("meant_for", ()))}),
                "passes_when": None if rule is None else PassRule(**{**rule, "among": tuple(rule["among"])}),
            }
        )


def _scale_of(told: Mapping[str, Any]) -> Scale:
    shown = told["shown_when"]
    return Scale(
        **{
            **told,
            "steps": tuple(Step(**step) for step in told["steps"]),
            "shown_when": None if shown is None else (shown[0], tuple(shown[1])),
        }
    )
