"""Ratings go out to spreadsheets and programs and come in from them, character for character, each once."""

from __future__ import annotations

import csv
import io
import json
from contextlib import closing
from dataclasses import asdict

import pytest

from engine.benchmarks.tables import read_table
from engine.benchmarks.values import Instance
from engine.errors import EngineError
from engine.rating.exchange.export import export_ratings
from engine.rating.exchange.reading import is_own_export, read_ratings
from engine.rating.exchange.take import take_ratings
from engine.rating.told import results_told
from engine.rating.values import Protocol
from engine.runs.imports import take_responses
from engine.store.benchmarks import add_instances
from engine.store.rating_rows import rating_rows, remark_rows
from engine.store.sittings import Remark, begin_sitting, commit, present, remark, skip
from engine.store.studies import (
    assignments_of,
    disclose,
    letters_of,
    protocol_declaration,
    sessions_of,
    studies_of,
    study_of,
)
from engine.store.workspace import open_workspace
from tests.engine.rating.bundle.made import SYSTEMS, owner, rate, study
from tests.engine.runs.made import response
from tests.shared import case, make_case, needs_shared

SAVES = [
    "utf8.csv",
    "utf8-bom.csv",
    "semicolon.csv",
    "sep-line.csv",
    "gb18030.csv",
    "unicode-text.txt",
    "empty-rows.csv",
]


@pytest.fixture
def rated(tmp_path, finish):
    """The owner's workspace with a study of which a rater has rated all."""
    workspace = owner(tmp_path, finish)
    number, _ = study(workspace)
    rate(workspace)
    return workspace, number


@pytest.fixture
def emotions(tmp_path, finish):
    """A workspace in which one system answered the two questions of the case."""
    workspace = open_workspace(tmp_path / "emotions", create=True)
    made = [Instance("vocalbench_zh", "emotion", f"emotion-{n:03d}", n, f"第 {n} 问") for n in range(2)]
    with closing(workspace.connect()) as db:
        add_instances(db, workspace, "vocalbench_zh", tmp_path, made)
    answers = [response(0, "好", "emotion"), response(1, "好呀", "emotion")]
    answers = [type(one)("emotion", f"emotion-{n:03d}", one.text) for n, one in enumerate(answers)]
    finish(take_responses(workspace, "vocalbench_zh", "one-system", answers))
    return workspace


@needs_shared
@pytest.mark.parametrize("name", SAVES)
def test_ratings_are_read_however_a_spreadsheet_saved_them(tmp_path, finish, name):
    expected = case("ratings-excel-saves")["expect"]["every_file"]
    read = finish(read_ratings(make_case("ratings-excel-saves", tmp_path) / name))
    assert len(read.ratings) == expected["ratings"]
    assert [problem for problem in read.problems if not problem.kept] == []
    values, notes = {}, {}
    for one in read.ratings:
        values.setdefault(one.rater, {})[one.key] = one.value
        if one.note:
            notes[f"{one.rater}/{one.key}"] = one.note
    assert (values, notes) == (expected["values"], expected["notes"])
    assert {one.subset for one in read.ratings} == {"emotion"}


@needs_shared
def test_the_same_ratings_saved_in_seven_ways_are_taken_once(tmp_path, finish, emotions):
    folder = make_case("ratings-excel-saves", tmp_path)
    added = []
    for name in SAVES:
        read = finish(read_ratings(folder / name))
        added.append(finish(take_ratings(emotions, folder / name, read.ratings)).added)
    assert added == [4, 0, 0, 0, 0, 0, 0]
    with closing(emotions.connect()) as db:
        rows = rating_rows(db)
        notes = {(one.rater, one.instance_key): one.text for one in remark_rows(db)}
    assert {(row.rater, row.instance_key, row.scale, row.value) for row in rows} == {
        ("评价员甲", "emotion-000", "empathy_5", 4),
        ("评价员甲", "emotion-001", "empathy_5", 5),
        ("rater-b", "emotion-000", "empathy_5", 2),
        ("rater-b", "emotion-001", "empathy_5", 3),
    }
    assert notes[("评价员甲", "emotion-001")] == "她说“没关系”"
    assert {(row.blind, row.selection, row.pi) for row in rows} == {(False, "manual", None)}


def test_ratings_from_elsewhere_are_told_by_system_for_their_table_names_it(tmp_path, finish, emotions):
    path = tmp_path / "r.csv"
    path.write_text("rater,Qid,scale,value,system\nA,emotion-000,tone,4,one-system\n", encoding="utf-8")
    taken = finish(take_ratings(emotions, path, finish(read_ratings(path)).ratings))
    with closing(emotions.connect()) as db:
        study = study_of(db, taken.study_id)
        (session,) = sessions_of(db, study_id=study.id)
        told = results_told(db, study.id, Protocol.of(protocol_declaration(db, session.protocol_id)))
        letters = letters_of(db, study.id)
    assert (study.disclosed_at, study.is_sealed, told.is_sealed) == (None, False, False)
    assert [system.system for system in told.sides.everyone.scales[0].systems] == ["one-system"]
    assert [(row.letter, row.system) for row in letters] == [("A", "one-system")]


