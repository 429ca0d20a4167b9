"""What of the evidence is marked on the lane of the answer."""

from __future__ import annotations

from collections.abc import Sequence

from engine.store.evidence import Evidence
from gui.waveform.tagged import TaggedSpan

_NOTE = "✎"


def lane_tags(standing: Sequence[Evidence]) -> tuple[TaggedSpan, ...]:
    """Tags and notes on spans, in time; what shares a span shares a mark."""
    found: dict[tuple[float, float], list[str]] = {}
    for said in standing:
        if said.span is not None:
            text = said.text if said.table == "tag" else f"{_NOTE} {' '.join(said.text.split())[:24]}"
            found.setdefault((said.span.start_s, said.span.end_s), []).append(text)
    return tuple(TaggedSpan(start, end, ", ".join(texts)) for (start, end), texts in sorted(found.items()))
