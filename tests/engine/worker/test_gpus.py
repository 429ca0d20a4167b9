"""Of several GPUs each worker of a machine sees one of its own, unless the user said which are used."""

from __future__ import annotations

import doctest
import os
import stat
import sys

import pytest

from engine.runs import pool as pools
from engine.runs.pool import Cluster, LocalPool, local_pool
from engine.worker import gpus
from engine.worker.client import Limits
from engine.worker.gpus import VISIBLE, gpu_count, gpu_of_worker


def test_workers_take_the_gpus_in_turn():
    assert [gpu_of_worker(number, 5, 2, {})[VISIBLE] for number in range(5)] == ["0", "1", "0", "1", "0"]
    assert doctest.testmod(gpus).failed == 0


@pytest.mark.parametrize(
    ("workers", "count", "environment"),
    [(1, 4, {}), (4, 1, {}), (4, 0, {}), (4, 4, {VISIBLE: "2,3"}), (4, 4, {VISIBLE: ""})],
)
def test_a_worker_alone_one_gpu_and_what_the_user_said_are_left_as_they_are(workers, count, environment):
    assert gpu_of_worker(1, workers, count, environment) == {}


def handed(made):
    """What each worker's process is given beside the environment of this one."""
    return [client._environment for client in made._clients]


def test_the_environment_of_each_process_has_its_gpu(tmp_path, monkeypatch):
    monkeypatch.delenv(VISIBLE, raising=False)
    started = []
    monkeypatch.setattr("engine.worker.client.WorkerProcess", lambda *args, **_: started.append(args[2]))
    for client in LocalPool(3, tmp_path, gpus=2)._clients:
        client._open(tmp_path / "log", True)
    assert [environment[VISIBLE] for environment in started] == ["0", "1", "0"]
    assert all(environment["PYTHONUTF8"] == "1" for environment in started)


def test_only_a_run_that_shares_them_out_looks_for_gpus_and_none_on_other_machines(tmp_path, monkeypatch):
    monkeypatch.delenv(VISIBLE, raising=False)
    monkeypatch.setattr(pools, "gpu_count", lambda: 2)
    sharing = Cluster(one_gpu_each=True)
    assert handed(local_pool(2, tmp_path, (), Limits(), sharing)) == [{VISIBLE: "0"}, {VISIBLE: "1"}]
    assert handed(local_pool(2, tmp_path, (), Limits(), Cluster())) == [{}, {}]
    assert handed(local_pool(2, tmp_path, (("ssh", "there"),), Limits(), sharing)) == [{}, {}]


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for nvidia-smi")
@pytest.mark.parametrize(
    ("says", "count"),
    [("echo 'GPU 0: A (UUID: a)'; echo '  MIG 1g.10gb'; echo 'GPU 1: B (UUID: b)'", 2), ("echo none; exit 9", 0)],
)
def test_gpus_are_counted_as_the_driver_lists_them(tmp_path, monkeypatch, says, count):
    program = tmp_path / "nvidia-smi"
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    gpu_count.cache_clear()
    assert gpu_count() == count
    gpu_count.cache_clear()
