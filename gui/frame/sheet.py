"""The ``?`` sheet: the keys of this screen and of all screens, made from the registry."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.actions import Action, Actions
from gui.frame.overlay import Overlay
from gui.strings import words
from gui.theme import space
from gui.widgets.keycap import KeyCap
from gui.widgets.labels import label

SIZE = (760, 560)


class KeySheet(Overlay):
    """Two columns: what works on this screen, what works everywhere."""

    def __init__(self, actions: Actions, window: QWidget) -> None:
        super().__init__(window, SIZE)
        self._actions = actions
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.body.addWidget(self._area)

    def show_up(self) -> None:
        """Come up with the keys as they are now; once more puts it away."""
        if self.isVisible():
            self.go_away()
            return
        self._area.setWidget(self._page())
        self._area.setAccessibleName(words.text("window.sheet.title"))
        self.come_up(self._area)

    def _page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(space(6), space(5), space(6), space(5))
        column.setSpacing(space(4))
        column.addWidget(label(words.text("window.sheet.title"), "heading"))
        sides = QHBoxLayout()
        sides.setSpacing(space(7))
        keyed = [action for action in self._actions.here() if action.keys]
        here = [action for action in keyed if action.screen is not None]
        if here:
            sides.addLayout(self._group(words.text(f"window.rail.{here[0].screen}"), here), 1)
        everywhere = [action for action in keyed if action.screen is None]
        sides.addLayout(self._group(words.text("window.sheet.everywhere"), everywhere), 1)
        column.addLayout(sides)
        column.addStretch(1)
        column.addWidget(label(words.text("window.sheet.foot"), "small", "secondary", wrap=True))
        return page

    def _group(self, title: str, actions: list[Action]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(space(3))
        grid.setVerticalSpacing(space(1))
        grid.setColumnStretch(0, 1)
        grid.addWidget(label(title, "screen"), 0, 0, 1, 2)
        for row, action in enumerate(actions, start=1):
            grid.addWidget(label(self._actions.title(action.id), wrap=True), row, 0)
            caps = QHBoxLayout()
            caps.setSpacing(space(1))
            caps.addStretch(1)
            for key in action.keys:
                caps.addWidget(KeyCap(key))
            grid.addLayout(caps, row, 1)
        grid.setRowStretch(len(actions) + 1, 1)
        return grid
