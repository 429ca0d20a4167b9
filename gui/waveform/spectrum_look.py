"""How spectra are shown: their scale, their range of levels, and the colours of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from PySide6.QtGui import QColor

from engine.audio.mel import Scale
from engine.audio.spectrum import level_of
from gui.theme import theme, theme_named

#: The loudest level of the range, of a band against a full-scale sine: speech at a usual level just reaches it.
TOP_DB = -20.0
RANGES_DB = (42, 52, 62, 72, 82, 92)
SCALES: tuple[Scale, ...] = ("mel", "linear")
_CODES = 256
_AXIS_HZ: Mapping[Scale, tuple[int, ...]] = {"mel": (8000, 3000, 1000), "linear": (9000, 6000, 3000)}


@dataclass(frozen=True, slots=True)
class SpectrumLook:
    """The same for every recording, so that pictures compare; as ``told`` the settings keep it."""

    is_shown: bool = True
    scale: Scale = "mel"
    range_db: int = 62

    def told(self) -> dict[str, Any]:
        """As the settings keep it."""
        return {"shown": self.is_shown, "scale": self.scale, "range_db": self.range_db}

    def other_scale(self) -> SpectrumLook:
        """Linear for mel, mel for linear."""
        return replace(self, scale="linear" if self.scale == "mel" else "mel")

    @property
    def axis_hz(self) -> tuple[int, ...]:
        """The frequencies that are written beside the lane, from above."""
        return _AXIS_HZ[self.scale]


def look_of(told: Mapping[str, Any]) -> SpectrumLook:
    """The look that settings tell; what they do not tell rightly is as it ships."""
    scale: Scale = "linear" if told.get("scale") == "linear" else "mel"
    range_db = told.get("range_db")
    return SpectrumLook(told.get("shown") is not False, scale, range_db if range_db in RANGES_DB else 62)


def colour_table(range_db: int) -> list[int]:
    """The colour of each code of a spectrum in the theme of now: the lane's own up to the floor of the range."""
    return _table(theme().name, range_db)


@lru_cache(maxsize=16)
def _table(theme_name: str, range_db: int) -> list[int]:
    stops = [theme_named(theme_name).color(f"spectrogram.{place}") for place in range(5)]
    return [_between(stops, (level_of(code) - TOP_DB + range_db) / range_db).rgb() for code in range(_CODES)]


def _between(stops: list[QColor], share: float) -> QColor:
    """The colour ``share`` of the way from the first stop to the last."""
    at = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    place = min(int(at), len(stops) - 2)
    first, second, rest = stops[place], stops[place + 1], at - place
    parts = ((first.red(), second.red()), (first.green(), second.green()), (first.blue(), second.blue()))
    return QColor(*(round(one + (other - one) * rest) for one, other in parts))
