"""Imports run one way: gui to engine to resources, and inside the engine only down its floors."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
QT = {"PySide6", "pyqtgraph", "shiboken6"}
HEAVY = {"torch", "transformers", "whisper", "faster_whisper", "librosa", "openai", "funasr"}

#: The engine's floors from the ground up; a room may import its own floor and those below.
FLOORS = (
    {
        "errors",
        "strings",
        "shipped",
        "installing",
        "config_folder",
        "declared",
        "progress",
        "clock",
        "killpoints",
        "text",
        "audio",
    },
    {"metrics", "endpoints", "statistics"},
    {"speech", "benchmarks"},
    {"systems", "store", "models"},
    {"query", "worker", "degrade"},
    {"runs", "judges", "rating", "calibration", "scoring", "live", "bring"},
    {"machine"},
    {"report"},
    {"export"},
    {"cli"},
)


def imported(path: Path) -> set[str]:
    """Every module that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def wrong_imports(root: Path) -> list[str]:
    """Imports below ``root`` that go against the one direction, each as ``file: module``."""
    wrong = []
    for package, forbidden in (("engine", QT | {"gui"}), ("gui", HEAVY)):
        for path in sorted((root / package).rglob("*.py")):
            wrong += [
                f"{path.relative_to(root)}: {name}"
                for name in sorted(imported(path))
                if name.split(".")[0] in forbidden
            ]
    return wrong


def upward_imports(root: Path) -> list[str]:
    """Imports of a room on a higher floor, each as ``file: module``."""
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    wrong = []
    for path in sorted((root / "engine").rglob("*.py")):
        parts = path.relative_to(root / "engine").with_suffix("").parts
        if parts[0] not in floor:
            continue
        for name in sorted(imported(path)):
            room = name.split(".")[1] if name.startswith("engine.") else ""
            if floor.get(room, -1) > floor[parts[0]]:
                wrong.append(f"{path.relative_to(root)}: {name}")
    return wrong


def test_the_engine_imports_no_qt_and_the_gui_nothing_heavy():
    assert wrong_imports(ROOT) == []


def test_inside_the_engine_imports_run_down_its_floors():
    assert upward_imports(ROOT) == []


def test_every_room_of_the_engine_has_a_floor():
    rooms = {path.stem for path in (ROOT / "engine").glob("*.py")} | {
        path.name for path in (ROOT / "engine").iterdir() if (path / "__init__.py").exists()
    }
    assert rooms - {"__init__"} <= set().union(*FLOORS)


@pytest.mark.parametrize(
    ("file", "line", "found"),
    [
        ("engine/metrics/bad.py", "from PySide6.QtCore import QObject", "PySide6"),
        ("engine/audio/bad.py", "def late():\n    import gui.audit", "gui.audit"),
        ("gui/bad.py", "import torch.nn", "torch.nn"),
        ("gui/audit/bad.py", "def late():\n    from transformers import pipeline", "transformers"),
    ],
)
def test_the_check_bites(tmp_path, file, line, found):
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(line)
    assert any(entry.startswith(f"{file}: {found}") for entry in wrong_imports(tmp_path))


def test_the_floor_check_bites(tmp_path):
    path = tmp_path / "engine" / "store" / "bad.py"
    path.parent.mkdir(parents=True)
    path.write_text("from engine.runs.judge import judge_workspace")
    assert upward_imports(tmp_path) != []
