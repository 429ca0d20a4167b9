"""The process of an adapter as this side sees it: what it says as it says it, its death, and its last words."""

from __future__ import annotations

import contextlib
import io
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError
from engine.systems.adapter.adapter_worker import Message, encode, messages

_CLOSE_S = 5.0
_DRAIN_S = 5.0
_LOG_BYTES = 16_384


@dataclass(frozen=True, slots=True)
class Death:
    """The process ended; ``exit_code`` is negative for a signal."""

    exit_code: int

    def __str__(self) -> str:
        return f"signal {-self.exit_code}" if self.exit_code < 0 else f"exit code {self.exit_code}"


class AdapterProcess:
    """One process in a group of its own; it ends with this one. Its standard error goes to ``log_file``."""

    def __init__(self, command: Sequence[str], log_file: Path, environment: Mapping[str, str]) -> None:
        self._log_file = log_file
        log_file.parent.mkdir(parents=True, exist_ok=True)
        ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        try:
            with log_file.open("wb") as log:
                self._process = subprocess.Popen(
                    list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                    env={**ours, **environment},
                    process_group=0,
                )  # fmt: skip
        except OSError as error:
            raise EngineError("adapters.not_started", command=" ".join(command), reason=error.strerror or "") from error
        self._events: queue.Queue[Message | Death] = queue.Queue()
        self._sending = threading.Lock()
        self._reader = threading.Thread(target=self._read, name="adapter reader", daemon=True)
        self._reader.start()
        self._waiter = threading.Thread(target=self._wait, name="adapter waiter", daemon=True)
        self._waiter.start()

    def send(self, message: Message) -> None:
        """Hand a message over; one that is dead says so by its death."""
        pipe = self._process.stdin
        assert pipe is not None
        with self._sending, contextlib.suppress(OSError, ValueError):
            pipe.write(encode(message))
            pipe.flush()

    def next(self, deadline: float) -> Message | Death | None:
        """The next thing that it says, None at the deadline (monotonic)."""
        try:
            return self._events.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return None

    def end(self) -> None:
        """End it: by a word, and by force where that does not help."""
        self.send({"type": "bye"})
        self._end_input()
        self._waiter.join(_CLOSE_S)
        if self._waiter.is_alive():
            self.kill()

    def kill(self) -> None:
        """Kill it and all it started; returns when it is gone."""
        _kill_group(self._process.pid)
        self._waiter.join()

    def log_tail(self, lines: int = 5) -> str:
        """The last lines of its standard error, at most 2,000 characters."""
        with contextlib.suppress(OSError), self._log_file.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - _LOG_BYTES))
            told = log.read().decode("utf-8", "backslashreplace").splitlines()
            return "\n".join(told[-lines:])[-2000:]
        return ""

    def _end_input(self) -> None:
        assert self._process.stdin is not None
        with self._sending, contextlib.suppress(OSError, ValueError):
            self._process.stdin.close()

    def _read(self) -> None:
        pipe = self._process.stdout
        assert isinstance(pipe, io.BufferedReader)
        with pipe, contextlib.suppress(OSError, ValueError):
            for message in messages(pipe):
                if message["type"] != "heartbeat":
                    self._events.put(message)

    def _wait(self) -> None:
        # the group is killed while its dead leader still holds the number: no other group can have it
        os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        _kill_group(self._process.pid)
        code = self._process.wait()
        self._end_input()
        self._reader.join(_DRAIN_S)
        self._events.put(Death(code))


def _kill_group(process_id: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process_id, signal.SIGKILL)
