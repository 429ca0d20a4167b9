"""Draws tokens in the middle of their cells: Han characters of one colour together, other tokens laid out once."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QGlyphRun, QPainter, QRawFont, QStaticText, QTransform

from gui.theme import font, theme
from gui.widgets.text import shown_text

LONGEST = 40  # characters of a token; more never helps
KEPT = 4_000


class TokenText:
    """Keeps the faces and layouts of one alignment's tokens, plain and bold.

    Tokens wait until ``flush``. Han characters, nearly all of a Chinese text, are then drawn by one call for each
    colour: a third of the time of one call each.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """The fonts may be others now."""
        self._faces: dict[int, _Face] = {}
        self._waiting: dict[tuple[str, int], _Waiting] = {}

    def put(self, token: str, x: float, y: float, ink: str, weight: int = 400) -> None:
        """Let ``token`` be drawn with its middle at a place, in a colour of the theme; nothing for an empty one."""
        if not token:
            return
        waiting = self._waiting.get((ink, weight))
        if waiting is None:
            waiting = self._waiting[ink, weight] = _Waiting(self._face(weight))
        face = waiting.face
        glyph = face.glyphs.get(token)
        if glyph is None:
            glyph = face.find(token)
        if glyph:
            waiting.glyphs.append(glyph)
            waiting.places.append(QPointF(x + face.left, y + face.baseline))
        else:
            waiting.others.append((token, x, y))

    def flush(self, painter: QPainter) -> None:
        """Draw the tokens that wait."""
        for (ink, _), waiting in self._waiting.items():
            painter.setPen(theme().color(ink))
            waiting.draw(painter)
        self._waiting.clear()

    def _face(self, weight: int) -> _Face:
        face = self._faces.get(weight)
        if face is None:
            face = self._faces[weight] = _Face(font("alignment", "content", weight))
        return face


def laid_out(text: str, face: QFont) -> QStaticText:
    """One line of plain text, ready to be drawn many times."""
    made = QStaticText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    made.prepare(QTransform(), face)
    return made


class _Face:
    """One weight: the face that draws Han with its glyphs, and from a cell's middle to a glyph's baseline.

    ``glyphs`` has 0 for a token that is no Han character of the face: another one is found by laying it out.
    """

    def __init__(self, face: QFont) -> None:
        self.font = face
        self.raw = QRawFont.fromFont(face, QFontDatabase.WritingSystem.SimplifiedChinese)
        metrics = QFontMetricsF(face)
        self.left = -metrics.horizontalAdvance("字") / 2
        self.baseline = metrics.ascent() - metrics.height() / 2
        self.glyphs: dict[str, int] = {}
        self._laid_out: dict[str, QStaticText] = {}

    def find(self, token: str) -> int:
        """The glyph of a token that was not asked for before."""
        is_han = len(token) == 1 and "\u4e00" <= token <= "\u9fff"
        glyph = next(iter(self.raw.glyphIndexesForString(token)), 0) if is_han else 0
        if is_han:
            self.glyphs[token] = glyph
        return glyph

    def layout(self, token: str) -> QStaticText:
        """A token of other characters, or of several."""
        found = self._laid_out.get(token)
        if found is None:
            if len(self._laid_out) >= KEPT:
                self._laid_out.clear()
            found = self._laid_out[token] = laid_out(shown_text(token, LONGEST), self.font)
        return found


class _Waiting:
    """Tokens of one colour and weight: Han with the left ends of their baselines, others with their middles."""

    def __init__(self, face: _Face) -> None:
        self.face = face
        self.glyphs: list[int] = []
        self.places: list[QPointF] = []
        self.others: list[tuple[str, float, float]] = []

    def draw(self, painter: QPainter) -> None:
        """Draw them in the painter's colour."""
        if self.glyphs:
            run = QGlyphRun()
            run.setRawFont(self.face.raw)
            run.setGlyphIndexes(self.glyphs)
            run.setPositions(self.places)
            painter.drawGlyphRun(QPointF(0, 0), run)
        if self.others:
            painter.setFont(self.face.font)
        for token, x, y in self.others:
            layout = self.face.layout(token)
            size = layout.size()
            painter.drawStaticText(QPointF(x - size.width() / 2, y - size.height() / 2), layout)
