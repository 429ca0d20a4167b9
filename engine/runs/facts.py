"""What stands for the facts of an audio file that cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def unreadable(code: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Facts that hold nothing but the fault, so that the file is not read again and its row says why."""
    return {"faults": [{"code": code.rpartition(".")[2], "values": dict(values)}], "unreadable": code}
