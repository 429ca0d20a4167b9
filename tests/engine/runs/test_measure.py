"""Measuring real speech through the real worker: once each, resumed after any death, failures named."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engine.runs.imports import read_answers, take_responses
from engine.runs.measure import MeasureOptions, measure_workspace
from engine.runs.sample import take_sample
from engine.scoring.derive import rebuild
from engine.scoring.score import scores
from engine.shipped import shipped
from engine.speech.values import RecogniserSpec
from engine.store.makers import floors_of
from engine.store.plans import Scope
from engine.store.workspace import Workspace, open_workspace
from tests.engine.runs.made import response, tone, with_benchmark
from tests.shared import make_case, needs_shared, shared_file

ENGLISH = Scope(("offline-cascade",))
CLIPS = 10
FEW, FEW_OF = 4, "spoken-topic-classification-auricle-everyday"  # clips of the runs that are killed
MOMENTS = (
    "answered_facts", "answered_recognise", "answered_quality", "before_commit", "after_commit",
    "worker.ask", "worker.result", "worker.told",
)  # fmt: skip


def last(work):
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> Workspace:
    """The sample workspace, nothing measured; copy it before writing."""
    opened = open_workspace(tmp_path_factory.mktemp("sample") / "w", create=True)
    last(take_sample(opened))
    db = opened.connect()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return opened


@pytest.fixture(scope="module")
def measured(sample, tmp_path_factory) -> Workspace:
    """The English answers of the sample workspace, measured in one go."""
    opened = copied(sample, tmp_path_factory.mktemp("measured"))
    done = last(measure_workspace(opened, ENGLISH, MeasureOptions()))
    assert (done.read, done.recognised, done.measured, done.compared, done.failed) == (CLIPS, CLIPS, CLIPS, CLIPS, 0)
    return opened


@pytest.fixture(scope="module")
def unmeasured(measured, tmp_path_factory) -> Workspace:
    """The same with nothing measured but the recogniser's floor, which is dear."""
    opened = copied(measured, tmp_path_factory.mktemp("unmeasured"))
    db = opened.connect()
    for statement in (
        "DELETE FROM transcript",
        "DELETE FROM measurement",
        "UPDATE audio SET facts = NULL",
        "DELETE FROM run WHERE kind = 'measure'",
    ):
        db.execute(statement)
    last(rebuild(db))
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return opened


def copied(workspace: Workspace, folder: Path) -> Workspace:
    """A workspace of its own with the same in it; the log goes into the file first: it may vanish while it is copied."""
    with closing(workspace.connect()) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copytree(workspace.folder, folder / "w", ignore=shutil.ignore_patterns("*-wal", "*-shm"))
    return open_workspace(folder / "w")


def state(workspace: Workspace) -> dict[str, list[tuple[object, ...]]]:
    """What is stored of results, with row ids and times: what is not done again keeps them."""
    db = workspace.connect()
    found = {
        "audio": [tuple(r) for r in db.execute("SELECT id, facts FROM audio WHERE facts IS NOT NULL ORDER BY id")],
        "transcript": [
            tuple(r)
            for r in db.execute("SELECT id, response_id, maker_id, text, created_at FROM transcript ORDER BY id")
        ],
        "measurement": [
            tuple(r)
            for r in db.execute(
                "SELECT id, response_id, maker_id, metric, value, created_at FROM measurement ORDER BY id"
            )
        ],
    }
    db.close()
    return found


def test_the_recognisers_floor_is_measured_and_stored_with_it(measured):
    db = measured.connect()
    (maker,) = db.execute("SELECT id, weights_sha256 FROM maker WHERE kind = 'recogniser'").fetchall()
    floors = floors_of(db, maker["id"])
    assert len(maker["weights_sha256"]) == 64
    assert floors["en", "word_error_rate"].clip_count == 10
    assert floors["zh", "syllable_error_rate"].clip_count == 25
    assert floors["en", "word_error_rate"].rate < 0.05
    assert 0.02 < floors["zh", "syllable_error_rate"].rate < 0.2


def test_real_outputs_of_the_cascade_have_all_their_measures(measured):
    rows = measured.connect().execute("SELECT * FROM audit_row WHERE system = 'offline-cascade'").fetchall()
    assert len(rows) == CLIPS
    for row in rows:
        assert row["word_error_rate"] is not None
        assert 1 <= row["dnsmos_ovrl"] <= 5
        assert row["duration_s"] > 0.5
        assert row["sample_rate_hz"] == 24_000
        assert row["rtf_generation_over_duration"] == pytest.approx(row["generation_s"] / row["duration_s"])
    assert sum(row["word_error_rate"] for row in rows) / CLIPS < 0.2


