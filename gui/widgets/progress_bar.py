"""How far a step is, and how much of it is no score."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.strings import words
from gui.theme import theme
from gui.widgets.painting import paint_stripes

THICK = 12
LEAST_PART = 2.0
"""Pixels of the smallest part: one failure among thousands stays visible."""


class ProgressBar(QWidget):
    """Three parts on a track: scored solid, unparsable striped, failed plum. ``done`` counts all three."""

    def __init__(
        self,
        done: int = 0,
        unparsable: int = 0,
        failed: int = 0,
        total: int = 0,
        thick: int = THICK,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._thick = thick
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        words.changed.connect(self._retranslate)
        self._counts = (0, 0, 0, 0)
        self.set_counts(done, unparsable, failed, total)

    def set_counts(self, done: int, unparsable: int = 0, failed: int = 0, total: int = 0) -> None:
        """Show other counts."""
        self._counts = (done, unparsable, failed, total)
        self._retranslate()
        self.update()

    def parts(self) -> tuple[float, float, float]:
        """The widths of scored, unparsable and failed, in pixels of this widget."""
        done, unparsable, failed, total = self._counts
        if total <= 0:
            return 0.0, 0.0, 0.0
        each = self.width() / total
        striped = max(unparsable * each, LEAST_PART) if unparsable else 0.0
        plum = max(failed * each, LEAST_PART) if failed else 0.0
        scored = max(min(done, total) * each - striped - plum, 0.0)
        return scored, striped, plum

    def sizeHint(self) -> QSize:
        return QSize(160, self._thick)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self._thick)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        whole = QRectF(self.rect())
        painter.fillRect(whole, colours.color("surface.sunken"))
        scored, striped, plum = self.parts()
        painter.fillRect(QRectF(0, 0, scored, whole.height()), colours.color("accent.base"))
        if striped:
            place = QRectF(scored, 0, striped, whole.height())
            paint_stripes(painter, place, colours.color("state.unparsable"), colours.color("state_tint.unparsable"))
        painter.fillRect(QRectF(scored + striped, 0, plum, whole.height()), colours.color("state.failed"))

    def _retranslate(self) -> None:
        done, unparsable, failed, total = self._counts
        said = words.text("widgets.progress.said", done=done, total=total, unparsable=unparsable, failed=failed)
        self.setAccessibleName(said)
        self.setToolTip(said)
