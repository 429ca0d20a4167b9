"""A page of Settings: cards in a column that is never wider than can be read, and rows of a label and a control."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QHBoxLayout, QLabel, QLayout, QVBoxLayout, QWidget

from gui.theme import height, space
from gui.widgets import label, scroll_area

WIDEST = 820
BETWEEN_CARDS = 10
LABELS = 148


class Page(QWidget):
    """Cards one under the other, scrolled when there is no room for all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        inside = QWidget()
        self._column = QWidget(inside)
        self._column.setMaximumWidth(WIDEST)
        self.cards = QVBoxLayout(self._column)
        self.cards.setContentsMargins(0, 0, 0, 0)
        self.cards.setSpacing(BETWEEN_CARDS)
        row = QHBoxLayout(inside)
        row.setContentsMargins(space(4), space(3), space(4), space(4))
        row.addWidget(self._column, 1000)
        row.addStretch(1)
        self._area = scroll_area(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._area)

    def add(self, card: QWidget) -> None:
        """Put a card under the others."""
        self.cards.addWidget(card)

    def end(self) -> None:
        """No more cards: they keep to the top."""
        self.cards.addStretch(1)

    def bring_into_view(self, part: QWidget) -> None:
        """Scroll until ``part`` can be seen, once it has its place."""
        QTimer.singleShot(0, part, lambda: self._scroll_to(part))

    def _scroll_to(self, part: QWidget) -> None:
        self._area.ensureWidgetVisible(part, 0, space(3))
        self._area.horizontalScrollBar().setValue(0)  # it may have been wider for the moment before a scroll bar came

    def shown(self) -> None:
        """The page is the one that is looked at now."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus, as Space does."""
        on = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(on, QAbstractButton):
            on.click()
        else:
            super().keyPressEvent(event)


class Form(QGridLayout):
    """Labels on the left, what they name on the right, and under it a small note."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self.setHorizontalSpacing(space(3))
        self.setVerticalSpacing(space(2))
        self.setColumnMinimumWidth(0, LABELS)
        self.setColumnStretch(1, 1)

    def add(self, control: QWidget | QLayout, note: QWidget | None = None) -> QLabel:
        """A row for ``control``; returns its label, to be worded."""
        row = self.rowCount()
        name = label("", "body", "secondary", wrap=True)
        name.setMinimumHeight(height("button"))
        name.setMaximumWidth(LABELS)
        self.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
        if isinstance(control, QWidget):
            name.setBuddy(control)
            self.addWidget(control, row, 1, Qt.AlignmentFlag.AlignVCenter)
        else:
            self.addLayout(control, row, 1, Qt.AlignmentFlag.AlignVCenter)
        if note is not None:
            self.addWidget(note, row + 1, 1)
        return name

    def under(self, part: QWidget) -> None:
        """Something below the last control, as wide as the controls."""
        self.addWidget(part, self.rowCount(), 1)


def in_a_row(*parts: QWidget, ends: bool = True) -> QHBoxLayout:
    """Parts side by side; ``ends`` keeps them to the left."""
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(space(2))
    for part in parts:
        row.addWidget(part)
    if ends:
        row.addStretch(1)
    return row
