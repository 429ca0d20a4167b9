"""The ground both charts stand on: no frame, a grid across, labels in small type; follows the theme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from gui.charts.style import dashed_pen, tick_text
from gui.charts.warmth import warmth
from gui.strings import words
from gui.theme import font, theme
from gui.widgets import paint_text

MARKS = {"circle": "o", "square": "s", "triangle_up": "t1", "diamond": "d", "cross": "x", "triangle_down": "t"}
_AXIS_LEFT = 40
_AXIS_BELOW = 22


class Plot(QWidget):
    """A widget that holds a pyqtgraph plot once it is shown and pyqtgraph is there. Children draw in ``_draw``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._room = QVBoxLayout(self)
        self._room.setContentsMargins(0, 0, 0, 0)
        self._plot: Any = None
        self._none = ""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._redraw_now)
        warmth().done.connect(self._build)
        words.changed.connect(self._redraw)

    def sizeHint(self) -> QSize:
        return QSize(320, 180)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 90)

    @property
    def none(self) -> str:
        """What stands where nothing is drawn."""
        return self._none or words.text("widgets.chart.none")

    def say_none(self, sentence: str) -> None:
        """Say why nothing is drawn, where the usual sentence would not be true; "" says that one."""
        if sentence != self._none:
            self._none = sentence
            self.update()

    def has_data(self) -> bool:
        """Whether there is anything to draw."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if warmth().is_done or not warmth().is_asked:
            QTimer.singleShot(0, self, self._build)  # what stands around it is shown first

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.has_data():
            painter = QPainter(self)
            ink = theme().color("text.tertiary")
            paint_text(painter, self.rect(), self.none, font("small"), ink, Qt.AlignmentFlag.AlignHCenter)

    def _build(self) -> None:
        if self._plot is not None or not self.isVisible():
            return
        import pyqtgraph

        self._plot = pyqtgraph.PlotWidget(self, enableMenu=False)
        self._plot.setFrameShape(self._plot.Shape.NoFrame)
        self._plot.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setAntialiasing(True)
        item = self._plot.getPlotItem()
        item.hideButtons()
        item.setMouseEnabled(False, False)
        item.layout.setContentsMargins(0, 8, 16, 0)
        item.getAxis("left").setWidth(_AXIS_LEFT)
        item.getAxis("bottom").setHeight(_AXIS_BELOW)
        self._room.addWidget(self._plot)
        self._soon.start()

    def _redraw(self) -> None:
        """Draw anew at the next turn of the event loop: a change of language or theme asks several times at once."""
        if self._plot is not None and not self._soon.isActive():
            self._soon.start()

    def _redraw_now(self) -> None:
        if self._plot is None:
            return
        self._plot.setVisible(self.has_data())
        item = self._plot.getPlotItem()
        item.clear()
        self._dress(item)
        if self.has_data():
            self._draw(item)
        self.update()

    def _dress(self, item: Any) -> None:
        """Colours and type of the axes, as the theme has them now."""
        colours = theme()
        self._plot.setBackground(colours.color("surface.panel"))
        for side in ("left", "bottom"):
            axis = item.getAxis(side)
            axis.setStyle(
                tickLength=0,
                maxTickLevel=0,
                tickFont=font("axis"),
                tickTextOffset=6,
                tickAlpha=255,
                hideOverlappingLabels=False,  # it would also hide the first and the last
            )
            axis.setPen(None)
            axis.setTickPen(None)
            axis.setGrid(False)
            axis.setTextPen(colours.color("text.tertiary"))

    def _rule(self, item: Any, values: Sequence[float]) -> None:
        """Label the y axis and draw a line across at each of ``values``; the axis' own grid would hide end labels."""
        from gui.charts.grid import Grid

        item.getAxis("left").setTicks([[(value, tick_text(value)) for value in values]])
        rules = Grid(values, dashed_pen(theme().color("surface.line"), 1.0))
        rules.setZValue(-1)
        item.addItem(rules)

    def _draw(self, item: Any) -> None:
        raise NotImplementedError