def test_an_imported_study_can_be_read_by_its_protocol(tmp_path, finish, emotions):
    path = tmp_path / "r.csv"
    path.write_text("rater,Qid,scale,value\nA,emotion-000,tone,4\nA,emotion-000,kind,warm\n", encoding="utf-8")
    taken = finish(take_ratings(emotions, path, finish(read_ratings(path)).ratings))
    with closing(emotions.connect()) as db:
        (session,) = sessions_of(db, study_id=taken.study_id)
        read = Protocol.of(protocol_declaration(db, session.protocol_id))
    assert (taken.added, session.planned, session.rated) == (2, 1, 1)
    assert read.scale("tone").values == (1, 2, 3, 4, 5)
    assert (read.scale("kind").kind, read.scale("kind").values) == ("choice", ("warm",))
    assert read.sha256 == session.protocol_sha256


def test_a_longer_file_brings_only_what_is_new_and_a_shipped_protocol_checks_the_steps(tmp_path, finish, emotions):
    path = tmp_path / "r.csv"
    heading = "rater,Qid,scale,value\n"
    lines = [
        "A,emotion-000,empathy_semantic,4\n",
        "A,emotion-001,empathy_semantic,9\n",
        "B,emotion-001,empathy_semantic,2\n",
    ]
    counts = []
    for rows in (lines[:2], lines):
        path.write_text(heading + "".join(rows), encoding="utf-8")
        read = finish(read_ratings(path))
        taken = finish(take_ratings(emotions, path, read.ratings, protocol="empathy_semantic"))
        counts.append((taken.added, taken.same, [problem.code for problem in taken.problems]))
        assert all(problem.sentence("en") and problem.sentence("zh") for problem in taken.problems)
    assert counts == [(1, 0, ["exchange.no_step"]), (1, 1, ["exchange.no_step"])]


def test_what_means_nothing_is_told_row_by_row(tmp_path, finish, emotions):
    path = tmp_path / "r.csv"
    path.write_text(
        "rater,Qid,scale,value\n,emotion-000,s,1\nA,,s,1\nA,emotion-000,s,\nA,emotion-000,s,nan\n"
        "A,emotion-999,s,1\nA,emotion-000,s,2\nA,emotion-000,s,3\n",
        encoding="utf-8",
    )
    read = finish(read_ratings(path))
    taken = finish(take_ratings(emotions, path, read.ratings))
    codes = [problem.code.partition(".")[2] for problem in (*read.problems, *taken.problems)]
    assert codes == ["empty", "empty", "no_value", "no_value", "no_answer", "twice"]
    assert taken.added == 1


def test_a_file_that_does_not_say_whose_answer_is_asked_for_it(tmp_path, finish):
    workspace = owner(tmp_path, finish)
    path = tmp_path / "r.csv"
    path.write_text("rater,Qid,scale,value\nA,chinese_knowledge-0000,s,1\n", encoding="utf-8")
    read = finish(read_ratings(path))
    asked = finish(take_ratings(workspace, path, read.ratings))
    told = finish(take_ratings(workspace, path, read.ratings, system=SYSTEMS[0]))
    assert [problem.code for problem in asked.problems] == ["exchange.which_system"]
    assert (asked.added, told.added) == (0, 1)


def test_a_missing_column_or_file_is_one_sentence(tmp_path, finish):
    path = tmp_path / "r.csv"
    path.write_text("rater,value\nA,1\n", encoding="utf-8")
    codes = []
    for named in (path, tmp_path / "none.csv"):
        with pytest.raises(EngineError) as error:
            finish(read_ratings(named))
        codes.append(error.value.code)
    assert codes == ["exchange.columns", "exchange.no_such_file"]


def test_jsonl_holds_every_rating_as_the_store_does(tmp_path, rated):
    workspace, number = rated
    with closing(workspace.connect()) as db:
        disclose(db, number, "for the paper")
        rows, remarks = rating_rows(db, with_history=True), remark_rows(db)
    done = export_ratings(workspace, tmp_path / "r.jsonl", "jsonl", with_history=True)
    records = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    local = {"response_id", "instance_id"}
    expected = [{"record": "rating", **{k: v for k, v in asdict(row).items() if k not in local}} for row in rows]
    expected += [{"record": "remark", **{k: v for k, v in asdict(one).items() if k not in local}} for one in remarks]
    assert records == expected
    assert (done.ratings, done.remarks, done.sealed) == (20, 1, 0)


def test_before_the_letters_are_revealed_no_file_tells_a_system(tmp_path, rated):
    workspace, _ = rated
    for form in ("csv", "jsonl"):
        done = export_ratings(workspace, tmp_path / f"r.{form}", form)
        told = (tmp_path / f"r.{form}").read_text(encoding="utf-8-sig")
        assert done.sealed == done.ratings == 20
        assert not any(system in told for system in SYSTEMS)


