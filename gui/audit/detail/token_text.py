"""Draws tokens in the middle of their cells, each laid out once: an alignment repeats its characters."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QStaticText, QTransform

from gui.theme import font
from gui.widgets.text import shown_text

LONGEST = 40  # characters of a token; more never helps
KEPT = 4_000


class TokenText:
    """Keeps the layouts of one alignment's tokens, plain and bold."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """The fonts may be others now."""
        self._fonts: dict[int, QFont] = {}
        self._laid_out: dict[tuple[str, int], QStaticText] = {}

    def paint(self, painter: QPainter, rect: QRectF, token: str, colour: QColor, weight: int = 400) -> None:
        """Draw ``token`` in the middle of ``rect``; nothing for an empty one."""
        if not token:
            return
        face = self._fonts.get(weight)
        if face is None:
            face = self._fonts[weight] = font("alignment", "content", weight)
        laid_out = self._laid_out.get((token, weight)) or self._lay_out(token, weight, face)
        size = laid_out.size()
        corner = QPointF(rect.center().x() - size.width() / 2, rect.center().y() - size.height() / 2)
        painter.setFont(face)
        painter.setPen(colour)
        painter.drawStaticText(corner, laid_out)

    def _lay_out(self, token: str, weight: int, face: QFont) -> QStaticText:
        if len(self._laid_out) >= KEPT:
            self._laid_out.clear()
        made = QStaticText(shown_text(token, LONGEST))
        made.setTextFormat(Qt.TextFormat.PlainText)
        made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
        made.prepare(QTransform(), face)
        self._laid_out[token, weight] = made
        return made
