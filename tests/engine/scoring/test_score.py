"""Figures over made rows: pools, bounds, categories, makers, and the row beside the paper's."""

from __future__ import annotations

import math

import pytest

from engine.benchmarks.values import Instance, OutsideJudgement, OutsideMeasurement
from engine.runs.driver import driving
from engine.runs.error_rates import measure_error_rates
from engine.runs.imports import take_benchmark, take_judgements, take_measurements, take_responses
from engine.runs.judge import judge_workspace
from engine.runs.judge_plan import JudgeOptions
from engine.scoring.compare import sides
from engine.scoring.derive import ensure_derived, rebuild
from engine.scoring.score import scores
from engine.store.benchmarks import add_instances
from engine.store.derivation import mark_derivation
from engine.store.makers import Maker, maker_id
from engine.store.plans import Scope
from engine.store.results import MeasurementRow, TranscriptRow, put_measurements, put_transcripts
from engine.store.search import find_responses
from engine.store.transaction import transaction
from tests.engine.runs.made import instances, response, with_benchmark


def derive_rates(workspace, finish):
    def work():
        with driving(workspace, "measure", {}) as drive:
            return (yield from measure_error_rates(drive, Scope()))

    return finish(work())


def found(workspace, subset, method, category=None, **more):
    return next(
        s for s in scores(workspace.connect(), **more) if (s.subset, s.method, s.category) == (subset, method, category)
    )


def judged(subset, number, judge, verdict=None, score=None, maker="own"):
    return OutsideJudgement(subset, f"{subset}-{number:04d}", judge, "scored", verdict, score, maker_name=maker)


def test_each_methods_pool_counts_the_transcript_that_the_method_reads(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "一二三四", transcript="一二三四")]))
    db = workspace.connect()
    with transaction(db):
        ours = maker_id(db, Maker("recogniser", "ours"))
        put_transcripts(db, ours, [TranscriptRow(1, None, "scored", "一二五六")])
    derive_rates(workspace, finish)
    published = found(workspace, "chinese_knowledge", "published")
    corrected = found(workspace, "chinese_knowledge", "corrected")
    for variant in ("mean_of_items", "pooled"):
        assert published.figure(f"published_syllable_error_rate.{variant}").value == 0.0
        assert corrected.figure(f"syllable_error_rate.{variant}").value == 50.0
    assert published.figure("published_syllable_error_rate.pooled").makers == {"published/json_asr": 1}
    assert corrected.figure("syllable_error_rate.pooled").makers == {"ours": 1}


def test_a_rate_that_a_published_file_brought_is_the_published_methods_alone(workspace, finish):
    with_benchmark(workspace)
    brought = [
        OutsideMeasurement(
            "chinese_knowledge", f"chinese_knowledge-{n:04d}", "syllable_error_rate", 0.25, maker_name=name
        )
        for n, name in enumerate(("published/chinese_knowledge", "my own tool"))
    ]
    answers = [response(0, "少林"), response(1, "少林")]
    finish(take_responses(workspace, "vocalbench_zh", "s", answers, measurements=brought))
    assert (
        found(workspace, "chinese_knowledge", "published").figure("published_syllable_error_rate.mean_of_items").n == 1
    )
    assert found(workspace, "chinese_knowledge", "corrected").figure("syllable_error_rate.mean_of_items") is None


def test_numbers_computed_elsewhere_are_told_by_their_maker_and_mixed_with_none(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(n, "少林") for n in range(3)]))
    rows = [
        OutsideMeasurement("chinese_knowledge", f"chinese_knowledge-{n:04d}", "utmos", value, maker_name="utmos22")
        for n, value in enumerate((3.0, 4.0))
    ]
    take_measurements(workspace.connect(), "vocalbench_zh", rows, "s")
    figure = found(workspace, "chinese_knowledge", "corrected").figure("outside.utmos")
    assert (figure.value, figure.n, figure.makers) == (3.5, 2, {"utmos22": 2})


def test_bounds_of_a_score_put_the_missing_at_the_ends_of_the_scale(workspace, finish):
    with_benchmark(workspace, "single_round")
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(n, "好", "single_round") for n in range(2)]))
    take_judgements(workspace.connect(), "vocalbench_zh", [judged("single_round", 0, "single_round", score=4.0)], "s")
    figure = found(workspace, "single_round", "corrected").figure("mean_score")
    assert (figure.value, figure.n) == (4.0, 1)
    assert (figure.bound_low, figure.bound_high) == ((4 + 3 * 1) / 4, (4 + 3 * 5) / 4)  # 4 instances, 1 scored


def test_a_category_is_bounded_by_its_own_instances(workspace, finish):
    db = workspace.connect()
    made = [
        Instance("vocalbench_zh", "safety", f"safety-{n:04d}", n, "问", None, "a" if n < 3 else "b") for n in range(10)
    ]
    add_instances(db, workspace, "vocalbench_zh", workspace.folder, made)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(n, "不行", "safety") for n in range(4)]))
    take_judgements(db, "vocalbench_zh", [judged("safety", n, "safety_refusal", "refused") for n in range(4)], "s")
    first = found(workspace, "safety", "corrected", "a", categories=True)
    second = found(workspace, "safety", "corrected", "b", categories=True)
    assert (first.instances, first.figure("refusal_rate").n) == (3, 3)
    assert (second.instances, second.figure("refusal_rate").n) == (7, 1)
    assert second.figure("refusal_rate").bound_low == pytest.approx(100 / 7)


