"""The ledger of what a rater heard of a clip: what reached the device, and how much of the speech that covers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Span = tuple[float, float]
Play = tuple[float, float, float]

#: Plays whose ends lie this near are one: blocks handed to a device touch to within a sample.
TOUCHING_S = 0.002


class Ledger:
    """What was heard of one clip, as plays in the order in which they happened.

    >>> ledger = Ledger()
    >>> ledger.add(0.0, 1.0); ledger.add(1.0, 2.0); ledger.add(0.5, 1.5)
    >>> ledger.plays
    ((0.0, 2.0, 1.0), (0.5, 1.5, 1.0))
    >>> ledger.share_of([(1.0, 3.0)])
    0.5
    """

    def __init__(self, plays: Iterable[Play] = ()) -> None:
        self._plays: list[Play] = list(plays)

    def add(self, start_s: float, end_s: float, speed: float = 1.0) -> None:
        """``start_s`` to ``end_s`` of the clip was heard, at ``speed`` times its pace; nothing where they meet."""
        if end_s <= start_s:
            return
        if self._plays:
            first_s, last_s, before = self._plays[-1]
            if before == speed and abs(start_s - last_s) <= TOUCHING_S:
                self._plays[-1] = (first_s, end_s, speed)
                return
        self._plays.append((start_s, end_s, speed))

    @property
    def plays(self) -> tuple[Play, ...]:
        """(start, end, speed) of each stretch that was heard in one go; what was heard twice is there twice."""
        return tuple(self._plays)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where something was heard at all: in order, without overlap."""
        return union((start_s, end_s) for start_s, end_s, _ in self._plays)

    def share_of(self, voiced: Sequence[Span]) -> float:
        """Share 0 to 1 of the voiced spans that was heard; 1.0 where there is nothing to hear."""
        return covered_share(self.spans, voiced)


def union(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in order, those that overlap or touch joined.

    >>> union([(3.0, 4.0), (0.0, 1.0), (0.5, 2.0)])
    ((0.0, 2.0), (3.0, 4.0))
    """
    joined: list[Span] = []
    for start_s, end_s in sorted(spans):
        if joined and start_s <= joined[-1][1] + TOUCHING_S:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end_s))
        else:
            joined.append((start_s, end_s))
    return tuple(joined)


def covered_share(heard: Sequence[Span], voiced: Sequence[Span]) -> float:
    """Share 0 to 1 of ``voiced`` that lies within ``heard``, neither overlapping itself; 1.0 where voiced is empty."""
    total_s = sum(end_s - start_s for start_s, end_s in voiced)
    if total_s <= 0:
        return 1.0
    inside_s = sum(max(0.0, min(end, last) - max(start, first)) for start, end in voiced for first, last in heard)
    return min(inside_s / total_s, 1.0)
