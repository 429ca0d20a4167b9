"""The states of a judgement as shapes of twelve pixels: never told by colour alone."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.strings import words
from gui.theme import font, theme
from gui.widgets.painting import paint_text

STATES = ("scored", "unparsable", "failed", "unscored", "partial")
SIDE = 12
_GAP = 6
_COLOURS = {state: f"state.{state}" for state in STATES[:4]} | {"partial": "text.secondary"}


def state_colour(state: str) -> QColor:
    """The colour of a state in the theme of now."""
    return theme().color(_COLOURS[state])


def paint_state(painter: QPainter, rect: QRect | QRectF, state: str) -> None:
    """Draw a state's shape of twelve pixels in the middle of ``rect``.

    Filled disc, diamond with an exclamation mark, filled square with a cross, dashed ring, half disc.
    """
    whole = QRectF(rect)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(whole.center() - QPointF(SIDE / 2, SIDE / 2))
    _PAINTERS[state](painter, state_colour(state))
    painter.restore()


def paint_verdict(painter: QPainter, rect: QRect | QRectF, right: bool) -> None:
    """Draw a score of right (✓, green) or wrong (✕, rust), twelve pixels in the middle of ``rect``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(QRectF(rect).center() - QPointF(SIDE / 2, SIDE / 2))
    pen = QPen(theme().color("verdict.pass" if right else "verdict.fail"), 1.5)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    if right:
        painter.drawPolyline([QPointF(2, 6.5), QPointF(4.75, 9.25), QPointF(10, 3.5)])
    else:
        painter.drawLine(QPointF(2.5, 2.5), QPointF(9.5, 9.5))
        painter.drawLine(QPointF(9.5, 2.5), QPointF(2.5, 9.5))
    painter.restore()


class StateMark(QWidget):
    """A state's shape, and beside it (``worded``, or any ``text``) its name in the same colour."""

    def __init__(self, state: str, text: str = "", worded: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state, self._text, self._worded = state, text, worded
        self.setFont(font("small"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        words.changed.connect(self._retranslate)
        self._retranslate()

    @property
    def state(self) -> str:
        """The state shown."""
        return self._state

    def set_state(self, state: str, text: str = "") -> None:
        """Show another state, with its own words or the state's name."""
        self._state, self._text = state, text
        self._retranslate()

    def sizeHint(self) -> QSize:
        said = self._said()
        if not said:
            return QSize(SIDE + 2, SIDE + 2)
        metrics = QFontMetrics(self.font())
        return QSize(SIDE + 2 + _GAP + metrics.horizontalAdvance(said) + 2, max(SIDE + 2, metrics.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_state(painter, QRect(0, 0, SIDE + 2, self.height()), self._state)
        left = SIDE + 2 + _GAP
        if self._said():
            rest = QRect(left, 0, self.width() - left, self.height())
            paint_text(painter, rest, self._said(), self.font(), state_colour(self._state))

    def _said(self) -> str:
        return self._text or (words.text(f"widgets.state.{self._state}") if self._worded else "")

    def _retranslate(self) -> None:
        name = words.text(f"widgets.state.{self._state}")
        self.setAccessibleName(self._text or name)
        self.setToolTip(name)
        self.updateGeometry()
        self.update()


def _paint_disc(painter: QPainter, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(QPointF(6, 6), 4.5, 4.5)


def _paint_diamond(painter: QPainter, colour: QColor) -> None:
    painter.setPen(QPen(colour, 1.25))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon([QPointF(6, 0.75), QPointF(11.25, 6), QPointF(6, 11.25), QPointF(0.75, 6)])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRect(QRectF(5.4, 3.25, 1.2, 3.25))
    painter.drawRect(QRectF(5.4, 7.4, 1.2, 1.3))


def _paint_square(painter: QPainter, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(1.25, 1.25, 9.5, 9.5), 1.5, 1.5)
    pen = QPen(theme().color("surface.panel"), 1.4)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawLine(QPointF(4, 4), QPointF(8, 8))
    painter.drawLine(QPointF(8, 4), QPointF(4, 8))


def _paint_ring(painter: QPainter, colour: QColor) -> None:
    pen = QPen(colour, 1.4)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)  # a cap would close the gaps
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for part in range(8):
        painter.drawArc(QRectF(1.5, 1.5, 9, 9), (part * 45 + 10) * 16, 26 * 16)


def _paint_half(painter: QPainter, colour: QColor) -> None:
    painter.setPen(QPen(colour, 1.25))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(6, 6), 4.5, 4.5)
    half = QPainterPath(QPointF(10.5, 6))
    half.arcTo(QRectF(1.5, 1.5, 9, 9), 0, -180)
    painter.fillPath(half, colour)


_PAINTERS = {
    "scored": _paint_disc,
    "unparsable": _paint_diamond,
    "failed": _paint_square,
    "unscored": _paint_ring,
    "partial": _paint_half,
}
