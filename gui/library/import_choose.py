"""The first step of an import: what it is, where it is, and how it is taken in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.choosing import Chooser
from gui.library.contents import benchmark_name
from gui.library.import_model import ImportModel
from gui.library.wording import trouble_in_words
from gui.strings import words
from gui.theme import space
from gui.widgets import Button, Card, ComboBox, InlineError, LineEdit, RadioButton, Segmented, Spinner, label

if TYPE_CHECKING:
    from engine.benchmarks.guess import Kind
    from engine.store.audio import Keep

KINDS: tuple[Kind, ...] = ("vocalbench_zh", "dynamic_superb", "answers", "results")
KEEPS: tuple[Keep, ...] = ("link", "copy", "reference")
ENCODINGS = ("", "utf-8", "gb18030", "big5", "utf-16")
BY_FOLDER = ("vocalbench_zh", "dynamic_superb", "answers")
BY_FILE = ("answers", "results")
WITH_AUDIO = ("vocalbench_zh", "dynamic_superb", "answers")
ANSWERED = ("answers", "results")


class ChoosePart(QWidget):
    """Signals: ``left``: nothing is to be imported after all."""

    left = Signal()

    def __init__(self, model: ImportModel, chooser: Chooser, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._chooser = model, chooser
        self.kinds = {kind: RadioButton() for kind in KINDS}
        self._says = {kind: label(type="table", tone="secondary", wrap=True) for kind in KINDS}
        self._group = QButtonGroup(self)
        self._kind_title, self._path_title = label(type="body", weight=600), label(type="body", weight=600)
        self._path = label(type="body", family="content", elide=True)
        self._spinner = Spinner()
        self.folder, self.file = Button(icon="folder-open"), Button(icon="file-text")
        self.systems = ComboBox(widest=420)
        self._systems_title = label(type="table", tone="secondary", wrap=True)
        self.system, self.benchmark = LineEdit(), ComboBox()
        self.keep = Segmented(tuple((keep, "") for keep in KEEPS))
        self._keep_says = label(type="table", tone="secondary", wrap=True)
        self.encoding = ComboBox()
        self.names = {
            name: label(type="body", tone="secondary") for name in ("system", "benchmark", "keep", "encoding")
        }
        self.error = InlineError()
        self._target = label(type="table", tone="secondary", wrap=True)
        self.check, self._leave = Button(role="primary", key="Return"), Button(role="quiet", key="Esc")
        self._lay_out()
        self._wire()
        words.changed.connect(self._retranslate)
        self._retranslate()

    def choose_folder(self) -> None:
        """Ask for a folder."""
        key = "answers" if self._model.kind == "answers" else "benchmark"
        self._chooser.folder(words.text(f"library.choose.{key}"), self._start(), self._model.look_into)

    def choose_file(self) -> None:
        """Ask for a file."""
        kinds = words.text("library.choose.tables")
        self._chooser.file(words.text("library.choose.file"), self._start(), kinds, self._model.look_into)

    def _start(self) -> Path:
        path = self._model.path
        return path.parent if path is not None else Path.home()

    def _lay_out(self) -> None:
        kinds = Card()
        kinds.body.setContentsMargins(15, 13, 15, 13)
        kinds.body.setSpacing(space(1))
        kinds.body.addWidget(self._kind_title)
        for number, kind in enumerate(KINDS):
            self._group.addButton(self.kinds[kind], number)
            says = QHBoxLayout()
            says.setContentsMargins(26, 0, 0, 4)
            says.addWidget(self._says[kind], 1)
            kinds.body.addWidget(self.kinds[kind])
            kinds.body.addLayout(says)
        where = Card()
        where.body.setContentsMargins(15, 13, 15, 13)
        where.body.addWidget(self._path_title)
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(self._path, 1)
        row.addWidget(self._spinner)
        row.addWidget(self.folder)
        row.addWidget(self.file)
        where.body.addLayout(row)
        where.body.addWidget(self._systems_title)
        where.body.addWidget(self.systems, 0, Qt.AlignmentFlag.AlignLeft)
        where.body.addLayout(self._options())
        buttons = QHBoxLayout()
        buttons.setSpacing(space(2))
        buttons.addWidget(self.check)
        buttons.addWidget(self._leave)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(3))
        for part in (self.error, kinds, where, self._target):
            column.addWidget(part)
        column.addLayout(buttons)

    def _options(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(0, space(1), 0, 0)
        grid.setHorizontalSpacing(space(3))
        grid.setVerticalSpacing(space(2))
        fields = {"system": self.system, "benchmark": self.benchmark, "keep": self.keep, "encoding": self.encoding}
        for row, (name, field) in enumerate(fields.items()):
            grid.addWidget(self.names[name], row, 0)
            side = QHBoxLayout()
            side.setSpacing(space(3))
            side.addWidget(field, 2 if name == "system" else 0)
            if name == "keep":
                side.addWidget(self._keep_says, 1)
            else:
                side.addStretch(1)
            grid.addLayout(side, row, 1)
        grid.setColumnStretch(1, 1)
        self.system.setMinimumWidth(200)
        self.system.setMaximumWidth(320)
        self.system.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return grid

    def _wire(self) -> None:
        model = self._model
        self._group.idClicked.connect(self._on_kind)
        self.folder.clicked.connect(self.choose_folder)
        self.file.clicked.connect(self.choose_file)
        self.systems.activated.connect(self._on_system)
        self.system.textEdited.connect(self._on_name)
        self.benchmark.activated.connect(self._on_benchmark)
        self.keep.chosen.connect(self._on_keep)
        self.encoding.activated.connect(self._on_encoding)
        self.check.clicked.connect(model.check)
        self._leave.clicked.connect(self.left)
        model.choice_changed.connect(self._show)
        model.trouble_changed.connect(self._show_trouble)

    def _on_kind(self, number: int) -> None:
        self._model.choose_kind(KINDS[number])

    def _on_system(self, row: int) -> None:
        if row >= 0 and row < len(self._model.systems):
            self._model.choose_system_folder(self._model.systems[row])

    def _on_name(self, name: str) -> None:
        self._model.system = name

    def _on_benchmark(self, row: int) -> None:
        self._model.benchmark = self._model.benchmarks[row - 1] if row > 0 else ""

    def _on_keep(self, keep: object) -> None:
        self._model.keep = cast("Keep", keep)
        self._show()

    def _on_encoding(self, row: int) -> None:
        self._model.encoding = ENCODINGS[row]

    def _show(self) -> None:
        model, say = self._model, words.text
        kind = model.kind
        self.kinds[kind].setChecked(True)
        self._path.setText(str(model.path) if model.path is not None else say("library.import.path_none"))
        self._spinner.setVisible(model.is_busy and model.page == "choose")
        self.folder.setVisible(kind in BY_FOLDER)
        self.file.setVisible(kind in BY_FILE)
        several = bool(model.systems)
        self._systems_title.setVisible(several)
        self.systems.setVisible(several)
        if several and self.systems.count() != len(model.systems):
            self.systems.clear()
            self.systems.addItems([path.name for path in model.systems])
            self.systems.setCurrentIndex(-1)
        self._systems_title.setText(say("library.import.systems_found", count=len(model.systems)))
        if self.system.text() != model.system:
            self.system.setText(model.system)
        self._show_benchmarks()
        for name, field in (("system", self.system), ("benchmark", self.benchmark)):
            self.names[name].setVisible(kind in ANSWERED)
            field.setVisible(kind in ANSWERED)
        self.names["keep"].setVisible(kind in WITH_AUDIO)
        self.keep.setVisible(kind in WITH_AUDIO)
        self._keep_says.setVisible(kind in WITH_AUDIO)
        self._keep_says.setText(say(f"library.import.{model.keep}_says"))
        self._target.setText(say("library.import.needs_workspace", path=str(model.target)))
        self._target.setVisible(model.makes_workspace and kind not in ANSWERED)
        self.check.setEnabled(model.may_check)

    def _show_benchmarks(self) -> None:
        names = [words.text("library.import.benchmark_auto"), *map(benchmark_name, self._model.benchmarks)]
        if [self.benchmark.itemText(row) for row in range(self.benchmark.count())] != names:
            self.benchmark.clear()
            self.benchmark.addItems(names)
        chosen = self._model.benchmark
        self.benchmark.setCurrentIndex(
            self._model.benchmarks.index(chosen) + 1 if chosen in self._model.benchmarks else 0
        )
        self.benchmark.updateGeometry()

    def _show_trouble(self) -> None:
        trouble = self._model.trouble
        self.error.say(trouble_in_words(trouble) if trouble else "", code=trouble.code if trouble else "")

    def _retranslate(self) -> None:
        say = words.text
        for kind in KINDS:
            self.kinds[kind].setText(say(f"library.import.{kind}"))
            self.kinds[kind].setToolTip(say(f"library.import.{kind}_says"))
            self._says[kind].setText(say(f"library.import.{kind}_says"))
        self._kind_title.setText(say("library.import.kind"))
        self._path_title.setText(say("library.import.path"))
        self.folder.setText(say("library.import.folder"))
        self.file.setText(say("library.import.file"))
        for name, text in self.names.items():
            text.setText(say(f"library.import.{name}"))
        self.system.setPlaceholderText(say("library.import.system_hint"))
        self.system.setAccessibleName(say("library.import.system"))
        self.system.setToolTip(say("library.import.system_tip"))
        self.benchmark.set_name(say("library.import.benchmark_tip"))
        self.systems.set_name(say("library.import.answers"))
        self.keep.setAccessibleName(say("library.import.keep"))
        self.keep.set_texts(
            [say(f"library.import.{keep}") for keep in KEEPS], [say(f"library.import.{keep}_says") for keep in KEEPS]
        )
        place = max(self.encoding.currentIndex(), 0)
        self.encoding.clear()
        self.encoding.addItems([say("library.import.encoding_auto"), *ENCODINGS[1:]])
        self.encoding.setCurrentIndex(place)
        self.encoding.set_name(say("library.import.encoding_tip"))
        self.check.setText(say("library.import.check"))
        self.check.set_tip(say("library.import.check_tip"))
        self._leave.setText(say("library.import.leave"))
        self._leave.set_tip(say("library.import.leave_tip"))
        self._show()
        self._show_trouble()
