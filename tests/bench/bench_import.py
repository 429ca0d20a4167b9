"""How long importing all of VocalBench-zh takes."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from engine.benchmarks.vocalbench_zh import read_vocalbench_zh
from engine.store.benchmarks import add_instances
from engine.store.workspace import open_workspace
from tests.bench import Figure, figure
from tests.shared import shared_file


@figure("import.vocalbench_zh.seconds")
def import_vocalbench_zh() -> Figure:
    """The 11,215 real instances into a new workspace, reading and checking included."""
    source = shared_file("vocalbench-zh")
    if not source.exists():
        raise FileNotFoundError("needs the benchmark's data beside the checkout")
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        work = read_vocalbench_zh(source)
        try:
            while True:
                next(work)
        except StopIteration as end:
            read = end.value
        workspace = open_workspace(Path(folder) / "workspace", create=True)
        db = workspace.connect()
        stored = add_instances(db, workspace, read.benchmark, source, read.instances)
        db.close()
        seconds = time.perf_counter() - started
    return Figure("import.vocalbench_zh.seconds", seconds, "s", note=f"{stored.added} instances")
