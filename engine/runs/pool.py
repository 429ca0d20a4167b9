"""Several workers that share one list of items; the first to be free takes the next."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from engine.errors import EngineError
from engine.worker.client import ItemOutcome, Limits, WorkerClient
from engine.worker.process import COMMAND
from engine.worker.protocol import HEARTBEAT_S, Message

_LOOK_S = 0.1
OnChunk = Callable[[Any, Message], None]


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


class LocalPool:
    """Workers that are started by commands, worker ``n`` by ``commands[n % len(commands)]``."""

    def __init__(
        self, workers: int, folder: Path, commands: Sequence[Sequence[str]] = (), limits: Limits | None = None
    ) -> None:
        ours = [tuple(command) for command in commands] or [COMMAND]
        logs = [folder / ("worker.log" if number == 0 else f"worker-{number + 1}.log") for number in range(workers)]
        self._clients = [
            WorkerClient(ours[number % len(ours)], log, limits or Limits()) for number, log in enumerate(logs)
        ]

    @property
    def restarts(self) -> int:
        """How often a worker took the place of one that died or hung."""
        return sum(client.restarts for client in self._clients)

    @property
    def last_ending(self) -> str:
        """How the last such one ended."""
        return next((client.last_ending for client in self._clients if client.last_ending), "")

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
        found: queue.Queue[ItemOutcome | EngineError | BaseException | None] = queue.Queue()
        stopped = threading.Event()

        def feed(number: int, client: WorkerClient) -> None:
            try:
                while not stopped.is_set():
                    try:
                        start = batches.popleft()
                    except IndexError:
                        break
                    told = {**settings, "worker": number}
                    batch = items[start : start + batch_size]
                    for outcome in client.ask(kind, batch, batch_size, on_chunk=on_chunk, **told):
                        if outcome is not None:
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
            while going:
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


def local_pool(workers: int, folder: Path, commands: Sequence[Sequence[str]], limits: Limits) -> Pool:
    """Workers of this machine, or those that the commands reach."""
    return LocalPool(workers, folder, commands, limits)


def made_pool(place: str, workers: int, folder: Path, commands: Sequence[Sequence[str]], limits: Limits) -> Pool:
    """The workers of a run at ``place``; raises EngineError ``runs.no_such_place``."""
    if place not in PLACES:
        raise EngineError("runs.no_such_place", place=place, known=", ".join(PLACES))
    return PLACES[place](workers, folder, commands, limits)


#: Where a run may be: ``--on``. Each makes a pool from (workers, folder, commands, limits).
PLACES: dict[str, Callable[[int, Path, Sequence[Sequence[str]], Limits], Pool]] = {"local": local_pool}
