"""The detail panel: how fast a spectrum pans and a long alignment is there."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from tests.bench import Figure, figure

ROOT = Path(__file__).resolve().parents[2]


def drawn(what: str) -> list[float]:
    """What ``tests.bench.detail_drawn`` measured, in milliseconds."""
    with tempfile.TemporaryDirectory() as config:
        environment = os.environ | {"AURICLE_CONFIG": config, "AURICLE_LOG": config, "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-m", "tests.bench.detail_drawn", what]
        ended = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
        )
    taken: list[float] = json.loads(ended.stdout.splitlines()[-1])
    return taken


def told(name: str, taken: list[float], note: str) -> Figure:
    return Figure(name, statistics.median(taken), "ms", note=f"median of {len(taken)}, worst {max(taken):.1f}; {note}")


@figure("spectrogram.pan.median_ms")
def panned() -> Figure:
    """A step of a pan over the spectrum of ten minutes at 48 kHz, at three zooms."""
    return told("spectrogram.pan.median_ms", drawn("pan"), "10 min at 48 kHz, 1,200 pixels, three zooms")


@figure("waveform.repaint.median_ms")
def repainted() -> Figure:
    """A step of a pan over the waveform of ten minutes at 48 kHz, at three zooms, against a plot of the same signal."""
    both = drawn("waveform")
    ours, theirs = both[::2], statistics.median(both[1::2])
    found = told("waveform.repaint.median_ms", ours, "10 min at 48 kHz, 1,200 pixels, three zooms; baseline: pyqtgraph")
    return replace(found, baseline=theirs, ratio=theirs / found.value)


@figure("waveform.memory_mib")
def held() -> Figure:
    """What is held of the waveform of ten minutes at 48 kHz."""
    return Figure("waveform.memory_mib", drawn("memory")[0], "MiB", note="resident, beyond a recording of 1 s")


@figure("alignment.1000.ms")
def aligned() -> Figure:
    """1,000 characters aligned with what was heard, laid out and painted."""
    return told("alignment.1000.ms", drawn("alignment"), "aligned, laid out and painted, other texts each time")
