"""Dynamic-SUPERB tasks are read from their folders, preprocessed or as uploaded."""

from __future__ import annotations

import json

import pytest

from engine.benchmarks.dynamic_superb import read_dynamic_superb, snake_case
from engine.errors import EngineError
from tests.engine.benchmarks.finish import finish

NAME = "SpeechTextMatching_LibriSpeech-TestClean"


def preprocessed(tmp_path, metadata, *audio):
    folder = tmp_path / NAME
    folder.mkdir(exist_ok=True)
    (folder / "metadata.json").write_text(json.dumps(metadata), encoding="utf-8")
    for name in audio:
        (folder / name).write_bytes(b"RIFF")
    return folder


def told(imported):
    return [(problem.where, problem.code) for problem in imported.problems]


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        (NAME, "speech_text_matching_libri_speech_test_clean"),
        ("LibriTTS", "libri_tts"),
        ("VoxCeleb1-Test", "vox_celeb1_test"),
    ],
)
def test_names_become_ids(name, snake):
    assert snake_case(name) == snake


def test_metadata_keyed_by_file_name_gives_instances(tmp_path):
    row = {
        "file": "a-0",
        "instruction": "Does it match? The answer could be yes or no.",
        "label": "yes",
        "text": "hello",
    }
    folder = preprocessed(tmp_path, {"test_a.wav": row}, "test_a.wav", "test_a_pair.wav")
    imported = finish(read_dynamic_superb(folder))
    (instance,) = imported.instances
    assert (instance.benchmark, instance.subset) == ("dynamic_superb", "speech_text_matching_libri_speech_test_clean")
    assert (instance.key, instance.question, instance.reference) == ("a-0", row["instruction"], "yes")
    assert (instance.language, dict(instance.labels)) == ("en", {"text": "hello"})
    assert [audio.path for audio in instance.audio] == [folder / "test_a.wav", folder / "test_a_pair.wav"]
    assert (imported.problems, imported.audio_missing) == ((), 0)


def test_instance_json_with_a_csv_gives_instances(tmp_path):
    folder = tmp_path / "upload"
    folder.mkdir()
    (folder / "instance.json").write_text(json.dumps({"name": NAME, "keywords": "", "version": "1"}), encoding="utf-8")
    (folder / "test.csv").write_text("file_name,file,instruction,label\nwav/a.flac,a,Say it.,hi\n", encoding="utf-8")
    (folder / "wav").mkdir()
    (folder / "wav" / "a.flac").write_bytes(b"fLaC")
    (instance,) = finish(read_dynamic_superb(folder)).instances
    assert (instance.subset, instance.key, instance.reference) == (snake_case(NAME), "a", "hi")
    assert instance.audio[0].path == folder / "wav" / "a.flac"


def test_a_folder_of_tasks_is_read_whole_or_in_part(tmp_path):
    preprocessed(tmp_path, {"a": {"instruction": "x", "label": 1.5}})
    (tmp_path / "Other").mkdir()
    (tmp_path / "Other" / "metadata.json").write_text(json.dumps({"b": {"instruction": "y", "label": "z"}}), "utf-8")
    assert finish(read_dynamic_superb(tmp_path)).subsets == ("other", snake_case(NAME))
    part = finish(read_dynamic_superb(tmp_path, ["speech-text-matching-libri-speech-test-clean"]))
    assert [(instance.key, instance.reference) for instance in part.instances] == [("a", "1.5")]
    assert part.audio_missing == 1


def test_what_is_wrong_is_named_and_the_rest_read(tmp_path):
    rows = {
        "a.wav": {"instruction": "x", "label": "y"},
        "b.wav": {"label": "y"},
        "c.wav": {"instruction": "x"},
        "../d.wav": {"instruction": "x", "label": "y"},
    }
    (tmp_path / "d.wav").write_bytes(b"RIFF")
    imported = finish(read_dynamic_superb(preprocessed(tmp_path, rows, "a.wav", "c.wav")))
    assert [instance.key for instance in imported.instances] == ["a.wav", "c.wav", "../d.wav"]
    assert told(imported) == [
        ("record 1 (b.wav)", "benchmarks.key_missing"),
        ("record 2 (c.wav)", "benchmarks.key_missing"),
        ("record 3 (../d.wav)", "benchmarks.audio_outside"),
    ]
    assert imported.audio_missing == 0


def test_a_folder_without_tasks_is_an_error(tmp_path):
    with pytest.raises(EngineError, match="no Dynamic-SUPERB task"):
        finish(read_dynamic_superb(tmp_path))
