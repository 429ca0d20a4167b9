"""Where speech and text part: passages left out, repeated, broken off, added, or unrelated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from engine.metrics.alignment import Alignment, Edit, align
from engine.text.pinyin import toned_syllables
from engine.text.tokens import tokens_of

MismatchKind = Literal["omission", "repetition", "truncation", "insertion", "unrelated"]


@dataclass(frozen=True, slots=True)
class Limits:
    """From how many tokens on a difference is a mismatch and not a recogniser's slip."""

    passage: int  # left out or added in one piece
    end: int  # missing or added at the end, where a speaker breaks off and a recogniser invents
    repeat: int  # said once more, in all
    unrelated: int  # other words in place of the right ones


LIMITS = {
    "zh": Limits(passage=6, end=4, repeat=4, unrelated=14),
    "en": Limits(passage=4, end=3, repeat=3, unrelated=10),
}
ISLAND = 2  # matching tokens inside a passage that are taken for chance
REMAINDER = 0.4  # of a passage left out (or added) may stand against something on the other side
SAME = 0.75  # of a repeated passage must sound like its model
CHANCE = 0.3  # two texts that share less of the shorter one are unrelated
LETTERS_A_SYLLABLE = 2.5  # a foreign word in Chinese counts as the syllables a recogniser may write for it
_LONGEST_SYLLABLE = 6  # letters of zhuang; what is longer is a foreign word
LONGEST_PERIOD = 12  # tokens; longer loops are found by where their first words recur


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One passage. ``start:end`` are token indices (Han characters, words), in the hypothesis for ``insertion`` and
    ``repetition``, else in the reference; ``text`` is the passage, or what is repeated; ``count`` is how often
    a repeated passage is said in all, else 1.
    """

    kind: MismatchKind
    start: int
    end: int
    count: int
    text: str


@dataclass(frozen=True, slots=True)
class _Block:
    """A stretch of edits: ``ref_start:ref_end`` of the reference stands against ``hyp_start:hyp_end``."""

    ref_start: int
    ref_end: int
    hyp_start: int
    hyp_end: int
    matched: int = 0  # chance matches inside

    @property
    def lost(self) -> int:
        return self.ref_end - self.ref_start

    @property
    def added(self) -> int:
        return self.hyp_end - self.hyp_start


def mismatches(reference: str, hypothesis: str, language: str = "zh") -> tuple[Mismatch, ...]:
    """The passages where what is heard is not what is written, in order; empty when only single words differ.

    Han characters are compared by toneless syllables, since a recogniser writes homophones. Nothing heard at all is one
    omission; something heard for an empty text is an insertion once it is as long as a passage.

    >>> [(m.kind, m.count) for m in mismatches("今天天气很好", "今天天气很好今天天气很好今天天气很好")]
    [('repetition', 3)]
    """
    written, heard = (tokens_of(side, "mixed", language) for side in (reference, hypothesis))
    limits = LIMITS.get(language, LIMITS["zh"])
    if written and not heard:
        return (Mismatch("omission", 0, len(written), 1, _joined(written)),)
    alignment = align(_sounds(written), _sounds(heard))
    if _is_unrelated(alignment):
        return (Mismatch("unrelated", 0, len(written), 1, _joined(written)),)
    found = (_judged(_slid(block, alignment), alignment, limits, language) for block in _blocks(alignment.edits))
    return tuple(_worded(mismatch, written, heard) for mismatch in found if mismatch is not None)


def _sounds(tokens: Sequence[str]) -> list[str]:
    """Tokens as they sound: toneless syllables for Han, words as they are; one item per token."""
    sounds: list[str] = []
    for is_word, run in groupby(tokens, key=lambda token: len(token) > 1 or token.isascii()):
        items = list(run)
        said = items if is_word else [syllable.rstrip("1234") for syllable in toned_syllables("".join(items))]
        sounds += said if len(said) == len(items) else items
    return sounds


def _is_unrelated(alignment: Alignment) -> bool:
    lengths = len(alignment.reference), len(alignment.hypothesis)
    matched = lengths[0] - alignment.substitutions - alignment.deletions
    return min(lengths) >= 4 and max(lengths) >= 6 and matched < CHANCE * min(lengths)


def _blocks(edits: Sequence[Edit]) -> list[_Block]:
    """Edits that touch, or are parted by a chance match alone, as one block."""
    blocks: list[_Block] = []
    for edit in edits:
        block = _Block(edit.ref_start, edit.ref_end, edit.hyp_start, edit.hyp_end)
        while blocks and _belong(blocks[-1], block):
            last = blocks.pop()
            matched = last.matched + block.matched + block.ref_start - last.ref_end
            block = replace(block, ref_start=last.ref_start, hyp_start=last.hyp_start, matched=matched)
        blocks.append(block)
    return blocks


def _belong(first: _Block, second: _Block) -> bool:
    island = second.ref_start - first.ref_end
    if island == 0:
        return True
    excess = (first.lost - first.added) * (second.lost - second.added)
    return island <= ISLAND and min(map(_size, (first, second))) > island and excess >= 0


def _size(block: _Block) -> int:
    return max(block.lost, block.added)


def _slid(block: _Block, alignment: Alignment) -> _Block:
    """A passage left out, moved as far to the right as the words allow: ``AB|CAB`` for ``A|BCA|B``."""
    reference = alignment.reference
    start, end = block.ref_start, block.ref_end
    if block.added or not block.lost:
        return block
    while end < len(reference) and reference[start] == reference[end]:
        start, end = start + 1, end + 1
    if end != len(reference):
        return block
    moved = start - block.ref_start
    return _Block(start, end, block.hyp_start + moved, block.hyp_end + moved)


def _judged(block: _Block, alignment: Alignment, limits: Limits, language: str) -> Mismatch | None:
    lost = _weight(alignment.reference[block.ref_start : block.ref_end], language)
    added = _weight(alignment.hypothesis[block.hyp_start : block.hyp_end], language)
    excess = lost - added
    at_end = block.ref_end == len(alignment.reference) and block.hyp_end == len(alignment.hypothesis)
    passage = limits.end if at_end else limits.passage
    if excess >= passage and added <= REMAINDER * lost:
        return Mismatch("truncation" if at_end else "omission", block.ref_start, block.ref_end, 1, "")
    if -excess >= min(limits.repeat, passage) and lost <= REMAINDER * added:
        period = _period(alignment.hypothesis, block.hyp_start, block.hyp_end)
        if period:
            return Mismatch("repetition", block.hyp_start, block.hyp_end, _times(block.added, period), "")
        if -excess >= passage:
            return Mismatch("insertion", block.hyp_start, block.hyp_end, 1, "")
    if min(lost, added) >= limits.unrelated and block.matched <= (1 - SAME) * min(lost, added):
        return Mismatch("unrelated", block.ref_start, block.ref_end, 1, "")
    return None


def _weight(sounds: Sequence[str], language: str) -> float:
    """The length of a passage in tokens of the language, foreign words by their letters."""
    if language == "en":
        return len(sounds)
    return sum(max(1.0, len(sound) / LETTERS_A_SYLLABLE) if len(sound) > _LONGEST_SYLLABLE else 1.0 for sound in sounds)


def _period(sounds: Sequence[str], start: int, end: int) -> int:
    """At which distance ``start:end`` says again what stands before or after it; 0 when it is new."""
    distances = set(range(1, min(LONGEST_PERIOD, end - start) + 1))
    width = min(3, end - start)
    for place in {start, (start + end - width) // 2, end - width}:
        model = sounds[place : place + width]
        recurs = (at for at in range(len(sounds) - width + 1) if sounds[at : at + width] == model)
        distances.update(abs(at - place) for at in recurs if at != place)
    for distance in sorted(distances)[:200]:
        if _alike(sounds, start, end, distance) >= SAME * (end - start):
            return distance
    return 0


def _alike(sounds: Sequence[str], start: int, end: int, distance: int) -> int:
    return sum(
        (at >= distance and sounds[at - distance] == sounds[at])
        or (at + distance < len(sounds) and sounds[at + distance] == sounds[at])
        for at in range(start, end)
    )


def _times(added: int, period: int) -> int:
    return 1 + max(1, round(added / period))


def _worded(mismatch: Mismatch, written: Sequence[str], heard: Sequence[str]) -> Mismatch:
    side = heard if mismatch.kind in ("insertion", "repetition") else written
    end = mismatch.end
    if mismatch.kind == "repetition":
        end = mismatch.start + max(1, round((end - mismatch.start) / (mismatch.count - 1)))
    return replace(mismatch, text=_joined(side[mismatch.start : end]))


def _joined(tokens: Sequence[str]) -> str:
    """Tokens as one text: Han characters close up, words with blanks."""
    said = ""
    for token in tokens:
        said += (" " if said[-1:].isascii() and said and token.isascii() else "") + token
    return said
