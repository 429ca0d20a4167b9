"""VocalBench-zh is read whole from its own files, by Qid, and audio is found inside its folder only."""

from __future__ import annotations

import json
import sys
from collections import Counter

import pytest

from engine.benchmarks.vocalbench_zh import find_json_folder, read_vocalbench_zh
from engine.errors import EngineError
from tests.engine.benchmarks.finish import finish
from tests.shared import case, make_case, needs_shared, shared_file

WATCHED: list[tuple[str, str]] = []
_watching = [False]


def _hook(event, args):
    if _watching[0] and (event in ("open", "os.link", "shutil.copyfile") or event.startswith("socket.")):
        WATCHED.append((event, str(args[0])))


sys.addaudithook(_hook)


@pytest.fixture
def watched():
    """What is opened, linked, copied or asked of the network while the test runs."""
    WATCHED.clear()
    _watching[0] = True
    yield WATCHED
    _watching[0] = False


def record(number, **more):
    return {
        "Set": "General Knowledge",
        "Qid": f"general_knowledge-{number:04d}",
        "Audio": f"knowledge/general/{number:04d}.wav",
        "Question": "水的沸点是多少？",
        "Answer": "一百度",
        "Source": "made",
        **more,
    }


def bench(tmp_path, rows, subset="general_knowledge"):
    folder = tmp_path / "bench" / "json"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{subset}.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return tmp_path / "bench"


def told(imported):
    return [(problem.where, problem.code) for problem in imported.problems]


@needs_shared
def test_all_fifteen_subsets_are_read_without_a_problem():
    imported = finish(read_vocalbench_zh(shared_file("vocalbench-zh")))
    counts = Counter(instance.subset for instance in imported.instances)
    assert len(imported.instances) == 11_215
    assert len(imported.instances) - counts["robust_clean"] == 11_115  # the paper's figure
    assert imported.problems == ()
    assert imported.audio_missing == 11_215
    assert counts == {
        "chinese_knowledge": 1000, "foreign_knowledge": 1000, "general_knowledge": 1000, "reasoning": 851,
        "creativity": 240, "single_round": 200, "multi_round": 400, "instruction_following": 1000, "emotion": 500,
        "safety": 400, "cs_knowledge": 362, "cs_knowledge_en": 362, "cs_open_ended": 200, "robust": 3600,
        "robust_clean": 100,
    }  # fmt: skip
    assert len({(instance.subset, instance.key) for instance in imported.instances}) == 11_215


@needs_shared
def test_instances_hold_what_the_records_say():
    imported = finish(read_vocalbench_zh(shared_file("vocalbench-zh")))
    by_key = {(instance.subset, instance.key): instance for instance in imported.instances}
    first = by_key["chinese_knowledge", "chinese_knowledge-0000"]
    assert (first.question, first.reference, first.category) == ("以武术闻名的佛教寺院是哪个？", "少林", "VocalBench")
    assert first.labels == {"Set": "Chinese Knowledge"}
    lengths = Counter(len(instance.context) for instance in imported.instances if instance.subset == "multi_round")
    assert lengths == {2: 160, 4: 151, 6: 72, 8: 15, 10: 2}
    assert [turn.role for turn in by_key["multi_round", "multi_round-000"].context] == ["user", "assistant"] * 2
    emotion = by_key["emotion", "emotion-000"]
    assert (emotion.reference, emotion.category, emotion.labels["Score"]) == (None, "angry", [5, 1, 3, 5, 2])
    mixed = by_key["cs_knowledge", "codeswitching_knowledge-000"]
    english = by_key["cs_knowledge_en", "codeswitching_knowledge-000"]
    assert (mixed.language, mixed.reference, english.language, english.reference) == (
        "mixed",
        "盐湖城",
        "en",
        "Salt Lake City",
    )


@needs_shared
def test_some_subsets_can_be_asked_for_with_hyphens_and_the_json_folder_be_given():
    imported = finish(read_vocalbench_zh(shared_file("vocalbench-zh/json"), ["robust-clean", "vocalbench_zh/safety"]))
    assert imported.subsets == ("robust_clean", "safety")
    assert len(imported.instances) == 500


@needs_shared
def test_audio_outside_the_folder_is_refused_unopened(tmp_path, watched):
    expect = case("path-escapes")["expect"]
    root = make_case("path-escapes", tmp_path)
    watched.clear()
    imported = finish(read_vocalbench_zh(root / "bench"))
    paths = [instance.audio[0].path for instance in imported.instances]
    assert len(imported.instances) == expect["records_listed"]
    assert [index for index, path in enumerate(paths) if path] == expect["accepted_records"]
    assert sum(path is not None for path in paths) == expect["with_audio"]
    assert paths[0] == paths[1]
    assert [int(problem.where.split()[1]) for problem in imported.problems] == expect["refused_records"]
    for problem, instance in zip(imported.problems, imported.instances[2:], strict=True):
        for named in ("general_knowledge.json", instance.key, "Audio", instance.audio[0].name):
            assert named in problem.sentence("en")
            assert named in problem.sentence("zh")
    assert not [entry for entry in watched if "private.wav" in entry[1] or entry[0].startswith("socket.")]


