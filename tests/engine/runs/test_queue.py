"""Runs that wait begin one after another, each once, whoever starts them."""

from __future__ import annotations

import threading

import pytest

from engine.errors import EngineError
from engine.runs.driver import QUEUE, driving
from engine.runs.follow import listed_runs
from engine.runs.queue import begin_next, enqueue, leave_queue, move_up, waiting_runs
from engine.runs.request import WorkRequest
from engine.runs.respond_request import RespondRequest
from engine.store.plans import Scope
from engine.store.processes import is_running
from engine.systems.declaration import declared_system
from engine.systems.values import Options
from tests.engine.runs.made import with_benchmark
from tests.engine.runs.test_respond import null


def over(launched) -> None:
    while is_running(launched.process, launched.mark) is not False:
        pass


def all_over(workspace, count: int) -> None:
    while [run.state for run in listed_runs(workspace)] != ["done"] * count:
        pass


def test_what_waits_is_listed_in_its_order_moved_and_removed(workspace):
    assert waiting_runs(workspace) == ()
    first, second, third = (enqueue(workspace, null(name=name)) for name in ("a", "b", "c"))
    move_up(workspace, third)
    move_up(workspace, first)
    leave_queue(workspace, second)
    assert [one.id for one in waiting_runs(workspace)] == [first, third]
    assert waiting_runs(workspace)[1].request == null(name="c")
    work = WorkRequest(("judge",), Scope(("one",)))
    enqueue(workspace, work, "zh")
    assert (waiting_runs(workspace)[-1].request, waiting_runs(workspace)[-1].language) == (work, "zh")


@pytest.mark.timeout(300)
def test_the_next_begins_by_itself_when_one_has_ended(workspace):
    with_benchmark(workspace, count=4)
    for name in ("a", "b", "c"):
        enqueue(workspace, null(name=name))
    begin_next(workspace)
    all_over(workspace, 3)
    assert [run.settings["name"] for run in reversed(listed_runs(workspace))] == ["a", "b", "c"]
    assert waiting_runs(workspace) == ()


def test_while_a_driver_works_nothing_begins_and_two_who_start_at_once_start_one(workspace):
    with_benchmark(workspace, count=4)
    slow = RespondRequest(declared_system("sleeping"), Options(settings={"sleep_s": 0.2}))
    with driving(workspace, "work", WorkRequest(("judge",)).told()):
        enqueue(workspace, slow)
        enqueue(workspace, null(name="b"))
        assert begin_next(workspace) is None
        leave_queue(workspace, waiting_runs(workspace)[1].id)
        (waiting,) = waiting_runs(workspace)
        leave_queue(workspace, waiting.id)
    enqueue(workspace, slow)
    enqueue(workspace, null(name="b"))
    found = []
    threads = [threading.Thread(target=lambda: found.append(begin_next(workspace))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (launched,) = [one for one in found if one is not None]
    over(launched)
    all_over(workspace, 3)


def test_one_that_is_refused_stays_with_its_reason_and_the_next_begins(workspace):
    with_benchmark(workspace, count=4)
    enqueue(workspace, null(subsets=("none",)))
    enqueue(workspace, null(name="b"))
    over(begin_next(workspace))
    over(begin_next(workspace))
    (refused,) = waiting_runs(workspace)
    assert refused.error.code.startswith("runs.no_such_subset")
    assert [run.state for run in listed_runs(workspace)] == ["done"]
    assert begin_next(workspace) is None


def test_a_damaged_list_is_one_message(workspace):
    (workspace.runs / QUEUE).write_text("{half")
    with pytest.raises(EngineError, match="queue.json"):
        waiting_runs(workspace)
