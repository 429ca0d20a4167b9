"""The page of the raters: who they are and what they have done, the owner's PIN, handing the window over."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from gui.profile import SHORTEST_PIN, Profiles
from gui.rate import wording
from gui.rate.lines import fill_box
from gui.rate.people import People
from gui.rate.reading import RoomRead
from gui.settings import settings_file
from gui.strings import words
from gui.theme import space
from gui.widgets import Button, Card, ComboBox, InlineError, LineEdit, label
from gui.widgets.facts_table import Cell, FactsTable

if TYPE_CHECKING:
    from engine.store.raters import Rater

WIDEST = 820
LANGUAGES = ("", "en", "zh")
_TONGUES = {"en": "English", "zh": "中文"}


class PeoplePage(QWidget):
    """Shows ``People`` and ``Profiles``.

    Signals:
        left: back to the studies.
    """

    left = Signal()

    def __init__(self, people: People, profiles: Profiles, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._people, self._profiles = people, profiles
        self._room, self._raters = RoomRead(), tuple["Rater", ...]()
        self.raters, self.pin_card = Card(ruled=True, flush=True), Card()
        self.table = FactsTable(most=12)
        self.name, self.pin = LineEdit(), LineEdit(mono=True)
        self.language = ComboBox()
        self.add_button, self.keep_button = Button(icon="plus"), Button(icon="key")
        self.enter_button, self.back_button = Button(icon="user"), Button(role="quiet", icon="arrow-left")
        self.error = InlineError()
        self._how, self._pin_how = label("", "table", "secondary", wrap=True), label("", "body", wrap=True)
        self._forgotten = label("", "small", "secondary", wrap=True)
        self._lay_out()
        self._wire()
        self.retranslate()

    def show_room(self, room: RoomRead) -> None:
        """Show the raters of the workspace, the owner left out."""
        self._room = room
        self._raters = tuple(rater for rater in room.raters if not rater.is_owner)
        planned, done, sessions = Counter[int](), Counter[int](), Counter[int]()
        for session in room.sessions:
            planned[session.rater_id] += session.planned
            done[session.rater_id] += session.rated + session.skipped
            sessions[session.rater_id] += 1
        columns = [wording.say(f"people.{name}") for name in ("name", "language", "sessions", "done")]
        rows = [
            (
                Cell(rater.name, is_strong=True),
                Cell(_TONGUES.get(rater.language, wording.DASH), True, "text.secondary"),
                Cell(wording.count(sessions[rater.id]) if sessions[rater.id] else wording.DASH, True),
                Cell(wording.of(done[rater.id], planned[rater.id]) if planned[rater.id] else wording.DASH, True),
            )
            for rater in self._raters
        ]
        row = self.table.currentIndex().row()
        self.table.set_rows(columns, rows)
        if rows:
            self.table.setCurrentIndex(self.table.facts.index(min(max(row, 0), len(rows) - 1), 0))
        self.table.setVisible(bool(rows))
        self._show_state()

    def retranslate(self) -> None:
        """Say it in the language of now."""
        say = wording.say
        self.raters.set_title(say("people.title"))
        self.pin_card.set_title(say("people.pin_title"))
        self.name.setPlaceholderText(say("people.new_name"))
        self.name.setAccessibleName(say("people.new_name"))
        fill_box(self.language, [say("people.own_language"), "English", "中文"])
        self.language.set_name(say("people.reads"))
        self.add_button.setText(say("people.add"))
        self.enter_button.setText(say("people.enter"))
        self.back_button.setText(say("people.back"))
        self.keep_button.setText(say("people.keep_pin"))
        self.pin.setPlaceholderText(say("people.pin"))
        self.pin.setAccessibleName(say("people.pin"))
        self.table.setAccessibleName(say("people.title"))
        self._how.setText(say("people.how"))
        self._forgotten.setText(say("people.forgotten", path=str(settings_file())))
        self.show_room(self._room)
        self.show_trouble()

    def focus_first(self) -> None:
        """Where the keyboard begins."""
        self.name.setFocus()

    def _lay_out(self) -> None:
        self.pin.setEchoMode(QLineEdit.EchoMode.Password)
        self.pin.setFixedWidth(140)
        add, foot, pin = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for row in (add, foot, pin):
            row.setSpacing(space(2))
        add.setContentsMargins(11, space(2), 11, 0)
        add.addWidget(self.name, 1)
        add.addWidget(self.language)
        add.addWidget(self.add_button)
        foot.setContentsMargins(11, space(1), 11, 11)
        foot.addWidget(self._how, 1)
        foot.addWidget(self.enter_button, 0, Qt.AlignmentFlag.AlignTop)
        self.raters.body.addWidget(self.table)
        self.raters.body.addLayout(add)
        self.raters.body.addLayout(foot)
        pin.addWidget(self.pin)
        pin.addWidget(self.keep_button)
        pin.addStretch(1)
        self.pin_card.body.addWidget(self._pin_how)
        self.pin_card.body.addLayout(pin)
        self.pin_card.body.addWidget(self._forgotten)
        inside = QWidget()
        inside.setMaximumWidth(WIDEST)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(3))
        column.addWidget(self.back_button, 0, Qt.AlignmentFlag.AlignLeft)
        for part in (self.error, self.raters, self.pin_card):
            column.addWidget(part)
        column.addStretch(1)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(space(3), space(3), space(3), space(3))
        whole.addWidget(inside, 1000)
        whole.addStretch(1)

    def _wire(self) -> None:
        self.name.returnPressed.connect(self._add)
        self.add_button.clicked.connect(self._add)
        self.name.textChanged.connect(self._show_state)
        self.pin.textChanged.connect(self._show_state)
        self.pin.returnPressed.connect(self._keep)
        self.keep_button.clicked.connect(self._keep)
        self.enter_button.clicked.connect(self._enter)
        self.back_button.clicked.connect(self.left)
        self.table.selectionModel().currentRowChanged.connect(self._show_state)
        self.table.opened.connect(self._enter)
        self._people.trouble_changed.connect(self.show_trouble)
        self._people.added.connect(self._on_added)
        self._profiles.changed.connect(self._show_state)

    def show_trouble(self) -> None:
        """What stood in the way of adding somebody."""
        error = self._people.error
        self.error.say(words.error(error) if error is not None else "", code=error.code if error is not None else "")

    def _show_state(self) -> None:
        has_pin = self._profiles.has_pin
        self.add_button.setEnabled(bool(self.name.text().strip()))
        self.keep_button.setEnabled(len(self.pin.text()) >= SHORTEST_PIN)
        self.enter_button.setEnabled(has_pin and self._chosen is not None)
        tip = "people.enter_tip" if has_pin else "people.pin_first"
        self.enter_button.set_tip(wording.say(tip))
        self._pin_how.setText(wording.say("people.pin_is_set" if has_pin else "people.pin_first", least=SHORTEST_PIN))

    @property
    def _chosen(self) -> Rater | None:
        row = self.table.currentIndex().row()
        return self._raters[row] if 0 <= row < len(self._raters) else None

    def _add(self) -> None:
        self._people.add(self.name.text(), LANGUAGES[self.language.currentIndex()])

    def _on_added(self) -> None:
        self.name.clear()

    def _keep(self) -> None:
        if len(self.pin.text()) >= SHORTEST_PIN:
            self._profiles.choose_pin(self.pin.text())
            self.pin.clear()

    def _enter(self) -> None:
        rater = self._chosen
        if rater is not None and self._profiles.has_pin:
            self._people.hand_over(rater)
