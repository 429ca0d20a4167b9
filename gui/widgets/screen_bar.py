"""The bar over a screen: its title, what belongs to it left, what can be done right."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.theme import height, space, theme
from gui.widgets.labels import label


class ScreenBar(QWidget):
    """A bar of the window's grey with a line under it.

    Attributes:
        left: the layout after the title.
        right: the layout at the right end.
    """

    def __init__(self, title: str = "", bar_height: str = "screen_bar", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(height(bar_height))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), 0, space(3), 1)
        row.setSpacing(space(2))
        self._title = label(title, "screen")
        self.left, self.right = QHBoxLayout(), QHBoxLayout()
        for side in (self.left, self.right):
            side.setContentsMargins(0, 0, 0, 0)
            side.setSpacing(space(2))
        row.addWidget(self._title)
        row.addSpacing(space(1))
        row.addLayout(self.left)
        row.addStretch(1)
        row.addLayout(self.right)
        self.setAccessibleName(title)

    def set_title(self, title: str) -> None:
        """Name the screen in the language of now."""
        self._title.setText(title)
        self.setAccessibleName(title)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        painter.fillRect(self.rect(), colours.color("surface.window"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, colours.color("surface.line"))
