"""The command line as a user meets it: help, exit statuses, one sentence for what stands in the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli.main import VERBS
from engine.runs.imports import take_responses
from tests.engine.judges.server import Server, json_reply
from tests.engine.runs.made import response, with_benchmark
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
    assert "list[" not in ended.stdout


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
    assert "instances: 12 added" in ended.stdout
    assert ended.stdout.count("general_knowledge.json") == 10
    again = auricle("import", "vocalbench-zh", str(folder / "bench"), workspace=tmp_path / "w")
    assert "instances: 0 added, 0 changed, 12 as before" in again.stdout


@needs_shared
def test_recorded_outputs_come_in_and_their_transcripts_give_the_published_rates(tmp_path):
    folder = shared_file("vocalbench-zh")
    workspace = tmp_path / "w"
    assert auricle("import", "vocalbench-zh", str(folder), workspace=workspace).returncode == 0
    source = folder / "model_output" / "qwen3-omni"
    taken = auricle("import", "responses", str(source), "--system", "qwen3-omni", workspace=workspace)
    assert "answers: 10 added" in taken.stdout
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


@pytest.fixture
def answered(workspace, finish):
    """A workspace with one answer that words decide and one that they do not."""
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "少林"), response(1, "武当")]))
    return workspace.folder


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("score", "--system", "nobody"), "no system called nobody"),
        (("measure", "--subset", "nosuch"), "subset called nosuch"),
        (("measure", "--benchmark", "other"), "benchmark other is not"),
        (("judge", "--judge", "knowldge"), "No judge is called knowldge"),
        (("judge", "--rubric-language", "fr"), "zh, en"),
        (("judge", "--base-url", "http://127.0.0.1:9/v1?key=abc", "--model", "m"), "must not carry a query"),
        (("judge", "--base-url", "http://judge.example/v1", "--model", "m"), "auricle judges key --base-url"),
        (("report", "--out", "."), "cannot be written"),
        (("import", "responses", "--manifest", "nothing.csv"), "no file nothing.csv"),
        (("import", "judgements", "nothing.csv"), "no file nothing.csv"),
        (("check", "nowhere", "--benchmark", "vocalbench-zh"), "no file nowhere"),
    ],
)
def test_a_name_that_means_nothing_stops_with_a_sentence_and_status_2(answered, arguments, says):
    ended = auricle(*arguments, workspace=answered, AURICLE_API_KEY="")
    assert ended.returncode == 2, ended.stderr
    assert says in " ".join(ended.stderr.split())
    assert "Traceback" not in ended.stderr


def test_a_judge_that_refuses_the_request_is_status_1_with_its_cause(answered):
    refuse = json_reply({"error": {"message": "no such parameter"}}, 400)
    with Server(lambda body, count: refuse) as server:
        ended = auricle("judge", "--base-url", server.base_url, "--model", "m", workspace=answered)
    assert ended.returncode == 1
    (cause,) = [line for line in ended.stderr.splitlines() if line.startswith("  1 × ")]
    assert "…" in cause


def test_answers_to_unknown_questions_are_named(answered, tmp_path):
    manifest = tmp_path / "answers.csv"
    manifest.write_bytes(
        "\ufeffsubset;Qid;Response\r\nchinese_knowledge;chinese_knowledge-0002;少林\r\nchinese_knowledge;nobody-7;x\r\n".encode()
    )
    ended = auricle("import", "responses", "--manifest", str(manifest), "--system", "t", workspace=answered)
    assert ended.returncode == 1
    assert "answers: 1 added" in ended.stdout
    assert "chinese_knowledge/nobody-7" in ended.stdout


def test_answers_without_a_workspace_make_none(tmp_path):
    manifest = tmp_path / "answers.csv"
    manifest.write_text("subset,Qid,Response\nsafety,safety-000,x\n")
    ended = auricle("import", "responses", "--manifest", str(manifest), workspace=tmp_path / "w")
    assert ended.returncode == 2
    assert not (tmp_path / "w").exists()


@pytest.mark.slow
def test_the_whole_main_job_runs_on_the_sample_and_a_second_time_computes_nothing(tmp_path):
    workspace = tmp_path / "w"
    first = auricle("sample", "--run", workspace=workspace)
    assert first.returncode == 0, first.stderr
    assert "127 recognised, 127 measured for quality; transcripts compared: 127; failed: 0" in first.stderr
    assert "report:" in first.stdout
    assert (workspace / "report.html").stat().st_size > 1_000_000
    second = auricle("sample", "--run", workspace=workspace)
    assert "audio files: 0 read, 0 recognised, 0 measured for quality; transcripts compared: 0" in second.stderr
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
