"""What came out otherwise between two derived rows of an answer: verdicts, states, scores, rates at the cut."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from engine.scoring.verdicts import ERROR_RATE_CUT, METHODS, Method

Subject = Literal["text", "speech", "error_rate"]
Kind = Literal["verdict", "state", "score", "cut"]

#: The columns of a derived row that flips are read from.
COLUMNS = (
    "response_id", "language", "word_error_rate", "syllable_error_rate", "published_error_rate",
    "recogniser_id", "published_recogniser_id",
    *(f"{method}_{name}" for method in METHODS for name in ("state", "why", "verdict", "score", "maker_id")),
    *(f"{method}_s2s_{name}" for method in METHODS for name in ("state", "why", "verdict")),
)  # fmt: skip
# Where nobody had looked yet, a first result is no flip.
_NOT_YET = frozenset(("not_judged_yet", "not_recognised_yet"))


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a flip: ``value`` is a score, or an error rate; ``maker_id`` is who gave it."""

    state: str
    verdict: str | None = None
    value: float | None = None
    why: str | None = None
    maker_id: int | None = None

    @property
    def said(self) -> str:
        """The verdict, else ``under`` or ``over`` the cut for a rate, else the state."""
        return self.verdict or self.state


@dataclass(frozen=True, slots=True)
class Flip:
    """One thing about an answer that is otherwise than before, under one method."""

    response_id: int
    method: Method
    subject: Subject
    kind: Kind
    before: Side
    after: Side


@dataclass(frozen=True, slots=True)
class FlipGroup:
    """The answers that flipped the same way, under one method or under ``both``.

    ``before`` and ``after`` are verdicts, states, under or over the cut, or "" for a score, with how many rose.
    """

    method: Method | Literal["both"]
    subject: Subject
    kind: Kind
    before: str
    after: str
    response_ids: tuple[int, ...]
    risen: int = 0


def flips_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Flip]:
    """The flips of one answer from two of its derived rows, made by whatever makers or rules.

    A first result is no flip: nothing was known before. A verdict on the speech that only follows the text's is not
    told twice.
    """
    number, found = int(after["response_id"]), []
    for method in METHODS:
        text = (_text(before, method), _text(after, method))
        speech = _turned_by(text, (_speech(before, method), _speech(after, method)))
        rate = (_rate(before, method), _rate(after, method))
        subjects: list[tuple[Subject, tuple[Side, Side]]] = [("text", text), ("error_rate", rate)]
        if not all(_same(own, of_text) for own, of_text in zip(speech, text)):
            subjects.insert(1, ("speech", speech))
        for subject, (was, now) in subjects:
            kind = _kind(subject, was, now)
            if kind is not None:
                found.append(Flip(number, method, subject, kind, was, now))
    return found


def is_result(row: Mapping[str, Any]) -> bool:
    """Whether a derived row says anything that could flip."""
    return any(
        row[f"{method}{part}_state"] is not None and row[f"{method}{part}_why"] not in _NOT_YET
        for method in METHODS
        for part in ("", "_s2s")
    ) or any(_rate(row, method).value is not None for method in METHODS)


def grouped(flips: Iterable[Flip]) -> list[FlipGroup]:
    """Flips of the same kind together, the most frequent first; what is alike under both methods is told once."""
    members: dict[tuple[Method, Subject, Kind, str, str], list[Flip]] = defaultdict(list)
    for flip in flips:
        ends = ("", "") if flip.kind == "score" else (flip.before.said, flip.after.said)
        members[flip.method, flip.subject, flip.kind, *ends].append(flip)
    groups = [
        FlipGroup(*head, tuple(dict.fromkeys(f.response_id for f in own)), sum(_has_risen(f) for f in own))
        for head, own in members.items()
    ]
    twice = {key for key, count in Counter(replace(g, method="both") for g in groups).items() if count == 2}
    told_once = [group for group in groups if replace(group, method="both") not in twice]
    return sorted([*twice, *told_once], key=lambda g: (-len(g.response_ids), g.method, g.subject, g.before, g.after))


def maker_pairs(flips: Iterable[Flip]) -> dict[tuple[int | None, int | None], int]:
    """How many flips lie between each two makers; None where there was none.

    The most frequent come first, those of one maker against itself (by other rules) last.
    """
    counts: dict[tuple[int | None, int | None], int] = defaultdict(int)
    for flip in flips:
        counts[flip.before.maker_id, flip.after.maker_id] += 1
    return dict(sorted(counts.items(), key=lambda entry: (entry[0][0] == entry[0][1], -entry[1])))


def told(flip: Flip) -> dict[str, Any]:
    """A flip as JSON keeps it."""
    return asdict(flip)


def from_told(entry: Mapping[str, Any]) -> Flip:
    """The flip that ``told`` gave."""
    sides = {name: Side(**entry[name]) for name in ("before", "after")}
    return Flip(entry["response_id"], entry["method"], entry["subject"], entry["kind"], **sides)


def flips_of_rows(before: Iterable[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> list[Flip]:
    """The flips of many answers; one that has no row any more is left out."""
    now = {row["response_id"]: row for row in after}
    return [flip for row in before if row["response_id"] in now for flip in flips_between(row, now[row["response_id"]])]


def _kind(subject: Subject, was: Side, now: Side) -> Kind | None:
    if was.state == "" or now.state == "" or was.why in _NOT_YET:
        return None
    if subject == "error_rate":
        return "cut" if was.verdict != now.verdict else None
    if was.state != now.state:
        return "state"
    if was.verdict != now.verdict:
        return "verdict"
    return "score" if was.value != now.value else None


def _turned_by(text: tuple[Side, Side], speech: tuple[Side, Side]) -> tuple[Side, Side]:
    """The verdicts on the speech by who turned them: where one recogniser heard both, that was who judged the text."""
    if speech[0].maker_id != speech[1].maker_id or text[0].maker_id == text[1].maker_id:
        return speech
    return replace(speech[0], maker_id=text[0].maker_id), replace(speech[1], maker_id=text[1].maker_id)


def _same(speech: Side, text: Side) -> bool:
    return (speech.state, speech.verdict, speech.why) == (text.state, text.verdict, text.why) or speech.state == ""


def _has_risen(flip: Flip) -> bool:
    was, now = flip.before.value, flip.after.value
    return was is not None and now is not None and now > was


def _text(row: Mapping[str, Any], method: Method) -> Side:
    state, why, verdict, score, maker = (
        row[f"{method}_{name}"] for name in ("state", "why", "verdict", "score", "maker_id")
    )
    return Side(state or "", verdict, score, why, maker)


def _speech(row: Mapping[str, Any], method: Method) -> Side:
    state, why, verdict = (row[f"{method}_s2s_{name}"] for name in ("state", "why", "verdict"))
    return Side(state or "", verdict, None, why, _recogniser(row, method))


def _rate(row: Mapping[str, Any], method: Method) -> Side:
    """The rate that decides on the speech, ``under`` the cut or ``over`` it; no state without a rate."""
    if method == "published":
        rate = row["published_error_rate"]
    else:
        rate = row["word_error_rate" if row["language"] == "en" else "syllable_error_rate"]
    if rate is None:
        return Side("", maker_id=_recogniser(row, method))
    return Side("scored", "under" if rate < ERROR_RATE_CUT else "over", rate, None, _recogniser(row, method))


def _recogniser(row: Mapping[str, Any], method: Method) -> int | None:
    found: int | None = row["recogniser_id" if method == "corrected" else "published_recogniser_id"]
    return found
