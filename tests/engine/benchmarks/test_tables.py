"""Tables are read as spreadsheets save them, and written so that none runs a formula."""

from __future__ import annotations

import math

import pytest

from engine.benchmarks.tables import guarded_text, read_table, unguarded_text, write_table
from tests.shared import case, make_case, needs_shared

FILES = (
    "utf8.csv",
    "utf8-bom.csv",
    "semicolon.csv",
    "sep-line.csv",
    "gb18030.csv",
    "unicode-text.txt",
    "empty-rows.csv",
)


@needs_shared
@pytest.mark.parametrize("name", FILES)
def test_the_same_four_ratings_come_out_of_every_file(tmp_path, name):
    expect = case("ratings-excel-saves")["expect"]["every_file"]
    table = read_table(make_case("ratings-excel-saves", tmp_path) / name)
    values: dict[str, dict[str, int]] = {}
    for row in table.rows:
        values.setdefault(row.cells["rater"], {})[row.cells["Qid"]] = int(row.cells["value"])
    assert len(table.rows) == expect["ratings"]
    assert values == expect["values"]
    notes = {f"{row.cells['rater']}/{row.cells['Qid']}": row.cells["note"] for row in table.rows if row.cells["note"]}
    assert notes == expect["notes"]
    assert [problem.code for problem in table.problems] == (
        ["benchmarks.encoding_found"] if name == "gb18030.csv" else []
    )


@needs_shared
def test_formulas_are_neutralised_and_read_back(tmp_path):
    given, expect = case("csv-formulas")["input"], case("csv-formulas")["expect"]
    path = tmp_path / "export.csv"
    write_table(path, ["text", *"abc"], [[text, *given["number_cells"]] for text in given["text_cells"]])
    as_seen = read_table(path).rows
    assert not [row for row in as_seen if row.cells["text"].startswith(tuple(expect["no_text_cell_starts_with"]))]
    assert all([float(row.cells[name]) for name in "abc"] == expect["numbers_unchanged"] for row in as_seen)
    assert [row.cells["a"] for row in as_seen] == ["-0.5"] * len(as_seen)
    assert [row.cells["text"] for row in read_table(path, guarded=True).rows] == given["text_cells"]


@pytest.mark.parametrize("text", ["", "'", "''=", "=", "a'b", "'a", "\n=1", "-1", "＝1"])
def test_guarding_is_undone_exactly(text):
    assert unguarded_text(guarded_text(text)) == text


def test_apostrophes_of_a_file_from_elsewhere_are_text(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text\n'=1\n", encoding="utf-8")
    assert read_table(path).rows[0].cells == {"text": "'=1"}


def test_no_value_is_an_empty_cell_and_truth_is_a_word(tmp_path):
    path = tmp_path / "a.csv"
    write_table(path, ["a", "b", "c", "d"], [[None, math.nan, True, 0.1]])
    assert read_table(path).rows[0].cells == {"a": "", "b": "", "c": "true", "d": "0.1"}


def test_text_of_every_kind_survives_writing_and_reading(tmp_path):
    texts = ["前\0后", "a\r\nb", 'q"q', "，;\t", "好" * 200_000, " x ", "\u2028", "\x85"]
    path = tmp_path / "a.csv"
    write_table(path, ["text"], [[text] for text in texts])
    assert [row.cells["text"] for row in read_table(path, guarded=True).rows] == texts


def test_rows_that_do_not_fit_the_heading_are_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b\n1\n1,2,3\n1,2,,\n\xff,1\n")
    table = read_table(path, "utf-8")
    assert [dict(row.cells) for row in table.rows] == [{"a": "1", "b": ""}, {"a": "1", "b": "2"}]
    assert [(problem.where, problem.code) for problem in table.problems] == [
        ("line 3", "benchmarks.extra_cells"),
        ("line 5", "benchmarks.broken_cell"),
    ]


def test_a_column_named_twice_is_read_once(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,a\n1,2\n", encoding="utf-8")
    table = read_table(path)
    assert table.rows[0].cells == {"a": "1"}
    assert [problem.code for problem in table.problems] == ["benchmarks.repeated_column"]


def test_an_empty_file_has_no_columns_and_says_so(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"")
    table = read_table(path)
    assert (table.columns, [problem.code for problem in table.problems]) == ((), ["benchmarks.no_records"])


def _read(tmp_path, text: str):
    (tmp_path / "a.csv").write_text(text, encoding="utf-8", newline="")
    table = read_table(tmp_path / "a.csv")
    return [dict(row.cells) for row in table.rows], [(p.where, p.code, p.values.get("lines")) for p in table.problems]


def test_a_quotation_mark_that_is_never_closed_is_named_where_it_opens(tmp_path):
    rows, problems = _read(tmp_path, 'Qid,text\n1,a\n2,"two\nlines"\n3,"b\n4,c\n5,d\n')
    assert rows == [{"Qid": "1", "text": "a"}, {"Qid": "2", "text": "two\nlines"}]
    assert problems == [("line 5", "benchmarks.open_quote", 2)]


def test_a_quotation_mark_closed_by_that_of_a_later_row_is_named_and_the_rest_is_read(tmp_path):
    rows, problems = _read(tmp_path, 'Qid,text\r\n1,"a\r\n2,"b"\r\n3,c\r\n')
    assert rows == [{"Qid": "3", "text": "c"}]
    assert problems == [("line 2", "benchmarks.open_quote", 1)]


def test_a_text_that_holds_whole_rows_is_no_text(tmp_path):
    rows, problems = _read(tmp_path, 'Qid,text\nq-1,"a\nq-2,b\nq-3,"\nq-4,c\n')
    assert rows == [{"Qid": "q-4", "text": "c"}]
    assert problems == [("line 2", "benchmarks.open_quote", 2)]


def test_a_text_of_several_lines_with_commas_is_a_text(tmp_path):
    text = "Take these:\nred, white, blue\n1,000\n第一，第二"
    rows, problems = _read(tmp_path, f'subset,Qid,text\nknowledge,k-1,"{text}"\n')
    assert rows == [{"subset": "knowledge", "Qid": "k-1", "text": text}]
    assert problems == []


def test_text_behind_a_closed_quotation_mark_is_named_and_the_next_row_is_read(tmp_path):
    rows, problems = _read(tmp_path, 'Qid,text\n1,"He said" so\n2,He "said" so\n')
    assert rows == [{"Qid": "2", "text": 'He "said" so'}]
    assert [(where, code) for where, code, _ in problems] == [("line 2", "benchmarks.broken_row")]
