"""Several workers that share one list of items; the first to be free takes the next."""

from __future__ import annotations

import importlib.util
import queue
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from engine.errors import EngineError
from engine.worker.client import ItemOutcome, Limits, WorkerClient
from engine.worker.process import COMMAND
from engine.worker.protocol import HEARTBEAT_S, Message

_LOOK_S = 0.1
OnChunk = Callable[[Any, Message], None]


@dataclass(frozen=True, slots=True)
class Cluster:
    """What workers on a cluster need: ``address`` ("" finds it), ``resources`` of each worker by the cluster's names.

    A GPU is asked for where ``wants_gpu`` says so and the cluster has one; ``resources`` decide where they name it.
    """

    address: str = ""
    resources: Mapping[str, float] = field(default_factory=dict)
    wants_gpu: bool = False


HERE = Cluster()


def cluster(address: str, resources: Iterable[tuple[str, float]], device: str, *, is_heavy: bool) -> Cluster:
    """What workers of a run need: a GPU where ``device`` names one, or where a heavy one may have any device."""
    wanted = dict(resources)
    if device.startswith("cuda"):
        wanted.setdefault("GPU", 1.0)
    return Cluster(address, wanted, wants_gpu=is_heavy and device == "auto")


@dataclass(frozen=True, slots=True)
class WorkerState:
    """One worker now: ``doing`` is "starting", the kind it was asked for, "over", or "" while it has nothing to do.

    ``done`` items it has ended, ``restarts`` how often it was replaced, ``place`` where it runs ("" on this machine).
    """

    number: int
    doing: str
    done: int
    restarts: int
    place: str = ""


class Pool(Protocol):
    """Where items are worked on: on this machine, by a command that reaches another, or on a cluster."""

    @property
    def restarts(self) -> int:
        """How often a worker took the place of one that died or hung."""
        ...

    @property
    def last_ending(self) -> str:
        """How the last such one ended."""
        ...

    @property
    def workers(self) -> tuple[WorkerState, ...]:
        """What each worker does now."""
        ...

    def ask(
        self,
        kind: str,
        items: Sequence[Mapping[str, Any]],
        batch_size: int = 32,
        *,
        on_chunk: OnChunk | None = None,
        **settings: Any,
    ) -> Generator[ItemOutcome | None, None, None]:
        """One outcome per item as each is complete; None where a second went by without one.

        What WorkerClient.ask promises of one worker holds for all together. ``on_chunk`` may be called by any thread.
        """
        ...

    def close(self) -> None:
        """End all of them."""
        ...


