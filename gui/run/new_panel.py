"""A run being put together: whose answers, which steps, by whom; and what that would take."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from engine.benchmarks.titles import benchmark_title
from engine.speech.values import PACKAGED, RecogniserSpec
from gui.run import wording
from gui.run.columns import TwoColumns, at_the_end, fill
from gui.run.new_run import NewRun
from gui.run.plan_card import PlanCard
from gui.theme import space
from gui.widgets import Button, Card, CheckBox, Chip, ComboBox, InlineError, LineEdit, label
from gui.widgets.check_list import CheckList

_STEPS = ("recognise", "measure", "judge", "score")
_UNDER_WORDS = 28  # the words of a box to tick begin there
_BEAMS, _RUBRICS, _REPEATS = (1, 5, 10), (None, "zh", "en"), (1, 3, 5)


@dataclass(frozen=True, slots=True)
class Fields:
    """The lists to tick and to choose from."""

    systems: CheckList
    subsets: CheckList
    benchmark: ComboBox
    recogniser: ComboBox
    judge: ComboBox
    beam: ComboBox
    rubric: ComboBox
    repeats: ComboBox


def made_panel(new: NewRun) -> Generator[None, None, NewPanel]:
    """The panel, in steps short enough for the GUI thread."""
    lists = CheckList(rows=6), CheckList(rows=16)
    large = ComboBox(widest=360), ComboBox(), ComboBox()
    yield
    small = (ComboBox(size="button_small") for _ in range(3))
    fields = Fields(*lists, *large, *small)
    yield
    plan = PlanCard()
    yield
    return NewPanel(new, fields, plan)


class NewPanel(TwoColumns):
    """Shows the choices of ``NewRun`` and hands each to it.

    Signals:
        start_asked: begin what is chosen.
        left: back to the runs.
        settings_asked: a judge or recogniser is to be set up.
    """

    start_asked, left, settings_asked = Signal(), Signal(), Signal()

    def __init__(self, new: NewRun, fields: Fields, plan: PlanCard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._new, self._is_filling = new, False
        self.systems, self.subsets = fields.systems, fields.subsets
        self.benchmark, self.recogniser, self.judge = fields.benchmark, fields.recogniser, fields.judge
        self.beam, self.rubric, self.repeats = fields.beam, fields.rubric, fields.repeats
        self.steps = {name: CheckBox() for name in _STEPS}
        self._notes = {name: label(type="small", tone="secondary", wrap=True) for name in _STEPS}
        self.chosen = Chip(("", ""))
        self.budget = LineEdit(mono=True)
        self.plan = plan
        self.error = InlineError()
        self.start_button = Button(icon="play", role="primary")
        self.back_button, self._settings = Button(), Button(role="quiet", icon="gear-six", size="button_small")
        self._answers, self._how = Card(), Card()
        self._lay_out()
        self._wire()
        self.retranslate()

    def retranslate(self) -> None:
        """Say it in the language of now."""
        say = wording.say
        self._answers.set_title(say("new.systems"))
        self._how.set_title(say("new.steps"))
        self._benchmark_label.setText(say("new.benchmark"))
        self._subsets_label.setText(say("new.subsets"))
        self._budget_label.setText(say("new.budget"))
        self.systems.setAccessibleName(say("new.systems"))
        self.subsets.setAccessibleName(say("new.subsets"))
        self.benchmark.set_name(say("new.benchmark"))
        self.recogniser.set_name(say("new.recogniser"))
        self.judge.set_name(say("new.endpoint"))
        self.budget.setPlaceholderText(say("new.budget_placeholder"))
        self.budget.setAccessibleName(say("new.budget"))
        for name in _STEPS:
            self.steps[name].setText(say(f"new.{name}"))
            self.steps[name].setToolTip(say(f"new.{name}_note"))
            self._notes[name].setText(say(f"new.{name}_note"))
        self._other_label.setText(say("new.other_settings"))
        self.beam.set_name(say("new.beam"))
        self.rubric.set_name(say("new.rubric"))
        self.repeats.set_name(say("new.repeats"))
        self._all_on.setText(say("new.all"))
        self._all_off.setText(say("new.none"))
        self._settings.setText(say("empty.to_settings"))
        self.start_button.setText(say("new.start"))
        self.back_button.setText(say("new.cancel"))
        self.fill()

    def fill(self) -> None:
        """Show what there is to choose and what is chosen."""
        new = self._new
        self._is_filling = True
        systems = [(name, name, wording.count(size)) for name, size in new.all_systems.items()]
        self.systems.entries.set_entries(systems, new.systems)
        chosen, every = len(new.systems), len(systems)
        self._answers.set_note(wording.say("new.systems_note", chosen=chosen, all=every) if systems else "")
        subsets = [(name, wording.subset_title(name), wording.count(size)) for name, size in new.all_subsets.items()]
        self.subsets.entries.set_entries(subsets, new.subsets)
        benchmarks = [wording.say("new.all_benchmarks"), *map(benchmark_title, new.all_benchmarks)]
        fill(self.benchmark, benchmarks, self._benchmark_place())
        fill(self.recogniser, [_recogniser_title(spec) for spec in new.recognisers], new.recogniser)
        judges = [choice.name or wording.say("new.words_only") for choice in new.judges]
        fill(self.judge, judges, new.judge_choice)
        for name, box in self.steps.items():
            box.setChecked(getattr(new, name))
        self._fill_chosen()
        self.recogniser.setEnabled(new.recognise)
        self.judge.setEnabled(new.judge)
        has_price = new.chosen_judge.price is not None and new.judge
        self.budget.setEnabled(has_price)
        self.budget.setToolTip("" if has_price else wording.say("new.budget_no_price"))
        self._currency.setText(new.chosen_judge.price.currency if has_price and new.chosen_judge.price else "")
        self._is_filling = False
        self.systems.fit()
        self.subsets.fit()

    def show_plan(self, is_starting: bool, is_next: bool) -> None:
        """Show what the choices would take, and whether they can begin now or wait."""
        self.plan.show_plan(self._new)
        self._say_chosen()
        self.start_button.setText(wording.start_words(is_starting, is_next))
        self.start_button.setEnabled(not is_starting and self._new.has_work)

    def focus_first(self) -> None:
        """Begin at the list of systems."""
        self.systems.setFocus()
        if not self.systems.currentIndex().isValid() and self.systems.entries.rowCount():
            self.systems.setCurrentIndex(self.systems.entries.index(0))

    def focus_start(self) -> None:
        """Begin at what decides how chosen answers are worked on again."""
        place = self.recogniser if self._new.recognise else self.judge
        place.setFocus()

    def _lay_out(self) -> None:
        self._benchmark_label, self._subsets_label = label(weight=600), label(weight=600)
        self._budget_label, self._currency = label(tone="secondary"), label(type="table", tone="secondary")
        self._all_on = Button(role="quiet", size="button_small")
        self._all_off = Button(role="quiet", size="button_small")
        self._answers.body.addWidget(self.chosen)
        self._answers.body.addWidget(self.systems)
        self._answers.body.addSpacing(space(1))
        self._answers.body.addLayout(_row(self._benchmark_label, self.benchmark))
        self._answers.body.addSpacing(space(1))
        self._answers.body.addLayout(_row(self._subsets_label, self._all_on, self._all_off))
        self._answers.body.addWidget(self.subsets, 1)
        self._answers.body.addStretch(0)
        self._answers.body.setContentsMargins(12, 0, 12, 12)
        self._how.body.addLayout(self._steps_grid())
        left, right = self._put_side_by_side()
        left.addWidget(self._answers, 1)
        right.addWidget(self._how)
        right.addWidget(self.plan, 1)
        right.addWidget(self.error)
        right.addLayout(at_the_end(self.back_button, self.start_button))

    def _steps_grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(space(3))
        grid.setVerticalSpacing(space(2))
        grid.setColumnStretch(0, 1)
        beside = {"recognise": self.recogniser, "judge": self.judge}
        for place, name in enumerate(_STEPS):
            step = QVBoxLayout()
            step.setSpacing(0)
            step.addWidget(self.steps[name])
            self._notes[name].setContentsMargins(_UNDER_WORDS, 0, 0, 0)
            step.addWidget(self._notes[name])
            grid.addLayout(step, place, 0)
            if name in beside:
                beside[name].setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
                grid.addWidget(beside[name], place, 1, Qt.AlignmentFlag.AlignRight)
        self.budget.setFixedWidth(110)
        budget = QHBoxLayout()
        budget.setSpacing(space(2))
        for part in (self._budget_label, self.budget, self._currency):
            budget.addWidget(part)
        budget.addStretch(1)
        budget.addWidget(self._settings)
        grid.addLayout(budget, len(_STEPS), 0, 1, 2)
        self._other = QWidget()
        other = QVBoxLayout(self._other)
        other.setContentsMargins(0, 0, 0, 0)
        other.setSpacing(space(1))
        self._other_label = label(tone="secondary")
        other.addWidget(self._other_label)
        boxes = QHBoxLayout()
        boxes.setSpacing(space(2))
        for box in (self.beam, self.rubric, self.repeats):
            boxes.addWidget(box)
        boxes.addStretch(1)
        other.addLayout(boxes)
        grid.addWidget(self._other, len(_STEPS) + 1, 0, 1, 2)
        return grid

    def _wire(self) -> None:
        new = self._new
        new.choices_changed.connect(self.fill)
        self.systems.entries.ticked.connect(self._on_systems)
        self.subsets.entries.ticked.connect(self._on_subsets)
        self.benchmark.currentIndexChanged.connect(self._on_benchmark)
        self.recogniser.currentIndexChanged.connect(self._on_recogniser)
        self.judge.currentIndexChanged.connect(self._on_judge)
        self.budget.textChanged.connect(self._on_budget)
        for box in self.steps.values():
            box.toggled.connect(self._on_step)
        self.beam.currentIndexChanged.connect(self._on_beam)
        self.rubric.currentIndexChanged.connect(self._on_rubric)
        self.repeats.currentIndexChanged.connect(self._on_repeats)
        self.chosen.removed.connect(new.leave_chosen)
        self._all_on.clicked.connect(self._tick_all)
        self._all_off.clicked.connect(self._tick_none)
        self._settings.clicked.connect(self.settings_asked)
        self.start_button.clicked.connect(self.start_asked)
        self.back_button.clicked.connect(self.left)

    def _on_systems(self, chosen: frozenset[str]) -> None:
        self._new.choose(systems=chosen)

    def _on_subsets(self, chosen: frozenset[str]) -> None:
        self._new.choose(subsets=chosen)

    def _tick_all(self) -> None:
        self.subsets.entries.tick_all(True)

    def _tick_none(self) -> None:
        self.subsets.entries.tick_all(False)

    def _on_benchmark(self, place: int) -> None:
        if not self._is_filling and place >= 0:
            self._new.choose(benchmark=None if place == 0 else self._new.all_benchmarks[place - 1])

    def _on_recogniser(self, place: int) -> None:
        if not self._is_filling and place >= 0:
            self._new.choose(recogniser=place)

    def _on_judge(self, place: int) -> None:
        if not self._is_filling and place >= 0:
            self._new.choose(judge_choice=place)

    def _on_beam(self, place: int) -> None:
        if not self._is_filling and place >= 0:
            self._new.choose(beam_size=_BEAMS[place])

    def _on_rubric(self, place: int) -> None:
        if not self._is_filling and place >= 0:
            self._new.choose(rubric=_RUBRICS[place])

    def _on_repeats(self, place: int) -> None:
        if not self._is_filling and place >= 0:
            self._new.choose(repeats=_REPEATS[place])

    def _fill_chosen(self) -> None:
        """What only matters where answers are worked on again: which they are, and the finer settings."""
        new, say = self._new, wording.say
        self.chosen.setVisible(new.chosen is not None)
        self._other.setVisible(new.chosen is not None)
        fill(self.beam, [say("new.beam_of", size=size) for size in _BEAMS], _BEAMS.index(new.beam_size))
        fill(self.rubric, [say(f"new.rubric_{name or 'own'}") for name in _RUBRICS], _RUBRICS.index(new.rubric))
        fill(self.repeats, [say("new.repeats_of", count=count) for count in _REPEATS], _REPEATS.index(new.repeats))
        self.beam.setEnabled(new.recognise)
        self.rubric.setEnabled(new.judge)
        self.repeats.setEnabled(new.judge)
        self._say_chosen()

    def _say_chosen(self) -> None:
        chosen, plan = self._new.chosen, self._new.plan
        if chosen is not None:
            size = len(chosen.ids) if chosen.ids is not None and not chosen.where else plan.chosen if plan else None
            self.chosen.set_parts((wording.say("new.chosen_in_audit"), wording.chosen_line(chosen, size)))

    def _on_step(self) -> None:
        if not self._is_filling:
            self._new.choose(**{name: box.isChecked() for name, box in self.steps.items()})

    def _on_budget(self, text: str) -> None:
        try:
            value = float(text.replace(",", ".")) if text.strip() else None
            self.budget.set_error("" if value is None or 0 <= value < float("inf") else wording.say("new.budget_bad"))
        except ValueError:
            self.budget.set_error(wording.say("new.budget_bad"))
            return
        if value is None or 0 <= value < float("inf"):
            self._new.choose(budget=value)

    def _benchmark_place(self) -> int:
        benchmark = self._new.benchmark
        return 0 if benchmark is None else 1 + self._new.all_benchmarks.index(benchmark)


def _recogniser_title(spec: RecogniserSpec) -> str:
    key = "packaged" if spec.weights == PACKAGED else "weights"
    return wording.say(f"new.{key}", backend=spec.backend, weights=spec.weights)


def _row(title: QLabel, *others: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(space(2))
    row.addWidget(title)
    row.addStretch(1)
    for other in others:
        row.addWidget(other)
    return row
