"""What happened in a run, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from engine.runs.told import LogLine
from gui.run import wording
from gui.theme import font, paint_icon, theme
from gui.widgets import Button, Card, Chip, Segmented, paint_focus, paint_state, paint_text, tip_text

Index = QModelIndex | QPersistentModelIndex
LINE_ROLE = int(Qt.ItemDataRole.UserRole)
_LINE, _SIDE = 19, 12
_TIME, _STEP, _MARK = 66, 82, 18


class LogModel(QAbstractListModel):
    """Lines of the log, newest first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[LogLine] = []

    def set_lines(self, lines: Sequence[LogLine]) -> None:
        """Show these; what was there already stays where it is."""
        fresh = list(reversed(lines))
        added = len(fresh) - len(self._lines)
        if added > 0 and fresh[added:] == self._lines and self._lines:
            self.beginInsertRows(QModelIndex(), 0, added - 1)
            self._lines = fresh
            self.endInsertRows()
        elif fresh != self._lines:
            self.beginResetModel()
            self._lines = fresh
            self.endResetModel()

    def say_anew(self) -> None:
        """The language is another."""
        if self._lines:
            self.dataChanged.emit(self.index(0), self.index(len(self._lines) - 1))

    def text(self) -> str:
        """All lines as text, oldest first."""
        return "\n".join(_written(line) for line in reversed(self._lines))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        if role == LINE_ROLE:
            return line
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return _written(line)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(f"{wording.log_text(line)}\n{wording.log_more(line)}".strip())
        return None


class LogDelegate(QStyledItemDelegate):
    """Paints time, step, mark and text in columns."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, _LINE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: LogLine = index.data(LINE_ROLE)
        colours, mono, rect = theme(), font("figure", "mono"), option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colours.color("surface.selected"))
        left = rect.left() + _SIDE
        grey = colours.color("text.tertiary")
        paint_text(painter, QRect(left, rect.top(), _TIME, _LINE), wording.clock_seconds(line.at), mono, grey)
        step = wording.say(f"step.{line.step}").lower() if line.step else ""
        paint_text(painter, QRect(left + _TIME, rect.top(), _STEP - 6, _LINE), step, mono, grey)
        place = QRect(left + _TIME + _STEP, rect.top(), _MARK - 4, _LINE)
        if line.level in ("unparsable", "failed"):
            paint_state(painter, place, line.level)
        elif line.level == "warning":
            top = rect.top() + (_LINE - 13) / 2
            paint_icon(painter, QRectF(place.left(), top, 13, 13), "warning", "verdict.warning")
        room = QRect(place.right() + 5, rect.top(), rect.right() - place.right() - 5 - _SIDE, _LINE)
        paint_text(painter, room, wording.log_text(line), mono, colours.color("text.primary"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect, 0)
        painter.restore()


class _Lines(QListView):
    def __init__(self) -> None:
        super().__init__()
        self.sentence = ""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme().color("surface.lane"))
        if self.model().rowCount() == 0:
            room = self.viewport().rect().adjusted(_SIDE, 8, -_SIDE, 0)
            room.setHeight(_LINE)
            paint_text(painter, room, self.sentence, font("small"), theme().color("text.tertiary"))
        painter.end()
        super().paintEvent(event)


class LogCard(Card):
    """All lines, only problems, or what the workers wrote; Copy takes the lines shown.

    Signals:
        workers_asked: what the workers wrote is to be shown.
    """

    workers_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, flush=True, parent=parent)
        self.lines = LogModel(self)
        self._all: tuple[LogLine, ...] = ()
        self._said: tuple[LogLine, ...] = ()
        self._kind = ""  # the code of the failures that are shown alone
        self._filter = Segmented([("all", ""), ("problems", ""), ("workers", "")], size="button_small")
        self.copy_button = Button(icon="copy", size="button_small")
        self._chip = Chip(("", ""))
        self._chip.hide()
        for part in (self._chip, self._filter, self.copy_button):
            self.head.addWidget(part)
        self.view = _Lines()
        self.view.setModel(self.lines)
        self.view.setItemDelegate(LogDelegate(self.view))
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setUniformItemSizes(True)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setMinimumHeight(4 * _LINE)
        self.body.addWidget(self.view, 1)
        self.body.setContentsMargins(0, 0, 0, 3)  # the corners are round
        self._filter.chosen.connect(self._on_filter)
        self._chip.removed.connect(self.show_every_kind)
        self.retranslate()

    @property
    def shows_workers(self) -> bool:
        """Whether what the workers wrote is looked at."""
        return self._filter.value == "workers"

    def show_lines(self, lines: tuple[LogLine, ...]) -> None:
        """Show these."""
        self._all = lines
        self._fill()

    def show_workers(self, said: Sequence[tuple[int, str]]) -> None:
        """What the workers wrote: each line with the worker's number."""
        self._said = tuple(LogLine("", "", "worker_said", "", {"worker": n, "text": text}) for n, text in said)
        self._fill()

    def show_kind(self, code: str) -> None:
        """Show only the failures of one kind, at the newest of them."""
        self._kind = code
        self._filter.set_value("problems")
        self._fill()
        self.view.setFocus()
        if self.lines.rowCount():
            self.view.setCurrentIndex(self.lines.index(0))
            self.view.scrollToTop()

    def show_every_kind(self) -> None:
        """Show the failures of all kinds again."""
        self._kind = ""
        self._fill()

    def copy(self) -> int:
        """Put the lines shown on the clipboard; returns how many."""
        QGuiApplication.clipboard().setText(self.lines.text())
        return self.lines.rowCount()

    def retranslate(self) -> None:
        """Say it in the language of now."""
        say = wording.say
        self.set_title(say("log.title"))
        names = ("all", "problems", "workers")
        self._filter.set_texts([say(f"log.{name}") for name in names], [say(f"log.{name}_tip") for name in names])
        self.copy_button.setText(say("log.copy"))
        self.copy_button.set_tip(say("log.copy_tip"))
        self.view.setAccessibleName(say("log.title"))
        self.lines.say_anew()
        self._fill()

    def _fill(self) -> None:
        shown = self._filter.value
        self._chip.setVisible(bool(self._kind) and shown == "problems")
        if self._kind:
            self._chip.set_parts((wording.say("log.only"), wording.trouble_title(self._kind)))
        if shown == "workers":
            self.lines.set_lines(self._said)
            self.view.sentence = wording.say("log.no_workers")
            return
        only_problems = shown == "problems"
        lines = [line for line in self._all if line.level or not only_problems]
        if self._kind and only_problems:
            lines = [line for line in lines if line.values.get("code") == self._kind]
        self.lines.set_lines(lines)
        self.view.sentence = wording.say("log.empty" if only_problems else "log.nothing")

    def _on_filter(self, value: object) -> None:
        if value != "problems":
            self._kind = ""
        if value == "workers":
            self.workers_asked.emit()
        self._fill()


def _written(line: LogLine) -> str:
    step = wording.say(f"step.{line.step}").lower() if line.step else ""
    if not line.at:
        return wording.log_text(line)
    return wording.say("log.line", time=wording.clock_seconds(line.at), step=step, text=wording.log_text(line))
