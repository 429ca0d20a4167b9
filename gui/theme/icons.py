"""Icons by name, drawn in a colour of the theme at the moment of painting."""

from __future__ import annotations

import json
from functools import cache

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QImage, QPainter, QPainterPath, QPixmap, QRawFont, QTransform

from engine.shipped import shipped
from gui.theme.colours import theme

DESIGN_SIZE = 64.0


def icon(name: str, colour: str = "text.secondary", size: int = 16, fill: bool = False) -> QIcon:
    """An icon that follows the theme and the screen's pixels; ``colour`` is a name in the tokens.

    Raises KeyError for a name that the shipped icons lack.
    """
    return QIcon(_engine(name, colour, size, fill))


def paint_icon(painter: QPainter, rect: QRectF, name: str, colour: str = "text.secondary", fill: bool = False) -> None:
    """Draw an icon into a square of a painter, for delegates and painted widgets."""
    side = min(rect.width(), rect.height())
    corner = rect.center() - QPointF(side / 2, side / 2)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    place = QTransform.fromTranslate(corner.x(), corner.y()).scale(side / DESIGN_SIZE, side / DESIGN_SIZE)
    painter.fillPath(place.map(_outline(name, fill)), theme().color(colour))
    painter.restore()


class _Engine(QIconEngine):
    """Draws one glyph of the icon font; greyed when disabled."""

    def __init__(self, name: str, colour: str, size: int, fill: bool) -> None:
        super().__init__()
        self._name, self._colour, self._size, self._fill = name, colour, size, fill

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        colour = "text.disabled" if mode == QIcon.Mode.Disabled else self._colour
        paint_icon(painter, QRectF(rect), self._name, colour, self._fill)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        image = QImage(size * scale, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(scale)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return QPixmap.fromImage(image)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        return size.boundedTo(QSize(self._size, self._size))

    def clone(self) -> QIconEngine:
        copy = _Engine(self._name, self._colour, self._size, self._fill)
        _clones.append(copy)  # Qt holds it by a bare pointer
        return copy


_clones: list[QIconEngine] = []


@cache
def _engine(name: str, colour: str, size: int, fill: bool) -> QIcon:
    _outline(name, fill)  # an unknown name is found here, not while painting
    return QIcon(_Engine(name, colour, size, fill))


@cache
def _outline(name: str, fill: bool) -> QPainterPath:
    """The glyph's outline in a square of 64, its corner at the origin."""
    raw = _raw_font()
    code = chr(int(_codes()[f"{name}-fill" if fill else name], 16))
    (glyph,) = raw.glyphIndexesForString(code)
    return QTransform.fromTranslate(0, raw.ascent()).map(raw.pathForGlyph(glyph))


@cache
def _raw_font() -> QRawFont:
    return QRawFont(str(shipped("icons/phosphor.ttf")), DESIGN_SIZE)


@cache
def _codes() -> dict[str, str]:
    found: dict[str, str] = json.loads(shipped("icons/phosphor.json").read_text(encoding="utf-8"))
    return found
