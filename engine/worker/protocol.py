"""The lines that a driver and a worker exchange: one JSON object a line, UTF-8, at most 16 MiB.

A worker sends ``hello{protocol, abilities, process}``, ``heartbeat{}`` each second, and for a request
``progress{id, label, limit_s}``, ``chunk{id, item, ...}``, ``result{id, item, values}`` and
``error{id, item, code, values}``.
A request is over when each of its items has a result or an error, or with an ``error`` that names no item.
A driver sends ``ask{id, kind, items, settings}``, ``cancel{id}`` and ``bye{}``; the end of its output ends the worker.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError

PROTOCOL = 1
LONGEST_LINE = 16 << 20
HEARTBEAT_S = 1.0

Message = dict[str, Any]

_TYPES = frozenset(("hello", "heartbeat", "progress", "chunk", "result", "error", "ask", "cancel", "bye"))
_EXCERPT = 200


@dataclass(frozen=True, slots=True)
class Garbage:
    """A line that is no message: what was wrong, and how it began."""

    why: str
    excerpt: str


def encode(message: Mapping[str, Any]) -> bytes:
    """The line of one message. Values that are no numbers become null, paths and the like become text.

    Raises EngineError ``worker.line_too_long``.
    """
    text = json.dumps(_finite(message), ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=str)
    line = text.encode("ascii") + b"\n"
    if len(line) > LONGEST_LINE:
        raise EngineError("worker.line_too_long", mebibytes=len(line) >> 20, limit=LONGEST_LINE >> 20)
    return line


def messages(stream: BinaryIO) -> Iterator[Message | Garbage]:
    """The messages of a stream until it ends; what is no message is told as ``Garbage`` and does no harm.

    A line over the limit is passed over without being held in memory.
    """
    while line := stream.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            yield Garbage("the line is too long", _excerpt(line))
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST_LINE)
        elif line.strip():
            yield _decoded(line)


def pcm_text(samples: NDArray[np.float32]) -> str:
    """Mono samples as the ``pcm`` of an item: base64 of little-endian float32."""
    return base64.b64encode(np.ascontiguousarray(samples, "<f4").tobytes()).decode("ascii")


def pcm_samples(text: str) -> NDArray[np.float32]:
    """The samples of an item's ``pcm``, as they are. Raises EngineError ``worker.pcm_damaged``."""
    try:
        data = base64.b64decode(text, validate=True)
        return np.frombuffer(data, "<f4").astype(np.float32)
    except (binascii.Error, ValueError) as error:
        raise EngineError("worker.pcm_damaged", reason=str(error)) from error


def _decoded(line: bytes) -> Message | Garbage:
    try:
        message = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return Garbage("the line is not UTF-8", _excerpt(line))
    except (ValueError, RecursionError):
        return Garbage("the line is not JSON", _excerpt(line))
    if not isinstance(message, dict) or message.get("type") not in _TYPES:
        return Garbage("the line is no message", _excerpt(line))
    return message


def _excerpt(line: bytes) -> str:
    return line[:_EXCERPT].decode("utf-8", "backslashreplace").rstrip()


def _finite(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in value]
    return value
