"""The list of studies with a line at its right and a sentence at its foot."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.rate import wording
from gui.rate.study_list import StudyList
from gui.theme import theme
from gui.widgets import Hairline, label


class Side(QWidget):
    """Holds ``list``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = StudyList()
        self._foot = label("", "table", "secondary", wrap=True)
        foot = QVBoxLayout()
        foot.setContentsMargins(14, 10, 14, 10)
        foot.addWidget(self._foot)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addWidget(Hairline())
        column.addLayout(foot)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(column, 1)
        row.addWidget(Hairline(vertical=True))

    def retranslate(self) -> None:
        """Say it in the language of now."""
        self._foot.setText(wording.say("list.foot"))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface.panel"))
