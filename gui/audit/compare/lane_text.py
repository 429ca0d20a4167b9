"""The text under a lane: a few lines of it, those around the clause that is said, which is marked in them."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QTextCharFormat, QTextLayout, QTextOption

from gui.theme import font, line_height, theme

_MOST = 1_500  # characters that are laid out at once
_MORE = 16  # pixels right of the lines, for the sign that there are more
_BEFORE = 300  # of them before the clause
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\ufffe\uffff]")


class LaneText:
    """Lays one text out over a width; knows nothing of sound."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._span: tuple[int, int] | None = None
        self._layout: QTextLayout | None = None
        self._key: tuple[Any, ...] = ()
        self._first = 0

    @property
    def line_height(self) -> int:
        """Pixels of a line."""
        return line_height("table")

    def mark(self, span: tuple[int, int] | None) -> None:
        """Mark these characters, and keep them in view."""
        self._span = span
        self._key = ()

    def forget(self) -> None:
        """Lay it out anew: the theme or the typeface is another."""
        self._key = ()

    def lines(self, wide: int) -> int:
        """How many lines it has over a width, as far as it is laid out."""
        return self._laid_out(wide).lineCount()

    def paint(self, painter: QPainter, room: QRect, *, is_heard: bool) -> None:
        """Draw the lines that ``room`` has place for; of more, those from the marked one on."""
        layout = self._laid_out(room.width())
        fits = max(room.height() // self.line_height, 1)
        count = layout.lineCount()
        top_line = min(self._marked_line(layout), max(count - fits, 0))
        painter.save()
        painter.setClipRect(room)
        painter.setPen(theme().color("text.primary" if is_heard else "text.secondary"))
        layout.draw(painter, QPointF(room.left(), room.top() - top_line * self.line_height))
        painter.restore()
        if top_line + fits < count:
            painter.setFont(font("table", "content"))
            painter.setPen(theme().color("text.tertiary"))
            end = QRect(room.right() + 1, room.top() + (fits - 1) * self.line_height, _MORE, self.line_height)
            painter.drawText(end, int(Qt.AlignmentFlag.AlignVCenter), "…")

    def _laid_out(self, wide: int) -> QTextLayout:
        key = (wide, theme().name, self._span)
        if self._layout is None or key != self._key:
            self._layout, self._key = self._lay_out(wide), key
        return self._layout

    def _lay_out(self, wide: int) -> QTextLayout:
        at = 0 if self._span is None or self._span[1] <= _MOST else max(self._span[0] - _BEFORE, 0)
        self._first = at
        text = _UNSEEN.sub(" ", self._text[at : at + _MOST])
        layout = QTextLayout(text, font("table", "content"))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        layout.setTextOption(option)
        if self._span is not None:
            layout.setFormats([self._marked(self._span[0] - at, self._span[1] - self._span[0])])
        layout.beginLayout()
        y = 0.0
        while (row := layout.createLine()).isValid():
            row.setLineWidth(max(wide, 20))
            row.setPosition(QPointF(0, y + max((self.line_height - row.height()) / 2, 0)))
            y += self.line_height
        layout.endLayout()
        return layout

    def _marked(self, start: int, length: int) -> QTextLayout.FormatRange:
        found = QTextLayout.FormatRange()
        found.start, found.length = start, length
        look = QTextCharFormat()
        look.setBackground(theme().color("accent.tint"))
        look.setForeground(theme().color("text.primary"))
        look.setFontUnderline(True)
        look.setUnderlineColor(theme().color("accent.base"))
        found.format = look
        return found

    def _marked_line(self, layout: QTextLayout) -> int:
        if self._span is None:
            return 0
        row = layout.lineForTextPosition(max(self._span[0] - self._first, 0))
        return row.lineNumber() if row.isValid() else 0
