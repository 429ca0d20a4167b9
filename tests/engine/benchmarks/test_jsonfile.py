"""JSON files of every kind are read to their records, and what cannot be read is named."""

from __future__ import annotations

import json

import pytest

from engine.benchmarks.jsonfile import read_records
from engine.errors import EngineError
from tests.shared import case, make_case, needs_shared


def written(tmp_path, content, name="a.json"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def told(file):
    return [(problem.where, problem.code) for problem in file.problems]


@needs_shared
@pytest.mark.parametrize("name", ["utf8-bom.jsonl", "utf8-bom-array.json", "utf16-le.jsonl", "utf16-be.json"])
def test_every_marked_encoding_gives_the_same_three_responses(tmp_path, name):
    file = read_records(make_case("json-encodings", tmp_path) / name)
    expect = case("json-encodings")["expect"]
    assert name in expect["read_right"]
    assert [record.fields["Response"] for record in file.records] == expect["responses"]
    assert all(list(record.fields) == ["Qid", "Response"] for record in file.records)  # no U+FEFF in the first key
    assert file.problems == ()


@needs_shared
def test_gb18030_is_recognised_and_named(tmp_path):
    file = read_records(make_case("json-encodings", tmp_path) / "gb18030.jsonl")
    assert [record.fields["Response"] for record in file.records] == case("json-encodings")["expect"]["responses"]
    assert told(file) == [("", "benchmarks.encoding_found")]
    assert "GB18030" in file.problems[0].sentence("en")
    assert file.problems[0].kept


@needs_shared
def test_broken_utf8_names_file_line_and_byte_and_keeps_the_other_records(tmp_path):
    path = make_case("json-encodings", tmp_path) / "broken-utf8.jsonl"
    file = read_records(path)
    assert [record.fields["Response"] for record in file.records] == case("json-encodings")["expect"]["responses"][1:]
    assert told(file) == [("line 1", "benchmarks.broken_utf8")]
    assert file.problems[0].values == {"offset": 47}
    assert str(path) in file.problems[0].sentence("en")
    assert not any("\ufffd" in str(record.fields) for record in file.records)


@needs_shared
def test_a_jsonl_record_ends_at_a_line_feed_only(tmp_path):
    file = read_records(make_case("jsonl-line-ends", tmp_path) / "responses.json")
    assert [record.fields["Response"] for record in file.records] == case("jsonl-line-ends")["expect"]["responses"]
    assert file.problems == ()
    assert [record.line for record in file.records] == [1, 4, 5, 7, 8]


def test_broken_utf8_in_an_array_costs_that_record_only(tmp_path):
    text = json.dumps([{"a": "一"}, {"a": "二"}, {"a": "三"}], ensure_ascii=False, indent=1).encode()
    file = read_records(written(tmp_path, text.replace("二".encode(), b"\xe4\xba", 1)))
    assert [record.fields["a"] for record in file.records] == ["一", "三"]
    assert told(file) == [("line 5", "benchmarks.broken_utf8")]
    assert file.problems[0].values["offset"] == text.index("二".encode())


def test_text_in_another_eight_bit_encoding_is_refused_with_a_way_to_choose(tmp_path):
    path = written(tmp_path, '{"a": "café crème déjà vu, où êtes-vous"}'.encode("latin-1"))
    file = read_records(path)
    assert file.records == ()
    assert told(file) == [("line 1", "benchmarks.not_utf8")]
    assert "--encoding" in file.problems[0].sentence("en")
    assert read_records(path, "latin-1").records[0].fields["a"].startswith("café crème")


def test_big5_is_not_taken_for_gb18030(tmp_path):
    path = written(tmp_path, '{"a": "台灣的夜市非常有名，請問你想吃什麼？"}'.encode("big5"))
    assert told(read_records(path)) == [("line 1", "benchmarks.not_utf8")]
    assert read_records(path, "big5").records[0].fields["a"].startswith("台灣的夜市")


def test_a_wrongly_chosen_encoding_is_named_with_its_place(tmp_path):
    file = read_records(written(tmp_path, b'{"a": 1}\n{"a": "\xff"}'), "gb18030")
    assert told(file) == [("line 2", "benchmarks.wrong_encoding")]


def test_an_encoding_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(EngineError, match="gb99999"):
        read_records(written(tmp_path, "[]"), "gb99999")


def test_utf16_without_a_mark_is_recognised(tmp_path):
    for encoding in ("utf-16-le", "utf-16-be"):
        assert read_records(written(tmp_path, '[{"a": "好"}]'.encode(encoding))).records[0].fields == {"a": "好"}


@pytest.mark.parametrize(
    ("text", "kept", "problems"),
    [
        ('[{"a":1},{"a":2', 1, [("line 1", "benchmarks.cut_off")]),
        ('[{"a":1},\n{"a":"x', 1, [("line 2", "benchmarks.cut_off")]),
        ('[{"a":1}', 1, [("line 1", "benchmarks.cut_off")]),
        ('{"a":1}\n{"a":"b', 1, [("line 2", "benchmarks.cut_off")]),
        ('[{"a":1} {"a":2}]', 1, [("line 1", "benchmarks.bad_array")]),
        ('[{"a":1},\n{"a" 2},\n{"a":3}]', 1, [("line 2", "benchmarks.bad_array")]),
        ('[{"a":1}]\n[{"a":2}]', 1, [("line 2", "benchmarks.bad_array")]),
        ('{"a":1}x\n{"b":1}', 1, [("line 1", "benchmarks.bad_json")]),
        (
            '{"a":1}\n[1]\nnull\n{"b":1}',
            2,
            [("record 1", "benchmarks.not_a_record"), ("record 2", "benchmarks.not_a_record")],
        ),
        ("", 0, [("", "benchmarks.no_records")]),
        ("[]", 0, [("", "benchmarks.no_records")]),
        ('{\n "a": 1\n}', 1, []),
        ('{"a":' + "[" * 100_000, 0, [("line 1", "benchmarks.too_deep")]),
        ('{"a":' + "9" * 5000 + '}\n{"b":1}', 1, [("line 1", "benchmarks.bad_json")]),
    ],
)
def test_what_cannot_be_read_is_named_and_the_rest_is_kept(tmp_path, text, kept, problems):
    file = read_records(written(tmp_path, text))
    assert (len(file.records), told(file)) == (kept, problems)


def test_a_lone_surrogate_becomes_a_replacement_character_and_is_named(tmp_path):
    file = read_records(written(tmp_path, r'[{"a": "坏\ud83d字", "b": {"c": "\udc00"}}, {"a": "\ud83d\ude00"}]'))
    assert file.records[0].fields == {"a": "坏\ufffd字", "b": {"c": "\ufffd"}}
    assert file.records[0].replaced == ("a", "b")
    assert file.records[1].fields == {"a": "😀"}
    assert [(problem.where, problem.values["field"]) for problem in file.problems] == [
        ("record 0", "a"),
        ("record 0", "b"),
    ]


def test_raw_control_characters_inside_a_string_are_text(tmp_path):
    assert read_records(written(tmp_path, '{"a": "x\ty\0z"}')).records[0].fields == {"a": "x\ty\0z"}


def test_a_file_that_is_not_there_is_a_problem_and_no_exception(tmp_path):
    assert told(read_records(tmp_path / "no.json")) == [("", "benchmarks.file_unreadable")]
