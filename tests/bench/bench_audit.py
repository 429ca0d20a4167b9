"""Audit as it is used, in a real window on 168,225 answers: selecting, filtering, scrolling."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.bench import Figure, figure
from tests.tools.large_workspace import bench_workspace

ROOT = Path(__file__).resolve().parents[2]


def driven(what: str) -> list[float]:
    """What ``tests.bench.audit_window`` measured, in milliseconds."""
    with tempfile.TemporaryDirectory() as config:
        Path(config, "settings.json").write_text(json.dumps({"screen": "audit", "language": "en", "theme": "light"}))
        environment = os.environ | {"AURICLE_CONFIG": config, "AURICLE_LOG": config, "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-m", "tests.bench.audit_window", str(bench_workspace().folder), what]
        ended = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True
        )
    taken: list[float] = json.loads(ended.stdout.splitlines()[-1])
    return taken


def told(name: str, taken: Sequence[float], percent: float, note: str) -> Figure:
    said = f"{note}; median {statistics.median(taken):.1f}, worst {max(taken):.1f}"
    return Figure(name, float(np.percentile(taken, percent)), "ms", note=said)


@figure("audit.filter.p95_ms")
def filtered() -> Figure:
    """From a filter taken to its first rows on screen."""
    taken = driven("filter")
    return told("audit.filter.p95_ms", taken, 95, f"{len(taken)} filters in three orders, to rows on screen")


@figure("search.two_characters.p95_ms")
def searched() -> Figure:
    """From a two-character word taken to its first rows on screen, sorted."""
    return told("search.two_characters.p95_ms", driven("words"), 95, "eight words five times, to rows on screen")


@figure("audit.select.cached.p95_ms")
def selected_again() -> Figure:
    """From Down to waveform, alignment and row on screen; each answer was seen before, its peaks are kept."""
    return told("audit.select.cached.p95_ms", driven("cached"), 95, "Down through 60 answers, 6 of them of 10 min")


@figure("audit.select.cold.p95_ms")
def selected_cold() -> Figure:
    """The same where nothing is kept of any recording, by the window or by the system."""
    return told("audit.select.cold.p95_ms", driven("cold"), 95, "Down through 60 answers, 6 of them of 10 min")


@figure("audit.scroll.p99_frame_ms")
def scrolled() -> Figure:
    """The GUI thread from one step of the scroll bar to the next, from a row a frame to dragging the bar."""
    return told("audit.scroll.p99_frame_ms", driven("scroll"), 99, "1,000 frames, from a row to 350 rows a frame")
