"""Somebody in front of the window: reads what is on screen, clicks words, presses keys, waits for what they expect."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QAbstractListModel, QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLabel, QLineEdit, QWidget

PATIENCE_MS = 20_000


class Newcomer:
    """Speaks of what is visible only; ``waits`` are for something to be seen or to hold."""

    def __init__(self, window: QWidget, qtbot) -> None:
        self.window, self._qtbot = window, qtbot

    def reads(self) -> set[str]:
        """Every text that is visible now: labels, buttons, fields, rows of tables, names of painted parts."""
        return set(self._texts())

    def sees(self, words: str) -> bool:
        return any(words in text for text in self._texts())

    def waits_to_see(self, words: str, patience_ms: int = PATIENCE_MS) -> None:
        self.waits_until(lambda: self.sees(words), f"{words!r} is not to be seen", patience_ms)

    def waits_until(self, holds: Callable[[], bool], otherwise: str = "", patience_ms: int = PATIENCE_MS) -> None:
        try:
            self._qtbot.waitUntil(holds, timeout=patience_ms)
        except Exception as error:
            raise AssertionError(f"{otherwise or 'waited in vain'}; on screen: {sorted(self.reads())}") from error

    def clicks(self, words: str) -> None:
        """Click the visible button that says ``words``, or is called so."""
        self.waits_until(lambda: self._button(words) is not None, f"no button {words!r}")
        button = self._button(words)
        assert button is not None
        QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(button.width() // 2, button.height() // 2))

    def presses(self, keys: str) -> None:
        """Press keys as a user would, into whatever has the focus."""
        target = QApplication.focusWidget() or self.window
        for chord in QKeySequence(keys):
            QTest.keyClick(target, chord.key(), chord.keyboardModifiers())

    def types(self, text: str) -> None:
        """Type into the text field that has the focus."""
        field = QApplication.focusWidget()
        assert isinstance(field, QLineEdit), f"no text field has the focus but {field}"
        field.insert(text)  # an input method inserts Chinese so, too

    def ticks(self, words: str) -> None:
        """Tick or untick the row of a list that says ``words``, by keyboard."""
        for view in self.window.findChildren(QAbstractItemView):
            if not view.isVisible():
                continue
            found = view.model().match(view.model().index(0, 0), Qt.ItemDataRole.DisplayRole, words)
            if found:
                view.setFocus()
                view.setCurrentIndex(found[0])
                QTest.keyClick(view, Qt.Key.Key_Space)
                return
        raise AssertionError(f"no row {words!r}; on screen: {sorted(self.reads())}")

    def _button(self, words: str) -> QAbstractButton | None:
        for button in self.window.findChildren(QAbstractButton):
            if button.isVisible() and button.isEnabled() and words in (button.text(), button.accessibleName()):
                return button
        return None

    def _texts(self) -> Iterator[str]:
        for widget in (self.window, *self.window.findChildren(QWidget)):
            if not widget.isVisible():
                continue
            if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
                yield widget.text()
            if widget.accessibleName():
                yield widget.accessibleName()
            if isinstance(widget, QAbstractItemView) and widget.model() is not None:
                yield from _cells(widget)


def _cells(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    for row in range(min(model.rowCount(), 60)):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount()):
            shown = model.index(row, column).data()
            if isinstance(shown, str) and shown:
                yield shown
