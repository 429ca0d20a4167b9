"""A text as written and as spoken, and which rules changed what of it, by the reader of either method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.text.draft import AppliedRule, Draft
from engine.text.normalise import spoken_form
from engine.text.published import NOT_HAN, NUMBER, read_number


@dataclass(frozen=True, slots=True)
class Change:
    """One passage that is spoken otherwise than it is written.

    Attributes:
        start, end: where ``written`` stands in the text.
        spoken_start, spoken_end: where ``spoken`` stands in what is spoken; empty for what is not said at all.
        rules: the names of the rules that fired there, in the order in which they did, each once.
    """

    start: int
    end: int
    written: str
    spoken_start: int
    spoken_end: int
    spoken: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader makes of a text: ``spoken``, and every change on the way, in the order of the text."""

    written: str
    spoken: str
    changes: tuple[Change, ...]


def reading_of(text: str, language: str = "zh", method: str = "corrected") -> Reading:
    """How ``text`` is read; all that is not in a change is spoken as it is written.

    Rules that worked on what others had made of the same passage are one change. Raises PublishedCrash where the
    published evaluator crashes.

    >>> [(change.written, change.spoken, change.rules) for change in reading_of("约100℃，**热**").changes]
    [('100℃', '一百摄氏度', ('unit',)), ('**', '', ('emphasis',)), ('**', '', ('emphasis',))]
    >>> [(change.written, change.spoken) for change in reading_of("约100℃", method="published").changes]
    [('100', '一百'), ('℃', '')]
    """
    if method == "published":
        draft = Draft(text)
        draft.rewrite("number", NUMBER, read_number)
        draft.rewrite("han", NOT_HAN, "")
        origin: Sequence[int] = draft.origin if draft.origin is not None else range(len(text))
        return Reading(text, draft.text, _changes(text, draft.text, origin, draft.rules))
    form = spoken_form(text, language)
    return Reading(text, form.text, _changes(text, form.text, form.origin, form.rules))


def _changes(text: str, spoken: str, origin: Sequence[int], applied: Sequence[AppliedRule]) -> tuple[Change, ...]:
    changes = []
    at = 0  # in what is spoken: the origins rise
    for start, end, rules in _passages(applied):
        while at < len(origin) and origin[at] < start:
            at += 1
        first = at
        while at < len(origin) and (origin[at] < end or (start == end == origin[at])):
            at += 1
        written, said = text[start:end], spoken[first:at]
        if written != said:
            changes.append(Change(start, end, written, first, at, said, rules))
    return tuple(changes)


def _passages(applied: Sequence[AppliedRule]) -> list[tuple[int, int, tuple[str, ...]]]:
    """Passages of the text that rules worked on, those that overlap joined, each with its rules."""
    ordered = sorted(enumerate(applied), key=lambda entry: (entry[1].start, entry[1].end))
    passages: list[tuple[int, int, list[tuple[int, str]]]] = []
    for turn, rule in ordered:
        if passages and rule.start < passages[-1][1]:
            start, end, rules = passages[-1]
            passages[-1] = (start, max(end, rule.end), [*rules, (turn, rule.name)])
        else:
            passages.append((rule.start, rule.end, [(turn, rule.name)]))
    return [(start, end, tuple(dict.fromkeys(name for _, name in sorted(rules)))) for start, end, rules in passages]
