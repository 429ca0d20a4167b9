"""The list of studies: how far each is, its title and day, how many are rated, by how many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.rate import wording
from gui.rate.rows_kept import ENTRY_ROLE, Index, KeptRows
from gui.strings import words
from gui.theme import font, line_height, paint_icon, theme
from gui.widgets import paint_focus, paint_text, tip_text

if TYPE_CHECKING:
    from engine.store.studies import StudyRow

_SIDE, _TOP, _ICON, _GAP = 14, 11, 16, 7
#: How each state is marked: icon and colour of the tokens.
MARKS = {
    "done": ("check-circle", "state.scored"),
    "begun": ("circle-half", "accent.base"),
    "waiting": ("circle-dashed", "text.tertiary"),
}


def state_of(done: int, planned: int) -> str:
    """``waiting``, ``begun`` or ``done``."""
    return "waiting" if not done else "done" if done >= planned else "begun"


class StudyListModel(KeptRows["StudyRow"]):
    """The studies, newest first."""

    def data_of(self, study: StudyRow, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return study.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(f"{study.title}\n{wording.study_line(study)}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{study.title}, {wording.study_line(study)}"
        return None


class StudyDelegate(QStyledItemDelegate):
    """Two lines: title and day, counts."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, 2 * _TOP + line_height("body") + 2 + line_height("table"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        study: StudyRow = index.data(ENTRY_ROLE)
        colours, rect = theme(), option.rect
        painter.save()
        painter.setClipRect(rect)
        paint_row_ground(painter, option)
        name, colour = MARKS[state_of(study.rated + study.skipped, study.planned)]
        top = rect.top() + _TOP
        middle = top + (line_height("body") - _ICON) / 2
        paint_icon(painter, QRectF(rect.left() + _SIDE, middle, _ICON, _ICON), name, colour)
        left = rect.left() + _SIDE + _ICON + _GAP
        first = QRect(left, top, rect.right() - _SIDE - left, line_height("body"))
        grey, right = colours.color("text.secondary"), Qt.AlignmentFlag.AlignRight
        taken = paint_text(painter, first, wording.day(study.made_at), font("table"), grey, right)
        title = first.adjusted(0, 0, -int(taken) - _GAP, 0)
        paint_text(painter, title, study.title, font("body", weight=600), colours.color("text.primary"))
        below = QRect(left, first.bottom() + 3, first.width(), line_height("table"))
        paint_text(painter, below, wording.study_line(study), font("table"), grey)
        painter.restore()


def paint_row_ground(painter: QPainter, option: QStyleOptionViewItem) -> None:
    """Tint and bar of the chosen row, a line below each, the ring where the keyboard is."""
    colours, rect, state = theme(), option.rect, option.state
    is_chosen = bool(state & QStyle.StateFlag.State_Selected)
    if is_chosen:
        painter.fillRect(rect, colours.color("surface.selected"))
        painter.fillRect(rect.left(), rect.top(), 3, rect.height(), colours.color("accent.base"))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, colours.color("surface.hover"))
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colours.color("surface.line"))
    if state & QStyle.StateFlag.State_HasFocus:
        paint_focus(painter, rect.adjusted(0, 0, 0, -1), 0)


class StudyList(QListView):
    """The list itself.

    Signals:
        chosen: the id of the study that the user went to.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.studies = StudyListModel(self)
        self._is_told = False
        self.setModel(self.studies)
        self.setItemDelegate(StudyDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.clicked.connect(self._on_clicked)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def show_studies(self, studies: Sequence[StudyRow], selected: int | None) -> None:
        """Show these studies, one of them or none as chosen; without one the list begins with the newest."""
        self._is_told = True
        self.studies.set_entries(studies)
        row = self.studies.row_of(selected)
        if row < 0:
            if self.selectionModel().hasSelection():
                self.clearSelection()  # the keyboard stays where it is: going elsewhere would leave the page
                self.scrollToTop()
        elif self.currentIndex().row() != row or not self.selectionModel().hasSelection():
            self.setCurrentIndex(self.studies.index(row))
            self.selectionModel().select(self.studies.index(row), QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._is_told = False

    def _on_current(self, current: QModelIndex, _: QModelIndex) -> None:
        if current.isValid() and not self._is_told:
            self.chosen.emit(current.data(ENTRY_ROLE).id)

    def _on_clicked(self, index: QModelIndex) -> None:
        """A click on the one that is chosen comes back to it from another page."""
        self.chosen.emit(index.data(ENTRY_ROLE).id)

    def _retranslate(self) -> None:
        self.setAccessibleName(wording.say("list.name"))
        self.viewport().update()
