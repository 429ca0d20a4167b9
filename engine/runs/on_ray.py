"""Workers on a Ray cluster: each an actor that Ray places and that runs one worker; the driver alone writes."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import killpoints
from engine.errors import EngineError
from engine.installing import install_extra
from engine.runs.pool import ClientPool, Cluster, worker_logs
from engine.runs.ray_actor import WorkerActor
from engine.worker.client import Limits, WorkerClient
from engine.worker.process import COMMAND, Channel, Death, Event
from engine.worker.protocol import Message, encode

_OBJECT_STORE_BYTES = 100 << 20
_HELLO_S = 120.0  # from the moment that Ray has placed an actor
_QUIET = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": False}
_WAIT_FOR_ROOM_S = 7 * 24 * 3600.0
_CALL_S = 10.0
_SHARED = ".auricle-shared"  # a file that a worker sees only where it shares the driver's disk


Mark = tuple[str, str]  # a path, and what stands there where the disk is shared


class RayPool(ClientPool):
    """Workers as actors, as many as Ray finds room for; the others wait, and start when there is some."""

    def __init__(
        self, workers: int, folder: Path, commands: Sequence[Sequence[str]], limits: Limits, cluster: Cluster
    ) -> None:
        self._is_ours = _joined(cluster.address)
        try:
            wanted = _wanted(cluster)
            mark = _marked(folder)
            chosen = [tuple(commands[number % len(commands)]) if commands else () for number in range(workers)]
            self._openings = [_Opening(command, wanted, mark) for command in chosen]
            patient = replace(limits, start_s=_WAIT_FOR_ROOM_S)
            logs = worker_logs(folder, workers)
            super().__init__(
                [
                    WorkerClient(opening.command or COMMAND, log, patient, opened=opening)
                    for opening, log in zip(self._openings, logs)
                ]
            )
        except BaseException:
            self._leave()
            raise

    def close(self) -> None:
        """End all workers, and Ray itself where this pool started it."""
        super().close()
        for opening in self._openings:
            opening.wait()
        self._leave()

    def _leave(self) -> None:
        if self._is_ours:
            ray = _ray()
            ray.shutdown()


class _Opening:
    """Starts the actors of one client, one after another."""

    def __init__(self, command: tuple[str, ...], wanted: Mapping[str, Any], mark: Mark) -> None:
        self.command, self._wanted, self._mark = command, wanted, mark
        self._channels: list[RayChannel] = []

    def __call__(self, log_file: Path, is_first: bool) -> Channel:
        channel = RayChannel(self.command, self._wanted, self._mark, log_file, is_first=is_first)
        self._channels = [*(before for before in self._channels if before.is_going), channel]
        return channel

    def wait(self) -> None:
        """Wait until all that was started has ended; it was asked to."""
        for channel in self._channels:
            channel.join()


class RayChannel:
    """One actor. Its messages are fetched by a thread; when it dies with its machine, that is told as a death."""

    def __init__(
        self, command: Sequence[str], wanted: Mapping[str, Any], mark: Mark, log_file: Path, *, is_first: bool
    ) -> None:
        ray = _ray()
        self.events: queue.Queue[Event] = queue.Queue()
        self.shares_disk, self.place = False, ""
        self._log_file, self._mark = log_file, mark
        self._outbox: queue.Queue[bytes | None] = queue.Queue()
        self._ended = threading.Event()
        kill_at = os.environ.get(killpoints.VARIABLE, "") if is_first else ""
        actor = ray.remote(WorkerActor).options(max_restarts=0, max_concurrency=4, **wanted)
        self._actor = actor.remote(tuple(command), kill_at)
        self._threads: list[threading.Thread] = []
        for target in (self._fetch, self._write):
            self._start(target)

    @property
    def is_going(self) -> bool:
        """Whether anything of it is left to end."""
        return any(thread.is_alive() for thread in self._threads)

    def join(self) -> None:
        """Wait until it has ended."""
        for thread in self._threads:
            thread.join(_CALL_S)

    def send(self, message: Message) -> None:
        """Hand a message over; never waits. Raises what ``encode`` raises."""
        self._outbox.put(encode(message))

    def end_input(self) -> None:
        """Close the worker's input when all is sent: a worker ends at that."""
        self._outbox.put(None)

    def kill(self) -> None:
        """Kill the worker with all that it started, and then its actor."""
        self._start(lambda: self._end("it was ended"))

    def log_tail(self, lines: int = 5) -> str:
        """The last lines that the worker wrote, as far as they have come."""
        with contextlib.suppress(OSError):
            told = self._log_file.read_bytes()[-16_384:].decode("utf-8", "backslashreplace").splitlines()
            return "\n".join(told[-lines:])[-2000:]
        return ""

    def _start(self, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, name="speaks with a ray worker", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _fetch(self) -> None:
        ray = _ray()
        try:
            placed = ray.get(self._actor.begin.remote(*self._mark))
            self.place, self.shares_disk = placed
            hello_by = time.monotonic() + _HELLO_S
            while True:
                events, log = ray.get(self._actor.take.remote())
                self._keep(log)
                for event in events:
                    if isinstance(event, dict):
                        hello_by = float("inf")
                        event["received_ns"] = time.perf_counter_ns()
                    if isinstance(event, Death):
                        return self._end("", event)
                    self.events.put(event)
                if time.monotonic() > hello_by:
                    return self._end("it did not answer in time")
        except ray.exceptions.RayError as error:
            self._end(_reason(error))

    def _write(self) -> None:
        ray = _ray()
        with contextlib.suppress(ray.exceptions.RayError):  # it died: that is told by its death
            while (line := self._outbox.get()) is not None:
                ray.get(self._actor.send.remote(line))
            ray.get(self._actor.end_input.remote())

    def _end(self, told: str, death: Death | None = None) -> None:
        """End the actor, and tell its death once."""
        ray = _ray()
        if self._ended.is_set():
            return
        self._ended.set()
        self._outbox.put(None)
        if self.place:
            with contextlib.suppress(ray.exceptions.RayError):  # first: it may be deaf
                self._keep(ray.get(self._actor.end.remote(), timeout=_CALL_S))
        with contextlib.suppress(ray.exceptions.RayError, ValueError):
            ray.kill(self._actor)
        self.events.put(death or Death(-9, told))

    def _keep(self, log: bytes) -> None:
        if log:
            with contextlib.suppress(OSError), self._log_file.open("ab") as file:
                file.write(log)


def _marked(folder: Path) -> Mark:
    path, written = folder / _SHARED, str(time.time_ns())
    try:
        path.write_text(written, encoding="utf-8")
    except OSError as error:
        raise EngineError("store.cannot_write", path=str(path), why=error.strerror or str(error)) from error
    return str(path.resolve()), written


def _joined(address: str) -> bool:
    """Join the cluster at ``address``, the one there is, or start one of this machine; returns whether it did that.

    Raises EngineError ``runs.ray_missing``, ``runs.ray_unreachable`` or ``runs.ray_did_not_start``.
    """
    ray = _ray()
    if ray.is_initialized():
        return False
    wanted = address or os.environ.get("RAY_ADDRESS", "")
    found = wanted or _running_here()
    if wanted:
        _check_listens(wanted)
    if not found or not (wanted or _listens(found)):
        start_here()
        return True
    try:
        ray.init(address=found, **_QUIET)
    except (ConnectionError, RuntimeError, ValueError, OSError, ray.exceptions.RayError) as error:
        raise EngineError("runs.ray_unreachable", address=found, why=_first_line(error)) from error
    return True


def _running_here() -> str:
    """The address of the cluster that ``ray start`` has left word of on this machine; "" without any."""
    folder = os.environ.get("RAY_TMPDIR") or os.environ.get("TMPDIR") or "/tmp"
    try:
        return (Path(folder) / "ray" / "ray_current_cluster").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _check_listens(address: str) -> None:
    """Raises EngineError ``runs.ray_unreachable`` where nobody listens: Ray itself would try for minutes."""
    if "://" not in address and address not in ("auto", "local"):
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=_CALL_S).close()
        except (OSError, ValueError) as error:
            raise EngineError("runs.ray_unreachable", address=address, why=_first_line(error)) from error


