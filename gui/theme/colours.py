"""One theme's colours as Qt colours, and which theme is in use."""

from __future__ import annotations

from functools import cache
from typing import Any

from PySide6.QtGui import QColor

from gui.theme.tokens import tokens

NAMES = ("light", "dark")


class Theme:
    """The colours of ``light`` or ``dark``, by their dotted names in the tokens."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._colours = dict(_flat(tokens()[name]))
        self.series_marks: tuple[str, ...] = tuple(tokens()["series_marks"])
        self.series_dashes: tuple[str, ...] = tuple(tokens()["series_dashes"])

    @property
    def is_dark(self) -> bool:
        """Whether text is lighter than what it stands on."""
        return self.name == "dark"

    def color(self, path: str) -> QColor:
        """The colour at a dotted path such as ``"surface.panel"``; raises KeyError for an unknown one."""
        return QColor(self._colours[path])

    def series(self, index: int) -> QColor:
        """The colour of the ``index``-th system, from 0; after the last they begin again."""
        return self.color(f"series.{index % len(self.series_marks)}")

    def heat(self, step: int) -> QColor:
        """The colour of a step of a heat map, 0 (nothing) to 4."""
        return self.color(f"heat.{step}")

    def hex(self, path: str) -> str:
        """The colour as ``#rrggbb``, or ``#aarrggbb`` where it is translucent: for a page or a log."""
        colour = self._colours[path]
        kind = QColor.NameFormat.HexArgb if colour.alpha() < 255 else QColor.NameFormat.HexRgb
        return str(colour.name(kind))


_current: list[Theme] = []


def theme() -> Theme:
    """The theme in use; light until one is set. Ask for it inside ``paintEvent``."""
    return _current[0] if _current else theme_named("light")


@cache
def theme_named(name: str) -> Theme:
    """The theme called ``light`` or ``dark``."""
    return Theme(name)


def use(name: str) -> None:
    """Make ``theme()`` answer this theme; ``set_theme`` also tells the application."""
    _current[:] = [theme_named(name)]


def _flat(values: Any, path: str = "") -> Any:
    pairs = enumerate(values) if isinstance(values, list) else values.items()
    for key, value in pairs:
        here = f"{path}.{key}" if path else str(key)
        if isinstance(value, str):
            yield here, QColor(value)
        else:
            yield from _flat(value, here)
