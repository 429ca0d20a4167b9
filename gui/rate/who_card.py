"""Who rates, how often an answer is rated, and what stands among the items to check the raters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.rate import wording
from gui.rate.lines import Line
from gui.rate.new_study import NewStudy
from gui.theme import space
from gui.widgets import Button, Card, CheckBox, LineEdit
from gui.widgets.check_list import CheckList
from gui.widgets.number_field import NumberField

if TYPE_CHECKING:
    from engine.store.raters import Rater

USES = ("training", "gold", "trap")
MOST = 100_000


class WhoCard(Card):
    """Raters, ratings per item, what all rate, hidden repeats, known answers, the seed.

    Signals:
        rater_asked: the name of somebody to be added.
        file_asked: a list of known answers is to be read.
    """

    rater_asked, file_asked = Signal(str), Signal()

    def __init__(self, new: NewStudy, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._new = new
        self.raters = CheckList(rows=8)
        self.name, self.add_button = LineEdit(), Button(icon="plus")
        self.ratings, self.overlap = NumberField(1, 100), NumberField(0, MOST)
        self.repeats, self.seed = NumberField(0, 50, may_be_empty=True), NumberField(0, 2**31 - 1)
        self.known, self.spoken = {use: CheckBox() for use in USES}, CheckBox()
        self.file_button = Button(icon="folder-open", size="button_small")
        self.lines = {
            "ratings": Line(self.ratings),
            "overlap": Line(self.overlap),
            "repeats": Line(self.repeats),
            "seed": Line(self.seed),
            "known": Line(self.file_button),
        }
        self._lay_out()
        self._wire()

    def retranslate(self) -> None:
        """Say it in the language of now."""
        say = wording.say
        self.set_title(say("new.who"))
        self.raters.setAccessibleName(say("new.who"))
        self.name.setPlaceholderText(say("people.new_name"))
        self.name.setAccessibleName(say("people.new_name"))
        self.add_button.setText(say("people.add"))
        self.file_button.setText(say("new.known_file"))
        self.file_button.set_tip(say("new.known_file_tip"))
        for name, field in (("ratings", self.ratings), ("overlap", self.overlap), ("seed", self.seed)):
            self.lines[name].say(say(f"new.{name}"), say(f"new.{name}_note"))
            field.set_name(say(f"new.{name}"))
        self.lines["repeats"].say(say("new.repeats"), say("new.repeats_note"))
        self.repeats.set_name(say("new.repeats"))
        self.repeats.setPlaceholderText(say("new.usual"))
        self.spoken.setText(say("new.spoken"))
        self.spoken.setToolTip(say("new.spoken_tip"))
        self.fill()

    def fill(self) -> None:
        """Show what is chosen."""
        choices, offer = self._new.choices, self._new.offer
        entries = [(str(rater.id), wording.rater_name(rater), _note(rater)) for rater in offer.raters]
        self.raters.entries.set_entries(entries, [str(number) for number in choices.raters])
        self.raters.fit()
        self.raters.setVisible(bool(entries))
        self.set_note(wording.several("rater", len(choices.raters)) if choices.raters else "")
        self.ratings.set_number(choices.ratings_per_item)
        self.overlap.set_number(choices.overlap)
        self.repeats.set_number(choices.repeats)
        self.seed.set_number(choices.seed)
        self.spoken.setChecked(choices.spoken_traps)
        several = len(choices.raters) > 1
        self.lines["ratings"].setVisible(several)
        self.lines["overlap"].setVisible(several and choices.ratings_per_item < len(choices.raters))
        self._fill_known()
        self._show_add()

    def _fill_known(self) -> None:
        choices = self._new.choices
        found = {use: len(choices.known_of(self._new.offer, use)) for use in USES}
        for use, box in self.known.items():
            box.setText(wording.say(f"new.known_{use}", n=found[use]))
            box.setChecked(use in choices.known and found[use] > 0)
            box.setEnabled(found[use] > 0)
        key = "new.known_note" if sum(found.values()) else "new.known_none"
        self.lines["known"].say(wording.say("new.known"), wording.say(key))

    def _lay_out(self) -> None:
        add, known = QHBoxLayout(), QHBoxLayout()
        for row in (add, known):
            row.setSpacing(space(2))
        add.addWidget(self.name, 1)
        add.addWidget(self.add_button)
        for box in self.known.values():
            known.addWidget(box)
        known.addStretch(1)
        self.spoken.clicked.connect(self._on_spoken)
        self.body.addWidget(self.raters)
        self.body.addLayout(add)
        for name in ("ratings", "overlap", "repeats"):
            self.body.addWidget(self.lines[name])
        self.body.addWidget(self.lines["known"])
        self.body.addLayout(known)
        self.body.addWidget(self.spoken)
        self.body.addWidget(self.lines["seed"])

    def _wire(self) -> None:
        self.raters.entries.ticked.connect(self._on_raters)
        self.name.textChanged.connect(self._show_add)
        self.name.returnPressed.connect(self._add)
        self.add_button.clicked.connect(self._add)
        self.file_button.clicked.connect(self.file_asked)
        self.ratings.changed.connect(self._on_ratings)
        self.overlap.changed.connect(self._on_overlap)
        self.repeats.changed.connect(self._on_repeats)
        self.seed.changed.connect(self._on_seed)
        for box in self.known.values():
            box.clicked.connect(self._on_known)

    def _on_raters(self, ticked: frozenset[str]) -> None:
        chosen = tuple(rater.id for rater in self._new.offer.raters if str(rater.id) in ticked)
        self._new.choose(raters=chosen)

    def _show_add(self) -> None:
        self.add_button.setEnabled(bool(self.name.text().strip()))

    def _add(self) -> None:
        if self.name.text().strip():
            self.rater_asked.emit(self.name.text().strip())
            self.name.clear()

    def _on_ratings(self, number: int | None) -> None:
        self._new.choose(ratings_per_item=number or 1)

    def _on_overlap(self, number: int | None) -> None:
        self._new.choose(overlap=number or 0)

    def _on_repeats(self, number: int | None) -> None:
        self._new.choose(repeats=number)

    def _on_seed(self, number: int | None) -> None:
        self._new.choose(seed=number or 0)

    def _on_spoken(self, on: bool) -> None:
        self._new.choose(spoken_traps=on)

    def _on_known(self) -> None:
        self._new.choose(known=frozenset(use for use, box in self.known.items() if box.isChecked()))


def _note(rater: Rater) -> str:
    """That it is the owner, where the name does not say so."""
    return wording.say("me") if rater.is_owner and not wording.is_owners(rater.name) else ""
