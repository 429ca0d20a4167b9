"""Every value that a docstring shows is what the function gives."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOM = Path(__file__).resolve().parents[3] / "engine" / "statistics"


@pytest.mark.parametrize("module", sorted(path.stem for path in ROOM.glob("*.py") if path.stem != "__init__"))
def test_examples_in_docstrings_are_true(module):
    assert doctest.testmod(importlib.import_module(f"engine.statistics.{module}")).failed == 0
