"""Measuring and judging chosen answers again from a shell, what flipped, and whose results count."""

from __future__ import annotations

import json

import pytest

from engine.runs.imports import take_responses
from tests.engine.cli.test_verbs import auricle
from tests.engine.judges.server import Server
from tests.engine.runs.made import response, with_benchmark


@pytest.fixture
def judged(workspace, finish):
    """Three answers that one judge gave 4 and another was asked about two of, giving 2."""
    with_benchmark(workspace, "single_round")
    answers = [response(n, f"第{n}首", "single_round") for n in range(3)]
    finish(take_responses(workspace, "vocalbench_zh", "s", answers))
    for model, score, more in (("first", 4, ()), ("second", 2, ("--ids", "1,3"))):
        with Server(lambda body, count, score=score: f"得分：[{score}]") as server:
            asked = ("judge", "--base-url", server.base_url, "--model", model, *more)
            ended = auricle(*asked, workspace=workspace.folder)
            assert ended.returncode == 0, ended.stderr
    return workspace


def test_the_last_runs_flips_are_listed_and_as_json(judged):
    ended = auricle("flips", workspace=judged.folder)
    assert "single_round/single_round-0000" in ended.stdout
    assert "2 × both methods, text: scores: 0 up, 2 down" in ended.stdout
    told = json.loads(auricle("flips", "--json", workspace=judged.folder).stdout)
    assert {flip["response_id"] for flip in told["flips"]} == {1, 3}
    assert told["pairs"][0]["before"].startswith("first")


def test_a_run_says_at_its_end_what_it_flipped(judged):
    with Server(lambda body, count: "得分：[5]") as server:
        asked = ("judge", "--base-url", server.base_url, "--model", "third", "--where", "score<3")
        ended = auricle(*asked, workspace=judged.folder)
    assert "answers that came out otherwise than before: 2" in ended.stderr
    assert "2 × both methods, text: scores: 2 up, 0 down" in ended.stderr


def test_makers_are_listed_chosen_and_compared(judged):
    listed = json.loads(auricle("makers", "--json", workspace=judged.folder).stdout)
    assert [(entry["kind"], entry["about"], entry["results"]) for entry in listed] == [
        ("judge", "single_round zh", 3),
        ("judge", "single_round zh", 2),
    ]
    first, second = (str(entry["id"]) for entry in listed)
    assert "chosen to count" in auricle("makers", "--count", first, workspace=judged.folder).stdout
    between = auricle("flips", "--before", first, "--after", second, "--ids", "3", "--json", workspace=judged.folder)
    assert {flip["response_id"] for flip in json.loads(between.stdout)["flips"]} == {3}
    assert "chosen to count" not in auricle("makers", "--newest", first, workspace=judged.folder).stdout


def test_ids_come_from_a_file_or_from_another_program(judged, tmp_path):
    listed = tmp_path / "ids.txt"
    listed.write_text("1\n2\n")
    for argument in (str(listed), "1, 2"):
        ended = auricle("work", "--dry-run", "--steps", "judge", "--ids", argument, workspace=judged.folder)
        assert "none is named: 2" in ended.stdout or "none is named: 0" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("judge", "--where", "score>"), "score"),
        (("judge", "--where", "score>9"), "score>9"),
        (("judge", "--ids", "nofile"), "nofile"),
        (("judge", "--ids", "99"), "No answer is chosen"),
        (("judge", "--where", "score>1", "--by", "me"), "corrected, published"),
        (("makers", "--count", "99"), "no recogniser, judge or quality model 99"),
        (("flips", "--run", "99"), "no run 99"),
        (("flips", "--run", "2"), "met no earlier result"),
        (("flips", "--before", "1"), "go together"),
    ],
)
def test_what_means_nothing_stops_with_a_sentence(judged, arguments, says):
    ended = auricle(*arguments, workspace=judged.folder)
    assert ended.returncode == 2
    assert says in ended.stderr
