"""What the lanes mark: the mismatches, and the edits between them where these are few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from engine.metrics.drawn import Cell
from engine.metrics.located import MismatchSpan as Located
from engine.query.alignment import NotShown, ShownAlignment
from gui.strings import words
from gui.waveform.spans import MismatchSpan

MOST_EDITS = 16  # more small marks than this say nothing
_NAMED = 3  # tokens that are named; longer runs are counted
_KINDS = {"omission": "deletion"}


def lane_spans(shown: ShownAlignment | NotShown) -> tuple[MismatchSpan, ...]:
    """The spans of an answer that have a time, in order."""
    if not isinstance(shown, ShownAlignment):
        return ()
    spans = [span for found in shown.mismatches for span in _of_mismatch(found)]
    edits = list(_edits(shown))
    if len(edits) <= MOST_EDITS:
        spans += edits
    if shown.times.source == "estimate":
        spans = [replace(span, text=words.text("audit.detail.span.about", said=span.text)) for span in spans]
    return tuple(sorted(spans, key=lambda span: span.start_s))


def _of_mismatch(found: Located) -> list[MismatchSpan]:
    if found.start_s is None or found.end_s is None:
        return []
    count = found.count if found.kind == "repetition" else found.end_cell - found.first_cell
    said = words.text(f"audit.detail.span.{found.kind}", count=count)
    return [MismatchSpan(_KINDS.get(found.kind, found.kind), found.start_s, found.end_s, said)]


def _edits(shown: ShownAlignment) -> Iterator[MismatchSpan]:
    """Runs of skipped or added tokens that belong to no mismatch."""
    taken = {index for found in shown.mismatches for index in range(found.first_cell, found.end_cell)}
    numbered = [(index, cell) for index, cell in enumerate(shown.drawn.cells) if index not in taken]
    for kind, run in groupby(numbered, key=lambda entry: entry[1].kind):
        if kind not in ("deletion", "insertion"):
            continue
        entries = list(run)
        spans = [span for index, _ in entries if (span := shown.times.spans[index]) is not None]
        if spans:
            said = _said(kind, [cell for _, cell in entries])
            yield MismatchSpan(kind, min(s for s, _ in spans), max(e for _, e in spans), said)


def _said(kind: str, cells: Sequence[Cell]) -> str:
    key = "skipped" if kind == "deletion" else "added"
    if len(cells) > _NAMED:
        return words.text(f"audit.detail.span.{key}_many", count=len(cells))
    tokens = [cell.reference or cell.hypothesis for cell in cells]
    joint = " " if any(token.isascii() for token in tokens) else ""
    return words.text(f"audit.detail.span.{key}", text=joint.join(tokens))
