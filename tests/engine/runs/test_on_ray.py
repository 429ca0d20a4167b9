"""A run on Ray: the same as on this machine, whatever dies meanwhile."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine.benchmarks.values import AudioRef, Instance
from engine.errors import EngineError
from engine.runs.imports import take_responses
from engine.runs.measure import MeasureOptions, measure_workspace
from engine.runs.on_ray import start_here
from engine.runs.pool import Cluster, cluster, made_pool
from engine.runs.respond import respond_workspace
from engine.runs.respond_request import RespondRequest
from engine.store.benchmarks import add_instances
from engine.store.plans import Scope
from engine.store.runs import runs_of
from engine.systems.declaration import declared_system
from engine.systems.values import Options
from engine.worker.client import Limits
from tests.engine.runs.made import response, tone, with_benchmark
from tests.engine.runs.test_pool import items
from tests.engine.runs.test_respond import COUNT, answers, asking, bad, check_whole, null, run_command

NAMES = ("ray.take", "ray.send", "worker.ask", "worker.result", "worker.told")
DRIVER_NAMES = ("answered_respond", "before_commit", "after_commit")


def moments(count: int) -> list[str]:
    """Named moments of a worker on Ray or of its driver, chosen by a seed."""
    drawn = random.Random(7)
    return [f"{drawn.choice(NAMES + DRIVER_NAMES)}:{drawn.randint(1, 5)}" for _ in range(count)]


@pytest.fixture(scope="session")
def ray() -> Iterator[str]:
    """One Ray of this machine for all tests: its address."""
    ray = pytest.importorskip("ray", reason="needs ray")
    os.environ.update({"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"})
    folder = tempfile.mkdtemp(prefix="ray")  # short: sockets lie in it
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start_here(num_cpus=2, resources={"quiet_room": 1}, _temp_dir=folder)
        yield ray.get_runtime_context().gcs_address
        ray.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


def left_by_actors() -> set[Path]:
    """The folders of actors that stand now."""
    return set(Path(tempfile.gettempdir()).glob("auricle-ray-*"))


def on_ray(**more) -> RespondRequest:
    return null(place="ray", **more)


def sounding(workspace, folder: Path, count: int = COUNT):
    """``workspace`` with questions that are heard."""
    made = [
        Instance("vocalbench_zh", "s", f"s-{n}", n, f"q{n}", audio=(AudioRef("a.wav", tone(folder / f"{n}.wav", hz=200 + 20 * n)),))
        for n in range(count)
    ]  # fmt: skip
    with closing(workspace.connect()) as db:
        add_instances(db, workspace, "vocalbench_zh", folder, made)
    return workspace


def test_every_instance_is_asked_once_on_ray_and_its_answer_kept_whole(ray, workspace, finish, tmp_path):
    sounding(workspace, tmp_path)
    before = left_by_actors()
    done = finish(respond_workspace(workspace, on_ray(workers=2)))
    assert left_by_actors() <= before
    assert (done.planned, done.answered, done.failed) == (COUNT, COUNT, 0)
    check_whole(workspace)
    (run,) = runs_of(workspace.connect())
    told = json.loads((workspace.runs / str(run.id) / "workers.json").read_text())
    assert [worker["number"] for worker in told] == [0, 1]


def test_killed_ray_workers_are_replaced_and_every_item_comes_back_once(ray, tmp_path):
    pool = made_pool("ray", 2, tmp_path, (), Limits(cancel_s=1.0))
    killed = set()
    try:
        found = []
        settings = {"system": declared_system("sleeping").told(), "options": {"settings": {"sleep_s": 0.1}}}
        for outcome in pool.ask("respond", items(20), 1, **settings):
            if outcome is None:
                continue
            found.append(outcome)
            places = [worker.place for worker in pool.workers if worker.place]
            if len(killed) < 2 and len(found) in (4, 9) and places:
                process = int(places[0].split()[-1])
                os.kill(process, signal.SIGKILL)
                killed.add(process)
        assert sorted(int(outcome.id) for outcome in found) == list(range(20))
        assert all(outcome.code is None for outcome in found)
        assert len(killed) == 2
        assert pool.restarts >= 1  # one may have died before it said hello
        assert "Actor" in pool.last_ending
    finally:
        pool.close()


def test_a_run_stopped_early_leaves_ray_as_it_was(ray, workspace, finish):
    with_benchmark(workspace, count=COUNT)
    request = RespondRequest(declared_system("sleeping"), Options(settings={"sleep_s": 0.05}), place="ray")
    work = respond_workspace(workspace, request)
    while next(work).done < 3:
        pass
    work.close()
    assert 3 <= len(answers(workspace)) < COUNT
    finish(respond_workspace(workspace, request))
    check_whole(workspace)


def killed_and_resumed(workspace, folder: Path, address: str, moment: str) -> None:
    sounding(workspace, folder)
    ray = ("--on", "ray", "--ray-address", address, "--workers", "2")
    first = run_command(workspace, *ray, kill_at=moment)
    assert first.returncode in (0, -signal.SIGKILL), first.stderr
    assert run_command(workspace, *ray).returncode == 0
    check_whole(workspace)


@pytest.mark.timeout(300)
def test_killed_at_a_named_moment_it_goes_on_to_the_planned_set_each_once(ray, workspace, tmp_path):
    killed_and_resumed(workspace, tmp_path, ray, "ray.take:4")


@pytest.mark.slow
@pytest.mark.parametrize("moment", moments(12))
def test_killed_at_any_moment_it_goes_on_to_the_planned_set_each_once(ray, workspace, tmp_path, moment):
    killed_and_resumed(workspace, tmp_path, ray, moment)


def test_an_item_that_kills_its_worker_twice_is_passed_over(ray, workspace, finish):
    asking(workspace, "good", "die", "good")
    done = finish(respond_workspace(workspace, bad(place="ray")))
    assert [answer["error"] for answer in answers(workspace)] == [None, "worker.killed_twice", None]
    assert done.answered == 2


def test_where_the_disk_is_not_shared_sound_travels_both_ways(ray, workspace, finish, tmp_path, monkeypatch):
    sounding(workspace, tmp_path, 3)
    monkeypatch.setattr("engine.runs.on_ray._marked", lambda folder: (str(folder / "nowhere"), "x"))
    finish(respond_workspace(workspace, on_ray()))
    check_whole(workspace, 3)


def test_clips_are_measured_on_ray(ray, workspace, finish, tmp_path):
    with_benchmark(workspace)
    clips = [tone(tmp_path / f"{n}.wav", hz=300 + 50 * n) for n in range(4)]
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(n, "x", audio=c) for n, c in enumerate(clips)]))
    done = finish(
        measure_workspace(workspace, Scope(), MeasureOptions(recognise=False, quality=False, workers=2, place="ray"))
    )
    assert (done.read, done.failed) == (4, 0)


def test_workers_get_the_resources_that_are_asked_for_and_what_no_machine_has_is_refused(ray, workspace, finish):
    with_benchmark(workspace, count=2)
    finish(respond_workspace(workspace, on_ray(resources=(("quiet_room", 1.0), ("CPU", 0.5)))))
    check_whole(workspace, 2)
    for wanted in ({"resources": (("moon", 1.0),)}, {"options": Options(device="cuda")}):
        with pytest.raises(EngineError) as caught:
            finish(respond_workspace(workspace, replace(on_ray(name="other"), **wanted)))
        assert caught.value.code == "runs.ray_too_small"
        assert "quiet_room" in str(caught.value)


def test_more_workers_than_ray_has_room_for_wait_and_keep_nobody_waiting(ray, workspace, finish):
    with_benchmark(workspace, count=COUNT)
    finish(respond_workspace(workspace, on_ray(workers=4)))
    check_whole(workspace)


def test_a_gpu_is_asked_for_where_one_is_named_and_taken_where_a_model_finds_one():
    assert cluster("", (), "cuda:1", is_heavy=False).resources == {"GPU": 1.0}
    assert cluster("", (("GPU", 0.5),), "cuda", is_heavy=True).resources == {"GPU": 0.5}
    assert cluster("a:1", (), "auto", is_heavy=True) == Cluster("a:1", {}, wants_gpu=True)
    assert not cluster("", (), "cpu", is_heavy=True).wants_gpu


def test_without_its_package_one_message_says_what_to_install(workspace, finish, monkeypatch):
    with_benchmark(workspace)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for work in (
        respond_workspace(workspace, on_ray()),
        measure_workspace(workspace, Scope(), MeasureOptions(place="ray")),
    ):
        with pytest.raises(EngineError, match=r"pip install .*\[ray\]"):
            finish(work)
    assert runs_of(workspace.connect()) == []


@pytest.mark.timeout(300)
def test_without_a_cluster_one_of_this_machine_is_started_and_an_address_where_nobody_listens_is_one_message(workspace):
    pytest.importorskip("ray", reason="needs ray")
    with_benchmark(workspace, count=3)
    folder = tempfile.mkdtemp(prefix="ray")
    (Path(folder) / "ray").mkdir()
    (Path(folder) / "ray" / "ray_current_cluster").write_text("127.0.0.1:1")  # of one that ended
    alone = {"RAY_TMPDIR": folder, "RAY_AUTH_MODE": "disabled"}
    before = f"import os\nos.environ.update({alone!r})"
    ended = run_command(workspace, "--on", "ray", "--workers", "2", before=before)
    assert ended.returncode == 0, ended.stderr
    check_whole(workspace, 3)
    ended = run_command(workspace, "--on", "ray", "--ray-address", "127.0.0.1:1", "--name", "other", before=before)
    assert (ended.returncode, "127.0.0.1:1" in ended.stderr, "Traceback" in ended.stderr) == (2, True, False)
    shutil.rmtree(folder, ignore_errors=True)
