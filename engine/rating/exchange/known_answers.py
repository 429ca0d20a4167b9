"""Reads a list of answers whose right rating is known: training, gold and attention checks."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from engine.benchmarks.manifest import NamedRow, number_of, read_named_rows
from engine.errors import EngineError
from engine.query.records import ids_of_uids
from engine.rating.design import Known
from engine.rating.values import Value

_USES = {"gold": "gold", "trap": "traps", "training": "training"}


def read_known(db: sqlite3.Connection, path: Path) -> dict[str, tuple[Known, ...]]:
    """The known answers of a CSV or JSONL file, by the ``Design``'s names: gold, traps, training.

    Columns: use (gold, trap, training), protocol, uid of the answer, expected (``3``, or ``{"empathy_acoustic": 3}``
    where a protocol has several scales), and other_uid of a comparison.

    Raises EngineError ``exchange.no_such_file``, ``exchange.known_row``.
    """
    if not path.is_file():
        raise EngineError("exchange.no_such_file", path=str(path))
    rows = read_named_rows(path).rows
    named = [str(row.values.get(column) or "") for row in rows for column in ("uid", "other_uid")]
    ids = ids_of_uids(db, [uid for uid in named if uid])
    found: dict[str, list[Known]] = {name: [] for name in _USES.values()}
    for row in rows:
        use, protocol = (str(row.values.get(column) or "").strip() for column in ("use", "protocol"))
        uid, other = (str(row.values.get(column) or "").strip() for column in ("uid", "other_uid"))
        if use not in _USES or not protocol or uid not in ids or (other and other not in ids):
            raise EngineError("exchange.known_row", path=str(path), where=row.where)
        expected = _expected(row, protocol, path)
        found[_USES[use]].append(Known(protocol, ids[uid], expected, ids[other] if other else None))
    return {name: tuple(entries) for name, entries in found.items()}


def _expected(row: NamedRow, protocol: str, path: Path) -> dict[str, Value]:
    from engine.rating.protocols import load_protocol

    told = row.values.get("expected")
    if isinstance(told, str) and told.strip().startswith("{"):
        try:
            told = json.loads(told)
        except ValueError as error:
            raise EngineError("exchange.known_row", path=str(path), where=row.where) from error
    if isinstance(told, dict):
        return {str(scale): _value(value) for scale, value in told.items()}
    if told is None:
        raise EngineError("exchange.known_row", path=str(path), where=row.where)
    return {load_protocol(protocol, "en").main.id: _value(told)}


def _value(told: object) -> Value:
    number = number_of(told)
    return int(number) if number is not None and number == int(number) else str(told).strip()
