"""The left rail: one button a screen, the mark of the product on top, Settings at the foot."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from gui.actions import Actions
from gui.screens import Screen
from gui.strings import words
from gui.theme import font, height, line, paint_icon, radius, space, theme, width

ICON, MARK, BAR = 20, 26, 3


class Rail(QWidget):
    """Shows which screen is on, and lets another be chosen; narrow, it shows icons only.

    Signals:
        chosen: the id of a screen.
    """

    chosen = Signal(str)

    def __init__(self, screens: Sequence[Screen], actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self._buttons = {screen.id: _RailButton(screen, self) for screen in screens}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, space(1), 0, space(2))
        column.setSpacing(2)
        column.addWidget(_Mark(self))
        for screen in screens:
            if screen is screens[-1]:
                column.addStretch(1)
            column.addWidget(self._buttons[screen.id])
            self._buttons[screen.id].clicked.connect(self._on_click)
        self.show_words(True)
        words.changed.connect(self._retranslate)
        actions.changed.connect(self._retranslate)
        self._retranslate()

    def show_words(self, shown: bool) -> None:
        """Words under the icons, or icons alone."""
        self.setFixedWidth(width("rail" if shown else "rail_icons_only"))
        for button in self._buttons.values():
            button.has_words = shown
            button.updateGeometry()
            button.update()

    def show_only(self, shows: Callable[[str], bool]) -> None:
        """Show the screens that are there for whoever sits here."""
        for name, button in self._buttons.items():
            button.setVisible(shows(name))

    def mark(self, screen: str) -> None:
        """Show that ``screen`` is on."""
        for name, button in self._buttons.items():
            button.setChecked(name == screen)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rail's own surface and the hairline to its right."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.window"))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), theme().color("surface.line"))

    def _on_click(self) -> None:
        button = self.sender()
        if isinstance(button, _RailButton):
            self.chosen.emit(button.entry.id)

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("window.rail.name"))
        for name, button in self._buttons.items():
            title = words.text(f"window.rail.{name}")
            keys = self._actions.keys(f"screen.{name}")
            button.setText(title)
            button.setToolTip(f"{title}  {keys}".rstrip())
            button.setAccessibleName(title)


class _RailButton(QAbstractButton):
    def __init__(self, screen: Screen, parent: QWidget) -> None:
        super().__init__(parent)
        self.entry = screen
        self.has_words = True
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        return QSize(width("rail" if self.has_words else "rail_icons_only"), height("rail_item"))

    def nextCheckState(self) -> None:
        """The window says which screen is on; a click alone does not."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = theme()
        inside = QRectF(self.rect()).adjusted(5, 0, -5, 0)
        if self.isChecked() or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.color("accent.tint" if self.isChecked() else "surface.hover"))
            painter.drawRoundedRect(inside, radius("control"), radius("control"))
        if self.isChecked():
            painter.fillRect(QRectF(0, 4, BAR, self.height() - 8), look.color("accent.base"))
        if self.hasFocus():
            painter.setPen(QPen(look.color("accent.focus"), line("focus")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(inside.adjusted(1, 1, -1, -1), radius("control"), radius("control"))
        colour = "accent.base" if self.isChecked() else "text.secondary"
        top = 8.0 if self.has_words else (self.height() - ICON) / 2
        paint_icon(
            painter, QRectF((self.width() - ICON) / 2, top, ICON, ICON), self.entry.icon, colour, self.isChecked()
        )
        if self.has_words:
            painter.setFont(font("small", weight=600 if self.isChecked() else None))
            painter.setPen(look.color(colour))
            painter.drawText(QRectF(0, 30, self.width(), 18), Qt.AlignmentFlag.AlignCenter, self.text())


class _Mark(QWidget):
    """The product's mark, an ear."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedHeight(height("screen_bar") + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        corner = ((self.width() - MARK) / 2, (self.height() - MARK) / 2)
        paint_icon(painter, QRectF(*corner, MARK, MARK), "ear", "accent.base")
