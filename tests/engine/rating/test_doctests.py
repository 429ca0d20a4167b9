"""Every value that a docstring of the planning of studies shows is what the function gives."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("module", ["draw", "order", "practice", "shares", "sizes", "split"])
def test_examples_in_docstrings_are_true(module):
    found = doctest.testmod(importlib.import_module(f"engine.rating.{module}"), optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0
