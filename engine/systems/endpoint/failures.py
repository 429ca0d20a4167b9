"""Every way a call to an endpoint can fail, as an error that a user can mend."""

from __future__ import annotations

from typing import Any

from engine.endpoints.keys import ApiKey
from engine.errors import EngineError

#: No other ask can succeed either: a wrong key, address or model, or no credit.
STOPPING = frozenset(("endpoints.unauthorised", "endpoints.no_credit", "endpoints.not_found"))
_PASSING = ("rate_limited", "server_error", "timed_out", "unreachable", "cut_stream", "broken_reply", "empty_reply")
_MAY_PASS = frozenset(f"endpoints.{name}" for name in _PASSING)
_RETRIED_STATUSES = frozenset((408, 409, 425, 429, *range(500, 600)))
_OF_STATUS = {401: "unauthorised", 402: "no_credit", 403: "forbidden", 404: "not_found"}
_LONGEST_MESSAGE = 300


class CallError(EngineError):
    """One call gave no answer; ``wait_s`` is what the endpoint asks to wait before the next, None where it does not."""

    def __init__(self, code: str, wait_s: float | None = None, /, **values: Any) -> None:
        super().__init__(code, **values)
        self.wait_s = wait_s

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed later."""
        return self.code in _MAY_PASS


def failure_of_status(status: int, error: Any, wait_s: float | None, key: ApiKey, **where: Any) -> CallError:
    """What a reply with that HTTP status means; ``error`` is what its body says, an object or text."""
    told = error if isinstance(error, dict) else {}
    message = clean(str(told.get("message") or (error if isinstance(error, str) else "")), key)
    if "insufficient_quota" in (told.get("code"), told.get("type")):
        return CallError("endpoints.no_credit", status=status, message=message, **where)
    if status in _RETRIED_STATUSES:
        code = "rate_limited" if status == 429 else "server_error"
        return CallError(f"endpoints.{code}", wait_s, status=status, message=message, **where)
    code = _OF_STATUS.get(status, "bad_request")
    return CallError(f"endpoints.{code}", status=status, message=message, **where)


def failure_in_body(error: Any, key: ApiKey, **where: Any) -> CallError:
    """An error that came under status 200, as some gateways send it, with the real status as its code."""
    status = error.get("code") if isinstance(error, dict) else None
    if isinstance(status, int) and 400 <= status < 600:
        return failure_of_status(status, error, None, key, **where)
    message = error.get("message") if isinstance(error, dict) else error
    return CallError("endpoints.error_in_body", message=clean(str(message or ""), key), **where)


def clean(message: str, key: ApiKey) -> str:
    """A server's words in one line, short, and without the key should it have repeated it."""
    return key.redact(" ".join(message.split()))[:_LONGEST_MESSAGE]
