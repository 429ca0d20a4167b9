"""One endpoint in the list: who it is, where its key lies, what its test call said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.endpoints.keys import KeySource, key_names
from engine.errors import EngineError
from gui.preferences.endpoints import KeptEndpoint
from gui.strings import words
from gui.theme import space
from gui.widgets import Button, Glyph, Hairline, IconButton, InlineError, Spinner, label, set_tone

if TYPE_CHECKING:
    from engine.judges.trial import Trial

_GLYPHS = {
    "untried": ("circle-dashed", "state.unscored"),
    "good": ("check-circle", "state.scored"),
    "bad": ("warning-circle", "verdict.fail"),
}


class EndpointRow(QWidget):
    """Shows what it is told.

    Signals:
        test_asked, stop_asked, change_asked, remove_asked: the name of the endpoint.
    """

    test_asked, stop_asked, change_asked, remove_asked = Signal(str), Signal(str), Signal(str), Signal(str)

    def __init__(self, entry: KeptEndpoint, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry = entry
        self._source: KeySource | None = None
        self._result: Trial | EngineError | None = None
        self._trying = False
        self._glyph = Glyph(*_GLYPHS["untried"])
        self._spinner = Spinner(16)
        self._name = label(entry.name, "body", weight=600, elide=True)
        self._what = label("", "small", "secondary", elide=True)
        self._key = label("", "small", "secondary", wrap=True)
        self.test = Button(icon="paper-plane-tilt", size="button_small")
        self.change = IconButton("pencil-simple", size="button_small")
        self.remove = IconButton("trash", size="button_small")
        self._said = InlineError()
        self._lay_out()
        self.test.clicked.connect(self._on_test)
        self.change.clicked.connect(self._on_change)
        self.remove.clicked.connect(self._on_remove)
        words.changed.connect(self.retranslate)
        self.retranslate()

    def show_source(self, source: KeySource | None) -> None:
        """Where its key lies; None while nobody looked."""
        self._source = source
        self.retranslate()

    def show_trial(self, trying: bool, result: Trial | EngineError | None) -> None:
        """Whether the test call runs, and what the last one said."""
        self._trying, self._result = trying, result
        self.retranslate()

    @property
    def said(self) -> str:
        """What the test call said, as it stands on screen; "" before one."""
        return self._said.sentence() if not self._said.isHidden() else ""

    @property
    def key_line(self) -> str:
        """The sentence on its key."""
        return str(self._key.text())

    def retranslate(self) -> None:
        """Say everything in the language of now."""
        entry = self.entry
        self._what.setText(words.text("preferences.endpoint.what", model=entry.model or "—", host=entry.host))
        self._key.setText(self._key_sentence())
        set_tone(self._key, "warning" if self._source and self._source.kind == "missing" else "secondary")
        self.test.setText(words.text("preferences.endpoint.stop" if self._trying else "preferences.endpoint.test"))
        self.test.set_tip(words.text("preferences.endpoint.test_tip", name=entry.name))
        self.test.set_icon("stop" if self._trying else "paper-plane-tilt")
        self.test.setAccessibleName(f"{self.test.text()}: {entry.name}")
        self.change.set_tip(words.text("preferences.endpoint.change", name=entry.name))
        self.remove.set_tip(words.text("preferences.endpoint.remove", name=entry.name))
        self._spinner.setVisible(self._trying)
        self._glyph.setVisible(not self._trying)
        self._show_result()

    def _show_result(self) -> None:
        result = self._result
        if result is None:
            self._glyph.show_icon(*_GLYPHS["untried"])
            self._said.clear()
        elif isinstance(result, EngineError):
            self._glyph.show_icon(*_GLYPHS["bad"])
            self._said.say(words.error(result), code=result.code, tone="error")
        else:
            self._glyph.show_icon(*_GLYPHS["good"])
            sentence = words.text("preferences.endpoint.answered", model=result.model, seconds=result.seconds)
            self._said.say(sentence, tone="good")

    def _key_sentence(self) -> str:
        if self._source is None:
            return ""
        names = list(key_names(self.entry.base_url, self.entry.key_env))
        key = f"preferences.endpoint.key_{self._source.kind}"
        return words.text(key, host=self.entry.host, name=self._source.name, names=names)

    def _lay_out(self) -> None:
        texts = QVBoxLayout()
        texts.setSpacing(1)
        for part in (self._name, self._what, self._key):
            texts.addWidget(part)
        upper = QHBoxLayout()
        upper.setSpacing(space(2))
        upper.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        upper.addWidget(self._spinner, 0, Qt.AlignmentFlag.AlignTop)
        upper.addSpacing(2)
        upper.addLayout(texts, 1)
        for button in (self.test, self.change, self.remove):
            upper.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        inside = QVBoxLayout()
        inside.setContentsMargins(space(3), space(2) + 2, space(3), space(2) + 2)
        inside.setSpacing(space(2))
        inside.addLayout(upper)
        inside.addWidget(self._said)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(Hairline())
        whole.addLayout(inside)

    def _on_test(self) -> None:
        (self.stop_asked if self._trying else self.test_asked).emit(self.entry.name)

    def _on_change(self) -> None:
        self.change_asked.emit(self.entry.name)

    def _on_remove(self) -> None:
        self.remove_asked.emit(self.entry.name)
