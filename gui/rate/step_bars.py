"""How often each step of a scale was given: a bar a step, with its count and share."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.rate import wording
from gui.theme import font, theme
from gui.widgets import paint_text

ROW, BAR, _GAP, _WIDEST = 24, 12, 10, 220


class StepBars(QWidget):
    """As tall as its steps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: tuple[tuple[str, int], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_steps(self, steps: Sequence[tuple[str, int]], name: str) -> None:
        """Show the steps by their words, in the order of the scale."""
        self._steps = tuple(steps)
        self.setAccessibleName(name)
        self.setAccessibleDescription("; ".join(f"{label}: {count}" for label, count in self._steps))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, len(self._steps) * ROW + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        whole, most = sum(count for _, count in self._steps), max((count for _, count in self._steps), default=0)
        metrics = QFontMetrics(font("table"))
        words = max((metrics.horizontalAdvance(label) for label, _ in self._steps), default=0) + 2
        left = min(words, _WIDEST, self.width() // 2)
        right = 96
        room = max(self.width() - left - right - 2 * _GAP, 20)
        for place, (label, count) in enumerate(self._steps):
            top = place * ROW
            paint_text(painter, QRect(0, top, left, ROW), label, font("table"), colours.color("text.primary"))
            bar = QRectF(left + _GAP, top + (ROW - BAR) / 2, room * count / most if most else 0, BAR)
            painter.fillRect(bar, colours.color("accent.base"))
            ground = QRectF(bar.right(), bar.top(), room - bar.width(), BAR)
            painter.fillRect(ground, colours.color("surface.sunken"))
            said = f"{wording.count(count)} {wording.percent(count / whole if whole else None):>5}"  # in columns
            figures = QRect(self.width() - right, top, right, ROW)
            grey = colours.color("text.secondary")
            paint_text(painter, figures, said, font("figure", "mono"), grey, Qt.AlignmentFlag.AlignRight)
