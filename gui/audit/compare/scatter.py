"""A measure of one system against one of another: points to hover, to go through by keys, to enclose and to hear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget

from engine.query.compare import PAIR_KINDS, Pairs, round_steps
from engine.query.ranks import Ids
from gui.audit.compare.point_picture import Stamp, picture
from gui.charts.plot import Plot
from gui.charts.style import dashed_pen, tick_text
from gui.jobs import Job, JobRunner
from gui.theme import font, radius, theme
from gui.widgets import paint_box, paint_focus, paint_text, shown_text

POINT = 7  # pixels of a stamp; odd
_NEAR = 10.0
_DRAG = 4
_STEPS = 5
_LONGEST = 90
_FADED = 0.3
#: The kinds from below to above: what differs between the systems lies on top.
_SHAPES = {
    "failed": "square",
    "unparsable": "diamond",
    "unscored": "ring",
    "same": "disc",
    "first": "triangle_up",
    "second": "triangle_down",
}
Corners = Sequence[tuple[float, float]]
Floats = NDArray[np.float64]


def kind_colour(kind: str, first: int, second: int) -> QColor:
    """The colour of a kind of point; those where one system alone is right have the colour of that system."""
    if kind in ("first", "second"):
        return theme().series(first if kind == "first" else second)
    return theme().color("accent.base" if kind == "same" else f"state.{kind}")


def stamps(first: int, second: int) -> list[Stamp]:
    """What each kind of point looks like, the lowest first."""
    return [Stamp(PAIR_KINDS.index(kind), shape, kind_colour(kind, first, second)) for kind, shape in _SHAPES.items()]


def kind_shape(kind: str) -> str:
    """The shape of a kind of point."""
    return _SHAPES[kind]


class Scatter(Plot):
    """Draws ``Pairs``; the picture of the points is made on a pool thread.

    Signals:
        enclosed: corners of what was drawn around points, in the units of the axes.
        pointed: the entry under the pointer or the keyboard, -1 for none.
        opened: an entry was clicked, or Return pressed on it.
    """

    enclosed, pointed, opened = Signal(object), Signal(int), Signal(int)

    def __init__(self, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._pairs: Pairs | None = None
        self._stamps: Callable[[], list[Stamp]] = list
        self._tell: Callable[[int], str] = str
        self._is_square = False
        self._selected: Ids | None = None
        self._outline: Corners = ()
        self._current = self._hovered = -1
        self._image: QImage | None = None
        self._picturing: Job | None = None
        self._wants_picture = False
        self._pixels: tuple[Floats, Floats] = (np.empty(0), np.empty(0))
        self._pressed: QPointF | None = None
        self._drawn: list[QPointF] = []
        self._ticks: tuple[tuple[float, ...], tuple[float, ...]] = ((0.0, 1.0), (0.0, 1.0))
        self.over = _Over(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    def set_pairs(
        self, pairs: Pairs, stamps: Callable[[], list[Stamp]], tell: Callable[[int], str], *, is_square: bool
    ) -> None:
        """Draw other points.

        Args:
            stamps: what each kind looks like, in the theme of now.
            tell: one line about an entry.
            is_square: whether both axes show the same measure, and so the same range and the line of equal values.
        """
        held = self.current_ids()
        self._pairs, self._stamps, self._tell, self._is_square = pairs, stamps, tell, is_square
        self._selected, self._outline, self._hovered = None, (), -1
        self._current = _place_of(pairs, held)
        self._ticks = _ticks(pairs, is_square)
        if self._current < 0 and self.hasFocus() and len(pairs):
            self._go(0)
        self._image = None
        self._redraw()

    def select(self, places: Ids | None, outline: Corners = ()) -> None:
        """Mark these entries, and show the outline that holds them; None marks none."""
        self._selected, self._outline = places, tuple(outline)
        self._make_picture()

    @property
    def current(self) -> int:
        """The entry the keyboard is on, -1 for none."""
        return self._current

    def current_ids(self) -> tuple[int, int] | None:
        """Both answers of the entry the keyboard is on."""
        if self._pairs is None or not 0 <= self._current < len(self._pairs):
            return None
        return int(self._pairs.first[self._current]), int(self._pairs.second[self._current])

    def has_data(self) -> bool:
        return self._pairs is not None and len(self._pairs) > 0

    def sizeHint(self) -> QSize:
        return QSize(420, 240)

    # --- where things are

    def frame(self) -> QRectF:
        """Where points can lie, in pixels of this widget."""
        if self._plot is None:
            return QRectF()
        box = self._plot.getPlotItem().getViewBox()
        scene = box.mapRectToScene(box.rect())
        corner = self._plot.mapTo(self, self._plot.mapFromScene(scene.topLeft()))
        return QRectF(QPointF(corner), scene.size())

    def to_pixels(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Values as pixels of this widget."""
        frame, (x_low, x_high), (y_low, y_high) = self.frame(), self._span(0), self._span(1)
        return (
            frame.left() + (x - x_low) / (x_high - x_low) * frame.width(),
            frame.bottom() - (y - y_low) / (y_high - y_low) * frame.height(),
        )

    def to_values(self, at: QPointF) -> tuple[float, float]:
        """A pixel of this widget as values."""
        frame, (x_low, x_high), (y_low, y_high) = self.frame(), self._span(0), self._span(1)
        share_x = (at.x() - frame.left()) / max(frame.width(), 1.0)
        share_y = (frame.bottom() - at.y()) / max(frame.height(), 1.0)
        return x_low + share_x * (x_high - x_low), y_low + share_y * (y_high - y_low)

    def nearest(self, at: QPointF) -> int:
        """The entry nearest to a pixel, -1 where none is near."""
        x, y = self._pixels
        if not len(x):
            return -1
        distances = np.hypot(x - at.x(), y - at.y())
        best = int(distances.argmin())
        return best if distances[best] <= _NEAR else -1

    def _span(self, axis: int) -> tuple[float, float]:
        """The values at both ends of an axis, with some room for the marks at its ends."""
        low, high = self._ticks[axis][0], self._ticks[axis][-1]
        room = (high - low) * 0.02
        return low - room, high + room

    # --- drawing

    def _draw(self, item: Any) -> None:
        for axis, ticks in zip(("bottom", "left"), self._ticks):
            item.getAxis(axis).setTicks([[(value, tick_text(value)) for value in ticks]])
        item.setXRange(*self._span(0), padding=0)
        item.setYRange(*self._span(1), padding=0)
        self._rule(item, self._ticks[1])
        if self._is_square:
            low, high = self._span(0)
            item.plot([low, high], [low, high], pen=dashed_pen(theme().color("surface.control_edge"), 1.0, "4 3"))
        box = item.getViewBox()
        if self.over.watched is not box:
            self.over.watched = box
            box.sigResized.connect(self._on_room)
        self._on_room()

    def _on_room(self, *_: object) -> None:
        """There is other room for the points, or there are other points."""
        self.over.setGeometry(self.rect())
        self.over.raise_()
        if self._pairs is not None and self.frame().width() > 1:
            self._pixels = self.to_pixels(self._pairs.x, self._pairs.y)
        self._make_picture()

    def _make_picture(self) -> None:
        """One picture at a time; what changed meanwhile is drawn after it."""
        frame, pairs = self.frame(), self._pairs
        if pairs is None or not len(pairs) or frame.width() < 2 or frame.height() < 2:
            self.over.update()
            return
        if self._picturing is not None:
            self._wants_picture = True
            return
        ratio = self.devicePixelRatioF()
        x, y = ((pixels - corner) * ratio for pixels, corner in zip(self._pixels, (frame.left(), frame.top())))
        size = (round(frame.width() * ratio), round(frame.height() * ratio))
        side = round(POINT * ratio) // 2 * 2 + 1
        self._picturing = job = self._jobs.call(
            _pictured, x, y, pairs.kinds, self._selected, self._stamps(), size, side
        )
        job.succeeded.connect(self._on_picture)
        job.finished.connect(self._on_pictured)

    def _on_picture(self, image: QImage) -> None:
        image.setDevicePixelRatio(self.devicePixelRatioF())
        self._image = image
        self.over.update()

    def _on_pictured(self) -> None:
        self._picturing = None
        if self._wants_picture:
            self._wants_picture = False
            self._make_picture()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._image = None

    def paint_over(self, painter: QPainter) -> None:
        """Points, what is drawn around them, and the name of the one that is pointed at."""
        frame = self.frame()
        if self._image is not None and self.has_data():
            painter.drawImage(frame.topLeft(), self._image)
        if len(self._drawn) > 1:
            self._paint_outline(painter, self._drawn, is_open=True)
        elif self._outline:
            x, y = self.to_pixels(*np.array(self._outline, float).T)
            painter.setClipRect(frame)
            self._paint_outline(painter, [QPointF(*at) for at in zip(x.tolist(), y.tolist())], is_open=False)
            painter.setClipping(False)
        place = self._hovered if self._hovered >= 0 else self._current if self.hasFocus() else -1
        if self.has_data() and 0 <= place < len(self._pixels[0]):
            self._paint_name(painter, place, frame)
        if self.hasFocus():
            paint_focus(painter, self.rect(), radius("control"))

    def _paint_outline(self, painter: QPainter, corners: Sequence[QPointF], *, is_open: bool) -> None:
        path = QPainterPath()
        path.addPolygon(QPolygonF(list(corners)))
        path.closeSubpath()
        if is_open:
            painter.fillPath(path, theme().color("audio.loop_fill"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(theme().color("accent.base"), 1.25)
        pen.setDashPattern([4.0, 3.0])
        painter.strokePath(path, pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_name(self, painter: QPainter, place: int, frame: QRectF) -> None:
        at = QPointF(float(self._pixels[0][place]), float(self._pixels[1][place]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme().color("text.primary"), 1.5))
        painter.drawEllipse(at, 7, 7)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        text, face = shown_text(self._tell(place), _LONGEST), font("small")
        wide = min(QFontMetricsF(face).horizontalAdvance(text) + 13, frame.width())
        left = min(max(at.x() + 12, frame.left()), frame.right() - wide)
        top = at.y() - 26 if at.y() - 28 > frame.top() else at.y() + 10
        box = QRectF(left, top, wide, 18)
        paint_box(painter, box, radius("key"), theme().color("surface.raised"), theme().color("surface.line_strong"))
        paint_text(painter, box.adjusted(6, 0, -4, 0), text, face, theme().color("text.primary"))

    # --- the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.has_data():
            self._pressed, self._drawn = event.position(), []

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._pressed is not None:
            if self._drawn or (at - self._pressed).manhattanLength() >= _DRAG:
                self._drawn = [*(self._drawn or [self._pressed]), at]
                self._hover(-1)
                self.over.update()
            return
        self._hover(self.nearest(at))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, drawn = self._pressed, self._drawn
        self._pressed, self._drawn = None, []
        if len(drawn) > 2:
            self.enclosed.emit([self.to_values(at) for at in drawn])
        elif pressed is not None and (place := self.nearest(event.position())) >= 0:
            self._go(place)
            self.opened.emit(place)
        self.over.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)

    def _hover(self, place: int) -> None:
        if place != self._hovered:
            self._hovered = place
            self.setCursor(Qt.CursorShape.PointingHandCursor if place >= 0 else Qt.CursorShape.ArrowCursor)
            self.pointed.emit(place)
            self.over.update()

    # --- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, move = event.key(), _MOVES.get(event.key())
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if move is not None and held == Qt.KeyboardModifier.NoModifier and self.has_data():
            self._step(*move)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not held and self._current >= 0:
            self.opened.emit(self._current)
        elif key == Qt.Key.Key_Escape and (self._drawn or self._pressed is not None):
            self._pressed, self._drawn = None, []
            self.over.update()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        if self._current < 0 and self.has_data():
            self._go(0)
        self.over.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.over.update()

    def _step(self, axis: int, by: int) -> None:
        """The next entry along an axis, by its value there."""
        assert self._pairs is not None
        values = (self._pairs.x, self._pairs.y)[axis]
        other = (self._pairs.y, self._pairs.x)[axis]
        order = np.lexsort([other, values])
        where = int(np.flatnonzero(order == max(self._current, 0))[0])
        self._go(int(order[min(max(where + by, 0), len(order) - 1)]))

    def _go(self, place: int) -> None:
        self._current = place
        self.pointed.emit(place)
        self.setAccessibleDescription(self._tell(place))
        self.over.update()


class _Over(QWidget):
    """What lies over the plot; the mouse goes through it."""

    def __init__(self, scatter: Scatter) -> None:
        super().__init__(scatter)
        self._scatter = scatter
        self.watched: object = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._scatter.paint_over(QPainter(self))


def _ticks(pairs: Pairs, is_square: bool) -> tuple[tuple[float, ...], tuple[float, ...]]:
    if not len(pairs):
        return (0.0, 1.0), (0.0, 1.0)
    ranges = [(float(values.min()), float(values.max())) for values in (pairs.x, pairs.y)]
    if is_square:
        low, high = min(r[0] for r in ranges), max(r[1] for r in ranges)
        ranges = [(low, high), (low, high)]
    x, y = (round_steps(low, high, _STEPS) for low, high in ranges)
    return x, y


def _place_of(pairs: Pairs, ids: tuple[int, int] | None) -> int:
    if ids is None:
        return -1
    found = np.flatnonzero((pairs.first == ids[0]) & (pairs.second == ids[1]))
    return int(found[0]) if len(found) else -1


def _pictured(
    x: Floats, y: Floats, kinds: Ids, selected: Ids | None, looks: Sequence[Stamp], size: tuple[int, int], side: int
) -> QImage:
    """The points; where some are selected the others are faded. For a pool thread."""
    if selected is None:
        return picture(x, y, kinds, looks, size, side)
    image = picture(x, y, kinds, looks, size, side, _FADED)
    painter = QPainter(image)
    painter.drawImage(0, 0, picture(x[selected], y[selected], kinds[selected], looks, size, side))
    painter.end()
    return image


_MOVES: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Down: (1, -1),
    Qt.Key.Key_Up: (1, 1),
}
