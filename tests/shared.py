"""Finds the project's shared reading beside the checkout; tests that need it skip with a reason where it is not."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import Any

import pytest

_BESIDE = Path(__file__).resolve().parents[2] / "shared"
SHARED = Path(os.environ.get("AURICLE_SHARED", _BESIDE))

needs_shared = pytest.mark.skipif(
    not (SHARED / "cases" / "cases.jsonl").exists(),
    reason="needs the shared reading (cases, benchmark data) beside the checkout, or AURICLE_SHARED",
)


def shared_file(name: str) -> Path:
    """The path of one file of the shared reading."""
    return SHARED / name


def case(name: str) -> dict[str, Any]:
    """One case of cases.jsonl by its id: kind, why, input, expect."""
    lines = (SHARED / "cases" / "cases.jsonl").read_bytes().split(b"\n")
    return next(entry for line in lines if line and (entry := json.loads(line))["id"] == name)


def make_case(name: str, folder: Path) -> Path:
    """Write the input files of one case below ``folder`` and return the folder that holds them."""
    spec = importlib.util.spec_from_file_location("make_cases", SHARED / "cases" / "make_cases.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(folder, {name})
    return folder / name
