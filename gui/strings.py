"""The words on screen in the language the user chose, and the signal to say them anew."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QLocale, QObject, QTimer
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from engine.errors import EngineError
from engine.strings import LANGUAGES, text

#: The property of a screen that is not the one shown: what is on it is told of a new language in later turns.
PUT_AWAY = "put_away"


class Changed:
    """The news that the language is another, for bound methods of QObjects; told until their object is gone.

    Whoever is in sight is told at once. All others at once too would keep the GUI thread for as long as all screens
    take together: they are told one a turn, and a screen that is shown before its turn catches up.
    """

    def __init__(self) -> None:
        self._slots: dict[weakref.ref[QObject], list[str]] = {}
        self._late: dict[weakref.ref[QObject], None] = {}

    def connect(self, slot: Callable[[], object]) -> None:
        """Call ``slot`` each time."""
        owner: QObject = slot.__self__  # type: ignore[attr-defined]  # a bound method
        self._slots.setdefault(weakref.ref(owner, self._forget), []).append(slot.__name__)

    def emit(self) -> None:
        """Tell it to all."""
        for listener in list(self._slots):
            if _is_put_away(listener()):
                self._late[listener] = None
            else:
                self._tell(listener)
        self._tell_next_soon()

    def catch_up(self, view: QWidget) -> None:
        """Tell all that are in ``view`` and were not told yet."""
        for listener in list(self._late):
            widget = _widget_of(listener())
            if widget is not None and (widget is view or view.isAncestorOf(widget)):
                self._tell(listener)

    def _tell(self, listener: weakref.ref[QObject]) -> None:
        self._late.pop(listener, None)
        owner = listener()
        if owner is not None and isValid(owner):
            for name in self._slots[listener]:
                getattr(owner, name)()

    def _tell_next_soon(self) -> None:
        if self._late:
            QTimer.singleShot(0, self._tell_next)

    def _tell_next(self) -> None:
        if self._late:
            self._tell(next(iter(self._late)))
        self._tell_next_soon()

    def _forget(self, listener: weakref.ref[QObject]) -> None:
        self._slots.pop(listener, None)
        self._late.pop(listener, None)


class Words(QObject):
    """Says sentences of ``resources/strings`` in the current language.

    ``changed`` tells that the language is another now: every view says its texts again.
    """

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.changed = Changed()
        self._language = language

    @property
    def language(self) -> str:
        """``"en"`` or ``"zh"``."""
        return self._language

    def use(self, language: str) -> None:
        """Speak ``language`` from now on; ValueError for one that has no strings."""
        if language not in LANGUAGES:
            raise ValueError(f"no strings in {language!r}")
        if language != self._language:
            self._language = language
            self.changed.emit()

    def text(self, key: str, /, **values: Any) -> str:
        """The sentence ``key`` (``room.section.name``), its places filled."""
        return text(key, self._language, **values)

    def error(self, error: EngineError) -> str:
        """What stands in the way, as one sentence."""
        return error.sentence(self._language)


#: The one voice of the window.
words = Words()


def _widget_of(owner: QObject | None) -> QWidget | None:
    """The widget that an object is or belongs to; None for one that is gone or belongs to none."""
    if owner is not None and not isValid(owner):
        return None
    while owner is not None and not isinstance(owner, QWidget):
        owner = owner.parent()
    return owner


def _is_put_away(owner: QObject | None) -> bool:
    widget = _widget_of(owner)
    if widget is None or widget.isVisible():
        return False
    while widget is not None and not widget.property(PUT_AWAY):
        widget = widget.parentWidget()
    return widget is not None


def language_of_the_user() -> str:
    """``$AURICLE_LANGUAGE``, else the system's first language: ``"zh"`` where it is a Chinese, else ``"en"``."""
    told = os.environ.get("AURICLE_LANGUAGE") or QLocale.system().name()
    return "zh" if told.lower().startswith("zh") else "en"
