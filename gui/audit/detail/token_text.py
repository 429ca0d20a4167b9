"""Draws tokens in the middle of their cells: Han characters of one colour together, other tokens laid out once."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QGlyphRun,
    QPainter,
    QRawFont,
    QStaticText,
    QTransform,
)

from gui.theme import font
from gui.widgets.text import shown_text

LONGEST = 40  # characters of a token; more never helps
KEPT = 4_000


class TokenText:
    """Keeps the fonts and layouts of one alignment's tokens, plain and bold.

    Han characters, nearly all of a Chinese text, wait until ``flush`` and are drawn by one call for each colour: a
    third of the time of one call each.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """The fonts may be others now."""
        self._fonts: dict[int, QFont] = {}
        self._laid_out: dict[tuple[str, int], QStaticText] = {}
        self._faces: dict[int, _HanFace] = {}
        self._waiting: dict[tuple[int, int], _Waiting] = {}

    def paint(self, painter: QPainter, rect: QRectF, token: str, colour: QColor, weight: int = 400) -> None:
        """Draw ``token`` in the middle of ``rect``; nothing for an empty one. Call ``flush`` at the end."""
        if not token:
            return
        if len(token) == 1 and "\u4e00" <= token <= "\u9fff" and self._waits(rect, token, colour, weight):
            return
        face = self._font(weight)
        laid_out = self._laid_out.get((token, weight)) or self._lay_out(token, weight, face)
        size = laid_out.size()
        corner = QPointF(rect.center().x() - size.width() / 2, rect.center().y() - size.height() / 2)
        painter.setFont(face)
        painter.setPen(colour)
        painter.drawStaticText(corner, laid_out)

    def flush(self, painter: QPainter) -> None:
        """Draw the characters that wait."""
        for (_, weight), waiting in self._waiting.items():
            run = QGlyphRun()
            run.setRawFont(self._faces[weight].raw)
            run.setGlyphIndexes(waiting.glyphs)
            run.setPositions(waiting.places)
            painter.setPen(waiting.colour)
            painter.drawGlyphRun(QPointF(0, 0), run)
        self._waiting.clear()

    def _waits(self, rect: QRectF, token: str, colour: QColor, weight: int) -> bool:
        face = self._faces.get(weight)
        if face is None:
            face = self._faces[weight] = _HanFace(self._font(weight))
        glyph = face.glyph(token)
        if not glyph:
            return False  # the face lacks it: another one is found by laying it out
        key = (colour.rgba(), weight)
        waiting = self._waiting.get(key)
        if waiting is None:
            waiting = self._waiting[key] = _Waiting(QColor(colour))
        waiting.glyphs.append(glyph)
        waiting.places.append(rect.center() + face.offset)
        return True

    def _font(self, weight: int) -> QFont:
        face = self._fonts.get(weight)
        if face is None:
            face = self._fonts[weight] = font("alignment", "content", weight)
        return face

    def _lay_out(self, token: str, weight: int, face: QFont) -> QStaticText:
        if len(self._laid_out) >= KEPT:
            self._laid_out.clear()
        made = QStaticText(shown_text(token, LONGEST))
        made.setTextFormat(Qt.TextFormat.PlainText)
        made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
        made.prepare(QTransform(), face)
        self._laid_out[token, weight] = made
        return made


class _HanFace:
    """The face that draws Han, its glyphs as they are asked for, and from a cell's middle to a glyph's baseline."""

    def __init__(self, face: QFont) -> None:
        self.raw = QRawFont.fromFont(face, QFontDatabase.WritingSystem.SimplifiedChinese)
        metrics = QFontMetricsF(face)
        self.offset = QPointF(-metrics.horizontalAdvance("字") / 2, metrics.ascent() - metrics.height() / 2)
        self._glyphs: dict[str, int] = {}

    def glyph(self, character: str) -> int:
        """Its number in the face, 0 where the face lacks it."""
        found = self._glyphs.get(character)
        if found is None:
            found = self._glyphs[character] = next(iter(self.raw.glyphIndexesForString(character)), 0)
        return found


class _Waiting:
    """Characters of one colour and weight with the left ends of their baselines."""

    def __init__(self, colour: QColor) -> None:
        self.colour = colour
        self.glyphs: list[int] = []
        self.places: list[QPointF] = []
