"""Three ways to begin: the sample, a benchmark, answers."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from engine.progress import Progress
from gui.library.view_model import LibraryViewModel
from gui.strings import words
from gui.theme import line, radius, space, theme
from gui.widgets import Button, Glyph, ProgressBar, label, paint_box

PADDING = 19
NARROW = 620  # below it the cards stand under each other


class StartCard(QWidget):
    """An icon and a title, what it is, and a button.

    Signals:
        asked: the button was pressed.
    """

    asked = Signal()

    def __init__(self, icon: str, role: str = "plain", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chosen = role == "primary"
        self._title = label(type="screen", elide=True)
        self._says = label(type="body", tone="secondary", wrap=True)
        self._says.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.button = Button(role=role, key="Return" if self._chosen else None)
        self.button.clicked.connect(self.asked)
        head = QHBoxLayout()
        head.setSpacing(space(2))
        head.addWidget(Glyph(icon, "accent.base" if self._chosen else "text.secondary", 18))
        head.addWidget(self._title, 1)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(space(2))
        self.buttons.addWidget(self.button)
        self.buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, PADDING - 3, PADDING, PADDING - 3)
        column.setSpacing(space(2))
        column.addLayout(head)
        column.addWidget(self._says, 1)
        column.addSpacing(space(2))
        column.addLayout(self.buttons)

    def say(self, title: str, says: str, button: str, tip: str) -> None:
        """Speak the language of now."""
        self._title.setText(title)
        self._says.setText(says)
        self.button.setText(button)
        self.button.set_tip(tip)
        self.button.setAccessibleName(f"{title}: {button}")
        self.setAccessibleName(title)

    def sizeHint(self) -> QSize:
        """Wide enough for a title, as tall as its words."""
        return QSize(260, super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """A panel; the one to take first is framed in the accent."""
        colours = theme()
        edge = colours.color("accent.base" if self._chosen else "surface.line")
        wide = line("selected" if self._chosen else "hairline")
        paint_box(QPainter(self), self.rect(), radius("card"), colours.color("surface.panel"), edge, wide)


class StartCards(QWidget):
    """The cards in a row; the sample shows how far it is while it is taken in.

    Signals:
        benchmark_asked, answers_asked: a folder is to be chosen.
    """

    benchmark_asked, answers_asked = Signal(), Signal()

    def __init__(self, model: LibraryViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.sample = StartCard("play-circle", "primary")
        self.benchmark, self.answers = StartCard("books"), StartCard("chat-circle-dots")
        self._bar, self._done = ProgressBar(), label(type="small", tone="secondary")
        self.cancel = Button()
        for place, widget in enumerate((self._bar, self._done, self.cancel)):
            self.sample.buttons.insertWidget(1 + place, widget)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(space(3))
        for card, share in ((self.sample, 5), (self.benchmark, 4), (self.answers, 4)):
            self._row.addWidget(card, share)
        self.sample.asked.connect(model.make_sample)
        self.cancel.clicked.connect(model.cancel_sample)
        self.benchmark.asked.connect(self.benchmark_asked)
        self.answers.asked.connect(self.answers_asked)
        model.sample_changed.connect(self._show_sample)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Without room the cards stand under each other."""
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._row.direction() != way:
            self._row.setDirection(way)

    def _retranslate(self) -> None:
        say = words.text
        folder = say("library.start.folder")
        self.benchmark.say(
            say("library.start.benchmark"),
            say("library.start.benchmark_says"),
            folder,
            say("library.start.benchmark_tip"),
        )
        self.answers.say(
            say("library.start.answers"), say("library.start.answers_says"), folder, say("library.start.answers_tip")
        )
        self.cancel.setText(say("library.start.cancel"))
        self.cancel.set_tip(say("library.start.cancel_tip"))
        self._show_sample()

    def _show_sample(self) -> None:
        sample, progress = self._model.sample, self._model.sample_progress
        says = words.text("library.start.sample_plain")
        if sample is not None:
            says = words.text(
                "library.start.sample_says",
                instances=sample.instances,
                systems=sample.systems,
                answers=sample.answers,
                megabytes=sample.byte_count / 1e6,
            )
        do, tip = words.text("library.start.sample_do"), words.text("library.start.sample_tip")
        self.sample.say(words.text("library.start.sample"), says, do, tip)
        self.sample.button.setVisible(progress is None)
        for widget in (self._bar, self._done, self.cancel):
            widget.setVisible(progress is not None)
        if progress is not None:
            self._show_progress(progress)

    def _show_progress(self, progress: Progress) -> None:
        self._bar.set_counts(progress.done, 0, progress.failed, progress.total)
        self._done.setText(words.text("library.start.sample_busy", done=progress.done, total=progress.total))
        self._done.setVisible(progress.total > 0)
