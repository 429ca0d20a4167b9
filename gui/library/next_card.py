"""What is to be done next, in one sentence with one button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.library.view_model import LibraryViewModel
from gui.strings import words
from gui.theme import line, radius, space, theme
from gui.widgets import Button, Glyph, label, paint_box

ICONS = {
    "import_benchmark": "books",
    "import_answers": "chat-circle-dots",
    "follow": "activity",
    "measure": "ruler",
    "judge": "circle-wavy-check",
    "listen": "ear",
}
NARROW = 560


class NextCard(QWidget):
    """Framed in the accent, for it is the thing to take first.

    Signals:
        asked: the button was pressed.
        report_asked: the report that lies in the workspace is wanted.
    """

    asked, report_asked = Signal(), Signal()

    def __init__(self, model: LibraryViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._glyph = Glyph("books", "accent.base", 18)
        self._title, self._says = label(type="screen", elide=True), label(type="body", tone="secondary", wrap=True)
        self.button = Button(role="primary", key="Return")
        self.button.clicked.connect(self.asked)
        self.report = Button(icon="file-text")
        self.report.clicked.connect(self.report_asked)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        head = QHBoxLayout()
        head.setSpacing(space(2))
        head.addWidget(self._glyph)
        head.addWidget(self._title, 1)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addLayout(head)
        texts.addWidget(self._says)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(19, 14, 19, 14)
        self._row.setSpacing(space(3))
        self._row.addLayout(texts, 1)
        for button in (self.report, self.button):
            self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        model.contents_changed.connect(self._retranslate)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Without room the button stands below."""
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A panel framed in the accent."""
        colours = theme()
        edge = colours.color("accent.base")
        paint_box(QPainter(self), self.rect(), radius("card"), colours.color("surface.panel"), edge, line("selected"))

    def _retranslate(self) -> None:
        found = self._model.overview
        step = self._model.next_step
        unheard = step == "listen" and found is not None and not found.spoken
        title = words.text("library.next.listen_text" if unheard else f"library.next.{step}")
        self._glyph.show_icon(ICONS[step], "accent.base")
        self._title.setText(words.text("library.next.title"))
        self.button.setText(title)
        self.button.set_tip(title)
        contents = self._model.contents
        self.report.setVisible(contents is not None and contents.report is not None)
        self.report.setText(words.text("library.next.report"))
        self.report.set_tip(words.text("library.next.report_tip"))
        key = f"library.next.{step}_says"
        if found is None:
            self._says.setText("")
        elif unheard:
            self._says.setText(words.text("library.next.listen_text_says"))
        else:
            run = found.last_run
            counts = {"measure": found.spoken - found.measured, "judge": found.waiting, "listen": found.spoken}
            self._says.setText(
                words.text(
                    key, count=counts.get(step, 0), done=run.done if run else 0, planned=run.planned if run else 0
                )
            )
        self.setAccessibleName(f"{words.text('library.next.title')}: {title}")
