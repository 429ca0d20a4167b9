"""The driver's side: asks a worker for many items, and outlives its hangs, bugs and deaths."""

from __future__ import annotations

import queue
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.worker.carried import Load, load
from engine.worker.process import COMMAND, Channel, Death, Event, Wake, WorkerProcess, worker_environment
from engine.worker.protocol import HEARTBEAT_S, PROTOCOL, Garbage, Message

_STARTS = 3  # tries, where it is not the worker that fails
_TROUBLES = 2  # an item that brings trouble so often, the second time alone, is passed over


@dataclass(frozen=True, slots=True)
class ItemOutcome:
    """What became of one item: ``values``, or the ``code`` of an error with its values.

    ``heard`` has seconds by the driver's clock to the first chunk with ``text``, with ``audio``, to the one that says
    ``end`` and to the outcome (``told``): from the chunk that says ``began``, without one from asking.
    """

    id: Any
    values: Mapping[str, Any] | None = None
    code: str | None = None
    error_values: Mapping[str, Any] = field(default_factory=dict)
    heard: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long the client waits, in seconds.

    ``request_s`` between two signs of a request (a result, an error, a step, which may ask for longer); ``start_s``
    for the hello; ``silence_s`` without any line, heartbeats included; ``cancel_s`` for a cancelled request to end.
    """

    request_s: float = 300.0
    start_s: float = 120.0
    silence_s: float = 60.0
    cancel_s: float = 30.0
    close_s: float = 5.0


Opened = Callable[[Path, bool], Channel]  # from (log file, whether it is the first one): a worker, started


@dataclass(slots=True)
class _Trouble:
    """A request that did not end well: what its items are told if it was not the first time."""

    code: str
    values: dict[str, Any]


class WorkerClient:
    """One worker at a time, started when first needed and again after a death.

    Not thread-safe but for ``cancel``. Close it when done: the worker's whole process group ends. ``shares_disk``
    says whether paths mean the same to it; where they do not, files travel in the messages. ``environment`` is what it
    is told beside that of this process.
    """

    def __init__(
        self,
        command: Sequence[str] = COMMAND,
        log_file: Path = Path("worker.log"),
        limits: Limits = Limits(),
        *,
        shares_disk: bool = True,
        opened: Opened | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command, self._log_file, self._limits = tuple(command), log_file, limits
        self._environment = dict(environment or {})
        self._shares_disk, self._opened = shares_disk, opened or self._open
        self._process: Channel | None = None
        self._starts = 0
        self.doing = ""  # "starting", the kind it was asked for, "over" when it was closed, "" while it waits
        self._last_id = 0
        self._cancelled = False
        self.abilities: tuple[str, ...] = ()
        self.restarts = 0  # how often a worker took the place of one that died or hung
        self.last_ending = ""  # how the last such one ended

    def start(self) -> None:
        """Start the worker if none runs and wait for its hello.

        Raises EngineError ``worker.did_not_start`` with its last lines, or ``worker.other_protocol``. Cancelled
        meanwhile, there is none. Where the machine under it went, another is tried.
        """
        if self._is_alive():
            return
        self.doing = "starting"
        try:
            hello = self._greeted()
            tries = 1
            while isinstance(hello, Death):
                if tries == _STARTS:
                    raise self._not_started(f"it ended with {_ending(hello)}", "")
                hello, tries = self._greeted(), tries + 1
        finally:
            self.doing = ""
        if hello is None:
            return
        if hello.get("protocol") != PROTOCOL:
            self.kill()
            raise EngineError("worker.other_protocol", theirs=hello.get("protocol"), ours=PROTOCOL)
        self.abilities = tuple(hello.get("abilities", ()))
        self._starts += 1
        self.restarts = self._starts - 1

    def _greeted(self) -> Message | Death | None:
        """Start a worker; its hello, the death of what it ran on, or None where that was cancelled."""
        try:
            self._process = self._opened(self._log_file, self._starts == 0)
        except OSError as error:
            raise self._not_started(f"{error.strerror}: {error.filename}", "") from error
        deadline = time.monotonic() + self._limits.start_s
        while not isinstance(event := self._next(deadline), dict) or event["type"] != "hello":
            if self._cancelled:
                self.kill()
                return None
            if event is None or isinstance(event, Death):
                process, self._process = self._process, None
                process.kill()
                if event is not None and event.told:
                    self.last_ending = event.told
                    return event
                reason = "it did not answer in time" if event is None else f"it ended with {_ending(event)}"
                raise self._not_started(reason, process.log_tail())
        return event

    def ask(
        self,
        kind: str,
        items: Sequence[Mapping[str, Any]],
        batch_size: int = 32,
        *,
        on_chunk: Callable[[Any, Message], None] | None = None,
        **settings: Any,
    ) -> Generator[ItemOutcome | None, None, None]:
        """Yields one outcome per item as each is complete; None where a second went by without one.

        ``items`` have an ``id`` each, unique. They are asked in batches; what is in flight when the worker dies,
        hangs or fails inside is asked again one by one, and what does so twice ends as ``worker.killed_twice``,
        ``worker.over_time`` or ``worker.bug``. Closing the generator cancels what is in flight. ``on_chunk`` gets an
        item's id and each part of its answer as it comes; of an item that is asked again, from the beginning.
        Raises EngineError with the worker's own code where a request as a whole cannot be answered.
        """
        self._cancelled = False
        batches = deque(list(items[start : start + batch_size]) for start in range(0, len(items), batch_size))
        troubles: Counter[Any] = Counter()
        while batches and not self._cancelled:
            batch = batches.popleft()
            self.start()
            if self._process is None:
                return  # cancelled before it was there
            sent = Load(batch, batch) if self._process.shares_disk else load(batch)
            for item, error in sent.failed:
                yield ItemOutcome(item, None, error.code, error.values)
            if sent.rest:
                batches.appendleft(sent.rest)
            open_items = {item["id"]: item for item in sent.taken}
            trouble = yield from self._request(kind, open_items, sent.told, settings, on_chunk)
            if trouble is None:
                continue
            for item in open_items.values():
                troubles[item["id"]] += 1
                if troubles[item["id"]] >= _TROUBLES:
                    yield ItemOutcome(item["id"], None, trouble.code, trouble.values)
            again = [item for item in open_items.values() if troubles[item["id"]] < _TROUBLES]
            batches.extendleft([item] for item in reversed(again))

    @property
    def place(self) -> str:
        """Where the worker runs; "" on this machine."""
        return self._process.place if self._process is not None else ""

    def cancel(self) -> None:
        """Stop the running ``ask`` from any thread: what is finished is still yielded, then the generator ends."""
        self._cancelled = True
        if (process := self._process) is not None:
            process.events.put(Wake())

    def kill(self) -> None:
        """Kill the worker at once; the next ``ask`` starts another."""
        if (process := self._process) is not None:
            self._process = None
            process.kill()

    def close(self) -> None:
        """End the worker: by a word, and by force where that does not help."""
        self.doing = "over"
        if self._process is None:
            return
        self._process.send({"type": "bye"})
        self._process.end_input()
        deadline = time.monotonic() + self._limits.close_s
        while (event := self._next(deadline)) is not None and not isinstance(event, Death):
            pass
        self.kill()

    def __enter__(self) -> WorkerClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _request(
        self,
        kind: str,
        open_items: dict[Any, Mapping[str, Any]],
        told: list[Mapping[str, Any]],
        settings: Mapping[str, Any],
        on_chunk: Callable[[Any, Message], None] | None,
    ) -> Generator[ItemOutcome | None, None, _Trouble | None]:
        """One ``ask``; takes what is answered out of ``open_items`` and returns the trouble it met, if any."""
        assert self._process is not None
        self._last_id += 1
        ask = _Ask(self._last_id, self._limits)
        # a folder of this machine is none of its own
        kept = {n: value for n, value in settings.items() if self._process.shares_disk or n != "answers"}
        self.doing = kind
        self._process.send({"type": "ask", "id": ask.id, "kind": kind, "items": told, "settings": kept})
        try:
            while open_items:
                if self._cancelled and not ask.is_cancelled:
                    ask.cancel(self._limits)
                    self._process.send({"type": "cancel", "id": ask.id})
                event = self._next(min(ask.wakes_at, time.monotonic() + HEARTBEAT_S))
                ask.saw(event, self._limits)
                if isinstance(event, Death):
                    return self._dead(event)
                # only when all is read: the driver itself may have been busy for long
                if self._process.events.empty() and (reason := ask.overdue()):
                    return self._hung(reason, kind)
                if not isinstance(event, dict) or event.get("id") != ask.id:
                    yield None
                    continue
                if event["type"] == "error" and "item" not in event:
                    return self._whole_request_failed(event)
                if event.get("item") not in open_items:
                    continue
                heard = ask.heard(event)
                if event["type"] == "chunk" and on_chunk is not None:
                    on_chunk(event["item"], event)
                elif event["type"] in ("result", "error"):
                    del open_items[event["item"]]
                    yield _outcome(event, heard)
        except GeneratorExit:
            if self._process is not None and not ask.is_cancelled:
                self._process.send({"type": "cancel", "id": ask.id})
            raise
        finally:
            self.doing = ""
        return None

    def _open(self, log_file: Path, is_first: bool) -> Channel:
        environment = worker_environment(is_first) | self._environment
        return WorkerProcess(self._command, log_file, environment, shares_disk=self._shares_disk)

    def _is_alive(self) -> bool:
        """Whether a worker runs, as far as is known; what it said while nobody asked is dropped."""
        while self._process is not None and not self._process.events.empty():
            if isinstance(self._process.events.get(), Death):
                self._process = None
        return self._process is not None

    def _next(self, deadline: float) -> Event | None:
        """The next event, or None at the deadline."""
        assert self._process is not None
        try:
            return self._process.events.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return None

    def _dead(self, death: Death) -> _Trouble | None:
        process, self._process = self._process, None
        if self._cancelled:
            return None
        log = process.log_tail() if process else ""
        self.last_ending = _ending(death)
        return _Trouble("worker.killed_twice", {"exit": _ending(death), "log": log, "log_file": str(self._log_file)})

    def _hung(self, reason: str, kind: str) -> _Trouble | None:
        log = self._process.log_tail() if self._process else ""
        self.last_ending = reason
        self.kill()
        if self._cancelled:
            return None
        values = {"kind": kind, "reason": reason, "log": log, "log_file": str(self._log_file)}
        return _Trouble("worker.over_time", values)

    def _whole_request_failed(self, event: Message) -> _Trouble | None:
        code, values = str(event.get("code")), dict(event.get("values") or {})
        if code == "worker.cancelled":
            return None
        if code == "worker.bug":
            return _Trouble(code, {**values, "log_file": str(self._log_file)})
        raise EngineError(code, **values)

    def _not_started(self, reason: str, log: str) -> EngineError:
        command = " ".join(self._command)
        return EngineError(
            "worker.did_not_start", command=command, reason=reason, log=log, log_file=str(self._log_file)
        )


class _Ask:
    """The clocks of one request."""

    def __init__(self, number: int, limits: Limits) -> None:
        self.id = number
        self.is_cancelled = False
        now = time.monotonic()
        self._answer_by, self._line_by = now + limits.request_s, now + limits.silence_s
        self._began_ns = time.perf_counter_ns()
        self._item_began_ns: dict[Any, int] = {}
        self._heard: dict[Any, dict[str, float]] = {}

    def heard(self, event: Message) -> Mapping[str, float]:
        """When which part of the answer to an item came, with this one."""
        item, now_ns = event["item"], int(event["received_ns"])
        if event.get("began"):
            self._item_began_ns[item] = now_ns
        heard = self._heard.setdefault(item, {})
        now = (now_ns - self._item_began_ns.get(item, self._began_ns)) / 1e9
        if event["type"] == "chunk":
            for part, name in (("text", "text"), ("pcm", "audio"), ("ended", "end")):
                if part in event:
                    heard.setdefault(name, now)
        else:
            heard["told"] = now
        return heard

    @property
    def wakes_at(self) -> float:
        return min(self._answer_by, self._line_by)

    def cancel(self, limits: Limits) -> None:
        self.is_cancelled = True
        self._answer_by = time.monotonic() + limits.cancel_s

    def saw(self, event: Event | None, limits: Limits) -> None:
        if event is None or isinstance(event, (Garbage, Wake)):
            return
        now = time.monotonic()
        self._line_by = now + limits.silence_s
        if isinstance(event, dict) and event.get("id") == self.id and not self.is_cancelled:
            self._answer_by = now + max(limits.request_s, float(event.get("limit_s") or 0.0))

    def overdue(self) -> str:
        """Which limit is passed: ``no_answer`` or ``no_heartbeat``; empty while none is."""
        now = time.monotonic()
        if now >= self._answer_by:
            return "no_answer"
        return "no_heartbeat" if now >= self._line_by else ""


def _outcome(event: Message, heard: Mapping[str, float]) -> ItemOutcome:
    values = dict(event.get("values") or {})
    if event["type"] == "error":
        return ItemOutcome(event["item"], None, str(event.get("code")), values, heard)
    return ItemOutcome(event["item"], values, heard=heard)


def _ending(death: Death) -> str:
    if death.told:
        return death.told
    return f"signal {-death.exit_code}" if death.exit_code < 0 else f"exit code {death.exit_code}"
