"""The palette: every command by its name, in either language, and recent workspaces; Enter runs the chosen one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QLineEdit, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from engine.strings import LANGUAGES, text
from gui.frame.overlay import Overlay
from gui.services import Services
from gui.theme import font, height, paint_icon, space, theme
from gui.widgets.keycap import CAP_HEIGHT, cap_width, key_words, paint_key_cap

SIZE = (620, 420)
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
COMMAND_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class Command:
    """One line of the palette; ``also`` are other words it is found by."""

    title: str
    place: str
    keys: str
    icon: str
    run: Callable[[], object]
    also: str = ""

    def fits(self, typed: str) -> bool:
        """Whether every word that was typed is in the title or the other words."""
        whole = f"{self.title} {self.also}".casefold()
        return all(word in whole for word in typed.casefold().split())


class Palette(Overlay):
    """Comes up over any screen; what is typed narrows it."""

    def __init__(self, services: Services, window: QWidget) -> None:
        super().__init__(window, SIZE)
        self._services = services
        self._model = _Commands(self)
        self._field = _Field(self)
        self._field.setProperty("role", "bare")
        self._field.setFixedHeight(height("screen_bar"))
        self._field.setFont(font("body_large"))
        self._field.setTextMargins(space(4), 0, space(4), 0)
        self._list = QListView(self)
        self._list.setModel(self._model)
        self._list.setItemDelegate(_Row(self))
        self._list.setUniformItemSizes(True)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setMouseTracking(True)
        self.body.addWidget(self._field)
        self.body.addWidget(self._list, 1)
        self._field.textChanged.connect(self._narrow)
        self._field.moved.connect(self._move)
        self._field.returnPressed.connect(self._run_current)
        self._list.clicked.connect(self._run)
        services.words.changed.connect(self._retranslate)
        self._retranslate()

    def show_up(self) -> None:
        """Come up with every command that works here."""
        self._model.take(self._commands())
        self._field.clear()
        self._narrow("")
        self.come_up(self._field)

    def _commands(self) -> list[Command]:
        actions, words = self._services.actions, self._services.words
        everywhere = words.text("window.palette.all_screens")
        found = []
        for action in sorted(actions.here(), key=lambda a: (a.screen is None, a.id)):
            if action.in_palette:
                place = words.text(f"window.rail.{action.screen}") if action.screen else everywhere
                title = actions.title(action.id)
                also = " ".join(text(f"actions.{action.id.replace('.', '_')}", other) for other in LANGUAGES)
                found.append(Command(title, place, actions.keys(action.id), action.icon, action.run, also))
        for entry in self._services.settings.get("recent") if self._services.profiles.now.is_owner else ():
            path = Path(str(entry.get("path", "")))
            title = words.text("window.palette.recent", name=path.name)
            found.append(Command(title, str(path.parent), "", "folder-open", _Opens(self._services, path)))
        return found

    def _narrow(self, typed: str) -> None:
        self._model.narrow(typed)
        self._list.setCurrentIndex(self._model.index(0))

    def _move(self, by: int) -> None:
        row = self._list.currentIndex().row() + by
        self._list.setCurrentIndex(self._model.index(max(0, min(row, self._model.rowCount() - 1))))

    def _run_current(self) -> None:
        self._run(self._list.currentIndex())

    def _run(self, index: QModelIndex) -> None:
        command = index.data(COMMAND_ROLE)
        if isinstance(command, Command):
            self.go_away()
            command.run()

    def _retranslate(self) -> None:
        words = self._services.words
        self._field.setPlaceholderText(words.text("window.palette.hint"))
        self._field.setAccessibleName(words.text("window.palette.name"))
        self._list.setAccessibleName(words.text("window.palette.name"))
        self._model.nothing = words.text("window.palette.nothing")


class _Opens:
    def __init__(self, services: Services, path: Path) -> None:
        self._services, self._path = services, path

    def __call__(self) -> None:
        self._services.workspace.open(self._path)


class _Field(QLineEdit):
    """Hands Up, Down, Page keys on to the list."""

    moved = Signal(int)

    _STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}  # noqa: RUF012

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = self._STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.moved.emit(step)


class _Commands(QAbstractListModel):
    """The commands that fit what is typed; one line says so when none does."""

    nothing = ""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._all: list[Command] = []
        self._shown: list[Command] = []

    def take(self, commands: list[Command]) -> None:
        self._all = commands

    def narrow(self, typed: str) -> None:
        self.beginResetModel()
        self._shown = [command for command in self._all if command.fits(typed)]
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else max(1, len(self._shown))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        command = self._shown[index.row()] if index.row() < len(self._shown) else None
        if role == COMMAND_ROLE:
            return command
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return command.title if command else self.nothing
        return None


class _Row(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, height("row_comfortable"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        look, command = theme(), index.data(COMMAND_ROLE)
        painter.save()
        if command and state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, look.color("surface.selected"))
            painter.fillRect(rect.left(), rect.top(), 3, rect.height(), look.color("accent.base"))
        if not command:
            _say(painter, rect.adjusted(space(4), 0, 0, 0), index.data(), "text.tertiary", "body")
            painter.restore()
            return
        if command.icon:
            paint_icon(painter, QRectF(rect.left() + 16, rect.center().y() - 8, 16, 16), command.icon)
        right = rect.right() - space(3)
        if command.keys:
            cap = key_words(command.keys)
            right -= cap_width(cap)
            paint_key_cap(painter, QRect(right, rect.center().y() - CAP_HEIGHT // 2, cap_width(cap), CAP_HEIGHT), cap)
            right -= space(2)
        place = QRect(rect.left() + 44, rect.top(), right - rect.left() - 44, rect.height())
        used = _say(painter, place, command.title, "text.primary", "body")
        _say(painter, place.adjusted(used + space(3), 0, 0, 0), command.place, "text.tertiary", "small")
        painter.restore()


def _say(painter: QPainter, rect: QRect, words: str, colour: str, kind: str) -> int:
    """Draw one elided line and return how wide it came out."""
    painter.setFont(font(kind))
    painter.setPen(theme().color(colour))
    shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, max(0, rect.width()))
    painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
    return painter.fontMetrics().horizontalAdvance(shown)
