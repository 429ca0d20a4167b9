"""The text as written and as spoken, with what the rules changed marked by ground and line: read, selected, copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QTextCharFormat, QTextCursor
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
