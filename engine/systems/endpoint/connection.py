"""One open connection to an endpoint: sends a request, gives the reply as it comes, and asks again where that helps."""

from __future__ import annotations

import contextlib
import json
import random
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from engine.endpoints.keys import ApiKey, find_key, is_local
from engine.endpoints.waiting import after_asked_s, asked_wait_s, backoff_s
from engine.systems.endpoint.failures import CallError, failure_of_status
from engine.systems.endpoint.settings import EndpointSettings

if TYPE_CHECKING:
    import httpx2  # what openai's client stands on

Piece = TypeVar("Piece")
_LONGEST_BODY = 512 << 20  # over two hours of sound as base64


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply whose status is good; ``chunks`` gives its bytes as they come."""

    content_type: str
    chunks: Iterator[bytes]

    def whole(self) -> bytes:
        """All its bytes."""
        return b"".join(self.chunks)

    def lines(self) -> Iterator[bytes]:
        """Its lines as they are complete, without their ends."""
        rest = b""
        for chunk in self.chunks:
            *complete, rest = (rest + chunk).split(b"\n")
            yield from (line.rstrip(b"\r") for line in complete)
        if rest:
            yield rest


class Connection:
    """Keeps the way to one endpoint open between asks. ``pause`` waits so many seconds before a new try."""

    def __init__(self, settings: EndpointSettings, pause: Callable[[float], None] = time.sleep) -> None:
        import httpx2

        self.settings, self._pause = settings, pause
        self.key = find_key(settings.base_url, settings.key_env) or ApiKey("")
        self.where = {"base_url": settings.base_url, "model": settings.model}
        self._chance = random.Random()
        headers = {"authorization": f"Bearer {self.key.reveal() or 'none'}", "user-agent": "auricle"}
        # a proxy is not the way to this machine
        self._client = httpx2.Client(headers=headers, trust_env=not is_local(settings.base_url), follow_redirects=False)

    def close(self) -> None:
        """Hang up."""
        self._client.close()

    @contextmanager
    def post(self, path: str, deadline: float, **body: Any) -> Iterator[Reply]:
        """The reply to one request; ``body`` is ``json``, or ``data`` and ``files``; ``deadline`` is monotonic.

        Raises CallError; also while the reply is read.
        """
        import httpx2

        left = max(0.001, deadline - time.monotonic())
        url = f"{self.settings.base_url}{path}"
        try:
            with self._client.stream("POST", url, timeout=httpx2.Timeout(left), **body) as response:
                if not 200 <= response.status_code < 300:
                    raise self._refused(response, deadline)
                yield Reply(response.headers.get("content-type", ""), self._chunks(response, deadline))
        except httpx2.TimeoutException as error:
            raise CallError("endpoints.timed_out", **self.where) from error
        except httpx2.ConnectError as error:
            raise CallError("endpoints.unreachable", **self.where) from error
        except httpx2.HTTPError as error:
            raise CallError("endpoints.cut_stream", **self.where) from error

    def patiently(self, one_try: Callable[[], Generator[Piece, None, None]], deadline: float) -> Iterator[Piece | None]:
        """What ``one_try`` gives, asked again while nothing has come and the failure may pass; None for each new try.

        Raises CallError with the last failure.
        """
        for tries in range(1, self.settings.tries + 1):
            begun = False
            try:
                with contextlib.closing(one_try()) as pieces:
                    for piece in pieces:
                        begun = True
                        yield piece
                return
            except CallError as failure:
                wait = self._wait_s(failure, tries)
                if begun or not failure.may_pass or wait is None or time.monotonic() + wait >= deadline:
                    raise
                self._pause(wait)
                yield None

    def _wait_s(self, failure: CallError, tries: int) -> float | None:
        """How long to wait before the next try; None where there is none."""
        if tries >= self.settings.tries or (failure.wait_s or 0.0) > self.settings.longest_wait_s:
            return None
        if failure.wait_s is not None:
            return after_asked_s(failure.wait_s, self._chance) if failure.wait_s else 0.0
        return backoff_s(tries, self._chance)

    def _refused(self, response: httpx2.Response, deadline: float) -> CallError:
        error: Any = b"".join(self._chunks(response, deadline)).decode("utf-8", "replace")
        with contextlib.suppress(ValueError, RecursionError):
            told = json.loads(error)
            error = told.get("error", told) if isinstance(told, Mapping) else ""
        wait = asked_wait_s(response.headers, time.time())
        return failure_of_status(response.status_code, error, wait, self.key, **self.where)

    def _chunks(self, response: httpx2.Response, deadline: float) -> Iterator[bytes]:
        length = 0
        for chunk in response.iter_bytes():
            length += len(chunk)
            if length > _LONGEST_BODY:
                raise CallError("endpoints.reply_too_long", mebibytes=_LONGEST_BODY >> 20, **self.where)
            if time.monotonic() > deadline:  # the timeouts are for one read; a trickle passes them all
                raise CallError("endpoints.timed_out", **self.where)
            yield chunk
