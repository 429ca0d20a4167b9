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
from engine.installing import install_extra
from engine.worker.client import ItemOutcome, Limits, WorkerClient
from engine.worker.gpus import gpu_count, gpu_of_worker
from engine.worker.process import COMMAND
from engine.worker.protocol import HEARTBEAT_S, Message

_LOOK_S = 0.1
OnChunk = Callable[[Any, Message], None]


@dataclass(frozen=True, slots=True)
class Cluster:
    """What workers on a cluster need: ``address`` ("" finds it), ``resources`` of each worker by the cluster's names.

    A GPU is asked for where ``wants_gpu`` says so and the cluster has one; ``resources`` decide where they name it.
    ``one_gpu_each`` is for workers of this machine: of several GPUs each sees one.
    """

    address: str = ""
    resources: Mapping[str, float] = field(default_factory=dict)
    wants_gpu: bool = False
    one_gpu_each: bool = False


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


@dataclass(slots=True)
class _Asked:
    """What was asked of all workers together: where the batches begin that none has taken yet, and what came back."""

    kind: str
    items: Sequence[Mapping[str, Any]]
    batch_size: int
    on_chunk: OnChunk | None
    settings: Mapping[str, Any]
    batches: deque[int]
    found: queue.Queue[ItemOutcome | BaseException | None] = field(default_factory=queue.Queue)
    stopped: threading.Event = field(default_factory=threading.Event)

    def next_batch(self) -> Sequence[Mapping[str, Any]] | None:
        """The batch for whoever asks first; None where another took the last one."""
        try:
            start = self.batches.popleft()
        except IndexError:
            return None
        return self.items[start : start + self.batch_size]

    def outcomes(self, going: int) -> Generator[ItemOutcome | None, None, None]:
        """What comes back while ``going`` threads feed workers, each of which says by a None that it has ended."""
        left = len(self.items)
        while going and left:
            try:
                outcome = self.found.get(timeout=HEARTBEAT_S)
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
        asked = _Asked(kind, items, batch_size, on_chunk, settings, deque(range(0, len(items), batch_size)))
        count = max(1, min(len(self._clients), len(asked.batches)))
        threads = [
            threading.Thread(target=self._feed, args=(number, asked), name=f"feeds worker {number}", daemon=True)
            for number in range(count)
        ]
        for thread in threads:
            thread.start()
        try:
            yield from asked.outcomes(len(threads))
        finally:
            asked.stopped.set()
            while any(thread.is_alive() for thread in threads):
                for client in self._clients:
                    client.cancel()  # again: one that had just begun has not seen it
                for thread in threads:
                    thread.join(_LOOK_S)

    def _feed(self, number: int, asked: _Asked) -> None:
        """Ask one worker batch after batch, in a thread of its own, until none is left."""
        client, told = self._clients[number], {**asked.settings, "worker": number}
        try:
            while not asked.stopped.is_set() and asked.batches:
                client.start()  # before a batch is taken: a cluster may have no room for it for long
                batch = asked.next_batch()
                if batch is None:
                    break
                for outcome in client.ask(asked.kind, batch, asked.batch_size, on_chunk=asked.on_chunk, **told):
                    if outcome is not None:
                        self._done[number] += 1
                        asked.found.put(outcome)
        except BaseException as error:  # noqa: BLE001 - told to whoever waits, in its own thread
            asked.found.put(error)
        finally:
            asked.found.put(None)

    def close(self) -> None:
        """End all workers and their process groups."""
        closing = [threading.Thread(target=client.close, daemon=True) for client in self._clients]
        for thread in closing:
            thread.start()
        for thread in closing:
            thread.join()


class LocalPool(ClientPool):
    """Workers that are started by commands, worker ``n`` by ``commands[n % len(commands)]``.

    A command may lead to another machine, so what it starts gets files in the messages; our own worker gets paths. Of
    several ``gpus`` each of our own sees one.
    """

    def __init__(
        self,
        workers: int,
        folder: Path,
        commands: Sequence[Sequence[str]] = (),
        limits: Limits | None = None,
        *,
        gpus: int = 0,
    ) -> None:
        ours = [tuple(command) for command in commands] or [COMMAND]
        super().__init__(
            [
                WorkerClient(
                    ours[number % len(ours)],
                    log,
                    limits or Limits(),
                    shares_disk=not commands,
                    environment={} if commands else gpu_of_worker(number, workers, gpus),
                )
                for number, log in enumerate(worker_logs(folder, workers))
            ]
        )


def worker_logs(folder: Path, workers: int) -> list[Path]:
    """The file that each worker's log goes to."""
    return [folder / ("worker.log" if number == 0 else f"worker-{number + 1}.log") for number in range(workers)]


def local_pool(workers: int, folder: Path, commands: Sequence[Sequence[str]], limits: Limits, cluster: Cluster) -> Pool:
    """Workers of this machine, or those that the commands reach."""
    gpus = gpu_count() if cluster.one_gpu_each and workers > 1 and not commands else 0
    return LocalPool(workers, folder, commands, limits, gpus=gpus)


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
        raise EngineError("runs.no_such_place", place=place, known=list(PLACES))
    if place == "ray" and importlib.util.find_spec("ray") is None:
        raise EngineError("runs.ray_missing", command=install_extra("ray"))


Made = Callable[[int, Path, Sequence[Sequence[str]], Limits, Cluster], Pool]

#: Where a run may be: ``--on``. Each makes a pool from (workers, folder, commands, limits, cluster).
PLACES: dict[str, Made] = {"local": local_pool, "ray": ray_pool}
