"""A scroll bar that lies over the right edge, so that nothing moves aside when it comes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QScrollArea, QScrollBar, QWidget


class OverBar(QScrollBar):
    """Does what the bar of an area does, which takes no room itself; hidden while all is in view."""

    def __init__(self, area: QScrollArea, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._area, self._own = area, area.verticalScrollBar()
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._own.rangeChanged.connect(self._follow)
        self._own.valueChanged.connect(self.setValue)
        self.valueChanged.connect(self._own.setValue)
        area.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lie where the area ends."""
        if watched is self._area and event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return False

    def _follow(self, least: int, most: int) -> None:
        self.setRange(least, most)
        self.setPageStep(self._own.pageStep())
        self.setSingleStep(self._own.singleStep())
        self.setVisible(most > least)
        self._place()

    def _place(self) -> None:
        over, wide = self._area.geometry(), self.sizeHint().width()
        self.setGeometry(over.right() + 1 - wide, over.top(), wide, over.height())
        self.raise_()
