"""Paints the cells of an alignment: what lies under the text, the text by colour, what lies over it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap, QStaticText

from engine.metrics.drawn import Cell
from gui.audit.detail.cell_words import GLYPHS
from gui.audit.detail.token_text import TokenText, laid_out
from gui.theme import font, line, radius, theme
from gui.widgets.painting import paint_stripes

ROW, GLYPH_ROW = 25, 13
LINE_HEIGHT = 2 * ROW + GLYPH_ROW
LATIN_MARK = 6  # pixels that a Latin mark has
_LEANS = -4  # pixels by which one stands nearer to the word before it
_LOWER = ROW + GLYPH_ROW
_UNDERLINES = {"homophone": Qt.PenStyle.DotLine, "reading": Qt.PenStyle.DotLine, "tone": Qt.PenStyle.DashLine}


class Spot(NamedTuple):
    """A cell with where it stands, in pixels; it is ``LINE_HEIGHT`` tall."""

    cell: Cell
    left: float
    top: float
    wide: float

    def row(self, top: int, high: int = ROW) -> QRectF:
        """One of its rows, ``top`` pixels below its own top."""
        return QRectF(self.left, self.top + top, self.wide, high)

    @property
    def rows(self) -> tuple[QRectF, QRectF]:
        """What is written and what is heard."""
        return self.row(0), self.row(_LOWER)


class CellPaint:
    """Keeps what one view's cells are painted with: faces, layouts, signs and the hatch of what is missing."""

    def __init__(self) -> None:
        self._tokens = TokenText()
        self._signs: dict[str, QStaticText] = {}
        self._hatches: dict[tuple[str, float, float, float], QPixmap] = {}

    def forget(self) -> None:
        """The fonts may be others now."""
        self._tokens.forget()
        self._signs.clear()

    def paint(self, painter: QPainter, spots: Iterable[Spot]) -> None:
        """Paint the cells, edits marked by tint, line, hatch and sign."""
        edits: dict[str, list[Spot]] = {kind: [] for kind in GLYPHS}
        put = self._tokens.put
        for spot in spots:
            cell, left, top, wide = spot
            if cell.kind == "equal":
                middle = left + wide / 2
                put(cell.reference, middle, top + ROW / 2, "text.primary")
                put(cell.hypothesis, middle, top + _LOWER + ROW / 2, "text.primary")
            elif cell.kind == "mark":
                self._put_mark(spot)
            else:
                edits[cell.kind].append(spot)
        self._paint_substitutions(painter, edits["substitution"])
        self._paint_insertions(painter, edits["insertion"])
        self._paint_deletions(painter, edits["deletion"])
        self._tokens.flush(painter)
        _paint_underlines(painter, edits["substitution"])
        _paint_strikes(painter, edits["deletion"])
        for kind, found in edits.items():
            self._paint_signs(painter, kind, found)

    def _put_mark(self, spot: Spot) -> None:
        """A recogniser writes few marks: the text's own is carried along, pale."""
        cell, left, top, wide = spot
        middle = left + wide / 2 + (_LEANS if wide == LATIN_MARK else 0)
        self._tokens.put(cell.reference, middle, top + ROW / 2, "text.primary")
        ink = "text.primary" if cell.hypothesis else "text.tertiary"
        self._tokens.put(cell.hypothesis or cell.reference, middle, top + _LOWER + ROW / 2, ink)

    def _put(self, spot: Spot, token: str, row: int, ink: str, weight: int = 600) -> None:
        self._tokens.put(token, spot.left + spot.wide / 2, spot.top + row + ROW / 2, ink, weight)

    def _paint_substitutions(self, painter: QPainter, spots: Sequence[Spot]) -> None:
        _paint_boxes(painter, [row for spot in spots for row in spot.rows], theme().color("mark.substitution_tint"))
        for spot in spots:
            self._put(spot, spot.cell.reference, 0, "mark.substitution")
            self._put(spot, spot.cell.hypothesis, _LOWER, "mark.substitution")

    def _paint_insertions(self, painter: QPainter, spots: Sequence[Spot]) -> None:
        colour = theme().color
        _paint_boxes(painter, [spot.row(0) for spot in spots], None, _dashed(colour("surface.line_strong")))
        tint, ink = colour("mark.insertion_tint"), _dashed(colour("mark.insertion"))
        _paint_boxes(painter, [spot.row(_LOWER) for spot in spots], tint, ink)
        for spot in spots:
            self._put(spot, spot.cell.hypothesis, _LOWER, "mark.insertion")

    def _paint_deletions(self, painter: QPainter, spots: Sequence[Spot]) -> None:
        _paint_boxes(painter, [spot.row(0) for spot in spots], theme().color("mark.deletion_tint"))
        lower = [spot.row(_LOWER) for spot in spots]
        for row in lower:
            painter.drawPixmap(row.topLeft() + QPointF(1, 1), self._hatch(row.width() - 2, painter))
        _paint_boxes(painter, lower, None, QPen(theme().color("surface.line_strong"), 1))
        for spot in spots:
            self._put(spot, spot.cell.reference, 0, "mark.deletion", 400)

    def _hatch(self, wide: float, painter: QPainter) -> QPixmap:
        ratio = painter.device().devicePixelRatio()
        key = (theme().name, wide, ROW - 2.0, ratio)
        found = self._hatches.get(key)
        if found is None:
            found = self._hatches[key] = _hatched(wide, ROW - 2.0, ratio)
        return found

    def _paint_signs(self, painter: QPainter, kind: str, spots: Sequence[Spot]) -> None:
        if not spots:
            return
        face = font("small", weight=600)
        sign = self._signs.get(kind) or self._signs.setdefault(kind, laid_out(GLYPHS[kind], face))
        size = sign.size()
        painter.setFont(face)
        painter.setPen(theme().color(f"mark.{kind}"))
        for spot in spots:
            left = spot.left + (spot.wide - size.width()) / 2
            painter.drawStaticText(QPointF(left, spot.top + ROW + (GLYPH_ROW - size.height()) / 2), sign)


