"""A small panel over the window with texts at full length, to read and copy; Esc or a click beside it closes it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from gui.audit.detail.text_part import TextPart
from gui.strings import words
from gui.theme import font, space, theme
from gui.widgets.buttons import Button, IconButton
from gui.widgets.labels import label
from gui.widgets.popover import Popover
from gui.widgets.text import shown_text

LONGEST_PART = 12_000
_LONGEST_LINE = 2_000  # characters of one paragraph: Qt lays a paragraph out as one piece
WIDTH, HEIGHT = 560, 380


class TextPopover(Popover):
    """Shows parts of text over the window it belongs to, above or below the button that opened it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(3), space(2), space(2), space(3))
        head = QHBoxLayout()
        self._title = label("", "body", weight=600, elide=True)
        self._copy = Button(size="button_small", icon="copy")
        self._copy.clicked.connect(self._copy_all)
        self._close = IconButton("x", size="button_small", key="Esc")
        self._close.clicked.connect(self.leave)
        head.addWidget(self._title, 1)
        head.addWidget(self._copy)
        head.addWidget(self._close)
        column.addLayout(head)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setFont(font("body", "content"))
        self._text.setProperty("role", "code")
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        column.addWidget(self._text)
        self._parts: tuple[TextPart, ...] = ()
        words.changed.connect(self.close)

    def show_parts(self, title: str, parts: Sequence[TextPart], over: QWidget) -> None:
        """Open with these texts near ``over``, wholly inside its window."""
        self._parts = tuple(parts)
        self._title.setText(title)
        self._copy.setText(words.text("audit.detail.copy"))
        self._close.set_tip(words.text("audit.detail.close"))
        self.setAccessibleName(title)
        self._text.setAccessibleName(title)
        self._fill()
        self.open_near(over, QSize(WIDTH, HEIGHT))
        self._text.setFocus()
        self._text.moveCursor(QTextCursor.MoveOperation.Start)
        self._text.verticalScrollBar().setValue(0)  # what was laid out while hidden may have scrolled

    @property
    def shown(self) -> str:
        """What stands in it, as it is drawn."""
        return self._text.toPlainText()

    def _fill(self) -> None:
        self._text.clear()
        cursor = QTextCursor(self._text.document())
        heading, plain, flipped = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        flipped.setFont(font("small", weight=600))
        flipped.setForeground(theme().color("verdict.warning"))
        heading.setFont(font("small", weight=600))
        heading.setForeground(theme().color("text.secondary"))
        plain.setFont(font("body", "content"))
        plain.setForeground(theme().color("text.primary"))
        for number, part in enumerate(self._parts):
            note = f"  {part.note}" if part.note else ""
            cursor.insertText(("\n\n" if number else "") + shown_text(part.heading + note), heading)
            if part.flip:
                cursor.insertText("\n" + shown_lines(part.flip), flipped)
            cursor.insertText("\n" + shown_lines(part.text), plain)
        self._text.moveCursor(QTextCursor.MoveOperation.Start)

    def _copy_all(self) -> None:
        whole = "\n\n".join("\n".join(filter(None, (part.heading, part.flip, part.text))) for part in self._parts)
        QGuiApplication.clipboard().setText(whole)
        self._copy.setText(words.text("audit.detail.copied"))


def shown_lines(text: str, longest: int = LONGEST_PART) -> str:
    """``text`` of several lines with everything invisible shown by a sign, cut where it is longer than anyone reads."""
    kept = text[:longest]
    lines = []
    for line in kept.split("\n"):
        pieces = [line[at : at + _LONGEST_LINE] for at in range(0, len(line), _LONGEST_LINE)] or [""]
        lines += [shown_text(piece, _LONGEST_LINE) for piece in pieces]
    if len(text) > longest:
        lines.append(words.text("audit.detail.cut", more=len(text) - longest))
    return "\n".join(lines)