def _listens(address: str) -> bool:
    try:
        _check_listens(address)
    except EngineError:
        return False
    return True


def start_here(**more: Any) -> None:
    """Start a Ray of this machine that nobody else reaches. Raises EngineError ``runs.ray_did_not_start``."""
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # what makes it stay on 127.0.0.1, on Linux too
    ray = _ray()
    with contextlib.suppress(AttributeError):  # it was read at the import
        ray._private.ray_constants.ENABLE_RAY_CLUSTER = False
    usual = {"include_dashboard": False, "object_store_memory": _OBJECT_STORE_BYTES, "_node_ip_address": "127.0.0.1"}
    try:
        ray.init(address="local", **usual, **_QUIET, **more)
    except (RuntimeError, ValueError, OSError, ray.exceptions.RayError) as error:
        raise EngineError("runs.ray_did_not_start", why=_first_line(error)) from error


def _ray() -> Any:
    """The package, imported when it is first wanted: it takes a while. Raises EngineError ``runs.ray_missing``."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise EngineError("runs.ray_missing", command=install_extra("ray")) from error


def _wanted(cluster: Cluster) -> dict[str, Any]:
    """The options of an actor; raises EngineError ``runs.ray_too_small`` where no node can ever hold one."""
    ray = _ray()
    there = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    wanted = {"CPU": 1.0, **cluster.resources}
    if cluster.wants_gpu and "GPU" not in wanted and any(node.get("GPU", 0) >= 1 for node in there):
        wanted["GPU"] = 1.0
    if not any(all(node.get(name, 0) >= amount for name, amount in wanted.items()) for node in there):
        told = "; ".join(_listed(node) for node in there)
        raise EngineError("runs.ray_too_small", wanted=_listed(wanted), there=told or "—")
    own = {name: amount for name, amount in wanted.items() if name not in ("CPU", "GPU", "memory")}
    options = {"num_cpus": wanted["CPU"], "num_gpus": wanted.get("GPU", 0), "resources": own}
    return {**options, "memory": wanted["memory"]} if "memory" in wanted else options


def _first_line(error: Exception) -> str:
    return next((line.strip()[:300] for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _listed(resources: Mapping[str, float]) -> str:
    kept = {name: n for name, n in resources.items() if not name.startswith(("node:", "object_store", "memory"))}
    return ", ".join(f"{amount:g} {name}" for name, amount in sorted(kept.items())) or "—"


def _reason(error: Exception) -> str:
    """How an actor ended, in a few words: what Ray says is a page."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    last = next((line for line in lines if line.startswith("The actor is dead")), lines[0] if lines else "")
    return f"{type(error).__name__}: {last}"[:200]
