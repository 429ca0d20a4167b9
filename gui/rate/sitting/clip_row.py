"""One clip of an item: its button, its name and length, where it is heard, and how much of it was."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.rate.sitting.coverage import Coverage, Span
from gui.rate.sitting.play_button import PlayButton
from gui.rate.sitting.wording import say, seconds
from gui.theme import space
from gui.widgets import Glyph, label, set_tone

_NAME, _STATUS, _STATUS_NARROW = 92, 158, 76
_HEIGHT, _TIGHT, _LOW = 78, 54, 46


class ClipRow(QWidget):
    """Shows a clip; what it plays is said by ``wanted``.

    Signals:
        wanted: the button was pressed.
        asked: a second of the clip was clicked.
    """

    wanted, asked = Signal(), Signal(float)

    def __init__(self, is_main: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_narrow, self._tall = False, _HEIGHT
        self.button = PlayButton(is_main)
        self.button.clicked.connect(self.wanted)
        self.name, self.length = label("", "body", weight=600), label("", "figure", "secondary")
        self.coverage = Coverage()
        self.coverage.asked.connect(self.asked)
        self._glyph = Glyph("ear", "verdict.warning")
        self.status = label("", "table")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        names = self._names = QVBoxLayout()
        names.setSpacing(0)
        names.addStretch(1)
        names.addWidget(self.name)
        names.addWidget(self.length)
        names.addStretch(1)
        self._left = QWidget()
        self._left.setLayout(names)
        names.setContentsMargins(0, 0, 0, 0)
        self._left.setFixedWidth(_NAME)
        right = QHBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(space(1) + 2)
        right.addStretch(1)
        right.addWidget(self._glyph)
        right.addWidget(self.status)
        self._right = QWidget()
        self._right.setLayout(right)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(4), 0, space(4), 0)
        row.setSpacing(space(3))
        row.addWidget(self.button)
        row.addWidget(self._left)
        row.addWidget(self.coverage, 1)
        row.addWidget(self._right)
        self.fit(narrow=False, tight=False, low=False)

    def fit(self, *, narrow: bool, tight: bool, low: bool) -> None:
        """Take less room."""
        self._is_narrow, self._tall = narrow, _LOW if low else _TIGHT if tight else _HEIGHT
        self.button.be_small(low)
        self.length.setVisible(not low)
        self._right.setFixedWidth(_STATUS_NARROW if narrow else _STATUS)
        self.setFixedHeight(self._tall)

    def show_clip(
        self, name: str, length_s: float | None, voiced: list[Span], heard: list[Span], tags: list[Span]
    ) -> None:
        """Another clip, or more of it heard."""
        self.name.setText(name)
        self.length.setText(seconds(length_s))
        end_s = max([length_s or 0.0, *(end for _, end in voiced)])
        self.coverage.show_clip(end_s, voiced, heard, tags)
        self.button.setAccessibleName(say("clip.play", name=name))

    def show_status(self, share: float, n: int, is_enough: bool, is_question: bool, is_broken: bool) -> None:
        """How much of its speech was heard, ``n`` percent; a sign and words, never a colour alone."""
        if is_broken:
            self._tell("warning-circle", "verdict.fail", say("clip.broken"), "error")
        elif is_enough:
            key = (
                "clip.optional"
                if not share
                else "clip.heard_before"
                if is_question
                else "clip.heard_all"
                if share >= 0.998
                else "clip.heard_enough"
            )
            self._tell("check-circle", "state.scored", say(key, n=n), None)
        else:
            self._tell("ear", "verdict.warning", say("clip.heard", n=n), None)
        said = f"{self.name.text()}, {self.length.text()}, {self.status.toolTip()}"
        self.coverage.setAccessibleName(said)

    def show_playing(self, playing: bool, was_heard: bool, position_s: float | None) -> None:
        """Whether this clip plays, and where."""
        self.button.show_icon("pause" if playing else "arrow-counter-clockwise" if was_heard else "play")
        self.coverage.show_position(position_s)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._tall)

    def _tell(self, icon: str, colour: str, sentence: str, tone: str | None) -> None:
        self._glyph.show_icon(icon, colour)
        shown = sentence.split("|")
        self.status.setText(shown[-1] if self._is_narrow else shown[0])
        self.status.setToolTip(shown[0])
        set_tone(self.status, tone)
