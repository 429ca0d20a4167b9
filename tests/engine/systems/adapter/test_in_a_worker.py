"""An adapter where it runs: in a worker that a driver asks, that is killed, and that takes its adapter with it."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from pathlib import Path

import pytest

from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Abilities, Options
from engine.worker.client import WorkerClient

SOURCE = """
import os
class S:
    def respond(self, ask):
        yield "%d %d" % (os.getpid(), os.getppid())
        yield [0.5, -0.5], 24000
def load(settings):
    return S()
"""


@pytest.fixture
def asked(tmp_path: Path, clip: Path):
    """Ask the adapter through a worker, as a driver does; the client is closed at the end."""
    file = tmp_path / "mine.py"
    file.write_text(SOURCE, encoding="utf-8")
    declared = SystemDeclaration(
        id="mine", version=1, kind="adapter", title={}, abilities=Abilities(), file=tmp_path / "mine.toml",
        settings={"adapter": "mine.py", "python": sys.executable},
    )  # fmt: skip
    with WorkerClient(log_file=tmp_path / "worker.log") as client:

        def ask(*ids: str):
            turns = [{"role": "user", "text": None, "audios": [{"path": str(clip)}]}]
            items = [{"id": one, "turns": turns, "instruction": None, "seed": 0} for one in ids]
            settings = {"system": json.loads(json.dumps(declared.told())), "options": Options().told()}
            outcomes = [each for each in client.ask("respond", items, **settings) if each is not None]
            return [each for each in outcomes if getattr(each, "values", None) and "text" in each.values]

        yield ask


def test_a_worker_serves_an_adapter_and_its_death_ends_it(asked):
    first, second = asked("a", "b")
    assert first.values["error"] is None and first.values["audio"]["frames"] == 2
    assert first.values["text"] == second.values["text"]  # one process answers both
    adapter, worker = map(int, first.values["text"].split())

    handle = os.pidfd_open(adapter)
    os.kill(worker, signal.SIGKILL)
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    assert poll.poll(20_000), "the adapter outlived its worker"
    os.close(handle)
    assert asked("c")[0].values["error"] is None  # another worker, another adapter
