"""What the window's settings file says of this computer, read and never written; keys are not in it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.config_folder import config_folder
from engine.machine.values import JudgeAsked
from engine.speech.values import RecogniserSpec


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """The recogniser and the endpoints that are set; ``trouble`` says why the file could not be read."""

    path: Path
    recogniser: RecogniserSpec = field(default_factory=RecogniserSpec)
    endpoints: tuple[JudgeAsked, ...] = ()
    trouble: str = ""


def window_settings() -> WindowSettings:
    """The settings; what is missing or odd in the file is as it is without a file."""
    path = config_folder() / "settings.json"
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return WindowSettings(path)
    except (OSError, ValueError) as error:
        return WindowSettings(path, trouble=str(error))
    if not isinstance(told, dict):
        return WindowSettings(path, trouble="not an object")
    return WindowSettings(path, _recogniser(told), _endpoints(told.get("endpoints")))


def _recogniser(told: dict[str, Any]) -> RecogniserSpec:
    named = told.get("recogniser")
    known = named if isinstance(named, dict) else {}
    words = {key: known[key] for key in ("backend", "weights", "compute_type") if isinstance(known.get(key), str)}
    revision = known.get("revision")
    return RecogniserSpec(**words, revision=revision if isinstance(revision, str) else None)


def _endpoints(told: Any) -> tuple[JudgeAsked, ...]:
    rows = [row for row in told if isinstance(row, dict)] if isinstance(told, list) else []
    return tuple(
        JudgeAsked(str(row["base_url"]), str(row.get("model") or ""), str(row.get("key_env") or ""))
        for row in rows
        if row.get("base_url")
    )
