"""Lengths by name, in device-independent pixels; Qt does the scaling."""

from __future__ import annotations

from gui.theme.tokens import tokens


def height(name: str) -> int:
    """The height of a part: ``"row"``, ``"button"``, ``"screen_bar"``."""
    return int(tokens()["height"][name])


def width(name: str) -> int:
    """The width of a part: ``"rail"``, ``"audit_side"``."""
    return int(tokens()["width"][name])


def space(step: int) -> int:
    """The gap of a step, counted from 1: 4, 8, 12, 16, 20, 24, 32; step 0 is none."""
    return int(tokens()["space"][step - 1]) if step else 0


def radius(name: str) -> int:
    """The corner radius of a ``"mark"``, ``"key"``, ``"control"`` or ``"card"``."""
    return int(tokens()["radius"][name])


def line(name: str) -> float:
    """The width of a line: ``"hairline"``, ``"focus"``, ``"curve"``, ``"playhead"``."""
    return float(tokens()["line"][name])
