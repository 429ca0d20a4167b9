"""The text as written and as spoken, with what the rules changed marked by ground and line: read, selected, copied."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gui.audit.detail.spoken_words import Section
from gui.audit.detail.text_popover import shown_lines
from gui.strings import words
from gui.theme import font, space, theme

HEIGHT = 112


class SpokenView(QPlainTextEdit):
    """Shows sections; it scrolls where they are long."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFont(font("body", "content"))
        self.setProperty("role", "bare")
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(space(3))
        self.viewport().setAutoFillBackground(False)
        self._sections: tuple[Section, ...] = ()
        words.changed.connect(self._retranslate)
        self._retranslate()

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Show other sections, from the top."""
        self._sections = tuple(sections)
        self._fill()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self._fit_lines()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_lines()

    def _fit_lines(self) -> None:
        """Leave the room blank in which no whole line has its place: half a line reads as none."""
        if self.verticalScrollBar().value():
            return
        bottoms = [bottom for number in range(self.blockCount()) for bottom in self._bottoms(number)]
        whole = max((bottom for bottom in bottoms if bottom <= self.height()), default=0)
        is_cut = bool(bottoms) and bottoms[-1] > self.height()
        self.setViewportMargins(0, 0, 0, self.height() - whole if is_cut else 0)

    def _bottoms(self, number: int) -> list[int]:
        """Where the lines of a block end, in pixels from the top."""
        block = self.document().findBlockByNumber(number)
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        lines = [block.layout().lineAt(line) for line in range(block.layout().lineCount())]
        return [math.ceil(top + line.y() + line.height()) for line in lines]

    def sizeHint(self) -> QSize:
        return QSize(400, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 60)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._sections:
            place = self.verticalScrollBar().value()
            self._fill()
            self.verticalScrollBar().setValue(place)

    def _fill(self) -> None:
        self.clear()
        formats = _formats()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for number, section in enumerate(self._sections):
            cursor.insertText(("\n" if number else "") + section.heading, formats["heading"])
            cursor.insertText("\n", formats["same"])
            for piece in section.pieces:
                cursor.insertText(shown_lines(piece.text), formats[piece.kind])
        cursor.endEditBlock()

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("audit.detail.spoken.name"))


def _formats() -> dict[str, QTextCharFormat]:
    """Headings small; what is changed on a tint with a line below, what is dropped struck through."""
    colours = theme()
    found = {name: QTextCharFormat() for name in ("heading", "same", "changed", "dropped")}
    for name, made in found.items():
        made.setFont(font("small", weight=600) if name == "heading" else font("body", "content"))
        made.setForeground(colours.color("text.secondary" if name == "heading" else "text.primary"))
    found["changed"].setBackground(colours.color("accent.tint"))
    found["changed"].setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
    found["changed"].setUnderlineColor(colours.color("accent.base"))
    found["dropped"].setForeground(colours.color("mark.deletion"))
    found["dropped"].setBackground(colours.color("mark.deletion_tint"))
    found["dropped"].setFontStrikeOut(True)
    return found
