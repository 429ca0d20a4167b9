"""What is imported is read and checked first, told by groups, and written as it was checked."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from engine.errors import EngineError
from engine.runs.checked_import import ImportAsked, check_import, imported_benchmarks, write_import
from engine.shipped import shipped
from engine.store.overview import overview
from tests.engine.runs.made import tone, with_benchmark

SAMPLE = shipped("data/sample")


def test_a_benchmark_is_checked_without_a_workspace_and_written_after(workspace, finish):
    checked = finish(check_import(None, ImportAsked("vocalbench_zh", SAMPLE / "vocalbench_zh")))
    assert checked.benchmark == "vocalbench_zh"
    assert checked.count == sum(part.found for part in checked.parts) > 0
    written = finish(write_import(workspace, checked))
    assert (written.added, written.same) == (checked.count, 0)
    assert finish(write_import(workspace, checked)).same == checked.count
    with closing(workspace.connect()) as db:
        assert imported_benchmarks(db) == ("vocalbench_zh",)


def test_instances_without_audio_are_a_note_by_subset(tmp_path, finish):
    (tmp_path / "json").mkdir()
    rows = [
        {
            "Qid": f"safety-{n:03d}",
            "Question": "问",
            "Audio": f"safety/safety-{n:03d}.wav",
            "Source": "s",
            "Category": "c",
        }
        for n in range(3)
    ] + ["no record"]
    (tmp_path / "json" / "safety.json").write_text(json.dumps(rows), encoding="utf-8")
    checked = finish(check_import(None, ImportAsked("vocalbench_zh", tmp_path)))
    assert [(part.name, part.found, part.good) for part in checked.parts] == [("safety", 3, 0)]
    first, *rest = checked.groups
    assert (first.severity, first.code, first.count) == ("left_out", "benchmarks.not_a_record", 1)
    lacking = next(group for group in rest if group.code == "benchmarks.no_audio")
    assert (lacking.severity, lacking.count, lacking.subsets) == ("note", 3, ("safety",))
    assert checked.faults == 1


@pytest.fixture
def asked(workspace):
    return with_benchmark(workspace, "chinese_knowledge", "robust", count=10)


def answers(folder, count=9):
    (folder / "json").mkdir(parents=True)
    rows = [{"Qid": f"chinese_knowledge-{n:04d}", "Response": "少林"} for n in range(count)]
    rows.append({"Qid": "chinese_knowledge-9999", "Response": "?"})
    (folder / "json" / "chinese_knowledge.json").write_text(json.dumps(rows), encoding="utf-8")
    tone(folder / "wav" / "chinese_knowledge" / "chinese_knowledge-0000.wav")
    return folder


def test_answers_are_checked_against_the_benchmark_that_fits_and_written(asked, tmp_path, finish):
    checked = finish(check_import(asked, ImportAsked("answers", answers(tmp_path / "parrot"))))
    assert (checked.system, checked.benchmark, checked.count) == ("parrot", "vocalbench_zh", 9)
    assert [(part.name, part.asked, part.found) for part in checked.parts] == [("chinese_knowledge", 10, 9)]
    told = {group.code: group for group in checked.groups}
    assert told["benchmarks.no_audio"].count == 8
    assert told["benchmarks.unknown_key"].examples[0].place() == "chinese_knowledge-9999"
    assert len(told["benchmarks.no_audio"].examples) == 8
    assert told["benchmarks.subset_unanswered"].examples[0].place() == "robust"
    assert [group.severity for group in checked.groups] == sorted(
        (group.severity for group in checked.groups), key=["left_out", "fault", "note"].index
    )
    written = finish(write_import(asked, checked))
    assert (written.added, written.unknown) == (9, 1)
    with closing(asked.connect()) as db:
        assert overview(db).answers == 9


def test_checking_writes_nothing_and_stopping_keeps_what_is_written(asked, tmp_path, finish):
    checked = finish(check_import(asked, ImportAsked("answers", answers(tmp_path / "parrot"), system="other")))
    with closing(asked.connect()) as db:
        assert overview(db).is_empty is False
        assert overview(db).answers == 0
    work = write_import(asked, checked)
    next(work)
    work.close()
    with closing(asked.connect()) as db:
        found = overview(db)
    assert found.answers == 9
    assert found.last_run is not None
    assert found.last_run.state == "cancelled"


def test_answers_need_a_benchmark_and_a_workspace(workspace, tmp_path, finish):
    folder = answers(tmp_path / "parrot")
    for place in (None, workspace):
        with pytest.raises(EngineError) as raised:
            finish(check_import(place, ImportAsked("answers", folder)))
        assert raised.value.code == "runs.benchmark_not_imported"


def test_results_say_how_many_belong_to_an_answer(asked, tmp_path, finish):
    finish(write_import(asked, finish(check_import(asked, ImportAsked("answers", answers(tmp_path / "parrot"))))))
    table = tmp_path / "utmos.csv"
    rows = [f"chinese_knowledge,chinese_knowledge-{n:04d},utmos,{n / 2}" for n in range(12)]
    table.write_text("\n".join(["subset,Qid,metric,value", *rows, "chinese_knowledge,,utmos,1"]), encoding="utf-8")
    lost = finish(check_import(asked, ImportAsked("results", table)))
    assert lost.count == 0
    checked = finish(check_import(asked, ImportAsked("results", table, system="parrot")))
    assert [(part.name, part.found, part.good) for part in checked.parts] == [("utmos", 12, 9)]
    assert {(group.code, group.count) for group in checked.groups} == {
        ("benchmarks.result_without_answer", 3),
        ("benchmarks.key_missing", 1),
    }
    written = finish(write_import(asked, checked))
    assert (written.measurements, written.unknown) == (9, 3)


def test_what_may_not_be_read_is_told(monkeypatch, finish):
    from engine.runs import checked_import

    def refused(*_, **__):
        raise PermissionError(13, "Permission denied", "/secret/json")
        yield

    monkeypatch.setattr(checked_import, "read_vocalbench_zh", refused)
    with pytest.raises(EngineError, match="/secret/json cannot be read: Permission denied"):
        finish(check_import(None, ImportAsked("vocalbench_zh", SAMPLE)))
