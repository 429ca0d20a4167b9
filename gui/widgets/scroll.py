"""A column that scrolls when there is no room for all of it."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


def scroll_area(inside: QWidget) -> QScrollArea:
    """``inside`` as wide as there is room and as tall as it needs; scrolls up and down only."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)
    area.viewport().setAutoFillBackground(False)
    inside.setAutoFillBackground(False)
    return area


def bring_into_view(part: QWidget) -> None:
    """Scroll what ``part`` is in until all of it can be seen, once it has its place."""
    QTimer.singleShot(0, part, lambda: _scroll_to(part))


def _scroll_to(part: QWidget) -> None:
    inside = part.parentWidget()
    while inside is not None and not isinstance(inside, QScrollArea):
        inside = inside.parentWidget()
    if isinstance(inside, QScrollArea):
        inside.ensureWidgetVisible(part, 0, 12)
        inside.horizontalScrollBar().setValue(0)
