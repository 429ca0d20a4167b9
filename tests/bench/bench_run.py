"""What asking a system costs beside the system itself: the null system over a benchmark, and two sleeping ones."""

from __future__ import annotations

import io
import os
import tempfile
import time
from importlib import import_module
from pathlib import Path

from engine.benchmarks.values import Instance
from engine.runs.respond import respond_workspace
from engine.runs.respond_request import RespondRequest
from engine.store.benchmarks import add_instances
from engine.store.workspace import Workspace, open_workspace
from engine.systems.declaration import declared_system
from engine.systems.values import Options
from tests.bench import Figure, figure

_SLEEP_S, _SLEEPS, _LONG_SLEEPS = 0.5, 60, 60
_TEXTS, _SOUNDS, _MANY = 2000, 1000, 10_000


@figure("run.two_workers.speedup")
def two_workers() -> Figure:
    """One worker's time over that of two, for a system that sleeps; without what starting a worker takes."""
    settings = {"sleep_s": _SLEEP_S}
    one, two = (_seconds("sleeping", _SLEEPS, workers, settings) for workers in (1, 2))
    return Figure("run.two_workers.speedup", one / two, "x", 1.0, one / two, f"{_SLEEPS} items of {_SLEEP_S} s")


@figure("run.ray.over_local")
def ray_over_local() -> Figure:
    """The time of a whole run on Ray over that on this machine, two workers each; Ray itself runs already."""
    from engine.runs.on_ray import start_here

    local = _seconds("sleeping", _LONG_SLEEPS, 2, {"sleep_s": 1.0}, whole=True)
    with tempfile.TemporaryDirectory(prefix="ray") as folder:
        os.environ["RAY_AUTH_MODE"] = "disabled"
        start_here(num_cpus=2, _temp_dir=folder)
        try:
            remote = _seconds("sleeping", _LONG_SLEEPS, 2, {"sleep_s": 1.0}, whole=True, place="ray")
        finally:
            import_module("ray").shutdown()
    ratio = remote / local
    note = f"{_LONG_SLEEPS} items of 1 s, two workers, started and ended in this time: {remote:.1f} s"
    return Figure("run.ray.over_local", ratio, "x", local, ratio, note)


@figure("run.overhead.text.ms_per_item")
def text_overhead() -> Figure:
    """What each answer in text costs from the first to the last, all written."""
    value = _seconds("null", _TEXTS, 1, {}) / _TEXTS * 1000
    return Figure("run.overhead.text.ms_per_item", value, "ms", note=f"{_TEXTS} answers of the null system, one worker")


@figure("run.overhead.flac.ms_per_item")
def flac_overhead() -> Figure:
    """What each answer of 3 s of speech-like level costs, coded, synced and written."""
    value = _seconds("null", _SOUNDS, 1, {"audio_s": 3.0, "sound": "noise"}) / _SOUNDS * 1000
    return Figure("run.overhead.flac.ms_per_item", value, "ms", note=f"{_SOUNDS} answers of 3 s at 24 kHz, one worker")


@figure("run.null_10k.seconds")
def null_10k() -> Figure:
    """A whole run over 10,000 instances, from the plan to the last row."""
    value = _seconds("null", _MANY, 1, {}, whole=True)
    return Figure("run.null_10k.seconds", value, "s", note="one worker, started and ended in this time")


def _seconds(
    system: str, count: int, workers: int, settings: dict[str, object], *, whole: bool = False, place: str = "local"
) -> float:
    """How long a run over ``count`` instances takes: all of it, or from the first answer on."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = _workspace(Path(folder) / "workspace", count)
        request = RespondRequest(declared_system(system), Options(settings=settings), workers=workers, place=place)
        began = time.perf_counter()
        work = respond_workspace(workspace, request, io.StringIO())
        try:
            while True:
                step = next(work)
                if not whole and step.done <= workers:
                    began, before = time.perf_counter(), step.done
        except StopIteration as end:
            done = end.value
        seconds = time.perf_counter() - began
        assert (done.answered, done.failed) == (count, 0), done
        return seconds if whole else seconds * count / (count - before)


def _workspace(folder: Path, count: int) -> Workspace:
    workspace = open_workspace(folder, create=True)
    instances = [
        Instance("vocalbench_zh", "chinese_knowledge", f"k-{n:05d}", n, f"以武术闻名的寺院是第{n}座吗？", "少林")
        for n in range(count)
    ]
    db = workspace.connect()
    add_instances(db, workspace, "vocalbench_zh", folder, instances)
    db.close()
    return workspace
