"""Peaks, DC, clipping, silence and spoken time, by values worked out by hand."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.audio import inspect_audio, is_over_long, load_channels, load_mono, sound_of
from engine.audio.clipping import ClippedRuns
from engine.audio.levels import measure_levels
from tests.engine.audio.made import codes, fmt, riff, triangle

RATE = 16000


def facts_of(tmp_path, samples, subtype="PCM_16"):
    soundfile.write(tmp_path / "clip.wav", samples, RATE, subtype=subtype)
    return inspect_audio(tmp_path / "clip.wav")


def seconds(*parts):
    """Joins (seconds, peak) parts: a triangle where the peak is above 0, else silence."""
    return np.concatenate([triangle(int(length * RATE), 80, peak) for length, peak in parts])


def test_sound_is_counted_in_seconds_and_placed():
    sound = sound_of(seconds((0.5, 0), (1.0, 0.3), (1.5, 0)), RATE)
    assert (sound.start_s, sound.end_s, sound.spoken_duration_s) == (0.5, 1.5, 1.0)
    assert sound.silent_share == pytest.approx(2 / 3)


def test_a_short_pause_belongs_to_speech_and_a_long_one_does_not():
    assert sound_of(seconds((1, 0.3), (0.2, 0), (1, 0.3)), RATE).spoken_duration_s == pytest.approx(2.2)
    assert sound_of(seconds((1, 0.3), (0.22, 0), (1, 0.3)), RATE).spoken_duration_s == pytest.approx(2.0)


def test_background_far_below_speech_is_not_spoken():
    # a triangle's RMS is its peak / sqrt(3): 0.3 is -15.2 dBFS, 0.003 lies 40 dB below it, 0.0075 lies 32 dB below
    assert sound_of(seconds((1, 0.3), (1, 0.003)), RATE).spoken_duration_s == 1.0
    assert sound_of(seconds((1, 0.3), (1, 0.0075)), RATE).spoken_duration_s == 2.0


def test_the_floor_is_60_db_under_full_scale():
    assert sound_of(seconds((1, 0.0018)), RATE).spoken_duration_s == 1.0  # -59.7 dBFS
    assert sound_of(seconds((1, 0.0016)), RATE).spoken_duration_s == 0.0  # -60.7 dBFS


def test_a_quiet_voice_with_one_click_is_still_heard():
    quiet = seconds((1, 0), (2, 0.01), (1, 0))  # 2 s at -44.8 dBFS
    quiet[100] = 1.0  # one sample at full scale: a frame of -25 dBFS, above the voice, is no measure of it
    assert sound_of(quiet, RATE).spoken_duration_s == pytest.approx(2.02)


def test_an_empty_sound_has_no_seconds_and_is_silent_throughout():
    sound = sound_of(np.zeros(0, np.float32), RATE)
    assert (sound.duration_s, sound.spoken_duration_s, sound.silent_share, sound.start_s) == (0, 0, 1.0, None)


def test_gain_changes_no_spoken_time():
    speech = seconds((0.5, 0), (1, 0.4), (0.7, 0.001), (1, 0.3))
    assert sound_of(speech, RATE) == sound_of(speech * np.float32(0.5), RATE)


def test_over_long_needs_both_much_silence_and_little_sound():
    assert is_over_long(95, 1)
    assert not is_over_long(5.9, 1)  # 4.9 s of silence
    assert not is_over_long(29, 10)  # 19 s of silence, but sound in more than a third
    assert not is_over_long(60, 0)  # silent


def test_dither_is_silence_and_no_dead_channel(tmp_path):
    dither = np.random.default_rng(0).integers(-1, 2, (RATE, 2)) / 32768
    assert codes(facts_of(tmp_path, dither)) == ["silent"]


def test_a_constant_is_a_dc_offset_not_a_sound(tmp_path):
    facts = facts_of(tmp_path, np.full(RATE, 0.5))
    assert codes(facts) == ["silent", "dc_offset"]
    assert (facts.dc_offset, facts.spoken_duration_s) == (0.5, 0.0)


def test_a_dc_offset_is_named_from_one_percent_on(tmp_path):
    assert codes(facts_of(tmp_path, triangle(RATE, 80) + 0.02)) == ["dc_offset"]
    assert facts_of(tmp_path, triangle(RATE, 80) - 0.02).dc_offset == pytest.approx(-0.02, abs=1e-4)
    assert codes(facts_of(tmp_path, triangle(RATE, 80) + 0.009)) == []


def test_the_level_of_a_square_at_half_scale_is_minus_6_db(tmp_path):
    square = np.where(np.arange(RATE) % 80 < 40, 0.5, -0.5)
    assert facts_of(tmp_path, square).rms_dbfs == pytest.approx(-6.0206, abs=1e-3)


def test_a_channel_with_a_constant_only_is_dead(tmp_path):
    sound = np.stack([triangle(RATE, 80), np.full(RATE, 0.005)], axis=1)
    facts = facts_of(tmp_path, sound)
    assert codes(facts) == ["dead_channel"]
    assert "channel 2 (right)" in facts.faults[0].sentence()


def test_a_channel_that_speaks_only_at_the_end_is_alive(tmp_path):
    left = seconds((20, 0.3))  # longer than one block
    right = seconds((19.5, 0), (0.5, 0.3))
    assert facts_of(tmp_path, np.stack([left, right], axis=1)).mixed_channels == (1, 2)


def test_opposite_channels_are_told_and_do_not_cancel_in_mono(tmp_path):
    sound = np.stack([triangle(RATE, 80), -triangle(RATE, 80)], axis=1)
    facts = facts_of(tmp_path, sound)
    assert codes(facts) == ["out_of_phase"]
    assert np.abs(load_mono(tmp_path / "clip.wav", RATE)).max() == pytest.approx(0.25, abs=1e-4)


def test_clipping_is_counted_in_runs_of_three_and_more(tmp_path):
    samples = triangle(RATE, 80)
    samples[100:102] = 1.0  # two: a peak between samples
    samples[1000:1003] = 1.0
    samples[8000:8005] = -1.0
    facts = facts_of(tmp_path, samples)
    assert codes(facts) == ["clipped"]
    assert facts.clipped_share == pytest.approx(8 / RATE)
    assert (facts.faults[0].values["runs"], facts.faults[0].values["first_s"]) == (2, 1000 / RATE)


def test_eight_bits_clip_at_their_own_full_scale(tmp_path):
    samples = triangle(RATE, 80)
    samples[1000:1010] = 127 / 128
    assert facts_of(tmp_path, samples, "PCM_U8").clipped_share == pytest.approx(10 / RATE)
    assert facts_of(tmp_path, samples, "PCM_16").clipped_share == 0.0


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.lists(st.integers(1, 9), min_size=1, max_size=30))
@settings(deadline=None, max_examples=200)
def test_clipped_runs_do_not_depend_on_where_blocks_end(flags, lengths):
    samples = np.array(flags, np.float32)
    runs = [len(run) for run in "".join("x" if flag else " " for flag in flags).split()]
    counted = ClippedRuns(1.0)
    position = 0
    for length in [*lengths, len(flags)]:
        if position < len(flags):
            counted.add(samples[position : position + length])
        position += length
    counted.finish()
    assert (counted.clipped, counted.runs) == (
        sum(run for run in runs if run >= 3),
        sum(run >= 3 for run in runs),
    )


def test_a_float_file_over_full_scale_is_told(tmp_path):
    samples = triangle(RATE, 80)
    samples[500] = 1.5
    facts = facts_of(tmp_path, samples, "FLOAT")
    assert (codes(facts), facts.peak) == (["over_full_scale"], 1.5)


def test_non_finite_samples_beyond_the_first_block_are_placed(tmp_path):
    samples = np.stack([triangle(10 * RATE, 80)] * 2, axis=1)
    samples[150000, 1] = np.inf
    samples[150001] = np.nan
    facts = facts_of(tmp_path, samples, "FLOAT")
    assert (facts.non_finite_samples, facts.first_non_finite_s) == (3, 150000 / RATE)
    assert np.isfinite(load_channels(tmp_path / "clip.wav")[0]).all()


def test_a_double_too_large_for_a_float_counts_as_non_finite(tmp_path):
    samples = triangle(RATE, 80).astype(np.float64)
    samples[4] = 1e300
    assert facts_of(tmp_path, samples, "DOUBLE").non_finite_samples == 1


def test_a_number_that_only_broken_bytes_can_hold_counts_as_non_finite(tmp_path):
    samples = triangle(RATE, 80)
    samples[4] = 3e38
    facts = facts_of(tmp_path, samples, "FLOAT")
    assert (facts.non_finite_samples, facts.peak) == (1, 0.25)
    assert np.abs(load_mono(tmp_path / "clip.wav", 8000)).max() < 0.3


def test_integers_stored_as_floats_are_far_over_full_scale(tmp_path):
    facts = facts_of(tmp_path, triangle(RATE, 80) * 32768, "FLOAT")
    assert (codes(facts), facts.peak, facts.clipped_share) == (["over_full_scale"], 8192.0, 0.0)


def test_levels_do_not_depend_on_blocks():
    noise = np.random.default_rng(0).normal(0, 0.1, (16000, 2)).astype(np.float32)
    whole = measure_levels([noise], 2, RATE, 16)
    parts = measure_levels([noise[:3200], noise[3200:9600], noise[9600:]], 2, RATE, 16)
    assert parts.rms_dbfs == pytest.approx(whole.rms_dbfs)
    assert (parts.sound, parts.mixed, parts.frames) == (whole.sound, whole.mixed, whole.frames)


def test_ten_minutes_of_stereo_need_less_than_100_mb(tmp_path):
    size = 600 * 48000 * 4
    path = tmp_path / "long.wav"
    with path.open("wb") as file:
        file.write(riff(fmt(48000, 2), b"data" + size.to_bytes(4, "little"), size=36 + size))
        file.truncate(44 + size)  # a hole reads as zeros and takes no disk
    tracemalloc.start()
    facts = inspect_audio(path)
    samples = load_mono(path, 16000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (facts.duration_s, len(samples)) == (600.0, 600 * 16000)
    assert peak < 60e6  # 38 MB of it are the samples that come out
