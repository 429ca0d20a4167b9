"""Which of the frames handed to a device is heard now."""

from __future__ import annotations

_JUMP_S = 0.05  # further off than this the clock is set, not nudged: a stream that started or stumbled
_NUDGE = 0.1  # share of an error that is taken at each block, so that blocks in bursts do not shake the playhead


class HeardClock:
    """Keeps the line from the device's time to the frame it plays, from what each block says of itself.

    ``note`` is for the output's thread, ``frame`` for any.
    """

    def __init__(self, rate_hz: int) -> None:
        self._rate = rate_hz
        self._line: tuple[float, float] | None = None  # a frame and when it is heard

    def note(self, frame: int, heard_at_s: float) -> None:
        """The device says that ``frame`` will be heard at ``heard_at_s`` of its own clock."""
        line = self._line
        if line is not None:
            late_s = heard_at_s - (line[1] + (frame - line[0]) / self._rate)
            if abs(late_s) < _JUMP_S:
                heard_at_s -= late_s * (1 - _NUDGE)
        self._line = (frame, heard_at_s)

    def frame(self, now_s: float) -> float | None:
        """The frame heard at ``now_s`` of the device's clock; None before the first block."""
        line = self._line
        return None if line is None else line[0] + (now_s - line[1]) * self._rate
