"""One small call that shows whether an endpoint answers, for the doctor and the test button."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace

from engine.errors import EngineError
from engine.judges.endpoint import Caller, CallFailed, Endpoint
from engine.judges.keys import ApiKey, find_key
from engine.strings import text

_LONGEST_S = 30.0


@dataclass(frozen=True, slots=True)
class Trial:
    """What an endpoint answered to a small call: the model it says it is, its words, and how long it took."""

    model: str
    reply: str
    seconds: float


def test_call(endpoint: Endpoint, key: ApiKey | None = None) -> Trial:  # noqa: PT028 - a call that tests, no test
    """Ask the endpoint for one word, once; any answer counts, a refusal too.

    Raises EngineError: ``no_key``, ``unauthorised``, ``not_found``, ``no_credit``, or ``test_failed`` with the reason.
    """
    key = key or find_key(endpoint.base_url, endpoint.key_env)
    short = replace(endpoint, time_limit_s=min(endpoint.time_limit_s, _LONGEST_S))
    try:
        return asyncio.run(_ask(short, key))
    except CallFailed as failure:
        where = {"base_url": endpoint.base_url, "model": endpoint.model}
        values = {"status": failure.status, "message": failure.message}
        if failure.stops_the_run:
            raise EngineError(f"judges.{failure.code}", **where, **values) from failure
        reason = text(f"judges.failure.{failure.code}", "en", **values, tries=1, limit=short.time_limit_s)
        raise EngineError("judges.test_failed", **where, reason=reason) from failure


async def _ask(endpoint: Endpoint, key: ApiKey | None) -> Trial:
    async with Caller(endpoint, key) as caller:
        answer, seconds = await caller.ask([{"role": "user", "content": "Reply with the word: ready"}], time.time())
    return Trial(answer.model or endpoint.model, answer.text or "", seconds)


test_call.__test__ = False  # type: ignore[attr-defined]  # no test, whatever a collector makes of its name
