"""The ``?`` sheet: the keys of this screen and of all screens, made from the registry."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.actions import Action, Actions
from gui.frame.overlay import Overlay
from gui.strings import words
from gui.theme import space
from gui.widgets.keycap import KeyCap
from gui.widgets.labels import label

COLUMN, MOST_COLUMNS = 340, 4  # pixels
FEWEST_ROWS = 12  # a column that is shorter is none
AROUND = 32  # pixels of the window that stay beside it

Entry = Action | str
"""A key, or the title of those that follow."""


class KeySheet(Overlay):
    """What works on this screen, then what works everywhere, in as many columns as there is room for."""

    def __init__(self, actions: Actions, window: QWidget) -> None:
        super().__init__(window, (COLUMN, COLUMN))
        self._actions = actions
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.body.addWidget(self._area)

    def show_up(self) -> None:
        """Come up with the keys as they are now; once more puts it away."""
        if self.isVisible():
            self.go_away()
            return
        entries = self._entries()
        room = (self._window.width() - AROUND - 2 * space(6)) // (COLUMN + space(7))
        count = max(1, min(MOST_COLUMNS, room, -(-len(entries) // FEWEST_ROWS)))
        page = self._page(columns_of(entries, count))
        self._area.setWidget(page)
        self._area.setAccessibleName(words.text("window.sheet.title"))
        wide = count * (COLUMN + space(7)) + 2 * space(6)
        self._most = (wide, page.heightForWidth(wide - space(3)) + 2 if page.hasHeightForWidth() else page.height())
        self.come_up(self._area)

    def _entries(self) -> list[Entry]:
        keyed = [action for action in self._actions.here() if action.keys]
        here = [action for action in keyed if action.screen is not None]
        everywhere = [action for action in keyed if action.screen is None]
        titled: list[Entry] = [words.text(f"window.rail.{here[0].screen}"), *here] if here else []
        return [*titled, words.text("window.sheet.everywhere"), *everywhere]

    def _page(self, columns: Sequence[Sequence[Entry]]) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(space(6), space(5), space(6), space(5))
        column.setSpacing(space(4))
        column.addWidget(label(words.text("window.sheet.title"), "heading"))
        sides = QHBoxLayout()
        sides.setSpacing(space(7))
        for entries in columns:
            sides.addLayout(self._column(entries), 1)
        column.addLayout(sides)
        column.addStretch(1)
        column.addWidget(label(words.text("window.sheet.foot"), "small", "secondary", wrap=True))
        return page

    def _column(self, entries: Sequence[Entry]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(space(3))
        grid.setVerticalSpacing(space(1))
        grid.setColumnStretch(0, 1)
        for row, entry in enumerate(entries):
            if isinstance(entry, str):
                title = label(entry, "screen")
                title.setContentsMargins(0, space(3) if row else 0, 0, space(1))
                grid.addWidget(title, row, 0, 1, 2)
                continue
            grid.addWidget(label(self._actions.title(entry.id), wrap=True), row, 0)
            caps = QHBoxLayout()
            caps.setSpacing(space(1))
            for key in entry.keys:
                caps.addWidget(KeyCap(key))
            grid.addLayout(caps, row, 1, Qt.AlignmentFlag.AlignRight)
        grid.setRowStretch(len(entries), 1)
        return grid


def columns_of(entries: Sequence[Entry], count: int) -> list[list[Entry]]:
    """The entries in order in ``count`` columns as long as each other; a title stands over what it names."""
    tall = -(-len(entries) // count)
    columns: list[list[Entry]] = [[]]
    for entry in entries:
        if len(columns[-1]) >= tall and len(columns) < count:
            last = [columns[-1].pop()] if isinstance(columns[-1][-1], str) else []
            columns.append([*last])
        columns[-1].append(entry)
    return columns
