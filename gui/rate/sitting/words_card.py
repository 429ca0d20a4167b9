"""The words of the answer, where the protocol lets a rater read them, and the reference answer where it shows one."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.rate.sitting.item import Item
from gui.rate.sitting.wording import say
from gui.theme import paint_box, radius, space, theme
from gui.widgets import label


class WordsCard(QWidget):
    """A paragraph of each that may be read; hidden while there is nothing to read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(4), space(3), space(4), space(3))
        column.setSpacing(space(1))
        self.captions = [label("", "table", "tertiary", weight=600) for _ in range(3)]
        self.texts = [label("", "body_large", family="content", wrap=True) for _ in range(3)]
        for caption, text in zip(self.captions, self.texts, strict=True):
            column.addWidget(caption)
            column.addWidget(text)

    def show_item(self, item: Item) -> None:
        """The words of another item, or none of them yet."""
        shown = self._shown(item)
        for place, (caption, text) in enumerate(zip(self.captions, self.texts, strict=True)):
            told = shown[place] if place < len(shown) else ("", "")
            caption.setText(told[0])
            text.setText(told[1])
            caption.setVisible(bool(told[1]))
            text.setVisible(bool(told[1]))
        self.setVisible(bool(shown))

    def _shown(self, item: Item) -> list[tuple[str, str]]:
        row, found = item.row, []
        if item.protocol.shows_reference and row.reference:
            found.append((say("head.reference"), row.reference))
        if item.shows_text:
            for letter, clip in ((row.letter, row.answer), (row.other_letter, row.other)):
                if clip is not None and (clip.text or row.perceived == "text"):
                    found.append((say("head.answer_words", letter=letter), clip.text or say("head.no_words")))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme()
        edge = colours.color("surface.line")
        paint_box(QPainter(self), self.rect(), radius("card"), colours.color("surface.lane"), edge)
