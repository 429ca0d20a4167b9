"""Chosen answers worked on again: which they are, that they stay the same, what flips and whose results count."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

from engine.errors import EngineError
from engine.judges.endpoint import Endpoint
from engine.query.grammar import parse
from engine.query.rows import sorted_ids
from engine.runs.before import flips_of_run
from engine.runs.driver import driving
from engine.runs.error_rates import measure_error_rates
from engine.runs.imports import take_responses
from engine.runs.judge import judge_workspace
from engine.runs.judge_plan import JudgeOptions
from engine.runs.launch import launch, started
from engine.runs.plan import plan_work
from engine.runs.request import WorkRequest, request_of
from engine.runs.reread import reread_replies
from engine.runs.scope import CHOSEN, chosen_scope
from engine.runs.work import work_workspace
from engine.scoring.counting import let_count
from engine.store.choices import choosable
from engine.store.plans import Chosen, Scope
from engine.store.runs import run_of, runs_of
from tests.engine.judges.server import Server
from tests.engine.runs.made import response, with_benchmark

STEPS = ("judge", "score")


@pytest.fixture
def answered(workspace, finish):
    """Six single-round answers, which only a judge can score, of two systems."""
    with_benchmark(workspace, "single_round")
    for system in ("one", "two"):
        answers = [response(n, f"第{n}首", "single_round") for n in range(3)]
        finish(take_responses(workspace, "vocalbench_zh", system, answers))
    return workspace


def scoring(score):
    return lambda body, count: f"理由：具体。\n得分：[{score}]"


def options(server, model):
    return JudgeOptions(Endpoint(server.base_url, model))


def judged_all(workspace, finish, score=4, model="first"):
    with Server(scoring(score)) as server:
        finish(judge_workspace(workspace, Scope(), options(server, model)))


def rejudge(workspace, finish, chosen, score=2, model="second", told=None):
    with Server(scoring(score)) as server:
        request = WorkRequest(STEPS, Scope(chosen=chosen), judging=options(server, model))
        finish(work_workspace(workspace, request, told))
        return len(server.requests)


def values(workspace):
    db = workspace.connect()
    found = {r[0]: r[1] for r in db.execute("SELECT response_id, corrected_score FROM audit_row ORDER BY 1")}
    db.close()
    return found


def test_only_the_chosen_are_asked_about_and_the_old_results_stay_beside_the_new(answered, finish):
    judged_all(answered, finish)
    told = io.StringIO()
    assert rejudge(answered, finish, Chosen(ids=(2, 5)), told=told) == 2
    assert values(answered) == {1: 4.0, 2: 2.0, 3: 4.0, 4: 4.0, 5: 2.0, 6: 4.0}
    db = answered.connect()
    assert (
        db.execute("SELECT COUNT(*) FROM judgement WHERE response_id IN (2, 5) AND judge = 'single_round'").fetchone()[
            0
        ]
        == 4
    )
    flips = flips_of_run(answered, runs_of(db)[0].id)
    assert {(f.response_id, f.kind, f.before.value, f.after.value) for f in flips} == {
        (2, "score", 4.0, 2.0),
        (5, "score", 4.0, 2.0),
    }
    (event,) = [json.loads(line) for line in told.getvalue().splitlines() if '"event": "flips"' in line]
    assert (event["answers"], event["pairs"][0]["count"]) == (2, 4)  # under both methods
    assert [(p["before"].split()[0], p["after"].split()[0]) for p in event["pairs"]] == [("first", "second")]


def test_a_first_run_has_nothing_that_could_flip(answered, finish):
    judged_all(answered, finish)
    run = runs_of(answered.connect())[0]
    assert flips_of_run(answered, run.id) is None


def test_a_filter_is_looked_up_once_and_what_the_run_writes_does_not_change_whom_it_is_about(answered, finish):
    judged_all(answered, finish)
    chosen = Chosen("score>=4 system:one")
    with Server(lambda body, count: scoring(1)(body, count) if count < 2 else "") as server:
        request = WorkRequest(STEPS, Scope(chosen=chosen), judging=options(server, "second"))
        work = work_workspace(answered, request)
        for _ in range(2):
            next(work)
        work.close()
    db = answered.connect()
    first = runs_of(db)[0]
    assert json.loads((answered.runs / str(first.id) / CHOSEN).read_text()) == [1, 2, 3]
    assert (first.settings["scope"]["chosen"]["count"], first.settings["scope"]["chosen"]["ids"]) == (3, None)
    with Server(scoring(1)) as server:
        again = request_of(run_of(db, first.id))
        finish(work_workspace(answered, WorkRequest(STEPS, again.scope, judging=options(server, "second"))))
    assert values(answered) == {1: 1.0, 2: 1.0, 3: 1.0, 4: 4.0, 5: 4.0, 6: 4.0}
    assert sorted_ids(db, parse("score>=4")).tolist() == [4, 5, 6]
    second = runs_of(db)[0]
    assert json.loads((answered.runs / str(second.id) / CHOSEN).read_text()) == [1, 2, 3]


def test_whose_answers_a_run_was_about_is_never_guessed(answered, finish):
    judged_all(answered, finish)
    rejudge(answered, finish, Chosen(ids=(2,)))
    db = answered.connect()
    run = runs_of(db)[0]
    (answered.runs / str(run.id) / CHOSEN).unlink()
    with pytest.raises(EngineError) as raised:
        finish(work_workspace(answered, WorkRequest(STEPS, request_of(run).scope)))
    assert raised.value.code == "runs.chosen_lost"


def test_a_filter_that_finds_nothing_or_cannot_be_read_stops_before_anything_is_done(answered, finish):
    for where, code in (("score>9", "runs.nothing_chosen"), ("score>", "query.missing_value")):
        with pytest.raises(EngineError) as raised:
            finish(work_workspace(answered, WorkRequest(STEPS, Scope(chosen=Chosen(where)))))
        assert raised.value.code == code
    with pytest.raises(EngineError):
        chosen_scope(answered, (), None, (), chosen=Chosen("nofield:1"))
    assert runs_of(answered.connect()) == []


def test_the_plan_counts_the_chosen_alone(answered, finish):
    judged_all(answered, finish)
    with Server(scoring(1)) as server:
        scope = Scope(("one",), chosen=Chosen(ids=(2, 5)))
        plan = plan_work(answered, WorkRequest(STEPS, scope, judging=options(server, "second")))
    assert (plan.chosen, plan.calls.calls) == (2, 1)


def test_the_figures_of_such_a_run_are_those_of_the_places_it_touched(answered, finish):
    judged_all(answered, finish)
    rejudge(answered, finish, Chosen(ids=(2,)))
    run = runs_of(answered.connect())[0]
    told = json.loads((answered.runs / str(run.id) / "scores.json").read_text())
    assert {entry["system"] for entry in told} == {"one"}


def test_results_of_a_maker_that_was_passed_over_stand_beside_without_a_flip(answered, finish):
    judged_all(answered, finish)
    db = answered.connect(durable=True)
    (first,) = choosable(db)
    finish(let_count(db, [first.key]))
    rejudge(answered, finish, Chosen(ids=(2,)))
    assert values(answered)[2] == 4.0
    assert flips_of_run(answered, runs_of(db)[0].id) == []
    finish(let_count(db, [choosable(db)[1].key]))
    assert values(answered)[2] == 2.0


def test_a_launched_run_takes_more_answers_than_a_command_line_would(answered, finish):
    judged_all(answered, finish)
    ids = (2, *range(1_000_000, 1_060_000))
    request = WorkRequest(("score",), Scope(chosen=Chosen(ids=ids)))
    run = finish(started(answered, launch(answered, request)))
    assert request_of(run_of(answered.connect(), run)).scope.chosen.count == 1


@pytest.mark.parametrize("moment", ["after_commit:4", "before_commit:5"])
def test_killed_while_it_judges_again_what_flipped_is_still_known(answered, finish, moment):
    judged_all(answered, finish)
    with Server(scoring(2)) as server:
        command = [
            sys.executable, "-P", "-m", "engine.cli.main", "judge", "-w", str(answered.folder), "--ids", "1,2,3",
            "--base-url", server.base_url, "--model", "second",
        ]  # fmt: skip
        variables = {**os.environ, "AURICLE_KILL_AT": moment}
        assert subprocess.run(command, env=variables, check=False, capture_output=True).returncode == -9
        db = answered.connect()
        killed = runs_of(db)[0]
        changed = {number for number, value in values(answered).items() if value == 2.0}
        assert {f.response_id for f in flips_of_run(answered, killed.id) or ()} == changed
        finish(
            work_workspace(answered, WorkRequest(STEPS, request_of(killed).scope, judging=options(server, "second")))
        )
    assert {f.response_id for f in flips_of_run(answered, runs_of(db)[0].id) or ()} | changed == {1, 2, 3}
    assert len(changed) in (0, 3)


def test_replies_that_are_read_otherwise_are_listed_with_what_flips(answered, finish):
    judged_all(answered, finish)
    db = answered.connect()
    db.execute("UPDATE judgement SET raw_reply = '得分：[1]' WHERE response_id = 2 AND raw_reply IS NOT NULL")
    lines = finish(reread_replies(answered))
    assert lines[-1] == "6 replies read again, 1 read otherwise"
    flips = flips_of_run(answered, runs_of(db)[0].id)
    assert {(f.response_id, f.before.value, f.after.value) for f in flips} == {(2, 4.0, 1.0)}


def test_rates_by_new_rules_list_what_crosses_the_cut(workspace, finish, monkeypatch):
    with_benchmark(workspace)
    heard = [response(0, "少林寺", transcript="少林寺"), response(1, "少林寺", transcript="少林")]
    finish(take_responses(workspace, "vocalbench_zh", "s", heard))

    def derive():
        with driving(workspace, "measure", {}) as drive:
            yield from measure_error_rates(drive, Scope())

    finish(derive())
    assert flips_of_run(workspace, runs_of(workspace.connect())[0].id) is None
    monkeypatch.setattr("engine.runs.error_rates.RULES_VERSION", "2")
    monkeypatch.setattr("engine.runs.error_rates._UNITS", {"zh": ("syllable",), "mixed": (), "en": ()})
    real = __import__("engine.runs.error_rates", fromlist=["error_rate"]).error_rate

    def kinder(unit, reference, hypothesis, *more, **named):
        return real(unit, reference, reference, *more, **named)

    monkeypatch.setattr("engine.runs.error_rates.error_rate", kinder)
    finish(derive())
    flips = flips_of_run(workspace, runs_of(workspace.connect())[0].id)
    assert {(f.response_id, f.subject, f.before.verdict, f.after.verdict) for f in flips} == {
        (2, "error_rate", "over", "under")
    }


def test_a_request_with_chosen_answers_survives_the_journey_through_settings():
    request = WorkRequest(scope=Scope(chosen=Chosen("per>0.05", "published", (1, 2), None, 2)))
    assert WorkRequest.from_told(json.loads(json.dumps(request.told()))) == request
    assert "chosen" not in Scope().told()
