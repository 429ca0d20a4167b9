"""A verdict in a tinted box, and a tag in a grey one."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import font, paint_icon, radius, theme
from gui.widgets.painting import paint_box, paint_text

_PADDING = 10
_ICON = 12
_GAP = 6
_KINDS = {
    "right": ("check", "verdict.pass", "state_tint.scored"),
    "wrong": ("x", "verdict.fail", "verdict.fail_tint"),
    "warning": ("warning", "verdict.warning", "verdict.warning_tint"),
    "failed": ("", "state.failed", "state_tint.failed"),
    "neutral": ("", "text.secondary", "surface.sunken"),
}
TAG_HEIGHT = 18
_TAG_PADDING = 6


class Pill(QWidget):
    """A verdict: ``kind`` is ``right`` (✓), ``wrong`` (✕), ``warning``, ``failed`` or ``neutral``; words say it too."""

    def __init__(self, text: str = "", kind: str = "neutral", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(font("body", weight=600))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_verdict(text, kind)

    def show_verdict(self, text: str, kind: str) -> None:
        """Show another verdict."""
        self._text, self._kind = text, kind
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        wide = QFontMetrics(self.font()).horizontalAdvance(self._text) + 2 * _PADDING + 1
        return QSize(min(wide + (_ICON + _GAP if _KINDS[self._kind][0] else 0), 280), 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        glyph, ink, tint = _KINDS[self._kind]
        paint_box(painter, self.rect(), radius("control"), theme().color(tint))
        x = _PADDING
        if glyph:
            paint_icon(painter, QRectF(x, (self.height() - _ICON) / 2, _ICON, _ICON), glyph, ink)
            x += _ICON + _GAP
        rest = QRect(x, 0, self.width() - x - _PADDING + 2, self.height())
        paint_text(painter, rest, self._text, self.font(), theme().color(ink))


def tag_width(text: str) -> int:
    """How wide the box of a tag is, in pixels."""
    return QFontMetrics(font("small", weight=500)).horizontalAdvance(text) + 2 * _TAG_PADDING


def paint_tag(painter: QPainter, rect: QRect, text: str) -> None:
    """A tag's grey box filling ``rect``, its text elided."""
    paint_box(painter, rect, radius("mark") + 1, theme().color("surface.sunken"))
    inside = rect.adjusted(_TAG_PADDING, 0, -_TAG_PADDING + 1, 0)
    paint_text(painter, inside, text, font("small", weight=500), theme().color("text.secondary"))


class Tag(QWidget):
    """A word of the user's or of the data in a grey box."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_text(self, text: str) -> None:
        """Show another word."""
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(min(tag_width(self._text), 200), TAG_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_tag(QPainter(self), self.rect(), self._text)
