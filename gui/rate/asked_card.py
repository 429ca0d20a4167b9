"""What raters are asked: one question a pass, each with its steps, in the language the raters read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.rate import wording
from gui.rate.lines import Line, fill_box
from gui.rate.new_study import NewStudy
from gui.rate.titles import shown_protocol
from gui.strings import words
from gui.theme import space
from gui.widgets import Card, ComboBox, Hairline, Segmented, label
from gui.widgets.check_list import CheckList
from gui.widgets.number_field import NumberField

if TYPE_CHECKING:
    from engine.rating.values import Protocol

LANGUAGES = ("en", "zh")


class AskedCard(Card):
    """The protocols to tick; under them the questions of those that are ticked, as raters will read them."""

    def __init__(self, new: NewStudy, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._new = new
        self._names: tuple[str, ...] = ()
        self._systems: list[str] = []
        self._shown: tuple[object, ...] = ()
        self._questions = QVBoxLayout()
        self._questions.setSpacing(space(2))
        self._holder: QWidget | None = None
        self.protocols = CheckList(rows=10)
        self.language = Segmented([("en", "English"), ("zh", "中文")], size="button")
        self.language_line = Line(self.language)
        self.against, self.pairs = ComboBox(), NumberField(1, 100, may_be_empty=True)
        self.against_line, self.pairs_line = Line(self.against), Line(self.pairs)
        self.body.addWidget(self.protocols)
        for line in (self.language_line, self.against_line, self.pairs_line):
            self.body.addWidget(line)
        self.body.addLayout(self._questions)
        self.protocols.entries.ticked.connect(self._on_ticked)
        self.language.chosen.connect(self._on_language)
        self.against.activated.connect(self._on_against)
        self.pairs.changed.connect(self._on_pairs)

    def set_protocols(self, names: tuple[str, ...]) -> None:
        """Offer these."""
        self._names = names
        self.fill()

    def retranslate(self) -> None:
        """Say it in the language of now."""
        self.set_title(wording.say("new.asked"))
        self.protocols.setAccessibleName(wording.say("new.asked"))
        self.language.setAccessibleName(wording.say("new.language"))
        self.language_line.say(wording.say("new.language"))
        self.against_line.say(wording.say("new.against"))
        self.against.set_name(wording.say("new.against"))
        self.pairs_line.say(wording.say("new.pairs"), wording.say("new.pairs_note"))
        self.pairs.set_name(wording.say("new.pairs"))
        self.pairs.setPlaceholderText(wording.say("new.all_items"))
        self.fill()

    def fill(self) -> None:
        """Show what is chosen."""
        choices = self._new.choices
        found = [(name, shown_protocol(name, words.language)) for name in self._names]
        entries = [(name, told.title, wording.say(f"perceived.{told.perceived}")) for name, told in found if told]
        self.protocols.entries.set_entries(entries, choices.protocols)
        self.protocols.fit()
        self.language.set_value(choices.language)
        self._fill_comparison()
        passes = len(choices.protocols)
        self.set_note(wording.several("new.passes", passes) if passes else "")
        shown = (choices.protocols, choices.language, words.language)
        if shown != self._shown:
            self._shown = shown
            self._fill_questions()

    def _fill_comparison(self) -> None:
        """Comparisons of several systems: all pairs, or each with one; and how many pairs on an item."""
        choices = self._new.choices
        found = [shown_protocol(name, words.language) for name in choices.protocols]
        several = any(told.compares for told in found if told) and len(choices.systems) > 2
        self._systems = sorted(choices.systems)
        fill_box(self.against, [wording.say("new.all_pairs"), *self._systems])
        place = 1 + self._systems.index(choices.against) if choices.against in self._systems else 0
        self.against.setCurrentIndex(place)
        self.pairs.set_number(choices.pairs_per_item)
        self.against_line.setVisible(several)
        self.pairs_line.setVisible(several)

    @property
    def questions(self) -> list[str]:
        """The questions that are shown, for tests."""
        found = [shown_protocol(name, self._new.choices.language) for name in self._new.choices.protocols]
        return [scale.question for protocol in found if protocol for scale in protocol.scales]

    def _fill_questions(self) -> None:
        if self._holder is not None:
            self._questions.removeWidget(self._holder)
            self._holder.hide()
            self._holder.deleteLater()
        self._holder = QWidget()
        column = QVBoxLayout(self._holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(2))
        for place, name in enumerate(self._new.choices.protocols, start=1):
            protocol = shown_protocol(name, self._new.choices.language)
            if protocol is not None:
                column.addWidget(Hairline())
                _tell(column, protocol, place)
        self._questions.addWidget(self._holder)

    def _on_ticked(self, ticked: frozenset[str]) -> None:
        """What was ticked first is the first pass."""
        kept = [name for name in self._new.choices.protocols if name in ticked]
        self._new.choose(protocols=(*kept, *(name for name in self._names if name in ticked and name not in kept)))

    def _on_against(self, place: int) -> None:
        self._new.choose(against=self._systems[place - 1] if place else "")

    def _on_pairs(self, number: int | None) -> None:
        self._new.choose(pairs_per_item=number)

    def _on_language(self, language: object) -> None:
        self._new.choose(language=language)


def _tell(column: QVBoxLayout, protocol: Protocol, place: int) -> None:
    """A protocol's questions and steps, and its warning."""
    head = wording.say("new.pass_head", n=place, title=protocol.title, version=protocol.version)
    column.addWidget(label(head, "small", "secondary", elide=True))
    for scale in protocol.scales:
        column.addWidget(label(scale.question, "body", family="content", wrap=True))
        steps = " · ".join(f"{step.key} {step.label}" for step in scale.steps)
        column.addWidget(label(steps, "small", "secondary", family="content", wrap=True))
    if protocol.warning:
        column.addWidget(label(protocol.warning.strip(), "small", "warning", family="content", wrap=True))
