"""Paints a row of the table: state shape, texts, verdict marks, figures, mismatch, tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from engine.query.rows import AuditRow
from gui.audit.cells import (
    Judged,
    answer_text,
    extra_text,
    figure,
    instance_parts,
    mismatch_kind,
    mismatch_text,
    speech_judged,
    text_judged,
    value_of,
)
from gui.audit.columns import Column, Kind
from gui.strings import words
from gui.theme import font, height, theme
from gui.widgets import paint_focus, paint_state, paint_tag, paint_text, paint_verdict, shown_text, tag_width
from gui.widgets.pill import TAG_HEIGHT

_PADDING = 8
_BAR = 3
_GLYPH = 14
_FLAGS = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


@dataclass(frozen=True, slots=True)
class Look:
    """How a row stands in the table: chosen, under the mouse, and whether the keyboard came to it."""

    chosen: bool = False
    hovered: bool = False
    ringed: bool = False


@dataclass(frozen=True, slots=True)
class _Cell:
    room: QRect
    row: AuditRow
    column: Column
    chosen: bool
    highest: int | None


def paint_row(
    painter: QPainter,
    top: int,
    places: Sequence[tuple[Column, int, int]],
    row: AuditRow | None,
    highest: int | None,
    look: Look,
    number: int,
) -> None:
    """A row of the table at ``top``; a stroke for each text while it is being read.

    Args:
        places: each column shown, its left and its width.
        highest: the highest score of the row's scale.
        number: the row's number, by which placeholders differ.
    """
    tall = height("row")
    end = max((left + width for _, left, width in places), default=0)
    first = min((left for _, left, _ in places), default=0)
    _ground(painter, QRect(first, top, end - first, tall), look)
    for column, left, width in places:
        room = QRect(left + _PADDING, top, width - 2 * _PADDING, tall - 1)
        if room.width() <= 0:
            continue
        if row is None:
            _placeholder(painter, room, column, number)
        else:
            _PAINTERS[column.kind](painter, _Cell(room, row, column, look.chosen, highest))


def _placeholder(painter: QPainter, room: QRect, column: Column, number: int) -> None:
    """A quiet stroke where words will stand, of lengths that differ as words do."""
    if column.kind in ("state", "tags", "mismatch"):
        return
    wide = int(room.width() * (0.35 + 0.45 * ((number * 37 + len(column.id) * 11) % 10) / 10))
    painter.fillRect(room.left(), room.center().y() - 3, wide, 6, theme().color("surface.sunken"))


def _state(painter: QPainter, cell: _Cell) -> None:
    paint_state(painter, QRectF(cell.room.left() + 3, cell.room.top(), 14, cell.room.height()), cell.row.state)


def _instance(painter: QPainter, cell: _Cell) -> None:
    subset, key = instance_parts(cell.row)
    ink = theme().color("text.primary" if cell.chosen else "text.secondary")
    mono = QFontMetrics(font("figure"))
    least = min(mono.horizontalAdvance(key) + 2, int(cell.room.width() * 0.36))
    head = QRect(cell.room.left(), cell.room.top(), max(cell.room.width() - least - 5, 0), cell.room.height())
    took = int(paint_text(painter, head, subset, font("table"), ink)) + 5
    rest = cell.room.adjusted(took, 0, 0, 0)
    end = mono.elidedText(shown_text(key), Qt.TextElideMode.ElideLeft, rest.width())  # its number tells it apart
    paint_text(painter, rest, end, font("figure"), theme().color("text.primary"))


def _name(painter: QPainter, cell: _Cell) -> None:
    paint_text(painter, cell.room, cell.row.system, font("table"), theme().color("text.secondary"))


def _question(painter: QPainter, cell: _Cell) -> None:
    paint_text(painter, cell.room, cell.row.question, font("table", "content"), theme().color("text.primary"))


def _answer(painter: QPainter, cell: _Cell) -> None:
    text, tone = answer_text(cell.row, words)
    ink = {"failed": "state.failed", "tertiary": "text.tertiary"}.get(tone, "text.secondary")
    if cell.chosen and tone == "secondary":
        ink = "text.primary"
    paint_text(painter, cell.room, text, font("table", "content"), theme().color(ink))


def _text(painter: QPainter, cell: _Cell) -> None:
    _paint_judged(painter, cell.room, text_judged(cell.row, cell.highest))


def _speech(painter: QPainter, cell: _Cell) -> None:
    _paint_judged(painter, cell.room, speech_judged(cell.row))


def _rate(painter: QPainter, cell: _Cell) -> None:
    _figure(painter, cell)
    if cell.row.error_is_of_words and cell.row.error_rate is not None:
        mark = words.text("audit.table.of_words")
        paint_text(painter, cell.room, mark, font("axis"), theme().color("text.tertiary"))


def _figure(painter: QPainter, cell: _Cell) -> None:
    text = figure(cell.row, cell.column)
    ink = theme().color("text.tertiary" if value_of(cell.row, cell.column) is None else "text.primary")
    painter.setFont(font("figure"))
    painter.setPen(ink)
    painter.drawText(cell.room, int(_FLAGS | Qt.AlignmentFlag.AlignRight), text)


def _words(painter: QPainter, cell: _Cell) -> None:
    family = "content" if cell.column.kind == "content" else "ui"
    ink = theme().color("text.primary" if cell.chosen else "text.secondary")
    paint_text(painter, cell.room, extra_text(cell.row, cell.column, words), font("table", family), ink)


def _mismatch(painter: QPainter, cell: _Cell) -> None:
    kind = mismatch_kind(cell.row)
    if kind:
        _paint_mismatch(painter, QRectF(cell.room.left(), cell.room.top(), _GLYPH, cell.room.height()), kind)
        rest = cell.room.adjusted(_GLYPH + 3, 0, _PADDING - 2, 0)
        paint_text(painter, rest, mismatch_text(cell.row, words), font("table"), theme().color("text.primary"))


def _tags(painter: QPainter, cell: _Cell) -> None:
    left = cell.room.left() - 1
    for tag in cell.row.tags:
        wide = min(tag_width(tag), cell.room.right() + _PADDING - 2 - left)
        if wide < 24:
            break
        paint_tag(painter, QRect(left, cell.room.center().y() - TAG_HEIGHT // 2, wide, TAG_HEIGHT), tag)
        left += wide + 4


def _ground(painter: QPainter, rect: QRect, look: Look) -> None:
    colours = theme()
    ground = "surface.selected" if look.chosen else "surface.hover" if look.hovered else "surface.panel"
    painter.fillRect(rect, colours.color(ground))
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colours.color("surface.line"))
    if look.chosen:
        painter.fillRect(rect.left(), rect.top(), _BAR, rect.height() - 1, colours.color("accent.base"))
    if look.ringed:
        paint_focus(painter, rect.adjusted(0, 0, 0, -1), 0)


def _paint_judged(painter: QPainter, room: QRect, judged: Judged) -> None:
    colours = theme()
    mark = QRectF(room.left(), room.top(), 14, room.height())
    if judged.kind in ("right", "wrong"):
        paint_verdict(painter, mark, judged.kind == "right")
    elif judged.kind == "state":
        paint_state(painter, mark, judged.state)
    elif judged.kind == "unread":
        text = words.text("audit.verdict.unread")
        paint_text(painter, room.adjusted(0, 0, 6, 0), text, font("table"), colours.color("state.unparsable"))
    elif judged.kind == "score":
        took = int(paint_text(painter, room, judged.text, font("figure"), colours.color("text.primary")))
        rest = room.adjusted(took, 0, 0, 0)
        paint_text(painter, rest, judged.of, font("figure"), colours.color("text.secondary"))
    else:
        paint_text(painter, room, judged.text, font("table"), colours.color("text.tertiary"))


def _paint_mismatch(painter: QPainter, rect: QRectF, kind: str) -> None:
    """The glyph of a way in which speech and text part, in ten pixels."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.left() + 5, rect.center().y() + 0.5)
    ink: QColor = theme().color("text.secondary")
    pen = QPen(ink, 1.4)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for start, end in _STROKES.get(kind, ()):
        painter.drawLine(QPointF(*start), QPointF(*end))
    if kind in ("silent", "weak"):
        painter.drawEllipse(QPointF(0, 0), 3.6, 3.6)
    painter.restore()


