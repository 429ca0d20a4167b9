"""The worker's side of the protocol: threads that read and beat, and the loop that answers."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import stat
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from engine import killpoints
from engine.errors import EngineError
from engine.worker.protocol import HEARTBEAT_S, PROTOCOL, Garbage, Message, encode, messages
from engine.worker.scratch import remove_scratch


@dataclass(frozen=True, slots=True)
class Request:
    """One ``ask``: what is wanted of which items, and whether it is still wanted."""

    id: int
    kind: str
    items: tuple[Mapping[str, Any], ...]
    settings: Mapping[str, Any]
    _cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def is_cancelled(self) -> bool:
        """True once the driver has cancelled; a kind looks between two steps."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Take note that the driver does not want it any more."""
        self._cancelled.set()


@dataclass(frozen=True, slots=True)
class Done:
    """An item's result."""

    item: Any
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """An item that cannot be answered, with the error's code and values; the others go on."""

    item: Any
    error: EngineError


@dataclass(frozen=True, slots=True)
class Step:
    """Sign of life of a long step, such as loading a model, and how long it may take until the next sign."""

    label: str
    limit_s: float | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of an item's answer, told before its result."""

    item: Any
    values: Mapping[str, Any]


Answer = Done | Failed | Step | Chunk
Kind = Callable[[Request], Iterator[Answer]]

_LARGEST_LOG = 64 << 20


def own_group() -> None:
    """Make this process the leader of a group, so that what it starts ends with it."""
    if hasattr(os, "setpgid"):
        with contextlib.suppress(PermissionError):  # a session's leader has its own group already
            os.setpgid(0, 0)


class Server:
    """Answers requests one after another; a thread of its own sees ``cancel`` and the end of input meanwhile."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO, kinds: Mapping[str, Kind]) -> None:
        self._incoming, self._outgoing, self._kinds = incoming, outgoing, kinds
        self._sending = threading.Lock()
        self._requests: queue.Queue[Request | None] = queue.Queue()
        self._open: dict[int, Request] = {}

    def run(self) -> None:
        """Say hello, answer until ``bye``; at the end of input the process group is killed at once."""
        self._send({"type": "hello", "protocol": PROTOCOL, "abilities": sorted(self._kinds), "process": os.getpid()})
        threading.Thread(target=self._read, name="reader", daemon=True).start()
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()
        while (request := self._requests.get()) is not None:
            killpoints.point("worker.ask")
            self._answer(request)
            self._open.pop(request.id, None)
        self._send({"type": "bye"})

    def _answer(self, request: Request) -> None:
        kind = self._kinds.get(request.kind)
        if kind is None:
            known = ", ".join(sorted(self._kinds))
            return self._fail(request, None, EngineError("worker.unknown_kind", kind=request.kind, known=known))
        answers = iter(kind(request))
        try:
            for answer in answers:
                self._tell(request, answer)
                if request.is_cancelled:
                    break
        except EngineError as error:
            return self._fail(request, None, error)
        except Exception as error:  # noqa: BLE001 - the process's edge: a bug becomes an error, its traceback a log
            traceback.print_exc()
            sys.stderr.flush()
            return self._fail(request, None, EngineError("worker.bug", what=f"{type(error).__name__}: {error}"))
        finally:
            with contextlib.suppress(AttributeError):
                answers.close()  # type: ignore[attr-defined]
        if request.is_cancelled:
            self._fail(request, None, EngineError("worker.cancelled"))
        return None

    def _tell(self, request: Request, answer: Answer) -> None:
        if isinstance(answer, Step):
            limit = {} if answer.limit_s is None else {"limit_s": answer.limit_s}
            self._send({"type": "progress", "id": request.id, "label": answer.label, **limit})
        elif isinstance(answer, Chunk):
            self._send({"type": "chunk", "id": request.id, "item": answer.item, **answer.values})
        elif isinstance(answer, Failed):
            self._fail(request, answer.item, answer.error)
        else:
            killpoints.point("worker.result")
            try:
                self._send({"type": "result", "id": request.id, "item": answer.item, "values": dict(answer.values)})
            except EngineError as error:  # a result longer than a line may be
                self._fail(request, answer.item, error)
            killpoints.point("worker.told")

    def _fail(self, request: Request, item: Any, error: EngineError) -> None:
        told = {} if item is None else {"item": item}
        self._send({"type": "error", "id": request.id, **told, "code": error.code, "values": error.values})

    def _send(self, message: Message) -> None:
        line = encode(message)
        with self._sending:
            while line:
                line = line[self._outgoing.write(line) :]

    def _read(self) -> None:
        for message in messages(self._incoming):
            if isinstance(message, Garbage):
                print(f"passed over: {message.why}: {message.excerpt}", file=sys.stderr, flush=True)  # noqa: T201
            elif message["type"] == "ask":
                self._take(message)
            elif message["type"] == "cancel" and (request := self._open.get(message.get("id", -1))):
                request.cancel()
            elif message["type"] == "bye":
                self._requests.put(None)
                return
        _end_group()

    def _take(self, message: Message) -> None:
        items = tuple(item for item in message.get("items", ()) if isinstance(item, dict))
        request = Request(int(message["id"]), str(message.get("kind")), items, dict(message.get("settings") or {}))
        self._open[request.id] = request
        self._requests.put(request)

    def _beat(self) -> None:
        waiting = threading.Event()
        with contextlib.suppress(OSError, ValueError):  # the driver is gone: the reader ends the process
            while not waiting.wait(HEARTBEAT_S):
                self._send({"type": "heartbeat"})
                _shorten_log()


def _shorten_log() -> None:
    """Empty the file behind standard error where what is asked floods it: its disk is the workspace's."""
    told = os.fstat(2)
    if stat.S_ISREG(told.st_mode) and told.st_size > _LARGEST_LOG:
        os.ftruncate(2, 0)


def _end_group() -> None:
    """End this process and all it started: nobody is there to answer to."""
    remove_scratch()
    if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)
