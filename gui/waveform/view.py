"""Which seconds are on screen, and where each lies."""

from __future__ import annotations

from dataclasses import dataclass, replace

#: Nothing shorter is ever spread over the whole width: at 48 kHz a sample is about a pixel then.
SHORTEST_S = 0.02


@dataclass(frozen=True, slots=True)
class TimeView:
    """``start_s`` to ``end_s`` of ``total_s`` over ``width`` pixels."""

    total_s: float = 1.0
    start_s: float = 0.0
    end_s: float = 1.0
    width: float = 1.0

    @property
    def span_s(self) -> float:
        """Seconds on screen."""
        return self.end_s - self.start_s

    @property
    def is_whole(self) -> bool:
        """Whether all of it is on screen."""
        return self.start_s <= 0 and self.end_s >= self.total_s

    def x(self, second: float) -> float:
        """The pixel of a second; outside of the width for what is not on screen."""
        return (second - self.start_s) / self.span_s * self.width

    def second(self, x: float) -> float:
        """The second of a pixel, kept within the whole."""
        return min(max(self.start_s + x / self.width * self.span_s, 0.0), self.total_s)

    def of_width(self, width: float) -> TimeView:
        """The same seconds over another width."""
        return replace(self, width=max(1.0, width))

    def whole(self, total_s: float | None = None) -> TimeView:
        """All of it, of another length where one is given."""
        total_s = max(SHORTEST_S, self.total_s if total_s is None else total_s)
        return replace(self, total_s=total_s, start_s=0.0, end_s=total_s)

    def zoomed(self, factor: float, at_s: float) -> TimeView:
        """``factor`` times larger (smaller under 1), ``at_s`` stays where it is."""
        span_s = min(max(self.span_s / factor, min(SHORTEST_S, self.total_s)), self.total_s)
        share = (at_s - self.start_s) / self.span_s
        return self._from(at_s - share * span_s, span_s)

    def moved(self, seconds: float) -> TimeView:
        """Later by ``seconds``, as far as there is something."""
        return self._from(self.start_s + seconds, self.span_s)

    def showing(self, second: float) -> TimeView:
        """With ``second`` on screen; moved by a page where it is not."""
        if self.start_s <= second <= self.end_s:
            return self
        return self._from(second - 0.1 * self.span_s, self.span_s)

    def _from(self, start_s: float, span_s: float) -> TimeView:
        start_s = min(max(start_s, 0.0), self.total_s - span_s)
        return replace(self, start_s=start_s, end_s=start_s + span_s)
