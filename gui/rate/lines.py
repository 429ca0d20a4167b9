"""A line of a card: what it is called at the left, what is chosen at the right, a note in small type under both."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gui.theme import space
from gui.widgets import ComboBox, label


class Line(QWidget):
    """One choice; the control keeps its size, the words give way over several lines."""

    def __init__(self, *controls: QWidget, fills: bool = False, parent: QWidget | None = None) -> None:
        """``fills`` lets the first control take what the words leave."""
        super().__init__(parent)
        self.name = label("", "body", wrap=True)
        self.note = label("", "small", "secondary", wrap=True)
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(self.name, 1)
        for place, control in enumerate(controls):
            row.addWidget(control, 2 if fills and place == 0 else 0, Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.note)
        self.note.hide()
        if controls:
            self.name.setBuddy(controls[0])

    def say(self, name: str, note: str = "") -> None:
        """Name it in the language of now, with a note or none."""
        self.name.setText(name)
        self.say_note(note)

    def say_note(self, note: str) -> None:
        """Another note."""
        self.note.setText(note)
        self.note.setVisible(bool(note))


def heading(text: str = "") -> QLabel:
    """A small heading inside a card."""
    return label(text, "body", weight=600)


def fill_box(box: ComboBox, texts: list[str]) -> None:
    """Offer these, the place of the choice kept; nothing happens where they are offered already."""
    if [box.itemText(place) for place in range(box.count())] != texts:
        place = max(box.currentIndex(), 0)
        box.clear()
        box.addItems(texts)
        box.setCurrentIndex(min(place, len(texts) - 1))
