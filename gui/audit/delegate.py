"""Paints the rows of the table: state shape, texts, verdict marks, figures, mismatch, tags."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from engine.query.rows import AuditRow
from gui.audit.cells import (
    Judged,
    answer_text,
    figure,
    instance_parts,
    mismatch_kind,
    mismatch_text,
    speech_judged,
    text_judged,
)
from gui.audit.columns import COLUMNS, Column
from gui.audit.rows_model import ROW_ROLE, SCALE_ROLE, Index
from gui.strings import words
from gui.theme import font, height, line, theme
from gui.widgets import paint_state, paint_tag, paint_text, paint_verdict, tag_width
from gui.widgets.pill import TAG_HEIGHT

_PADDING = 8
_BAR = 3
_GLYPH = 14
_FLAGS = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


class RowDelegate(QStyledItemDelegate):
    """Draws one cell; ``hovered`` is the row under the mouse, ``ringed`` says that the keyboard is in the table."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.hovered = -1
        self.ringed = False
        self._paint = {
            "state": self._state,
            "instance": self._instance,
            "name": self._name,
            "question": self._question,
            "answer": self._answer,
            "text": self._text,
            "speech": self._speech,
            "rate": self._rate,
            "mismatch": self._mismatch,
            "figure": self._figure,
            "tags": self._tags,
        }

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(COLUMNS[index.column()].width, height("row"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        column, rect = COLUMNS[index.column()], QRect(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setClipRect(rect)
        self._ground(painter, rect, index, chosen)
        row = index.data(ROW_ROLE)
        if isinstance(row, AuditRow):
            room = rect.adjusted(_PADDING, 0, -_PADDING, -1)
            self._paint[column.kind](painter, room, row, column, chosen, index)
        else:
            self._placeholder(painter, rect, column, index.row())
        painter.restore()

    def _ground(self, painter: QPainter, rect: QRect, index: Index, chosen: bool) -> None:
        colours = theme()
        is_hovered = index.row() == self.hovered
        ground = "surface.selected" if chosen else "surface.hover" if is_hovered else "surface.panel"
        painter.fillRect(rect, colours.color(ground))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colours.color("surface.line"))
        if chosen and index.column() == 0:
            painter.fillRect(rect.left(), rect.top(), _BAR, rect.height() - 1, colours.color("accent.base"))
        if chosen and self.ringed:
            ring, thick = colours.color("accent.focus"), int(line("focus"))
            painter.fillRect(rect.left(), rect.top(), rect.width(), thick, ring)
            painter.fillRect(rect.left(), rect.bottom() - thick, rect.width(), thick, ring)

    def _placeholder(self, painter: QPainter, rect: QRect, column: Column, place: int) -> None:
        """A quiet stroke where words will stand, of lengths that differ as words do."""
        if column.kind in ("state", "tags", "mismatch"):
            return
        room = rect.width() - 2 * _PADDING
        wide = int(room * (0.35 + 0.45 * ((place * 37 + len(column.id) * 11) % 10) / 10))
        painter.fillRect(rect.left() + _PADDING, rect.center().y() - 3, wide, 6, theme().color("surface.sunken"))

    def _state(self, painter: QPainter, room: QRect, row: AuditRow, column: Column, chosen: bool, index: Index) -> None:
        paint_state(painter, QRectF(room.left() + 3, room.top(), 14, room.height()), row.state)

    def _instance(
        self, painter: QPainter, room: QRect, row: AuditRow, column: Column, chosen: bool, index: Index
    ) -> None:
        subset, key = instance_parts(row)
        ui, mono = font("table"), font("figure")
        ink = theme().color("text.primary" if chosen else "text.secondary")
        key_wide = min(QFontMetrics(mono).horizontalAdvance(key) + 2, int(room.width() * 0.6))
        left = QRect(room.left(), room.top(), max(room.width() - key_wide - 5, 0), room.height())
        took = int(paint_text(painter, left, subset, ui, ink)) + 5
        rest = room.adjusted(took, 0, 0, 0)
        paint_text(painter, rest, key, mono, theme().color("text.primary"))

    def _name(self, painter: QPainter, room: QRect, row: AuditRow, column: Column, chosen: bool, index: Index) -> None:
        paint_text(painter, room, row.system, font("table"), theme().color("text.secondary"))

    def _question(
        self, painter: QPainter, room: QRect, row: AuditRow, column: Column, chosen: bool, index: Index
    ) -> None:
        paint_text(painter, room, row.question, font("table", "content"), theme().color("text.primary"))

    def _answer(
        self, painter: QPainter, room: QRect, row: AuditRow, column: Column, chosen: bool, index: Index
    ) -> None:
        text, tone = answer_text(row, words)
        ink = {"failed": "state.failed", "tertiary": "text.tertiary"}.get(tone, "text.secondary")
        if chosen and tone == "secondary":
            ink = "text.primary"
        paint_text(painter, room, text, font("table", "content"), theme().color(ink))

    def _text(self, painter: QPainter, room: QRect, row: AuditRow, column: Column, chosen: bool, index: Index) -> None:
        _paint_judged(painter, room, text_judged(row, index.data(SCALE_ROLE)))

    def _speech(
        self, painter: QPainter, room: QRect, row: AuditRow, column: Column, chosen: bool, index: Index
    ) -> None:
        _paint_judged(painter, room, speech_judged(row))

    def _rate(self, painter: QPainter, room: QRect, row: AuditRow, column: Column, chosen: bool, index: Index) -> None:
        self._figure(painter, room, row, column, chosen, index)
        if row.error_is_of_words and row.error_rate is not None:
            mark = words.text("audit.table.of_words")
            paint_text(painter, room, mark, font("axis"), theme().color("text.tertiary"))

    def _figure(
        self, painter: QPainter, room: QRect, row: AuditRow, column: Column, chosen: bool, index: Index
    ) -> None:
        text = figure(row, column)
        ink = theme().color("text.tertiary" if getattr(row, column.value) is None else "text.primary")
        painter.setFont(font("figure"))
        painter.setPen(ink)
        painter.drawText(room, int(_FLAGS | Qt.AlignmentFlag.AlignRight), text)

    def _mismatch(
        self, painter: QPainter, room: QRect, row: AuditRow, column: Column, chosen: bool, index: Index
    ) -> None:
        kind = mismatch_kind(row)
        if kind:
            _paint_mismatch(painter, QRectF(room.left(), room.top(), _GLYPH, room.height()), kind)
            rest = room.adjusted(_GLYPH + 3, 0, _PADDING - 2, 0)
            paint_text(painter, rest, mismatch_text(row, words), font("table"), theme().color("text.primary"))

    def _tags(self, painter: QPainter, room: QRect, row: AuditRow, column: Column, chosen: bool, index: Index) -> None:
        left = room.left() - 1
        for tag in row.tags:
            wide = min(tag_width(tag), room.right() + _PADDING - 2 - left)
            if wide < 24:
                break
            paint_tag(painter, QRect(left, room.center().y() - TAG_HEIGHT // 2, wide, TAG_HEIGHT), tag)
            left += wide + 4


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
