"""What every row that a person makes carries: a UUID, the installation it came from, and that one's own number."""

from __future__ import annotations

import sqlite3


def next_origin(db: sqlite3.Connection) -> tuple[str, str, int]:
    """(uid, origin, origin_seq) for one new row; call it in the transaction that adds the row.

    The number is taken with the row or not at all, so an installation's numbers have no gaps; stores that carry each
    other's rows can be merged in any order.
    """
    import uuid  # it looks into the machine when it is imported: not at the window's start

    row = db.execute("UPDATE installation SET next_seq = next_seq + 1 RETURNING origin, next_seq - 1").fetchone()
    return str(uuid.uuid4()), str(row[0]), int(row[1])


def next_origins(db: sqlite3.Connection, count: int) -> tuple[str, int]:
    """(origin, first origin_seq) for ``count`` new rows in a row; call it in the transaction that adds them all."""
    row = db.execute(
        "UPDATE installation SET next_seq = next_seq + ? RETURNING origin, next_seq - ?", (count, count)
    ).fetchone()
    return str(row[0]), int(row[1])
