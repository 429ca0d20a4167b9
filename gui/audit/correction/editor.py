"""Where a person types what they hear: a few lines under the row of what was heard, kept by Ctrl+Enter."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from gui.audit.correction.wording import say
from gui.strings import words
from gui.theme import font, space, width
from gui.widgets.buttons import Button
from gui.widgets.inline_error import InlineError
from gui.widgets.labels import label

KEEP, LEAVE, HEAR = "Ctrl+Return", "Esc", "Ctrl+P"
_LINES, _LINES_LOW = 2, 1


class TranscriptEditor(QWidget):
    """A field with what is heard now in it.

    Signals:
        kept: the text is to be kept.
        left: back without keeping.
        hear_wanted: play or pause the answer while typing.
    """

    kept = Signal(str)
    left, hear_wanted = Signal(), Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = _Field()
        self.field.kept.connect(self._keep)
        self.field.left.connect(self.left)
        self.field.hear_wanted.connect(self.hear_wanted)
        self.keep_button = Button(role="primary", size="button_small", key=KEEP)
        self.keep_button.clicked.connect(self._keep)
        self.leave_button = Button(size="button_small", key=LEAVE)
        self.leave_button.clicked.connect(self.left)
        self.hear_button = Button(role="quiet", size="button_small", icon="ear", key=HEAR)
        self.hear_button.clicked.connect(self.hear_wanted)
        self.error = InlineError()
        self._name = label("", "small", "secondary")
        self._name.setFixedWidth(width("lane_head") - space(3))
        self._name.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._name.setContentsMargins(0, space(1) + 1, 0, 0)
        self._note = label("", "small", "tertiary", elide=True)
        self._lay_out()
        words.changed.connect(self._retranslate)
        self._retranslate()

    def begin(self, text: str) -> None:
        """Put ``text`` into the field, all of it chosen, and the keyboard with it."""
        self.error.clear()
        self.field.setPlainText(text)
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_low(self, is_low: bool) -> None:
        """One line where there is no room for more; longer texts scroll."""
        self.field.set_lines(_LINES_LOW if is_low else _LINES)

    @property
    def text(self) -> str:
        """What stands in the field."""
        return self.field.toPlainText()

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.setSpacing(space(2))
        foot.addWidget(self._note)
        foot.addStretch(1)
        for button in (self.hear_button, self.leave_button, self.keep_button):
            foot.addWidget(button)
        right = QVBoxLayout()
        right.setSpacing(space(1))
        right.addWidget(self.field)
        right.addWidget(self.error)
        right.addLayout(foot)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), space(1), space(3), space(2))
        row.setSpacing(0)
        row.addWidget(self._name)
        row.addLayout(right, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The note is said where all of it can be; the field tells it too."""
        super().resizeEvent(event)
        room = self.width() - self._name.width() - 2 * space(3)
        buttons = (self.hear_button, self.leave_button, self.keep_button)
        room -= sum(button.sizeHint().width() + space(2) for button in buttons)
        self._note.setVisible(self._note.sizeHint().width() <= room)

    def _keep(self) -> None:
        self.kept.emit(self.text)

    def _retranslate(self) -> None:
        self._name.setText(say("heard_by_you"))
        self._note.setText(say("note"))
        self.keep_button.setText(say("keep"))
        self.keep_button.set_tip(say("keep_tip"))
        self.leave_button.setText(say("leave"))
        self.leave_button.set_tip(say("leave_tip"))
        self.hear_button.setText(say("hear"))
        self.hear_button.set_tip(say("hear_tip"))
        self.field.setAccessibleName(say("field"))
        self.field.setAccessibleDescription(say("note"))
        self.field.setToolTip(say("note"))
        self.field.setPlaceholderText(say("placeholder"))


class _Field(QPlainTextEdit):
    """Plain text of a few lines; its own keys go before those of the window."""

    kept, left, hear_wanted = Signal(), Signal(), Signal()

    def __init__(self) -> None:
        super().__init__()
        self._lines = _LINES
        self.setFont(font("body_large", "content"))
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedHeight(self._height())

    def set_lines(self, lines: int) -> None:
        """Be as high as so many lines."""
        if lines != self._lines:
            self._lines = lines
            self.setFixedHeight(self._height())

    def sizeHint(self) -> QSize:
        return QSize(400, self._height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._signal(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        signal = self._signal(event)
        if signal == "kept":
            self.kept.emit()
        elif signal == "left":
            self.left.emit()
        elif signal == "hear":
            self.hear_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _signal(self, event: QKeyEvent) -> str:
        has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and has_control:
            return "kept"
        if event.key() == Qt.Key.Key_Escape:
            return "left"
        return "hear" if event.key() == Qt.Key.Key_P and has_control else ""

    def _height(self) -> int:
        return self._lines * self.fontMetrics().lineSpacing() + 2 * space(2)
