"""What runs where Ray places a worker: the worker as a process of its own, so that its faults end it alone."""

from __future__ import annotations

import os
import platform
import queue
import tempfile
from collections.abc import Sequence
from pathlib import Path

from engine import killpoints
from engine.worker.process import COMMAND, Event, WorkerProcess, worker_environment

_LOOK_S = 1.0
_MOST_LOG = 64 << 10  # of one look; a flood is passed over


class WorkerActor:
    """Holds one worker and hands on what it says. Killed, its worker sees the end of its input and ends too.

    Its methods are called by several threads at once.
    """

    def __init__(self, command: Sequence[str], kill_at: str) -> None:
        if kill_at:
            os.environ[killpoints.VARIABLE] = kill_at
        else:
            os.environ.pop(killpoints.VARIABLE, None)
        self._folder = tempfile.TemporaryDirectory(prefix="auricle-ray-", ignore_cleanup_errors=True)
        self._log = Path(self._folder.name) / "worker.log"
        self._told = 0
        environment = worker_environment(is_first=bool(kill_at))
        self._process = WorkerProcess(command or COMMAND, self._log, environment)

    def begin(self, mark: str, written: str) -> tuple[str, bool]:
        """The name of this machine and process, and whether it sees the driver's files."""
        try:
            shares = Path(mark).read_text(encoding="utf-8") == written
        except OSError:
            shares = False
        return f"{platform.node()} {os.getpid()}", shares

    def take(self) -> tuple[list[Event], bytes]:
        """What the worker said since, and what it wrote to its log; waits a second for anything."""
        events = []
        try:
            events.append(self._process.events.get(timeout=_LOOK_S))
            while True:
                events.append(self._process.events.get_nowait())
        except queue.Empty:
            pass
        killpoints.point("ray.take")
        return events, self._new_log()

    def send(self, line: bytes) -> None:
        """Hand a line of the protocol over."""
        killpoints.point("ray.send")
        self._process.send_line(line)

    def end_input(self) -> None:
        """Close the worker's input."""
        self._process.end_input()

    def end(self) -> bytes:
        """Kill the worker and all that it started; what was new in its log."""
        self._process.kill()
        log = self._new_log()
        self._folder.cleanup()  # the actor is killed next, and would leave it
        return log

    def _new_log(self) -> bytes:
        try:
            size = self._log.stat().st_size
            start = max(self._told if self._told <= size else 0, size - _MOST_LOG)
            with self._log.open("rb") as log:
                log.seek(start)
                added = log.read(_MOST_LOG)
        except OSError:
            return b""
        self._told = start + len(added)
        return added
