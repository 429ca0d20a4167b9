"""All checks of this computer in one pass."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator

from engine.machine.hardware import chinese_font, disk, display, graphics, sound
from engine.machine.keyrings import keyring_name
from engine.machine.models import emotion, judge, recogniser, speech_quality
from engine.machine.values import Asked, Check
from engine.progress import Progress
from engine.scoring.derive import floor_metric
from engine.speech.values import RecogniserSpec
from engine.store.makers import floors_by_maker


def check_machine(asked: Asked) -> Generator[Progress, None, tuple[Check, ...]]:
    """What is here and what is missing, in the order of the work; yields after each check."""
    checks = (
        lambda: recogniser(asked),
        speech_quality,
        lambda: judge(asked),
        emotion,
        lambda: sound(list_devices=asked.list_devices),
        lambda: None if asked.chinese_font is None else chinese_font(asked.chinese_font),
        keyring,
        lambda: disk(asked.folder),
        graphics,
        display,
    )
    found = []
    for done, check in enumerate(checks, start=1):
        one = check()
        if one is not None:
            found.append(one)
        yield Progress(done, len(checks))
    return tuple(found)


def keyring() -> Check:
    """Whether keys can be kept on this computer."""
    name = keyring_name()
    if name:
        return Check("keyring", "ready", "keyring", {"name": name})
    return Check("keyring", "warning", "keyring_none", {}, "keyring")


def known_floors(db: sqlite3.Connection, spec: RecogniserSpec) -> dict[str, float]:
    """The measured floors of the newest recogniser that was asked for as ``spec`` is, by language; may be empty."""
    for maker, floors in reversed(floors_by_maker(db)):
        asked = maker.settings.get("asked")
        same = isinstance(asked, dict) and asked.get("weights") == spec.weights and maker.name == spec.backend
        if maker.kind == "recogniser" and same and floors:
            return {f.language: f.rate for f in floors if f.metric == floor_metric(f.language)}
    return {}
