"""A real endpoint on loopback whose every reply the test decides; other rooms' tests may use it too.

``with Server(reply) as server:`` runs it on a thread; ``server.base_url`` is its address, ``server.requests`` what it
was asked. ``reply(body, count)`` returns a ``Reply`` (or text, for a healthy completion with that content).
Run as a program (``python -m tests.engine.judges.server SECONDS``) it prints its address and answers after SECONDS.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP reply; ``cut`` sends half and hangs up, ``nothing`` hangs up at once, ``hang`` never answers."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""  # "", "cut", "nothing", "hang"


def completion(content: str, **usage: int) -> Reply:
    """A healthy chat completion."""
    message = {"role": "assistant", "content": content}
    body: dict[str, Any] = {
        "id": "c",
        "model": "loopback",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
    }
    if usage:
        body["usage"] = usage
    return json_reply(body)


def json_reply(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """``body`` as JSON; the headers are sent as given (Content-Type only if among them, or if none are given)."""
    headers = {"content-type": "application/json"} if headers is None else headers
    return Reply(json.dumps(body, ensure_ascii=False).encode(), status, headers)


FAULTS = (
    json_reply({"error": {"message": "slow down", "code": "rate_limit_exceeded"}}, 429),
    json_reply({"error": {"message": "internal error"}}, 500),
    Reply(
        b'{"id": "c", "choices": [{"index": 0, "message": {"role": "assistant"',
        200,
        {"content-type": "application/json"},
    ),
    Reply(completion("判断：正确").body, fault="cut"),
    Reply(fault="nothing"),
    Reply(b""),
)


def faulty(reply: Callable[[Mapping[str, Any]], Reply | str], share: float, seed: int) -> Callable[..., Reply | str]:
    """``reply`` with that share of calls answered by one of FAULTS, by a seeded chance."""
    chance = random.Random(seed)

    def answer(body: Mapping[str, Any], count: int) -> Reply | str:
        return chance.choice(FAULTS) if chance.random() < share else reply(body)

    return answer


class Server:
    """An HTTP/1.1 server on 127.0.0.1, kept alive between requests, on a thread of its own."""

    def __init__(self, reply: Callable[[Mapping[str, Any], int], Reply | str], delay_s: float = 0.0) -> None:
        self._reply, self._delay_s = reply, delay_s
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = self._at_once = 0
        self._loop = asyncio.new_event_loop()
        self._connections: set[asyncio.Task[None]] = set()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._stopping = asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0)
        self.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        self._ready.set()
        await self._stopping.wait()
        server.close()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        headers = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))) or b"{}")
        self.requests.append(body)
        self.headers.append(dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line))
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if self._delay_s:
                await asyncio.sleep(self._delay_s)
            found = self._reply(body, len(self.requests))
        finally:
            self._at_once -= 1
        return await self._write(writer, completion(found) if isinstance(found, str) else found)

    async def _write(self, writer: asyncio.StreamWriter, reply: Reply) -> bool:
        if reply.fault == "hang":
            await self._stopping.wait()
        if reply.fault in ("nothing", "hang"):
            return False
        fields = {**reply.headers, "content-length": str(len(reply.body))}
        head = f"HTTP/1.1 {reply.status} X\r\n" + "".join(f"{key}: {value}\r\n" for key, value in fields.items())
        sent = reply.body[: len(reply.body) // 2] if reply.fault == "cut" else reply.body
        writer.write(head.encode("latin-1") + b"\r\n" + sent)
        await writer.drain()
        return not reply.fault


if __name__ == "__main__":
    with Server(lambda body, count: "理由：一致。\n判断：正确", float(sys.argv[1])) as running:
        sys.stdout.write(running.base_url + "\n")
        sys.stdout.flush()
        sys.stdin.read()
