"""How long importing all of VocalBench-zh takes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, TypeVar

from engine.benchmarks.vocalbench_zh import read_vocalbench_zh
from engine.runs.imports import take_benchmark
from engine.store.workspace import open_workspace
from tests.bench import Figure, figure
from tests.shared import shared_file

Result = TypeVar("Result")


@figure("import.vocalbench_zh.seconds")
def import_vocalbench_zh() -> Figure:
    """The 11,215 real instances into a new workspace, reading and checking included."""
    source = shared_file("vocalbench-zh")
    if not source.exists():
        raise FileNotFoundError("needs the benchmark's data beside the checkout")
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        read = _finished(read_vocalbench_zh(source))
        workspace = open_workspace(Path(folder) / "workspace", create=True)
        stored = _finished(take_benchmark(workspace, read, source))
        seconds = time.perf_counter() - started
    return Figure("import.vocalbench_zh.seconds", seconds, "s", note=f"{stored.added} instances")


def _finished(work: Generator[Any, None, Result]) -> Result:
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: Result = end.value
            return result
