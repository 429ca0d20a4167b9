"""Written files are whole or not there, and come back as they went."""

from __future__ import annotations

import errno
import os

import numpy as np
import pytest

from engine.audio import inspect_audio, load_channels, write_audio, write_bytes
from engine.errors import EngineError
from tests.engine.audio.made import triangle


@pytest.mark.parametrize("name", ["a.wav", "a.flac"])
@pytest.mark.parametrize(("coding", "bits"), [("PCM_16", 16), ("PCM_24", 24)])
def test_stored_samples_come_back_exactly_and_stay_so(tmp_path, name, coding, bits):
    steps = np.random.default_rng(0).integers(-(2 ** (bits - 1)), 2 ** (bits - 1), 70000)
    samples = (steps / 2 ** (bits - 1)).astype(np.float32)
    write_audio(tmp_path / name, samples, 24000, coding)
    assert np.array_equal(load_channels(tmp_path / name)[0][:, 0], samples)
    assert inspect_audio(tmp_path / name).bits == bits


def test_floats_come_back_exactly_even_over_full_scale(tmp_path):
    samples = np.array([0.1, -1.5, 2.0], np.float32)
    write_audio(tmp_path / "a.wav", samples, 24000, "FLOAT")
    assert np.array_equal(load_channels(tmp_path / "a.wav")[0][:, 0], samples)


def test_what_goes_over_full_scale_is_clipped_not_wrapped(tmp_path):
    write_audio(tmp_path / "a.wav", np.array([1.5, -1.5]), 24000)
    assert load_channels(tmp_path / "a.wav")[0][:, 0].tolist() == [32767 / 32768, -1.0]


@pytest.mark.parametrize("name", ["a.opus", "a.ogg"])
def test_opus_is_small_and_sounds_the_same(tmp_path, name):
    sound = np.stack([triangle(96000, 240), triangle(96000, 120)], axis=1)
    path = write_audio(tmp_path / name, sound, 24000)
    facts = inspect_audio(path)
    assert (facts.format, facts.subtype, facts.channels, facts.frame_count) == ("OGG", "OPUS", 2, 96000)
    assert facts.faults == ()
    assert path.stat().st_size < 100_000


def test_opus_of_a_rate_it_lacks_is_refused_by_name(tmp_path):
    with pytest.raises(EngineError, match=r"a\.opus.*22050") as raised:
        write_audio(tmp_path / "a.opus", triangle(100), 22050)
    assert raised.value.code == "audio.write_opus_rate"


def test_an_ending_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(EngineError) as raised:
        write_audio(tmp_path / "a.m4a", triangle(100), 24000)
    assert raised.value.code == "audio.write_format"


def test_non_finite_samples_are_not_written(tmp_path):
    with pytest.raises(EngineError, match="2 samples") as raised:
        write_audio(tmp_path / "a.wav", np.array([0, np.nan, np.inf]), 24000)
    assert raised.value.code == "audio.write_not_finite"
    assert list(tmp_path.iterdir()) == []


def test_an_empty_sound_is_a_whole_file(tmp_path):
    write_audio(tmp_path / "a.wav", np.zeros(0, np.float32), 24000)
    assert inspect_audio(tmp_path / "a.wav").fault("no_samples") is not None


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = write_audio(tmp_path / "a.wav", triangle(100), 24000)
    before = path.read_bytes()

    def full(_descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EngineError, match="No space left") as raised:
        write_audio(path, triangle(5000), 24000)
    assert raised.value.code == "audio.cannot_write"
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.wav"]


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path):
    (tmp_path / "x").write_bytes(b"")
    with pytest.raises(EngineError, match="cannot be written"):
        write_bytes(tmp_path / "x" / "a.bin", b"abc")


def test_folders_are_made_and_names_may_be_chinese(tmp_path):
    path = write_audio(tmp_path / "录音" / "第 1 条.wav", triangle(100), 24000)
    assert inspect_audio(path).frame_count == 100
