"""The tabs over the table: ready filters and the user's own views, with how many answers each finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QMenu, QSizePolicy, QWidget

from gui.strings import words
from gui.theme import font, height, line, paint_icon, radius, theme
from gui.widgets import IconButton, paint_focus, shown_text, tip_text

_GAP = 6
_PADDING = 11
_CARET = 12
_DOT = 6
_WIDEST_NAME = 170
_MOVES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


@dataclass(frozen=True, slots=True)
class TabWords:
    """What a tab says: its name, how many answers (None: not counted yet), and what hovering tells.

    ``is_own`` tabs belong to the user; ``is_changed`` ones no longer show what was saved; ``has_parts`` open a menu.
    """

    text: str
    count: int | None
    tip: str = ""
    is_own: bool = False
    is_changed: bool = False
    has_parts: bool = False


class Tabs(QWidget):
    """A row of tabs, at most one of them current; those without room stand in a menu at the end.

    Signals:
        chosen: the number of the tab the user chose.
        add_asked: the plus was pressed.
        parts_asked: the number of a tab whose parts are wanted.
        menu_asked: the number of a tab, and where on the screen a menu of what can be done with it is wanted.
        asked: the number of a tab and what a key asks for: ``rename``, ``delete``, ``left`` or ``right``.
    """

    chosen, parts_asked = Signal(int), Signal(int)
    add_asked = Signal()
    menu_asked = Signal(int, QPoint)
    asked = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(height("tab_bar") - 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tabs: list[_Tab] = []
        self._said: tuple[TabWords, ...] = ()
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._group.idClicked.connect(self._on_clicked)
        self.add = IconButton("plus", size="button_small", parent=self)
        self.add.clicked.connect(self.add_asked)
        self._more = IconButton("dots-three", size="button_small", parent=self)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._more.clicked.connect(self._show_menu)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def set_tabs(self, tabs: Sequence[TabWords]) -> None:
        """Show these tabs."""
        if tuple(tabs) == self._said:
            return
        self._said = tuple(tabs)
        while len(self._tabs) < len(tabs):
            tab = _Tab(self)
            self._group.addButton(tab, len(self._tabs))
            self._tabs.append(tab)
        for tab in self._tabs[len(tabs) :]:
            self._group.removeButton(tab)
            tab.hide()
            tab.deleteLater()
        del self._tabs[len(tabs) :]
        for tab, said in zip(self._tabs, tabs):
            tab.say(said)
        self.updateGeometry()
        self._lay_out()
        for before, after in zip([*self._tabs, self._more], [*self._tabs[1:], self._more, self.add]):
            QWidget.setTabOrder(before, after)

    def set_current(self, place: int | None) -> None:
        """Mark a tab, or none, without emitting ``chosen``."""
        if place != self.current():
            for number, tab in enumerate(self._tabs):
                tab.setChecked(number == place)
            self._lay_out()

    def current(self) -> int | None:
        """The number of the marked tab."""
        return next((number for number, tab in enumerate(self._tabs) if tab.isChecked()), None)

    def tab(self, place: int) -> QWidget:
        """The widget of a tab, to open something near it; the menu's button where it has no room."""
        return self._more if self._tabs[place].isHidden() else self._tabs[place]

    def step(self, by: int) -> None:
        """Choose the next tab or the one before, round the ends."""
        if self._tabs:
            now = self.current()
            self.chosen.emit((now + by) % len(self._tabs) if now is not None else 0)

    def focus_on(self, place: int) -> None:
        """Put the keyboard on a tab."""
        if 0 <= place < len(self._tabs) and not self._tabs[place].isHidden():
            self._tabs[place].setFocus(Qt.FocusReason.TabFocusReason)

    def on_key(self, tab: QAbstractButton, event: QKeyEvent) -> bool:
        """What a key does on a tab that has the focus; False for keys it does not know."""
        place, key, held = self._group.id(tab), Qt.Key(event.key()), event.modifiers()
        by = _MOVES.get(key, 0)
        if by and held & Qt.KeyboardModifier.ShiftModifier:
            self.asked.emit(place, "left" if by < 0 else "right")
        elif by:
            seen = [number for number, one in enumerate(self._tabs) if not one.isHidden()]
            self.focus_on(seen[(seen.index(place) + by) % len(seen)])
        elif key == Qt.Key.Key_Down:
            self.parts_asked.emit(place)
        elif key in (Qt.Key.Key_F2, Qt.Key.Key_Delete):
            self.asked.emit(place, "rename" if key == Qt.Key.Key_F2 else "delete")
        else:
            return False
        return True

    def on_menu(self, tab: QAbstractButton, at: QPoint) -> None:
        """The menu of a tab is wanted."""
        self.menu_asked.emit(self._group.id(tab), at)

    def on_caret(self, tab: QAbstractButton) -> None:
        """The caret of a tab was pressed."""
        self.parts_asked.emit(self._group.id(tab))

    def sizeHint(self) -> QSize:
        return QSize(sum(tab.sizeHint().width() for tab in self._tabs), self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """Tabs from the left while there is room, the current one always among them; the plus behind them."""
        side = self.add.sizeHint().height()
        whole = self.width() - side - _GAP
        wide = [tab.sizeHint().width() for tab in self._tabs]
        room = whole - (side + _GAP if sum(wide) > whole else 0)
        current = self.current()
        kept = wide[current] if current is not None else 0
        x, shown = 0, set()
        for number, width in enumerate(wide):
            if x + width <= room - (kept if current is not None and number < current else 0):
                shown.add(number)
                x += width
            elif number == current:
                shown.add(number)
                x += min(width, room - x)
        x = 0
        for number, tab in enumerate(self._tabs):
            tab.setVisible(number in shown)
            if number in shown:
                tab.setGeometry(x, 0, min(wide[number], max(room - x, 0)), self.height())
                x += wide[number]
        x, top = min(x, room) + _GAP // 2, (self.height() - side) // 2
        self._more.setVisible(len(shown) < len(self._tabs))
        self._more.setGeometry(x, top, side, side)
        self.add.setGeometry(x + (side + _GAP if len(shown) < len(self._tabs) else 0), top, side, side)

    def _fill_menu(self) -> None:
        self._menu.clear()
        for tab in self._tabs:
            if tab.isHidden():
                entry = self._menu.addAction(tab.words_with_count().replace("&", "&&"))
                entry.triggered.connect(tab.click)

    def _show_menu(self) -> None:
        self._menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))

    def _on_clicked(self, place: int) -> None:
        self._tabs[place].setChecked(True)
        self.chosen.emit(place)

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("audit.tab.name"))
        self._more.set_tip(words.text("audit.tab.more"))
        self.add.set_tip(words.text("audit.view.save_as"))


