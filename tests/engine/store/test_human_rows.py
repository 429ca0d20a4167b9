"""What people's ratings come to: of revealed studies alone, kept with every act, the same however it came about."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from engine.bring.merge import merge
from engine.bring.pack import pack
from engine.rating.protocols import load_protocol
from engine.scoring.derive import ensure_derived, rebuild
from engine.store.human_rows import ensure_settled
from engine.store.rating_merging import ratings_in
from engine.store.rating_packing import ratings_out
from engine.store.sittings import skip, undo
from engine.store.studies import NewSession, NewStudy, add_study, disclose, keep_protocol, study_of
from engine.store.workspace import open_workspace
from tests.engine.store.of_people import kept, people_rate, rows
from tests.engine.store.rated import answers, new_assignment, with_answers

NAMES = ("林", "王", "Ada")


@pytest.fixture
def there(workspace):
    return with_answers(workspace)


@pytest.fixture
def ids(there):
    with closing(there.connect()) as db:
        return answers(db)


def test_a_sealed_study_leaves_no_row_and_a_revealed_one_has_one_for_each_answer(there, ids):
    study = people_rate(there, "safety", NAMES, ids[:2])
    study.rate("林", 0, safety="refused")
    study.rate("王", 0, safety="partly", severity=2, category="crime")
    study.rate("Ada", 0, safety="refused")
    study.rate("Ada", 1, safety="complied", severity=5, category="crime")
    assert rows(study.db) == []
    disclose(study.db, study.study, "done")
    assert rows(study.db) == [
        (ids[0], "safety", "safety", 3, 2, 1, None),
        (ids[1], "safety", "safety", 1, 0, 1, None),
    ]


def test_a_mean_is_of_the_main_scale_and_a_rule_of_at_least_is_kept(there, ids):
    study = people_rate(there, "empathy_semantic", NAMES, ids[:1])
    disclose(study.db, study.study, "at once")
    for name, value in zip(NAMES, (2, 3, 5)):
        study.rate(name, 0, empathy_semantic=value)
    assert rows(study.db) == [(ids[0], "empathy_semantic", "empathy_semantic", 3, 2, 1, pytest.approx(10 / 3))]
    plain = people_rate(there, "naturalness", NAMES[:1], ids[:1])
    plain.rate("林", 0, naturalness=4)
    disclose(plain.db, plain.study, "done")
    assert rows(plain.db)[1] == (ids[0], "naturalness", "naturalness", 1, None, None, 4.0)


def test_changing_undoing_and_skipping_move_the_row(there, ids):
    study = people_rate(there, "empathy_semantic", NAMES[:1], ids[:1])
    disclose(study.db, study.study, "at once")
    study.rate("林", 0, empathy_semantic=5)
    changed = study.rate("林", 0, empathy_semantic=1)
    assert [row[3:] for row in rows(study.db)] == [(1, 0, 1, 1.0)]
    given_back = undo(study.db, changed)
    assert [row[3:] for row in rows(study.db)] == [(1, 1, 0, 5.0)]
    undo(study.db, given_back)
    assert [row[3:] for row in rows(study.db)] == [(1, 0, 1, 1.0)]
    skipped = skip(study.db, study.shown("林", 0), "noise")
    assert rows(study.db) == []
    undo(study.db, skipped)
    assert [row[3:] for row in rows(study.db)] == [(1, 0, 1, 1.0)]


def test_checks_repeats_and_comparisons_do_not_count(there, ids):
    items = [
        new_assignment(ids[0], "A", kind="gold", expected={"naturalness": 5}, pi=None),
        new_assignment(ids[0], "A", kind="trap", expected={"naturalness": 1}, pi=None),
        new_assignment(ids[0], "A", kind="training", expected={"naturalness": 3}, pi=None),
        new_assignment(ids[1], "A"),
        new_assignment(ids[1], "B", kind="repeat", repeats=3),
        new_assignment(ids[2], "A", other_response_id=ids[3], other_letter="B"),
    ]
    study = people_rate(there, "naturalness", NAMES[:1], items)
    for place, value in enumerate((5, 1, 3, 4, 1, 2)):
        study.rate("林", place, naturalness=value)
    disclose(study.db, study.study, "done")
    assert [(row[0], row[-1]) for row in rows(study.db)] == [(ids[1], 4.0)]


def test_a_rater_has_one_vote_however_many_studies_ask_and_what_was_said_last_counts(there, ids):
    first = people_rate(there, "safety", NAMES[:2], ids[:1])
    second = people_rate(there, "safety", NAMES[:1], ids[:1], "spring")
    first.rate("林", 0, safety="refused")
    first.rate("王", 0, safety="refused")
    second.rate("林", 0, safety="complied", severity=3, category="crime")
    disclose(first.db, first.study, "done")
    assert [row[3:6] for row in rows(first.db)] == [(2, 2, 0)]
    disclose(first.db, second.study, "done")
    assert [row[3:6] for row in rows(first.db)] == [(2, 1, 1)]


def test_what_was_rated_once_the_words_were_shown_does_not_count_where_the_protocol_hides_them(there, ids):
    assert load_protocol("empathy_acoustic", "zh").reveals == "after_commit"
    study = people_rate(there, "empathy_acoustic", NAMES[:1], ids[:1])
    disclose(study.db, study.study, "at once")
    study.rate("林", 0, empathy_acoustic=4)
    study.rate("林", 0, before=False, empathy_acoustic=1)
    assert [row[3:] for row in rows(study.db)] == [(1, 1, 0, 4.0)]


def test_of_two_versions_of_a_protocol_the_newer_one_counts(there, ids):
    study = people_rate(there, "naturalness", NAMES[:2], ids[:1])
    study.rate("林", 0, naturalness=5)
    study.rate("王", 0, naturalness=4)
    disclose(study.db, study.study, "done")
    told = load_protocol("naturalness", "zh").declaration() | {"version": 3}
    number = keep_protocol(study.db, name="naturalness", version=3, language="zh", sha256="2" * 64, declaration=told)
    session = NewSession(1, number, 1, [new_assignment(ids[0], "A", dimension="naturalness")])
    newer = add_study(study.db, NewStudy("t", 1, "random", "estimation", {}, None, [session]))
    assert [row[-1] for row in rows(study.db)] == [4.5]
    disclose(study.db, newer, "nothing rated yet")
    assert [row[-1] for row in rows(study.db)] == [4.5]
    [item] = study.db.execute(
        "SELECT assignment.id FROM assignment JOIN session ON session.id = session_id WHERE study_id = ?", (newer,)
    ).fetchone()
    study.items["林"].append(item)
    study.rate("林", 1, naturalness=2)
    assert [(row[3], row[-1]) for row in rows(study.db)] == [(1, 2.0)]


@pytest.mark.parametrize(
    "declaration", [[], {"scales": "none", "passes_when": 3}, {"scales": [{"id": 4}], "passes_when": {"scale": []}}]
)
def test_a_declaration_that_says_nothing_breaks_nothing(there, ids, declaration):
    db = there.connect(durable=True)
    kept(db, "naturalness")
    db.execute("UPDATE protocol SET declaration = ?", (json.dumps(declaration),))
    study = people_rate(there, "naturalness", NAMES[:1], ids[:1])
    study.rate("林", 0, naturalness=5)
    disclose(study.db, study.study, "done")
    assert rows(study.db) == []


def test_what_is_derived_anew_is_the_same(there, ids, finish):
    study = people_rate(there, "empathy_semantic", NAMES, ids)
    for place in range(len(ids)):
        for n, name in enumerate(NAMES[: 1 + place % 3]):
            study.rate(name, place, empathy_semantic=1 + (place + 2 * n) % 5)
    disclose(study.db, study.study, "done")
    kept_rows = rows(study.db)
    assert len(kept_rows) == len(ids)
    study.db.execute("UPDATE human_row SET passed = 9")
    study.db.execute("INSERT INTO human_row VALUES (?, 'p', 'd', 1, 1, 0, NULL)", (ids[0],))
    finish(rebuild(study.db))
    assert rows(study.db) == kept_rows


def test_a_store_from_before_there_were_rows_gets_them_when_it_is_opened(there, ids, finish):
    study = people_rate(there, "safety", NAMES[:1], ids[:1])
    study.rate("林", 0, safety="refused")
    disclose(study.db, study.study, "done")
    study.db.execute("DELETE FROM human_row")
    finish(ensure_derived(study.db))
    assert [row[3:6] for row in rows(study.db)] == [(1, 1, 0)]
    study.db.execute("DELETE FROM human_row")
    ensure_settled(study.db)  # done already
    assert rows(study.db) == []


@pytest.mark.parametrize("is_revealed_first", [True, False])
def test_merges_in_either_order_give_the_same_rows(there, ids, finish, tmp_path, is_revealed_first):
    home = people_rate(there, "empathy_semantic", NAMES[:2], ids)
    finish(pack(there, tmp_path / "given.zip"))
    away = open_workspace(tmp_path / "away", create=True)
    finish(merge(away, tmp_path / "given.zip"))
    for place in range(len(ids)):
        home.rate("林", place, empathy_semantic=1 + place % 5)
        home.rate("王", place, empathy_semantic=5 - place % 5)
    if is_revealed_first:
        disclose(home.db, home.study, "done")
        finish(pack(there, tmp_path / "revealed.zip"))
        finish(merge(away, tmp_path / "revealed.zip"))
    else:
        db = away.connect()
        assert ratings_in(db, ratings_out(home.db, study_uid=study_of(home.db, home.study).uid)).refused == []
        assert rows(db) == []
        disclose(home.db, home.study, "done")
        finish(pack(there, tmp_path / "revealed.zip"))
        finish(merge(away, tmp_path / "revealed.zip"))
    with closing(away.connect()) as db:
        assert rows_by_uid(db) == rows_by_uid(home.db)
        assert len(rows_by_uid(db)) == len(ids)


def test_ratings_that_come_after_the_letters_were_revealed_count(there, ids, finish, tmp_path):
    home = people_rate(there, "safety", NAMES[:1], ids[:1])
    disclose(home.db, home.study, "at once")
    finish(pack(there, tmp_path / "given.zip"))
    away = open_workspace(tmp_path / "away", create=True)
    finish(merge(away, tmp_path / "given.zip"))
    home.rate("林", 0, safety="refused")
    with closing(away.connect()) as db:
        ratings_in(db, ratings_out(home.db, study_uid=study_of(home.db, home.study).uid))
        assert rows_by_uid(db) == rows_by_uid(home.db) != []


def rows_by_uid(db):
    return sorted(
        tuple(row)
        for row in db.execute(
            "SELECT response.uid, protocol, dimension, raters, passed, failed, mean FROM human_row"
            " JOIN response ON response.id = response_id"
        )
    )
