"""``auricle import`` and ``check`` as a user meets them: what was left out is named and makes the status 1."""

from __future__ import annotations

import pytest

from engine.runs.imports import take_responses
from tests.engine.cli.test_verbs import auricle
from tests.engine.runs.made import response, tone, with_benchmark

QID = "chinese_knowledge-000"


@pytest.fixture
def asked(workspace, finish):
    """A workspace with four questions, the first two of which ``s`` has answered."""
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "少林"), response(1, "武当")]))
    return workspace.folder


@pytest.fixture
def taken(asked, tmp_path):
    """Imports a CSV of answers to the knowledge set; its columns behind the Qid are named first."""

    def of(columns: str, *rows: str, kind: str = "responses"):
        path = tmp_path / "given.csv"
        lines = (f"subset,Qid,{columns}", *(f"chinese_knowledge,{QID}{row}" for row in rows))
        path.write_text("\n".join(lines), encoding="utf-8")
        named = ("--manifest",) if kind == "responses" else ()
        return auricle("import", kind, *named, str(path), "--system", "s", workspace=asked)

    return of


def test_the_second_of_two_different_answers_is_named(taken):
    ended = taken("Response", "2,少林", "2,武当", "3,少林", "3,少林")
    assert ended.returncode == 1
    assert f"- chinese_knowledge/{QID}2: two answers with different content; the first counts" in ended.stdout
    assert f"{QID}3" not in ended.stdout


def test_an_answer_in_the_place_of_another_is_told_as_replaced(taken):
    ended = taken("Response", "0,少林", "1,峨眉", "2,武当")
    assert ended.returncode == 0
    assert "answers: 1 added, 1 replaced, 1 as before" in ended.stdout
    assert "answers that replace another one: 1. The old ones stay in the store" in ended.stdout


def test_a_value_that_was_left_out_makes_the_status_1(taken):
    ended = taken("Response,first_token_s", "2,少林,soon")
    assert ended.returncode == 1
    assert "first_token_s must be a number of seconds" in ended.stdout


def test_a_file_that_is_no_audio_is_taken_and_named(taken, tmp_path):
    (tmp_path / "empty.wav").touch()
    tone(tmp_path / "good.wav")
    ended = taken("Response,audio", "2,少林,empty.wav", "3,少林,good.wav")
    assert ended.returncode == 1
    assert f"begin as audio does: 1, the first: chinese_knowledge/{QID}2 (empty.wav)" in ended.stdout


@pytest.mark.parametrize(
    "content", [b"subset,Qid,Response\n", b"", b"subset,Qid,Response\nx,caf\xe9,y\n", b"RIFF\xff\xfe\0"]
)
def test_a_file_without_an_answer_is_of_no_use(asked, tmp_path, content):
    path = tmp_path / "given.csv"
    path.write_bytes(content)
    for arguments in (
        ("import", "responses", "--manifest", str(path), "--system", "t"),
        ("check", str(path), "--benchmark", "vocalbench-zh"),
    ):
        ended = auricle(*arguments, workspace=asked)
        assert ended.returncode == 2
        assert "given.csv has no answers in it" in ended.stderr
    assert auricle("import", "measurements", str(path), workspace=asked).returncode == 2


def test_a_judge_and_a_verdict_that_are_not_known_are_named(taken):
    ended = taken("judge,verdict", "0,nojudge,banana", "1,knowledge,banana", kind="judgements")
    assert ended.returncode == 1
    assert "no judge is called nojudge" in ended.stdout
    assert "the judge knowledge gives correct, incorrect, not banana" in ended.stdout


def test_whoever_gave_imported_verdicts_is_listed_among_the_makers(taken, asked):
    assert taken("judge,verdict,maker", "0,knowledge,correct,me", kind="judgements").returncode == 0
    listed = auricle("makers", workspace=asked)
    (line,) = [line for line in listed.stdout.splitlines() if " me " in line]
    assert line.split() == ["1", "brought", "in", "me", "knowledge", "1"]
