"""A run that asks a system, being put together: which system, which instances, by how many workers, where."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from engine.benchmarks.titles import benchmark_title
from gui.run import wording
from gui.run.ask_plan import AskPlanCard
from gui.run.ask_run import PLACES, AskRun
from gui.run.columns import TwoColumns, at_the_end, fill
from gui.theme import space
from gui.widgets import Button, Card, ComboBox, InlineError, LineEdit, label
from gui.widgets.check_list import CheckList
from gui.widgets.number_field import NumberField


class AskPanel(TwoColumns):
    """Shows the choices of ``AskRun`` and hands each to it.

    Signals:
        start_asked: begin what is chosen.
        left: back to the runs.
    """

    start_asked, left = Signal(), Signal()

    def __init__(self, ask: AskRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ask, self._is_filling = ask, False
        self.system, self.benchmark, self.place = ComboBox(widest=420), ComboBox(widest=360), ComboBox()
        self.subsets = CheckList(rows=12)
        self.weights, self.settings, self.command = LineEdit(mono=True), LineEdit(mono=True), LineEdit(mono=True)
        self.limit, self.repeats = NumberField(1, 1_000_000, 10, may_be_empty=True), NumberField(1, 99)
        self.workers = NumberField(1, 512)
        self.plan, self.error = AskPlanCard(), InlineError()
        self.start_button = Button(icon="play", role="primary")
        self.back_button = Button()
        self._facts = label(type="small", tone="secondary", wrap=True)
        self._which, self._what, self._how = Card(), Card(), Card()
        self._labels: dict[str, QLabel] = {}
        self._lay_out()
        self._wire()
        self.retranslate()

    def retranslate(self) -> None:
        """Say it in the language of now."""
        say = wording.say
        self._which.set_title(say("ask.which"))
        self._what.set_title(say("ask.what"))
        self._how.set_title(say("ask.how"))
        for name, shown in self._labels.items():
            shown.setText(say(f"ask.{name}"))
        for box, name in ((self.system, "system"), (self.benchmark, "benchmark"), (self.place, "place")):
            box.set_name(say(f"ask.{name}"))
        for field, name in ((self.weights, "weights"), (self.settings, "settings"), (self.command, "command")):
            field.setAccessibleName(say(f"ask.{name}"))
            field.setToolTip(say(f"ask.{name}_tip"))
        self.settings.setPlaceholderText(say("ask.settings_example"))
        self.command.setPlaceholderText("ssh gpu1 auricle worker")
        self.limit.setPlaceholderText(say("ask.limit_none"))
        for number, name in ((self.limit, "limit"), (self.repeats, "repeats"), (self.workers, "workers")):
            number.set_name(say(f"ask.{name}"))
            number.setToolTip(say(f"ask.{name}_tip"))
        self.subsets.setAccessibleName(say("new.subsets"))
        self._all_on.setText(say("new.all"))
        self._all_off.setText(say("new.none"))
        self.start_button.setText(say("new.start"))
        self.back_button.setText(say("new.cancel"))
        self.fill()

    def fill(self) -> None:
        """Show what there is to choose and what is chosen."""
        ask = self._ask
        self._is_filling = True
        fill(self.system, [wording.system_title(system) for system in ask.all_systems], self._system_place())
        benchmarks = ask.all_benchmarks
        place = 0 if ask.benchmark is None else 1 + benchmarks.index(ask.benchmark)
        fill(self.benchmark, [wording.say("new.all_benchmarks"), *map(benchmark_title, benchmarks)], place)
        fill(self.place, [wording.say(f"ask.place_{name}") for name in PLACES], PLACES.index(ask.place))
        subsets = [(name, wording.subset_title(name), wording.count(size)) for name, size in ask.all_subsets.items()]
        self.subsets.entries.set_entries(subsets, ask.subsets)
        self.subsets.fit()
        self.limit.set_number(ask.limit)
        self.repeats.set_number(ask.repeats)
        self.workers.set_number(ask.workers)
        self.command.setEnabled(ask.place == "command")
        self._labels["command"].setEnabled(ask.place == "command")
        chosen = ask.chosen
        self.weights.setEnabled(chosen is not None and chosen.kind == "omni")
        self.weights.setPlaceholderText(chosen.weights if chosen is not None else "")
        self.settings.set_error(wording.say("ask.bad_settings") if ask.own_settings is None else "")
        self._facts.setText(wording.system_facts(chosen) if chosen is not None else "")
        self._is_filling = False

    def show_plan(self, is_starting: bool, is_next: bool) -> None:
        """Show what the choices would take, and whether they can begin now or wait."""
        self.plan.show_plan(self._ask)
        plan = self._ask.counted.plan
        self.start_button.setText(wording.start_words(is_starting, is_next))
        self.start_button.setEnabled(not is_starting and plan is not None and bool(plan.items))

    def focus_first(self) -> None:
        """Begin at the system."""
        self.system.setFocus()

    def _lay_out(self) -> None:
        self._all_on, self._all_off = (Button(role="quiet", size="button_small") for _ in range(2))
        self._which.body.addLayout(
            self._rows(("system", self.system), ("weights", self.weights), ("settings", self.settings))
        )
        self._which.body.addWidget(self._facts)
        self._what.body.addLayout(self._rows(("benchmark", self.benchmark)))
        head = QHBoxLayout()
        self._labels["subsets"] = label(weight=600)
        head.addWidget(self._labels["subsets"])
        head.addStretch(1)
        for button in (self._all_on, self._all_off):
            head.addWidget(button)
        self._what.body.addLayout(head)
        self._what.body.addWidget(self.subsets, 1)
        self._what.body.addLayout(self._numbers(("limit", self.limit), ("repeats", self.repeats)))
        self._what.body.addStretch(0)
        self._how.body.addLayout(self._rows(("place", self.place), ("command", self.command)))
        self._how.body.addLayout(self._numbers(("workers", self.workers)))
        left, right = self._put_side_by_side()
        left.addWidget(self._which)
        left.addWidget(self._what, 1)
        right.addWidget(self._how)
        right.addWidget(self.plan, 1)
        right.addWidget(self.error)
        right.addLayout(at_the_end(self.back_button, self.start_button))

    def _rows(self, *named: tuple[str, QWidget]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(space(3))
        grid.setVerticalSpacing(space(2))
        grid.setColumnStretch(1, 1)
        for place, (name, field) in enumerate(named):
            self._labels[name] = label()
            grid.addWidget(self._labels[name], place, 0)
            grid.addWidget(field, place, 1, Qt.AlignmentFlag.AlignVCenter)
        return grid

    def _numbers(self, *named: tuple[str, QWidget]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(space(2))
        for name, field in named:
            self._labels[name] = label()
            row.addWidget(self._labels[name])
            row.addWidget(field)
            row.addSpacing(space(3))
        row.addStretch(1)
        return row

    def _wire(self) -> None:
        ask = self._ask
        ask.choices_changed.connect(self.fill)
        self.system.currentIndexChanged.connect(self._on_system)
        self.benchmark.currentIndexChanged.connect(self._on_benchmark)
        self.place.currentIndexChanged.connect(self._on_place)
        self.subsets.entries.ticked.connect(self._on_subsets)
        self.weights.textEdited.connect(self._on_weights)
        self.settings.textEdited.connect(self._on_settings)
        self.command.textEdited.connect(self._on_command)
        self.limit.changed.connect(self._on_limit)
        self.repeats.changed.connect(self._on_repeats)
        self.workers.changed.connect(self._on_workers)
        self._all_on.clicked.connect(self._tick_all)
        self._all_off.clicked.connect(self._tick_none)
        self.start_button.clicked.connect(self.start_asked)
        self.back_button.clicked.connect(self.left)

    def _system_place(self) -> int:
        ids = [system.id for system in self._ask.all_systems]
        return ids.index(self._ask.system) if self._ask.system in ids else 0

    def _on_system(self, place: int) -> None:
        if not self._is_filling and place >= 0:
            self._ask.choose(system=self._ask.all_systems[place].id)

    def _on_benchmark(self, place: int) -> None:
        if not self._is_filling and place >= 0:
            self._ask.choose(benchmark=None if place == 0 else self._ask.all_benchmarks[place - 1])

    def _on_place(self, place: int) -> None:
        if not self._is_filling and place >= 0:
            self._ask.choose(place=PLACES[place])

    def _on_subsets(self, chosen: frozenset[str]) -> None:
        self._ask.choose(subsets=chosen)

    def _on_weights(self, text: str) -> None:
        self._ask.choose(weights=text)

    def _on_settings(self, text: str) -> None:
        self._ask.choose(settings=text)

    def _on_command(self, text: str) -> None:
        self._ask.choose(command=text)

    def _on_limit(self, number: int | None) -> None:
        self._ask.choose(limit=number)

    def _on_repeats(self, number: int) -> None:
        self._ask.choose(repeats=number)

    def _on_workers(self, number: int) -> None:
        self._ask.choose(workers=number)

    def _tick_all(self) -> None:
        self.subsets.entries.tick_all(True)

    def _tick_none(self) -> None:
        self.subsets.entries.tick_all(False)
