"""The derived table of what people's ratings come to, a migration set of its own; a released step is never edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.store.steps import Steps

if TYPE_CHECKING:
    from sqlite_utils import Database

human = Steps("auricle.human")

_ROWS = """CREATE TABLE human_row (         -- of studies whose letters were revealed, and of no others
    response_id INTEGER NOT NULL REFERENCES response(id),
    protocol TEXT NOT NULL,             -- its name; of several versions the newest counts
    dimension TEXT NOT NULL,
    raters INTEGER NOT NULL,
    passed INTEGER, failed INTEGER,     -- raters, by the protocol's own rule; NULL where it has none
    mean REAL,                          -- over raters, of the main scale; NULL where its steps are no numbers
    PRIMARY KEY (response_id, protocol)
) WITHOUT ROWID"""
_DERIVATION = """CREATE TABLE human_derivation (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version TEXT NOT NULL               -- of the code that derived the rows
)"""
_OTHER = "CREATE INDEX assignment_other ON assignment (other_response_id) WHERE other_response_id IS NOT NULL"


@human()
def rows(db: Database) -> None:
    """One row for each answer and protocol that people rated it under, so that a filter joins nothing."""
    for statement in (_ROWS, _DERIVATION, _OTHER):
        db.conn.execute(statement)
