"""A key as it stands on the keyboard, in a small frame."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.strings import words
from gui.theme import font, radius, theme
from gui.widgets.painting import paint_box

CAP_HEIGHT = 16
_PADDING = 5
_SIGNS = {
    "Return": "↵", "Enter": "↵", "Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "Backspace": "⌫",
    "Escape": "Esc", "PgUp": "PgUp", "PgDown": "PgDn", "Meta": "⌘", "Del": "Del",
}  # fmt: skip


def key_words(keys: str) -> str:
    """A key sequence such as ``Ctrl+K`` as a user reads it: ``Ctrl K``."""
    if keys in ("+", ""):
        return keys
    first = keys.split(", ")[0]  # of a sequence of chords a cap shows the first
    parts = first.strip().split("+")
    if parts[-1] == "":  # Ctrl++
        parts = [*[part for part in parts if part], "+"]
    return " ".join(words.text("widgets.key.space") if part == "Space" else _SIGNS.get(part, part) for part in parts)


def cap_width(text: str) -> int:
    """How wide the cap of a text is, in pixels."""
    return max(CAP_HEIGHT, QFontMetrics(_font()).horizontalAdvance(text) + 2 * _PADDING)


def paint_key_cap(
    painter: QPainter, rect: QRect, text: str, ink: QColor | None = None, edge: QColor | None = None
) -> None:
    """A cap with ``text`` filling ``rect``; with ``ink`` and ``edge`` it has no ground, for coloured buttons."""
    colours = theme()
    ground = None if edge is not None else colours.color("surface.window")
    paint_box(painter, rect, radius("key"), ground, edge or colours.color("surface.line_strong"))
    painter.setFont(_font())
    painter.setPen(ink or colours.color("text.secondary"))
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), text)


class KeyCap(QWidget):
    """Shows one key or chord."""

    def __init__(self, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def set_keys(self, keys: str) -> None:
        """Show another key."""
        self._keys = keys
        self._retranslate()

    def sizeHint(self) -> QSize:
        return QSize(cap_width(key_words(self._keys)), CAP_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_key_cap(QPainter(self), self.rect(), key_words(self._keys))

    def _retranslate(self) -> None:
        self.setAccessibleName(key_words(self._keys))
        self.updateGeometry()
        self.update()


def _font() -> QFont:
    return font("axis", "mono", 500)
