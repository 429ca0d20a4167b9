"""Which stretches of a recording are marked, against sounds whose silences and clipping are known."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from engine.audio.read import inspect_audio
from engine.audio.stretches import stretches_of

RATE = 16_000


def tone(seconds, peak=0.3):
    return (peak * np.sin(2 * np.pi * 200 * np.arange(round(seconds * RATE)) / RATE)).astype(np.float32)


def silence(seconds):
    return np.zeros(round(seconds * RATE), np.float32)


def found_in(*parts, **more):
    samples = np.concatenate(parts)
    return stretches_of([samples[:, None]], 1, RATE, **more)


def test_silences_of_half_a_second_are_marked_and_shorter_pauses_are_not():
    found = found_in(silence(0.8), tone(1.0), silence(0.3), tone(1.0), silence(0.6), tone(0.5))
    assert found.silent == (pytest.approx((0.0, 0.8)), pytest.approx((3.1, 3.7)))
    assert found.clipped == ()


def test_silence_at_the_end_reaches_to_the_last_sample():
    (stretch,) = found_in(tone(1.0), silence(0.507)).silent
    assert stretch == pytest.approx((1.0, 1.507))


def test_a_recording_without_sound_is_silent_from_end_to_end_however_short():
    assert found_in(silence(0.1)).silent == ((0.0, 0.1),)
    assert found_in(silence(0.0)).silent == ()


def test_clipped_periods_that_follow_one_another_are_one_stretch():
    loud = np.clip(tone(1.0, 2.0), -1, 1)
    found = found_in(tone(1.0), loud, tone(1.0), loud[: RATE // 2])
    assert [(round(s, 2), round(e, 2)) for s, e in found.clipped] == [(1.0, 2.0), (3.0, 3.5)]


def test_two_samples_at_full_scale_are_a_peak_and_three_are_clipped():
    for count, marked in ((2, 0), (3, 1)):
        samples = tone(1.0)
        samples[5000 : 5000 + count] = 1.0
        assert len(found_in(samples).clipped) == marked


def test_floats_over_full_scale_are_not_clipped_yet():
    samples = tone(1.0, 1.5)
    samples[5000:5010] = 1.0
    assert found_in(samples, subtype="FLOAT").clipped == ()
    assert found_in(np.clip(samples, -1, 1), subtype="FLOAT").clipped != ()


def test_what_clips_in_one_channel_alone_is_marked():
    left, right = tone(2.0), np.clip(tone(2.0, 3.0), -1, 1)
    found = stretches_of([np.stack([left, right], axis=1)], 2, RATE)
    assert found.clipped[0] == pytest.approx((0.0, 2.0), abs=0.01)


def test_the_stretches_of_a_file_add_up_to_its_facts(tmp_path):
    rng = np.random.default_rng(3)
    parts = [silence(0.7), tone(1.2), silence(2.0), np.clip(tone(1.0, 4.0), -1, 1), silence(0.9)]
    samples = np.concatenate(parts) + rng.normal(0, 1e-5, sum(map(len, parts))).astype(np.float32)
    path = tmp_path / "a.wav"
    soundfile.write(path, np.tile(samples, 3), RATE, subtype="PCM_16")
    frames, rate = soundfile.read(path, dtype="float32", always_2d=True)
    facts, found = inspect_audio(path), stretches_of([frames], 1, rate)
    assert sum(e - s for s, e in found.silent) / facts.duration_s == pytest.approx(facts.silent_share, abs=0.002)
    assert len(found.clipped) == 3
    assert sum(e - s for s, e in found.clipped) > facts.clipped_share * facts.duration_s > 0
