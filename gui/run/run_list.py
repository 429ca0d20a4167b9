"""The list of runs: a mark, a name, a time, and one or two lines of what it is about or why it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.run import wording
from gui.strings import words
from gui.theme import font, line_height, paint_icon, reduced_motion, theme
from gui.widgets import paint_focus, paint_spinner, paint_text, shown_text, tip_text

if TYPE_CHECKING:
    from engine.store.runs import RunRow

Index = QModelIndex | QPersistentModelIndex
RUN_ROLE = int(Qt.ItemDataRole.UserRole)
TIME_ROLE = RUN_ROLE + 1
_SIDE, _TOP, _ICON, _GAP = 14, 11, 16, 7
_MOST_LINES = 2
_TURN_MS = 125
_SPOKES = 8
#: How each state is marked: icon and colour of the tokens.
MARKS = {
    "done": ("check-circle", "state.scored"),
    "cancelled": ("pause-circle", "text.secondary"),
    "stopped": ("warning", "verdict.warning"),
    "budget": ("warning", "verdict.warning"),
    "failed": ("x-circle", "state.failed"),
    "waiting": ("circle-dashed", "text.tertiary"),
}


class RunListModel(QAbstractListModel):
    """The runs, newest first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: list[RunRow] = []
        self._left: dict[int, str] = {}

    def set_runs(self, runs: Sequence[RunRow]) -> None:
        """Show these; rows that stay keep their place and selection."""
        if [run.id for run in runs] == [run.id for run in self._runs]:
            self._runs = list(runs)
            if runs:
                self.dataChanged.emit(self.index(0), self.index(len(runs) - 1))
            return
        self.beginResetModel()
        self._runs = list(runs)
        self.endResetModel()

    def set_left(self, run_id: int, left: str) -> None:
        """How long the run that goes on still needs."""
        if self._left.get(run_id) != left:
            self._left = {run_id: left}
            row = self.row_of(run_id)
            if row >= 0:
                self.dataChanged.emit(self.index(row), self.index(row))

    def row_of(self, run_id: int | None) -> int:
        """The row of a run, −1 where it is not there."""
        return next((row for row, run in enumerate(self._runs) if run.id == run_id), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._runs)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        run = self._runs[index.row()]
        if role == RUN_ROLE:
            return run
        if role == Qt.ItemDataRole.DisplayRole:
            return wording.say("list.run", run=run.id)
        if role == TIME_ROLE:
            return self._time(run)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text("\n".join(filter(None, (wording.list_line(run), wording.message(run)))))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = wording.say(f"state.{run.state}")
            return wording.say("list.read", run=run.id, state=state, time=self._time(run), line=wording.list_line(run))
        return None

    def _time(self, run: RunRow) -> str:
        if run.state == "running":
            return self._left.get(run.id, "")
        return wording.day(run.started_at)


