"""What the blind-leak check is asked and what it says; nowhere in it stands which system is which."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from engine.rating.values import Gain

#: Answers to fewer questions than this are too few to tell anything from.
FEWEST_ITEMS = 10
#: Above chance counts what has a smaller p. Two things are looked at, all cues together and each cue (after Holm), so
#: that one study in twenty without a leak is suspected.
LEVEL = 0.025
_STRONGEST = 3

Remedy = Literal["trim", "gain", "leave_out", "none"]
Where = Literal["text", "transcript"]


@dataclass(frozen=True, slots=True)
class Fixes:
    """What is evened out on playback; the files stay as they are."""

    trim: bool = False
    gain: Gain = "none"


@dataclass(frozen=True, slots=True)
class ClipFix:
    """How one clip is played: from ``skip_s`` on, ``gain_db`` louder, to ``stop_s`` where silence follows.

    ``stop_s`` None plays it to its end.
    """

    skip_s: float = 0.0
    gain_db: float = 0.0
    stop_s: float | None = None

    def declaration(self) -> list[float | None]:
        """As it stands in a study's design; ``ClipFix.of`` reads it back, also where ``stop_s`` is missing."""
        return [self.skip_s, self.gain_db, self.stop_s]

    @classmethod
    def of(cls, told: list[float | None]) -> ClipFix:
        """The fix that ``declaration`` gave."""
        return cls(told[0] or 0.0, told[1] or 0.0, told[2] if len(told) > 2 else None)


@dataclass(frozen=True, slots=True)
class Cue:
    """One thing a system may be told by.

    Attributes:
        id: leading_silence, trailing_silence, level, noise_floor, bandwidth, length, speaking_rate, opening,
            written_length, writing, name; of the file alone sample_rate, coding.
        is_heard: a rater meets it; else only somebody who opens the files.
        guess_rate: share 0..1 of answers whose system was guessed right from this alone; ``p`` by permutation,
            ``adjusted_p`` after Holm over all cues.
        clearest: of the one system that is told best, the smaller of: how many of its answers were guessed right,
            and how many guesses at it were right.
        apart, others: the middle value of that system, and of the rest; None where the cue is no number.
        remedy: what on playback removes it; ``none`` where it is what the answer is.
    """

    id: str
    is_heard: bool
    guess_rate: float
    p: float
    adjusted_p: float
    clearest: float
    apart: float | None
    others: float | None
    remedy: Remedy

    @property
    def leaks(self) -> bool:
        """Whether the system can be told from it."""
        return self.adjusted_p < LEVEL


@dataclass(frozen=True, slots=True)
class NameSaid:
    """A system's or a vendor's name in an answer.

    Attributes:
        where: in the answer's own text, or in what a recogniser heard; ``start`` and ``end`` count its characters.
        said: the words as they stand there. name: the name they stand for.
        by_sound: they are written otherwise and only sound like it.
        introduces: the answer speaks of itself there ("I am ...").
        start_s, end_s: where it is said, if the recogniser gave times.
    """

    response_id: int
    response_uid: str
    where: Where
    said: str
    name: str
    start: int
    end: int
    by_sound: bool
    introduces: bool
    start_s: float | None = None
    end_s: float | None = None


@dataclass(frozen=True, slots=True)
class LeakReport:
    """Whether raters could tell the systems apart before they hear what is to be rated.

    Attributes:
        guess_rate: share 0..1 of answers whose system a guesser finds that has learned on other questions, from all
            that is heard taken together; None where there are too few questions. ``p`` by permutation of the systems
            within each question.
        chance: the rate of a guesser who knows only which systems answered each question.
        detectable: a rate up to this could be chance with so many answers (95 of 100 permutations stay under it).
        cues: the strongest first.
        fixes: what was evened out for this check; never more than the protocol allows, which is ``allowed``.
        n: questions that at least two systems answered. answers: to those. systems: whose.
        left_out: answers that could not be looked at: without sound, unreadable, or alone.
    """

    guess_rate: float | None
    chance: float | None
    p: float | None
    detectable: float | None
    cues: tuple[Cue, ...]
    name_sayers: tuple[NameSaid, ...]
    fixes: Fixes
    n: int
    answers: int
    systems: int
    left_out: int
    allowed: Fixes = Fixes()

    @property
    def is_enough(self) -> bool:
        """Whether there were enough questions for a rate."""
        return self.guess_rate is not None

    @property
    def leaking(self) -> tuple[Cue, ...]:
        """The cues a rater can tell a system by, the strongest first."""
        return tuple(cue for cue in self.cues if cue.leaks and cue.is_heard)

    @property
    def strongest(self) -> tuple[Cue, ...]:
        """Where only all cues together tell the systems apart: those that add most to it, three at most."""
        if self.leaking or not self.is_told_together:
            return ()
        heard = sorted((cue for cue in self.cues if cue.is_heard), key=lambda cue: (cue.p, -cue.guess_rate))
        telling = [cue for cue in heard if cue.guess_rate > (self.chance or 0.0)]
        return tuple((telling or heard)[:_STRONGEST])

    @property
    def in_files(self) -> tuple[Cue, ...]:
        """The cues that only somebody who opens the files can tell a system by."""
        return tuple(cue for cue in self.cues if cue.leaks and not cue.is_heard)

    @property
    def is_told_together(self) -> bool:
        """Whether all cues together tell more than chance."""
        return self.p is not None and self.p < LEVEL

    @property
    def is_told_apart(self) -> bool:
        """Whether a rater could tell the systems apart, by all cues together or by one of them."""
        return bool(self.leaking) or self.is_told_together

    @property
    def is_leaking(self) -> bool:
        """Whether they are told apart, or an answer says a name."""
        return self.is_told_apart or bool(self.name_sayers)

    @property
    def saying_their_name(self) -> frozenset[int]:
        """The answers in which a name is said, to be flagged or left out."""
        return frozenset(said.response_id for said in self.name_sayers)

    def declaration(self) -> dict[str, Any]:
        """The whole of it as JSON values, for ``study.leaks``; ``LeakReport.of`` reads it back."""
        told: dict[str, Any] = json.loads(json.dumps(asdict(self), ensure_ascii=False))
        return told

    @classmethod
    def of(cls, declaration: Mapping[str, Any]) -> LeakReport:
        """The report that ``declaration`` gave."""
        return cls(
            **{
                **declaration,
                "cues": tuple(Cue(**cue) for cue in declaration["cues"]),
                "name_sayers": tuple(NameSaid(**said) for said in declaration["name_sayers"]),
                "fixes": Fixes(**declaration["fixes"]),
                "allowed": Fixes(**declaration.get("allowed", {})),
            }
        )