def test_a_link_among_the_files_of_the_hubs_cache_is_inside(tmp_path):
    cache = tmp_path / "datasets--VocalNet--VocalBench-zh"
    revision = cache / "snapshots" / "0a1b"
    (cache / "blobs").mkdir(parents=True)
    (cache / "blobs" / "ffff").write_bytes(b"RIFF")
    (revision / "audio" / "knowledge" / "general").mkdir(parents=True)
    (revision / "audio" / "knowledge" / "general" / "0000.wav").symlink_to(cache / "blobs" / "ffff")
    (revision / "json").mkdir()
    (revision / "json" / "general_knowledge.json").write_text(json.dumps([record(0)]), encoding="utf-8")
    imported = finish(read_vocalbench_zh(cache))
    assert imported.audio_missing == 0
    assert imported.problems == ()


@needs_shared
def test_each_wrong_field_is_named_and_the_rest_imported(tmp_path):
    expect = case("json-fields-wrong")["expect"]
    imported = finish(read_vocalbench_zh(make_case("json-fields-wrong", tmp_path) / "bench"))
    assert [instance.position for instance in imported.instances] == [0, 3, 4, 5, 10]  # 3, 4 and 5 with a flag
    by_record = {problem.where.split()[1]: problem for problem in imported.problems}
    assert {number: problem.code for number, problem in by_record.items()} == {
        "1": "benchmarks.key_missing",
        "2": "benchmarks.key_missing",
        "3": "benchmarks.null",
        "4": "benchmarks.empty",
        "5": "benchmarks.wrong_kind",
        "6": "benchmarks.wrong_kind",
        "7": "benchmarks.not_a_record",
        "8": "benchmarks.not_a_record",
        "9": "benchmarks.wrong_kind",
    }
    assert set(by_record) == set(expect["problems"])
    named = {
        "1": "Qid",
        "2": "Audio",
        "3": "Answer",
        "4": "Question",
        "5": "42",
        "6": "6",
        "7": "string",
        "8": "null",
        "9": "list",
    }
    assert all(named[number] in problem.sentence("en") for number, problem in by_record.items())
    assert {number for number, problem in by_record.items() if problem.kept} == {"3", "4", "5"}
    answers = {instance.position: instance.reference for instance in imported.instances}
    assert (answers[0], answers[3], answers[5]) == ("一百度", None, "42")
    assert imported.instances[-1].labels["Extra"] == {"kept": True}


def test_missing_audio_is_counted_and_is_no_problem(tmp_path):
    imported = finish(read_vocalbench_zh(bench(tmp_path, [record(0), record(1)])))
    assert (imported.audio_missing, imported.problems) == (2, ())
    assert [instance.audio[0].path for instance in imported.instances] == [None, None]


def test_backslashes_in_audio_names_separate_folders(tmp_path):
    root = bench(tmp_path, [record(0, Audio="knowledge\\general\\0000.wav")])
    (root / "audio" / "knowledge" / "general").mkdir(parents=True)
    (root / "audio" / "knowledge" / "general" / "0000.wav").write_bytes(b"RIFF")
    assert finish(read_vocalbench_zh(root)).audio_missing == 0


def test_a_qid_read_twice_counts_once(tmp_path):
    imported = finish(read_vocalbench_zh(bench(tmp_path, [record(0), record(0), record(0, Answer="九十度")])))
    assert [instance.reference for instance in imported.instances] == ["一百度"]
    assert told(imported) == [
        ("record 1 (general_knowledge-0000)", "benchmarks.duplicate_same"),
        ("record 2 (general_knowledge-0000)", "benchmarks.duplicate_differs"),
    ]


def test_the_order_of_the_records_changes_no_identity(tmp_path):
    there = finish(read_vocalbench_zh(bench(tmp_path, [record(0), record(1, Answer="b")])))
    back = finish(read_vocalbench_zh(bench(tmp_path, [record(1, Answer="b"), record(0)])))
    assert {i.key: i.reference for i in there.instances} == {i.key: i.reference for i in back.instances}


def test_one_unreadable_file_does_not_stop_the_others(tmp_path):
    root = bench(tmp_path, [record(0)])
    (root / "json" / "safety.json").write_bytes(b"\xff\xff\xff")
    imported = finish(read_vocalbench_zh(root))
    assert len(imported.instances) == 1
    assert [problem.file.name for problem in imported.problems] == ["safety.json"]


def test_a_turn_of_an_unknown_role_is_named(tmp_path):
    row = record(0) | {"Qid": "multi_round-000", "Category": "GR", "Context": [{"from": "system", "value": "x"}]}
    imported = finish(read_vocalbench_zh(bench(tmp_path, [row], "multi_round")))
    assert imported.instances[0].context == ()
    assert told(imported) == [("record 0 (multi_round-000)", "benchmarks.bad_context")]


def test_the_generator_yields_once_before_and_after_each_file(tmp_path):
    steps = list(read_vocalbench_zh(bench(tmp_path, [record(0)])))
    assert [(step.done, step.total, step.label) for step in steps] == [(0, 1, ""), (1, 1, "general_knowledge")]


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(EngineError, match="holds no VocalBench-zh subset"):
        find_json_folder(tmp_path)
    root = bench(tmp_path, [record(0)])
    with pytest.raises(EngineError, match="no file for the subset safety"):
        finish(read_vocalbench_zh(root, ["safety"]))
    with pytest.raises(EngineError, match="no subset called saftey"):
        finish(read_vocalbench_zh(root, ["saftey"]))
    (tmp_path / "hub" / "safety").mkdir(parents=True)
    (tmp_path / "hub" / "safety" / "test-0.parquet").write_bytes(b"PAR1")
    with pytest.raises(EngineError, match="Parquet"):
        find_json_folder(tmp_path / "hub")
