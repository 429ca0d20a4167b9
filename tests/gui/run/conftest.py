"""Small workspaces whose answers words decide: a run of them lasts a moment."""

from __future__ import annotations

import pytest

from engine.runs.imports import take_responses
from engine.store.workspace import Workspace
from tests.engine.runs.made import response, with_benchmark

KNOWN = ("chinese_knowledge", "single_round")


@pytest.fixture
def answered(workspace, finish) -> Workspace:
    """Answers of two systems in two subsets."""
    with_benchmark(workspace, *KNOWN)
    answers = [response(0, "少林"), response(1, "武当山"), response(0, "可以先列清单。", "single_round")]
    for system in ("one", "two"):
        finish(take_responses(workspace, "vocalbench_zh", system, answers))
    return workspace
