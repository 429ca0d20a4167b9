"""One small call that shows whether an endpoint answers, for the doctor and the test button."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Any

from engine.endpoints.keys import ApiKey, find_key
from engine.errors import EngineError
from engine.judges.endpoint import Caller, CallFailed, Endpoint
from engine.strings import text

_LONGEST_S = 30.0


@dataclass(frozen=True, slots=True)
class Trial:
    """What an endpoint answered to a small call: the model it says it is, its words, and how long it took."""

    model: str
    reply: str
    seconds: float


class TrialFailedError(EngineError):
    """The small call had no answer; the ``failure`` of its values, a key of ``judges.trial``, says why."""

    def __init__(self, code: str = "judges.test_failed", /, **values: Any) -> None:
        super().__init__(code, **values)

    def sentence(self, language: str) -> str:
        """Which endpoint did not answer, and why, with what to do about it."""
        reason = text(f"judges.trial.{self.values['failure']}", language, **self.values)
        return text("judges.error.test_failed", language, **self.values, reason=reason)


def test_call(endpoint: Endpoint, key: ApiKey | None = None) -> Trial:  # noqa: PT028 - a call that tests, no test
    """Ask the endpoint for one word, once; any answer counts, a refusal too.

    Raises EngineError ``judges.no_key``, or TrialFailedError with the reason.
    """
    key = key or find_key(endpoint.base_url, endpoint.key_env)
    short = replace(endpoint, time_limit_s=min(endpoint.time_limit_s, _LONGEST_S))
    try:
        return asyncio.run(_ask(short, key))
    except CallFailed as failure:
        where = {"base_url": endpoint.base_url, "model": endpoint.model}
        values: dict[str, Any] = {"status": failure.status, "message": failure.message}
        raise TrialFailedError(**where, **values, failure=failure.code, limit=short.time_limit_s) from failure


async def _ask(endpoint: Endpoint, key: ApiKey | None) -> Trial:
    async with Caller(endpoint, key) as caller:
        answer, seconds = await caller.ask([{"role": "user", "content": "Reply with the word: ready"}], time.time())
    return Trial(answer.model or endpoint.model, answer.text or "", seconds)


test_call.__test__ = False  # type: ignore[attr-defined]  # no test, whatever a collector makes of its name
