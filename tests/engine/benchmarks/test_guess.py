"""What is dropped is known by its layout and keys, and recorded answers are not taken for a benchmark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.benchmarks.guess import guess
from engine.shipped import shipped
from engine.store.workspace import DATABASE

SAMPLE = shipped("data/sample")


def written(path: Path, rows) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("vocalbench_zh", "vocalbench_zh"),
        ("dynamic_superb", "dynamic_superb"),
        ("dynamic_superb/SpokenQuestionAnswering_Auricle-General", "dynamic_superb"),
        ("model_output/example-careful", "answers"),
        ("model_output/offline-cascade/manifest.jsonl", "answers"),
        ("build", ""),
    ],
)
def test_the_sample_packs_parts_are_known(name, kind):
    assert guess(SAMPLE / name).kind == kind


def test_a_folder_of_several_systems_names_them():
    found = guess(SAMPLE / "model_output")
    assert found.kind == "answers"
    assert [path.name for path in found.systems] == ["example-careful", "example-flawed", "offline-cascade"]


def test_a_json_folder_of_answers_is_no_benchmark(tmp_path):
    written(tmp_path / "a" / "json" / "safety.json", [{"Qid": "safety-000", "Response": "不行"}])
    written(tmp_path / "b" / "json" / "safety.json", [{"Qid": "safety-000", "Question": "问", "Audio": "a.wav"}])
    assert guess(tmp_path / "a").kind == "answers"
    assert guess(tmp_path / "b").kind == "vocalbench_zh"
    assert guess(tmp_path / "b" / "json").kind == "vocalbench_zh"


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("subset,Qid,Response,audio", "answers"),
        ("subset,key,audio", "answers"),
        ("subset,Qid,system,metric,value", "results"),
        ("subset,Qid,judge,verdict", "results"),
        ("name,colour", ""),
    ],
)
def test_a_table_is_known_by_its_columns(tmp_path, heading, kind):
    (tmp_path / "t.csv").write_text(f"{heading}\n{','.join('x' for _ in heading.split(','))}\n", encoding="utf-8")
    assert guess(tmp_path / "t.csv").kind == kind


def test_workspaces_are_told_by_folder_or_file_and_the_rest_is_unknown(tmp_path):
    (tmp_path / DATABASE).write_bytes(b"")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "empty.csv").write_bytes(b"")
    assert guess(tmp_path).kind == "workspace"
    assert guess(tmp_path / DATABASE).path == tmp_path
    for name in ("picture.png", "gone", "empty.csv"):
        assert guess(tmp_path / name).kind == ""


def test_of_what_may_not_be_read_nothing_is_known(tmp_path, monkeypatch):
    def refused(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refused)
    assert guess(tmp_path).kind == ""
