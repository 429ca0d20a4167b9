"""The sample pack is what it says: whole, small, readable by the real importers, and its planted faults are true."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from engine.benchmarks.dynamic_superb import read_dynamic_superb
from engine.benchmarks.manifest import read_manifest
from engine.benchmarks.recorded import read_recorded
from engine.benchmarks.vocalbench_zh import read_vocalbench_zh
from engine.shipped import shipped

PACK = shipped("data/sample")
EXAMPLES = ("example-careful", "example-flawed")
ABILITIES = {
    "knowledge": ("chinese_knowledge", "foreign_knowledge", "general_knowledge"),
    "reasoning": ("reasoning",),
    "creativity": ("creativity",),
    "single_round": ("single_round",),
    "multi_round": ("multi_round",),
    "instruction_following": ("instruction_following",),
    "emotion": ("emotion",),
    "safety": ("safety",),
    "code_switching": ("cs_knowledge", "cs_knowledge_en", "cs_open_ended"),
    "robust": ("robust", "robust_clean"),
}


def result_of(work: Generator[Any, None, Any]) -> Any:
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (PACK / name).read_text(encoding="utf-8").split("\n") if line]


@pytest.fixture(scope="module")
def chinese() -> Any:
    return result_of(read_vocalbench_zh(PACK / "vocalbench_zh"))


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    return {system: result_of(read_recorded(PACK / "model_output" / system)) for system in EXAMPLES}


def label_of(kind: str) -> list[dict[str, Any]]:
    return [label for label in lines("labels.jsonl") if label["kind"] == kind]


def audio_of(label: dict[str, Any]) -> Path:
    folder = PACK / "model_output" / label["system"] / "wav" / label["subset"]
    return next(folder.glob(f"{label['Qid']}.*"))


def text_of(label: dict[str, Any], answers: dict[str, Any]) -> str | None:
    found = answers[label["system"]].responses
    return next(r.text for r in found if (r.subset, r.key) == (label["subset"], label["Qid"]))


def test_the_pack_is_small() -> None:
    assert sum(path.stat().st_size for path in PACK.rglob("*") if path.is_file()) <= 10_000_000


def test_every_ability_of_vocalbench_zh_has_instances_and_the_importer_finds_nothing_wrong(chinese: Any) -> None:
    assert len(chinese.instances) >= 32
    assert chinese.problems == ()
    assert chinese.audio_missing == 0
    present = {instance.subset for instance in chinese.instances}
    assert present == {subset for subsets in ABILITIES.values() for subset in subsets}
    assert all(instance.context for instance in chinese.instances if instance.subset == "multi_round")
    emotions = {i.category for i in chinese.instances if i.subset == "emotion"}
    assert emotions == {"angry", "happy", "sad", "surprised", "neutral"}


def test_no_question_is_taken_from_the_published_benchmark(chinese: Any) -> None:
    from tests.shared import SHARED

    published = SHARED / "vocalbench-zh" / "json"
    if not published.is_dir():
        pytest.skip("needs the shared reading (benchmark data) beside the checkout")
    theirs = {r["Question"] for f in published.glob("*.json") for r in json.loads(f.read_text(encoding="utf-8"))}
    assert [i.key for i in chinese.instances if i.question in theirs] == []


def test_the_english_half_is_read_as_dynamic_superb() -> None:
    english = result_of(read_dynamic_superb(PACK / "dynamic_superb"))
    assert len(english.instances) >= 8
    assert english.problems == ()
    assert english.audio_missing == 0
    assert all(instance.labels["text"] and instance.reference for instance in english.instances)


def test_every_listed_audio_decodes_to_the_frames_the_list_says() -> None:
    listed = lines("audio.jsonl")
    for entry in listed:
        samples, rate = soundfile.read(PACK / entry["audio"], dtype="float32")
        assert (rate, samples.shape) == (entry["sample_rate_hz"], (entry["frames"],)), entry["audio"]
        assert np.all(np.isfinite(samples)), entry["audio"]
    on_disk = {p.relative_to(PACK).as_posix() for p in PACK.rglob("*") if p.suffix in {".ogg", ".flac", ".wav"}}
    assert on_disk == {entry["audio"] for entry in listed}


def test_both_example_systems_answer_every_chinese_instance(chinese: Any, answers: dict[str, Any]) -> None:
    asked = {(instance.subset, instance.key) for instance in chinese.instances}
    for system in EXAMPLES:
        assert {(r.subset, r.key) for r in answers[system].responses} == asked
        assert answers[system].problems == ()
        assert answers[system].stray_audio == ()


def test_the_cascade_answers_every_english_instance_with_measured_times() -> None:
    english = result_of(read_dynamic_superb(PACK / "dynamic_superb"))
    recorded = result_of(read_manifest(PACK / "model_output" / "offline-cascade" / "manifest.jsonl"))
    assert {(r.subset, r.key) for r in recorded.responses} == {(i.subset, i.key) for i in english.instances}
    assert recorded.problems == ()
    for response in recorded.responses:
        assert response.text
        assert response.audio is not None
        times = response.timings
        assert 0 < times["first_token_s"] <= times["first_audio_s"] <= times["generation_s"]
        assert times["duration_s"] == pytest.approx(soundfile.info(response.audio).duration, abs=0.01)


def test_every_label_names_an_answer_and_a_documented_kind(answers: dict[str, Any]) -> None:
    readme = (PACK / "README.md").read_text(encoding="utf-8")
    labels = lines("labels.jsonl")
    for label in labels:
        keys = {(r.subset, r.key) for r in answers[label["system"]].responses}
        assert (label["subset"], label["Qid"]) in keys
        assert f"`{label['kind']}`" in readme
        assert label["note"]["en"]
        assert label["note"]["zh"]
    assert len({(label["system"], label["subset"], label["Qid"]) for label in labels}) == len(labels)


def test_every_kind_of_bad_case_is_planted() -> None:
    kinds = {label["kind"] for label in lines("labels.jsonl")}
    wanted = "truncated_speech repeated_speech omitted_speech unsafe_compliance over_refusal wrong_language"
    wanted += " silent_audio clipped_audio markdown_read_aloud over_long wrong_tone wrong_sample_rate"
    wanted += " missing_audio empty_text truncated_file unrelated_speech"
    assert kinds >= set(wanted.split())


def test_the_silent_clip_is_silent_and_the_clipped_one_clipped() -> None:
    (silent,), (clipped,) = label_of("silent_audio"), label_of("clipped_audio")
    samples, rate = soundfile.read(audio_of(silent))
    assert samples.size == silent["planted"]["seconds"] * rate
    assert not samples.any()
    samples, _ = soundfile.read(audio_of(clipped))
    assert np.mean(np.abs(samples) >= 0.9999) > 0.01


def test_the_file_faults_are_in_the_files(answers: dict[str, Any]) -> None:
    (rate,), (missing,), (empty,) = label_of("wrong_sample_rate"), label_of("missing_audio"), label_of("empty_text")
    (broken,) = label_of("truncated_file")
    assert soundfile.info(audio_of(rate)).samplerate == rate["planted"]["sample_rate_hz"] == 8000
    folder = PACK / "model_output" / missing["system"] / "wav" / missing["subset"]
    assert list(folder.glob(f"{missing['Qid']}.*")) == []
    assert text_of(missing, answers)
    assert text_of(empty, answers) is None
    whole = audio_of(broken).read_bytes()
    assert int.from_bytes(whole[40:44], "little") > len(whole) - 44


def test_the_spans_of_speech_faults_stand_in_the_texts(answers: dict[str, Any]) -> None:
    for label in label_of("omitted_speech") + label_of("repeated_speech"):
        bare = "".join(sign for sign in text_of(label, answers) or "" if sign not in "，。、；：")
        assert label["planted"]["span"] in bare, label
        assert label["planted"]["count"] >= 1


def test_a_cut_answer_is_shorter_than_its_text_and_the_long_one_very_long(answers: dict[str, Any]) -> None:
    for label in label_of("truncated_speech"):
        seconds = soundfile.info(audio_of(label)).duration
        assert seconds < 0.17 * len(text_of(label, answers) or ""), label  # read Mandarin takes 0.2 s a character
    (long,) = label_of("over_long")
    assert soundfile.info(audio_of(long)).duration > 45


def test_the_recognisers_floor_has_enough_known_speech_in_both_languages() -> None:
    known = lines("speech/floor.jsonl")
    assert sum(entry["language"] == "zh" for entry in known) >= 12
    assert sum(entry["language"] == "en" for entry in known) >= 8
    assert all((PACK / entry["audio"]).is_file() and entry["text"] for entry in known)


def test_hand_written_systems_say_so_in_both_languages() -> None:
    import tomllib

    for system in EXAMPLES:
        declared = tomllib.loads((PACK / "model_output" / system / "system.toml").read_text(encoding="utf-8"))
        assert declared["kind"] == "recorded"
        assert "written by hand" in declared["note"]["en"]
        assert "人工撰写" in declared["note"]["zh"]


def test_nothing_that_the_build_script_makes_has_been_changed_by_hand() -> None:
    script = PACK / "build" / "make.py"
    checked = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
