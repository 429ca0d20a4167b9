"""The figures of a clip: where it sounds, how high it reaches, how quiet its pauses are."""

from __future__ import annotations

import math

import numpy as np
import pytest
import soundfile

from engine.audio import inspect_audio
from engine.errors import EngineError
from engine.rating.leaks.sound import clip_sound
from tests.engine.rating.leaks.made import clip


@pytest.fixture
def figures(workspace, tmp_path, finish):
    def measured(**changed):
        path = clip(tmp_path / f"{len(list(tmp_path.iterdir()))}.wav", np.random.default_rng(1), **changed)
        return finish(clip_sound(workspace, path.stem, path))

    return measured


def test_silence_at_both_ends_is_that_of_the_facts(figures, tmp_path):
    found = figures(lead_s=0.3, tail_s=0.5, spoken_s=1.0)
    facts = inspect_audio(next(tmp_path.glob("*.wav")))
    assert (found.start_s, found.end_s, found.duration_s) == (facts.sound_start_s, facts.sound_end_s, facts.duration_s)
    assert found.start_s == pytest.approx(0.3, abs=0.021)


@pytest.mark.parametrize("below_hz", [2000.0, 4000.0, 6000.0])
def test_the_highest_frequency_is_found_within_300_hz(figures, below_hz):
    assert figures(below_hz=below_hz).cut_off_hz == pytest.approx(below_hz, abs=300)


def test_sound_up_to_half_the_sample_rate_ends_there(figures):
    assert figures().cut_off_hz == 8000.0


def test_the_noise_in_the_pauses_is_its_level(figures):
    assert figures(floor_db=-70.0).noise_dbfs == pytest.approx(-70.0, abs=1.0)


def test_a_click_does_not_stand_for_the_bandwidth(workspace, tmp_path, finish):
    path = clip(tmp_path / "a.wav", np.random.default_rng(1), below_hz=3000.0, spoken_s=3.0)
    samples, rate = soundfile.read(path)
    samples[rate] = 0.9
    soundfile.write(path, samples, rate)
    assert finish(clip_sound(workspace, "a", path)).cut_off_hz == pytest.approx(3000.0, abs=300)


@pytest.mark.parametrize("frames", [0, 100, 16_000])
def test_silence_and_next_to_nothing_have_no_figures_of_sound(workspace, tmp_path, finish, frames):
    path = tmp_path / "silent.wav"
    soundfile.write(path, np.zeros(frames), 16_000)
    found = finish(clip_sound(workspace, "silent", path))
    assert (found.start_s, found.end_s, found.spoken_s) == (0.0, 0.0, 0.0)
    assert math.isnan(found.cut_off_hz)
    assert math.isnan(found.noise_dbfs)
    assert math.isnan(found.lufs)
    assert found.peak_dbfs == -200.0


def test_two_channels_and_samples_that_are_no_numbers_are_borne(workspace, tmp_path, finish):
    path = tmp_path / "stereo.wav"
    samples = np.random.default_rng(2).normal(0, 0.05, (22_050, 2)).astype(np.float32)
    samples[100] = np.nan
    soundfile.write(path, samples, 22_050, subtype="FLOAT")
    found = finish(clip_sound(workspace, "stereo", path))
    assert found.coding == "WAV FLOAT 2"
    assert found.cut_off_hz > 10_000


def test_a_file_that_is_no_sound_says_so(workspace, tmp_path, finish):
    (tmp_path / "a.wav").write_bytes(b"not a sound at all" * 10)
    with pytest.raises(EngineError):
        finish(clip_sound(workspace, "a", tmp_path / "a.wav"))
