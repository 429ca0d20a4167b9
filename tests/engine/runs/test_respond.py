"""A run of a system: every instance asked once, whatever the system, the disk or the power does."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import soundfile

from engine.benchmarks.values import AudioRef, Instance, Turn
from engine.errors import EngineError
from engine.runs.driver import STOP, StopAskedError
from engine.runs.follow import Follower, listed_runs, troubles_of
from engine.runs.launch import launch, started
from engine.runs.respond import UNSORTED, respond_workspace
from engine.runs.respond_plan import plan_respond
from engine.runs.respond_request import RespondRequest, respond_request_of
from engine.store.benchmarks import add_instances
from engine.store.runs import run_of, runs_of
from engine.store.workspace import open_workspace
from engine.systems.declaration import SystemDeclaration, declared_system
from engine.systems.values import Abilities, Options
from tests.engine.runs.made import tone, with_benchmark

BAD_WORKER = (sys.executable, "-P", str(Path(__file__).with_name("bad_worker.py")))
BAD = SystemDeclaration("bad", 1, "bad", {"en": "bad", "zh": "bad"}, Abilities(text_history=True))
COMMAND = (sys.executable, "-P", "-m", "engine.cli.main", "run")
COUNT = 12
NAMES = (
    "phase_respond", "answered_respond", "before_commit", "after_commit", "worker.ask", "worker.result", "worker.told",
)  # fmt: skip
FEW_MOMENTS = ("answered_respond:5", "before_commit:6", "worker.result:4")


def moments(count: int) -> list[str]:
    """Named moments chosen by a seed."""
    drawn = random.Random(5)
    most = {"phase_respond": 1, "before_commit": 8, "after_commit": 8}
    return [f"{name}:{drawn.randint(1, most.get(name, COUNT))}" for name in drawn.choices(NAMES, k=count)]


def null(**more) -> RespondRequest:
    settings = more.pop("settings", {"audio_s": 0.2})
    return RespondRequest(declared_system("null"), Options(settings=settings), **more)


def asking(workspace, *questions: str):
    """``workspace`` with these questions, asked in writing."""
    made = [Instance("vocalbench_zh", "reasoning", f"q-{n}", n, question) for n, question in enumerate(questions)]
    with closing(workspace.connect()) as db:
        add_instances(db, workspace, "vocalbench_zh", Path("made"), made)
    return workspace


def bad(**more) -> RespondRequest:
    return RespondRequest(BAD, commands=(BAD_WORKER,), longest_answer_s=20.0, **more)


def answers(workspace):
    with closing(workspace.connect()) as db:
        query = (
            "SELECT instance.question, response.* FROM response JOIN instance ON instance.id = instance_id"
            " WHERE current = 1 ORDER BY instance_id, repeat"
        )
        return [dict(row) for row in db.execute(query)]


def check_whole(workspace, count: int = COUNT) -> None:
    """Each instance is answered once, each audio is there, nothing else lies about."""
    with closing(workspace.connect()) as db:
        rows = db.execute("SELECT instance_id, COUNT(*) FROM response GROUP BY 1").fetchall()
        kept = [row[0] for row in db.execute("SELECT path FROM audio")]
        wide = db.execute("SELECT COUNT(*) FROM audit_row").fetchone()[0]
    assert (len(rows), {row[1] for row in rows}, wide) == (count, {1}, count)
    for path in kept:
        assert soundfile.info(workspace.audio / path).frames > 0
    assert not list(workspace.runs.glob(f"*/{UNSORTED}"))


def test_every_instance_is_asked_once_and_its_answer_kept_whole(workspace, finish):
    with_benchmark(workspace, count=COUNT)
    told = io.StringIO()
    done = finish(respond_workspace(workspace, null(workers=2), told))
    assert (done.planned, done.answered, done.empty, done.failed) == (COUNT, COUNT, 0, 0)
    check_whole(workspace)
    for answer in answers(workspace):
        made_with = json.loads(answer["made_with"])
        timings = json.loads(answer["timings"])
        assert answer["state"] == "answered"
        assert timings["duration_s"] == pytest.approx(0.2)
        assert timings["first_token_s"] <= timings["first_audio_s"] <= timings["generation_s"]
        assert {"seed", "versions", "adapted", "worker_timings"} <= set(made_with)
    assert len({json.loads(answer["made_with"])["seed"] for answer in answers(workspace)}) == COUNT
    events = [json.loads(line) for line in told.getvalue().splitlines()]
    last = next(event for event in events if event["event"] == "progress" and event.get("last"))
    assert (last["step"], last["phase"], last["done"], last["total"]) == ("respond", "respond", COUNT, COUNT)


def test_a_run_is_followed_like_any_other_and_can_be_asked_again(workspace, finish):
    with_benchmark(workspace, count=COUNT)
    finish(respond_workspace(workspace, null(limit=4)))
    (run,) = listed_runs(workspace)
    state = Follower(workspace, run.id).read()
    assert (state.state, state.step.name, state.step.phase.scored, state.share) == ("done", "respond", 4, 1.0)
    assert respond_request_of(run) == null(limit=4)
    assert troubles_of(workspace, run) == []


def test_what_is_answered_is_not_asked_again_and_another_seed_replaces_it(workspace, finish):
    with_benchmark(workspace, count=COUNT)
    finish(respond_workspace(workspace, null(limit=5)))
    before = {answer["id"] for answer in answers(workspace)}
    assert finish(respond_workspace(workspace, null())).planned == COUNT - 5
    assert before <= {answer["id"] for answer in answers(workspace)}
    assert plan_respond(workspace, null()).items == ()
    plan = plan_respond(workspace, null(seed=1))
    assert (len(plan.items), plan.replaced, plan.answered) == (COUNT, COUNT, 0)
    assert plan_respond(workspace, null(settings={"audio_s": 0.2, "text": "别的"})).replaced == COUNT
    assert plan_respond(workspace, null(name="other")).replaced == 0


def test_repeats_have_seeds_and_rows_of_their_own(workspace, finish):
    with_benchmark(workspace, count=2)
    finish(respond_workspace(workspace, null(repeats=3)))
    rows = answers(workspace)
    assert [(row["instance_id"], row["repeat"]) for row in rows] == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
    assert len({row["audio_id"] for row in rows}) == 6


def test_shards_cover_the_scope_without_overlap_whatever_is_done(workspace, finish):
    with_benchmark(workspace, count=COUNT)
    finish(respond_workspace(workspace, null(shard=(1, 5))))
    parts = [
        {item.question.id for item in plan_respond(workspace, null(name="n", shard=(n, 5))).items}
        for n in (1, 2, 3, 4, 5)
    ]
    assert sorted(number for part in parts for number in part) == list(range(1, COUNT + 1))
    assert {answer["instance_id"] for answer in answers(workspace)} == parts[0]
    with pytest.raises(EngineError, match="part 6"):
        null(shard=(6, 5))


def test_a_sample_is_drawn_by_the_seed_and_a_filter_looks_at_what_is_asked(workspace):
    with_benchmark(workspace, "chinese_knowledge", "reasoning", count=20)
    drawn = [
        {item.question.id for item in plan_respond(workspace, null(sample=7, seed=seed)).items} for seed in (1, 1, 2)
    ]
    assert len(drawn[0]) == 7
    assert drawn[0] == drawn[1] != drawn[2]
    assert plan_respond(workspace, null(where="subset:reasoning")).chosen == 20
    assert plan_respond(workspace, null(where="subset:reason* key:*-0003")).chosen == 1
    assert plan_respond(workspace, null(where='"第3座" -subset:reasoning')).chosen == 1
    assert plan_respond(workspace, null(subsets=("reasoning",), categories=("VocalBench",))).chosen == 20
    for wrong in ({"where": "subset:none"}, {"subsets": ("none",)}, {"benchmark": "none"}, {"categories": ("none",)}):
        with pytest.raises(EngineError):
            plan_respond(workspace, null(**wrong))


def test_a_filter_about_answers_asks_the_instances_that_have_such(workspace, finish):
    with_benchmark(workspace, count=6)
    finish(respond_workspace(workspace, null(limit=2)))
    assert plan_respond(workspace, null(name="other", where="system:null response:answered")).chosen == 2


def test_spoken_turns_written_history_and_missing_audio_are_put_as_they_are(workspace, tmp_path, finish):
    there, lost = AudioRef("a.wav", tone(tmp_path / "a.wav")), AudioRef("b.wav", None)
    made = [
        Instance("vocalbench_zh", "multi_round", "m-0", 0, "q", context=(Turn("user", "你好"),), audio=(there,)),
        Instance("vocalbench_zh", "multi_round", "m-1", 1, "q", audio=(lost,)),
    ]
    with closing(workspace.connect()) as db:
        add_instances(db, workspace, "vocalbench_zh", tmp_path, made)
    plan = plan_respond(workspace, null())
    assert (len(plan.items), plan.missing) == (1, 1)
    mute = replace(declared_system("null"), abilities=Abilities(text_instruction=False))
    done = finish(respond_workspace(workspace, RespondRequest(mute, Options(settings={"audio_s": 0.1}))))
    assert (done.failed, list(done.troubles)) == (1, ["systems.cannot_take_history"])
    done = finish(respond_workspace(workspace, null()))
    assert done.answered == 1


@pytest.mark.timeout(300)
def test_whatever_a_system_does_is_a_named_state_of_that_item_and_the_rest_goes_on(workspace, finish):
    expected = {
        "print": None, "flood": "systems.text_too_long", "flood_the_log": None, "fork": None,
        "nan": "systems.audio_not_finite", "zero_samples": "systems.no_audio", "an_hour": "systems.audio_too_long",
        "two_channels": "systems.audio_shape", "other_rate": "systems.audio_rate", "integers": "systems.audio_scale",
        "invalid_utf8": None, "raise": "systems.raised", "refuse": "systems.cannot_take_instruction",
        "memory": "systems.out_of_memory", "die": "worker.killed_twice", "leave": "systems.raised",
        "silent": "systems.no_audio", "loop": None, "good": None,
    }  # fmt: skip
    asking(workspace, *expected)
    done = finish(respond_workspace(workspace, bad()))
    found = {answer["question"]: answer for answer in answers(workspace)}
    assert {question: answer["error"] for question, answer in found.items()} == expected
    assert all((answer["state"] == "failed") == bool(answer["error"]) for answer in found.values())
    assert done.failed == sum(1 for code in expected.values() if code)
    assert found["nan"]["text"] == "少林寺。"
    assert "repetition_loop" in found["loop"]["flags"]
    assert {"not_utf8", "surrogate_replaced"} <= set(json.loads(found["invalid_utf8"]["flags"]))
    assert found["good"]["audio_id"] is not None
    (run,) = runs_of(workspace.connect())
    assert run.state == "done"
    assert {trouble.code for trouble in troubles_of(workspace, run)} == {code for code in expected.values() if code}
    assert (workspace.runs / str(run.id) / "worker.log").stat().st_size < 200 << 20
    again = plan_respond(workspace, bad(again=True))
    assert {item.question.question for item in again.items} == {q for q, code in expected.items() if code}
    assert plan_respond(workspace, bad()).items == ()


def test_a_system_that_can_is_asked_several_at_once_and_one_by_one_where_that_breaks(workspace, finish):
    asking(workspace, "a", "refuse", "b", "c", "break", "d", "good")
    together = RespondRequest(replace(BAD, kind="together"), Options(batch_size=3), commands=(BAD_WORKER,))
    finish(respond_workspace(workspace, together))
    found = {answer["question"]: (answer["error"], answer["text"]) for answer in answers(workspace)}
    assert found == {
        "a": (None, "3 together"), "refuse": ("systems.cannot_take_instruction", None), "b": (None, "3 together"),
        "c": (None, "3 together"), "break": (None, "少林寺。"), "d": (None, "少林寺。"), "good": (None, "少林寺。"),
    }  # fmt: skip


def test_a_system_that_hangs_is_ended_at_its_limit_and_asked_once_more(workspace, finish):
    asking(workspace, "good", "hang", "good")
    done = finish(respond_workspace(workspace, bad(time_limit_s=1.5)))
    assert [answer["error"] for answer in answers(workspace)] == [None, "worker.over_time", None]
    assert (done.answered, done.failed) == (2, 1)


def test_a_system_without_public_code_is_refused_and_one_that_cannot_be_loaded_ends_the_run(workspace, finish):
    with_benchmark(workspace)
    request = RespondRequest(replace(BAD, kind="recorded"))
    with pytest.raises(EngineError) as caught:
        finish(respond_workspace(workspace, request))
    assert caught.value.code == "systems.recorded_only"
    assert answers(workspace) == []
    assert runs_of(workspace.connect())[0].state == "failed"


def test_a_system_that_always_dies_stops_the_run_with_its_reason(workspace, finish, monkeypatch):
    monkeypatch.setattr("engine.runs.respond._KEEPS_FAILING", 2)
    asking(workspace, "good", "die", "die", "die", "good")
    with pytest.raises(EngineError) as caught:
        finish(respond_workspace(workspace, bad()))
    assert caught.value.code == "runs.keeps_failing"
    assert [answer["state"] for answer in answers(workspace)] == ["answered", "failed", "failed"]


def test_asked_to_stop_it_keeps_what_is_finished_and_goes_on_later(workspace, finish):
    with_benchmark(workspace, count=COUNT)
    request = RespondRequest(declared_system("sleeping"), Options(settings={"sleep_s": 0.05}))
    work = respond_workspace(workspace, request)
    while next(work).done < 3:
        pass
    (run,) = runs_of(workspace.connect())
    (workspace.runs / str(run.id) / STOP).touch()
    with pytest.raises(StopAskedError):
        finish(work)
    assert run_of(workspace.connect(), run.id).state == "cancelled"
    kept = {answer["id"] for answer in answers(workspace)}
    assert 3 <= len(kept) < COUNT
    finish(respond_workspace(workspace, request))
    assert kept < {answer["id"] for answer in answers(workspace)}
    check_whole(workspace)


def run_command(workspace, *more: str, kill_at: str = "", before: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "AURICLE_LANGUAGE": "en", "AURICLE_KILL_AT": kill_at}
    command = [*COMMAND, "--workspace", str(workspace.folder), "--system", "null", "--set", "audio_s=0.2", *more]
    if before:
        code = f"{before}\nfrom engine.cli.main import main\nimport sys\nsys.argv[0] = 'auricle'\nmain()"
        command = [sys.executable, "-P", "-c", code, *command[4:]]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=110, check=False)


def killed_and_resumed(workspace, moment: str) -> None:
    with_benchmark(workspace, count=COUNT)
    run_command(workspace, "--workers", "2", kill_at=moment)
    assert run_command(workspace).returncode == 0
    check_whole(workspace)
    states = [run.state for run in runs_of(workspace.connect())]
    assert "running" not in states


@pytest.mark.parametrize("moment", FEW_MOMENTS)
def test_killed_at_a_named_moment_it_goes_on_to_the_planned_set_each_once(workspace, moment):
    killed_and_resumed(workspace, moment)


@pytest.mark.slow
@pytest.mark.parametrize("moment", moments(30))
def test_killed_at_any_moment_it_goes_on_to_the_planned_set_each_once(workspace, moment):
    killed_and_resumed(workspace, moment)


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
@pytest.mark.parametrize(("largest", "audio_s"), [(100_000, 0.2), (60_000, 2.0)], ids=["rows", "audio"])
def test_a_full_disk_is_one_message_and_what_was_written_stays(workspace, largest, audio_s):
    with_benchmark(workspace, count=60)
    small = f"import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({largest}, {largest}))"
    ended = run_command(workspace, "--set", f"audio_s={audio_s}", before=small)
    told = [line for line in ended.stderr.splitlines() if str(workspace.folder) in line]
    assert (ended.returncode, len(told)) == (2, 1), ended.stderr
    assert "Traceback" not in ended.stderr
    kept = {answer["id"] for answer in answers(workspace)}
    assert run_command(workspace, "--set", f"audio_s={audio_s}").returncode == 0
    assert kept <= {answer["id"] for answer in answers(workspace)}
    check_whole(workspace, 60)


def test_a_folder_for_runs_that_cannot_be_written_is_one_message(workspace):
    with_benchmark(workspace)
    workspace.runs.rmdir()
    workspace.runs.touch()
    ended = run_command(workspace)
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    assert str(workspace.runs) in ended.stderr


def test_a_workspace_that_is_moved_meanwhile_is_one_message_and_goes_on_where_it_lies(workspace, finish, tmp_path):
    with_benchmark(workspace, count=COUNT)
    request = RespondRequest(declared_system("sleeping"), Options(settings={"sleep_s": 0.2, "audio_s": 0.1}))
    work = respond_workspace(workspace, request)
    while next(work).done < 3:
        pass
    moved = workspace.folder.rename(tmp_path / "moved")
    with pytest.raises(EngineError) as caught:
        finish(work)
    assert caught.value.code == "store.gone"
    assert not workspace.folder.exists()
    there = open_workspace(moved)
    finish(respond_workspace(there, request))
    check_whole(there)


def test_a_launched_run_is_found_and_refusals_come_back(workspace, finish):
    with_benchmark(workspace)
    run = finish(started(workspace, launch(workspace, null())))
    follower = Follower(workspace, run)
    while follower.read().is_going:
        pass
    assert follower.read().state == "done"
    check_whole(workspace, 4)
    with pytest.raises(EngineError) as caught:
        finish(started(workspace, launch(workspace, null(subsets=("none",)))))
    assert caught.value.code == "runs.no_such_subset"
