"""The rating screen: how soon the next item is there, once the rating of the last one is on the disk."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench import Figure, figure

ROOT = Path(__file__).resolve().parents[2]


@figure("rate.commit_to_next.p95_ms")
def commit_to_next() -> Figure:
    """From Enter to the next item painted; between them the rating was committed and the disk had it."""
    with tempfile.TemporaryDirectory(dir=ROOT / "build" if (ROOT / "build").exists() else None) as folder:
        environment = os.environ | {"AURICLE_CONFIG": folder, "AURICLE_LOG": folder, "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-m", "tests.bench.rating_window", folder]
        ended = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True
        )
    taken: list[float] = json.loads(ended.stdout.splitlines()[-1])
    value = statistics.quantiles(taken, n=20, method="inclusive")[-1]
    note = (
        f"key to paint, {len(taken)} items by keyboard, 1600x900 offscreen; median {statistics.median(taken):.0f},"
        f" worst {max(taken):.0f}"
    )
    return Figure("rate.commit_to_next.p95_ms", value, "ms", note=note)
