"""What the check of an import found, and what the import wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.benchmarks.titles import subset_title
from engine.strings import listed
from gui.library.contents import benchmark_name, quoted
from gui.library.import_model import ImportModel
from gui.library.wording import counted, trouble_in_words
from gui.strings import words
from gui.theme import font, radius, space, theme
from gui.widgets import Button, Card, Hairline, InlineError, label, paint_box, paint_text, tag_width
from gui.widgets.facts_table import Cell, FactsTable

if TYPE_CHECKING:
    from engine.runs.checked_import import Checked, Example, Group, Written

SHOWN = 3  # examples of a group
MOST_GROUPS = 30
COLUMNS = {
    "vocalbench_zh": ("subset", "instances", "with_audio"),
    "dynamic_superb": ("subset", "instances", "with_audio"),
    "answers": ("subset", "asked", "found", "good"),
    "results": ("name", "rows", "placed"),
}
_TONES = {
    "left_out": ("verdict.fail", "verdict.fail_tint"),
    "fault": ("verdict.warning", "verdict.warning_tint"),
    "note": ("text.secondary", "surface.sunken"),
}
TODO_ROOM = "benchmarks"


class ReportPart(QWidget):
    """Counts by subset, findings by kind, and the choice to import or go back."""

    def __init__(self, model: ImportModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._what = label(type="body_large", weight=500, wrap=True)
        self.verdict, self.error = InlineError(tone="good"), InlineError()
        self.parts = FactsTable(most=8)
        self._parts_card = Card(flush=True)
        self._parts_card.body.addWidget(self.parts)
        self._groups = Card(ruled=True, flush=True)
        self._groups.body.setSpacing(0)
        self._groups.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.write, self._back = Button(role="primary", key="Return"), Button(role="quiet", key="Esc")
        self.write.clicked.connect(model.write)
        self._back.clicked.connect(model.back)
        buttons = QHBoxLayout()
        buttons.setSpacing(space(2))
        buttons.addWidget(self.write)
        buttons.addWidget(self._back)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(3))
        for part in (self.error, self._what, self.verdict):
            column.addWidget(part)
        column.addLayout(buttons)
        column.addWidget(self._parts_card)
        column.addWidget(self._groups)
        column.addStretch(1)
        model.page_changed.connect(self._show)
        model.trouble_changed.connect(self._show_trouble)
        words.changed.connect(self._show)
        self._show()

    def rows(self) -> list[GroupRow]:
        """The groups shown."""
        return [row for row in self._groups.findChildren(GroupRow) if not row.isHidden()]

    def _show(self) -> None:
        checked, say = self._model.checked, words.text
        self._back.setText(say("library.import.back"))
        self._back.set_tip(say("library.import.back_tip"))
        if checked is None or self._model.page != "report":
            return
        self._what.setText(what_was_read(checked))
        tone, key = "good", "report_good"
        if not checked.count:
            tone, key = "error", "report_nothing"
        elif checked.faults:
            tone, key = "warning", "report_faults"
        elif checked.groups:
            tone, key = "note", "report_notes"
        self.verdict.say(say(f"library.import.{key}", faults=checked.faults), tone=tone)
        word = "write_anyway" if checked.faults else "write"
        self.write.setText(say(f"library.import.{word}", count=checked.count))
        self.write.set_tip(say("library.import.write_tip"))
        self.write.setEnabled(bool(checked.count))
        self._show_parts(checked)
        self._show_groups(checked)

    def _show_parts(self, checked: Checked) -> None:
        columns = COLUMNS[checked.asked.kind]
        names = [words.text(f"library.import.{name}") for name in columns]
        rows = []
        for part in checked.parts:
            figures = (part.asked, part.found, part.good) if len(columns) == 4 else (part.found, part.good)
            is_subset = checked.asked.kind != "results"
            name = subset_title(part.name, words.language) if is_subset else part.name
            rows.append((Cell(name), *(Cell(f"{figure:,}", True) for figure in figures)))
        self.parts.set_rows(names, rows)
        self.parts.setAccessibleName(names[0])
        self._parts_card.setVisible(bool(rows))

    def _show_groups(self, checked: Checked) -> None:
        while (item := self._groups.body.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._groups.set_title(words.text("library.import.groups"))
        self._groups.setVisible(bool(checked.groups))
        for number, group in enumerate(checked.groups[:MOST_GROUPS]):
            if number:
                self._groups.body.addWidget(Hairline())
            self._groups.body.addWidget(GroupRow(group, checked.asked.kind))

    def _show_trouble(self) -> None:
        trouble = self._model.trouble
        self.error.say(trouble_in_words(trouble) if trouble else "", code=trouble.code if trouble else "")


class GroupRow(QWidget):
    """Findings of one kind: how grave, how many, what and what to do, and the first of them."""

    def __init__(self, group: Group, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        language = words.language
        sentence = group.examples[0].sentence(language)
        alike = len({example.sentence(language) for example in group.examples}) == 1
        severity = SeverityTag(group.severity)
        count = label(words.text("library.import.count", count=group.count), "figure", weight=600)
        count.setMinimumWidth(44)
        count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(label(sentence, "body", weight=500, wrap=True))
        todo = what_to_do(group, kind)
        if todo:
            texts.addWidget(label(todo, "table", "secondary", wrap=True))
        of_subsets = bool(group.subsets) and not any(getattr(example.about, "key", "") for example in group.examples)
        for line in example_lines(group, alike, language):
            face = "ui" if of_subsets else "mono"
            texts.addWidget(label(line, "small", "tertiary", family=face, wrap=of_subsets, elide=not of_subsets))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 9, 12, 9)
        row.setSpacing(space(3))
        row.addWidget(severity, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(count, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        self.setAccessibleName(f"{severity.accessibleName()}: {group.count}: {sentence}")


class SeverityTag(QWidget):
    """Left out, fault or note, in a tag of one width."""

    def __init__(self, severity: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._severity = words.text(f"library.import.group_{severity}"), severity
        everyone = (words.text(f"library.import.group_{name}") for name in ("left_out", "fault", "note"))
        self.setFixedSize(max(map(tag_width, everyone)), 18)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self._text)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Rust, amber or grey; the word says it too."""
        painter, colours = QPainter(self), theme()
        ink, tint = _TONES[self._severity]
        paint_box(painter, self.rect(), radius("key"), colours.color(tint))
        middle = Qt.AlignmentFlag.AlignHCenter
        paint_text(painter, self.rect(), self._text, font("small", weight=500), colours.color(ink), middle)


