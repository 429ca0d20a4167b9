"""Where the lanes go; empty until they are there."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QWidget


class Lanes(QWidget):
    """A place of the right size."""

    def __init__(self, services: object) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(100)

    def show_clips(self, question: object, answer: object, spans: object) -> None:
        """Nothing yet."""
