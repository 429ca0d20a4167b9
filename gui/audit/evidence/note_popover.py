"""A note of several lines: Ctrl+Enter keeps it, Esc puts it aside without losing it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.query.selection import Selection
from engine.store.evidence import Span
from gui.audit.evidence.model import EvidenceModel
from gui.audit.evidence.said_list import SaidList
from gui.audit.evidence.target import Target
from gui.strings import words
from gui.theme import font, space
from gui.widgets import Button, IconButton, Popover, label

WIDTH = 400
_TEXT = 112
KEEP = "Ctrl+Return"


class NotePopover(Popover):
    """Writes on what it was opened for; a draft waits for its own answers until it is kept or emptied."""

    def __init__(self, model: EvidenceModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._target: Target | None = None
        self._drafts: dict[tuple[Selection, Span | None], str] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(space(3), space(2), space(2), space(3))
        column.setSpacing(space(2))
        head = QHBoxLayout()
        self._title = label("", "body", weight=600)
        self._on = label("", "small", "secondary", elide=True)
        self._close = IconButton("x", size="button_small", key="Esc")
        self._close.clicked.connect(self.leave)
        head.addWidget(self._title)
        head.addWidget(self._on, 1)
        head.addWidget(self._close)
        column.addLayout(head)
        self.text = _NoteText()
        self.text.setFixedHeight(_TEXT)
        self.text.entered.connect(self._keep)
        column.addWidget(self.text)
        self._why = label("", "small", "error", wrap=True)
        foot = QHBoxLayout()
        foot.addWidget(self._why, 1)
        self.keep_button = Button(role="primary", size="button_small", key=KEEP)
        self.keep_button.clicked.connect(self._keep)
        foot.addWidget(self.keep_button)
        column.addLayout(foot)
        self.list = SaidList()
        self.list.take_back_wanted.connect(model.take_back)
        self.list.give_back_wanted.connect(model.give_back)
        column.addWidget(self.list, 1)
        model.said_changed.connect(self._show_said)
        model.kept.connect(self._on_kept)
        model.failed.connect(self._on_failure)
        words.changed.connect(self.close)
        self.closed.connect(self._put_aside)

    def open_for(self, target: Target, over: QWidget) -> None:
        """Write on ``target``."""
        self._target = target
        self._title.setText(words.text("evidence.note.title"))
        self._on.setText(target.words)
        self._close.set_tip(words.text("evidence.close"))
        self.keep_button.setText(words.text("evidence.note.keep"))
        self.setAccessibleName(words.text("evidence.note.title"))
        self.text.setPlaceholderText(words.text("evidence.note.placeholder"))
        self.text.setAccessibleName(words.text("evidence.note.title"))
        self.text.setPlainText(self._drafts.get((target.selection, target.span), ""))
        self._say("")
        self._show_said()
        self.list.setVisible(target.count == 1)
        self.open_near(over, QSize(WIDTH, self.sizeHint().height()))
        self.text.moveCursor(self.text.textCursor().MoveOperation.End)
        self.text.setFocus()

    def _show_said(self) -> None:
        self.list.show_said(self._model.of("note"), words.text("evidence.note.none"))

    def _keep(self) -> None:
        if self._target is not None:
            self._say("")
            self.text.setReadOnly(True)  # until it is committed
            self.keep_button.setEnabled(False)
            self._model.add_note(self._target, self.text.toPlainText())

    def _on_kept(self, table: str) -> None:
        if table == "note" and self.isVisible():
            self._say("")
            self.text.clear()
            self.leave()

    def _on_failure(self, error: EngineError) -> None:
        if self.isVisible():
            self._say(words.error(error))

    def _say(self, why: str) -> None:
        self.text.setReadOnly(False)
        self.keep_button.setEnabled(True)
        self._why.setText(why)

    def _put_aside(self) -> None:
        if self._target is None:
            return
        place = (self._target.selection, self._target.span)
        if self.text.toPlainText().strip():
            self._drafts[place] = self.text.toPlainText()
        else:
            self._drafts.pop(place, None)


class _NoteText(QPlainTextEdit):
    """Plain text; Tab goes on.

    Signals:
        entered: Ctrl+Return was pressed.
    """

    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFont(font("body", "content"))
        self.setTabChangesFocus(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_return and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)
