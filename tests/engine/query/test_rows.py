"""Filters against a plain reading of the same tree, orders, pages and counts; on made rows with missing values."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.query.grammar import parse
from engine.query.presets import ALL
from engine.query.ranks import Ranks, SortKey
from engine.query.rows import LONGEST_TEXT, count, counts, preset_counts, rows_of, sorted_ids
from engine.store.search import replace_in_index
from engine.store.workspace import open_workspace
from tests.engine.query.evaluate import holds, human
from tests.engine.query.trees import TREES

COUNT = 300
PROTOCOLS = ("correctness", "naturalness", "safety")


class Filled(tuple):
    """(connection, rows), told shortly where a test fails."""

    def __repr__(self):
        return "filled"


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """(connection, rows): made rows in the store, and the same rows as dicts with their tags."""
    workspace = open_workspace(tmp_path_factory.mktemp("rows") / "w", create=True)
    db = workspace.connect()
    choose = random.Random(7)
    rows = [made_row(choose, number) for number in range(1, COUNT + 1)]
    db.execute("PRAGMA foreign_keys = OFF")
    for row in rows:
        put(db, row)
    yield Filled((db, rows))
    db.close()


def made_row(choose, number):
    def maybe(value):
        return None if choose.random() < 0.2 else value

    text = maybe("".join(choose.choice("少林寺武术节气竹篮") for _ in range(8)) if number % 3 else "kung fu apple")
    transcript = maybe(text)
    row = {
        "response_id": number,
        "system": choose.choice(["one", "two", "One-B"]),
        "benchmark": "vocalbench_zh",
        "subset": choose.choice(["reasoning", "safety"]),
        "key": f"k-{number:03d}",
        "category": maybe(choose.choice(["red", "blue", "re%d_x"])),
        "language": choose.choice(["zh", "en"]),
        "repeat": 0,
        "question": "".join(choose.choice("少林寺武术节气竹篮") for _ in range(6)),
        "text": text,
        "transcript": transcript,
        "transcript_id": None if transcript is None else 1,
        "response_state": "answered",
        "faults": choose.choice(["", "silent", "clipped silent", "silently"]),
        "mismatch": choose.choice(["", "omission", "omission repetition"]) if transcript is not None else "",
    }
    for name in ("syllable_error_rate", "word_error_rate", "published_error_rate"):
        row[name] = maybe(choose.choice([0.0, 0.05, round(choose.random(), 2)]))
    row["dnsmos_ovrl"] = maybe(round(choose.uniform(1, 5), 1))
    row["duration_s"] = maybe(float(choose.randint(0, 40)))
    for method in ("published", "corrected"):
        state = choose.choice(["scored", "scored", "failed", "unscored"])
        row[f"{method}_state"] = state
        row[f"{method}_verdict"] = choose.choice(["right", "wrong", None]) if state == "scored" else None
        row[f"{method}_score"] = maybe(float(choose.randint(1, 5)))
        row[f"{method}_s2s_verdict"] = choose.choice(["right", "wrong", None])
    row["tags"] = choose.choice([(), (), ("seen",), ("seen", "flat")])
    row["people"] = [made_opinion(choose, name) for name in PROTOCOLS if choose.random() < 0.3]
    return row


def made_opinion(choose, protocol):
    """(dimension, raters, passed, failed, mean) of an answer under a protocol that decides, or one that does not."""
    raters = choose.randint(1, 5)
    if protocol == "naturalness":
        return protocol, raters, None, None, choose.choice([2.0, 3.5])
    passed = choose.randint(0, raters)
    return protocol, raters, passed, raters - passed, None


def put(db, row):
    tags = row["tags"]
    columns = {name: value for name, value in row.items() if name not in ("tags", "people")}
    for dimension, *told in row["people"]:
        db.execute(
            "INSERT INTO human_row VALUES (?, ?, ?, ?, ?, ?, ?)", (row["response_id"], dimension, dimension, *told)
        )
    places = ", ".join(f":{name}" for name in columns)
    db.execute(f"INSERT INTO audit_row ({', '.join(columns)}) VALUES ({places})", columns)
    replace_in_index(db, [], [(row["response_id"], (row["question"], row["text"], row["transcript"]))])
    db.execute(
        "INSERT INTO response (id, uid, run_id, instance_id, system_id, state, error, content_sha256, created_at)"
        " VALUES (?, ?, 1, ?, 1, 'answered', 'why', '', '')",
        (row["response_id"], str(row["response_id"]), row["response_id"]),
    )
    for place, name in enumerate((*tags, "taken_back")):
        number = row["response_id"] * 10 + place
        tag(db, f"t{number}", number, row["response_id"], name, None)
    tag(db, f"u{row['response_id']}", -row["response_id"], row["response_id"], "taken_back", f"t{number}")


def tag(db, uid, seq, response_id, name, undoes):
    db.execute(
        "INSERT INTO tag (uid, origin, origin_seq, response_id, name, undoes, made_at) VALUES (?, 'o', ?, ?, ?, ?, '')",
        (uid, seq, response_id, name, undoes),
    )


@settings(max_examples=200, deadline=None)
@given(tree=TREES, method=st.sampled_from(["published", "corrected"]))
def test_sql_finds_what_a_plain_reading_of_the_tree_finds(filled, tree, method):
    db, rows = filled
    expected = [row["response_id"] for row in rows if holds(tree, row, method) is True]
    assert sorted_ids(db, tree, (), method).tolist() == expected
    assert count(db, tree, method) == len(expected)


def test_what_passed_before_is_found_again_with_other_terms_beside_it(filled):
    db, _rows = filled
    ranks = Ranks()
    for query in ("per>0.05", "dnsmos>2 per>0.05", "dnsmos>2 system:one", "per>0.05 system:one 少林", "", "-per>0.05",
                  "per>0.05 OR dnsmos>2", "per>0.05 tag:seen", "tag:seen", "human:fail", "-human:fail per>0.05"):  # fmt: skip
        for method in ("published", "corrected"):
            for _ in range(2):
                found = sorted_ids(db, parse(query), (), method, ranks=ranks)
                assert found.tolist() == sorted_ids(db, parse(query), (), method).tolist(), query


def test_what_nobody_rated_is_found_by_the_contrary_of_any_value(filled):
    db, rows = filled
    without = [row["response_id"] for row in rows if human(row) is None]
    assert 0 < len(without) < COUNT
    assert sorted_ids(db, parse("-human:*")).tolist() == without
    assert sorted_ids(db, parse("-(human:* system:*)")).tolist() == without
    assert sorted_ids(db, parse("-human:*,pass")).tolist() == []
    assert sorted_ids(db, parse("rated:no")).tolist() == [row["response_id"] for row in rows if not row["people"]]


@pytest.mark.parametrize("descending", [False, True])
def test_answers_sort_by_what_people_rated_those_without_last(filled, descending):
    db, rows = filled
    sign = -1 if descending else 1

    def key(row):
        score = min((mean for *_, mean in row["people"] if mean is not None), default=None)
        return (score is None, sign * (score or 0), row["response_id"])

    ids = sorted_ids(db, parse(""), (SortKey("human_score", descending),))
    assert ids.tolist() == [row["response_id"] for row in sorted(rows, key=key)]
    page = rows_of(db, ids[:5], more=("human", "human_score", "rated", "raters_against", "rated_for"))
    by_id = {row["response_id"]: row for row in rows}
    assert [row.more["human"] for row in page] == [human(by_id[row.id]) for row in page]
    assert [row.more["rated_for"] for row in page] == [" ".join(p[0] for p in by_id[row.id]["people"]) for row in page]


def test_tags_are_looked_for_anew_each_time(filled):
    db, _rows = filled
    ranks = Ranks()
    before = sorted_ids(db, parse("tag:fresh"), ranks=ranks)
    tag(db, "fresh", 99_999, 5, "fresh", None)
    after = sorted_ids(db, parse("tag:fresh"), ranks=ranks)
    tag(db, "fresh_undone", 99_998, 5, "fresh", "fresh")
    assert (before.tolist(), after.tolist()) == ([], [5])


def test_a_missing_value_matches_neither_a_comparison_nor_its_contrary(filled):
    db, rows = filled
    some = set(sorted_ids(db, parse("per>0.05")).tolist()) | set(sorted_ids(db, parse("-per>0.05")).tolist())
    assert some == {row["response_id"] for row in rows if row["syllable_error_rate"] is not None}
    assert count(db, parse("state:failed,unscored")) == sum(row["corrected_state"] != "scored" for row in rows)


def test_a_percent_sign_in_a_value_is_itself(filled):
    db, rows = filled
    assert count(db, parse("category:re%d_x")) == sum(row["category"] == "re%d_x" for row in rows)


@pytest.mark.parametrize("descending", [False, True])
def test_numbers_sort_as_numbers_and_missing_ones_come_last(filled, descending):
    db, rows = filled
    ids = sorted_ids(db, parse(""), (SortKey("system"), SortKey("per", descending)))
    sign = -1 if descending else 1

    def key(row):
        rate = row["syllable_error_rate"]
        return (row["system"], rate is None, sign * (rate or 0), row["response_id"])

    assert ids.tolist() == [row["response_id"] for row in sorted(rows, key=key)]


def test_a_column_is_read_once_for_many_filters_and_serves_both_methods_apart(filled):
    db, _rows = filled
    ranks = Ranks()
    sort = (SortKey("per", True),)
    for query in ("", "dnsmos>3", "per>0.1", "per:*"):
        for method in ("published", "corrected"):
            fresh = sorted_ids(db, parse(query), sort, method)
            assert np.array_equal(sorted_ids(db, parse(query), sort, method, ranks=ranks), fresh)


def test_what_a_filter_finds_stands_in_the_order_in_which_all_answers_are_kept(filled):
    db, rows = filled
    ranks = Ranks()
    kept = sorted_ids(db, parse(""), (SortKey("system"), SortKey("dnsmos", True)), ranks=ranks).tolist()
    for query in ("dnsmos>3", "-tag:seen", "key:*7", "key:none-such"):  # many of them, few, none
        found = sorted_ids(db, parse(query), (SortKey("system"), SortKey("dnsmos", True)), ranks=ranks).tolist()
        assert found == [number for number in kept if number in set(found)]

    def key(row):
        return (row["system"], row["dnsmos_ovrl"] is None, -(row["dnsmos_ovrl"] or 0), row["response_id"])

    assert kept == [row["response_id"] for row in sorted(rows, key=key)]


def test_what_has_no_order_says_so(filled):
    with pytest.raises(EngineError, match="cannot be sorted by tag"):
        sorted_ids(filled[0], parse(""), (SortKey("tag"),))


def test_only_given_answers_pass_when_told(filled):
    db, _rows = filled
    assert sorted_ids(db, parse("system:*"), among=[5, 3, 10_000]).tolist() == [3, 5]


def test_rows_come_in_the_order_asked_with_tags_and_the_methods_own_figures(filled):
    db, rows = filled
    page = rows_of(db, [7, 3, 99_999, 12], "published")
    assert [row.id for row in page] == [7, 3, 12]
    for row in page:
        made = rows[row.id - 1]
        assert (row.state, row.verdict, row.error_rate) == (
            made["published_state"],
            made["published_verdict"],
            made["published_error_rate"],
        )
        assert row.tags == made["tags"]
        assert row.mismatch == tuple(made["mismatch"].split())


def test_long_texts_are_cut_for_the_table(filled):
    db, _rows = filled
    db.execute("SAVEPOINT long")
    db.execute("UPDATE audit_row SET text = ? WHERE response_id = 1", ("长" * 100_000,))
    assert len(rows_of(db, [1])[0].answer) == LONGEST_TEXT
    db.execute("ROLLBACK TO long")
    db.execute("RELEASE long")


def test_counts_and_presets(filled):
    db, rows = filled
    assert (counts(db).answers, counts(db).systems) == (COUNT, 3)
    found = preset_counts(db)
    assert found.keys() == {preset.id for preset in ALL}
    assert found["all"] == COUNT
    assert found["right_text"] == sum(
        row["corrected_verdict"] == "right" and row["corrected_s2s_verdict"] == "wrong" for row in rows
    )
    english = [row for row in rows if row["text"] == "kung fu apple" and row["language"] == "zh"]
    chinese = [row for row in rows if row["text"] not in (None, "kung fu apple") and row["language"] == "en"]
    assert found["wrong_language"] == len(english) + len(chinese)


def test_filters_read_the_narrow_index_and_not_the_texts(filled):
    db, _ = filled
    for query in ("SELECT group_concat(response_id) FROM audit_row WHERE syllable_error_rate > 0.05",
                  "SELECT COUNT(*) FROM audit_row WHERE (system LIKE 'a%') AND (corrected_state LIKE 'failed')"):  # fmt: skip
        plan = " ".join(row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {query}"))
        assert "COVERING INDEX" in plan


def test_values_of_other_fields_come_with_the_rows_that_want_them(filled):
    db, rows = filled
    db.execute(
        "INSERT OR REPLACE INTO instance (id, benchmark_id, subset, key, position, question, language, labels,"
        " record_sha256) VALUES (5, 1, 's', 'k', 1, '', 'zh', '{\"Question_emo\": \"sad\", \"Level\": 3}', '')"
    )
    more = ("transcript", "category", "wer", "emotion", "level", "flipped", "faults")
    [row] = rows_of(db, [5], "published", more)
    made = rows[4]
    assert row.more["category"] == made["category"]
    assert row.more["transcript"] == made["transcript"]
    assert row.more["wer"] == made["word_error_rate"]
    assert row.more["faults"] == made["faults"]
    assert (row.more["emotion"], row.more["level"]) == ("sad", 3)
    assert row.more["flipped"] in (0, 1)
    assert rows_of(db, [5])[0].more == {}
