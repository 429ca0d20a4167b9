"""What is in the workspace: benchmarks by subset, and systems."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from engine.benchmarks.titles import benchmark_title, subset_title
from engine.store.overview import Overview, SubsetPart, SystemPart
from gui.library.view_model import LibraryViewModel
from gui.library.way import NOTHING
from gui.library.wording import counted
from gui.strings import words
from gui.widgets import Card, label
from gui.widgets.facts_table import Cell, FactsTable

KNOWN_KINDS = ("recorded", "omni", "cascade", "endpoint", "adapter")


class BenchmarksCard(Card):
    """Each subset with its instances, their audio, and how many answers it has.

    Signals:
        opened: the filter for the answers of a row.
    """

    opened = Signal(str)

    def __init__(self, model: LibraryViewModel, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, flush=True, parent=parent)
        self._model = model
        self._keys: list[str] = []
        self.table = FactsTable(most=12)
        self.body.addWidget(self.table)
        self.table.opened.connect(self._on_opened)
        model.contents_changed.connect(self._retranslate)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def _retranslate(self) -> None:
        say = words.text
        self.set_title(say("library.benchmarks.title"))
        self.table.setAccessibleName(say("library.benchmarks.title"))
        found = self._model.overview
        if found is None:
            return
        self.set_note(
            say(
                "library.benchmarks.note",
                benchmarks=counted("benchmarks", len(found.benchmarks)),
                subsets=counted("subsets", len(found.subsets)),
            )
        )
        names = ["subset", "instances", "missing", "answers"]
        self.table.set_rows([say(f"library.benchmarks.{name}") for name in names], self._rows(found))
        missing = found.missing_audio
        self.set_foot(say("library.benchmarks.foot", missing=missing) if missing else "")

    def _rows(self, found: Overview) -> list[tuple[Cell, ...]]:
        rows: list[tuple[Cell, ...]] = []
        self._keys = []
        for benchmark in found.benchmarks:
            parts = [part for part in found.subsets if part.benchmark == benchmark]
            rows.append(_counts(benchmark_name(benchmark), parts, is_strong=True))
            self._keys.append(f"benchmark:{quoted(benchmark)}")
            for part in parts:
                rows.append(_counts(self._title_of(benchmark, part.subset), [part]))
                self._keys.append(f"benchmark:{quoted(benchmark)} subset:{quoted(part.subset)}")
        return rows

    def _title_of(self, benchmark: str, subset: str) -> str:
        return subset_title(f"{benchmark}/{subset}", words.language)

    def _on_opened(self, row: int) -> None:
        self.opened.emit(self._keys[row])


INDENT = 12


def _counts(name: str, parts: Sequence[SubsetPart], *, is_strong: bool = False) -> tuple[Cell, ...]:
    """A row of a subset, or (strong) of a benchmark with the sums of its subsets."""
    missing, answers = sum(part.missing_audio for part in parts), sum(part.answers for part in parts)
    instances = sum(part.instances for part in parts)
    return (
        Cell(name, is_strong=is_strong, indent=0 if is_strong else INDENT),
        Cell(f"{instances:,}", True, is_strong=is_strong),
        Cell(f"{missing:,}", True, "verdict.warning") if missing else Cell(NOTHING, True, "text.tertiary"),
        Cell(f"{answers:,}", True, is_strong=is_strong) if answers else Cell(NOTHING, True, "text.tertiary"),
    )


class SystemsCard(Card):
    """Each system with its answers and how many of them are measured and judged.

    Signals:
        opened: the filter for the answers of a row.
    """

    opened = Signal(str)

    def __init__(self, model: LibraryViewModel, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, flush=True, parent=parent)
        self._model = model
        self._names: list[str] = []
        self.table = FactsTable(most=9)
        self.table.may_hide(1, 540)
        self._none = label(type="body", tone="secondary", wrap=True)
        self._none.setContentsMargins(11, 8, 11, 8)
        self._none.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.body.addWidget(self.table)
        self.body.addWidget(self._none)
        self.table.opened.connect(self._on_opened)
        model.contents_changed.connect(self._retranslate)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def _retranslate(self) -> None:
        say = words.text
        self.set_title(say("library.systems.title"))
        self.table.setAccessibleName(say("library.systems.title"))
        self._none.setText(say("library.systems.none"))
        found = self._model.overview
        systems = found.systems if found is not None else ()
        self._names = [system.name for system in systems]
        self.table.setVisible(bool(systems))
        self._none.setVisible(not systems)
        self.set_note(counted("answers", found.answers) if found is not None else "")
        names = ["system", "kind", "answers", "spoken", "measured", "judged"]
        self.table.set_rows([say(f"library.systems.{name}") for name in names], [_row(s) for s in systems])
        self.table.setToolTip(say("library.systems.open_tip"))

    def _on_opened(self, row: int) -> None:
        self.opened.emit(f"system:{quoted(self._names[row])}")


def _row(system: SystemPart) -> tuple[Cell, ...]:
    kind = words.text(f"systems.kind.{system.kind}") if system.kind in KNOWN_KINDS else system.kind
    return (
        Cell(system.name),
        Cell(kind, tone="text.secondary"),
        Cell(f"{system.answers:,}", True),
        Cell(f"{system.spoken:,}", True),
        Cell(_share(system.measured, system.spoken), True),
        Cell(_share(system.judged, system.answers), True),
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else NOTHING


def benchmark_name(name: str) -> str:
    """How a benchmark is called in print; its id where we know no other name."""
    return benchmark_title(name)


def quoted(value: str) -> str:
    """A value as the filter takes it: in quotes where it is more than a plain word."""
    plain = value.replace("-", "").replace("_", "").replace(".", "").isalnum()
    return value if plain else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
