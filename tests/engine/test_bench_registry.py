"""Every figure that is promised for what is built has a function that measures it."""

from __future__ import annotations

import json
from importlib import import_module

from tests.bench import FIGURES
from tests.bench.__main__ import ROOMS
from tests.shared import needs_shared, shared_file

BUILT = {"Main job", "Window", "Audit", "Systems and runs", "Rate"}


@needs_shared
def test_each_promised_figure_is_measured():
    for room in ROOMS:
        import_module(f"tests.bench.bench_{room}")
    promised = json.loads(shared_file("bench.json").read_text(encoding="utf-8"))["figures"]
    missing = [figure["name"] for figure in promised if figure["issue"] in BUILT and figure["name"] not in FIGURES]
    assert missing == []