class DonePart(QWidget):
    """What was written, and where to go from here.

    Signals:
        left: to the Library.
        answers_asked: the filter of the answers that came in.
    """

    left, answers_asked = Signal(), Signal(str)

    def __init__(self, model: ImportModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.told = InlineError(tone="good")
        self._lines = label(type="body", tone="secondary", wrap=True)
        self.open, self.another, self.library = Button(icon="waves"), Button(icon="download-simple"), Button()
        self.open.clicked.connect(self._ask_for_answers)
        self.another.clicked.connect(self._begin_again)
        self.library.clicked.connect(self.left)
        self.library.set_keys("Return")
        self.library.set_role("primary")
        row = QHBoxLayout()
        row.setSpacing(space(2))
        for button in (self.library, self.open, self.another):
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(3))
        column.addWidget(self.told)
        column.addWidget(self._lines)
        column.addLayout(row)
        model.page_changed.connect(self._show)
        words.changed.connect(self._show)
        self._show()

    @property
    def primary(self) -> Button:
        """The button that Enter presses."""
        return self.library

    def _show(self) -> None:
        say, model = words.text, self._model
        for button, key in ((self.open, "open_these"), (self.another, "another")):
            button.setText(say(f"library.import.{key}"))
            button.set_tip(say(f"library.import.{key}_tip"))
        self.library.setText(say("library.import.to_library"))
        if model.page != "done":
            return
        self.told.say(how_it_ended(model), tone="warning" if model.was_stopped else "good")
        self._lines.setText("\n".join(lines_of(model.result)) if model.result is not None else "")
        self._lines.setVisible(model.result is not None)
        self.open.setVisible(bool(self._filter()))

    def _filter(self) -> str:
        checked = self._model.checked
        if checked is None or checked.asked.kind not in ("answers", "results") or not checked.system:
            return ""
        return f"system:{quoted(checked.system)} benchmark:{quoted(checked.benchmark)}"

    def _ask_for_answers(self) -> None:
        self.answers_asked.emit(self._filter())

    def _begin_again(self) -> None:
        self._model.begin()


