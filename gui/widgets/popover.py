"""A small panel over the window, under the button that opened it; Esc, or a press beside it, closes it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from gui.theme import radius, space, theme
from gui.widgets.painting import paint_box


class Popover(QWidget):
    """Hangs in the window of the widget it is opened near; Esc gives the focus back to that.

    Signals:
        closed: it is hidden now, by whatever way.
    """

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._opener: QWidget | None = None
        self.hide()

    def open_near(self, over: QWidget, size: QSize) -> None:
        """Open under ``over``, or above where there is no room, wholly inside its window; it takes no focus."""
        self._opener = over
        window = over.window()
        self.setParent(window)
        room = window.rect().adjusted(space(2), space(2), -space(2), -space(2))
        self.resize(size.boundedTo(room.size()))
        above = over.mapTo(window, QPoint(0, -self.height() - space(1)))
        below = over.mapTo(window, QPoint(0, over.height() + space(1)))
        corner = below if below.y() + self.height() <= room.bottom() else above
        left = max(room.left(), min(corner.x(), room.right() - self.width()))
        top = max(room.top(), min(corner.y(), room.bottom() - self.height()))
        self.move(left, top)
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self.show()
        self.raise_()

    def leave(self) -> None:
        """Close, and go back to what opened it."""
        self.close()
        if self._opener is not None and self._opener.isVisible():
            self._opener.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A press beside it closes it and does what it would have done, but on the opener, which only closes it."""
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            at = event.globalPosition().toPoint()
            if not self.rect().contains(self.mapFromGlobal(at)):
                self.close()
                return watched is self._opener
        return False

    def event(self, event: QEvent) -> bool:
        """Esc is a key of the screen too; while this is open it closes this."""
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        self.closed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme()
        ground, edge = colours.color("surface.raised"), colours.color("surface.line_strong")
        paint_box(QPainter(self), self.rect(), radius("card"), ground, edge)
