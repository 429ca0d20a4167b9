"""Pitch and energy for the window: asked of a worker, which alone loads librosa, and kept in the workspace's cache."""

from __future__ import annotations

import threading
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.progress import Progress
from engine.speech.curves import Curves
from engine.store.curves import keep_curves, kept_curves
from engine.store.workspace import Workspace
from engine.worker.client import ItemOutcome, Limits, WorkerClient
from engine.worker.process import COMMAND
from engine.worker.protocol import pcm_samples

_LIMITS = Limits(request_s=120.0, start_s=60.0)


class CurveReader:
    """Reads the curves of one recording after another by one worker, which is started when first needed.

    Another thread may ask meanwhile: it waits for its turn. Close it when nobody will ask for a while; the next
    ``read`` starts another worker.
    """

    def __init__(self, log_file: Path, command: tuple[str, ...] = COMMAND) -> None:
        self._client = WorkerClient(command, log_file, _LIMITS)
        self._turn = threading.Lock()

    def read(self, path: Path, workspace: Workspace | None, sha256: str) -> Generator[Progress, None, Curves]:
        """The curves of the file at ``path``, from the cache where ``workspace`` has them.

        Yields about each second; closing it cancels. Raises EngineError ``speech.extra_missing`` without librosa,
        ``audio.*`` for what cannot be read, and ``worker.*``.
        """
        found = kept_curves(workspace, sha256) if workspace is not None and sha256 else None
        yield Progress(0, 1)
        if found is not None:
            return found
        while not self._turn.acquire(timeout=0.2):
            yield Progress(0, 1)
        try:
            found = yield from self._asked(path)
        finally:
            self._turn.release()
        if workspace is not None and sha256:
            keep_curves(workspace, sha256, found)
        return found

    def close(self) -> None:
        """End the worker, if one runs."""
        with self._turn:
            self._client.close()

    def _asked(self, path: Path) -> Generator[Progress, None, Curves]:
        outcomes = self._client.ask("curves", [{"id": 0, "path": str(path)}])
        try:
            for outcome in outcomes:
                if outcome is not None:
                    return _curves(outcome)
                yield Progress(0, 1)
        finally:
            outcomes.close()
        raise EngineError("worker.cancelled")


def _curves(outcome: ItemOutcome) -> Curves:
    if outcome.code is not None:
        raise EngineError(outcome.code, **outcome.error_values)
    values: Mapping[str, Any] = outcome.values or {}
    return Curves(
        float(values["step_s"]),
        pcm_samples(str(values["pitch_hz"])),
        pcm_samples(str(values["energy_dbfs"])),
        str(values["made_by"]),
    )