def test_a_second_run_computes_nothing_and_starts_no_worker(measured):
    before = state(measured)
    done = last(measure_workspace(measured, ENGLISH, MeasureOptions()))
    assert (done.read, done.recognised, done.measured, done.compared) == (0, 0, 0, 0)
    assert state(measured) == before
    newest = max(measured.runs.iterdir(), key=lambda folder: int(folder.name))
    assert not (newest / "worker.log").exists()


@pytest.mark.slow
def test_another_setting_is_another_recogniser_and_both_transcripts_stay(measured, tmp_path):
    opened = copied(measured, tmp_path)
    greedy = MeasureOptions(RecogniserSpec(beam_size=1), quality=False)
    assert last(measure_workspace(opened, ENGLISH, greedy)).recognised == CLIPS
    db = opened.connect()
    assert db.execute("SELECT COUNT(*), COUNT(DISTINCT maker_id) FROM transcript").fetchone()[:] == (2 * CLIPS, 2)


def test_events_tell_a_follower_how_the_run_went(measured):
    folders = sorted(measured.runs.iterdir(), key=lambda folder: int(folder.name))
    told = [
        json.loads(line)
        for folder in folders
        for line in (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    first = [event for event in told if event["run"] == told[0]["run"]]
    happened = [event["event"] for event in first if event["event"] not in ("phase", "progress", "flips")]
    assert happened == ["began", "floors", "floors", "ended"]
    assert first[-1]["state"] == "done"
    ended = {(event["step"], event["phase"]): event["done"] for event in first if event.get("last")}
    assert ended["recognise", "recognise"] == ended["measure", "quality"] == CLIPS
    assert all(event["at"].endswith("Z") for event in told)


def test_the_timing_figures_follow_the_table_and_the_equation(measured):
    found = next(s for s in scores(measured.connect(), "offline-cascade") if s.method == "corrected")
    rows = (
        measured.connect()
        .execute("SELECT generation_s, duration_s FROM audit_row WHERE subset = ?", (found.subset,))
        .fetchall()
    )
    total = sum(row[0] for row in rows) / sum(row[1] for row in rows)
    mean = sum(row[1] / row[0] for row in rows) / len(rows)
    assert found.figure("rtf.total_generation_over_total_duration").value == pytest.approx(total)
    assert found.figure("rtf.mean_duration_over_generation").value == pytest.approx(mean)


def auricle_measure(workspace: Workspace, kill_at: str = "") -> int:
    variables = {**os.environ, "AURICLE_KILL_AT": kill_at}
    command = [sys.executable, "-m", "engine.cli.main", "measure", "--subset", FEW_OF, "-w", str(workspace.folder)]
    return subprocess.run(command, env=variables, capture_output=True, check=False).returncode


def survives(unmeasured: Workspace, folder: Path, moment: str, count: int) -> None:
    """Kill at the moment, go on, and see that all is there once and nothing was done twice."""
    opened = copied(unmeasured, folder)
    ended = auricle_measure(opened, f"{moment}:{count}")
    before = state(opened)
    driver_died = ended == -9
    assert auricle_measure(opened) == 0
    after = state(opened)
    for table, rows in before.items():
        assert set(rows) <= set(after[table]), table
    db = opened.connect()
    assert [r[0] for r in db.execute("SELECT COUNT(*) FROM transcript GROUP BY response_id")] == [1] * FEW
    assert db.execute("SELECT COUNT(*) FROM transcript WHERE state <> 'scored'").fetchone()[0] == 0
    quality = db.execute(
        "SELECT COUNT(*), COUNT(DISTINCT response_id) FROM measurement WHERE metric = 'dnsmos_ovrl' AND value > 0"
    )
    assert quality.fetchone()[:] == (FEW, FEW)
    rates = db.execute("SELECT COUNT(*), COUNT(DISTINCT response_id) FROM measurement WHERE metric = 'word_error_rate'")
    assert rates.fetchone()[:] == (FEW, FEW)
    states = [r[0] for r in db.execute("SELECT state FROM run WHERE kind = 'measure' ORDER BY id")]
    # a driver that died before its run's row was committed leaves no row
    assert states in ([["stopped", "done"], ["done"]] if driver_died else [["done", "done"]])
    assert driver_died == (not moment.startswith("worker."))


def chosen_moments(count: int, seed: int) -> list[tuple[str, int]]:
    chance = random.Random(seed)
    moments = [MOMENTS[n % len(MOMENTS)] for n in range(count)]
    return [(moment, chance.randint(1, 2 if moment == "worker.ask" else FEW)) for moment in moments]


@pytest.mark.parametrize(("moment", "count"), [("answered_recognise", 3), ("before_commit", 4), ("worker.result", 6)])
def test_a_killed_driver_or_worker_loses_and_repeats_nothing(unmeasured, tmp_path, moment, count):
    survives(unmeasured, tmp_path, moment, count)


@pytest.mark.slow
@pytest.mark.parametrize(("moment", "count"), chosen_moments(20, seed=2026))
def test_killed_at_any_of_twenty_moments_nothing_is_lost_or_repeated(unmeasured, tmp_path, moment, count):
    survives(unmeasured, tmp_path, moment, count)


@needs_shared
def test_hard_audio_ends_as_a_state_and_the_rest_goes_on(unmeasured, finish, tmp_path):
    workspace = copied(unmeasured, tmp_path)
    folder = make_case("audio-non-finite", tmp_path)
    make_case("audio-digital-silence", tmp_path)
    make_case("audio-not-audio", tmp_path)
    with_benchmark(workspace, "creativity", count=5)
    files = [
        folder / "clip.wav", folder / "all-nan.wav", tmp_path / "audio-digital-silence" / "clip.wav",
        tmp_path / "audio-not-audio" / "0002.wav", tone(tmp_path / "tone.wav"),
    ]  # fmt: skip
    finish(
        take_responses(
            workspace, "vocalbench_zh", "s", [response(n, "好的", "creativity", audio=f) for n, f in enumerate(files)]
        )
    )
    done = finish(measure_workspace(workspace, Scope(("s",)), MeasureOptions()))
    db = workspace.connect()
    rows = db.execute("SELECT * FROM audit_row WHERE system = 's' ORDER BY key").fetchall()
    assert done.failed > 0
    assert [row["faults"].split(" ")[0] for row in rows] == ["non_finite", "no_usable_sample", "silent", "web_page", ""]
    heard = {r["key"][-1]: r for r in db.execute(
        "SELECT key, transcript.state, transcript.text, transcript.flags, transcript.error FROM transcript"
        " JOIN response ON response.id = response_id JOIN instance ON instance.id = instance_id"
    )}  # fmt: skip
    assert heard["1"]["state"] == "failed"
    assert heard["1"]["error"] == "audio.no_usable_sample"
    assert (heard["2"]["text"], json.loads(heard["2"]["flags"])) == ("", ["silent"])
    assert "3" not in heard  # what cannot be read is not sent
    assert [row["transcript_state"] for row in rows] == ["scored", "failed", "scored", "failed", "scored"]
    assert "non_finite" in heard["0"]["flags"]
    again = finish(measure_workspace(workspace, Scope(("s",)), MeasureOptions()))
    assert (again.read, again.recognised, again.measured, again.failed) == (0, 0, 0, 0)
    assert rows[2]["dnsmos_ovrl"] is None
    assert rows[2]["syllable_error_rate"] == 1.0
    assert all(row["peak_dbfs"] is None or row["peak_dbfs"] > -200 for row in rows)


@needs_shared
def test_the_packaged_recogniser_reads_the_one_shared_recording_well(unmeasured, finish, tmp_path):
    workspace = copied(unmeasured, tmp_path)
    source = shared_file("vocalbench-zh/model_output/qwen3-omni")
    recorded = finish(read_answers(source)).recorded
    with_benchmark(workspace, count=10)
    finish(take_responses(workspace, "vocalbench_zh", "qwen3-omni", recorded.responses))
    finish(measure_workspace(workspace, Scope(("qwen3-omni",)), MeasureOptions()))
    rows = "SELECT * FROM audit_row WHERE system = 'qwen3-omni' AND key = 'chinese_knowledge-0000'"
    row = workspace.connect().execute(rows).fetchone()
    assert row["syllable_error_rate"] <= 0.08
    assert row["published_error_rate"] == pytest.approx(
        0.01694915254237288, abs=1e-12
    )  # of the transcript that came with it
    assert 50 < row["duration_s"] < 52


def test_the_sample_pack_is_where_the_floor_speech_lies():
    listed = shipped("data/sample/speech/floor.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["language"] for line in listed} == {"zh", "en"}


def test_files_that_are_no_audio_are_named_with_whose_they_are_and_no_recogniser_is_loaded(workspace, tmp_path):
    with_benchmark(workspace)
    for number in range(2):
        (tmp_path / f"noise {number}.wav").write_bytes(bytes(range(256)) * (8 + number))
    given = [response(n, "x", audio=tmp_path / f"noise {n}.wav") for n in range(2)]
    last(take_responses(workspace, "vocalbench_zh", "s", given))
    done = last(measure_workspace(workspace, Scope(), MeasureOptions(quality=False)))
    (met,) = done.troubles.values()
    assert (met.count, met.error.code, met.system, met.place, met.file) == (
        2,
        "audio.not_audio",
        "s",
        "chinese_knowledge/chinese_knowledge-0000",
        "noise 0.wav",
    )
    assert workspace.connect().execute("SELECT COUNT(*) FROM maker WHERE kind = 'recogniser'").fetchone()[0] == 0
