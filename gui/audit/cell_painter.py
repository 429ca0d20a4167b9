"""Paints a cell of the table from what it says: state shape, texts, verdict marks, figures, mismatch, tags."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

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
from gui.theme import font, theme
from gui.widgets import paint_state, paint_tag, paint_text, paint_verdict, shown_text, tag_width
from gui.widgets.pill import TAG_HEIGHT

PADDING = 8
SHARED: frozenset[Kind] = frozenset(("state", "name", "text", "speech", "rate", "mismatch", "figure", "choice", "flag"))
"""Kinds of columns of which many rows say the same."""
_GLYPH = 14
_LEAST_SUBSET = 44  # pixels that the name of the subset keeps beside a long key
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a cell's words stand, its kind, what it says, and whether its row is chosen."""

    room: QRect
    kind: Kind
    said: Any
    chosen: bool


def said_in(row: AuditRow, column: Column, highest: int | None) -> Hashable:
    """All that a cell shows, in the language of now: cells of a kind that say the same look the same."""
    return _SAYERS[column.kind](row, column, highest)


def paint_cell(painter: QPainter, cell: Cell) -> None:
    """A cell's words or marks, without the ground under them."""
    _PAINTERS[cell.kind](painter, cell)


def _state(painter: QPainter, cell: Cell) -> None:
    paint_state(painter, QRectF(cell.room.left() + 3, cell.room.top(), 14, cell.room.height()), cell.said)


def _instance(painter: QPainter, cell: Cell) -> None:
    subset, key = cell.said
    ink = theme().color("text.primary" if cell.chosen else "text.secondary")
    mono = QFontMetrics(font("figure"))
    shown = shown_text(key)
    wanted = mono.horizontalAdvance(shown) + 2  # the key tells rows apart: the subset gives way to it
    room = max(cell.room.width() - wanted, min(_LEAST_SUBSET, cell.room.width() // 2)) - 5
    head = QRect(cell.room.left(), cell.room.top(), max(room, 0), cell.room.height())
    took = int(paint_text(painter, head, subset, font("table"), ink)) + 5
    rest = cell.room.adjusted(took, 0, 0, 0)
    end = mono.elidedText(shown, Qt.TextElideMode.ElideMiddle, rest.width())
    painter.setFont(font("figure"))
    painter.setPen(theme().color("text.primary"))
    painter.drawText(rest, _LEFT, end)


def _name(painter: QPainter, cell: Cell) -> None:
    paint_text(painter, cell.room, cell.said, font("table"), theme().color("text.secondary"))


def _question(painter: QPainter, cell: Cell) -> None:
    paint_text(painter, cell.room, cell.said, font("table", "content"), theme().color("text.primary"))


def _answer(painter: QPainter, cell: Cell) -> None:
    text, tone = cell.said
    ink = {"failed": "state.failed", "tertiary": "text.tertiary"}.get(tone, "text.secondary")
    if cell.chosen and tone == "secondary":
        ink = "text.primary"
    paint_text(painter, cell.room, text, font("table", "content"), theme().color(ink))


def _judged(painter: QPainter, cell: Cell) -> None:
    judged, room, colours = cell.said, cell.room, theme()
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


def _rate(painter: QPainter, cell: Cell) -> None:
    text, is_missing, mark = cell.said
    _paint_figure(painter, cell.room, text, is_missing)
    if mark:
        paint_text(painter, cell.room, mark, font("axis"), theme().color("text.tertiary"))


def _figure(painter: QPainter, cell: Cell) -> None:
    _paint_figure(painter, cell.room, *cell.said)


def _paint_figure(painter: QPainter, room: QRect, text: str, is_missing: bool) -> None:
    painter.setFont(font("figure"))
    painter.setPen(theme().color("text.tertiary" if is_missing else "text.primary"))
    painter.drawText(room, _RIGHT, text)


def _words(painter: QPainter, cell: Cell) -> None:
    family = "content" if cell.kind == "content" else "ui"
    ink = theme().color("text.primary" if cell.chosen else "text.secondary")
    paint_text(painter, cell.room, cell.said, font("table", family), ink)


def _mismatch(painter: QPainter, cell: Cell) -> None:
    kind, text = cell.said
    if kind:
        _paint_mismatch(painter, QRectF(cell.room.left(), cell.room.top(), _GLYPH, cell.room.height()), kind)
        rest = cell.room.adjusted(_GLYPH + 3, 0, PADDING - 2, 0)
        paint_text(painter, rest, text, font("table"), theme().color("text.primary"))


def _tags(painter: QPainter, cell: Cell) -> None:
    left = cell.room.left() - 1
    for tag in cell.said:
        wide = min(tag_width(tag), cell.room.right() + PADDING - 2 - left)
        if wide < 24:
            break
        paint_tag(painter, QRect(left, cell.room.center().y() - TAG_HEIGHT // 2, wide, TAG_HEIGHT), tag)
        left += wide + 4


def _paint_mismatch(painter: QPainter, rect: QRectF, kind: str) -> None:
    """The glyph of a way in which speech and text part, in ten pixels."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.left() + 5, rect.center().y() + 0.5)
    pen = QPen(theme().color("text.secondary"), 1.4)
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


def _says_judged(row: AuditRow, column: Column, highest: int | None) -> Judged:
    return text_judged(row, highest) if column.kind == "text" else speech_judged(row)


def _says_figure(row: AuditRow, column: Column, highest: int | None) -> tuple[str, bool]:
    return figure(row, column), value_of(row, column) is None


def _says_rate(row: AuditRow, column: Column, highest: int | None) -> tuple[str, bool, str]:
    is_of_words = row.error_is_of_words and row.error_rate is not None
    return *_says_figure(row, column, highest), words.text("audit.table.of_words") if is_of_words else ""


def _says_mismatch(row: AuditRow, column: Column, highest: int | None) -> tuple[str, str]:
    return mismatch_kind(row), mismatch_text(row, words)


def _says_words(row: AuditRow, column: Column, highest: int | None) -> str:
    return extra_text(row, column, words)


_SAYERS: dict[Kind, Callable[[AuditRow, Column, int | None], Hashable]] = {
    "state": lambda row, *_: row.state,
    "instance": lambda row, *_: instance_parts(row),
    "name": lambda row, *_: row.system,
    "question": lambda row, *_: row.question,
    "answer": lambda row, *_: answer_text(row, words),
    "text": _says_judged,
    "speech": _says_judged,
    "rate": _says_rate,
    "mismatch": _says_mismatch,
    "figure": _says_figure,
    "tags": lambda row, *_: row.tags,
    "plain": _says_words,
    "content": _says_words,
    "choice": _says_words,
    "why": _says_words,
    "words": _says_words,
    "flag": _says_words,
}

_PAINTERS: dict[Kind, Callable[[QPainter, Cell], None]] = {
    "state": _state,
    "instance": _instance,
    "name": _name,
    "question": _question,
    "answer": _answer,
    "text": _judged,
    "speech": _judged,
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
