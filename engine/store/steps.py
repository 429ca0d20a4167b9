"""Migration sets known by their names; what applies them, sqlite-utils, takes 40 ms to import and is seldom needed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

Step = Callable[["Database"], None]
APPLIED = "_sqlite_migrations"  # where sqlite-utils keeps what was applied


class Steps:
    """One room's steps in order, each a function that is given the database: ``steps = Steps("auricle.room")``, then
    ``@steps()`` over each. A released step is never edited."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._steps: list[Step] = []

    def __call__(self) -> Callable[[Step], Step]:
        """The decorator that adds a step."""

        def add(step: Step) -> Step:
            self._steps.append(step)
            return step

        return add

    @property
    def known(self) -> tuple[tuple[str, str], ...]:
        """The name of the set with that of each step, as ``applied`` tells them."""
        return tuple((self.name, step.__name__) for step in self._steps)

    def apply(self, db: sqlite3.Connection) -> None:
        """Apply what was not applied yet; each step commits together with its name."""
        from sqlite_utils import Database, Migrations

        migrations = Migrations(self.name)
        for step in self._steps:
            migrations()(step)
        migrations.apply(Database(db))


def applied(db: sqlite3.Connection) -> set[tuple[str, str]]:
    """The steps that were applied, as (set, step); none in an empty file."""
    has_any = db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (APPLIED,)).fetchone()
    return {(row[0], row[1]) for row in db.execute(f"SELECT migration_set, name FROM {APPLIED}")} if has_any else set()
