"""The sessions of a study: who rates what in which pass, and how far they are; Enter begins or goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.rate import wording
from gui.rate.rows_kept import ENTRY_ROLE, Index, KeptRows
from gui.rate.study_list import MARKS, paint_row_ground, state_of
from gui.rate.titles import protocol_title
from gui.strings import words
from gui.theme import font, line_height, paint_icon, theme
from gui.widgets import paint_text, tip_text

if TYPE_CHECKING:
    from engine.store.studies import SessionRow

ROW, _SIDE, _ICON, _GAP, _BAR, _COUNT = 44, 11, 16, 9, 140, 88
_NARROW = 420
_MOST = 8


class SessionListModel(KeptRows["SessionRow"]):
    """Sessions by pass and rater; ``with_rater`` False leaves the rater's name out, for the rater's own eyes."""

    def __init__(self, with_rater: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._with_rater = with_rater

    def data_of(self, session: SessionRow, role: int) -> Any:
        name = wording.named(session.rater_name) if self._with_rater else protocol_title(session)
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(f"{wording.named(session.rater_name)}\n{self.line(session)}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            done = wording.of(session.rated + session.skipped, session.planned)
            return f"{name}, {self.line(session)}, {done}"
        return None

    def line(self, session: SessionRow) -> str:
        """The second line: what is asked, which pass it is, what was skipped."""
        parts = [protocol_title(session)] if self._with_rater else [session.study_title]
        if session.passes > 1:
            parts.append(wording.say("sessions.pass", n=session.number, all=session.passes))
        if session.skipped:
            parts.append(wording.several("sessions.skipped", session.skipped))
        return " · ".join(parts)


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        session: SessionRow = index.data(ENTRY_ROLE)
        model = index.model()
        assert isinstance(model, SessionListModel)
        colours, rect, done = theme(), option.rect, session.rated + session.skipped
        painter.save()
        painter.setClipRect(rect)
        paint_row_ground(painter, option)
        name, colour = MARKS[state_of(done, session.planned)]
        icon = QRectF(rect.left() + _SIDE, rect.top() + (ROW - _ICON) / 2, _ICON, _ICON)
        paint_icon(painter, icon, name, colour)
        grey = colours.color("text.secondary")
        figures = QRect(rect.right() - _SIDE - _COUNT, rect.top(), _COUNT, ROW)
        said = wording.of(done, session.planned)
        paint_text(painter, figures, said, font("figure", "mono"), grey, Qt.AlignmentFlag.AlignRight)
        right = figures.left() - _GAP
        if rect.width() >= _NARROW:
            right -= _BAR + _GAP
            self._paint_bar(painter, QRect(right + _GAP, rect.center().y() - 4, _BAR, 8), session)
        left = int(icon.right()) + _GAP
        first = QRect(left, rect.top() + 5, right - left, line_height("body"))
        ink = colours.color("text.primary")
        paint_text(painter, first, str(index.data()), font("body", weight=600), ink)
        below = QRect(left, first.bottom() + 1, right - left, line_height("small"))
        paint_text(painter, below, model.line(session), font("small"), grey)
        painter.restore()

    def _paint_bar(self, painter: QPainter, rect: QRect, session: SessionRow) -> None:
        """Rated solid, skipped in grey behind it."""
        painter.fillRect(rect, theme().color("surface.sunken"))
        each = rect.width() / max(session.planned, 1)
        rated, skipped = session.rated * each, session.skipped * each
        painter.fillRect(QRectF(rect.left(), rect.top(), rated, rect.height()), theme().color("accent.base"))
        grey = QRectF(rect.left() + rated, rect.top(), skipped, rect.height())
        painter.fillRect(grey, theme().color("text.tertiary"))


class SessionList(QListView):
    """Up and Down choose, Enter or a double click begins.

    Signals:
        begun: the id of the session to sit down to.
        moved: another row is the current one.
    """

    begun, moved = Signal(int), Signal()

    def __init__(self, with_rater: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._with_rater = with_rater
        self.sessions = SessionListModel(with_rater, self)
        self.setModel(self.sessions)
        self.setItemDelegate(_Delegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.doubleClicked.connect(self._on_opened)
        words.changed.connect(self._retranslate)
        self._retranslate()

    @property
    def current(self) -> SessionRow | None:
        """The session the keyboard stands on."""
        index = self.currentIndex()
        return index.data(ENTRY_ROLE) if index.isValid() else None

    def show_sessions(self, sessions: Sequence[SessionRow]) -> None:
        """Show these; the first that is not done is the current one where none was."""
        self.sessions.set_entries(sessions)
        if not self.currentIndex().isValid() and sessions:
            open_ones = (row for row, each in enumerate(sessions) if each.rated + each.skipped < each.planned)
            self.setCurrentIndex(self.sessions.index(next(open_ones, 0)))
        self.updateGeometry()
        self.moved.emit()

    def sizeHint(self) -> QSize:
        return QSize(300, min(max(self.sessions.rowCount(), 1), _MOST) * ROW)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & ~_KEYPAD:
            self._on_opened(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _on_opened(self, index: QModelIndex) -> None:
        if index.isValid():
            self.begun.emit(index.data(ENTRY_ROLE).id)

    def _on_current(self) -> None:
        self.moved.emit()

    def _retranslate(self) -> None:
        self.setAccessibleName(wording.say("sessions.title" if self._with_rater else "own.sessions"))
        self.viewport().update()


_KEYPAD = Qt.KeyboardModifier.KeypadModifier
