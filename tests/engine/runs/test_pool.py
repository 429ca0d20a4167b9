"""Several workers share a list of items; every item comes back once."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.runs.imports import take_responses
from engine.runs.measure import MeasureOptions, measure_workspace
from engine.runs.pool import LocalPool, made_pool
from engine.store.plans import Scope
from engine.systems.declaration import declared_system
from engine.worker.client import Limits
from tests.engine.runs.made import response, tone, with_benchmark


def items(count: int):
    return [{"id": str(number), "turns": [{"role": "user", "text": "q"}]} for number in range(count)]


@pytest.fixture
def pool(tmp_path):
    made = LocalPool(2, tmp_path, limits=Limits(cancel_s=1.0))
    yield made
    made.close()


def test_every_item_comes_back_once_and_both_workers_work(pool):
    told = {}
    settings = {"system": declared_system("sleeping").told(), "options": {"settings": {"sleep_s": 0.05}}}
    found = [o for o in pool.ask("respond", items(20), 1, on_chunk=lambda i, c: told.setdefault(i, c), **settings) if o]
    assert sorted(int(outcome.id) for outcome in found) == list(range(20))
    assert all(outcome.code is None for outcome in found)
    assert len(told) == 20
    assert all(outcome.heard["end"] >= 0.03 for outcome in found)


def test_what_a_worker_cannot_do_at_all_is_raised_and_the_pool_can_be_asked_again(pool):
    with pytest.raises(EngineError) as caught:
        list(pool.ask("respond", items(4), 1, system={**declared_system("null").told(), "kind": "recorded"}))
    assert caught.value.code == "systems.recorded_only"
    found = [outcome for outcome in pool.ask("respond", items(4), 1, system=declared_system("null").told()) if outcome]
    assert len(found) == 4


def test_closed_early_it_leaves_no_thread_and_no_request_behind(pool):
    settings = {"system": declared_system("sleeping").told(), "options": {"settings": {"sleep_s": 0.05}}}
    work = pool.ask("respond", items(50), 1, **settings)
    next(work)
    work.close()
    assert len([o for o in pool.ask("respond", items(3), 1, **settings) if o]) == 3


def test_a_place_that_nobody_knows_is_refused(tmp_path):
    with pytest.raises(EngineError, match="local"):
        made_pool("moon", 1, tmp_path, (), Limits())


def test_clips_are_measured_by_two_workers(workspace, finish, tmp_path):
    with_benchmark(workspace)
    clips = [tone(tmp_path / f"{n}.wav", hz=300 + 50 * n) for n in range(4)]
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(n, "x", audio=c) for n, c in enumerate(clips)]))
    done = finish(measure_workspace(workspace, Scope(), MeasureOptions(recognise=False, workers=2)))
    assert (done.read, done.measured, done.failed) == (4, 4, 0)