@needs_shared
def test_texts_that_a_spreadsheet_would_run_are_guarded_and_come_back_as_they_were(tmp_path, finish):
    cells = case("csv-formulas")["input"]["text_cells"]
    workspace = owner(tmp_path, finish, items=5)
    number, _ = study(workspace)
    with closing(workspace.connect(durable=True)) as db:
        session = sessions_of(db)[0]
        sitting = begin_sitting(db, session.rater_id, device="=device", sample_rate_hz=None, setup={})
        for text, row in zip(cells, assignments_of(workspace, db, session.id)):
            commit(db, present(db, row.id, sitting, {}), {"empathy_acoustic": 4}, (), [Remark("note", text)])
        disclose(db, number, "to import it again")
        kept = [one.text for one in remark_rows(db)]
    path = tmp_path / "r.csv"
    export_ratings(workspace, path, "csv")
    shown = [row[-3] for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""))][1:]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "＝")) for cell in shown)
    assert is_own_export(path)
    assert [row.cells["note"] for row in read_table(path, guarded=True).rows] == kept
    read = finish(read_ratings(path))
    assert [one.note for one in read.ratings] == kept == [text.rstrip() for text in cells]
    assert {one.value for one in read.ratings} == {4}
    with (tmp_path / "again.jsonl").open("wb"):
        export_ratings(workspace, tmp_path / "again.jsonl", "jsonl", replace=True)
    lines = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["text"] for line in lines if line["record"] == "remark"] == kept


def test_numbers_stay_numbers_in_a_spreadsheet(tmp_path, finish):
    workspace = owner(tmp_path, finish)
    study(workspace, "comparison")
    with closing(workspace.connect(durable=True)) as db:
        session = sessions_of(db)[0]
        scale = Protocol.of(protocol_declaration(db, session.protocol_id)).main
        sitting = begin_sitting(db, session.rater_id, device="", sample_rate_hz=None, setup={})
        row = assignments_of(workspace, db, session.id)[1]
        commit(db, present(db, row.id, sitting, {}), {scale.id: -3}, active_s=0.5)
    export_ratings(workspace, tmp_path / "r.csv", "csv")
    (row,) = read_table(tmp_path / "r.csv").rows
    assert (row.cells["value"], row.cells["active_s"], row.cells["pi"]) == ("-3", "0.5", "0.5")


def test_an_export_imported_where_its_ratings_are_adds_nothing(tmp_path, finish, rated):
    workspace, number = rated
    with closing(workspace.connect()) as db:
        disclose(db, number, "to look")
    for form in ("csv", "jsonl"):
        path = tmp_path / f"r.{form}"
        export_ratings(workspace, path, form)
        read = finish(read_ratings(path))
        taken = finish(take_ratings(workspace, path, read.ratings))
        assert (taken.added, taken.same) == (0, 20)
    with closing(workspace.connect()) as db:
        assert len(studies_of(db)) == 1


def test_a_sealed_export_imported_where_its_ratings_are_adds_nothing_either(tmp_path, finish, rated):
    workspace, _ = rated
    export_ratings(workspace, tmp_path / "r.csv", "csv")
    taken = finish(take_ratings(workspace, tmp_path / "r.csv", finish(read_ratings(tmp_path / "r.csv")).ratings))
    assert (taken.added, taken.same, taken.problems) == (0, 20, ())


def test_a_comparison_in_a_table_is_not_taken_for_a_rating_of_one_system(tmp_path, finish):
    path = tmp_path / "r.csv"
    path.write_text("rater,Qid,scale,value,system,other_system\nA,emotion-000,s,1,one,two\n", encoding="utf-8")
    read = finish(read_ratings(path))
    assert (read.ratings, [problem.code for problem in read.problems]) == ((), ["exchange.compared"])


def test_skips_and_flags_stand_in_the_table_and_an_existing_file_is_kept(tmp_path, finish):
    workspace = owner(tmp_path, finish)
    study(workspace)
    with closing(workspace.connect(durable=True)) as db:
        session = sessions_of(db)[0]
        sitting = begin_sitting(db, session.rater_id, device="", sample_rate_hz=None, setup={})
        first, second = assignments_of(workspace, db, session.id)[:2]
        skip(db, present(db, first.id, sitting, {}), "no sound")
        shown = present(db, second.id, sitting, {})
        commit(db, shown, {"empathy_acoustic": 2})
        remark(db, shown, Remark("flag"))
    path = tmp_path / "r.csv"
    export_ratings(workspace, path, "csv")
    rows = read_table(path).rows
    assert [(row.cells["value"], row.cells["flagged"], row.cells["skipped"]) for row in rows] == [
        ("2", "true", ""),
        ("", "false", "no sound"),
    ]
    before = path.read_bytes()
    with pytest.raises(EngineError, match="exists|already"):
        export_ratings(workspace, path, "csv")
    assert path.read_bytes() == before


def test_where_nothing_was_rated_there_is_nothing_to_write(tmp_path, workspace):
    with pytest.raises(EngineError) as nothing:
        export_ratings(workspace, tmp_path / "r.csv", "csv")
    assert nothing.value.code == "exchange.nothing"
