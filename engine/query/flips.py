"""How the opinions on one answer moved: against their own repeats, and from one maker of a judge to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.query.told import JudgementTold, MakerTold

Said = tuple[str, str | float | None]
Difference = Literal["model", "rubric", "version", "settings"]


@dataclass(frozen=True, slots=True)
class Opinion:
    """One judgement, and whether it says something else than most of its maker's repeats."""

    judgement: JudgementTold
    is_odd: bool


@dataclass(frozen=True, slots=True)
class Round:
    """All repeats of one judge by one maker, in the order of their numbers.

    Attributes:
        said: what most of them say: the state, and the verdict (else the score) where it is a score; of as many on
            both sides, the one that was said first.
        before: what the round before said where this one says something else; None where it agrees or is the first.
        differs_in: in what this maker is another than the one before; empty for the first.
    """

    judge: str
    maker: MakerTold
    opinions: tuple[Opinion, ...]
    said: Said
    before: Said | None
    differs_in: tuple[Difference, ...]

    @property
    def odd_count(self) -> int:
        """Repeats that say something else than most."""
        return sum(opinion.is_odd for opinion in self.opinions)


def rounds_of(judgements: Sequence[JudgementTold]) -> tuple[Round, ...]:
    """The rounds of every judge, each judge's in the order in which their makers first judged.

    A state that is no score flips as a verdict does: a reply that can no longer be read is told.
    """
    grouped: dict[str, dict[int, list[JudgementTold]]] = {}
    for judgement in sorted(judgements, key=lambda judgement: judgement.id):
        grouped.setdefault(judgement.judge, {}).setdefault(judgement.maker.id, []).append(judgement)
    return tuple(made for by_maker in grouped.values() for made in _rounds(list(by_maker.values())))


def said_of(judgement: JudgementTold) -> Said:
    """The state of a judgement, and its verdict (else its score) where it is a score."""
    if judgement.state != "scored":
        return judgement.state, None
    return judgement.state, judgement.verdict if judgement.verdict is not None else judgement.score


def _rounds(groups: list[list[JudgementTold]]) -> list[Round]:
    rounds: list[Round] = []
    for group in groups:
        ordered = sorted(group, key=lambda judgement: (judgement.repeat, judgement.id))
        most = Counter(map(said_of, ordered)).most_common(1)[0][0]
        opinions = tuple(Opinion(judgement, said_of(judgement) != most) for judgement in ordered)
        maker, last = ordered[0].maker, rounds[-1] if rounds else None
        flipped = last is not None and last.said != most
        rounds.append(
            Round(
                ordered[0].judge,
                maker,
                opinions,
                most,
                last.said if last is not None and flipped else None,
                _differences(last.maker, maker) if last is not None else (),
            )
        )
    return rounds


def _differences(one: MakerTold, other: MakerTold) -> tuple[Difference, ...]:
    pairs: tuple[tuple[Difference, bool], ...] = (
        ("model", (one.kind, one.name, one.weights_sha256) != (other.kind, other.name, other.weights_sha256)),
        ("rubric", one.rubric_sha256 != other.rubric_sha256),
        ("version", one.code_version != other.code_version),
        ("settings", dict(one.settings) != dict(other.settings)),
    )
    return tuple(name for name, differs in pairs if differs)
