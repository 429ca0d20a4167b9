"""The side of the Library screen: what this computer has, what it lacks and how to get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from gui.frame.overlay import Overlay
from gui.library.view_model import LibraryViewModel
from gui.strings import words
from gui.theme import font, height, line_height, paint_icon, space, theme
from gui.widgets import Button, Hairline, Spinner, label, scroll_area

if TYPE_CHECKING:
    from engine.machine.values import Check

SIDE = 16
#: Checks whose button leads to Settings, and the one that asks for sound devices; the others explain.
SET_UP = ("judge",)
HOW = ("emotion", "gpu")
HIDDEN = ("display",)  # it is there, or nobody would read this


class CheckMark(QWidget):
    """Ready, missing or a warning, by shape and colour."""

    def __init__(self, state: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_state(self, state: str) -> None:
        """Show another state."""
        self._state = state
        self.update()

    def sizeHint(self) -> QSize:
        """A square of 18."""
        return QSize(18, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A ringed tick, a dashed ring, a triangle."""
        painter, whole = QPainter(self), QRectF(0, 0, 18, 18)
        if self._state == "ready":
            paint_icon(painter, whole, "check-circle", "state.scored")
        elif self._state == "warning":
            paint_icon(painter, whole, "warning", "verdict.warning")
        else:
            paint_icon(painter, whole, "circle-dashed", "state.unscored")


