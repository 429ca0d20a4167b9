"""The window: how soon it is there, and how much memory it takes."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from tests.bench import Figure, figure
from tests.tools.large_workspace import bench_workspace

ROOT = Path(__file__).resolve().parents[2]
STARTS = 10


@cache
def starts() -> tuple[dict[str, float], ...]:
    """What each start told; one more goes before, so that files are warm."""
    with tempfile.TemporaryDirectory() as config:
        Path(config, "settings.json").write_text(json.dumps({"screen": "audit", "language": "en", "theme": "light"}))
        return tuple(one_start(config) for _ in range(STARTS + 1))[1:]


def one_start(config: str) -> dict[str, float]:
    environment = os.environ | {
        "AURICLE_CONFIG": config,
        "AURICLE_LOG": config,
        "QT_QPA_PLATFORM": "offscreen",
        "AURICLE_BENCH_STARTED": str(time.monotonic()),
    }
    command = [sys.executable, "-m", "tests.bench.first_paint", str(bench_workspace().folder)]
    ended = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    told: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return told


@figure("gui.first_paint.seconds")
def first_paint() -> Figure:
    painted = [told["first_paint_s"] for told in starts()]
    rows = [told["rows_s"] for told in starts()]
    note = (
        f"median of {STARTS}, worst {max(painted):.2f}; rows shown after {statistics.median(rows):.2f} s,"
        f" worst {max(rows):.2f}; {int(starts()[0]['rows']):,} answers, 1600x900 offscreen"
    )
    return Figure("gui.first_paint.seconds", statistics.median(painted), "s", note=note)


@figure("gui.rss_mib")
def memory() -> Figure:
    resident = [told["rss_mib"] for told in starts()]
    return Figure(
        "gui.rss_mib", statistics.median(resident), "MiB", note=f"rows and one answer shown; worst {max(resident):.0f}"
    )
