"""The filter of a new session: Audit's line with its completion, in a frame of its own and without chips."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from engine.errors import EngineError
from engine.query.complete import Suggestion
from gui.audit.filter_entry import FilterEntry
from gui.strings import words
from gui.theme import icon
from gui.widgets import tip_text

_OF_THE_LIST = {Qt.Key.Key_Escape, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab}


class FilterField(FilterEntry):
    """Says what stands in its way where the filter is wrong; keys are the list's while it is open."""

    def __init__(self, suggest: Callable[[str, int], Sequence[Suggestion]], parent: QWidget | None = None) -> None:
        super().__init__(suggest, parent)
        self.setProperty("role", "")  # with a frame
        self.addAction(icon("funnel"), QLineEdit.ActionPosition.LeadingPosition)

    def set_error(self, error: EngineError | None) -> str:
        """Frame the field and underline what is wrong, or take that back; the sentence that says why."""
        sentence = "" if error is None else words.error(error)
        values = {} if error is None else error.values
        self.set_wrong((values["start"], values["end"]) if {"start", "end"} <= values.keys() else None)
        self.setProperty("error", "true" if sentence else "false")
        self.setToolTip(tip_text(sentence))
        self.setAccessibleDescription(sentence)
        return sentence

    def event(self, event: QEvent) -> bool:
        """The page's own keys wait until the list is closed."""
        if _is_of_the_list(event) and self.offers.isVisible():
            event.accept()
            return True
        return super().event(event)


def _is_of_the_list(event: QEvent) -> bool:
    is_key = isinstance(event, QKeyEvent) and event.key() in _OF_THE_LIST
    return is_key and event.type() == QEvent.Type.ShortcutOverride
