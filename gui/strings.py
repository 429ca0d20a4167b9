"""The words on screen in the language the user chose, and the signal to say them anew."""

from __future__ import annotations

import os
from typing import Any

from PySide6.QtCore import QLocale, QObject, Signal

from engine.errors import EngineError
from engine.strings import LANGUAGES, text


class Words(QObject):
    """Says sentences of ``resources/strings`` in the current language.

    Signals:
        changed: the language is another now; every view says its texts again.
    """

    changed = Signal()

    def __init__(self, language: str = "en") -> None:
        super().__init__()
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


def language_of_the_user() -> str:
    """``$AURICLE_LANGUAGE``, else the system's first language: ``"zh"`` where it is a Chinese, else ``"en"``."""
    told = os.environ.get("AURICLE_LANGUAGE") or QLocale.system().name()
    return "zh" if told.lower().startswith("zh") else "en"