class ClientPool:
    """Workers that are each spoken with by a client of its own, wherever they run."""

    def __init__(self, clients: Sequence[WorkerClient]) -> None:
        self._clients = list(clients)
        self._done = [0] * len(self._clients)

    @property
    def restarts(self) -> int:
        """How often a worker took the place of one that died or hung."""
        return sum(client.restarts for client in self._clients)

    @property
    def last_ending(self) -> str:
        """How the last such one ended."""
        return next((client.last_ending for client in self._clients if client.last_ending), "")

    @property
    def workers(self) -> tuple[WorkerState, ...]:
        """See Pool."""
        return tuple(
            WorkerState(number, client.doing, done, client.restarts, client.place)
            for number, (client, done) in enumerate(zip(self._clients, self._done))
        )

    def ask(
        self,
        kind: str,
        items: Sequence[Mapping[str, Any]],
        batch_size: int = 32,
        *,
        on_chunk: OnChunk | None = None,
        **settings: Any,
    ) -> Generator[ItemOutcome | None, None, None]:
        """See Pool. Each worker is fed by a thread of its own, so that none waits while results are written.

        ``items`` are looked at when they are asked, by that thread.
        """
        batches = deque(range(0, len(items), batch_size))
        left = len(items)
        found: queue.Queue[ItemOutcome | EngineError | BaseException | None] = queue.Queue()
        stopped = threading.Event()

        def feed(number: int, client: WorkerClient) -> None:
            try:
                while not stopped.is_set() and batches:
                    client.start()  # before a batch is taken: a cluster may have no room for it for long
                    try:
                        start = batches.popleft()
                    except IndexError:
                        break
                    told = {**settings, "worker": number}
                    batch = items[start : start + batch_size]
                    for outcome in client.ask(kind, batch, batch_size, on_chunk=on_chunk, **told):
                        if outcome is not None:
                            self._done[number] += 1
                            found.put(outcome)
            except BaseException as error:  # noqa: BLE001 - told to whoever waits, in its own thread
                found.put(error)
            finally:
                found.put(None)

        count = max(1, min(len(self._clients), len(batches)))
        threads = [
            threading.Thread(target=feed, args=(number, client), name=f"feeds worker {number}", daemon=True)
            for number, client in enumerate(self._clients[:count])
        ]
        for thread in threads:
            thread.start()
        going = len(threads)
        try:
            while going and left:
                try:
                    outcome = found.get(timeout=HEARTBEAT_S)
                except queue.Empty:
                    yield None
                    continue
                if outcome is None:
                    going -= 1
                elif isinstance(outcome, BaseException):
                    raise outcome
                else:
                    left -= 1
                    yield outcome
        finally:
            stopped.set()
            while any(thread.is_alive() for thread in threads):
                for client in self._clients:
                    client.cancel()  # again: one that had just begun has not seen it
                for thread in threads:
                    thread.join(_LOOK_S)

    def close(self) -> None:
        """End all workers and their process groups."""
        closing = [threading.Thread(target=client.close, daemon=True) for client in self._clients]
        for thread in closing:
            thread.start()
        for thread in closing:
            thread.join()


class LocalPool(ClientPool):
    """Workers that are started by commands, worker ``n`` by ``commands[n % len(commands)]``.

    A command may lead to another machine, so what it starts gets files in the messages; our own worker gets paths.
    """

    def __init__(
        self, workers: int, folder: Path, commands: Sequence[Sequence[str]] = (), limits: Limits | None = None
    ) -> None:
        ours = [tuple(command) for command in commands] or [COMMAND]
        super().__init__(
            [
                WorkerClient(ours[number % len(ours)], log, limits or Limits(), shares_disk=not commands)
                for number, log in enumerate(worker_logs(folder, workers))
            ]
        )


def worker_logs(folder: Path, workers: int) -> list[Path]:
    """The file that each worker's log goes to."""
    return [folder / ("worker.log" if number == 0 else f"worker-{number + 1}.log") for number in range(workers)]


def local_pool(
    workers: int, folder: Path, commands: Sequence[Sequence[str]], limits: Limits, _cluster: Cluster
) -> Pool:
    """Workers of this machine, or those that the commands reach."""
    return LocalPool(workers, folder, commands, limits)


def ray_pool(workers: int, folder: Path, commands: Sequence[Sequence[str]], limits: Limits, cluster: Cluster) -> Pool:
    """Workers on a Ray cluster; raises EngineError ``runs.ray_*``."""
    from engine.runs.on_ray import RayPool  # what stands on an optional package

    return RayPool(workers, folder, commands, limits, cluster)


def made_pool(
    place: str,
    workers: int,
    folder: Path,
    commands: Sequence[Sequence[str]],
    limits: Limits,
    cluster: Cluster = HERE,
) -> Pool:
    """The workers of a run at ``place``; raises EngineError ``runs.no_such_place``."""
    check_place(place)
    return PLACES[place](workers, folder, commands, limits, cluster)


def check_place(place: str) -> None:
    """Raises EngineError ``runs.no_such_place``, or ``runs.ray_missing`` without its package."""
    if place not in PLACES:
        raise EngineError("runs.no_such_place", place=place, known=", ".join(PLACES))
    if place == "ray" and importlib.util.find_spec("ray") is None:
        raise EngineError("runs.ray_missing")


Made = Callable[[int, Path, Sequence[Sequence[str]], Limits, Cluster], Pool]

#: Where a run may be: ``--on``. Each makes a pool from (workers, folder, commands, limits, cluster).
PLACES: dict[str, Made] = {"local": local_pool, "ray": ray_pool}