class _Tab(QAbstractButton):
    def __init__(self, tabs: Tabs) -> None:
        super().__init__(tabs)
        self._tabs = tabs
        self._said = TabWords("", None)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def say(self, said: TabWords) -> None:
        """Show other words and another count."""
        self._said = said
        shown = shown_text(said.text)
        self.setText(QFontMetrics(_font(True)).elidedText(shown, Qt.TextElideMode.ElideRight, _WIDEST_NAME))
        self.setToolTip(tip_text(said.tip))
        self.setAccessibleName(self.words_with_count())
        self.setAccessibleDescription(tip_text(said.tip))
        self.update()

    def words_with_count(self) -> str:
        """The tab as one line."""
        changed = words.text("audit.view.changed_mark") if self._said.is_changed else ""
        count = "" if self._said.count is None else f" {self._said.count:,}"
        return shown_text(self._said.text) + changed + count

    def sizeHint(self) -> QSize:
        wide = QFontMetrics(_font(True)).horizontalAdvance(self.text())  # choosing moves nothing
        wide += self._count_width() + 2 * _PADDING
        return QSize(wide + (_CARET + 4) * self._said.has_parts + (_DOT + 4) * self._said.is_changed, height("tab_bar"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._tabs.on_key(self, event):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and self._said.has_parts and event.position().x() >= self._caret().left() - 4:
            self._tabs.on_caret(self)
        else:
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        self._tabs.on_menu(self, event.globalPos() if by_mouse else self.mapToGlobal(self.rect().bottomLeft()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        chosen = self.isChecked()
        own = _font(chosen)
        ink = "text.primary" if chosen or self.underMouse() else "text.secondary"
        painter.setFont(own)
        painter.setPen(colours.color(ink))
        words_wide = QFontMetrics(own).horizontalAdvance(self.text())
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        painter.drawText(QRect(_PADDING, 0, words_wide + 2, self.height()), flags, self.text())
        x = _PADDING + words_wide + _GAP
        if self._said.is_changed:
            _paint_dot(painter, QRectF(x - 2, self.height() / 2 - _DOT / 2, _DOT, _DOT))
            x += _DOT + 4
        if self._said.count is not None:
            painter.setFont(font("table", weight=500 if chosen else 400))
            painter.setPen(colours.color("text.tertiary"))
            painter.drawText(QRect(x, 0, self.width(), self.height()), flags, f"{self._said.count:,}")
        if self._said.has_parts:
            paint_icon(painter, QRectF(self._caret()), "caret-down", ink)
        if chosen:
            thick = int(line("selected"))
            under = QRect(_PADDING - 2, self.height() - thick, self.width() - 2 * _PADDING + 4, thick)
            painter.fillRect(under, colours.color("accent.base"))
        if self.hasFocus():
            paint_focus(painter, self.rect().adjusted(2, 5, -2, -4), radius("control"))

    def _caret(self) -> QRect:
        return QRect(self.width() - _PADDING - _CARET, (self.height() - _CARET) // 2, _CARET, _CARET)

    def _count_width(self) -> int:
        if self._said.count is None:
            return 0
        return QFontMetrics(font("table", weight=500)).horizontalAdvance(f"{self._said.count:,}") + _GAP


def _font(chosen: bool) -> QFont:
    return font("body", weight=600 if chosen else 400)


def _paint_dot(painter: QPainter, room: QRectF) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().color("state.unparsable"))
    painter.drawEllipse(room)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
