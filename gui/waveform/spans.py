"""Where speech and text differ: hatched bars over a lane, each with its sign and word, and drops to its edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from gui.strings import words
from gui.theme import font, theme, tokens
from gui.waveform.view import TimeView
from gui.widgets import paint_stripes, paint_text, shown_text

BAR_HEIGHT = 8
BAR_TOP = 3
_LEAST_WIDTH = 8
_GAP = 6
_INKS = {"substitution": "substitution", "insertion": "insertion", "repetition": "insertion"}
_SIGNS = {"repetition": "insertion"}


@dataclass(frozen=True, slots=True)
class MismatchSpan:
    """Seconds of a recording in which it says something else than its text.

    Attributes:
        kind: ``substitution``, ``insertion``, ``deletion``, ``repetition``, ``truncation``, ``unrelated`` or
            ``silent``.
        text: what is said of it; empty for the word of its kind.
    """

    kind: str
    start_s: float
    end_s: float
    text: str = ""


def span_sign(span: MismatchSpan) -> str:
    """The sign of its kind."""
    return str(tokens()["alignment_glyphs"].get(_SIGNS.get(span.kind, span.kind), ""))


def span_label(span: MismatchSpan) -> str:
    """The sign and the word of a span."""
    return f"{span_sign(span)} {shown_text(span.text) or words.text(f'player.mark.{span.kind}')}".strip()


def paint_spans(painter: QPainter, spans: Sequence[MismatchSpan], view: TimeView, lane: QRectF) -> None:
    """Draw the spans of one lane; where labels would meet, the earlier one stands below its bar or is cut short."""
    shown = sorted((s for s in spans if s.end_s >= view.start_s and s.start_s <= view.end_s), key=lambda s: s.start_s)
    for place, span in enumerate(shown):
        left, right = lane.left() + view.x(span.start_s), lane.left() + view.x(span.end_s)
        bar = QRectF(left, lane.top() + BAR_TOP, max(_LEAST_WIDTH, right - left), BAR_HEIGHT)
        ends = lane.left() + view.x(shown[place + 1].start_s) - _GAP if place + 1 < len(shown) else lane.right()
        _paint_bar(painter, span, bar, lane)
        _paint_label(painter, span, bar.intersected(lane), ends)


def _paint_bar(painter: QPainter, span: MismatchSpan, bar: QRectF, lane: QRectF) -> None:
    name = f"mark.{_INKS.get(span.kind, 'deletion')}"
    ink = theme().color(name)
    pen = QPen(ink, 1)
    pen.setDashPattern([2.0, 2.0])
    painter.setPen(pen)
    for x in (round(bar.left()) + 0.5, round(bar.right()) - 0.5):
        painter.drawLine(QPointF(x, bar.bottom()), QPointF(x, lane.bottom()))
    paint_stripes(painter, bar.intersected(lane), ink, theme().color(f"{name}_tint"))
    painter.setPen(QPen(ink, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))


def _paint_label(painter: QPainter, span: MismatchSpan, bar: QRectF, ends: float) -> None:
    """The label right of its bar; below it where only there is room; its sign alone where there is none."""
    text, face = span_label(span), font("small", weight=600)
    wide = QFontMetricsF(face).horizontalAdvance(text) + 1
    high = BAR_TOP * 2 + BAR_HEIGHT
    sign_wide = QFontMetricsF(face).horizontalAdvance(text[:1]) + 2
    room = ends - bar.right() - _GAP
    if room < wide and bar.width() >= wide + _GAP:
        box = QRectF(bar.left() + _GAP, bar.bottom() + 1, wide, high)
    elif room >= sign_wide:
        text = text if room >= min(wide, 2 * sign_wide) else text[:1]
        box = QRectF(bar.right() + _GAP, bar.top() - BAR_TOP, min(wide, room), high)
    else:
        return
    painter.fillRect(box.adjusted(-2, 1, 2, 0), theme().color("surface.lane"))
    paint_text(painter, box, text, face, theme().color(f"mark.{_INKS.get(span.kind, 'deletion')}"))
