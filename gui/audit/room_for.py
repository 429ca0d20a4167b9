"""Blank widgets that keep the room of the detail and of the transport, and their ground, until those are made."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import height, theme

DETAIL, LEAST_DETAIL = QSize(1000, 384), QSize(600, 150)


class DetailRoom(QWidget):
    """As large as the detail of an answer."""

    def sizeHint(self) -> QSize:
        return DETAIL

    def minimumSizeHint(self) -> QSize:
        return LEAST_DETAIL

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface.panel"))


class TransportRoom(QWidget):
    """As high as the transport, with the line above it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(height("transport"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.window"))
        painter.fillRect(0, 0, self.width(), 1, theme().color("surface.line"))
