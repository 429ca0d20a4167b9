"""The import in the Library screen: four steps under each other in time, one of them shown."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from gui.choosing import Chooser
from gui.library.import_choose import ChoosePart
from gui.library.import_model import ImportModel
from gui.library.import_report import DonePart, ReportPart
from gui.strings import words
from gui.theme import space
from gui.widgets import Button, Card, Glyph, ProgressBar, Spinner, label, scroll_area, set_tone

STEPS = {"choose": "choose", "check": "check", "report": "check", "write": "write", "done": "done"}
ORDER = ("choose", "check", "write", "done")
WIDEST = 860


class ImportPage(QWidget):
    """Shows the step the model is on.

    Signals:
        left: back to what is in the workspace.
        answers_asked: the filter of answers to be shown in Audit.
    """

    left, answers_asked = Signal(), Signal(str)

    def __init__(self, model: ImportModel, chooser: Chooser, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._heading = label(type="heading")
        self._steps = StepsRow()
        self.choose = ChoosePart(model, chooser)
        self.busy = BusyPart(model)
        self.report = ReportPart(model)
        self.done = DonePart(model)
        self._lay_out()
        self.choose.left.connect(self.left)
        self.done.left.connect(self.left)
        self.done.answers_asked.connect(self.answers_asked)
        model.page_changed.connect(self._show_page)
        words.changed.connect(self._retranslate)
        self._retranslate()
        self._show_page()

    def primary(self) -> Button:
        """The button that Enter presses."""
        parts = {"choose": self.choose.check, "report": self.report.write, "done": self.done.primary}
        return parts.get(self._model.page, self.busy.stop)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on, Esc goes back."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            button = focused if isinstance(focused, QAbstractButton) else self.primary()
            if button.isEnabled() and (button is not self.busy.stop or button.hasFocus()):
                button.click()
        elif event.key() == Qt.Key.Key_Escape:
            self._go_back()
        else:
            super().keyPressEvent(event)

    def _go_back(self) -> None:
        if self._model.page == "report":
            self._model.back()
        elif not self._model.is_busy:
            self.left.emit()

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(3))
        column.addWidget(self._heading)
        column.addWidget(self._steps)
        column.addSpacing(space(1))
        for part in (self.choose, self.busy, self.report, self.done):
            column.addWidget(part)
        column.addStretch(1)
        inside.setMaximumWidth(WIDEST)
        centred = QWidget()
        row = QHBoxLayout(centred)
        row.setContentsMargins(space(7), space(5), space(7), space(5))
        row.addWidget(inside, 1)
        row.addStretch(0)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll_area(centred))

    def _show_page(self) -> None:
        page = self._model.page
        self._steps.show_step(STEPS[page])
        self.choose.setVisible(page == "choose")
        self.busy.setVisible(page in ("check", "write"))
        self.report.setVisible(page == "report")
        self.done.setVisible(page == "done")
        if self.isVisible():
            self.primary().setFocus()

    def _retranslate(self) -> None:
        self._heading.setText(words.text("library.import.title"))
        self.setAccessibleName(words.text("library.import.title"))


class StepsRow(QWidget):
    """Choose, check, import, done: the one of now in the accent."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._now = ORDER[0]
        self._labels = {step: label(type="body", tone="tertiary", weight=500) for step in ORDER}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(2))
        for number, (_, text) in enumerate(self._labels.items()):
            if number:
                row.addWidget(Glyph("caret-right", "text.tertiary", 12))
            row.addWidget(text)
        row.addStretch(1)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def show_step(self, step: str) -> None:
        """Mark the step of now."""
        self._now = step
        self._retranslate()

    def _retranslate(self) -> None:
        for step, text in self._labels.items():
            text.setText(words.text(f"library.import.step_{step}"))
            passed = ORDER.index(step) < ORDER.index(self._now)
            set_tone(text, "accent" if step == self._now else "secondary" if passed else "tertiary")
        self.setAccessibleName(words.text(f"library.import.step_{self._now}"))


class BusyPart(Card):
    """How far reading, checking or writing is, with rate and time left, and a way to stop."""

    def __init__(self, model: ImportModel, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._model = model
        self._spinner = Spinner()
        self._what = label(type="body", weight=500, elide=True)
        self._bar = ProgressBar()
        self._told = label(type="figure", tone="secondary")
        self.stop = Button(icon="stop")
        self.stop.clicked.connect(model.stop)
        head = QHBoxLayout()
        head.setSpacing(space(2))
        head.addWidget(self._spinner)
        head.addWidget(self._what, 1)
        foot = QHBoxLayout()
        foot.addWidget(self._told, 1)
        foot.addWidget(self.stop)
        self.body.setContentsMargins(15, 14, 15, 14)
        self.body.addLayout(head)
        self.body.addWidget(self._bar)
        self.body.addLayout(foot)
        model.progressed.connect(self._show)
        model.page_changed.connect(self._show)
        words.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        model, progress = self._model, self._model.progress
        word = "writing" if model.page == "write" else "checking" if progress.total else "reading"
        name = model.path.name if model.path is not None else ""
        self._what.setText(f"{words.text(f'library.import.{word}')} {name}")
        self._bar.set_counts(progress.done, 0, progress.failed, progress.total)
        self._bar.setVisible(progress.total > 0)
        self._told.setText(progress_in_words(model))
        self.stop.setText(words.text("library.import.stop"))
        self.stop.set_tip(words.text("library.start.cancel_tip" if model.page == "write" else "library.import.stop"))


def progress_in_words(model: ImportModel) -> str:
    """``1,200 of 11,215 · 340/s · 29 s left``; parts that nobody knows yet are left out."""
    progress, say = model.progress, words.text
    if not progress.total:
        return ""
    parts = [say("library.import.done_of", done=progress.done, total=progress.total)]
    if model.rate:
        parts.append(say(f"library.import.rate{'' if model.rate >= 10 else '_slow'}", rate=model.rate))
    left = model.seconds_left
    if left is not None and left >= 120:
        parts.append(say("library.import.left_min", minutes=left // 60))
    elif left is not None:
        parts.append(say("library.import.left_s", seconds=left))
    return " · ".join(parts)
