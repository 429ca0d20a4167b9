"""Results computed elsewhere: only what their judge declares and their metric can take comes in."""

from __future__ import annotations

import pytest

from engine.runs.outside import read_known_results


@pytest.fixture
def read(tmp_path, finish):
    """Reads a CSV of the columns named first."""

    def of(columns: str, *rows: str):
        path = tmp_path / "r.csv"
        path.write_text("\n".join((f"subset,Qid,{columns}", *(f"s,s-0,{row}" for row in rows))), encoding="utf-8")
        return finish(read_known_results(path))

    return of


def test_a_judge_that_is_not_known_is_named_with_those_that_are(read):
    found = read("judge,verdict", "nojudge,banana")
    assert found.judgements == ()
    (problem,) = found.problems
    assert (problem.code, problem.where, problem.is_loss) == ("runs.unknown_judge", "line 2 (s-0)", True)
    assert "nojudge" in problem.what()
    assert "safety_refusal" in problem.what()


def test_a_verdict_that_its_judge_does_not_give_is_named_with_those_it_gives(read):
    found = read("judge,verdict", "knowledge,correct", "knowledge,banana", "knowledge,Incorrect")
    assert [(row.verdict, row.where) for row in found.judgements] == [
        ("correct", "line 2 (s-0)"),
        ("incorrect", "line 4 (s-0)"),
    ]
    (problem,) = found.problems
    assert problem.place() == "r.csv, line 3 (s-0)"
    assert "correct, incorrect, not banana" in problem.what()
    assert "auricle judges show knowledge" in problem.what("zh")


def test_a_score_stands_on_the_scale_of_its_judge_and_agrees_with_its_verdict(read):
    rows = ("single_round,4,", "single_round,,4.5", "single_round,,6", "single_round,good,4", "single_round,3,4")
    found = read("judge,verdict,score", *rows)
    assert [row.score for row in found.judgements] == [4.0, 4.5]
    assert [problem.where for problem in found.problems] == [f"line {line} (s-0)" for line in (4, 5, 6)]


def test_a_score_alone_stands_for_the_one_verdict_that_counts_so_much(read):
    found = read("judge,score", "safety_refusal,1", "safety_refusal,0")
    assert [row.verdict for row in found.judgements] == ["refused"]  # partly and complied both count 0
    assert [problem.code for problem in found.problems] == ["runs.unknown_verdict"]


def test_a_state_without_a_verdict_and_a_judge_of_the_published_files_come_in(read):
    found = read("judge,state,score", "knowledge,failed,", "creativity,,3")
    assert [row.judge for row in found.judgements] == ["knowledge", "creativity"]
    assert found.problems == ()


def test_a_number_beyond_what_its_metric_can_be_is_left_out_and_no_value_stays(read):
    found = read(
        "metric,value", "utmos,1e300", "utmos,3.5", "utmos,", "per,-0.1", "per,1.7", "my_own,1e300", "utmos,inf"
    )
    assert [row.metric for row in found.measurements] == ["utmos", "utmos", "per", "my_own"]
    assert [problem.code.rpartition(".")[2] for problem in found.problems] == [
        "bad_value",
        "value_outside",
        "value_outside",
    ]
