"""How values are spread: bars, where a threshold stands, and the share beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from gui.charts.plot import Plot
from gui.charts.style import dashed_pen, round_ticks, tick_text
from gui.strings import words
from gui.theme import font, theme

_BAR_GAP = 0.12
_LABEL_EVERY = 56


class Histogram(Plot):
    """Bars between edges, counted from 0."""

    def __init__(self, name: str = "", unit: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._unit = name, unit
        self._edges: tuple[float, ...] = ()
        self._counts: tuple[int, ...] = ()
        self._colour = "audio.answer"
        self._threshold: float | None = None
        self._share: float | None = None
        self._describe()

    def set_bins(
        self,
        edges: Sequence[float],
        counts: Sequence[int],
        threshold: float | None = None,
        share_over: float | None = None,
        colour: str = "audio.answer",
    ) -> None:
        """Draw other bars.

        Args:
            edges: one more than ``counts``, rising.
            threshold: where a dashed line stands.
            share_over: the part of all beyond the threshold, 0 to 1, written at it.
        """
        self._edges, self._counts = tuple(map(float, edges)), tuple(map(int, counts))
        self._threshold, self._share, self._colour = threshold, share_over, colour
        self._describe()
        self._redraw()
        self.update()

    def set_name(self, name: str, unit: str = "") -> None:
        """Name it and its unit in the language of now."""
        self._name, self._unit = name, unit
        self._describe()
        self._redraw()

    def has_data(self) -> bool:
        return any(self._counts)

    def share_text(self) -> str:
        """The share beyond the threshold in words, or nothing."""
        if self._threshold is None or self._share is None:
            return ""
        over = f"{tick_text(self._threshold)} {self._unit}".strip()
        return words.text("widgets.chart.share", share=f"{self._share * 100:.1f} %", threshold=over)

    def _draw(self, item: Any) -> None:
        import pyqtgraph

        ticks = round_ticks(max(self._counts), most=3)
        item.setXRange(self._edges[0], self._edges[-1], padding=0.01)
        item.setYRange(0, ticks[-1], padding=0.02)
        self._rule(item, ticks)
        item.getAxis("bottom").setTicks([self._edge_labels()])
        lefts, rights = self._edges[:-1], self._edges[1:]
        gaps = [(right - left) * _BAR_GAP / 2 for left, right in zip(lefts, rights)]
        bars = pyqtgraph.BarGraphItem(
            x0=[left + gap for left, gap in zip(lefts, gaps)],
            x1=[right - gap for right, gap in zip(rights, gaps)],
            y0=[0] * len(self._counts),
            height=list(self._counts),
            brush=theme().color(self._colour),
            pen=None,
        )
        item.addItem(bars)
        if self._threshold is not None:
            self._draw_threshold(item, ticks[-1])

    def _draw_threshold(self, item: Any, top: float) -> None:
        import pyqtgraph

        item.addItem(
            pyqtgraph.InfiniteLine(
                self._threshold, angle=90, pen=dashed_pen(theme().color("text.primary"), 1.25, "4 3")
            )
        )
        said = self.share_text()
        if not said:
            return
        is_left = (self._threshold or 0) < (self._edges[0] + self._edges[-1]) / 2
        label = pyqtgraph.TextItem(
            said,
            color=theme().color("text.primary"),
            fill=theme().color("surface.panel"),
            anchor=(0 if is_left else 1, 0),
        )
        label.setFont(font("axis"))
        label.setPos(self._threshold or 0, top)
        item.addItem(label)

    def _edge_labels(self) -> list[tuple[float, str]]:
        room = max(self.width() // _LABEL_EVERY, 1)
        every = max(-(-len(self._edges) // room), 1)
        found = [(edge, tick_text(edge)) for edge in self._edges[::every]]
        return [*found[:-1], (found[-1][0], f"{found[-1][1]} {self._unit}".strip())]

    def _describe(self) -> None:
        self.setAccessibleName(self._name)
        said = words.text("widgets.chart.points", name=self._name, count=sum(self._counts))
        self.setAccessibleDescription("; ".join(part for part in (said, self.share_text()) if part))
