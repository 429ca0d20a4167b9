"""The status line: which workspace, what is in it, what was said last, the run that goes on, the language."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QSizePolicy, QWidget

from engine.errors import EngineError
from engine.progress import Progress
from gui.jobs import Job, JobRunner
from gui.open_workspace import OpenWorkspace
from gui.strings import words
from gui.theme import font, height, icon, radius, space, theme
from gui.widgets.labels import label, set_tone
from gui.widgets.painting import paint_focus

if TYPE_CHECKING:
    from pathlib import Path

    from engine.store.contents import Contents
    from engine.store.workspace import Workspace

ICON = 12


class StatusLine(QWidget):
    """Speaks of the workspace on the left and of the run on the right.

    Signals:
        language_asked: the user wants the other language.
        run_asked: the user wants to see the run.
    """

    language_asked, run_asked = Signal(), Signal()

    def __init__(self, workspace: OpenWorkspace, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._jobs = workspace, jobs
        self._contents: Contents | None = None
        self._count: Job | None = None
        self._run = ""
        self.setFixedHeight(height("status"))
        self._mark = QLabel(self)
        self._mark.setPixmap(icon("database", "text.tertiary", ICON).pixmap(QSize(ICON, ICON)))
        self._name = label("", "small", "secondary", parent=self)
        self._what = label("", "small", "secondary", parent=self)
        self._said = label("", "small", "secondary", elide=True, parent=self)
        self._said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._run_button, self._language = _Word(self), _Word(self)
        self._run_button.clicked.connect(self.run_asked)
        self._language.clicked.connect(self.language_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), 1, space(3), 0)
        row.setSpacing(space(3))
        row.addWidget(self._mark)
        row.addWidget(self._name)
        row.addWidget(self._what)
        row.addWidget(self._said, 1)
        row.addWidget(self._run_button)
        row.addWidget(self._language)
        workspace.opening.connect(self._on_opening)
        workspace.progressed.connect(self._on_progress)
        workspace.changed.connect(self._on_workspace)
        workspace.content_changed.connect(self._recount)
        workspace.failed.connect(self._on_failure)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def say(self, sentence: str, tone: str = "") -> None:
        """Say one sentence until another is said."""
        self._said.setText(sentence)
        set_tone(self._said, tone or "secondary")

    def show_run(self, sentence: str) -> None:
        """Say how the run goes; "" when none does."""
        self._run = sentence
        self._run_button.setText(sentence or words.text("window.status.no_run"))
        self._run_button.updateGeometry()

    def tell_of_workspace(self, told: bool) -> None:
        """Whether the workspace, what is in it and its run are told; a rater is told nothing of them."""
        for part in (self._mark, self._name, self._what, self._run_button):
            part.setVisible(told)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line's own surface and the hairline above it."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.window"))
        painter.fillRect(0, 0, self.width(), 1, theme().color("surface.line"))

    def _on_opening(self, path: Path) -> None:
        self.say(words.text("window.status.opening", path=str(path)))

    def _on_progress(self, progress: Progress) -> None:
        if progress.total:
            self.say(words.text("window.status.deriving", done=progress.done, total=progress.total))

    def _on_workspace(self) -> None:
        self.say("")
        self._contents = None
        self._retranslate()
        self._recount()

    def _on_failure(self, error: EngineError) -> None:
        self.say(words.error(error), "error")

    def _recount(self) -> None:
        if self._count is not None or self._workspace.current is None:
            return
        self._count = self._jobs.call(_contents, self._workspace.current)
        self._count.succeeded.connect(self._on_contents)
        self._count.finished.connect(self._on_counted)

    def _on_contents(self, contents: Contents) -> None:
        self._contents = contents
        self._retranslate()

    def _on_counted(self) -> None:
        self._count = None

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("window.status.name"))
        current = self._workspace.current
        self._name.setText(current.folder.name if current else words.text("window.status.no_workspace"))
        self._name.setToolTip(str(current.folder) if current else "")
        self._what.setText(self._in_words(self._contents) if self._contents else "")
        self._language.setText(words.text("window.status.language"))
        self._language.setToolTip(words.text("actions.frame_language"))
        self.show_run(self._run)

    def _in_words(self, contents: Contents) -> str:
        key = "contents_one" if contents.systems == 1 else "contents"
        return words.text(f"window.status.{key}", systems=contents.systems, answers=contents.answers)


def _contents(workspace: Workspace) -> Contents:
    from engine.store.contents import contents_of

    with closing(workspace.connect()) as db:
        return contents_of(db)


class _Word(QAbstractButton):
    """A word of the line that can be pressed; it looks pressable under the pointer and with the focus."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFont(font("small"))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 2 * space(1), height("status") - 4)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.underMouse():
            painter.fillRect(self.rect(), theme().color("surface.hover"))
        if self.hasFocus():
            paint_focus(painter, self.rect(), radius("control"))
        painter.setPen(theme().color("text.primary" if self.underMouse() else "text.secondary"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
