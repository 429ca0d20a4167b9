"""The command line as a user meets it: help, exit statuses, one sentence for what stands in the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli.main import VERBS
from tests.shared import make_case, needs_shared, shared_file


def auricle(*arguments: str, workspace: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a process of its own."""
    variables = {**os.environ, "AURICLE_LANGUAGE": "en", **environment}
    if workspace is not None:
        variables["AURICLE_WORKSPACE"] = str(workspace)
    return subprocess.run(
        [sys.executable, "-m", "engine.cli.main", *arguments],
        capture_output=True,
        text=True,
        env=variables,
        check=False,
    )


@pytest.mark.parametrize("verb", [name for name, _ in VERBS])
def test_every_verb_explains_itself(verb):
    ended = auricle(verb, "--help")
    assert ended.returncode == 0, ended.stderr
    assert "Usage" in ended.stdout


def test_asking_for_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom engine.cli import main\n"
        "print(sorted({'numpy', 'torch', 'openai', 'faster_whisper', 'scipy', 'sqlite_utils'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


def test_published_overalls_need_no_workspace(tmp_path):
    ended = auricle("published", "overall", "--json", workspace=tmp_path / "nothing here")
    rows = json.loads(ended.stdout)
    assert ended.returncode == 0
    off = [row for row in rows if abs(row["difference"]) > 0.001]
    assert (len(rows), [row["system"] for row in off]) == (15, ["Qwen3-Omni"])
    assert off[0]["difference"] == pytest.approx(-0.054, abs=5e-4)
    assert not (tmp_path / "nothing here").exists()


def test_what_stands_in_the_way_is_one_sentence_and_status_2(tmp_path):
    ended = auricle("score", workspace=tmp_path / "none")
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert "There is no workspace in" in ended.stderr


def test_the_sentence_comes_in_the_users_language(tmp_path):
    assert "没有工作区" in auricle("score", workspace=tmp_path / "none", AURICLE_LANGUAGE="zh").stderr


def test_a_wrong_option_is_status_2():
    assert auricle("score", "--no-such-option").returncode == 2


@needs_shared
def test_the_shipped_answers_have_nine_missing_recordings_and_nothing_false():
    folder = shared_file("vocalbench-zh")
    ended = auricle(
        "check",
        str(folder / "model_output" / "qwen3-omni"),
        "--benchmark",
        str(folder),
        "--subset",
        "chinese-knowledge",
        "--json",
    )
    told = json.loads(ended.stdout)
    codes = [finding["code"] for finding in told["findings"]]
    assert ended.returncode == 1
    assert (codes.count("benchmarks.unanswered"), codes.count("benchmarks.no_audio"), len(codes)) == (990, 9, 999)
    assert (told["asked"], told["answered"], told["with_audio"], told["good_audio"]) == (1000, 10, 1, 1)


@needs_shared
def test_an_import_with_refused_records_goes_on_and_says_each(tmp_path):
    folder = make_case("path-escapes", tmp_path)
    ended = auricle("import", "vocalbench-zh", str(folder / "bench"), workspace=tmp_path / "w")
    assert "12 instances added" in ended.stdout
    assert ended.stdout.count("general_knowledge.json") == 10
    again = auricle("import", "vocalbench-zh", str(folder / "bench"), workspace=tmp_path / "w")
    assert "0 instances added, 0 changed, 12 as before" in again.stdout


@needs_shared
def test_recorded_outputs_come_in_and_their_transcripts_give_the_published_rates(tmp_path):
    folder = shared_file("vocalbench-zh")
    workspace = tmp_path / "w"
    assert auricle("import", "vocalbench-zh", str(folder), workspace=workspace).returncode == 0
    source = folder / "model_output" / "qwen3-omni"
    taken = auricle("import", "responses", str(source), "--system", "qwen3-omni", workspace=workspace)
    assert "10 answers added" in taken.stdout
    assert "10 transcripts, 10 measurements, 10 judgements" in taken.stdout
    assert auricle("measure", "--no-recognise", "--no-quality", workspace=workspace).returncode == 0
    assert auricle("judge", workspace=workspace).returncode == 0
    scores = json.loads(auricle("score", "--json", workspace=workspace).stdout)["scores"]
    published = next(s for s in scores if s["method"] == "published")
    figures = {figure["name"]: figure for figure in published["figures"]}
    brought = json.loads((source / "result" / "chinese_knowledge.json").read_text(encoding="utf-8"))
    mean = 100 * sum(row["PER"] for row in brought) / 10
    assert figures["published_syllable_error_rate.mean_of_items"]["value"] == pytest.approx(mean, abs=1e-10)
    assert figures["s2t_accuracy"]["value"] == 90.0


@pytest.mark.slow
def test_the_whole_main_job_runs_on_the_sample_and_a_second_time_computes_nothing(tmp_path):
    workspace = tmp_path / "w"
    first = auricle("sample", "--run", workspace=workspace)
    assert first.returncode == 0, first.stderr
    assert "127 recognised, 127 measured for quality, 127 transcripts compared, 0 failed" in first.stderr
    assert "report:" in first.stdout
    assert (workspace / "report.html").stat().st_size > 1_000_000
    second = auricle("sample", "--run", workspace=workspace)
    assert "0 audio files read, 0 recognised, 0 measured for quality, 0 transcripts compared" in second.stderr
    planted = json.loads(auricle("score", "--json", workspace=workspace).stdout)
    assert {entry["system"] for entry in planted["scores"]} == {"example-careful", "example-flawed", "offline-cascade"}


@pytest.mark.slow
def test_planted_faults_are_found_by_their_kind(tmp_path):
    import sqlite3

    from engine.shipped import shipped

    workspace = tmp_path / "w"
    assert auricle("sample", workspace=workspace).returncode == 0
    assert auricle("measure", "--system", "example-flawed", workspace=workspace).returncode == 0
    rows = {
        (row[0], row[1]): (row[2], row[3])
        for row in sqlite3.connect(workspace / "auricle.db").execute(
            "SELECT subset, key, mismatch, faults FROM audit_row WHERE system = 'example-flawed'"
        )
    }
    kinds = {
        "truncated_speech": "truncation",
        "repeated_speech": "repetition",
        "omitted_speech": "omission",
        "unrelated_speech": "unrelated",
        "silent_audio": "silent",
        "clipped_audio": "clipped",
        "truncated_file": "truncated",
    }
    labels = [json.loads(line) for line in shipped("data/sample/labels.jsonl").read_text(encoding="utf-8").splitlines()]
    missed = [
        (label["kind"], label["Qid"])
        for label in labels
        if label["system"] == "example-flawed"
        and label["kind"] in kinds
        and kinds[label["kind"]] not in " ".join(rows[label["subset"], label["Qid"]]).split()
    ]
    assert missed == []
