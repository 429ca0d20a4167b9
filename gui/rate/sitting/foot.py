"""The line below the item: whether it is blind, how it sounds, that the last answer is safe, which protocol it is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.theme import space, theme
from gui.widgets import Glyph, label

HEIGHT, LOW = 32, 24
_SPEED_FROM, _PROTOCOL_FROM = 760, 960


class Foot(QWidget):
    """Small words in grey; ``show_all`` says them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.blind, self.speed, self.device = (label("", "table", "secondary") for _ in range(3))
        self.device = label("", "table", "secondary", elide=True)
        self.saved = label("", "table", "secondary")
        self.saved_at = label("", "figure", "secondary")
        self.protocol, self.hash = label("", "table", "secondary", elide=True), label("", "figure", "secondary")
        self._lock, self._ear = Glyph("lock-simple", size=14), Glyph("headphones", size=14)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(5), 0, space(5), 0)
        row.setSpacing(space(1))
        for glyph, text in ((self._lock, self.blind), (None, self.speed), (self._ear, self.device)):
            if glyph is not None:
                row.addWidget(glyph, 0, Qt.AlignmentFlag.AlignVCenter)
            row.addWidget(text)
            row.addSpacing(space(4))
        row.addStretch(1)
        for part in (self.saved, self.saved_at):
            row.addWidget(part)
        row.addSpacing(space(4))
        for part in (self.protocol, self.hash):
            row.addWidget(part)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)

    def show_all(self, blind: str, speed: str, device: str, protocol: str, hash_: str, *, is_sealed: bool) -> None:
        """What does not change from item to item."""
        for part, text in (
            (self.blind, blind),
            (self.speed, speed),
            (self.device, device),
            (self.protocol, protocol),
            (self.hash, hash_),
        ):
            part.setText(text)
        self._lock.show_icon("lock-simple" if is_sealed else "lock-simple-open")
        self._fit()

    def show_saved(self, sentence: str, at: str) -> None:
        """That the last answer is in the store, since when."""
        self.saved.setText(sentence)
        self.saved_at.setText(at)

    def be_low(self, low: bool) -> None:
        """Take less room."""
        self.setFixedHeight(LOW if low else HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.window"))
        painter.fillRect(0, 0, self.width(), 1, theme().color("surface.line"))

    def _fit(self) -> None:
        wide = self.width()
        self.speed.setVisible(wide >= _SPEED_FROM and bool(self.speed.text()))
        for part in (self.protocol, self.hash):
            part.setVisible(wide >= _PROTOCOL_FROM)
        self._ear.setVisible(bool(self.device.text()))
        self.device.setVisible(bool(self.device.text()))
