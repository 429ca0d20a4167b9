"""Where the tokens that error rates count stand in the text as it was written, and the marks between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from engine.text.draft import Draft
from engine.text.normalise import spoken_form
from engine.text.published import NOT_HAN, NUMBER, read_number
from engine.text.tokens import RUN

_APART = re.compile(r"[^\W_]+|\S")


class Place(NamedTuple):
    """A token, or a mark that is not counted, with where it was written.

    Attributes:
        token: what is counted (small letters, digits as words); empty for a mark.
        shown: the token in the spelling of the text where it stands there as it is, else what it is read as.
        start: where what it comes from begins in the text.
        end: where that ends; 二 and 百 of ``200`` have the same place.
    """

    token: str
    shown: str
    start: int
    end: int

    @property
    def is_mark(self) -> bool:
        """Whether it is punctuation, or whatever else the method does not count."""
        return not self.token


_made = partial(tuple.__new__, Place)  # from its values in order, for thousands


def placed(text: str, language: str = "zh", method: str = "corrected") -> tuple[Place, ...]:
    """Tokens (Han characters and words) and marks of ``text``, in order; the tokens are those of ``tokens_of``.

    Corrected: of the unit ``mixed``, the same as ``word``. Published: the Han characters its reader leaves, with what
    it drops as marks. Raises PublishedCrash where the published evaluator crashes.

    >>> [(place.token, place.shown, text) for place, text in zip(placed("Hi，200元"), ("Hi", "，", "200", "200", "元"))]
    [('hi', 'Hi', 'Hi'), ('', '，', '，'), ('二', '二', '200'), ('百', '百', '200'), ('元', '元', '元')]
    """
    return _published(text) if method == "published" else _corrected(text, language)


def _corrected(text: str, language: str) -> tuple[Place, ...]:
    form = spoken_form(text, language)
    starts, ends = _sources(form.origin, text)
    places: list[Place] = []
    done = 0
    for match in RUN.finditer(form.text):
        at, after = match.span()
        if done < at:
            places += _marks(form.text, done, at, starts)
        done = after
        start, end = starts[at], ends[after - 1]
        if not match[1]:
            places.append(Place(match[0].lower().replace("'", ""), _spelling(text[start:end], match[0]), start, end))
        elif text[start:end] == match[1]:  # nearly all of a Chinese text
            places += map(_made, zip(match[1], match[1], starts[at:after], ends[at:after]))
        else:
            characters = zip(match[1], starts[at:after], ends[at:after])
            places += [
                Place(token, _spelling(text[first:last], token), first, last) for token, first, last in characters
            ]
    places += _marks(form.text, done, len(form.text), starts)
    return tuple(places)


def _published(text: str) -> tuple[Place, ...]:
    draft = Draft(text)
    draft.rewrite("number", NUMBER, read_number)
    draft.rewrite("han", NOT_HAN, "")
    origin = draft.origin if draft.origin is not None else range(len(text))
    places: list[Place] = []
    done = 0
    for character, start in zip(draft.text, origin):
        places += [Place("", mark[0], done + mark.start(), done + mark.end()) for mark in _apart(text[done:start])]
        is_number = character != text[start]
        number = NUMBER.match(text, start) if is_number else None
        done = number.end() if number else start + 1
        places.append(Place(character, character, start, done))
    places += [Place("", mark[0], done + mark.start(), done + mark.end()) for mark in _apart(text[done:])]
    return tuple(places)


def _apart(text: str) -> list[re.Match[str]]:
    return list(_APART.finditer(text))


def _marks(form: str, start: int, end: int, starts: Sequence[int]) -> list[Place]:
    indices = [index for index in range(start, end) if not form[index].isspace()]
    return [_made(("", form[index], starts[index], starts[index] + 1)) for index in indices]


def _sources(origin: Sequence[int], text: str) -> tuple[Sequence[int], Sequence[int]]:
    """Where the source of each character begins and ends: at the next source, the last at the end of the text.

    Letters that were replaced by as many others, as 後 in a phrase by 后, stand for one another one by one.
    """
    if isinstance(origin, range):  # nothing was rewritten
        return origin, range(origin.start + 1, origin.stop + 1)
    starts, ends = list(origin), [place + 1 for place in origin]
    first = 0
    while first < len(origin):
        last = first + 1
        if last < len(origin) and origin[last] == origin[first] + 1:
            first = last  # stands for itself
            continue
        while last < len(origin) and origin[last] == origin[first]:
            last += 1
        end = origin[last] if last < len(origin) else len(text)
        source = text[origin[first] : end].rstrip()
        one_by_one = last - first > 1 and len(source) == last - first and source.isalpha()
        for index in range(first, last):
            starts[index] = origin[first] + (index - first if one_by_one else 0)
            ends[index] = starts[index] + 1 if one_by_one or last - first == 1 else origin[first] + len(source)
        if last - first == 1 and len(source) > 1 and not source[0].isalpha():
            ends[first] = origin[first] + len(source)
        first = last
    return starts, ends


def _spelling(written: str, read: str) -> str:
    """``read`` as it is written, where that is letters of the same length."""
    return written if len(written) == len(read) and written.isalpha() else read
