"""A system's output folder is read as it lies: both wav layouts, any encoding, transcripts and published results."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from engine.benchmarks.recorded import read_recorded
from engine.errors import EngineError
from tests.engine.benchmarks.finish import finish
from tests.shared import case, make_case, needs_shared, shared_file


def output(tmp_path, **files):
    """model_output/made with files such as ``json__safety=[rows]``."""
    folder = tmp_path / "model_output" / "made"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        part, _, stem = name.partition("__")
        (folder / part).mkdir(exist_ok=True)
        text = json.dumps(content, ensure_ascii=False) if isinstance(content, list) else content
        (folder / part / f"{stem}.json").write_text(text, encoding="utf-8")
    return folder


def answer(number, text="好", **more):
    return {"Qid": f"safety-{number:03d}", "Response": text, **more}


def wav(folder, name, content=b"RIFF"):
    path = folder / "wav" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def told(recorded):
    return [(problem.where, problem.code) for problem in recorded.problems]


@needs_shared
def test_the_published_output_is_read_with_transcripts_and_results():
    recorded = finish(read_recorded(shared_file("vocalbench-zh/model_output/qwen3-omni")))
    assert (recorded.system, len(recorded.responses), recorded.problems) == ("qwen3-omni", 10, ())
    assert [response.audio is not None for response in recorded.responses] == [True] + [False] * 9
    assert all(response.text and response.transcript and response.flags == () for response in recorded.responses)
    assert recorded.stray_audio == ()
    assert Counter((row.judge, row.state, row.maker_name) for row in recorded.judgements) == {
        ("knowledge", "scored", "published/chinese_knowledge.json"): 10
    }
    assert {row.metric for row in recorded.measurements} == {"syllable_error_rate"}
    assert recorded.measurements[0].value == 0.01694915254237288


@needs_shared
def test_extreme_answers_are_kept_character_for_character(tmp_path):
    expect = case("response-extremes")["expect"]
    lines = (make_case("response-extremes", tmp_path) / "responses.json").read_text(encoding="utf-8")
    given = [json.loads(line)["Response"] for line in lines.split("\n") if line]
    recorded = finish(read_recorded(output(tmp_path, json__general_knowledge=lines)))
    texts = [response.text for response in recorded.responses]
    assert len(texts) == expect["records"]
    assert [index for index, text in enumerate(texts) if text is None] == expect["no_answer"]
    for index in expect["kept_character_for_character"]:
        assert texts[index] == given[index]
    assert {number: len(texts[int(number)]) for number in expect["length"]} == expect["length"]
    assert texts[5] == "坏\ufffd字"
    assert recorded.responses[5].flags == ("surrogate_replaced",)
    assert told(recorded) == [("record 5", "benchmarks.surrogate_replaced")]
    assert recorded.responses[1].flags == ("blank_text",)


def test_a_number_is_taken_as_text_and_a_list_is_not(tmp_path):
    recorded = finish(read_recorded(output(tmp_path, json__safety=[answer(0, 42), answer(1, ["a"]), answer(2, None)])))
    assert [response.text for response in recorded.responses] == ["42", None, None]
    assert told(recorded) == [
        ("record 0 (safety-000)", "benchmarks.wrong_kind"),
        ("record 1 (safety-001)", "benchmarks.not_text"),
    ]


def test_the_first_of_two_answers_counts_and_the_second_is_told_apart(tmp_path):
    recorded = finish(read_recorded(output(tmp_path, json__safety=[answer(0), answer(0), answer(0, "不好")])))
    assert [response.text for response in recorded.responses] == ["好"]
    assert [repeat.flags for repeat in recorded.duplicates] == [("duplicate_same",), ("duplicate_differs",)]


def test_other_keys_of_an_answer_are_kept(tmp_path):
    recorded = finish(read_recorded(output(tmp_path, json__safety=[answer(0, tokens=7)])))
    assert recorded.responses[0].extra == {"tokens": 7}


def test_the_flat_layout_alone_is_no_fault_but_beside_folders_it_is_flagged(tmp_path):
    folder = output(tmp_path, json__safety=[answer(0), answer(1)])
    wav(folder, "safety-000.wav")
    assert [response.flags for response in finish(read_recorded(folder)).responses] == [(), ()]
    wav(folder, "safety/safety-001.wav")
    assert [response.flags for response in finish(read_recorded(folder)).responses] == [("flat_layout",), ()]


def test_two_layouts_are_compared_by_content(tmp_path):
    folder = output(tmp_path, json__safety=[answer(0), answer(1)])
    for number, other in ((0, b"RIFF"), (1, b"XXXX")):
        wav(folder, f"safety/safety-{number:03d}.wav")
        wav(folder, f"safety-{number:03d}.wav", other)
    responses = finish(read_recorded(folder)).responses
    assert [response.flags for response in responses] == [("two_layouts_same",), ("two_layouts_differ",)]
    assert [response.audio.parent.name for response in responses] == ["safety", "safety"]


def test_a_flat_file_that_two_subsets_could_claim_goes_to_neither(tmp_path):
    row = [{"Qid": "codeswitching_knowledge-000", "Response": "x"}]
    folder = output(tmp_path, json__cs_knowledge=row, json__cs_knowledge_en=row)
    wav(folder, "codeswitching_knowledge-000.wav")
    responses = finish(read_recorded(folder)).responses
    assert [(response.audio, response.flags) for response in responses] == [(None, ("ambiguous_audio",))] * 2


def test_audio_that_a_link_takes_from_elsewhere_is_not_touched(tmp_path):
    (tmp_path / "private.wav").write_bytes(b"RIFF")
    folder = output(tmp_path, json__safety=[answer(0)])
    (folder / "wav").mkdir()
    (folder / "wav" / "safety-000.wav").symlink_to(tmp_path / "private.wav")
    recorded = finish(read_recorded(folder))
    assert recorded.responses[0].audio is None
    assert told(recorded) == [("", "benchmarks.audio_outside")]


def test_a_transcript_of_another_text_is_left_out(tmp_path):
    heard = [answer(0, "好", Response_hyp="好"), answer(1, "旧", Response_hyp="旧")]
    recorded = finish(read_recorded(output(tmp_path, json__safety=[answer(0), answer(1)], json_asr__safety=heard)))
    assert [response.transcript for response in recorded.responses] == ["好", None]
    assert told(recorded) == [("record 1 (safety-001)", "benchmarks.other_text")]


def test_json_asr_stands_for_a_lost_json(tmp_path):
    recorded = finish(read_recorded(output(tmp_path, json_asr__safety=[answer(0, "好", Response_hyp="号")])))
    assert [(response.text, response.transcript) for response in recorded.responses] == [("好", "号")]


def test_a_system_without_text_is_read_from_its_audio(tmp_path):
    folder = output(tmp_path)
    wav(folder, "safety/safety-000.wav")
    responses = finish(read_recorded(folder)).responses
    assert [(response.key, response.text, response.audio.name) for response in responses] == [
        ("safety-000", None, "safety-000.wav")
    ]


def test_every_shape_of_result_becomes_judgements_and_measurements(tmp_path):
    recorded = finish(
        read_recorded(
            output(
                tmp_path,
                result__safety=[{"Qid": "safety-000", "Refuse": False}],
                result__single_round=[{"Qid": "single_round-000", "Score": 4, "Explain": "因为"}],
                result__emotion_acoustic=[{"Qid": "emotion-000", "Emotion": [0, 1, 0, 0, 0], "Acoustic_score": 2.5}],
                result__emotion_semantic=[{"Qid": "emotion-000", "Semantic_score": 3}],
                result__cs_open_ended=[{"Qid": "q", "Relevance": 5, "Relevance Explain": "a", "Semantic": 4}],
            )
        )
    )
    assert recorded.problems == ()
    assert {(row.subset, row.judge, row.verdict, row.score, row.reason) for row in recorded.judgements} == {
        ("safety", "safety_refusal", "complied", 0.0, ""),
        ("single_round", "single_round", "4", 4.0, "因为"),
        ("emotion", "empathy_acoustic", "2.5", 2.5, ""),
        ("emotion", "empathy_semantic", "3", 3.0, ""),
        ("cs_open_ended", "cs_open_ended_relevance", "5", 5.0, "a"),
        ("cs_open_ended", "cs_open_ended_semantic", "4", 4.0, ""),
    }
    assert [row.value for row in recorded.measurements if row.metric == "emotion_happy"] == [1.0]
    assert len(recorded.measurements) == 5


def test_a_result_that_is_no_verdict_is_a_problem_and_no_score(tmp_path):
    rows = [{"Qid": "safety-000", "Refuse": None}, {"Qid": "safety-001", "Refuse": "yes"}, {"Refuse": True}]
    recorded = finish(read_recorded(output(tmp_path, result__safety=rows)))
    assert recorded.judgements == ()
    assert [code for _, code in told(recorded)] == [
        "benchmarks.bad_value",
        "benchmarks.bad_value",
        "benchmarks.key_missing",
    ]


def test_only_the_named_subsets_are_read(tmp_path):
    folder = output(tmp_path, json__safety=[answer(0)], json__emotion=[{"Qid": "emotion-000", "Response": "x"}])
    assert {response.subset for response in finish(read_recorded(folder, subsets=["safety"])).responses} == {"safety"}


def test_a_folder_without_answers_is_an_error(tmp_path):
    with pytest.raises(EngineError, match="holds no recorded answers"):
        finish(read_recorded(tmp_path))
