"""Rows that people make are numbered without gaps, and are never changed or deleted."""

from __future__ import annotations

import sqlite3

import pytest

from engine.runs.imports import take_responses
from engine.store.origin import next_origin
from engine.store.transaction import transaction
from tests.engine.runs.made import response, with_benchmark


@pytest.fixture
def db(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "x")]))
    return workspace.connect(durable=True)


def note(db, text):
    db.execute(
        "INSERT INTO note (uid, origin, origin_seq, response_id, text, made_at) VALUES (?, ?, ?, 1, ?, '')",
        (*next_origin(db), text),
    )


def test_a_number_is_taken_with_its_row_or_not_at_all(db):
    with transaction(db):
        note(db, "first")
    with pytest.raises(ZeroDivisionError), transaction(db):
        note(db, "lost")
        raise ZeroDivisionError
    with transaction(db):
        note(db, "second")
    assert [tuple(row) for row in db.execute("SELECT origin_seq, text FROM note")] == [(1, "first"), (2, "second")]
    assert len({row[0] for row in db.execute("SELECT origin FROM note")}) == 1


@pytest.mark.parametrize("statement", ["UPDATE note SET text = 'other'", "DELETE FROM note"])
def test_what_a_person_wrote_cannot_be_changed_or_deleted(db, statement):
    with transaction(db):
        note(db, "mine")
    with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        db.execute(statement)
    assert [row[0] for row in db.execute("SELECT text FROM note")] == ["mine"]


def test_not_even_a_replacing_insert_rewrites_a_persons_row(db):
    with transaction(db):
        note(db, "mine")
    columns = "id, uid, origin, origin_seq, response_id, undoes, made_at, text"
    row = tuple(db.execute(f"SELECT {columns} FROM note").fetchone())
    with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        db.execute(f"INSERT OR REPLACE INTO note ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, 'other')", row[:-1])
