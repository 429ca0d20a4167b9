"""From a design to a plan that can be looked at, and from a plan to a stored study."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from engine.progress import Progress
from engine.rating.design import Design, StudyPlan
from engine.store.workspace import Workspace


def plan_study(workspace: Workspace, design: Design) -> Generator[Progress, None, StudyPlan]:
    """What ``design`` comes to in this workspace: who rates what in which order, how long it takes, how sharp it gets.

    Nothing is stored. Raises EngineError ``rating.no_rater``, ``no_protocol``, ``no_item``, ``two_systems`` …
    """
    raise NotImplementedError
    yield


def create_study(workspace: Workspace, plan: StudyPlan, leaks: Mapping[str, Any] | None = None) -> int:
    """Store ``plan`` in one transaction and return the study's id; ``leaks`` is what the leak check declared."""
    raise NotImplementedError
