"""Where the ruler has its ticks, and how a time is written."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gui.waveform.view import TimeView

_STEPS_S = (
    *(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
    *(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 18_000, 36_000),
)
_APART = 64  # pixels between two times: the longest, 1:00:00, fits in
MINUS = "\u2212"


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the ruler; ``text`` is empty for a small one."""

    second: float
    text: str


def ticks(view: TimeView) -> list[Tick]:
    """All ticks on screen, from the left; a fifth of a step apart, every fifth with its time.

    >>> [tick.text for tick in ticks(TimeView(4, 0, 4, 400)) if tick.text]
    ['0:00', '0:01', '0:02', '0:03', '0:04']
    """
    step_s = next((s for s in _STEPS_S if s / view.span_s * view.width >= _APART), _STEPS_S[-1])
    first, last = math.ceil(view.start_s / step_s * 5 - 1e-9), math.floor(view.end_s / step_s * 5 + 1e-9)
    decimals = max(0, math.ceil(-math.log10(step_s) - 1e-9))
    return [
        Tick(number * step_s / 5, "" if number % 5 else time_text(number // 5 * step_s, decimals))
        for number in range(first, last + 1)
    ]


def time_text(second: float, decimals: int = 2) -> str:
    """Seconds as minutes and seconds, with hours where there are any.

    >>> time_text(6.638), time_text(75, 0), time_text(3723.5, 1), time_text(59.999)
    ('0:06.64', '1:15', '1:02:03.5', '1:00.00')
    """
    units = 10**decimals
    whole = round(max(0.0, second) * units)
    minutes, rest = divmod(whole, 60 * units)
    seconds = f"{rest // units:02d}" + (f".{rest % units:0{decimals}d}" if decimals else "")
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds}" if hours else f"{minutes}:{seconds}"


def rate_text(rate_hz: int) -> str:
    """A sample rate in kHz, as short as it is exact.

    >>> rate_text(16000), rate_text(44100), rate_text(22050)
    ('16 kHz', '44.1 kHz', '22.05 kHz')
    """
    return f"{rate_hz / 1000:.10g} kHz"


def decibel_text(dbfs: float, decimals: int = 1) -> str:
    """Decibels with a true minus; silence is −∞.

    >>> decibel_text(-12.34), decibel_text(-18.0, 0), decibel_text(-math.inf)
    ('−12.3', '−18', '−∞')
    """
    if math.isinf(dbfs):
        return f"{MINUS}∞"
    text = f"{abs(dbfs):.{decimals}f}"
    return f"{MINUS}{text}" if dbfs < 0 and float(text) else text