def what_was_read(checked: Checked) -> str:
    """One sentence on how much was read."""
    say, kind = words.text, checked.asked.kind
    found, asked = sum(part.found for part in checked.parts), sum(part.asked for part in checked.parts)
    if kind == "answers":
        return say(
            "library.import.what_answers",
            system=checked.system,
            count=checked.count,
            asked=asked,
            benchmark=benchmark_name(checked.benchmark),
        )
    if kind == "results":
        return say("library.import.what_results", good=checked.count, found=found)
    return say(
        "library.import.what_benchmark",
        benchmark=benchmark_name(checked.benchmark),
        instances=counted("instances", checked.count),
        subsets=counted("subsets", len(checked.parts)),
    )


def what_to_do(group: Group, kind: str) -> str:
    """What to do about findings in an import of a kind; faults of audio and problems of files say it themselves."""
    from engine.benchmarks.values import Finding

    room, _, name = group.code.partition(".")
    if room != TODO_ROOM or not isinstance(group.examples[0].about, Finding):
        return ""
    of_question = name == "no_audio" and kind not in ("answers", "results")
    return words.text(f"library.todo.{'no_question_audio' if of_question else name}")


def example_lines(group: Group, alike: bool, language: str) -> list[str]:
    """The first places: only their names where the sentence is the same for all; then how many more there are."""
    places = [(place_of(example, language), example) for example in group.examples]
    named = [(place, example) for place, example in places if place]
    if alike:  # the sentence stands above them already
        shown = len(places)
        lines = [listed([place for place, _ in named], language)] if named else []
    else:
        shown = min(SHOWN, len(places))
        lines = [
            f"{place}: {example.sentence(language)}" if place else example.sentence(language)
            for place, example in places[:SHOWN]
        ]
    if group.count > shown:
        lines.append(words.text("library.import.and_more", count=group.count - shown))
    return lines


def place_of(example: Example, language: str) -> str:
    """Where it is: a Qid, a place in a file, or the title of a whole subset."""
    subset = getattr(example.about, "subset", "")
    is_whole = bool(subset) and not getattr(example.about, "key", "")
    return subset_title(subset, language) if is_whole else example.place(language)


def how_it_ended(model: ImportModel) -> str:
    """Whole, stopped, or with nothing new."""
    ended = "done_stopped" if model.was_stopped else "done" if is_new(model.result) else "done_same"
    return words.text(f"library.import.{ended}")


def is_new(written: Written | None) -> bool:
    """Whether an import changed anything."""
    if written is None:
        return False
    return bool(written.added or written.changed or written.measurements or written.judgements)


def lines_of(written: Written) -> list[str]:
    """What an import wrote, a sentence a line."""
    say = words.text
    if written.kind == "results":
        lines = [say("library.import.wrote_results", measurements=written.measurements, judgements=written.judgements)]
    elif written.kind == "answers":
        lines = [say("library.import.wrote_answers", added=written.added, changed=written.changed, same=written.same)]
        if written.measurements or written.judgements:
            lines.append(
                say(
                    "library.import.wrote_answers_more",
                    measurements=written.measurements,
                    judgements=written.judgements,
                )
            )
    else:
        lines = [say("library.import.wrote_benchmark", added=written.added, changed=written.changed, same=written.same)]
    if written.unknown:
        lines.append(say("library.import.wrote_unknown", unknown=written.unknown))
    if written.without_audio:
        lines.append(say("library.import.wrote_without_audio", count=written.without_audio))
    return lines
