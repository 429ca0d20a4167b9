"""What is in the workspace: benchmarks by subset, and systems."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from engine.store.overview import Overview, SystemPart
from gui.library.facts_table import Cell, FactsTable
from gui.library.view_model import LibraryViewModel
from gui.library.way import NOTHING, counted
from gui.strings import words
from gui.widgets import Card, label

KNOWN_BENCHMARKS = ("vocalbench_zh", "dynamic_superb")
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
        self.table = FactsTable(most=9)
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
        self._keys = [f"benchmark:{part.benchmark} subset:{part.subset}" for part in found.subsets]
        missing = found.missing_audio
        self.set_foot(say("library.benchmarks.foot", missing=missing) if missing else "")

    def _rows(self, found: Overview) -> list[tuple[Cell, ...]]:
        several = len(found.benchmarks) > 1
        rows: list[tuple[Cell, ...]] = []
        for part in found.subsets:
            missing = part.missing_audio
            name = self._title_of(part.benchmark, part.subset)
            shown = f"{benchmark_name(part.benchmark)} · {name}" if several else name
            rows.append(
                (
                    Cell(shown),
                    Cell(f"{part.instances:,}", True),
                    Cell(f"{missing:,}" if missing else NOTHING, True, "verdict.warning" if missing else TERTIARY),
                    Cell(f"{part.answers:,}" if part.answers else NOTHING, True, "text.primary"),
                )
            )
        return rows

    def _title_of(self, benchmark: str, subset: str) -> str:
        titles = self._model.contents.titles if self._model.contents is not None else {}
        return titles.get((benchmark, subset), {}).get(words.language, subset)

    def _on_opened(self, row: int) -> None:
        self.opened.emit(self._keys[row])


TERTIARY = "text.tertiary"


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
        names = ["system", "answers", "spoken", "measured", "judged"]
        self.table.set_rows([say(f"library.systems.{name}") for name in names], [_row(s) for s in systems])
        self.table.setToolTip(say("library.systems.open_tip"))

    def _on_opened(self, row: int) -> None:
        self.opened.emit(f"system:{quoted(self._names[row])}")


def _row(system: SystemPart) -> tuple[Cell, ...]:
    kind = words.text(f"library.kind.{system.kind}") if system.kind in KNOWN_KINDS else system.kind
    return (
        Cell(f"{system.name} · {kind}"),
        Cell(f"{system.answers:,}", True),
        Cell(f"{system.spoken:,}", True),
        Cell(_share(system.measured, system.spoken), True),
        Cell(_share(system.judged, system.answers), True),
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else NOTHING


def benchmark_name(name: str) -> str:
    """How a benchmark is called in print; its id where we know no other name."""
    return words.text(f"library.benchmark.{name}") if name in KNOWN_BENCHMARKS else name


def quoted(value: str) -> str:
    """A value as the filter takes it: in quotes where it is more than a plain word."""
    plain = value.replace("-", "").replace("_", "").replace(".", "").isalnum()
    return value if plain else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
