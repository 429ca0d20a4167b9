"""A full disk, a folder that may not be written: one message, and the same command goes on when it is mended."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.store.workspace import Workspace, open_workspace
from tests.engine.cli.test_verbs import auricle
from tests.faults import AS_ANYBODY, auricle_under, read_only, with_small_disk

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="gives up rights and limits files as Linux does")
FEW = ("--limit", "2")
MEASURE = ("measure", "--no-recognise", *FEW)
RUN = ("run", "--system", "null", "--set", "audio_s=0.2", *FEW)


@pytest.fixture
def sample(tmp_path) -> Workspace:
    assert auricle("sample", workspace=tmp_path / "w").returncode == 0
    return open_workspace(tmp_path / "w")


def counts(workspace: Workspace) -> tuple[int, ...]:
    db = workspace.connect()
    tables = ("instance", "response", "measurement", "judgement", "audio")
    found = tuple(db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in tables)
    db.close()
    return found


def stopped(before: str, place: Path, *words: str) -> None:
    """The verb ends with one message that names a path in ``place``, and without a traceback."""
    ended = auricle_under(before, *words)
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    told = [line for line in ended.stderr.splitlines() if str(place) in line]
    assert len(told) == 1, ended.stderr
    assert "cannot be" in told[0] or "read-only" in told[0]


@pytest.mark.parametrize(
    "verb", [MEASURE, RUN, ("sample",), ("store", "gc"), ("store", "backup")], ids=lambda verb: verb[0]
)
def test_a_workspace_that_may_not_be_written_is_one_message_and_stays_as_it_was(sample, verb):
    before = counts(sample)
    with read_only(sample.folder):
        stopped(AS_ANYBODY, sample.folder, *verb, "--workspace", str(sample.folder))
    assert counts(sample) == before
    assert auricle(*verb, workspace=sample.folder).returncode in (0, 1)


@pytest.mark.parametrize("inside", ["audio", "runs"])
def test_a_folder_inside_that_may_not_be_written_is_named_and_the_run_goes_on_later(sample, inside):
    with read_only(sample.folder / inside):
        stopped(AS_ANYBODY, sample.folder / inside, *RUN, "--workspace", str(sample.folder))
    responses = counts(sample)[1]
    assert auricle(*RUN, workspace=sample.folder).returncode == 0
    assert counts(sample)[1] == responses + 2


@pytest.mark.parametrize("verb", [MEASURE, ("sample",)], ids=lambda verb: verb[0])
def test_a_disk_that_is_full_is_one_message_and_the_same_command_goes_on(tmp_path, verb):
    folder = tmp_path / "w"
    if verb != ("sample",):
        assert auricle("sample", workspace=folder).returncode == 0
    stopped(with_small_disk(40_000), tmp_path, *verb, "--workspace", str(folder))
    assert auricle(*verb, workspace=folder).returncode in (0, 1)
    assert counts(open_workspace(folder))[:2] == (69, 128)
