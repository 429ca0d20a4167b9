"""An OpenAI-compatible endpoint and one call to it; every way a call can fail becomes a code."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from engine.endpoints.completion import Answer, read_completion
from engine.endpoints.keys import ApiKey, is_local
from engine.endpoints.waiting import asked_wait_s
from engine.errors import EngineError

_RETRIED_STATUSES = frozenset((408, 409, 425, 429, *range(500, 600)))
_PUSHING_BACK = frozenset((429, 503, 529))
_STOPPING = {401: "unauthorised", 402: "no_credit", 404: "not_found"}
_LONGEST_MESSAGE = 300
_ANSWERED_CODES = frozenset(("filtered", "no_room", "tool_call", "judge_refused"))


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where and how a model is asked. Holds no key, so that it can be shown and stored.

    ``key_env`` names the environment variable with the key, if not a usual one. ``temperature`` None leaves it out
    (some models take none). ``extra`` goes into the request's body as it is, e.g. ``{"enable_thinking": False}``.
    ``time_limit_s`` is for one call; ``longest_wait_s`` is the longest Retry-After that is waited for.
    """

    base_url: str
    model: str
    key_env: str = ""
    temperature: float | None = 0.0
    max_tokens: int = 1024
    max_tokens_name: str = "max_tokens"
    extra: Mapping[str, Any] = field(default_factory=dict)
    time_limit_s: float = 120.0
    concurrency: int = 32
    max_concurrency: int = 128
    tries: int = 8
    longest_wait_s: float = 600.0

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
            shown = f"{parts.scheme}://…@{parts.hostname}" if parts.username or parts.password else self.base_url
            raise EngineError("judges.no_base_url", base_url=shown)
        if parts.query or parts.fragment:
            raise EngineError("judges.base_url_with_query", base_url=f"{parts.scheme}://{parts.netloc}{parts.path}")
        trimmed = self.base_url.rstrip("/").removesuffix("/chat/completions")
        object.__setattr__(self, "base_url", trimmed)


class CallFailed(Exception):  # noqa: N818 - an outcome of one call, turned into a state or an EngineError by its callers
    """One call gave no answer: ``code`` is a key of ``judges.failure`` (or ``judges.error`` when it stops the run)."""

    def __init__(
        self,
        code: str,
        *,
        status: int = 0,
        message: str = "",
        wait_s: float | None = None,
        answer: Answer | None = None,
    ) -> None:
        super().__init__(code, status, message)
        self.code, self.status, self.message, self.wait_s, self.answer = code, status, message, wait_s, answer

    @property
    def stops_the_run(self) -> bool:
        """Whether no other call can succeed either: a wrong key, model or address, or no credit."""
        return self.code in _STOPPING.values()

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed later."""
        return self.code in {
            "rate_limited", "server_error", "timed_out", "unreachable", "cut_stream", "broken_json", "empty_body",
            "empty_reply", "error_in_body",
        }  # fmt: skip

    @property
    def is_answer(self) -> bool:
        """Whether the endpoint did answer, only not with a usable reply."""
        return self.code in _ANSWERED_CODES

    @property
    def pushes_back(self) -> bool:
        """Whether the endpoint has too much to do."""
        return self.status in _PUSHING_BACK or self.code == "timed_out"


class Caller:
    """An open connection to an endpoint; an async context manager over openai's client with its own retries off."""

    def __init__(self, endpoint: Endpoint, key: ApiKey | None) -> None:
        self._endpoint, self._key = endpoint, key or ApiKey("")

    async def __aenter__(self) -> Caller:
        import openai

        self._http = openai.DefaultAsyncHttpxClient(
            trust_env=not is_local(self._endpoint.base_url),  # a proxy is not the way to this machine
            event_hooks={"request": [_without_account_headers]},
        )
        self._client = openai.AsyncOpenAI(
            api_key=self._key.reveal() or "none",
            base_url=self._endpoint.base_url,
            max_retries=0,
            timeout=self._endpoint.time_limit_s,
            http_client=self._http,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def ask(self, messages: Sequence[Mapping[str, str]], now: float) -> tuple[Answer, float]:
        """The endpoint's answer (answered or refused) and the seconds it took; raises CallFailed otherwise.

        ``now`` is the time since 1970, against which a Retry-After date is read.
        """
        started = time.perf_counter()
        body = _body(await self._send(messages, now))
        answer = read_completion(body)
        if answer.state != "failed":
            return answer, time.perf_counter() - started
        if answer.code == "error_in_body":
            raise self._error_in_body(body, answer)
        raise CallFailed(answer.code or "empty_reply", message=self._clean(answer.message), answer=answer)

    async def _send(self, messages: Sequence[Mapping[str, str]], now: float) -> bytes:
        import openai

        try:
            async with asyncio.timeout(self._endpoint.time_limit_s):
                raw = await self._client.chat.completions.with_raw_response.create(**self._request(messages))
                return bytes(raw.content)
        except (TimeoutError, openai.APITimeoutError) as error:
            raise CallFailed("timed_out") from error
        except openai.APIStatusError as error:
            raise self._status_failure(error.status_code, error.response.headers, error.body, now) from error
        except openai.APIConnectionError as error:
            connecting = type(error.__cause__).__name__ in ("ConnectError", "ConnectTimeout")
            raise CallFailed("unreachable" if connecting else "cut_stream") from error

    def _request(self, messages: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        endpoint = self._endpoint
        request: dict[str, Any] = {"model": endpoint.model, "messages": list(messages)}
        if endpoint.temperature is not None:
            request["temperature"] = endpoint.temperature
        return {**request, "extra_body": {endpoint.max_tokens_name: endpoint.max_tokens, **endpoint.extra}}

    def _status_failure(self, status: int, headers: Mapping[str, str], body: object, now: float) -> CallFailed:
        error = body if isinstance(body, Mapping) else {}
        message = self._clean(str(error.get("message") or ""))
        if "insufficient_quota" in (error.get("code"), error.get("type")):
            return CallFailed("no_credit", status=status, message=message)
        if status in _RETRIED_STATUSES:
            code = "rate_limited" if status == 429 else "server_error"
            return CallFailed(code, status=status, message=message, wait_s=asked_wait_s(headers, now))
        code = _STOPPING.get(status) or ("forbidden" if status == 403 else "bad_request")
        return CallFailed(code, status=status, message=message)

    def _error_in_body(self, body: Mapping[str, Any], answer: Answer) -> CallFailed:
        """Some gateways report an error under status 200, with the real status as its code."""
        error = body.get("error")
        status = error.get("code") if isinstance(error, Mapping) else None
        if isinstance(status, int) and 400 <= status < 600:
            return self._status_failure(status, {}, error, 0.0)
        return CallFailed("error_in_body", message=self._clean(answer.message))

    def _clean(self, message: str) -> str:
        return self._key.redact(" ".join(message.split()))[:_LONGEST_MESSAGE]


def _body(content: bytes) -> Mapping[str, Any]:
    if not content.strip():
        raise CallFailed("empty_body")
    try:
        body = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise CallFailed("broken_json") from error
    if not isinstance(body, Mapping):
        raise CallFailed("broken_json")
    return body


async def _without_account_headers(request: Any) -> None:
    """openai's client adds the user's OpenAI account to every request; it is no other endpoint's business."""
    if not str(request.url.host).endswith("openai.com"):
        for name in ("openai-organization", "openai-project"):
            request.headers.pop(name, None)
