"""Looks for names of systems and vendors in what an answer says, however they are written or heard."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from engine.rating.leaks.names import Pattern, introductions, patterns_of, toneless
from engine.rating.leaks.values import NameSaid, Where
from engine.store.blind_answers import BlindAnswer, Word
from engine.text.script import fold

_HAN_RUN = re.compile("[\u4e00-\u9fff]+")
_BLANKS_IN_HAN = re.compile("(?<=[\u4e00-\u9fff])\\s+(?=[\u4e00-\u9fff])")
_NOT_SQUEEZED = re.compile("[^a-z0-9\u4e00-\u9fff]+")
_SENTENCE_END = re.compile(r"[。！？!?\n;；]|[.](?=\s|$)")


def names_said(answer: BlindAnswer, systems: tuple[str, ...] = ()) -> tuple[NameSaid, ...]:
    """Every place where the answer's text or transcript has a name, in order; ``systems`` as the store names them.

    A name that the question itself has counts only where the answer speaks of itself.
    """
    asked = {found.pattern.name for found in _found(_Text.of(answer.asked), systems)}
    places: list[tuple[Where, str | None]] = [("text", answer.text), ("transcript", answer.transcript)]
    return tuple(
        _said(answer, where, written, found)
        for where, written in places
        if written
        for found in _found(_Text.of(written), systems)
        if found.introduces or found.pattern.name not in asked
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """A pattern and where it stands, in characters of the text as it was written."""

    pattern: Pattern
    start: int
    end: int
    introduces: bool


@dataclass(frozen=True)
class _Text:
    """A text folded character by character; ``places`` are those of the folded characters in what was written.

    Blanks between two Han characters are left out: a recogniser may put them anywhere.
    """

    folded: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, written: str) -> _Text:
        pairs = [(part, place) for place, character in enumerate(written) for part in _folded(character)]
        folded = "".join(part for part, _ in pairs)
        blanks = {place for match in _BLANKS_IN_HAN.finditer(folded) for place in range(*match.span())}
        kept = [pair for place, pair in enumerate(pairs) if place not in blanks]
        return cls("".join(part for part, _ in kept), tuple(place for _, place in kept))

    @cached_property
    def squeezed(self) -> str:
        return _NOT_SQUEEZED.sub("", self.folded)

    @cached_property
    def runs(self) -> list[tuple[int, str]]:
        """Where each run of Han begins, and its syllables with a blank around each."""
        found = []
        for match in _HAN_RUN.finditer(self.folded):
            said = toneless(match[0])
            if len(said) == len(match[0]):
                found.append((match.start(), f" {' '.join(said)} "))
        return found

    def is_in(self, word: str, start: int, end: int) -> bool:
        """Whether what stands from ``start`` to ``end`` is a part of ``word`` there."""
        reach = len(word) - (end - start)
        return word in self.folded[max(0, start - reach) : end + reach]

    def introduces(self, start: int) -> bool:
        """Whether the answer begins to speak of itself shortly before ``start``."""
        for introduction in introductions():
            before = _SENTENCE_END.split(self.folded[max(0, start - introduction.within) : start])[-1]
            if introduction.leads_to(before):
                return True
        return False


@lru_cache(maxsize=8192)
def _folded(character: str) -> str:
    plain = unicodedata.normalize("NFD", fold(character))
    return "".join(part for part in plain if not unicodedata.combining(part)).replace("’", "'")


def _found(text: _Text, systems: tuple[str, ...]) -> list[_Found]:
    """Every name in the text, the longer of two that overlap; what is written before what only sounds so."""
    every = [
        _Found(pattern, start, end, text.introduces(start))
        for pattern in patterns_of(systems)
        for start, end in _spans(pattern, text)
        if not any(text.is_in(word, start, end) for word in pattern.but_not)
    ]
    counted = [found for found in every if found.introduces or not found.pattern.needs_introduction]
    kept: list[_Found] = []
    for found in sorted(counted, key=lambda one: (one.start - one.end, one.pattern.by_sound)):
        if all(found.end <= other.start or other.end <= found.start for other in kept):
            kept.append(found)
    return [_as_written(found, text) for found in sorted(kept, key=lambda one: one.start)]


def _spans(pattern: Pattern, text: _Text) -> Iterator[tuple[int, int]]:
    if pattern.syllables:
        wanted = f" {pattern.syllables} "
        for start, said in text.runs:
            at = said.find(wanted)
            while at >= 0:
                first = start + said.count(" ", 0, at)
                yield first, first + pattern.syllables.count(" ") + 1
                at = said.find(wanted, at + 1)
    elif pattern.squeezed in text.squeezed:
        found = pattern.latin.finditer(text.folded) if pattern.latin else re.finditer(pattern.squeezed, text.folded)
        yield from (match.span() for match in found)


def _as_written(found: _Found, text: _Text) -> _Found:
    return replace(found, start=text.places[found.start], end=text.places[found.end - 1] + 1)


def _said(answer: BlindAnswer, where: Where, written: str, found: _Found) -> NameSaid:
    times = _times(written, answer.words, found) if where == "transcript" else (None, None)
    return NameSaid(
        response_id=answer.id,
        response_uid=answer.uid,
        where=where,
        said=written[found.start : found.end],
        name=found.pattern.name,
        start=found.start,
        end=found.end,
        by_sound=found.pattern.by_sound or bool(found.pattern.syllables),
        introduces=found.introduces,
        start_s=times[0],
        end_s=times[1],
    )


def _times(written: str, words: Sequence[Word], found: _Found) -> tuple[float | None, float | None]:
    """When it is said, by counting characters without blanks; nothing where the words are another text."""
    spoken = [len("".join(word[0].split())) for word in words]
    if not words or sum(spoken) != len("".join(written.split())):
        return None, None
    first = len("".join(written[: found.start].split()))
    last = len("".join(written[: found.end].split())) - 1
    ends = [sum(spoken[: index + 1]) for index in range(len(spoken))]
    places = [next(index for index, end in enumerate(ends) if end > place) for place in (first, last)]
    return words[places[0]][1], words[places[1]][2]
