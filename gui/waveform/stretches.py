"""Stretches of silence and of clipping: bars at the foot of a lane, told apart by their pattern, sign and word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from engine.audio.stretches import Stretches
from gui.strings import words
from gui.theme import font, theme
from gui.waveform.view import TimeView
from gui.widgets import paint_text

StretchKind = Literal["silence", "clipping"]
BAR_HEIGHT = 7
_LEAST_WIDTH = 4
_DOTS, _STROKES = 5, 3  # pixels from one to the next
_SIGNS: dict[StretchKind, str] = {"silence": "○", "clipping": "▲"}
_INKS: dict[StretchKind, str] = {"silence": "surface.control_edge", "clipping": "audio.clip"}
_LABEL_HEIGHT = 14


@dataclass(frozen=True, slots=True)
class Stretch:
    """Seconds of a recording that are silent or clipped."""

    kind: StretchKind
    start_s: float
    end_s: float


def stretches_shown(found: Stretches) -> tuple[Stretch, ...]:
    """The stretches in the order of time."""
    shown = [Stretch("silence", *span) for span in found.silent]
    shown += [Stretch("clipping", *span) for span in found.clipped]
    return tuple(sorted(shown, key=lambda stretch: stretch.start_s))


def stretch_sign(stretch: Stretch) -> str:
    """The sign of its kind."""
    return _SIGNS[stretch.kind]


def stretch_label(stretch: Stretch) -> str:
    """The sign, the word and the length: ``○ silence 1.2 s``."""
    seconds = f"{stretch.end_s - stretch.start_s:.1f}" if stretch.end_s - stretch.start_s >= 0.1 else "<0.1"
    return f"{_SIGNS[stretch.kind]} {words.text(f'player.stretch.{stretch.kind}', seconds=seconds)}"


def paint_stretches(painter: QPainter, stretches: Sequence[Stretch], view: TimeView, lane: QRectF) -> None:
    """Draw what is on screen of the stretches of one lane; a label stands above its bar where it has room."""
    free_from = lane.left()
    for stretch in stretches:
        if stretch.end_s < view.start_s or stretch.start_s > view.end_s:
            continue
        left, right = lane.left() + view.x(stretch.start_s), lane.left() + view.x(stretch.end_s)
        bar = QRectF(left, lane.bottom() - BAR_HEIGHT, max(_LEAST_WIDTH, right - left), BAR_HEIGHT)
        bar = bar.intersected(lane)
        _paint_bar(painter, stretch.kind, bar)
        free_from = _paint_label(painter, stretch, bar, free_from)


def _paint_bar(painter: QPainter, kind: StretchKind, bar: QRectF) -> None:
    ink = theme().color(_INKS[kind])
    painter.fillRect(bar, theme().color("surface.lane"))
    if kind == "silence":
        painter.setPen(QPen(ink, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        middle = bar.center().y()
        dots = [QPointF(x, middle) for x in _steps(bar, _DOTS)]
        painter.drawPoints(dots)
    else:
        painter.setPen(QPen(ink, 1))
        painter.drawLines([QLineF(x, bar.top() + 1, x, bar.bottom()) for x in _steps(bar, _STROKES)])
    painter.setPen(QPen(ink, 1))
    painter.drawLine(QPointF(bar.left(), bar.top() + 0.5), QPointF(bar.right() - 1, bar.top() + 0.5))


def _steps(bar: QRectF, step: int) -> list[float]:
    return [bar.left() + place + 1.5 for place in range(0, max(1, int(bar.width()) - 1), step)]


def _paint_label(painter: QPainter, stretch: Stretch, bar: QRectF, free_from: float) -> float:
    """Write what it is, as far as it has room; answers up to where the room above the bars is taken."""
    text, face = stretch_label(stretch), font("axis", weight=600)
    metrics = QFontMetricsF(face)
    if bar.width() < metrics.horizontalAdvance(text) + 4:
        text = text[:1]
    wide = metrics.horizontalAdvance(text) + 4
    box = QRectF(bar.left(), bar.top() - _LABEL_HEIGHT, wide, _LABEL_HEIGHT)
    if box.left() < free_from or (text == _SIGNS[stretch.kind] and bar.width() < _LEAST_WIDTH):
        return free_from
    painter.fillRect(box, theme().color("surface.lane"))
    ink: QColor = theme().color("text.tertiary" if stretch.kind == "silence" else "audio.clip")
    paint_text(painter, box.adjusted(1, 0, 0, 0), text, face, ink)
    return box.right() + 2
