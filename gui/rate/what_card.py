"""Which answers a new study is about: what was handed over, a filter, how items are drawn, whose answers."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.rate import wording
from gui.rate.filter_field import FilterField
from gui.rate.lines import Line, fill_box, heading
from gui.rate.new_study import NewStudy
from gui.theme import space
from gui.widgets import Card, CheckBox, Chip, ComboBox, LineEdit, Segmented, label
from gui.widgets.check_list import CheckList
from gui.widgets.number_field import NumberField

HOWS = ("random", "stratified", "manual")
STRATA = ("verdict", "subset", "category")
MOST_ITEMS = 100_000


class WhatCard(Card):
    """Hands each choice to ``NewStudy``."""

    def __init__(self, new: NewStudy, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._new = new
        self.title = LineEdit()
        self.chosen, self.without = Chip(("", "")), Chip(("", ""))
        self.filter = FilterField(new.completing.suggest)
        self.how = Segmented([(how, "") for how in HOWS], size="button")
        self.items, self.added = NumberField(1, MOST_ITEMS, 5), NumberField(0, MOST_ITEMS, 5)
        self.take_all, self.stratum = CheckBox(), ComboBox()
        self.systems = CheckList(rows=6)
        self._how_note = label("", "small", "secondary", wrap=True)
        self.title_line = Line(self.title, fills=True)
        self.filter_line = Line(self.filter, fills=True)
        self.items_line, self.added_line = Line(self.take_all, self.items), Line(self.added)
        self.stratum_line = Line(self.stratum)
        self._systems = heading()
        self._lay_out()
        self._wire()

    def retranslate(self) -> None:
        """Say it in the language of now."""
        say = wording.say
        self.set_title(say("new.what"))
        self.title_line.say(say("new.title"), say("new.title_note"))
        self.title.setAccessibleName(say("new.title"))
        self.filter_line.say(say("new.filter"))
        self.filter.setPlaceholderText(say("new.filter_hint"))
        self.filter.setAccessibleName(say("new.filter"))
        self.how.setAccessibleName(say("new.how"))
        self.how.set_texts([say(f"new.how_{how}") for how in HOWS])
        self.take_all.setText(say("new.all_items"))
        self.items.set_name(say("new.items"))
        self.added.set_name(say("new.added"))
        self.stratum_line.say(say("new.stratum"))
        self.stratum.set_name(say("new.stratum"))
        fill_box(self.stratum, [say(f"new.by_{name}") for name in STRATA])
        self.added_line.say(say("new.added"), say("new.added_note"))
        self._systems.setText(say("new.systems"))
        self.systems.setAccessibleName(say("new.systems"))
        self.fill()

    def fill(self) -> None:
        """Show what is chosen."""
        choices, offer = self._new.choices, self._new.offer
        if self.title.text() != choices.title:
            self.title.setText(choices.title)
        if self.filter.text() != choices.filter:
            self.filter.set_text(choices.filter)
        self.title.setPlaceholderText(choices.usual_title or wording.say("new.title_hint"))
        self._fill_chosen()
        self.how.set_value(choices.selection)
        self.how.set_enabled("manual", choices.chosen is not None)
        self._how_note.setText(wording.say(f"new.how_{choices.selection}_note"))
        self.items.set_number(choices.items)
        self.items.setEnabled(choices.items is not None)
        self.take_all.setChecked(choices.items is None)
        self.added.set_number(choices.added_random)
        self.items_line.setVisible(not choices.is_by_hand)
        self.added_line.setVisible(choices.is_by_hand)
        self.stratum_line.setVisible(choices.selection == "stratified")
        self.stratum.setCurrentIndex(STRATA.index(choices.stratum))
        entries = [(name, name, wording.count(size)) for name, size in offer.answers]
        self.systems.entries.set_entries(entries, choices.systems)
        self.systems.fit()
        self.say_plan()

    def say_plan(self) -> None:
        """How many items there are to draw from, once that is known."""
        plan = self._new.plan
        error = self._new.error
        self.filter_line.say_note(self.filter.set_error(error if error and error.code.startswith("query.") else None))
        note = "" if plan is None else wording.several("new.instances", plan.counts.instances)
        self.items_line.say(wording.say("new.items"), note)

    def focus_first(self) -> None:
        """Where the keyboard begins."""
        self.title.setFocus()

    def _fill_chosen(self) -> None:
        chosen = self._new.choices.chosen
        self.chosen.setVisible(chosen is not None)
        if chosen is not None:
            said = wording.several("answers", len(chosen.ids)) if chosen.ids else chosen.query or wording.say("all")
            self.chosen.set_parts((wording.say("new.from_audit"), said))
        without = self._new.choices.without
        self.without.setVisible(bool(without))
        self.without.set_parts((wording.say("new.without"), wording.several("answers", len(without))))

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self.how)
        row.addStretch(1)
        body = self.body
        for part in (self.title_line, self.chosen, self.filter_line, self.without):
            body.addWidget(part)
        body.addSpacing(space(1))
        body.addLayout(row)
        body.addWidget(self._how_note)
        for line in (self.stratum_line, self.items_line, self.added_line):
            body.addWidget(line)
        body.addWidget(self._systems)
        body.addWidget(self.systems)

    def _wire(self) -> None:
        self.title.textEdited.connect(self._on_title)
        self.filter.typed.connect(self._on_filter)
        self.chosen.removed.connect(self._on_chosen_removed)
        self.without.removed.connect(self._new.take_back_in)
        self.how.chosen.connect(self._on_how)
        self.stratum.activated.connect(self._on_stratum)
        self.items.changed.connect(self._on_items)
        self.take_all.toggled.connect(self._on_all)
        self.added.changed.connect(self._on_added)
        self.systems.entries.ticked.connect(self._on_systems)

    def _on_title(self, text: str) -> None:
        self._new.choose(title=text)

    def _on_filter(self, text: str) -> None:
        self._new.choose(filter=text)

    def _on_chosen_removed(self) -> None:
        self._new.let_go()
        self.filter.setFocus()

    def _on_how(self, how: object) -> None:
        self._new.choose(selection=how)

    def _on_stratum(self, place: int) -> None:
        self._new.choose(stratum=STRATA[place])

    def _on_items(self, number: int | None) -> None:
        self._new.choose(items=number)

    def _on_all(self, takes_all: bool) -> None:
        if takes_all != (self._new.choices.items is None):
            self._new.choose(items=None if takes_all else self.items.number or 1)

    def _on_added(self, number: int | None) -> None:
        self._new.choose(added_random=number or 0)

    def _on_systems(self, chosen: frozenset[str]) -> None:
        self._new.choose(systems=chosen)
