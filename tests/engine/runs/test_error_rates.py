"""Error rates of stored transcripts: derived once, both methods, crashes as states, extremes found by search."""

from __future__ import annotations

import pytest

from engine.benchmarks.recorded import read_recorded
from engine.benchmarks.values import Instance
from engine.runs.driver import driving
from engine.runs.error_rates import measure_error_rates
from engine.runs.imports import take_responses
from engine.scoring.score import scores
from engine.store.benchmarks import add_instances
from engine.store.plans import Scope
from engine.store.search import find_responses
from tests.engine.runs.made import response, with_benchmark
from tests.shared import case, make_case, needs_shared


def derive(workspace, finish):
    def work():
        with driving(workspace, "measure", {}) as drive:
            return (yield from measure_error_rates(drive, Scope()))

    return finish(work())


def test_a_text_on_which_the_original_crashes_is_failed_and_not_zero(workspace, finish):
    with_benchmark(workspace)
    answers = [response(0, "共１０页少林", transcript="共十页少林"), response(1, "少林", transcript="少林")]
    finish(take_responses(workspace, "vocalbench_zh", "s", answers))
    assert derive(workspace, finish) == 2
    rows = workspace.connect().execute("SELECT * FROM audit_row ORDER BY key").fetchall()
    assert [row["published_error_state"] for row in rows] == ["failed", "scored"]
    assert [row["published_error_rate"] for row in rows] == [None, 0.0]
    assert [row["syllable_error_rate"] for row in rows] == [0.0, 0.0]
    published = next(s for s in scores(workspace.connect()) if s.method == "published")
    assert published.figure("published_syllable_error_rate.mean_of_items").states == {"scored": 1, "failed": 1}


def test_rates_are_derived_once_and_pooled_over_errors_and_lengths(workspace, finish):
    with_benchmark(workspace)
    # 1 wrong of 2 and 0 wrong of 8 characters: mean 25 %, pooled 10 %
    answers = [response(0, "你好", transcript="你坏"), response(1, "一二三四五六七八", transcript="一二三四五六七八")]
    finish(take_responses(workspace, "vocalbench_zh", "s", answers))
    assert derive(workspace, finish) == 2
    assert derive(workspace, finish) == 0
    corrected = next(s for s in scores(workspace.connect()) if s.method == "corrected")
    assert corrected.figure("character_error_rate.mean_of_items").value == pytest.approx(25.0)
    assert corrected.figure("character_error_rate.pooled").value == pytest.approx(10.0)


def test_an_answer_without_text_has_no_rate(workspace, finish, tmp_path):
    from tests.engine.runs.made import tone

    with_benchmark(workspace)
    finish(
        take_responses(
            workspace, "vocalbench_zh", "s", [response(0, None, audio=tone(tmp_path / "a.wav"), transcript="有声音")]
        )
    )
    derive(workspace, finish)
    row = workspace.connect().execute("SELECT syllable_error_rate, transcript, mismatch FROM audit_row").fetchone()
    assert tuple(row) == (None, "有声音", "")


@needs_shared
def test_extreme_answers_are_kept_and_found_by_one_character(workspace, finish, tmp_path):
    made = make_case("response-extremes", tmp_path)
    expect = case("response-extremes")["expect"]
    folder = tmp_path / "model" / "json"
    folder.mkdir(parents=True)
    (made / "responses.json").rename(folder / "general_knowledge.json")
    asked = [
        Instance("vocalbench_zh", "general_knowledge", f"general_knowledge-{n:04d}", n, "问")
        for n in range(expect["records"])
    ]
    db = workspace.connect()
    add_instances(db, workspace, "vocalbench_zh", tmp_path, asked)
    recorded = finish(read_recorded(tmp_path / "model"))
    finish(take_responses(workspace, "vocalbench_zh", "s", recorded.responses))
    stored = {int(r["key"][-4:]): r for r in db.execute("SELECT key, text, response_state, response_id FROM audit_row")}
    assert sorted(stored) == list(range(expect["records"]))
    assert [n for n, row in stored.items() if row["response_state"] == "no_answer"] == expect["no_answer"]
    assert {n: len(stored[int(n)]["text"]) for n in expect["length"]} == expect["length"]
    by_id = {row["response_id"]: n for n, row in stored.items()}
    for word, numbers in expect["search_finds"].items():
        assert [by_id[found] for found in find_responses(db, word)] == numbers
