"""What the points of a scatter stand for, and how many there are of each kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.audit.compare.point_picture import Stamp, picture
from gui.theme import font, line_height, theme
from gui.widgets import paint_text, shown_text, tip_text

_MARK = 11
_GAP, _BETWEEN = 5, 14


@dataclass(frozen=True, slots=True)
class Named:
    """One kind of point in words."""

    shape: str
    colour: QColor
    text: str


class PointLegend(QWidget):
    """Marks and words in one line; what has no room is told on hover."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kinds: tuple[Named, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(line_height("small") + 2)

    def set_kinds(self, kinds: Sequence[Named]) -> None:
        """Name other kinds."""
        self._kinds = tuple(kinds)
        whole = "\n".join(kind.text for kind in self._kinds)
        self.setAccessibleName(", ".join(kind.text for kind in self._kinds))
        self.setToolTip(tip_text(whole))
        self.update()

    def texts(self) -> list[str]:
        """What it says, from the left."""
        return [kind.text for kind in self._kinds]

    def sizeHint(self) -> QSize:
        return QSize(200, line_height("small") + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        face = font("small")
        metrics = QFontMetricsF(face)
        left = 0.0
        for kind in self._kinds:
            wide = metrics.horizontalAdvance(shown_text(kind.text)) + 2
            room = self.width() - left - _MARK - _GAP
            if room < min(wide, 40):
                return
            painter.drawImage(QPointF(left, (self.height() - _MARK) / 2), _mark(kind, self.devicePixelRatioF()))
            box = QRectF(left + _MARK + _GAP, 0, min(wide, room), self.height())
            paint_text(painter, box, kind.text, face, theme().color("text.secondary"))
            left += _MARK + _GAP + wide + _BETWEEN


def _mark(kind: Named, ratio: float) -> QImage:
    import numpy as np

    side = round(_MARK * ratio)
    middle = np.array([side // 2], float)
    stamp = round(9 * ratio) // 2 * 2 + 1
    image = picture(middle, middle, np.zeros(1, np.int64), [Stamp(0, kind.shape, kind.colour)], (side, side), stamp)
    image.setDevicePixelRatio(ratio)
    return image
