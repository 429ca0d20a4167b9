"""What the mouse does on the time line: seek, choose, resize, play, zoom, scroll, pan."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent

from gui.player.clip import Lane
from gui.player.player import Player, Range
from gui.waveform.canvas import Canvas, Chosen, Hover

ZOOM_STEP = 1.25
_SCROLL_STEP = 0.12  # of what is on screen, a notch of the wheel
_NOTCH = 120
_DRAG_PIXELS = 4
_EDGE_PIXELS, _BRACKET_PIXELS = 5, 9  # in the lane, and in the ruler where the brackets are drawn


class _Doing(Enum):
    NOTHING, PRESSED, CHOOSING, PANNING = range(4)


class Pointer(QObject):
    """Watches a canvas and tells the player; a drag is shown at once and chosen when it ends.

    Signals:
        pointed: a lane and the second of it that was clicked.
    """

    pointed = Signal(str, float)

    def __init__(self, canvas: Canvas, player: Player, show_chosen: Callable[[], None]) -> None:
        super().__init__(canvas)
        self._canvas, self._player, self._show_chosen = canvas, player, show_chosen
        self._doing = _Doing.NOTHING
        self._anchor_s, self._pressed_x = 0.0, 0.0
        self._lane: Lane = "answer"
        canvas.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QMouseEvent):
            handle = {
                QEvent.Type.MouseButtonPress: self._press,
                QEvent.Type.MouseMove: self._move,
                QEvent.Type.MouseButtonRelease: self._release,
                QEvent.Type.MouseButtonDblClick: self._double,
            }.get(kind)
            return handle is not None and handle(event)
        if isinstance(event, QWheelEvent):
            return self._wheel(event)
        if kind == QEvent.Type.Leave:
            self._canvas.set_hover(None)
        return False

    def _press(self, event: QMouseEvent) -> bool:
        at = event.position()
        self._pressed_x = at.x()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._doing = _Doing.PANNING
            return True
        if event.button() != Qt.MouseButton.LeftButton or at.x() > self._canvas.plot_width:
            return False
        self._lane = self._lane_at(at)
        other_end = self._other_end_of_edge(at)
        self._doing = _Doing.PRESSED if other_end is None else _Doing.CHOOSING
        self._anchor_s = self._canvas.view.second(at.x()) if other_end is None else other_end
        if other_end is not None:
            self._lane = self._player.region_lane
        return False  # the canvas takes the focus

    def _move(self, event: QMouseEvent) -> bool:
        at = event.position()
        view = self._canvas.view
        if self._doing is _Doing.PANNING:
            self._canvas.set_view(view.moved((self._pressed_x - at.x()) / view.width * view.span_s))
            self._pressed_x = at.x()
            return True
        if self._doing is _Doing.PRESSED and abs(at.x() - self._pressed_x) >= _DRAG_PIXELS:
            self._doing = _Doing.CHOOSING
        if self._doing is _Doing.CHOOSING:
            self._canvas.set_chosen(Chosen(self._lane, self._dragged(at), self._player.loops))
        self._show_hover(at)
        return False

    def _release(self, event: QMouseEvent) -> bool:
        doing, self._doing = self._doing, _Doing.NOTHING
        if doing is _Doing.CHOOSING:
            range_s = self._dragged(event.position())
            self._hear(self._lane)
            self._player.set_region(range_s)
            self._show_chosen()
        elif doing is _Doing.PRESSED:
            second = self._canvas.view.second(event.position().x())
            self._player.seek(second, self._lane)
            self.pointed.emit(self._lane, second)
        return doing is not _Doing.NOTHING

    def _double(self, event: QMouseEvent) -> bool:
        at = event.position()
        if event.button() != Qt.MouseButton.LeftButton or at.x() > self._canvas.plot_width:
            return False
        second, lane = self._canvas.view.second(at.x()), self._lane_at(at)
        row = self._canvas.row_at(at.y())
        spans = [] if row is None else [s for s in row.spans if s.start_s <= second <= s.end_s]
        if spans:
            self._hear(lane)
            self._player.set_region((spans[0].start_s, spans[0].end_s))
            self._player.play_region()
        elif self._is_in_region(lane, second):
            self._player.play_region()
        else:
            self._player.seek(second, lane)
            self._player.play()
        return True

    def _wheel(self, event: QWheelEvent) -> bool:
        view, held = self._canvas.view, event.modifiers()
        turned = event.angleDelta()
        if held & Qt.KeyboardModifier.ControlModifier:
            at_s = view.second(event.position().x())
            self._canvas.set_view(view.zoomed(ZOOM_STEP ** (turned.y() / _NOTCH), at_s))
            return True
        sideways = turned.x() or (turned.y() if held & Qt.KeyboardModifier.ShiftModifier else 0)
        if sideways and not view.is_whole:
            self._canvas.set_view(view.moved(-sideways / _NOTCH * _SCROLL_STEP * view.span_s))
            return True
        return False  # what is around may scroll

    def _show_hover(self, at: QPointF) -> None:
        near = self._doing is _Doing.CHOOSING or self._other_end_of_edge(at) is not None
        self._canvas.setCursor(Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor)
        if not 0 <= at.x() <= self._canvas.plot_width:
            self._canvas.set_hover(None)
            return
        row = self._canvas.row_at(at.y())
        self._canvas.set_hover(Hover(at.x(), self._canvas.view.second(at.x()), row, at.y()))

    def _lane_at(self, at: QPointF) -> Lane:
        row = self._canvas.row_at(at.y())
        return self._player.spot.lane if row is None or row.clip is None else row.lane

    def _hear(self, lane: Lane) -> None:
        """Make ``lane`` the one that regions belong to."""
        if lane != self._player.region_lane:
            self._player.set_part(lane)

    def _dragged(self, at: QPointF) -> Range:
        second = self._canvas.view.second(at.x())
        return (min(self._anchor_s, second), max(self._anchor_s, second))

    def _is_in_region(self, lane: Lane, second: float) -> bool:
        region = self._player.region
        return region is not None and lane == self._player.region_lane and region[0] <= second <= region[1]

    def _other_end_of_edge(self, at: QPointF) -> float | None:
        """The end of the chosen range that stays when the one at ``at`` is dragged; None away from both."""
        region, row = self._player.region, self._canvas.row_at(at.y())
        if region is None or (row is not None and row.lane != self._player.region_lane):
            return None
        reach = _BRACKET_PIXELS if at.y() < self._canvas.rows[0].top else _EDGE_PIXELS
        ends = sorted((region, region[::-1]), key=lambda ends: abs(self._canvas.view.x(ends[0]) - at.x()))
        edge_s, other_s = ends[0]
        return other_s if abs(self._canvas.view.x(edge_s) - at.x()) <= reach else None
