"""A manifest lists answers in a table or JSONL; what it says wrongly is named, and the rest is read."""

from __future__ import annotations

import json

import pytest

from engine.benchmarks.manifest import read_manifest
from engine.benchmarks.tables import write_table
from engine.errors import EngineError
from tests.engine.benchmarks.finish import finish
from tests.shared import make_case, needs_shared


def manifest(tmp_path, content, name="m.csv"):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8", newline="")
    return path


def told(recorded):
    return [(problem.where, problem.code) for problem in recorded.problems]


def test_a_csv_gives_answers_with_audio_and_timings(tmp_path):
    (tmp_path / "a.wav").write_bytes(b"RIFF")
    text = "subset,Qid,Response,audio,transcript,first_token_s,note\nsafety,safety-000,好,a.wav,号,0.25,x\n"
    recorded = finish(read_manifest(manifest(tmp_path, text)))
    (response,) = recorded.responses
    assert (recorded.system, response.subset, response.key, response.text) == ("m", "safety", "safety-000", "好")
    assert (response.audio, response.transcript) == (tmp_path / "a.wav", "号")
    assert (response.timings, response.extra, response.flags) == ({"first_token_s": 0.25}, {"note": "x"}, ())


def test_jsonl_keeps_every_character(tmp_path):
    row = {"subset": "vocalbench_zh/cs-knowledge", "key": "k", "text": "前\0后", "error": None}
    (response,) = finish(read_manifest(manifest(tmp_path, json.dumps(row), "m.jsonl"))).responses
    assert (response.subset, response.text, response.error) == ("cs_knowledge", "前\0后", None)


def test_empty_text_is_no_answer_and_missing_audio_a_flag(tmp_path):
    text = "subset,key,text,audio\nsafety,a,,b.wav\nsafety,b,  ,\n"
    responses = finish(read_manifest(manifest(tmp_path, text))).responses
    assert [(response.text, response.flags) for response in responses] == [
        (None, ("audio_missing",)),
        (None, ("blank_text",)),
    ]


def test_audio_may_be_named_by_its_whole_path_inside_the_folder_only(tmp_path):
    inside, outside = tmp_path / "in" / "a.wav", tmp_path / "b.wav"
    inside.parent.mkdir()
    for path in (inside, outside):
        path.write_bytes(b"RIFF")
    text = f"subset,key,text,audio\ns,a,x,{inside}\ns,b,x,{outside}\n"
    recorded = finish(read_manifest(manifest(tmp_path, text), audio=inside.parent))
    assert [response.audio for response in recorded.responses] == [inside, None]
    assert told(recorded) == [("line 3 (b)", "benchmarks.audio_outside")]


def test_rows_that_do_not_say_to_what_they_answer_are_named(tmp_path):
    recorded = finish(read_manifest(manifest(tmp_path, "subset,key,text\n,a,x\ns,,x\ns,b,x\n")))
    assert [response.key for response in recorded.responses] == ["b"]
    assert told(recorded) == [("line 2 (a)", "benchmarks.key_missing"), ("line 3", "benchmarks.key_missing")]


@pytest.mark.parametrize("value", ["-1", "nan", "inf", "fast"])
def test_a_timing_that_is_no_duration_is_left_out(tmp_path, value):
    recorded = finish(read_manifest(manifest(tmp_path, f"subset,key,text,generation_s\ns,a,x,{value}\n")))
    assert recorded.responses[0].timings == {}
    assert told(recorded) == [("line 2 (a)", "benchmarks.bad_timing")]


def test_decimal_commas_are_read(tmp_path):
    recorded = finish(read_manifest(manifest(tmp_path, 'subset;key;text;duration_s\ns;a;x;"1,5"\n')))
    assert recorded.responses[0].timings == {"duration_s": 1.5}


@pytest.mark.parametrize(
    ("heading", "column"), [("key,text", "subset"), ("subset,text", "Qid"), ("subset,key", "Response")]
)
def test_a_missing_column_is_an_error_that_names_it(tmp_path, heading, column):
    with pytest.raises(EngineError, match=f"lacks the column {column}"):
        finish(read_manifest(manifest(tmp_path, f"{heading}\na,b\n")))


@needs_shared
def test_extreme_answers_survive_an_export_and_its_import(tmp_path):
    lines = (make_case("response-extremes", tmp_path) / "responses.json").read_text(encoding="utf-8").split("\n")
    given = [json.loads(line)["Response"] for line in lines if line]
    given[5] = "坏\ufffd字"  # the case excepts it: a lone surrogate can be written to no file
    path = tmp_path / "export.csv"
    write_table(path, ["subset", "Qid", "Response"], [["s", f"q-{n}", text] for n, text in enumerate(given)])
    recorded = finish(read_manifest(path, guarded=True))
    assert [response.text for response in recorded.responses] == [None, None, None, *given[3:]]
    assert recorded.problems == ()


def test_a_timing_the_system_gave_as_text_is_read_from_jsonl(tmp_path):
    row = {"subset": "s", "key": "k", "text": "x", "first_audio_s": "0.5", "duration_s": 2}
    (response,) = finish(read_manifest(manifest(tmp_path, json.dumps(row), "m.jsonl"))).responses
    assert response.timings == {"first_audio_s": 0.5, "duration_s": 2.0}
