"""A panel that lies over the window until it is answered: the commands and the sheet of keys hang in one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from gui.theme import line, radius, theme


class Overlay(QWidget):
    """Takes the focus while it is up and gives it back; Esc, or a click beside it, puts it away."""

    def __init__(self, window: QWidget, most: tuple[int, int]) -> None:
        super().__init__(window)
        self._window, self._most = window, most
        self._before: QWidget | None = None
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(1, 1, 1, 1)
        self.body.setSpacing(0)
        window.installEventFilter(self)
        self.hide()

    def come_up(self, focus: QWidget) -> None:
        """Show it, with the keyboard in ``focus``."""
        self._before = QApplication.focusWidget()
        self._place()
        self.show()
        self.raise_()
        focus.setFocus(Qt.FocusReason.PopupFocusReason)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]  # a window has an application

    def go_away(self) -> None:
        """Hide it; the focus is where it was."""
        if self.isVisible():
            QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
            self.hide()
            if self._before is not None and self._before.isVisible():
                self._before.setFocus()
            self._before = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the window's size; while it is up, a click beside it or another window's turn puts it away."""
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._place()
        elif event.type() == QEvent.Type.MouseButtonPress and isinstance(watched, QWidget) and self.isVisible():
            is_beside = watched is not self and not self.isAncestorOf(watched)
            if is_beside:
                self.go_away()
        return False

    def event(self, event: QEvent) -> bool:
        """While it is up Esc is its own, whatever Esc does on the screen below."""
        is_asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_asked and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]  # a key event, as was asked
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc puts it away."""
        if event.key() == Qt.Key.Key_Escape:
            self.go_away()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A raised surface with a strong edge; no shadow."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color("surface.control_edge"), line("hairline")))
        painter.setBrush(theme().color("surface.raised"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius("card"), radius("card"))

    def _place(self) -> None:
        window = self._window
        wide, high = (min(most, room - 2 * 16) for most, room in zip(self._most, (window.width(), window.height())))
        self.resize(wide, high)
        self.move(QPoint((window.width() - wide) // 2, min(72, (window.height() - high) // 2)))
