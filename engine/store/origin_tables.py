"""The table of where runs came from, a migration set of its own; a released step is never edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.store.steps import Steps

if TYPE_CHECKING:
    from sqlite_utils import Database

origins = Steps("auricle.origins")

_RUN_ORIGIN = """CREATE TABLE run_origin (
    run_uid TEXT PRIMARY KEY,          -- of a run that another installation made; its answers and results came along
    origin TEXT NOT NULL
) WITHOUT ROWID"""


@origins()
def tables(db: Database) -> None:
    """Which installation made a run that was merged; one that is not named here was made in this workspace."""
    db.conn.execute(_RUN_ORIGIN)
