"""The one alignment behind all error rates: which tokens were replaced, inserted and left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Levenshtein

EditKind = Literal["substitution", "insertion", "deletion"]
_KINDS: dict[str, EditKind] = {"replace": "substitution", "insert": "insertion", "delete": "deletion"}


@dataclass(frozen=True, slots=True)
class Edit:
    """One run of errors of a kind: tokens ``ref_start:ref_end`` of the reference against the hypothesis's."""

    kind: EditKind
    ref_start: int
    ref_end: int
    hyp_start: int
    hyp_end: int


@dataclass(frozen=True, slots=True)
class EditCounts:
    """Substitutions, insertions and deletions of one pair, in tokens, and the length of its reference."""

    substitutions: int
    insertions: int
    deletions: int
    reference_length: int

    @property
    def errors(self) -> int:
        """All edits together, the Levenshtein distance."""
        return self.substitutions + self.insertions + self.deletions

    @property
    def rate(self) -> float:
        """Errors over reference length, lower is better, may exceed 1; NaN for an empty reference."""
        return self.errors / self.reference_length if self.reference_length else float("nan")


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two token sequences and the fewest edits that turn the reference into the hypothesis, in order."""

    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]
    edits: tuple[Edit, ...]

    @property
    def substitutions(self) -> int:
        """Reference tokens replaced by others."""
        return sum(edit.ref_end - edit.ref_start for edit in self.edits if edit.kind == "substitution")

    @property
    def insertions(self) -> int:
        """Hypothesis tokens that nothing of the reference stands for."""
        return sum(edit.hyp_end - edit.hyp_start for edit in self.edits if edit.kind == "insertion")

    @property
    def deletions(self) -> int:
        """Reference tokens that are left out."""
        return sum(edit.ref_end - edit.ref_start for edit in self.edits if edit.kind == "deletion")

    @property
    def reference_length(self) -> int:
        """Tokens of the reference."""
        return len(self.reference)

    @property
    def counts(self) -> EditCounts:
        """The edits by kind, without the tokens."""
        return EditCounts(self.substitutions, self.insertions, self.deletions, self.reference_length)

    @property
    def errors(self) -> int:
        """All edits together, the Levenshtein distance."""
        return self.counts.errors

    @property
    def rate(self) -> float:
        """Errors over reference length, lower is better, may exceed 1; NaN for an empty reference."""
        return self.counts.rate


def align(reference: Sequence[str], hypothesis: Sequence[str]) -> Alignment:
    """The alignment with the fewest edits (Levenshtein, each edit costs 1); two empty sequences have no edits.

    >>> found = align(["a", "b", "c"], ["a", "x", "c", "d"])
    >>> found.substitutions, found.insertions, found.deletions, round(found.rate, 3)
    (1, 1, 0, 0.667)
    """
    codes = Levenshtein.opcodes(reference, hypothesis)
    edits = tuple(
        Edit(_KINDS[code.tag], code.src_start, code.src_end, code.dest_start, code.dest_end)
        for code in codes
        if code.tag != "equal"
    )
    return Alignment(tuple(reference), tuple(hypothesis), edits)


def distance(reference: Sequence[str], hypothesis: Sequence[str]) -> int:
    """The ``errors`` of ``align``, without the edits: many times as fast.

    >>> distance(["a", "b", "c"], ["a", "x", "c", "d"])
    2
    """
    return Levenshtein.distance(reference, hypothesis)


def count_edits(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> list[EditCounts]:
    """The counts of ``align`` for many pairs of reference and hypothesis, without building the alignments."""
    return [_counts(reference, hypothesis) for reference, hypothesis in pairs]


def _counts(reference: Sequence[str], hypothesis: Sequence[str]) -> EditCounts:
    edits = Levenshtein.editops(reference, hypothesis)
    length, heard, errors = len(reference), len(hypothesis), len(edits)
    matches = sum([block.size for block in edits.as_matching_blocks()])
    # length = M + S + D, heard = M + S + I and errors = S + I + D leave one S for the matches M of this alignment.
    substitutions = length + heard - 2 * matches - errors
    rest = matches + substitutions
    return EditCounts(substitutions, heard - rest, length - rest, length)
