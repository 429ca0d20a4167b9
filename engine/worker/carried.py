"""Files of items that travel in the messages, because the worker sees another disk: base64 there, a file again here."""

from __future__ import annotations

import base64
import hashlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.worker.protocol import LONGEST_LINE
from engine.worker.scratch import own_scratch

_MOST_BYTES = 8 << 20  # of files in one message of several items
_ROOM = 1 << 20  # for what stands beside the files


@dataclass(frozen=True, slots=True)
class Load:
    """One message's worth of items: those ``taken``, as they are ``told``, those that cannot go, and the ``rest``."""

    taken: list[Mapping[str, Any]]
    told: list[Mapping[str, Any]]
    failed: list[tuple[Any, EngineError]] = field(default_factory=list)
    rest: list[Mapping[str, Any]] = field(default_factory=list)


def load(items: Sequence[Mapping[str, Any]]) -> Load:
    """As many of ``items`` as one message holds, with the bytes of their files in place of the paths."""
    found = Load([], [])
    left = _MOST_BYTES
    for number, item in enumerate(items):
        try:
            told, size = _with_bytes(item)
        except EngineError as error:
            found.failed.append((item["id"], error))
            continue
        if size > LONGEST_LINE - _ROOM:
            limit = LONGEST_LINE >> 20
            found.failed.append((item["id"], EngineError("worker.line_too_long", mebibytes=size >> 20, limit=limit)))
            continue
        left -= size
        if left < 0 and found.taken:
            found.rest.extend(items[number:])
            break
        found.taken.append(item)
        found.told.append(told)
    return found


@contextmanager
def on_disk(item: Mapping[str, Any]) -> Iterator[Path]:
    """The file of an item {path} or {data, suffix} while the block lasts."""
    if "data" not in item:
        yield Path(str(item["path"]))
        return
    with tempfile.TemporaryDirectory(prefix="carried-", dir=own_scratch()) as folder:
        yield written(item, Path(folder))


def written(told: Mapping[str, Any], folder: Path) -> Path:
    """The bytes of a {data, suffix} as a file in ``folder``, named by what it holds."""
    data = base64.b64decode(str(told["data"]))
    path = folder / f"{hashlib.sha256(data).hexdigest()}{told.get('suffix', '.wav')}"
    if not path.exists():
        path.write_bytes(data)
    return path


def _with_bytes(item: Mapping[str, Any]) -> tuple[Mapping[str, Any], int]:
    """An item with bytes for paths, and how many."""
    if "turns" not in item:
        return _read(item)
    turns, size = [], 0
    for turn in item["turns"]:
        read = [_read(audio) for audio in turn.get("audios", ())]
        turns.append({**turn, "audios": [told for told, _ in read]})
        size += sum(length for _, length in read)
    return {**item, "turns": turns}, size


def _read(told: Mapping[str, Any]) -> tuple[Mapping[str, Any], int]:
    if "path" not in told:
        return told, 0
    path = Path(str(told["path"]))
    try:
        data = base64.b64encode(path.read_bytes()).decode("ascii")
    except OSError as error:
        raise EngineError("store.audio_moved", path=str(path)) from error
    kept = {name: value for name, value in told.items() if name != "path"}
    return {**kept, "data": data, "suffix": path.suffix}, len(data)
