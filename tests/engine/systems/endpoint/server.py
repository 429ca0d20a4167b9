"""A real server on loopback that speaks any form of chat, transcription and speech; each test says what it sends."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked: the JSON, or the fields and files of a form."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]


@dataclass(slots=True)
class Answer:
    """What is sent: ``parts`` one after another; ``cut`` promises more than is sent."""

    parts: list[bytes]
    content_type: str = "application/json"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False


def whole(body: Any, status: int = 200, **headers: str) -> Answer:
    return Answer([json.dumps(body, ensure_ascii=False).encode()], status=status, headers=headers)


def stream(*events: Any, end: bool = True) -> Answer:
    lines = [b"data: " + json.dumps(event, ensure_ascii=False).encode() + b"\n\n" for event in events]
    return Answer([b": keep the line open\n\n", *lines, *([b"data: [DONE]\n\n"] if end else [])], "text/event-stream")


def delta(finish: str | None = None, **values: Any) -> dict[str, Any]:
    return {"model": "loopback", "choices": [{"index": 0, "delta": values, "finish_reason": finish}]}


class FormServer:
    """Answers with what ``answer(request, count)`` gives; ``requests`` has what it was asked."""

    def __init__(self, answer: Callable[[Request, int], Answer]) -> None:
        self.requests: list[Request] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["content-length"]))
                request = Request(self.path, _read(self.headers["content-type"], data), dict(self.headers))
                server.requests.append(request)
                self._send(answer(request, len(server.requests)))

            def _send(self, found: Answer) -> None:
                self.send_response(found.status)
                length = sum(map(len, found.parts)) + (100 if found.cut else 0)
                headers = {"content-type": found.content_type, "content-length": str(length), **found.headers}
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for part in found.parts:
                    self.wfile.write(part)
                    self.wfile.flush()
                self.close_connection = found.cut

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _read(content_type: str, data: bytes) -> Mapping[str, Any]:
    if not content_type.startswith("multipart/"):
        return dict(json.loads(data))
    form = BytesParser(policy=HTTP).parsebytes(b"content-type: " + content_type.encode() + b"\r\n\r\n" + data)
    return dict(_fields(form))


def _fields(form: Any) -> Iterator[tuple[str, Any]]:
    for part in form.iter_parts():
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        yield name, (part.get_filename(), content) if part.get_filename() else content.decode()