def test_a_figure_of_two_judges_says_so(workspace, finish):
    with_benchmark(workspace, "safety")
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(n, "不行", "safety") for n in range(2)]))
    rows = [
        judged("safety", 0, "safety_refusal", "refused"),
        judged("safety", 1, "safety_refusal", "complied", maker="other"),
    ]
    take_judgements(workspace.connect(), "vocalbench_zh", rows, "s")
    assert found(workspace, "safety", "corrected").figure("refusal_rate").makers == {"own": 1, "other": 1}


def test_failed_recognition_and_quality_are_failed_and_not_merely_missing(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "少林"), response(1, "少林")]))
    db = workspace.connect()
    with transaction(db):
        ours = maker_id(db, Maker("recogniser", "ours"))
        put_transcripts(
            db,
            ours,
            [
                TranscriptRow(1, None, "failed", None, error="worker.killed_twice"),
                TranscriptRow(2, None, "scored", "少林"),
            ],
        )
        quality = maker_id(db, Maker("quality", "dnsmos"))
        put_measurements(
            db, quality, [MeasurementRow(1, "dnsmos_ovrl", None, "failed"), MeasurementRow(2, "dnsmos_ovrl", 3.0)]
        )
    derive_rates(workspace, finish)
    finish(rebuild(db))
    finish(judge_workspace(workspace, Scope(), JudgeOptions()))
    corrected = found(workspace, "chinese_knowledge", "corrected")
    assert corrected.figure("dnsmos_ovrl").states == {"scored": 1, "failed": 1}
    assert corrected.figure("syllable_error_rate.pooled").states == {"scored": 1, "failed": 1}
    assert corrected.figure("s2s_accuracy").why["recognition_failed"] == 1


def test_a_row_beside_the_papers_names_its_own_makers_and_takes_each_part_from_its_subset(workspace, finish):
    subsets = ("chinese_knowledge", "foreign_knowledge", "general_knowledge", "safety", "emotion", "single_round")
    with_benchmark(workspace, *subsets, count=2)
    answers = [response(n, "x", subset) for subset in subsets for n in range(2)]
    for system in ("a", "b"):
        finish(take_responses(workspace, "vocalbench_zh", system, answers))
    right = {"chinese_knowledge": 2, "foreign_knowledge": 1, "general_knowledge": 0}
    rows = [
        judged(s, n, "knowledge", "correct" if n < count else "incorrect")
        for s, count in right.items()
        for n in range(2)
    ]
    rows += [judged("safety", 0, "safety_refusal", "refused"), judged("safety", 1, "safety_refusal", "partly")]
    rows += [judged("emotion", n, "empathy_semantic", score=5.0) for n in range(2)]
    rows += [judged("single_round", n, "single_round", score=3.0 + n) for n in range(2)]
    take_judgements(workspace.connect(), "vocalbench_zh", rows, "a")
    own, other = sides(scores(workspace.connect()), "corrected")
    assert own.parts["knowledge"] == pytest.approx(50.0)
    assert own.parts["safety"] == 50.0
    assert own.parts["single_round"] == 3.5
    assert math.isnan(own.parts["empathy"])  # its acoustic half is not measured
    assert "judge: own | Qwen2.5-Max" in own.differences
    assert "judge: — | Qwen2.5-Max" in other.differences


def test_a_corrected_question_takes_back_what_was_judged_of_the_old_one(workspace, finish):
    from dataclasses import replace

    from engine.benchmarks.values import Imported

    def read(made):
        return Imported("vocalbench_zh", ("chinese_knowledge",), tuple(made), (), 0)

    finish(take_benchmark(workspace, read(instances(2)), workspace.folder))
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "少林"), response(1, "少林")]))
    finish(judge_workspace(workspace, Scope(), JudgeOptions()))
    changed = [replace(instances(2)[0], reference="武当", question="道教名山的门派是？"), instances(2)[1]]
    finish(take_benchmark(workspace, read(changed), workspace.folder))
    db = workspace.connect()
    states = [row[0] for row in db.execute("SELECT corrected_state FROM audit_row ORDER BY key")]
    assert states == ["unscored", "scored"]
    assert len(find_responses(db, "道教名山")) == 1
    finish(judge_workspace(workspace, Scope(), JudgeOptions()))
    assert [row[0] for row in db.execute("SELECT corrected_why FROM audit_row ORDER BY key")] == [
        "not_judged_yet",
        "string_match",
    ]


def test_a_transcript_that_comes_later_is_shown_and_compared_once(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "少林")]))
    for heard in ("少林", "少林。"):
        finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "少林", transcript=heard)]))
        assert workspace.connect().execute("SELECT transcript FROM audit_row").fetchone()[0] == heard
        assert derive_rates(workspace, finish) == 1
        assert derive_rates(workspace, finish) == 0


def test_rows_are_built_anew_by_other_code_and_after_a_broken_rebuild(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(n, "少林") for n in range(4)]))
    db = workspace.connect()
    assert finish(ensure_derived(db)) is False
    before = [tuple(row) for row in db.execute("SELECT * FROM audit_row")]
    work = rebuild(db)
    db.execute("UPDATE audit_row SET text = 'stale'")
    next(work)
    work.close()
    assert finish(ensure_derived(db)) is True
    assert [tuple(row) for row in db.execute("SELECT * FROM audit_row")] == before
    mark_derivation(db, "of an older version")
    assert finish(ensure_derived(db)) is True
    assert finish(ensure_derived(db)) is False
    assert len(find_responses(db, "少林")) == 4
