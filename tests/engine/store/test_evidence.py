"""Tags, notes and playlists: added, taken back and given back as rows, in bulk, and read back as they stand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engine.errors import EngineError
from engine.query.detail import detail_of
from engine.query.grammar import parse
from engine.query.rows import sorted_ids, tags_of
from engine.runs.imports import take_responses
from engine.scoring.derive import refresh
from engine.store.evidence import Span, evidence_of, give_back, history_of, take_back, undo
from engine.store.notes import add_note
from engine.store.playlists import (
    Entry,
    add_entries,
    entries_of,
    make_playlist,
    playlists_of,
    remove_playlist,
    rename_playlist,
)
from engine.store.tags import TagInUse, add_tag, remove_tag, tag_name, tags_in_use, tags_on
from engine.store.transaction import transaction
from tests.engine.runs.made import response, with_benchmark


@pytest.fixture
def db(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(n, f"答{n}") for n in range(4)]))
    opened = workspace.connect(durable=True)
    with transaction(opened):
        refresh(opened, [1, 2, 3, 4])
    yield opened
    opened.close()


def rows(db, table="tag"):
    return db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]


def found(db, query):
    return sorted_ids(db, parse(query)).tolist()


def standing(db, response_id):
    return [(said.table, said.text) for said in evidence_of(db, response_id) if said.stands]


def test_a_tag_is_found_by_the_filter_and_shown_in_the_row_right_after(db):
    act = add_tag(db, [2, 3], "seen")
    assert act.count == 2
    assert found(db, "tag:seen") == [2, 3]
    assert found(db, "-tag:seen") == [1, 4]
    assert tags_of(db, [1, 2, 3]) == {2: ("seen",), 3: ("seen",)}


def test_a_tag_that_stands_is_not_put_there_twice_but_a_span_is_another_place(db):
    add_tag(db, [1], "loop")
    assert add_tag(db, [1, 2], "loop").count == 1
    assert add_tag(db, [1], "loop", Span(0.5, 1.25)).count == 1
    assert add_tag(db, [1], "loop", Span(0.5, 1.25)).count == 0
    assert [said.span for said in evidence_of(db, 1)] == [None, Span(0.5, 1.25)]
    assert tags_of(db, [1]) == {1: ("loop",)}


def test_undo_adds_a_row_and_undoing_that_brings_it_back_however_often(db):
    act = add_tag(db, [1, 2, 3], "seen")
    for turn in range(1, 8):
        act = undo(db, act)
        assert act.count == 3
        assert rows(db) == 3 * (turn + 1)
        expected = [] if turn % 2 else [1, 2, 3]
        assert found(db, "tag:seen") == expected
        assert [tag.name for tag in detail_of(db, 2).tags] == (["seen"] if expected else [])
        assert [tag.name for tag in tags_in_use(db)] == (["seen"] if expected else [])


def test_undo_of_a_removal_gives_the_tag_back_with_its_own_time(db):
    add_tag(db, [1], "seen", at=datetime(2026, 1, 1, tzinfo=UTC))
    removal = remove_tag(db, [1, 2], "seen")
    assert removal.count == 1
    assert standing(db, 1) == []
    undo(db, removal)
    assert [(said.text, said.made_at[:4]) for said in evidence_of(db, 1) if said.stands] == [("seen", "2026")]


def test_undo_leaves_alone_what_has_been_taken_back_meanwhile(db):
    act = add_tag(db, [1, 2], "seen")
    take_back(db, "tag", [evidence_of(db, 1)[0].uid])
    assert undo(db, act).count == 1
    assert undo(db, act).count == 0
    assert found(db, "tag:seen") == []


def test_what_two_installations_took_back_stands_only_when_both_gave_it_back(db):
    add_tag(db, [1], "seen")
    uid = evidence_of(db, 1)[0].uid
    with transaction(db):
        for number in (1, 2):
            db.execute(
                "INSERT INTO tag (uid, origin, origin_seq, response_id, name, undoes, made_at)"
                " VALUES (?, 'elsewhere', ?, 1, 'seen', ?, '2026')",
                (f"u{number}", number, uid),
            )
    assert standing(db, 1) == []
    assert give_back(db, "tag", [uid]).count == 2
    assert standing(db, 1) == [("tag", "seen")]


def test_a_note_keeps_its_lines_and_the_history_tells_every_change(db):
    act = add_note(db, [1], "第一行\n  second\t行 \n\n", Span(1.0, 2.0))
    back = undo(db, act)
    undo(db, back)
    told = history_of(db, 1)
    assert [change.change for change in told] == ["added", "taken_back", "given_back"]
    assert {change.text for change in told} == {"第一行\n  second\t行"}
    (note,) = detail_of(db, 1).notes
    assert (note.text, note.start_s, note.end_s) == ("第一行\n  second\t行", 1.0, 2.0)


def test_a_bulk_of_tags_is_one_transaction(db):
    with pytest.raises(ZeroDivisionError), transaction(db):
        add_tag(db, [1, 2, 3], "seen")
        raise ZeroDivisionError
    assert rows(db) == 0
    assert db.execute("SELECT next_seq FROM installation").fetchone()[0] == 1


def test_tags_in_use_are_counted_by_answer_the_most_frequent_first(db):
    add_tag(db, [1, 2], "loop")
    add_tag(db, [1], "loop", Span(0, 1))
    add_tag(db, [3], "方言")
    assert tags_in_use(db) == (TagInUse("loop", 2), TagInUse("方言", 1))
    assert tags_on(db, [1, 3]) == (TagInUse("loop", 1), TagInUse("方言", 1))


def test_the_index_finds_what_stands_without_reading_every_tag(db):
    plan = " ".join(
        row[3]
        for row in db.execute(
            "EXPLAIN QUERY PLAN SELECT 1 FROM tag WHERE response_id = 1 AND undoes IS NULL AND NOT EXISTS"
            " (SELECT 1 FROM tag AS taken WHERE taken.undoes = tag.uid)"
        )
    )
    assert "tag_response" in plan and "tag_undoes" in plan


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (" tts\nloop ", "tts loop"),
        ("e\u0301", "é"),
        ("节气", "节气"),
        ("a\x00b", "a b"),
        ("ok\ud83d", "ok?"),
        ("=1+1", "=1+1"),
    ],
)
def test_a_tag_is_kept_in_one_form(written, kept):
    assert tag_name(written) == kept


@pytest.mark.parametrize(
    ("written", "code"),
    [("", "tag_empty"), (" \t\u200b\u202e", "tag_empty"), ("x" * 61, "tag_long")],
)
def test_a_tag_that_says_nothing_or_too_much_is_refused(db, written, code):
    with pytest.raises(EngineError) as raised:
        add_tag(db, [1], written)
    assert raised.value.code == f"store.{code}"
    assert rows(db) == 0


def test_a_note_of_blanks_or_of_a_book_is_refused(db):
    for text, code in ((" \n", "note_empty"), ("x" * 20_001, "note_long")):
        with pytest.raises(EngineError) as raised:
            add_note(db, [1], text)
        assert raised.value.code == f"store.{code}"


def test_a_playlist_keeps_order_and_spans_and_takes_each_entry_once(db):
    made = make_playlist(db, "to hear", [Entry(3), Entry(1, Span(0.5, 1.0)), Entry(3, Span(0, 1))])
    assert made.count == 3
    assert add_entries(db, made.id, [Entry(3), Entry(2)]) == 1
    assert entries_of(db, made.id) == (Entry(3), Entry(1, Span(0.5, 1.0)), Entry(3, Span(0, 1)), Entry(2))


def test_playlists_are_renamed_and_removed_and_never_share_a_name(db):
    first, second = make_playlist(db, "a"), make_playlist(db, "a")
    assert (first.name, second.name) == ("a", "a 2")
    assert rename_playlist(db, second.id, "a") == "a 2"
    assert rename_playlist(db, second.id, "b") == "b"
    remove_playlist(db, first.id)
    assert [playlist.name for playlist in playlists_of(db)] == ["b"]
    with pytest.raises(EngineError) as raised:
        add_entries(db, first.id, [Entry(1)])
    assert raised.value.code == "store.no_playlist"
    assert db.execute("SELECT COUNT(*) FROM playlist_entry").fetchone()[0] == 0
