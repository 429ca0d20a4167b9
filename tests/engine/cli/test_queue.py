"""``auricle queue`` as an engineer without a display meets it."""

from __future__ import annotations

import json
import os

from engine.runs.driver import driving
from engine.runs.follow import listed_runs
from engine.runs.request import WorkRequest
from tests.engine.cli.test_verbs import auricle
from tests.engine.runs.made import with_benchmark


def test_runs_wait_are_listed_moved_removed_and_begin_when_the_other_has_ended(workspace):
    with_benchmark(workspace, count=3)
    place = ("--workspace", str(workspace.folder))
    with driving(workspace, "work", WorkRequest(("judge",)).told()):
        for name in ("a", "b", "c"):
            told = auricle("run", "--system", "null", "--name", name, "--later", *place)
            assert (told.returncode, "Runs that wait" in told.stdout) == (0, True), told.stderr
        assert auricle("queue", "sooner", "3", *place).returncode == 0
        assert auricle("queue", "leave", "1", *place).returncode == 0
        waiting = json.loads(auricle("queue", "list", "--json", *place).stdout)
        assert [one["about"] for one in waiting] == ["c", "b"]
        assert "waits" in auricle("queue", "list", *place).stdout
        told = auricle("queue", "begin", *place).stdout
        assert f"run {listed_runs(workspace)[0].id} (work, process {os.getpid()}) goes on" in told
        wrong = auricle("queue", "leave", "9", *place)
        assert (wrong.returncode, "place 9" in wrong.stderr) == (2, True)
    while [run.state for run in listed_runs(workspace)] != ["done"] * 3:
        pass
    assert [run.settings.get("name") for run in listed_runs(workspace)] == ["b", "c", None]


def test_where_nothing_goes_on_what_is_to_wait_begins_at_once(workspace):
    with_benchmark(workspace, count=2)
    told = auricle("run", "--system", "null", "--later", "--workspace", str(workspace.folder))
    assert "has begun" in told.stdout
    while [run.state for run in listed_runs(workspace)] != ["done"]:
        pass


def test_where_nothing_waits_it_says_that_and_not_that_another_goes_on(workspace):
    told = auricle("queue", "begin", "--workspace", str(workspace.folder))
    assert told.stdout.strip() == "Nothing begins: no run waits."
