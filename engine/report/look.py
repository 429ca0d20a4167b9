"""The look's tokens as CSS variables."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from engine.shipped import shipped


@cache
def css_variables(theme: str) -> str:
    """Every colour of ``theme`` (``light`` or ``dark``) as ``--group-name: #rrggbb;``."""
    tokens: dict[str, Any] = json.loads(shipped("look/tokens.json").read_text(encoding="utf-8"))[theme]
    return " ".join(
        f"--{group}-{name}: {value};"
        for group, values in tokens.items()
        if isinstance(values, dict)
        for name, value in values.items()
        if isinstance(value, str) and len(value) == 7
    )
