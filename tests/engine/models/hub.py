"""A hub on loopback: the routes that list a repository and give its files, and the ways in which a server goes wrong."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

COMMIT = "c0ffee" * 6 + "c0ff"
WEIGHTS = bytes(range(256)) * 20_000  # 5.12 MB
LARGE = 1000  # bytes from which on a file is a large one, known by its SHA-256


@dataclass
class Hub:
    """What it serves and what it was asked.

    Attributes:
        cut_after: bytes after which the connection of a file breaks, taken one by one.
        stalls_after: bytes after which a file comes no further, until ``goes_on`` is set; ``stalled`` says when.
        swapped: content that is sent in place of the announced one, by name.
        ranges: (name, the Range header) of every request for a file's bytes.
    """

    files: dict[str, bytes]
    licence: str = "apache-2.0"
    cut_after: list[int] = field(default_factory=list)
    swapped: dict[str, bytes] = field(default_factory=dict)
    ignores_range: bool = False
    stalls_after: int = 0
    stalled: threading.Event = field(default_factory=threading.Event)
    goes_on: threading.Event = field(default_factory=threading.Event)
    listed: dict[str, bytes] = field(default_factory=dict)
    ranges: list[tuple[str, str]] = field(default_factory=list)
    status: int = 200
    address: str = ""

    def sum_of(self, name: str) -> str:
        content = self.files[name]
        if len(content) >= LARGE:
            return hashlib.sha256(content).hexdigest()
        return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()

    def listing(self) -> dict:
        siblings = []
        for name, content in {**self.files, **self.listed}.items():
            one = {
                "rfilename": name,
                "size": len(content),
                "blobId": hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest(),
            }
            if len(content) >= LARGE:
                one["lfs"] = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 130}
            siblings.append(one)
        return {
            "id": "maker/model",
            "sha": COMMIT,
            "private": False,
            "tags": [],
            "siblings": siblings,
            "cardData": {"license": self.licence} if self.licence else None,
        }


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def _answer(self, *, body: bool) -> None:
            path = unquote(self.path.split("?")[0])
            if hub.status != 200:
                self._send(hub.status, b"", {"X-Error-Code": "GatedRepo" if hub.status == 403 else ""})
            elif path.startswith("/api/models/maker/model"):
                self._send(200, json.dumps(hub.listing()).encode(), {"Content-Type": "application/json"})
            elif found := re.fullmatch(r"/maker/model/resolve/[^/]+/(.+)", path):
                self._file(found[1], body=body)
            else:
                self._send(404, b"", {"X-Error-Code": "RepoNotFound"})

        def _file(self, name: str, *, body: bool) -> None:
            if name not in hub.files:
                self._send(404, b"", {"X-Error-Code": "EntryNotFound"})
                return
            content = hub.swapped.get(name, hub.files[name])
            told = {"ETag": f'"{hub.sum_of(name)}"', "X-Repo-Commit": COMMIT, "Accept-Ranges": "bytes"}
            if not body:
                self._send(200, content, told, body=False)
                return
            asked = self.headers.get("Range", "")
            hub.ranges.append((name, asked))
            start = int(asked.removeprefix("bytes=").split("-")[0]) if asked and not hub.ignores_range else 0
            if start:
                told["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
            cut = hub.cut_after.pop(0) if hub.cut_after and len(content) >= LARGE else None
            self._send(206 if start else 200, content[start:], told, cut=cut)

        def _send(self, status: int, content: bytes, told: dict, *, body: bool = True, cut: int | None = None) -> None:
            self.send_response(status)
            for name, value in told.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if body and hub.stalls_after and len(content) >= LARGE:
                self.wfile.write(content[: hub.stalls_after])
                self.wfile.flush()
                hub.stalled.set()
                hub.goes_on.wait(60)
                self.close_connection = True
            elif body:
                self.wfile.write(content[:cut])
            if cut is not None:
                self.wfile.flush()
                self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    hub.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
