"""Whatever bytes a file holds, reading it gives values and problems, never an exception or a stored half truth."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.benchmarks.jsonfile import read_records
from engine.benchmarks.tables import read_table, write_table

PIECES = [b'{"Qid":', b'"a"', b"}", b"[", b"]", b",", b"\n", b"\r", b'"', b";", b"\xff", b"\0", b"1"]
BYTES = st.one_of(st.binary(max_size=200), st.lists(st.sampled_from(PIECES)).map(b"".join))
JSON_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ROWS = st.lists(st.dictionaries(JSON_TEXT, JSON_TEXT, max_size=3), min_size=1, max_size=4)
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUICK
@given(BYTES)
def test_any_bytes_are_read_without_an_exception(tmp_path, content):
    path = tmp_path / "a"
    path.write_bytes(content)
    file, table = read_records(path), read_table(path)
    assert file.records or file.problems
    assert table.columns or table.problems
    for problem in (*file.problems, *table.problems):
        assert problem.sentence("en")
        assert problem.sentence("zh")
    json.dumps([record.fields for record in file.records]).encode("utf-8")


@QUICK
@given(ROWS, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le"]), st.booleans())
def test_json_of_any_text_comes_back_the_same(tmp_path, rows, encoding, as_array):
    path = tmp_path / "a.json"
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_bytes((json.dumps(rows, ensure_ascii=False) if as_array else "\n".join(lines)).encode(encoding))
    assert [record.fields for record in read_records(path).records] == rows


@QUICK
@given(st.lists(st.lists(JSON_TEXT, min_size=2, max_size=2), max_size=5))
def test_a_written_table_comes_back_the_same(tmp_path, rows):
    path = tmp_path / "a.csv"
    write_table(path, ["number", "a", "b"], [[number, *row] for number, row in enumerate(rows)])
    back = read_table(path, guarded=True)
    assert [[row.cells["a"], row.cells["b"]] for row in back.rows] == rows
    assert back.problems == ()
