"""``auricle work`` as a user meets it, and the options that verbs share."""

from __future__ import annotations

import json

import pytest

from engine.runs.imports import take_responses
from engine.store.runs import runs_of
from tests.engine.cli.test_verbs import auricle
from tests.engine.runs.made import response, with_benchmark


@pytest.fixture
def answered(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "少林"), response(1, "武当")]))
    return workspace


def test_the_steps_are_done_and_told(answered):
    ended = auricle("work", "--steps", "judge,score", "--events", workspace=answered.folder)
    assert ended.returncode == 0, ended.stderr
    events = [json.loads(line) for line in ended.stdout.splitlines()]
    assert events[0]["event"] == "began"
    assert events[-1]["state"] == "done"
    assert "answers compared by words: 2" in ended.stderr


def test_a_dry_run_says_what_there_is_to_do_and_leaves_no_run(answered):
    ended = auricle("work", "--dry-run", workspace=answered.folder)
    assert "answers to compare by words: 2; that need a judge, and none is named: 2" in ended.stdout
    assert runs_of(answered.connect()) == []


def test_a_run_is_asked_for_again_by_its_number(answered):
    auricle("work", "--steps", "judge", "--system", "s", workspace=answered.folder)
    (first,) = runs_of(answered.connect())
    assert auricle("work", "--resume", str(first.id), workspace=answered.folder).returncode == 0
    again = runs_of(answered.connect())[0]
    assert (again.id, again.settings) == (first.id + 1, first.settings)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--steps", "dance"), "No step is called dance"),
        (("--resume", "99"), "no run 99"),
        (("--system", "nobody"), "no system called nobody"),
        (("--rubric-language", "fr"), "zh, en"),
    ],
)
def test_a_name_that_means_nothing_stops_with_a_sentence(answered, arguments, says):
    ended = auricle("work", *arguments, workspace=answered.folder)
    assert ended.returncode == 2
    assert says in ended.stderr


def test_measure_and_judge_take_several_systems(answered):
    for verb in (("measure", "--no-recognise", "--no-quality"), ("judge",)):
        assert auricle(*verb, "--system", "s", "--system", "s", workspace=answered.folder).returncode == 0
