"""The round button of a clip."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui.theme import line, paint_icon, theme

SIDE, SMALL = 40, 28


class PlayButton(QAbstractButton):
    """Shows whether its clip plays; ``is_main`` is the clip that is rated."""

    def __init__(self, is_main: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_main, self._icon, self._side = is_main, "play", SIDE
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_icon(self, icon: str) -> None:
        """``play``, ``pause`` or ``arrow-counter-clockwise`` for once more."""
        if icon != self._icon:
            self._icon = icon
            self.update()

    def be_small(self, small: bool) -> None:
        """Take less room, in a low window."""
        self._side = SMALL if small else SIDE
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self._side, self._side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = theme()
        filled = self._is_main and self.isEnabled()
        ground = "accent.hover" if self.underMouse() else "accent.base"
        edge = colours.color("surface.control_edge" if self.isEnabled() else "surface.line")
        painter.setPen(Qt.PenStyle.NoPen if filled else QPen(edge, line("hairline")))
        painter.setBrush(colours.color(ground if filled else "surface.panel"))
        painter.drawEllipse(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        ink = "text.on_accent" if filled else "text.secondary" if self.isEnabled() else "text.disabled"
        side = self._side * 0.42
        square = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        paint_icon(painter, square, self._icon, ink, fill=self._icon in ("play", "pause"))
