"""A worker as a process: started, written to, read from, and its death told with all that it said before."""

from __future__ import annotations

import contextlib
import io
import os
import queue
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import engine
from engine import killpoints
from engine.worker.protocol import Garbage, Message, encode, messages

#: Ours, on this machine. ``-P`` keeps a folder ``engine`` of the current directory from being taken for it.
COMMAND = (sys.executable, "-P", "-m", "engine.worker")

_LARGEST_LOG = 16 << 20
_DRAIN_S = 5.0  # after a death its pipe ends as soon as its group is gone


@dataclass(frozen=True, slots=True)
class Death:
    """The process ended; ``exit_code`` is negative for a signal, ``told`` says more where that is known."""

    exit_code: int
    told: str = ""


@dataclass(frozen=True, slots=True)
class Wake:
    """Somebody wants the reader of the events to look up."""


Event = Message | Garbage | Death | Wake


class Channel(Protocol):
    """A worker as it is spoken with, wherever it runs."""

    @property
    def events(self) -> queue.Queue[Event]:
        """Its messages in order and, after the last of them, its death."""
        ...

    @property
    def shares_disk(self) -> bool:
        """Whether the paths of this machine lead to the same files there."""
        ...

    @property
    def place(self) -> str:
        """Where it runs; "" on this machine or where nobody knows."""
        ...

    def send(self, message: Message) -> None:
        """Hand a message over; never waits. Raises what ``encode`` raises."""
        ...

    def end_input(self) -> None:
        """Let it end when it has read all."""
        ...

    def kill(self) -> None:
        """End it and all it started, at once."""
        ...

    def log_tail(self, lines: int = 5) -> str:
        """The last lines that it wrote beside the protocol."""
        ...


class WorkerProcess:
    """One process of this machine. ``events`` has its messages in order and, after the last of them, its death."""

    place = ""

    def __init__(
        self, command: Sequence[str], log_file: Path, environment: Mapping[str, str], *, shares_disk: bool = True
    ) -> None:
        self.events: queue.Queue[Event] = queue.Queue()
        self.shares_disk = shares_disk
        self._outbox: queue.Queue[bytes | None] = queue.Queue()
        self._log_file = log_file
        _roll(log_file)
        self._log_start = log_file.stat().st_size if log_file.exists() else 0
        with log_file.open("ab") as log:
            self._process = subprocess.Popen(
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=dict(environment),
                process_group=0,
            )  # fmt: skip
        self._reader = threading.Thread(target=self._read, name="worker reader", daemon=True)
        self._reader.start()
        for target in (self._write, self._wait):
            threading.Thread(target=target, name=f"worker {target.__name__}", daemon=True).start()

    def send(self, message: Message) -> None:
        """Hand a message over; never waits for the process to read it. Raises what ``encode`` raises."""
        self.send_line(encode(message))

    def send_line(self, line: bytes) -> None:
        """Hand over a message that is encoded."""
        self._outbox.put(line)

    def end_input(self) -> None:
        """Close the process's input when all is sent: a worker ends at that."""
        self._outbox.put(None)

    def kill(self) -> None:
        """Kill the process and its group; its death comes as an event."""
        _kill_group(self._process.pid)

    def log_tail(self, lines: int = 5) -> str:
        """The last lines that this process wrote to its log, at most 2,000 characters."""
        with contextlib.suppress(OSError), self._log_file.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            log.seek(max(self._log_start, size - 16_384))
            told = log.read().decode("utf-8", "backslashreplace").splitlines()
            return "\n".join(told[-lines:])[-2000:]
        return ""

    def _read(self) -> None:
        pipe = self._process.stdout
        assert isinstance(pipe, io.BufferedReader)
        with pipe, contextlib.suppress(OSError, ValueError):
            for message in messages(pipe):
                if isinstance(message, dict):
                    message["received_ns"] = time.perf_counter_ns()  # the driver may come to it later
                self.events.put(message)

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with contextlib.suppress(OSError, ValueError):  # it died: that is told by its death
            while (line := self._outbox.get()) is not None:
                pipe.write(line)
                pipe.flush()
        with contextlib.suppress(OSError, ValueError):
            pipe.close()

    def _wait(self) -> None:
        # the group is killed while its dead leader still holds the number: no other group can have it
        if hasattr(os, "waitid"):
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
            _kill_group(self._process.pid)
        code = self._process.wait()
        self._outbox.put(None)
        self._reader.join(_DRAIN_S)
        self.events.put(Death(code))


def worker_environment(is_first: bool) -> dict[str, str]:
    """The environment of a worker of ours: UTF-8, and this ``engine`` found wherever it lies.

    A named kill of a test happens once: a worker that takes the place of another is started without it.
    """
    environment = {**os.environ, "PYTHONUTF8": "1"}
    home = str(Path(engine.__file__).resolve().parents[1])
    if home != sysconfig.get_path("purelib"):
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    if not is_first:
        environment.pop(killpoints.VARIABLE, None)
    return environment


def _kill_group(process_id: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process_id, signal.SIGKILL)


def _roll(log_file: Path) -> None:
    """Put a log that has grown large aside; one is kept."""
    log_file.parent.mkdir(parents=True, exist_ok=True)
    if log_file.exists() and log_file.stat().st_size > _LARGEST_LOG:
        log_file.replace(log_file.with_suffix(".1.log"))
