"""Studies in which several people rate the same answers under shipped protocols."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from engine.rating.protocols import load_protocol
from engine.store.raters import add_rater, raters_of
from engine.store.sittings import Act, begin_sitting, commit, present
from engine.store.studies import NewAssignment, NewSession, NewStudy, add_study, keep_protocol
from engine.store.workspace import Workspace
from tests.engine.store.rated import new_assignment

ROWS = "SELECT response_id, protocol, dimension, raters, passed, failed, mean FROM human_row ORDER BY 1, 2"


@dataclass(frozen=True, slots=True)
class People:
    """A study under one protocol, each rater with the same items; ``rate`` is by name and place in the items."""

    db: sqlite3.Connection
    study: int
    sittings: dict[str, int]
    items: dict[str, list[int]]

    def rate(self, name: str, place: int, *, before: bool = True, **values: int | float | str | None) -> Act:
        """Put the item before that rater and commit these values."""
        return commit(self.db, self.shown(name, place), values, is_before_reveal=before)

    def shown(self, name: str, place: int) -> int:
        """Put the item before that rater."""
        return present(self.db, self.items[name][place], self.sittings[name], {})


def kept(db: sqlite3.Connection, name: str, language: str = "zh") -> int:
    """The shipped protocol of that name."""
    shipped = load_protocol(name, language)
    return keep_protocol(
        db, name=name, version=shipped.version, language=language, sha256=shipped.sha256,
        declaration=shipped.declaration(),
    )  # fmt: skip


def people_rate(
    workspace: Workspace,
    protocol: str,
    names: Sequence[str],
    items: Sequence[int | NewAssignment],
    title: str = "winter",
) -> People:
    """A study of these answers (or assignments), its raters at their desks."""
    db = workspace.connect(durable=True)
    known = {rater.name: rater.id for rater in raters_of(db)}
    raters = {name: known[name] if name in known else add_rater(db, name).id for name in names}
    entries = [
        new_assignment(item, "AB"[n % 2], dimension=protocol) if isinstance(item, int) else item
        for n, item in enumerate(items)
    ]
    number = kept(db, protocol)
    sessions = [NewSession(raters[name], number, 1, entries) for name in names]
    study = add_study(db, NewStudy(title, 7, "random", "estimation", {}, None, sessions))
    sittings = {name: begin_sitting(db, raters[name], device="d", sample_rate_hz=48_000, setup={}) for name in names}
    found: dict[str, list[int]] = {name: [] for name in names}
    for row in db.execute(
        "SELECT assignment.id, rater.name FROM assignment JOIN session ON session.id = session_id"
        " JOIN rater ON rater.id = rater_id WHERE study_id = ? ORDER BY position",
        (study,),
    ):
        found[row["name"]].append(row["id"])
    return People(db, study, sittings, found)


def rows(db: sqlite3.Connection) -> list[tuple]:
    """What people's ratings come to."""
    return [tuple(row) for row in db.execute(ROWS)]
