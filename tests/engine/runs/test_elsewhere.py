"""Workers that a command starts on another machine: nothing is shared but their two pipes."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.runs.imports import take_responses
from engine.runs.measure import MeasureOptions, measure_workspace
from engine.runs.respond import respond_workspace
from engine.store.plans import Scope
from engine.worker.carried import load, on_disk
from tests.engine.runs.made import response, tone, with_benchmark
from tests.engine.runs.test_on_ray import sounding
from tests.engine.runs.test_respond import COUNT, answers, check_whole, null, run_command

SCRIPT = str(Path(__file__).with_name("elsewhere.sh"))
AURICLE = str(Path(sys.executable).with_name("auricle"))

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")


@pytest.fixture
def there(tmp_path) -> Path:
    """The other machine's only folder."""
    folder = tmp_path / "there"
    folder.mkdir()
    return folder


def ssh(there: Path) -> tuple[str, ...]:
    return (SCRIPT, "gpu1", str(there), AURICLE, "worker")


def test_a_system_is_asked_by_workers_that_see_no_file_of_ours(workspace, finish, tmp_path, there):
    sounding(workspace, tmp_path / "here")
    done = finish(respond_workspace(workspace, null(commands=(ssh(there),), workers=2)))
    assert (done.answered, done.failed) == (COUNT, 0)
    check_whole(workspace)
    (log, *_) = sorted(workspace.runs.glob("*/worker.log"))
    assert "Traceback" not in log.read_text()


def test_a_command_that_leads_nowhere_ends_the_run_with_what_it_said(workspace, finish, there):
    with_benchmark(workspace)
    nowhere = (SCRIPT, "gpu1", str(there / "gone"), AURICLE, "worker")
    with pytest.raises(EngineError) as caught:
        finish(respond_workspace(workspace, null(commands=(nowhere,))))
    assert caught.value.code == "worker.did_not_start"
    assert "gone" in str(caught.value)


def test_the_command_line_takes_such_commands_and_a_broken_line_is_mended(workspace, tmp_path, there):
    sounding(workspace, tmp_path / "here")
    command = " ".join((SCRIPT, "gpu1", str(there), "env", "AURICLE_KILL_AT=worker.result:3", AURICLE, "worker"))
    ended = run_command(workspace, "--worker-command", command)
    told = {answer["error"] for answer in answers(workspace)}
    assert (ended.returncode, told) == (0, {None}), ended.stderr  # each worker dies at its third; nothing dies twice
    check_whole(workspace)


def test_clips_are_measured_where_no_file_of_ours_is_seen(workspace, finish, tmp_path, there):
    with_benchmark(workspace)
    clips = [tone(tmp_path / f"{n}.wav", hz=300 + 50 * n) for n in range(4)]
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(n, "x", audio=c) for n, c in enumerate(clips)]))
    done = finish(measure_workspace(workspace, Scope(), MeasureOptions(recognise=False, command=ssh(there))))
    assert (done.read, done.measured, done.failed) == (4, 4, 0)
    assert not list(there.glob("auricle-carried-*"))


def test_files_go_into_a_message_as_long_as_it_has_room(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.worker.carried._MOST_BYTES", 30)
    monkeypatch.setattr("engine.worker.carried.LONGEST_LINE", (1 << 20) + 60)
    for name, size in (("a", 12), ("b", 12), ("c", 12), ("huge", 90)):
        (tmp_path / f"{name}.wav").write_bytes(b"x" * size)  # 12 bytes are 16 in base64, 90 are 120
    items = [{"id": name, "path": str(tmp_path / f"{name}.wav")} for name in ("a", "huge", "lost", "b", "c")]
    found = load(items)
    assert [item["id"] for item in found.taken] == ["a"]  # with b it would be 32
    assert [(item, error.code) for item, error in found.failed] == [
        ("huge", "worker.line_too_long"), ("lost", "store.audio_moved"),
    ]  # fmt: skip
    assert [item["id"] for item in found.rest] == ["b", "c"]
    assert found.told == [{"id": "a", "data": base64.b64encode(b"x" * 12).decode(), "suffix": ".wav"}]
    with on_disk(found.told[0]) as path:
        assert (path.read_bytes(), path.suffix) == (b"x" * 12, ".wav")
    assert not path.exists()


def test_written_history_and_several_audios_are_carried_in_their_turns(tmp_path):
    tone(tmp_path / "a.wav")
    turns = [{"role": "user", "text": "hello"}, {"role": "user", "audios": [{"path": str(tmp_path / "a.wav")}]}]
    (told,) = load([{"id": 1, "turns": turns}]).told
    assert told["turns"][0] == {"role": "user", "text": "hello", "audios": []}
    (audio,) = told["turns"][1]["audios"]
    assert base64.b64decode(audio["data"]) == (tmp_path / "a.wav").read_bytes()
    assert "path" not in json.dumps(told)
