"""What an owner asks of a study, and what comes of it before anything is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.query.fields import Method
from engine.query.selection import Selection
from engine.rating.leaks.values import Fixes
from engine.rating.values import Gain, Protocol, Value
from engine.store.studies import NewAssignment
from engine.strings import text

SelectionKind = Literal["random", "stratified", "active", "manual"]
Split = Literal["dev", "test"]
StratumField = Literal["verdict", "subset", "category"]


@dataclass(frozen=True, slots=True)
class Given:
    """An item that was drawn elsewhere, as by a queue of Calibrate: its instance, and the probability it had."""

    instance_id: int
    pi: float | None
    stratum: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """An answer whose right rating is known, for training, gold or traps: ``expected`` is {scale: value}.

    ``other_response_id`` is heard second, in a comparison.
    """

    protocol: str
    response_id: int
    expected: Mapping[str, Value]
    other_response_id: int | None = None


@dataclass(frozen=True, slots=True)
class Design:
    """A study as it is wanted. An item is an instance, with the answers of all ``systems`` to it.

    Attributes:
        protocols: ids; each is a pass of its own, in this order.
        language: in which the protocols are put to the raters: en or zh.
        raters: ids in the store.
        chosen: the answers among which items are looked for, by a filter or by ids.
        systems: whose answers; empty means every system that has an answer among ``chosen``.
        without: answers whose instances are left out with all that was answered to them, as where one says its name.
        items: how many instances are drawn; None means all there are. Of a manual selection all are taken.
        selection: ``random`` draws simply; ``stratified`` by ``strata``; ``active`` takes ``given``; ``manual`` takes
            what was chosen by hand: it can be heard and discussed, and cannot correct a score.
        added_random: of a manual selection, instances drawn at random from ``frame`` beside it.
        frame: the filter of what those are drawn from; empty means all answers.
        ratings_per_item: how many raters rate an item. overlap: how many items every rater rates.
        repeats_share: hidden repeats as a share of what is rated; None as the protocol says.
        spoken_traps: whether trap clips are made too, as many as each protocol asks for: the beginning of an answer,
            and the packaged voice that asks for a key.
        against: of comparisons, the system that each other is compared with; empty compares all pairs.
        pairs_per_item: of comparisons, how many pairs are compared on one item, each as often as the others over the
            whole; None compares all on each.
        trim, gain: what is evened out on playback, as the leak check may advise; gain None as the protocol says.
        seed: the same seed makes the same plan of the same workspace.
    """

    title: str
    protocols: tuple[str, ...]
    language: str
    raters: tuple[int, ...]
    chosen: Selection = field(default_factory=Selection)
    systems: tuple[str, ...] = ()
    without: tuple[int, ...] = ()
    items: int | None = None
    selection: SelectionKind = "random"
    strata: tuple[StratumField, ...] = ("verdict",)
    given: tuple[Given, ...] = ()
    added_random: int = 0
    frame: str = ""
    ratings_per_item: int = 1
    overlap: int = 0
    repeats_share: float | None = None
    gold: tuple[Known, ...] = ()
    traps: tuple[Known, ...] = ()
    training: tuple[Known, ...] = ()
    spoken_traps: bool = False
    against: str = ""
    pairs_per_item: int | None = None
    trim: bool = False
    gain: Gain | None = None
    stage: str = "estimation"
    method: Method = "corrected"
    seed: int = 0


_OF_ONE = {"manual_beside", "given_missing", "few_items", "few_raters", "few_shared", "idle_raters", "unknown_lengths"}


@dataclass(frozen=True, slots=True)
class Told:
    """Something an owner ought to know of a plan; its sentence stands under ``[plan]`` of the strings of rating."""

    name: str
    values: Mapping[str, Any]

    def sentence(self, language: str) -> str:
        """The sentence in ``language``; one of a thing is worded apart."""
        is_one = self.name in _OF_ONE and self.values["n"] == 1
        return text(f"rating.plan.{self.name}{'_one' if is_one else ''}", language, **self.values)


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a study is.

    Attributes:
        instances: that pass the filter. left_out: of those, by why they cannot be rated.
        items: that are rated. presentations: over all raters and passes, checks and repeats among them.
        rated, repeats, gold, traps, training: of the presentations.
    """

    instances: int
    left_out: Mapping[str, int]
    items: int
    systems: tuple[str, ...]
    raters: int
    presentations: int
    rated: int
    repeats: int
    gold: int
    traps: int
    training: int


@dataclass(frozen=True, slots=True)
class RaterLoad:
    """What one rater is asked: presentations and minutes over all passes; ``items`` they rate, ``shared`` with others.

    ``minutes`` are clips at 1x, the gap between them and the protocol's time for an answer; breaks are not in it.
    """

    rater_id: int
    items: int
    shared: int
    presentations: int
    minutes: float


@dataclass(frozen=True, slots=True)
class Precision:
    """How sharp one pass can be: half-widths of 95 % intervals, reckoned with ``assumed`` before there are ratings.

    All are in steps of the scale, or shares from 0 to 1 where the protocol counts a share.

    Attributes:
        n: items with an equal weight that the drawn ones are worth.
        half_width: of one system's mean, for items like these. half_width_run: for exactly the items drawn from.
        difference: between two systems that shows in four of five studies; None with one system.
    """

    protocol: str
    is_share: bool
    n: float
    half_width: float | None
    half_width_run: float | None
    difference: float | None
    assumed: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """One rater's pass; ``number`` is the pass, from 1."""

    rater_id: int
    protocol: Protocol
    number: int
    assignments: tuple[NewAssignment, ...]


@dataclass(frozen=True, slots=True)
class SpokenTrap:
    """A trap clip to be made of the answer ``response_id``: it ends with a voice that asks for the digit ``key``."""

    protocol: str
    response_id: int
    key: str


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """A study that may be looked at, and then stored by ``create_study``; nothing of it is stored yet.

    Attributes:
        strata: of each stratum, how many items were drawn and how many there are; one named "" without strata.
        fixes: what is evened out on playback, as far as all passes allow it.
        spoken: trap clips that are made when the study is stored; until then their assignments name the answers that
            they are made of.
    """

    design: Design
    protocols: tuple[Protocol, ...]
    counts: Counts
    loads: tuple[RaterLoad, ...]
    precision: tuple[Precision, ...]
    strata: Mapping[str, tuple[int, int]]
    warnings: tuple[Told, ...]
    fixes: Fixes
    sessions: tuple[PlannedSession, ...]
    spoken: tuple[SpokenTrap, ...] = ()

    @property
    def response_ids(self) -> tuple[int, ...]:
        """Every answer that is rated, each once: what the leak check looks at."""
        found: dict[int, None] = {}
        for session in self.sessions:
            for entry in session.assignments:
                if entry.kind == "rated":
                    found[entry.response_id] = None
                    if entry.other_response_id is not None:
                        found[entry.other_response_id] = None
        return tuple(found)

    @property
    def played_ids(self) -> tuple[int, ...]:
        """Every answer that is put before a rater, those of known rating too, each once."""
        every = (entry for session in self.sessions for entry in session.assignments)
        both = (number for entry in every for number in (entry.response_id, entry.other_response_id))
        return tuple(dict.fromkeys(number for number in both if number is not None))