def _paint_underlines(painter: QPainter, spots: Sequence[Spot]) -> None:
    """Plain where the words differ, dashed for the tone, dotted for a homophone."""
    by_style: dict[Qt.PenStyle, list[QLineF]] = {}
    for spot in spots:
        lines = by_style.setdefault(_UNDERLINES.get(spot.cell.sound, Qt.PenStyle.SolidLine), [])
        for row in spot.rows:
            lines.append(QLineF(row.left() + 1, row.bottom() - 1, row.right() - 1, row.bottom() - 1))
    for style, lines in by_style.items():
        painter.setPen(QPen(theme().color("mark.substitution"), line("selected"), style))
        painter.drawLines(lines)


def _paint_strikes(painter: QPainter, spots: Sequence[Spot]) -> None:
    colour = theme().color("mark.deletion")
    for spot in spots:
        painter.fillRect(QRectF(spot.left + 3, spot.top + ROW // 2, spot.wide - 6, 1), colour)


def _paint_boxes(painter: QPainter, rows: Sequence[QRectF], fill: QColor | None, edge: QPen | None = None) -> None:
    """Rounded boxes of one look, their edge inside of them."""
    if not rows:
        return
    inset = edge.widthF() / 2 if edge is not None else 0.0
    corner = max(radius("mark") - inset, 0.0)
    with _antialiased(painter):
        painter.setPen(edge if edge is not None else QPen(Qt.PenStyle.NoPen))
        painter.setBrush(fill if fill is not None else QBrush(Qt.BrushStyle.NoBrush))
        for row in rows:
            painter.drawRoundedRect(row.adjusted(inset, inset, -inset, -inset), corner, corner)


@contextmanager
def _antialiased(painter: QPainter) -> Iterator[None]:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    yield
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _dashed(ink: QColor) -> QPen:
    pen = QPen(ink, 1)
    pen.setDashPattern([3.0, 2.0])
    return pen


def _hatched(wide: float, high: float, ratio: float) -> QPixmap:
    """The stripes of what is missing; as a picture, for to clip and stroke them takes longer."""
    made = QPixmap(max(1, round(wide * ratio)), max(1, round(high * ratio)))
    made.setDevicePixelRatio(ratio)
    made.fill(theme().color("surface.panel"))
    painter = QPainter(made)
    paint_stripes(painter, QRectF(0, 0, wide, high), theme().color("surface.line_strong"))
    painter.end()
    return made
