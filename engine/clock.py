"""Wall-clock times as the store keeps them."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_text(at: datetime | None = None) -> str:
    """``at`` (default: now) as UTC text of fixed width, ``2026-11-30T08:00:00.000000Z``; sorts as time does.

    Raises ValueError for a time without a zone: guessing one would move a rating by hours.
    """
    moment = datetime.now(UTC) if at is None else at
    if moment.tzinfo is None:
        raise ValueError("a time without a zone cannot be stored")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
