"""The player on a virtual loudspeaker: how soon it sounds, how true its playhead is, how exact its loop."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from tests.bench import Figure, figure
from tests.gui.player import pulse

ROOT = Path(__file__).resolve().parents[2]


@cache
def played() -> dict[str, Any]:
    """What one process heard of itself."""
    if not pulse.is_installed():
        raise FileNotFoundError("pulseaudio, pactl and parec are not installed")
    command = [sys.executable, "-m", "tests.bench.playing"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180, check=True)
    told: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return told


@figure("play.start.p95_ms")
def start() -> Figure:
    found = played()["starts"]
    every = [second * 1000 for second in (*found["warm_s"], *found["cold_s"])]
    value = statistics.quantiles(every, n=20, method="inclusive")[-1]
    note = (
        f"key to sound at a recorder, {len(every)} presses, {len(found['cold_s'])} of them with the device closed"
        f" before; median {statistics.median(every):.0f}, worst {max(every):.0f};"
        f" less the device's own buffer of {found['buffer_s'] * 1000:.0f} ms"
    )
    return Figure("play.start.p95_ms", value, "ms", note=note)


@figure("play.playhead_error.max_ms")
def playhead() -> Figure:
    errors = [second * 1000 for second in played()["playhead"]["errors_s"]]
    note = f"against the recorder, {len(errors)} frames of the screen; median {statistics.median(errors):+.1f}"
    return Figure("play.playhead_error.max_ms", max(abs(error) for error in errors), "ms", note=note)


@figure("play.loop_error.samples")
def loop() -> Figure:
    found = [played()[name] for name in ("loop", "loop_fast")]
    heard = max(max(one["errors_heard"]) for one in found)
    note = (
        f"{sum(len(one['errors']) for one in found)} turns at 1.0 and 1.3 times the speed, in what the device is handed;"
        f" {heard} at the recorder, where the virtual device may stumble; {sum(one['underruns'] for one in found)} underruns"
    )
    return Figure("play.loop_error.samples", max(max(one["errors"]) for one in found), "samples", note=note)
