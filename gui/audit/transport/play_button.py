"""The one large button: play, or pause while it plays."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from gui.theme import paint_icon, theme
from gui.widgets import paint_focus

_SIDE = 36


class PlayButton(QAbstractButton):
    """A filled disc."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._is_playing = False
        self.setFixedSize(_SIDE, _SIDE)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_playing(self, is_playing: bool) -> None:
        """Show pause, or play."""
        if is_playing != self._is_playing:
            self._is_playing = is_playing
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        step = "pressed" if self.isDown() else "hover" if self.underMouse() else "base"
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(f"accent.{step}" if self.isEnabled() else "surface.line"))
        painter.drawEllipse(self.rect())
        inner = self.rect().adjusted(9, 9, -9, -9)
        ink = "text.on_accent" if self.isEnabled() else "text.disabled"
        paint_icon(painter, inner.toRectF(), "pause" if self._is_playing else "play", ink, fill=True)
        if self.hasFocus():
            paint_focus(painter, self.rect().adjusted(2, 2, -2, -2), _SIDE / 2, theme().color("text.on_accent"))
