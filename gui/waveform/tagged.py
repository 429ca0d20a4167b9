"""What people tagged on a lane: a thin bracket along its foot with the tag's word, apart from what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter

from gui.theme import theme
from gui.waveform.view import TimeView
from gui.widgets import paint_tag, shown_text, tag_width
from gui.widgets.pill import TAG_HEIGHT

_THICK = 2
_FOOT = 16  # silence and clipping are marked below
_TICK = 6
_GAP = 4
_LEAST_WORD = 28


@dataclass(frozen=True, slots=True)
class TaggedSpan:
    """Seconds of a recording that somebody tagged, and with what."""

    start_s: float
    end_s: float
    text: str


def paint_tagged(painter: QPainter, spans: Sequence[TaggedSpan], view: TimeView, lane: QRectF) -> None:
    """Draw the brackets; a word that finds no room before the next one is left out."""
    shown = [span for span in spans if span.end_s >= view.start_s and span.start_s <= view.end_s]
    ink = theme().color("text.secondary")
    foot = lane.bottom() - _FOOT
    for place, span in enumerate(shown):
        left, right = lane.left() + view.x(span.start_s), lane.left() + view.x(span.end_s)
        right = max(right, left + _THICK)
        painter.fillRect(QRectF(left, foot - _THICK, right - left, _THICK), ink)
        for x in (left, right - 1):
            painter.fillRect(QRectF(x, foot - _TICK, 1, _TICK), ink)
        start = max(left, lane.left()) + _GAP
        ends = lane.left() + view.x(shown[place + 1].start_s) if place + 1 < len(shown) else lane.right()
        text = shown_text(span.text, 60)
        wide = int(min(tag_width(text), ends - start - _GAP))
        if wide >= _LEAST_WORD:
            paint_tag(painter, QRect(int(start), int(foot - _TICK - TAG_HEIGHT), wide, TAG_HEIGHT), text)