_MINUS, _PLUS = ((-3.5, 0), (3.5, 0)), ((0, -3.5), (0, 3.5))
_EQUALS = (((-3.5, -1.5), (3.5, -1.5)), ((-3.5, 1.5), (3.5, 1.5)))
_SLASH = ((-2, 4.5), (2, -4.5))
_STROKES = {
    "omission": (_MINUS,),
    "insertion": (_MINUS, _PLUS),
    "repetition": (_MINUS, _PLUS, ((4.5, -3), (4.5, 3))),
    "truncation": (((-4.5, 0), (3, 0)), ((3, -4), (3, 4))),
    "unrelated": (((-4.5, 1), (-1.5, -1.2)), ((-1.5, -1.2), (1.5, 1.2)), ((1.5, 1.2), (4.5, -1)), _SLASH),
    "single": (*_EQUALS, _SLASH),
    "weak": (((-4, 4), (4, -4)),),
}

_PAINTERS: dict[Kind, Callable[[QPainter, _Cell], None]] = {
    "state": _state,
    "instance": _instance,
    "name": _name,
    "question": _question,
    "answer": _answer,
    "text": _text,
    "speech": _speech,
    "rate": _rate,
    "mismatch": _mismatch,
    "figure": _figure,
    "tags": _tags,
    "plain": _words,
    "content": _words,
    "choice": _words,
    "why": _words,
    "words": _words,
    "flag": _words,
}
