"""What a chat completion says: an answer, a refusal, or why there is none. Reasoning is never taken for an answer."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply of an endpoint, read from all its choices.

    ``state``: ``answered`` (``text`` or ``audio`` is there), ``refused`` (``text`` is the refusal; for a safety set
    that is an answer) or ``failed`` with ``code``: ``filtered``, ``no_room`` (the length was spent before an answer),
    ``tool_call``, ``empty_reply`` or ``error_in_body``. ``flags`` may hold ``cut_off``. Tokens are None where the
    endpoint does not say.
    """

    state: Literal["answered", "refused", "failed"]
    text: str | None = None
    audio: bytes | None = None
    code: str | None = None
    flags: tuple[str, ...] = ()
    message: str = ""
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None


def read_completion(body: Mapping[str, Any]) -> Answer:
    """Read the body of a chat completion in any of the forms that compatible endpoints use; never raises.

    Content may be text, a list of parts, or null beside an audio with its transcript; text and audio may stand in
    different choices.
    """
    choices = [choice for choice in _list(body.get("choices")) if isinstance(choice, Mapping)]
    messages = [message for choice in choices if isinstance(message := choice.get("message"), Mapping)]
    finishes = {choice.get("finish_reason") for choice in choices}
    usage = body.get("usage") if isinstance(body.get("usage"), Mapping) else {}
    common: dict[str, Any] = {
        "model": _text(body.get("model")),
        "tokens_in": _count(usage, "prompt_tokens"),
        "tokens_out": _count(usage, "completion_tokens"),
    }
    text = _first(map(_content, messages)) or _first(map(_transcript, messages))
    audio = next((sound for message in messages if (sound := _audio(message))), None)
    if text or audio:
        return Answer("answered", text or None, audio, flags=("cut_off",) if "length" in finishes else (), **common)
    if refusal := _first(map(_refusal, messages)):
        return Answer("refused", refusal, **common)
    return Answer("failed", code=_why_nothing(body, messages, finishes), message=_error_message(body), **common)


def _why_nothing(body: Mapping[str, Any], messages: Sequence[Mapping[str, Any]], finishes: set[Any]) -> str:
    if body.get("error") and not messages:
        return "error_in_body"
    if "content_filter" in finishes:
        return "filtered"
    if "length" in finishes:
        return "no_room"
    return "tool_call" if any(message.get("tool_calls") for message in messages) else "empty_reply"


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content if content.strip() else ""
    parts = [
        part for part in _list(content) if isinstance(part, Mapping) and part.get("type") in ("text", "output_text")
    ]
    return "".join(_text(part.get("text")) for part in parts)


def _refusal(message: Mapping[str, Any]) -> str:
    parts = [part for part in _list(message.get("content")) if isinstance(part, Mapping)]
    return _text(message.get("refusal")) or "".join(_text(part.get("refusal")) for part in parts)


def _transcript(message: Mapping[str, Any]) -> str:
    audio = message.get("audio")
    return _text(audio.get("transcript")) if isinstance(audio, Mapping) else ""


def _audio(message: Mapping[str, Any]) -> bytes | None:
    audio = message.get("audio")
    if not isinstance(audio, Mapping):
        return None
    try:
        return base64.b64decode(_text(audio.get("data"))) or None
    except binascii.Error:
        return None


def _error_message(body: Mapping[str, Any]) -> str:
    error = body.get("error")
    return _text(error.get("message")) if isinstance(error, Mapping) else _text(error)


def _first(texts: Any) -> str:
    return next((text for text in texts if text), "")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _count(usage: Any, key: str) -> int | None:
    value = usage.get(key)
    return value if type(value) is int and value >= 0 else None
