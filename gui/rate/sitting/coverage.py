"""Where a clip is heard, over what of its speech has been heard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import line, paint_box, radius, theme

_RAIL, _KNOB, _STRIP = 4, 14, 10
_GAP = 9
Span = tuple[float, float]


class Coverage(QWidget):
    """A line for the position; below it the voiced spans, outlined, and filled as far as they were heard.

    Signals:
        asked: a click asks for this second of the clip.
    """

    asked = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._length_s = 0.0
        self._at_s: float | None = None
        self._voiced: Sequence[Span] = ()
        self._heard: Sequence[Span] = ()
        self._tags: Sequence[Span] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_clip(self, length_s: float, voiced: Sequence[Span], heard: Sequence[Span], tags: Sequence[Span]) -> None:
        """Another clip, or more of it heard; all in seconds of the clip."""
        shown = (length_s, tuple(voiced), tuple(heard), tuple(tags))
        if shown != (self._length_s, self._voiced, self._heard, self._tags):
            self._length_s, self._voiced, self._heard, self._tags = shown
            self.update()

    def show_position(self, second: float | None) -> None:
        """Where it is heard; None for nowhere."""
        if second != self._at_s:
            self._at_s = second
            self.update()

    def filled(self) -> list[Span]:
        """The parts of the voiced spans that are drawn as heard, in seconds."""
        return [
            (max(start, first), min(end, last))
            for start, end in self._voiced
            for first, last in self._heard
            if min(end, last) > max(start, first)
        ]

    def sizeHint(self) -> QSize:
        return QSize(400, _KNOB + _GAP + _STRIP)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._length_s:
            share = (event.position().x() - _KNOB / 2) / max(self.width() - _KNOB, 1)
            self.asked.emit(min(max(share, 0.0), 1.0) * self._length_s)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = theme()
        top = (_KNOB - _RAIL) / 2
        whole = QRectF(_KNOB / 2, top, self.width() - _KNOB, _RAIL)
        paint_box(painter, whole, _RAIL / 2, colours.color("surface.sunken"))
        if self._at_s is not None and self._length_s:
            x = self._x(self._at_s)
            done = QRectF(whole.left(), top, x - whole.left(), _RAIL)
            paint_box(painter, done, _RAIL / 2, colours.color("audio.question"))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.color("accent.base"))
            painter.drawEllipse(QPointF(x, _KNOB / 2), _KNOB / 2, _KNOB / 2)
        self._paint_strip(painter)

    def _paint_strip(self, painter: QPainter) -> None:
        colours = theme()
        top = float(_KNOB + _GAP)
        for start, end in self._voiced:
            box = QRectF(self._x(start), top, max(self._x(end) - self._x(start), 2.0), _STRIP)
            paint_box(painter, box, radius("mark"), edge=colours.color("surface.control_edge"))
        for start, end in self.filled():
            box = QRectF(self._x(start), top, max(self._x(end) - self._x(start), 1.0), _STRIP)
            paint_box(painter, box, radius("mark"), colours.color("audio.heard"))
        painter.setPen(QPen(colours.color("verdict.warning"), line("selected")))
        for start, end in self._tags:
            painter.drawLine(QPointF(self._x(start), top - 3), QPointF(max(self._x(end), self._x(start) + 2), top - 3))

    def _x(self, second: float) -> float:
        share = second / self._length_s if self._length_s else 0.0
        return _KNOB / 2 + min(max(share, 0.0), 1.0) * (self.width() - _KNOB)