class RunDelegate(QStyledItemDelegate):
    """Paints a run; as tall as its lines need."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.turn = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view = option.widget
        width = view.viewport().width() if isinstance(view, QListView) else option.rect.width()
        _, lines = _laid_out(wording.list_line(index.data(RUN_ROLE)), width - 2 * _SIDE - _ICON - _GAP)
        return QSize(width, 2 * _TOP + line_height("body") + 2 + lines * line_height("table"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        run: RunRow = index.data(RUN_ROLE)
        painter.save()
        painter.setClipRect(option.rect)
        self._paint_ground(painter, option)
        place = QRect(option.rect.left() + _SIDE, option.rect.top() + _TOP, _ICON, line_height("body"))
        self._paint_mark(painter, place, run)
        left = place.right() + 1 + _GAP
        first = QRect(left, place.top(), option.rect.right() - _SIDE - left, place.height())
        colours, small = theme(), font("table")
        time = str(index.data(TIME_ROLE))
        taken = paint_text(painter, first, time, small, colours.color("text.secondary"), Qt.AlignmentFlag.AlignRight)
        name = first.adjusted(0, 0, -int(taken) - _GAP, 0)
        paint_text(painter, name, str(index.data()), font("body", weight=600), colours.color("text.primary"))
        layout, _ = _laid_out(wording.list_line(run), first.width())
        painter.setPen(colours.color("text.secondary"))
        layout.draw(painter, QPointF(left, first.bottom() + 3))
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        colours, rect = theme(), option.rect
        state = option.state
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        if is_chosen:
            painter.fillRect(rect, colours.color("surface.selected"))
            painter.fillRect(rect.left(), rect.top(), 3, rect.height(), colours.color("accent.base"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, colours.color("surface.hover"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colours.color("surface.line"))
        if is_chosen and state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect.adjusted(0, 0, 0, -1), 0)

    def _paint_mark(self, painter: QPainter, rect: QRect, run: RunRow) -> None:
        if run.state == "running":
            paint_spinner(painter, QPointF(rect.center()) + QPointF(0.5, 0.5), _ICON, self.turn)
            return
        kind = "budget" if run.state == "done" and run.message else run.state
        name, colour = MARKS[kind]
        top = rect.top() + (rect.height() - _ICON) / 2
        paint_icon(painter, QRectF(rect.left(), top, _ICON, _ICON), name, colour)


class RunList(QListView):
    """The list itself.

    Signals:
        chosen: the id of the run that the user went to.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.runs = RunListModel(self)
        self._delegate = RunDelegate(self)
        self._is_told = False
        self.setModel(self.runs)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.selectionModel().currentChanged.connect(self._on_current)
        self._turning = QTimer(self)
        self._turning.setInterval(_TURN_MS)
        self._turning.timeout.connect(self._turn)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def show_runs(self, runs: Sequence[RunRow], selected: int | None) -> None:
        """Show these runs, one of them as chosen."""
        self._is_told = True
        self.runs.set_runs(runs)
        row = self.runs.row_of(selected)
        if row >= 0 and self.currentIndex().row() != row:
            self.setCurrentIndex(self.runs.index(row))
        self._is_told = False
        goes = any(run.state == "running" for run in runs)
        if goes and self.isVisible() and not reduced_motion():
            self._turning.start()
        elif not goes:
            self._turning.stop()

    def hideEvent(self, event: Any) -> None:
        self._turning.stop()
        super().hideEvent(event)

    def _on_current(self, current: QModelIndex, _: QModelIndex) -> None:
        if current.isValid() and not self._is_told:
            self.chosen.emit(current.data(RUN_ROLE).id)

    def _turn(self) -> None:
        self._delegate.turn = (self._delegate.turn + 1) % _SPOKES
        for row in range(self.runs.rowCount()):
            index = self.runs.index(row)
            if index.data(RUN_ROLE).state == "running":
                self.update(index)

    def _retranslate(self) -> None:
        self.setAccessibleName(wording.say("list.name"))
        self.scheduleDelayedItemsLayout()
        self.viewport().update()


def _laid_out(text: str, width: int) -> tuple[QTextLayout, int]:
    """``text`` in at most two lines of ``width``, the last one elided; and how many there are."""
    small = font("table")
    metrics = QFontMetrics(small)
    shown = shown_text(text)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout = QTextLayout(shown, small)
    layout.setTextOption(option)
    first = _first_line(layout, width)
    if first < len(shown):
        rest = metrics.elidedText(shown[first:].lstrip(), Qt.TextElideMode.ElideRight, max(width - 2, 1))
        layout = QTextLayout(shown[:first].rstrip() + "\u2028" + rest, small)
        layout.setTextOption(option)
    layout.beginLayout()
    count = 0
    while count < _MOST_LINES and (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        line.setPosition(QPointF(0, count * line_height("table")))
        count += 1
    layout.endLayout()
    return layout, max(count, 1)


def _first_line(layout: QTextLayout, width: int) -> int:
    layout.beginLayout()
    line = layout.createLine()
    if line.isValid():
        line.setLineWidth(max(width, 1))
    layout.endLayout()
    return int(line.textLength()) if line.isValid() else 0
