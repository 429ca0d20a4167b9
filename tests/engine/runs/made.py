"""Small workspaces with known contents."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile

from engine.benchmarks.values import Instance, RecordedResponse
from engine.store.benchmarks import add_instances
from engine.store.workspace import Workspace


def instances(count: int = 4, subset: str = "chinese_knowledge") -> list[Instance]:
    """Instances of our own, their reference 少林."""
    return [
        Instance(
            "vocalbench_zh", subset, f"{subset}-{n:04d}", n, f"以武术闻名的寺院是第{n}座吗？", "少林", "VocalBench"
        )
        for n in range(count)
    ]


def with_benchmark(workspace: Workspace, *subsets: str, count: int = 4) -> Workspace:
    """``workspace`` with ``count`` instances in each subset."""
    db = workspace.connect()
    made = [i for subset in subsets or ("chinese_knowledge",) for i in instances(count, subset)]
    add_instances(db, workspace, "vocalbench_zh", Path("made"), made)
    db.close()
    return workspace


def tone(path: Path, seconds: float = 0.5, hz: float = 440.0, rate: int = 24_000) -> Path:
    """A WAV file with a tone."""
    time = np.arange(int(seconds * rate)) / rate
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, 0.3 * np.sin(2 * np.pi * hz * time), rate)
    return path


def response(number: int, text: str | None, subset: str = "chinese_knowledge", **more: object) -> RecordedResponse:
    """A recorded answer to instance ``number``."""
    return RecordedResponse(subset, f"{subset}-{number:04d}", text, **more)  # type: ignore[arg-type]
