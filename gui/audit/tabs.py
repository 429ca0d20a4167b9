"""The tabs over the table: ready filters with how many answers each finds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QMenu, QSizePolicy, QWidget

from gui.strings import words
from gui.theme import font, height, line, radius, theme
from gui.widgets import IconButton, paint_focus, tip_text

_GAP = 6
_PADDING = 11


class Tabs(QWidget):
    """A row of tabs, at most one of them current; those without room stand in a menu at the end.

    Signals:
        chosen: the number of the tab the user chose.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(height("tab_bar") - 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tabs: list[_Tab] = []
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._group.idClicked.connect(self._on_clicked)
        self._more = IconButton("dots-three", size="button_small", parent=self)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._more.clicked.connect(self._show_menu)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def set_tabs(self, tabs: Sequence[tuple[str, int | None, str]]) -> None:
        """Show tabs: words, how many answers (None: not counted yet), and what hovering says."""
        while len(self._tabs) < len(tabs):
            tab = _Tab(self)
            self._group.addButton(tab, len(self._tabs))
            self._tabs.append(tab)
            tab.show()
        for tab, (text, count, tip) in zip(self._tabs, tabs):
            tab.say(text, count, tip)
        self.updateGeometry()
        self._lay_out()

    def set_current(self, place: int | None) -> None:
        """Mark a tab, or none, without emitting ``chosen``."""
        for number, tab in enumerate(self._tabs):
            tab.setChecked(number == place)
        self._lay_out()

    def current(self) -> int | None:
        """The number of the marked tab."""
        return next((number for number, tab in enumerate(self._tabs) if tab.isChecked()), None)

    def step(self, by: int) -> None:
        """Choose the next tab or the one before, round the ends."""
        if self._tabs:
            now = self.current()
            self.chosen.emit((now + by) % len(self._tabs) if now is not None else 0)

    def sizeHint(self) -> QSize:
        return QSize(sum(tab.sizeHint().width() for tab in self._tabs), self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """Tabs from the left while there is room, the current one always among them."""
        wide = [tab.sizeHint().width() for tab in self._tabs]
        room = self.width() - (self._more.sizeHint().width() + _GAP if sum(wide) > self.width() else 0)
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
        self._more.setVisible(len(shown) < len(self._tabs))
        side = self._more.sizeHint().height()
        self._more.setGeometry(min(x, room) + _GAP // 2, (self.height() - side) // 2, side, side)

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


class _Tab(QAbstractButton):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._count: int | None = None
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def say(self, text: str, count: int | None, tip: str) -> None:
        """Show words and a count."""
        self.setText(text)
        self._count = count
        self.setToolTip(tip_text(tip))
        self.setAccessibleName(self.words_with_count())
        self.update()

    def words_with_count(self) -> str:
        """The tab as one line."""
        return self.text() if self._count is None else f"{self.text()} {self._count:,}"

    def sizeHint(self) -> QSize:
        words_wide = QFontMetrics(font("body", weight=600)).horizontalAdvance(self.text())  # choosing moves nothing
        return QSize(words_wide + self._count_width() + 2 * _PADDING, height("tab_bar"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        chosen = self.isChecked()
        own = font("body", weight=600 if chosen else 400)
        ink = "text.primary" if chosen or self.underMouse() else "text.secondary"
        painter.setFont(own)
        painter.setPen(colours.color(ink))
        words_wide = QFontMetrics(own).horizontalAdvance(self.text())
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        painter.drawText(QRect(_PADDING, 0, words_wide + 2, self.height()), flags, self.text())
        if self._count is not None:
            painter.setFont(font("table", weight=500 if chosen else 400))
            painter.setPen(colours.color("text.tertiary"))
            rest = QRect(_PADDING + words_wide + _GAP, 0, self.width(), self.height())
            painter.drawText(rest, flags, f"{self._count:,}")
        if chosen:
            thick = int(line("selected"))
            under = QRect(_PADDING - 2, self.height() - thick, self.width() - 2 * _PADDING + 4, thick)
            painter.fillRect(under, colours.color("accent.base"))
        if self.hasFocus():
            paint_focus(painter, self.rect().adjusted(2, 5, -2, -4), radius("control"))

    def _count_width(self) -> int:
        if self._count is None:
            return 0
        return QFontMetrics(font("table", weight=500)).horizontalAdvance(f"{self._count:,}") + _GAP