class CheckRow(QWidget):
    """One check: its mark, name and sentence, and a button where there is something to do.

    Signals:
        acted: the button was pressed.
    """

    acted = Signal()

    def __init__(self, check: Check, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.check = check
        self._mark = CheckMark(check.state)
        self._title, self._says = label(type="body", weight=500), label(type="table", tone="secondary", wrap=True)
        self.button = Button()
        self.button.clicked.connect(self.acted)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self._title)
        texts.addWidget(self._says)
        row = QHBoxLayout()
        row.setContentsMargins(SIDE, 9, SIDE, 9)
        row.setSpacing(space(3))
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addSpacing(2)
        row.addLayout(texts, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(Hairline())
        self.retranslate()

    def retranslate(self) -> None:
        """Speak the language of now."""
        check, language = self.check, words.language
        title, says = check.title(language), check.sentence(language)
        self._title.setText(title)
        self._says.setText(says)
        state = words.text(f"library.computer.{check.state}")
        self.setAccessibleName(f"{title}: {state}. {says}")
        word = button_word(check)
        self.button.setVisible(bool(word))
        if word:
            self.button.setText(words.text(f"library.computer.{word}"))
            tip = "help_tip" if word in ("help", "how") else f"{word}_tip"
            self.button.set_tip(words.text(f"library.computer.{tip}"))
            self.button.setAccessibleName(f"{title}: {self.button.text()}")


class ComputerPanel(QWidget):
    """All checks, and at the foot the same work on the command line.

    Signals:
        settings_asked: an endpoint is to be set up.
    """

    settings_asked = Signal()

    def __init__(self, model: LibraryViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.rows: dict[str, CheckRow] = {}
        self._title = label(type="body", weight=600)
        self._spinner = Spinner()
        self.again = Button(icon="arrows-clockwise")
        self.again.clicked.connect(self._check_again)
        self.popover: HelpPopover | None = None
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._shell, self._commands = label(type="body", weight=500), CodeBlock()
        self._lay_out()
        model.checks_changed.connect(self._show)
        words.changed.connect(self._retranslate)
        self._retranslate()
        self._show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A panel with a line to its left."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.panel"))
        painter.fillRect(0, 0, 1, self.height(), theme().color("surface.line"))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(SIDE, 0, SIDE, 0)
        head.setSpacing(space(2))
        head.addWidget(self._title)
        head.addWidget(self._spinner)
        head.addStretch(1)
        head.addWidget(self.again)
        bar = QWidget()
        bar.setFixedHeight(height("screen_bar"))
        bar.setLayout(head)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(1, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._list)
        column.addStretch(1)
        foot = QVBoxLayout()
        foot.setContentsMargins(SIDE, 12, SIDE, 14)
        foot.setSpacing(space(2) - 2)
        foot.addWidget(self._shell)
        foot.addWidget(self._commands)
        column.addWidget(Hairline())
        column.addLayout(foot)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(1, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(bar)
        whole.addWidget(Hairline())
        self._inside, self._whole = inside, whole
        self._scroll = scroll_area(inside)
        whole.addWidget(self._scroll, 1)

    def stand_alone(self, alone: bool) -> None:
        """Scroll on its own at the side; as tall as it is where it stands in a column that scrolls."""
        if alone and self._scroll.widget() is None:
            self._whole.removeWidget(self._inside)
            self._scroll.setWidget(self._inside)
            self._whole.addWidget(self._scroll, 1)
            self._scroll.show()
        elif not alone and self._scroll.widget() is not None:
            inside = self._scroll.takeWidget()
            self._scroll.hide()
            self._whole.removeWidget(self._scroll)
            self._whole.addWidget(inside, 1)
            inside.show()

    def _show(self) -> None:
        self._spinner.setVisible(self._model.is_checking)
        self.again.setEnabled(not self._model.is_checking)
        checks = [check for check in self._model.checks if check.id not in HIDDEN]
        if [check.id for check in checks] != list(self.rows):
            self._rebuild(checks)
            return
        for check in checks:
            row = self.rows[check.id]
            row.check = check
            row._mark.show_state(check.state)
            row.retranslate()

    def _rebuild(self, checks: list[Check]) -> None:
        for row in self.rows.values():
            self._list.removeWidget(row)
            row.deleteLater()
        self.rows = {check.id: CheckRow(check) for check in checks}
        for row in self.rows.values():
            row.acted.connect(self._on_acted)
            self._list.addWidget(row)

    def _on_acted(self) -> None:
        row = self.sender()
        if not isinstance(row, CheckRow):
            return
        word = button_word(row.check)
        if word == "set_up":
            self.settings_asked.emit()
        elif word == "test":
            self._model.check_computer(list_devices=True)
        else:
            self.explain(row)

    def explain(self, row: CheckRow) -> None:
        """How to get what a check misses."""
        if self.popover is None:
            self.popover = HelpPopover(self.window())
        self.popover.explain(row.check, row.button)

    def _check_again(self) -> None:
        self._model.check_computer(list_devices=True)

    def _retranslate(self) -> None:
        self._title.setText(words.text("library.computer.title"))
        self.setAccessibleName(words.text("library.computer.title"))
        self.again.setText(words.text("library.computer.again"))
        self.again.set_tip(words.text("library.computer.again_tip"))
        self._shell.setText(words.text("library.computer.shell"))
        self._commands.say(words.text("library.computer.commands"), words.text("library.computer.shell"))
        self._commands.setToolTip(words.text("library.computer.shell_tip"))
        for row in self.rows.values():
            row.retranslate()


class CodeBlock(QPlainTextEdit):
    """Commands to select and copy; as tall as its lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "code")
        self.setReadOnly(True)
        self.setFont(font("figure"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(8)

    def say(self, text: str, name: str, most: int = 10) -> None:
        """Show ``text``; ``name`` is what assistive tools call it."""
        self.setPlainText(text)
        self.setAccessibleName(name)
        lines = min(text.count("\n") + 1, most)
        self.setFixedHeight(lines * line_height("figure") + 16)


class HelpPopover(Overlay):
    """How to get what is missing, beside its button; Esc or a click elsewhere closes it."""

    WIDE, MOST_TALL = 400, 280

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, (self.WIDE, self.MOST_TALL))
        self._button: QWidget | None = None
        self._title = label(type="body", weight=600)
        self.text = CodeBlock()
        self.text.setFont(font("table"))
        self.copy = Button(icon="copy", size="button_small")
        self.copy.clicked.connect(self._copy)
        self._close = Button(role="quiet", size="button_small", key="Esc")
        self._close.clicked.connect(self.go_away)
        buttons = QHBoxLayout()
        buttons.addWidget(self.copy)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        self.body.setContentsMargins(space(4), space(3), space(4), space(3))
        self.body.setSpacing(space(2))
        self.body.addWidget(self._title)
        self.body.addWidget(self.text)
        self.body.addLayout(buttons)

    def explain(self, check: Check, button: QWidget) -> None:
        """Open below ``button`` with what its check has to say."""
        self._button = button
        self._title.setText(check.title(words.language))
        self.setAccessibleName(self._title.text())
        self.copy.setText(words.text("library.copy"))
        self._close.setText(words.text("library.close"))
        said = check.help(words.language)
        inner = self.WIDE - 2 * space(4) - 24
        metrics = self.text.fontMetrics()
        wraps = int(Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextWrapAnywhere)
        tall = metrics.boundingRect(QRect(0, 0, inner, 10_000), wraps, said).height()
        self.text.say(said, self.accessibleName())
        self.text.setFixedHeight(min(tall + metrics.lineSpacing() // 2 + 20, self.MOST_TALL))
        self.come_up(self.copy)

    def _place(self) -> None:
        if self._button is None:
            return
        window = self._window
        self.setFixedWidth(min(self.WIDE, window.width()))
        self.adjustSize()
        corner = self._button.mapTo(window, QPoint(self._button.width() - self.width(), self._button.height() + 4))
        corner.setX(max(0, min(corner.x(), window.width() - self.width())))
        corner.setY(max(0, min(corner.y(), window.height() - self.height())))
        self.move(corner)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copy.setText(words.text("library.copied"))


def button_word(check: Check) -> str:
    """Which button a check has: ``set_up``, ``test``, ``how``, ``help``, or none."""
    if check.id in SET_UP:
        return "set_up" if check.state != "ready" else ""
    if check.id == "sound" and check.state == "ready":
        return "test"
    if not check.helps:
        return ""
    return "how" if check.id in HOW else "help"
