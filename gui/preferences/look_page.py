"""The page of look and language: theme, language, size, motion, and whether Chinese can be shown."""

from __future__ import annotations

import os
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QWidget

from engine.strings import LANGUAGES
from gui.preferences.page import Form, Page, in_a_row
from gui.preferences.restart import start_again
from gui.services import Services
from gui.strings import language_of_the_user
from gui.theme import font, missing_cjk
from gui.widgets import Card, CheckBox, InlineError, Segmented, label

THEMES = ("system", "light", "dark")
SPOKEN = ("", *LANGUAGES)
SCALES = (100, 125, 150, 175, 200)
_FACTOR = "QT_SCALE_FACTOR"  # who sets it by hand wants it to hold


class LookPage(Page):
    """What everything looks like."""

    def __init__(
        self,
        services: Services,
        parent: QWidget | None = None,
        *,
        begin_again: Callable[[QWidget], bool] = start_again,
    ) -> None:
        super().__init__(parent)
        self._settings, self._words = services.settings, services.words
        self._begin_again = begin_again
        self._scale_at_start = int(services.settings.get("scale_percent"))
        self.theme = Segmented([(name, name) for name in THEMES])
        self.language = Segmented([(name, name or "system") for name in SPOKEN])
        self.scale = Segmented([(percent, f"{percent} %") for percent in SCALES])
        self.still = CheckBox()
        self.again = InlineError(tone="note")
        self.font_check = InlineError()
        self._sample = label("", "body_large", family="content", wrap=True)
        self._sample_mono = label("", "figure", "secondary", wrap=True)
        self._lay_out()
        self._wire()
        self._retranslate()

    def _lay_out(self) -> None:
        self._card, self._text = Card(" "), Card(" ")
        form = Form()
        still = in_a_row(self.still)
        self._labels = {
            "theme": form.add(in_a_row(self.theme)),
            "language": form.add(in_a_row(self.language)),
            "scale": form.add(in_a_row(self.scale)),
        }
        form.under(self.again)
        self._labels["motion"] = form.add(still)
        self._card.body.addLayout(form)
        self._text.body.addWidget(self._sample)
        self._text.body.addWidget(self._sample_mono)
        self._text.body.addWidget(self.font_check)
        self.add(self._card)
        self.add(self._text)
        self.end()

    def _wire(self) -> None:
        self.theme.chosen.connect(self._on_theme)
        self.language.chosen.connect(self._on_language)
        self.scale.chosen.connect(self._on_scale)
        self.still.toggled.connect(self._on_still)
        self.again.acted.connect(self._on_again)
        self._settings.changed.connect(self._on_setting)
        self._words.changed.connect(self._retranslate)

    def _on_theme(self, name: object) -> None:
        self._settings.set("theme", str(name))

    def _on_language(self, name: object) -> None:
        self._settings.set("language", str(name))
        if not name:
            self._words.use(language_of_the_user())

    def _on_scale(self, percent: object) -> None:
        self._settings.set("scale_percent", percent)

    def _on_still(self, still: bool) -> None:
        self._settings.set("reduced_motion", still)

    def _on_again(self) -> None:
        self._begin_again(self)

    def _on_setting(self, name: str) -> None:
        if name in ("theme", "language", "scale_percent", "reduced_motion"):
            self._show()

    def _show(self) -> None:
        """The choices as they are set; what a hand put in the file that means nothing leaves the usual one chosen."""
        for control, name, known in (
            (self.theme, "theme", THEMES),
            (self.language, "language", SPOKEN),
            (self.scale, "scale_percent", SCALES),
        ):
            value = self._settings.get(name)
            control.set_value(value if value in known else known[0])
        self.still.setChecked(bool(self._settings.get("reduced_motion")))
        self._show_scale()

    def _show_scale(self) -> None:
        say = self._words.text
        if _FACTOR in os.environ:
            self.again.say(say("preferences.look.scale_fixed", name=_FACTOR, value=os.environ[_FACTOR]))
        elif self._settings.get("scale_percent") != self._scale_at_start:
            self.again.say(say("preferences.look.scale_later"), action=say("preferences.look.again"))
        else:
            self.again.clear()

    def _retranslate(self) -> None:
        say = self._words.text
        self._card.set_title(say("preferences.look.title"))
        self._text.set_title(say("preferences.look.text"))
        for name, shown in self._labels.items():
            shown.setText(say(f"preferences.look.{name}"))
        for control, name in ((self.theme, "theme"), (self.language, "language"), (self.scale, "scale")):
            control.setAccessibleName(say(f"preferences.look.{name}"))
        self.theme.set_texts([say(f"preferences.look.theme_{name}") for name in THEMES])
        self.language.set_texts(
            [say("preferences.look.language_system"), *(say(f"preferences.look.language_{name}") for name in LANGUAGES)]
        )
        tip = say("preferences.look.scale_tip")
        self.scale.set_texts([f"{percent} %" for percent in SCALES], [f"{percent} %: {tip}" for percent in SCALES])
        self.still.setText(say("preferences.look.still"))
        self.still.setToolTip(say("preferences.look.still_tip"))
        self._sample.setText(say("preferences.look.sample"))
        self._sample.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self._sample_mono.setText(say("preferences.look.sample_figures"))
        if missing_cjk():
            self.font_check.say(say("window.font.missing") + " " + say("window.font.help"), tone="warning")
        else:
            family = QFontInfo(font("body_large", "content")).family()
            self.font_check.say(say("preferences.look.font_there", family=family), tone="good")
        self._show()
