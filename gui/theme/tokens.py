"""The values of the look, as ``resources/look/tokens.json`` has them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from engine.shipped import shipped


@cache
def tokens() -> dict[str, Any]:
    """Everything in the file; colours under ``light`` and ``dark``, lengths in device-independent pixels."""
    found: dict[str, Any] = json.loads(shipped("look/tokens.json").read_text(encoding="utf-8"))
    return found
