"""All declared systems: what each can do, whether anybody ran it, what it lacks here; and a first word with one."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from gui.run import wording
from gui.run.systems_model import SystemRow, SystemsModel
from gui.strings import words
from gui.theme import font, space
from gui.widgets import Button, Card, InlineError, label
from gui.widgets.facts_table import Cell, FactsTable

_LEAST, _SIDE_BY_SIDE, _SIDE = 320, 860, 430
_TRIAL = 150


class SystemsPage(QWidget):
    """The list at the left, the one that is looked at beside it.

    Signals:
        ask_asked: the id of the system that a run is to ask.
        left: back to the runs.
    """

    ask_asked, left = Signal(str), Signal()

    def __init__(self, model: SystemsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.selected = ""
        self.table = FactsTable(most=8)
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)  # it scrolls, not the page
        self.table.may_hide(1, 520)
        self.lacks, self.error = InlineError(tone="warning"), InlineError()
        self.test_button, self.ask_button = Button(icon="flask"), Button(icon="play", role="primary")
        self.back_button = Button()
        self.trial = QPlainTextEdit()
        self._list, self._one, self._said = Card(ruled=True, flush=True), Card(), Card()
        self._note = label(type="table", tone="secondary", wrap=True)
        self._facts = QGridLayout()
        self._cells: list[QWidget] = []
        self._lay_out()
        self._wire()
        self.retranslate()

    def retranslate(self) -> None:
        """Say it in the language of now."""
        say = wording.say
        self._list.set_title(say("systems.title"))
        self.table.setAccessibleName(say("systems.title"))
        self._said.set_title(say("systems.trial"))
        self.trial.setAccessibleName(say("systems.trial"))
        self.ask_button.setText(say("systems.ask"))
        self.ask_button.set_tip(say("bar.ask_tip"))
        self.back_button.setText(say("new.cancel"))
        self.fill()
        self.show_trial()

    def fill(self) -> None:
        """Show the systems there are."""
        rows = self._model.rows
        names = [wording.say(f"systems.{name}") for name in ("system", "kind", "verified_by_us", "here")]
        self.table.set_rows(names, [_cells(row) for row in rows])
        addresses = sum(row.is_untried_address for row in rows)
        ready = sum(not row.lacks for row in rows) - addresses
        note = wording.say("systems.note", ready=ready, count=len(rows), addresses=addresses)
        self._list.set_note(note if rows else "")
        error = self._model.error
        self.error.say(words.error(error) if error else "", code=error.code if error else "")
        if rows and not any(row.system.id == self.selected for row in rows):
            self.selected = rows[0].system.id
        self._show_one()

    def show_trial(self) -> None:
        """Show what the trial printed."""
        model = self._model
        is_this = model.tried == self.selected
        going = model.is_trying
        self.test_button.setText(wording.say("systems.stop_trial" if going else "systems.test"))
        self.test_button.set_icon("stop" if going else "flask")
        self.test_button.set_tip(wording.say("systems.test_tip"))
        self._said.setVisible(is_this and bool(model.tried))
        if is_this and self.trial.toPlainText() != model.words:
            self.trial.setPlainText(model.words)
            self.trial.verticalScrollBar().setValue(self.trial.verticalScrollBar().maximum())
        key = "going" if going else "went_well" if model.went_well else "went_wrong"
        self._said.set_note(wording.say(f"systems.{key}") if is_this and (going or model.went_well is not None) else "")

    def focus_first(self) -> None:
        """Begin at the list."""
        self.table.setFocus()

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST, super().minimumSizeHint().height())  # narrower than its parts stand now: they rearrange

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= _SIDE_BY_SIDE
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(way)
        self._side.setFixedWidth(_SIDE) if beside else self._free_width()

    def _free_width(self) -> None:
        self._side.setMinimumWidth(0)
        self._side.setMaximumWidth(16_777_215)

    def _lay_out(self) -> None:
        self._list.body.addWidget(self.table)
        self._facts.setHorizontalSpacing(space(3))
        self._facts.setVerticalSpacing(space(1))
        self._facts.setColumnStretch(1, 1)
        self._one.body.addLayout(self._facts)
        self._one.body.addWidget(self._note)
        self._one.body.addWidget(self.lacks)
        buttons = QHBoxLayout()
        buttons.addWidget(self.test_button)
        buttons.addStretch(1)
        buttons.addWidget(self.back_button)
        buttons.addWidget(self.ask_button)
        self._one.body.addLayout(buttons)
        self.trial.setReadOnly(True)
        self.trial.setFont(font("figure", "mono"))
        self.trial.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.trial.setMinimumHeight(_TRIAL)
        self.trial.setTabChangesFocus(True)
        self._said.body.addWidget(self.trial)
        self._side = QWidget()
        side = QVBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(space(3))
        for part in (self._one, self._said):
            side.addWidget(part)
        side.addStretch(1)
        left = QVBoxLayout()
        left.setSpacing(space(3))
        left.addWidget(self.error)
        left.addWidget(self._list, 1)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._columns.setContentsMargins(space(3), space(3), space(3), space(3))
        self._columns.setSpacing(space(3))
        self._columns.addLayout(left, 1)
        self._columns.addWidget(self._side)

    def _wire(self) -> None:
        self._model.rows_changed.connect(self.fill)
        self._model.trial_changed.connect(self.show_trial)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.table.opened.connect(self._on_opened)
        self.test_button.clicked.connect(self._on_test)
        self.ask_button.clicked.connect(self._on_ask)
        self.back_button.clicked.connect(self.left)

    def _show_one(self) -> None:
        row = next((row for row in self._model.rows if row.system.id == self.selected), None)
        self._one.setVisible(row is not None)
        if row is None:
            return
        system = row.system
        self._one.set_title(system.title.get(words.language) or system.id)
        self._fill_facts(wording.system_rows(system))
        self._note.setText(system.note.get(words.language, ""))
        self._note.setVisible(bool(self._note.text()))
        said = "\n".join(dict.fromkeys(words.error(error) for error in row.lacks))
        self.lacks.say(said)
        is_recorded = system.kind == "recorded"
        self.test_button.setEnabled(not is_recorded)
        self.ask_button.setEnabled(not is_recorded)

    def _fill_facts(self, rows: list[tuple[str, str]]) -> None:
        for cell in self._cells:
            self._facts.removeWidget(cell)
            cell.setParent(None)
            cell.deleteLater()
        self._cells = []
        for place, (name, value) in enumerate(rows):
            caption, words_ = label(name, "table", "secondary"), label(value, "table", wrap=True)
            self._facts.addWidget(caption, place, 0, Qt.AlignmentFlag.AlignTop)
            self._facts.addWidget(words_, place, 1)
            self._cells += [caption, words_]

    def _on_row(self, current: object) -> None:
        place = self.table.currentIndex().row()
        if 0 <= place < len(self._model.rows):
            self.selected = self._model.rows[place].system.id
            self._show_one()
            self.show_trial()

    def _on_opened(self, place: int) -> None:
        self.ask_asked.emit(self._model.rows[place].system.id)

    def _on_test(self) -> None:
        if self._model.is_trying:
            self._model.stop_trial()
        else:
            self._model.try_system(self.selected)

    def _on_ask(self) -> None:
        self.ask_asked.emit(self.selected)


def _cells(row: SystemRow) -> tuple[Cell, ...]:
    here, tone = wording.say("systems.ready"), "state.scored"
    if row.lacks:
        here, tone = wording.say("systems.lacks", count=len(row.lacks)), "verdict.warning"
    elif row.is_untried_address:
        here, tone = wording.say("systems.address"), "text.secondary"
    was_run = row.system.verified is not None
    return (
        Cell(row.system.title.get(words.language) or row.system.id),
        Cell(wording.kind(row.system), tone="text.secondary"),
        Cell(wording.verified(row.system), tone="text.primary" if was_run else "text.tertiary"),
        Cell(here, tone=tone),
    )
