"""What the pages that put a run together share: two columns that stand one below the other where it is narrow."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.theme import space
from gui.widgets import Button, ComboBox

_LEAST, _SIDE_BY_SIDE = 320, 760


class TwoColumns(QWidget):
    """Lays out what ``_put_side_by_side`` is given; the width decides how."""

    _columns: QBoxLayout

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST, super().minimumSizeHint().height())  # narrower than its parts stand now: they rearrange

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= _SIDE_BY_SIDE
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(way)

    def _put_side_by_side(self) -> tuple[QVBoxLayout, QVBoxLayout]:
        """The two columns, empty."""
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._columns.setContentsMargins(space(3), space(3), space(3), space(3))
        self._columns.setSpacing(space(3))
        left, right = QVBoxLayout(), QVBoxLayout()
        for column in (left, right):
            column.setSpacing(space(3))
            self._columns.addLayout(column, 1)
        return left, right


def at_the_end(*buttons: Button) -> QHBoxLayout:
    """A row with the buttons at its right end."""
    row = QHBoxLayout()
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    return row


def fill(box: ComboBox, texts: list[str], chosen: int) -> None:
    """Offer ``texts``, made anew only where they are others, with one of them chosen."""
    if [box.itemText(place) for place in range(box.count())] != texts:
        box.clear()
        box.addItems(texts)
    box.setCurrentIndex(min(chosen, len(texts) - 1))
