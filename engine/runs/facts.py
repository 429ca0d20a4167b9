"""Facts of an audio file as the store keeps them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from engine.audio.facts import AudioFacts


def told_facts(facts: AudioFacts) -> dict[str, Any]:
    """``facts`` as JSON holds them, with the peak in dBFS (None for silence)."""
    peak_dbfs = 20 * math.log10(facts.peak) if facts.peak > 0 else None
    return {**asdict(facts), "peak_dbfs": peak_dbfs}


def unreadable(code: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """What stands for the facts of a file that cannot be read."""
    return {"faults": [{"code": code.rpartition(".")[2], "values": dict(values)}], "unreadable": code}
