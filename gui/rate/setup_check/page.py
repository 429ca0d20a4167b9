"""The page of the check before a sitting."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.rate.setup_check.model import TRIALS, SetupCheck
from gui.rate.sitting.page import Page
from gui.rate.sitting.wording import say
from gui.strings import words
from gui.theme import space
from gui.widgets import Button, InlineError


class SetupPage(Page):
    """Says what to do at each step; Space plays, Left and Right answer, Enter goes on."""

    def __init__(self, model: SetupCheck, parent: QWidget | None = None) -> None:
        super().__init__("headphones", parent=parent)
        self._model = model
        self.play = Button(icon="play", key="Space", size="button_large")
        self.left, self.right = Button(key="Left", size="button_large"), Button(key="Right", size="button_large")
        self.skip = Button(role="quiet", key="S", size="button_large")
        self.trouble = InlineError()
        row = QHBoxLayout()
        row.setSpacing(space(2))
        for button in (self.play, self.left, self.right, self.skip):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            row.addWidget(button)
        row.addStretch(1)
        self.body.addLayout(row)
        self.body.addWidget(self.trouble)
        self.play.clicked.connect(model.play)
        self.left.clicked.connect(self._say_left)
        self.right.clicked.connect(self._say_right)
        self.skip.clicked.connect(model.skip)
        self.gone_on.connect(model.go_on)
        model.changed.connect(self.retranslate)
        words.changed.connect(self.retranslate)
        self.retranslate()

    def retranslate(self) -> None:
        """Say the step of now, in the language of now."""
        model, step = self._model, self._model.step
        key = step if step != "result" else "right" if model.is_right else "wrong"
        small = say("check.trial", n=min(len(model.answers) + 1, TRIALS), all=TRIALS) if step == "sides" else ""
        button = (
            "" if step == "sides" else say("check.start" if step == "result" or not model.has_sides else "check.next")
        )
        self.say(say(f"check.{key}_title"), say(f"check.{key}"), button, small)
        self.play.setText(say("check.play" if step == "level" else "check.again"))
        self.play.setVisible(step != "result" or not model.is_right)
        for side, words_of in ((self.left, "check.left"), (self.right, "check.right_side")):
            side.setText(say(words_of))
            side.setVisible(step == "sides")
            side.setEnabled(model.was_heard)
        self.skip.setText(say("check.skip"))
        self.skip.setVisible(step != "result")
        self.trouble.say("" if model.trouble is None else words.error(model.trouble))

    def _say_left(self) -> None:
        self._model.answer("left")

    def _say_right(self) -> None:
        self._model.answer("right")
