"""Where a workspace, a benchmark, answers or results may be dropped."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.strings import words
from gui.theme import font, paint_icon, radius, theme
from gui.widgets import paint_box, paint_focus, paint_text, tip_text

ICON, GAP = 20, 12
TALL = 96


class DropArea(QWidget):
    """A dashed box; a click or Enter asks for a folder instead.

    Signals:
        dropped: the path.
        refused: the key of a sentence: several things, or nothing of this computer.
        asked: a folder is to be chosen.
    """

    dropped, refused, asked = Signal(Path), Signal(str), Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_over = False
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def sizeHint(self) -> QSize:
        """At least ``TALL``; more where there is room."""
        return QSize(240, TALL)

    def minimumSizeHint(self) -> QSize:
        """As the hint."""
        return QSize(120, TALL)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take what has addresses of files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            self._over(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Look as before."""
        self._over(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """One thing of this computer."""
        self._over(False)
        event.acceptProposedAction()
        self.take(event.mimeData().urls())

    def take(self, urls: list[QUrl]) -> None:
        """What was dropped, as addresses."""
        local = [url for url in urls if url.isLocalFile()]
        if len(urls) == 1 and local:
            self.dropped.emit(Path(local[0].toLocalFile()))
        elif urls:
            self.refused.emit("library.drop.several" if len(urls) > 1 else "library.drop.not_local")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click asks for a folder."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.asked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter asks for a folder."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.asked.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Dashes, and in the middle what may be dropped."""
        painter, colours = QPainter(self), theme()
        edge = colours.color("accent.base" if self._is_over else "surface.control_edge")
        fill = colours.color("accent.tint") if self._is_over else None
        paint_box(painter, self.rect(), radius("card"), fill, edge, dashed=True)
        if self.hasFocus():
            paint_focus(painter, self.rect(), radius("card"))
        says = words.text("library.drop.over" if self._is_over else "library.drop.says")
        painter.setFont(font("body"))
        text_width = min(painter.fontMetrics().horizontalAdvance(says) + 4, self.width() - ICON - GAP - 32)
        left = (self.width() - text_width - ICON - GAP) / 2
        middle = self.height() / 2
        paint_icon(painter, QRectF(left, middle - ICON / 2, ICON, ICON), "tray", "text.secondary")
        room = QRectF(left + ICON + GAP, middle - 12, text_width, 24)
        paint_text(painter, room, says, font("body"), colours.color("text.secondary"))

    def _over(self, is_over: bool) -> None:
        self._is_over = is_over
        self.update()

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("library.drop.says"))
        self.setToolTip(tip_text(words.text("library.drop.tip")))
        self.update()
