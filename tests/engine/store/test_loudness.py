"""How loud recordings are: measured once, and in the middle of those that stand beside them."""

from __future__ import annotations

import math
from contextlib import closing

import numpy as np
import pytest
import soundfile

from engine.audio import content_hash
from engine.errors import EngineError
from engine.store import loudness
from engine.store.audio import take_audio
from engine.store.loudness import measured_loudness, typical_loudness
from engine.store.transaction import transaction

RATE = 16000


def ended(work):
    """What a generator returns."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


@pytest.fixture
def tone(tmp_path):
    """Write a tone of so many dBFS; its level stands in LUFS within a decibel, or it is silent."""

    def write(name, dbfs):
        amplitude = 0.0 if dbfs is None else 10 ** (dbfs / 20)
        path = tmp_path / f"{name}.wav"
        frames = RATE + sum(name.encode())  # two silent ones are not the same bytes
        samples = amplitude * np.sin(2 * np.pi * 997 * np.arange(frames) / RATE)
        soundfile.write(path, samples, RATE, subtype="FLOAT")
        return path

    return write


@pytest.fixture
def measured(monkeypatch):
    """The files whose samples were read."""
    found = []
    real = loudness.opened
    monkeypatch.setattr(loudness, "opened", lambda path: found.append(path.name) or real(path))
    return found


@pytest.fixture
def answers(workspace, tone):
    """Answers of two systems to one question each, by level; and a benchmark with their questions."""

    def take(db, path):
        return take_audio(db, workspace, path, keep="reference")

    with closing(workspace.connect()) as db, transaction(db):
        db.execute("INSERT INTO benchmark VALUES (1, 'bench', NULL, '2026')")
        db.execute("INSERT INTO run VALUES (1, 'u', 'import', '{}', 'done', 0, 0, 0, NULL, NULL, '2026', NULL)")
        found = {}
        for number, (system, level) in enumerate(
            [("loud", -10), ("loud", -12), ("loud", -30), ("soft", -40), ("soft", None), ("mute", None)], start=1
        ):
            db.execute(
                "INSERT INTO system (name, kind, created_at) VALUES (?, 'recorded', '2026') ON CONFLICT DO NOTHING",
                (system,),
            )
            db.execute(
                "INSERT INTO instance VALUES (?, 1, 's', ?, ?, 'q', NULL, NULL, 'zh', NULL, '{}', 'r')",
                (number, str(number), number),
            )
            question = take(db, tone(f"q{number}", -20.0 - number))
            db.execute("INSERT INTO instance_audio VALUES (?, 0, 'q', ?)", (number, question))
            answer = take(db, tone(f"a{number}", level if level is None else level - number / 1000))
            db.execute(
                "INSERT INTO response (id, uid, run_id, instance_id, system_id, state, audio_id, content_sha256,"
                " created_at) SELECT ?, ?, 1, ?, id, 'answered', ?, 'c', '2026' FROM system WHERE name = ?",
                (number, f"u{number}", number, answer, system),
            )
            found[number] = (question, answer)
    return found


def test_a_recording_is_measured_once(workspace, tone, measured):
    path = tone("a", -20)
    first = ended(measured_loudness(workspace, content_hash(path), path))
    again = ended(measured_loudness(workspace, content_hash(path), path))
    assert first.lufs == pytest.approx(-23.0, abs=0.1)  # a tone of 997 Hz at -20 dBFS has -23 LUFS in one channel
    assert again.lufs == pytest.approx(first.lufs, abs=1e-5)
    assert again.peak == pytest.approx(0.1, abs=1e-4)
    assert measured == ["a.wav"]


def test_a_silent_recording_is_measured_once_too(workspace, tone, measured):
    path = tone("a", None)
    for _ in range(2):
        assert math.isnan(ended(measured_loudness(workspace, content_hash(path), path)).lufs)
    assert measured == ["a.wav"]


@pytest.mark.parametrize("damage", [b"", b"LU00\0\0\0\0\0\0\0\0", b"LU01\0\0"])
def test_what_is_damaged_or_of_another_version_is_measured_again(workspace, tone, measured, damage):
    path = tone("a", -20)
    ended(measured_loudness(workspace, content_hash(path), path))
    next((workspace.folder / "loudness").iterdir()).write_bytes(damage)
    assert ended(measured_loudness(workspace, content_hash(path), path)).lufs == pytest.approx(-23.0, abs=0.1)
    assert len(measured) == 2


def test_a_file_outside_of_a_workspace_is_measured_each_time(tone, measured):
    path = tone("a", -20)
    for _ in range(2):
        ended(measured_loudness(None, "", path))
    assert len(measured) == 2


def test_what_cannot_be_read_says_so(workspace, tmp_path):
    with pytest.raises(EngineError) as raised:
        ended(measured_loudness(workspace, "", tmp_path / "none.wav"))
    assert raised.value.code == "audio.missing"


def test_the_middle_of_a_systems_answers_is_the_same_for_each_of_them(workspace, answers):
    found = [ended(typical_loudness(workspace, answers[number][1])) for number in (1, 2, 3)]
    assert found == pytest.approx([-15.0] * 3, abs=0.1)  # the middle of -10, -12 and -30 dBFS, less 3


def test_silent_answers_have_no_loudness_and_do_not_count(workspace, answers):
    assert ended(typical_loudness(workspace, answers[4][1])) == pytest.approx(-43.0, abs=0.1)
    assert math.isnan(ended(typical_loudness(workspace, answers[6][1])))


def test_beside_a_question_stand_the_questions_of_its_benchmark(workspace, answers):
    found = ended(typical_loudness(workspace, answers[2][0]))
    assert found == pytest.approx(-26.5, abs=0.1)  # the middle of -21 .. -26 dBFS, less 3


def test_files_that_went_are_left_out(workspace, answers, tmp_path):
    (tmp_path / "a3.wav").unlink()
    assert ended(typical_loudness(workspace, answers[1][1])) == pytest.approx(-14.0, abs=0.1)


def test_of_many_answers_an_even_sample_is_measured(workspace, answers, monkeypatch, measured):
    monkeypatch.setattr(loudness, "SAMPLED", 2)
    ended(typical_loudness(workspace, answers[1][1]))
    assert measured == ["a1.wav", "a2.wav"]
