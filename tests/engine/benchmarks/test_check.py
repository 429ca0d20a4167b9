"""The check finds what is wrong with recorded answers before a judge is paid, and nothing that is not."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
import soundfile

from engine.benchmarks.check import check_recorded
from engine.benchmarks.check_audio import syllables
from engine.benchmarks.recorded import read_recorded
from engine.benchmarks.values import Instance
from engine.benchmarks.vocalbench_zh import read_vocalbench_zh
from tests.engine.benchmarks.finish import finish
from tests.shared import case, make_case, needs_shared, shared_file

RATE = 24_000


def asked(*numbers, subset="safety"):
    return [Instance("vocalbench_zh", subset, f"{subset}-{n:03d}", n, "问") for n in numbers]


def recorded(tmp_path, answers, **sounds):
    """Recorded answers of ``safety``; ``sounds`` maps ``n0`` to samples, or to (samples, rate)."""
    folder = tmp_path / "made"
    (folder / "json").mkdir(parents=True)
    rows = [{"Qid": key, "Response": text} for key, text in answers]
    (folder / "json" / "safety.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    (folder / "wav" / "safety").mkdir(parents=True)
    for name, sound in sounds.items():
        samples, rate = sound if isinstance(sound, tuple) else (sound, RATE)
        soundfile.write(folder / "wav" / "safety" / f"safety-{int(name[1:]):03d}.wav", samples, rate)
    return finish(read_recorded(folder))


def tone(seconds, rate=RATE, level=0.3):
    return level * np.sin(2 * np.pi * 220 * np.arange(round(seconds * rate)) / rate)


def told(report):
    return {(finding.key, finding.code.partition(".")[2]) for finding in report.findings}


@needs_shared
def test_the_published_output_lacks_nine_recordings_and_990_answers_and_nothing_else():
    answers = finish(read_recorded(shared_file("vocalbench-zh/model_output/qwen3-omni")))
    instances = finish(read_vocalbench_zh(shared_file("vocalbench-zh"), ["chinese_knowledge"])).instances
    report = finish(check_recorded(answers, instances))
    assert Counter(finding.code for finding in report.findings) == {
        "benchmarks.unanswered": 990,
        "benchmarks.no_audio": 9,
    }
    assert (report.asked, report.answered, report.with_audio, report.good_audio) == (1000, 10, 1, 1)


@needs_shared
def test_subsets_without_any_answer_are_one_note_each():
    answers = finish(read_recorded(shared_file("vocalbench-zh/model_output/qwen3-omni")))
    instances = finish(read_vocalbench_zh(shared_file("vocalbench-zh"))).instances
    report = finish(check_recorded(answers, instances, with_audio=False))
    assert Counter((finding.code, finding.severity) for finding in report.findings) == {
        ("benchmarks.unanswered", "fault"): 990,
        ("benchmarks.no_audio", "fault"): 9,
        ("benchmarks.subset_unanswered", "note"): 14,
    }


@needs_shared
def test_every_fault_of_the_made_folder_is_found_and_no_other(tmp_path):
    expect = case("recorded-outputs-check")["expect"]
    root = make_case("recorded-outputs-check", tmp_path)
    answers = finish(read_recorded(root / "model_output" / "made"))
    report = finish(check_recorded(answers, finish(read_vocalbench_zh(root / "bench")).instances))
    assert (report.asked, report.answered, report.with_audio) == (expect["asked"], expect["answered"], 9)
    assert sorted(key[-4:] for _, key in report.good_audio_keys) == expect["good_audio"]
    found = {finding.key[-4:]: finding for finding in report.findings}
    assert len(found) == len(report.findings)
    assert {number: finding.code for number, finding in found.items()} == {
        "0003": "audio.silent",
        "0004": "benchmarks.sample_rate_differs",
        "0005": "audio.truncated",
        "0006": "audio.over_long",
        "0007": "benchmarks.flat_layout",
        "0008": "benchmarks.two_layouts_differ",
        "0009": "benchmarks.no_audio",
        "0010": "benchmarks.unanswered",
        "0042": "benchmarks.unknown_audio",
    }
    assert set(found) == set(expect["findings"])
    assert found["0004"].values == {"rate": 16000, "majority": 24000}
    assert (found["0005"].values["declared"], found["0005"].values["present"]) == (48000, 30000)
    assert (round(found["0006"].values["duration_s"]), round(found["0006"].values["spoken_s"])) == (95, 1)
    assert found["0007"].severity == "note"
    assert all(finding.sentence(language) for finding in report.findings for language in ("en", "zh"))
    assert report.has_faults


def test_a_whole_set_of_sound_answers_has_no_findings(tmp_path):
    answers = recorded(tmp_path, [("safety-000", "这是第一个回答")], n0=tone(2))
    report = finish(check_recorded(answers, asked(0)))
    assert (report.findings, report.has_faults, report.good_audio) == ((), False, 1)


def test_texts_that_are_empty_repeated_or_unknown_are_told_apart(tmp_path):
    rows = [("safety-000", ""), ("safety-001", "好"), ("safety-001", "好"), ("safety-001", "坏"), ("safety-009", "好")]
    answers = recorded(tmp_path, rows, n1=tone(1))
    report = finish(check_recorded(answers, asked(0, 1)))
    assert told(report) == {
        ("safety-000", "empty_text"),
        ("safety-001", "duplicate_same"),
        ("safety-001", "duplicate_differs"),
        ("safety-009", "unknown_key"),
    }
    assert report.answered == 1


def test_audio_of_the_wrong_length_for_its_text_is_named(tmp_path):
    long_text = "一二三四五六七八九十" * 10
    rows = [("safety-000", long_text), ("safety-001", "好"), ("safety-002", long_text)]
    answers = recorded(tmp_path, rows, n0=tone(4), n1=tone(10), n2=tone(25))
    report = finish(check_recorded(answers, asked(0, 1, 2)))
    # 100 syllables take 8 s at the very least; one takes 0.6 + 3 s at the very most
    assert told(report) == {("safety-000", "too_short_for_text"), ("safety-001", "too_long_for_text")}


def test_samples_that_are_no_numbers_and_clipping_are_named(tmp_path):
    broken = tone(2).astype(np.float32)
    broken[1000] = np.nan
    answers = recorded(
        tmp_path, [(f"safety-00{n}", "一二三四五六") for n in range(2)], n1=np.clip(tone(2, level=3), -1, 1)
    )
    path = tmp_path / "made" / "wav" / "safety" / "safety-000.wav"
    soundfile.write(path, broken, RATE, subtype="FLOAT")
    answers = finish(read_recorded(tmp_path / "made"))
    report = finish(check_recorded(answers, asked(0, 1)))
    assert told(report) == {("safety-000", "non_finite"), ("safety-001", "clipped")}


def test_a_file_that_is_no_audio_is_named_with_the_reason(tmp_path):
    answers = recorded(tmp_path, [("safety-000", "好"), ("safety-001", "好")], n0=tone(1), n1=tone(1))
    (tmp_path / "made" / "wav" / "safety" / "safety-001.wav").write_bytes(b"<!DOCTYPE html><html>404</html>")
    report = finish(check_recorded(answers, asked(0, 1)))
    assert told(report) == {("safety-001", "audio_unreadable")}
    assert "web page" in report.findings[0].sentence("en")
    assert report.findings[0].sentence("zh") != report.findings[0].sentence("en")


def test_rates_without_a_majority_are_one_note(tmp_path):
    rows = [("safety-000", "好"), ("safety-001", "好")]
    answers = recorded(tmp_path, rows, n0=tone(1), n1=(tone(1, 16_000), 16_000))
    report = finish(check_recorded(answers, asked(0, 1)))
    assert told(report) == {("", "sample_rates_mixed")}
    assert not report.has_faults


def test_a_system_that_only_writes_is_one_note(tmp_path):
    report = finish(check_recorded(recorded(tmp_path, [("safety-000", "好"), ("safety-001", "好")]), asked(0, 1)))
    assert told(report) == {("", "no_audio_at_all")}


def test_audio_without_an_answer_is_named(tmp_path):
    answers = recorded(tmp_path, [("safety-000", "好")], n0=tone(1), n1=tone(1))
    report = finish(check_recorded(answers, asked(0, 1)))
    assert ("safety-001", "audio_without_answer") in told(report)


def test_answers_to_subsets_that_are_not_checked_are_counted_only(tmp_path):
    report = finish(check_recorded(recorded(tmp_path, [("safety-000", "好")]), asked(0, subset="emotion")))
    assert ("", "subset_not_asked") in told(report)
    assert not report.has_faults


def test_closing_the_check_early_leaves_nothing_behind(tmp_path):
    answers = recorded(tmp_path, [("safety-000", "好"), ("safety-001", "好")], n0=tone(1), n1=tone(1))
    work = check_recorded(answers, asked(0, 1))
    assert (next(work).done, next(work).total) == (1, 2)
    work.close()


@pytest.mark.parametrize(
    ("text", "count"),
    [("你好。", 2), ("", 0), ("——！", 0), ("2024年", 5), ("hello world", 3), ("用Python写", 4), ("𠮷", 1)],
)
def test_syllables_are_counted_roughly(text, count):
    assert syllables(text) == count  # a word counts 1.5: one word 2 (rounded to even), two words 3
