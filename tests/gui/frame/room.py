"""Finds words of a window that lie over each other or have less room than they need."""

from __future__ import annotations

from itertools import combinations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QLabel, QLineEdit, QScrollBar, QWidget

from gui.widgets import Chip, ElidedLabel, Paragraph, Pill, Tag

_LINE = 1.2  # of the size of its letters; Chinese faces ask for more, which is empty
_SPOKEN = (QLabel, QAbstractButton, Chip, Pill, Tag, QLineEdit)


def squeezed(window: QWidget) -> list[str]:
    """What of the words in sight is cut, and what lies over what; empty where all is well."""
    shown = [(part, _seen(part, window)) for part in _parts(window)]
    shown = [(part, rect) for part, rect in shown if rect.width() > 1 and rect.height() > 1]
    found = [told for part, _ in shown if (told := _cut(part))]
    for (one, first), (other, second) in combinations(shown, 2):
        common = first & second
        if common.width() > 1 and common.height() > 1 and not _is_within(one, other):
            found.append(f"{_named(one)} at {first} lies over {_named(other)} at {second}")
    return found


def _parts(window: QWidget) -> list[QWidget]:
    return [
        part
        for part in window.findChildren(QWidget)
        if isinstance(part, _SPOKEN)
        and part.isVisible()
        and part.window() is window
        and not isinstance(part.parentWidget(), QLineEdit)
        and (not isinstance(part, QLabel) or part.text())
    ]


def _seen(part: QWidget, window: QWidget) -> QRect:
    """Where it is in the window, less what its ancestors cut away."""
    rect = QRect(part.mapTo(window, QPoint(0, 0)), part.size())
    inside = part.parentWidget()
    while inside is not None and rect.isValid():
        rect &= QRect(inside.mapTo(window, QPoint(0, 0)), inside.size())
        inside = None if inside is window else inside.parentWidget()
    return rect


def _cut(part: QWidget) -> str:
    need = part.minimumSizeHint()
    if isinstance(part, Paragraph):
        need.setHeight(part.heightForWidth(part.width()))
    elif (isinstance(part, QLabel) and not isinstance(part, ElidedLabel)) or isinstance(part, (Chip, Pill, Tag)):
        need = part.sizeHint()
    if isinstance(part, QLabel) and not isinstance(part, Paragraph):
        need.setHeight(min(need.height(), round(_LINE * part.font().pixelSize())))
    if part.width() < need.width() or part.height() < need.height():
        return f"{_named(part)} has {part.size()} and needs {need}"
    inside = part.parentWidget()
    if inside is not None and not _scrolls(inside) and not inside.rect().contains(part.geometry()):
        return f"{_named(part)} at {part.geometry()} sticks out of {inside} with {inside.rect()}"
    return ""


def _scrolls(inside: QWidget) -> bool:
    parent = inside.parentWidget()
    return isinstance(inside, QScrollBar) or (isinstance(parent, QAbstractScrollArea) and parent.viewport() is inside)


def _is_within(one: QWidget, other: QWidget) -> bool:
    return one.isAncestorOf(other) or other.isAncestorOf(one)


def _named(part: QWidget) -> str:
    words = part.text() if hasattr(part, "text") and callable(part.text) else ""
    kinds = " in ".join(type(one).__name__ for one in (part, part.parentWidget(), part.parentWidget().parentWidget()))
    return f"{kinds} “{words or part.accessibleName()}”"
