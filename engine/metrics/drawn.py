"""The alignment as it is drawn: one cell per token, whose counts are the error rates that are stored."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.metrics.alignment import Alignment, align, distance
from engine.metrics.error_rates import comparable_tokens
from engine.text.places import Place, placed

CellKind = Literal["equal", "substitution", "insertion", "deletion", "mark"]
Sound = Literal["", "homophone", "tone", "reading", "other"]
Path = list[tuple[int | None, int | None]]
_Sides = tuple[tuple[str, ...], tuple[str, ...]]

PUBLISHED = "published_syllable_error_rate"
LONGEST = 20_000  # tokens of a side; what is longer is measured and not drawn
_LARGEST_TABLE = 4_000_000  # cells; above, one of the two counts may come from an alignment of its own
_FIRST = 1 << 24  # the first of two costs weighs more than any number of the second


class Cell(NamedTuple):
    """One column: a token of the text over a token of what was heard, either of them empty where it has no partner.

    Attributes:
        kind: ``mark`` for punctuation and whatever else the method does not count.
        sound: of a substitution in Chinese: ``homophone`` (same toned syllable, no syllable error), ``tone`` (same
            syllable in another tone), ``reading`` (same character, read otherwise among its neighbours) or ``other``.
        reference, hypothesis: as written, numbers as they are read.
        reference_syllable, hypothesis_syllable: toned pinyin, empty outside Chinese.
        reference_place, hypothesis_place: index among the tokens of its side, None for a mark or a missing partner.
        reference_span, hypothesis_span: where it stands in the text and in the transcript, as characters.
    """

    kind: CellKind
    reference: str
    hypothesis: str
    sound: Sound = ""
    reference_syllable: str = ""
    hypothesis_syllable: str = ""
    reference_place: int | None = None
    hypothesis_place: int | None = None
    reference_span: tuple[int, int] | None = None
    hypothesis_span: tuple[int, int] | None = None

    @property
    def is_edit(self) -> bool:
        """Whether it is a substitution, an insertion or a deletion."""
        return self.kind in ("substitution", "insertion", "deletion")


_made = partial(tuple.__new__, Cell)  # from its values in order: a third of the time of naming them, for thousands


@dataclass(frozen=True, slots=True)
class Counted:
    """One error rate of the pair; ``is_drawn`` says whether the cells add up to it, or it has a better alignment."""

    metric: str
    errors: int
    reference_length: int
    is_drawn: bool = True

    @property
    def rate(self) -> float:
        """Errors over reference length, lower is better, may exceed 1.

        NaN for an empty reference, which the published rules call 0.0.
        """
        if not self.reference_length:
            return 0.0 if self.metric == PUBLISHED else math.nan
        return self.errors / self.reference_length


@dataclass(frozen=True, slots=True)
class DrawnAlignment:
    """The cells in order, and the rates of the pair: the one that decides first, then the one by characters."""

    cells: tuple[Cell, ...]
    counts: tuple[Counted, ...]

    def count(self, metric: str) -> Counted | None:
        """The count of one metric, None where the method or the language has none."""
        return next((counted for counted in self.counts if counted.metric == metric), None)


def drawn_alignment(
    reference: str, hypothesis: str, language: str = "zh", method: str = "corrected"
) -> DrawnAlignment | None:
    """The alignment that gives the error rates of the pair; None where a side is longer than ``LONGEST`` tokens.

    English: words. Chinese: Han characters and words, aligned so that syllables and characters both come out fewest,
    which nearly every pair allows; where it does not, syllables do and ``is_drawn`` is False for the characters.
    Published: the characters that its reader leaves. Raises PublishedCrash where the published evaluator crashes.

    >>> found = drawn_alignment("夏至到了", "下至到")
    >>> [(cell.kind, cell.sound) for cell in found.cells]
    [('substitution', 'homophone'), ('equal', ''), ('equal', ''), ('deletion', '')]
    >>> [(counted.metric, counted.errors, counted.reference_length) for counted in found.counts]
    [('syllable_error_rate', 1, 4), ('mixed_error_rate', 2, 4)]
    """
    sides = (placed(reference, language, method), placed(hypothesis, language, method))
    if max(map(len, sides)) > LONGEST:
        return None
    unit = "word" if language == "en" and method == "corrected" else "mixed"
    words = comparable_tokens(unit, reference, hypothesis, language, method)
    if unit == "word":
        path, fewest = _path(words)
        counts = [Counted("word_error_rate", fewest, len(words[0]))]
        return DrawnAlignment(_cells(_slid(path, (words,)), sides, words, None), tuple(counts))
    syllables = comparable_tokens("syllable", reference, hypothesis, language, method)
    metric = PUBLISHED if method == "published" else "syllable_error_rate"
    if any(len(spoken) != len(side) for spoken, side in zip(syllables, words)):  # kana: a run of it is one syllable
        path, fewest_words = _path(words)
        alone = align(*syllables)
        counts = [Counted(metric, alone.errors, alone.reference_length, is_drawn=False)]
        said = None
    else:
        path, fewest, fewest_words = _best_path(syllables, words)
        counts = [Counted(metric, fewest, len(syllables[0]))]
        said = syllables
    if method == "corrected":
        is_drawn = _errors(path, words) == fewest_words
        counts.append(Counted("mixed_error_rate", fewest_words, len(words[0]), is_drawn))
    both = (words,) if said is None else (words, said)
    return DrawnAlignment(_cells(_slid(path, both), sides, words, said), tuple(counts))


def _path(sides: _Sides) -> tuple[Path, int]:
    """A path with the fewest errors, and how many those are."""
    found = align(*sides)
    return list(_pairs(found)), found.errors


def _best_path(first: _Sides, second: _Sides) -> tuple[Path, int, int]:
    """A path with the fewest errors in ``first``, and as few in ``second`` as that allows; with the fewest of each."""
    fewest = distance(*first)
    by_second, fewest_second = _path(second)
    if _errors(by_second, first) == fewest:
        return by_second, fewest, fewest_second
    by_first, _ = _path(first)
    if _errors(by_first, second) == fewest_second or len(first[0]) * len(first[1]) > _LARGEST_TABLE:
        return by_first, fewest, fewest_second
    return _cheapest(first, second), fewest, fewest_second


def _cheapest(first: _Sides, second: _Sides) -> Path:
    """The path that is cheapest in ``first``, among those in ``second``: the whole table, a row at a time."""
    costs = np.zeros((len(first[0]) + 1, len(first[1]) + 1), np.int64)
    gap = _FIRST + 1
    steps = np.arange(len(first[1]) + 1, dtype=np.int64) * gap
    costs[0] = steps
    differ = [_codes(*sides) for sides in (first, second)]
    for row in range(1, len(costs)):
        swap = (differ[0][0][row - 1] != differ[0][1]) * _FIRST + (differ[1][0][row - 1] != differ[1][1])
        best = costs[row - 1] + gap
        best[1:] = np.minimum(best[1:], costs[row - 1, :-1] + swap)
        costs[row] = np.minimum.accumulate(best - steps) + steps
    path: Path = []
    ref, hyp = len(first[0]), len(first[1])
    while ref or hyp:
        swapped = (
            _FIRST * (first[0][ref - 1] != first[1][hyp - 1]) + (second[0][ref - 1] != second[1][hyp - 1])
            if ref and hyp
            else 0
        )
        if ref and hyp and costs[ref, hyp] == costs[ref - 1, hyp - 1] + swapped:
            ref, hyp = ref - 1, hyp - 1
            path.append((ref, hyp))
        elif ref and costs[ref, hyp] == costs[ref - 1, hyp] + gap:
            ref -= 1
            path.append((ref, None))
        else:
            hyp -= 1
            path.append((None, hyp))
    return path[::-1]


def _codes(reference: Sequence[str], hypothesis: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    numbers: dict[str, int] = {}
    return (
        np.array([numbers.setdefault(token, len(numbers)) for token in reference], np.int64),
        np.array([numbers.setdefault(token, len(numbers)) for token in hypothesis], np.int64),
    )


def _pairs(alignment: Alignment) -> Iterator[tuple[int | None, int | None]]:
    ref = hyp = 0
    for edit in alignment.edits:
        yield from zip(range(ref, edit.ref_start), range(hyp, edit.hyp_start))
        if edit.kind == "substitution":
            yield from zip(range(edit.ref_start, edit.ref_end), range(edit.hyp_start, edit.hyp_end))
        elif edit.kind == "deletion":
            yield from ((place, None) for place in range(edit.ref_start, edit.ref_end))
        else:
            yield from ((None, place) for place in range(edit.hyp_start, edit.hyp_end))
        ref, hyp = edit.ref_end, edit.hyp_end
    yield from zip(range(ref, len(alignment.reference)), range(hyp, len(alignment.hypothesis)))


def _slid(path: Path, units: Sequence[_Sides]) -> Path:
    """Gaps moved as far to the right as the tokens of all units allow, so that of a word said twice the second one is
    extra."""
    path = list(path)
    at = 0
    while at < len(path):
        side = 0 if path[at][1] is None else 1
        if path[at][1 - side] is not None:
            at += 1
            continue
        end = at
        while end < len(path) and path[end][1 - side] is None and path[end][side] is not None:
            end += 1
        while end < len(path):
            ref, hyp = path[end]
            first, after = path[at][side], path[end][side]
            if ref is None or hyp is None or first is None or after is None:
                break
            if any(s[0][ref] != s[1][hyp] or s[side][first] != s[side][after] for s in units):
                break
            path[at], path[end] = ((first, hyp), (after, None)) if side == 0 else ((ref, first), (None, after))
            at, end = at + 1, end + 1
        at = end
    return path


def _errors(path: Path, sides: _Sides) -> int:
    reference, hypothesis = sides
    return len(path) - sum(
        [ref is not None and hyp is not None and reference[ref] == hypothesis[hyp] for ref, hyp in path]
    )


def _cells(
    path: Path, sides: tuple[Sequence[Place], Sequence[Place]], words: _Sides, syllables: _Sides | None
) -> tuple[Cell, ...]:
    """A cell per step of the path, with the marks that stand before each token."""
    written, heard = ([place for place in side if place.token] for side in sides)
    written_marks, heard_marks = (_marks_before(side) for side in sides)
    said, sounded = syllables if syllables is not None else ([""] * len(written), [""] * len(heard))
    cells: list[Cell] = []
    for ref, hyp in path:
        if ref in written_marks or hyp in heard_marks:
            cells += _mark_cells(written_marks.get(ref), heard_marks.get(hyp))
        if ref is None:
            assert hyp is not None
            lower = heard[hyp]
            cells.append(Cell("insertion", "", lower.shown, "", "", sounded[hyp], None, hyp, None, lower[2:]))
        elif hyp is None:
            upper = written[ref]
            cells.append(Cell("deletion", upper.shown, "", "", said[ref], "", ref, None, upper[2:], None))
        else:
            kind, sound = _compared(words[0][ref], words[1][hyp], said[ref], sounded[hyp])
            upper, lower = written[ref], heard[hyp]
            made = (kind, upper[1], lower[1], sound, said[ref], sounded[hyp], ref, hyp, upper[2:], lower[2:])
            cells.append(_made(made))
    cells += _mark_cells(written_marks.get(len(written)), heard_marks.get(len(heard)))
    return tuple(cells)


def _compared(word: str, heard: str, said: str, sounded: str) -> tuple[CellKind, Sound]:
    if word == heard and said == sounded:
        return "equal", ""
    return "substitution", _sound(word, heard, said, sounded) if said else ""


def _sound(word: str, heard: str, said: str, sounded: str) -> Sound:
    if said == sounded:
        return "homophone"
    if word == heard:
        return "reading"
    is_syllable = not word.isascii() and not heard.isascii()
    return "tone" if is_syllable and said.rstrip("1234") == sounded.rstrip("1234") else "other"


def _marks_before(side: Sequence[Place]) -> dict[int | None, list[Place]]:
    """The marks before each token by its index; those at the end stand under the number of tokens."""
    found: dict[int | None, list[Place]] = {}
    places = [place for place, entry in enumerate(side) if not entry.token]
    for before, place in enumerate(places):  # as many marks as stand before it are no tokens
        found.setdefault(place - before, []).append(side[place])
    return found


def _mark_cells(written: list[Place] | None, heard: list[Place] | None) -> list[Cell]:
    """Marks of both sides at one place, side by side as far as both have some."""
    cells = []
    for index in range(max(len(written or ()), len(heard or ()))):
        upper = written[index] if written and index < len(written) else None
        lower = heard[index] if heard and index < len(heard) else None
        cells.append(
            Cell(
                "mark",
                upper.shown if upper else "",
                lower.shown if lower else "",
                reference_span=(upper.start, upper.end) if upper else None,
                hypothesis_span=(lower.start, lower.end) if lower else None,
            )
        )
    return cells
