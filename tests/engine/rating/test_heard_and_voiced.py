"""Where a clip speaks, what was heard of it, how long somebody worked; and the sounds of the check."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from engine.rating.check_sounds import LEVEL_DBFS, RATE_HZ, level_sound, side_sound, write_check_sounds
from engine.rating.heard import Ledger, covered_share, union
from engine.rating.pace import IDLE_S, ActiveClock, time_left_s
from engine.rating.voiced import read_voiced, voiced_spans, within

RATE = 16_000


def spoken(seconds: float, *spans: tuple[float, float], noise: float = 0.0) -> np.ndarray:
    time = np.arange(round(seconds * RATE)) / RATE
    sound = noise * np.random.default_rng(1).standard_normal(len(time))
    for start, end in spans:
        inside = (time >= start) & (time < end)
        sound[inside] += 0.3 * np.sin(2 * np.pi * 220 * time[inside])
    return sound.astype(np.float32)


def spans_of(sound: np.ndarray, block: int = 320 * 7) -> tuple[tuple[float, float], ...]:
    frames = sound[:, None] if sound.ndim == 1 else sound
    return voiced_spans([frames[i : i + block] for i in range(0, len(frames), block)], RATE)


def test_speech_is_found_where_it_is_whatever_the_blocks():
    sound = spoken(4.0, (0.5, 1.5), (2.5, 3.0))
    for block in (320, 3200, 64_000):
        assert spans_of(sound, block) == ((0.5, 1.5), (2.5, 3.0))


def test_speech_over_a_noise_floor():
    assert np.allclose(spans_of(spoken(4.0, (0.5, 1.5), noise=0.001)), [(0.5, 1.5)], atol=0.021)


def test_a_short_pause_belongs_to_speech_and_a_long_one_does_not():
    assert spans_of(spoken(3.0, (0.5, 1.0), (1.16, 2.0))) == ((0.5, 2.0),)
    assert len(spans_of(spoken(3.0, (0.5, 1.0), (1.3, 2.0)))) == 2


def test_a_click_need_not_be_heard():
    assert spans_of(spoken(3.0, (0.5, 1.5), (2.5, 2.52))) == ((0.5, 1.5),)


def test_speech_in_one_ear_counts():
    left = spoken(2.0, (0.5, 1.0))
    assert spans_of(np.stack([left, 0 * left], axis=1)) == ((0.5, 1.0),)


def test_a_silent_clip_has_to_be_heard_whole_and_an_empty_one_not_at_all():
    assert spans_of(np.zeros(RATE * 2, np.float32)) == ((0.0, 2.0),)
    assert voiced_spans([], RATE) == ()


def test_a_file_and_its_samples_give_the_same(tmp_path):
    soundfile.write(tmp_path / "a.wav", spoken(2.0, (0.4, 1.2)), RATE)
    assert read_voiced(tmp_path / "a.wav") == ((0.4, 1.2),)


def test_what_playback_leaves_out_need_not_be_heard():
    assert within(((0.0, 0.2), (0.5, 1.5), (2.0, 3.0)), 0.3, 2.5) == ((0.5, 1.5), (2.0, 2.5))
    assert within(((0.5, 1.5),), 1.0) == ((1.0, 1.5),)
    assert within(((0.5, 1.5),), 2.0) == ()


def test_the_share_heard_does_not_depend_on_order_or_repeats():
    pieces = [(0.0, 0.5), (0.5, 1.0), (2.0, 2.5), (0.2, 0.7)]
    voiced = ((0.25, 1.25), (2.0, 3.0))
    for order in (pieces, pieces[::-1], pieces * 3):
        ledger = Ledger()
        for start, end in order:
            ledger.add(start, end)
        assert ledger.share_of(voiced) == pytest.approx((0.75 + 0.5) / 2)


def test_more_heard_is_never_less_and_never_over_one():
    chance = np.random.default_rng(3)
    voiced = ((0.0, 1.0), (1.5, 4.0), (6.0, 6.5))
    ledger, before = Ledger(), 0.0
    for _ in range(200):
        start = chance.uniform(0, 7)
        ledger.add(start, start + chance.uniform(0, 0.5))
        assert before <= ledger.share_of(voiced) <= 1.0
        before = ledger.share_of(voiced)


def test_a_union_covers_what_its_parts_cover():
    chance = np.random.default_rng(4)
    for _ in range(50):
        starts = chance.uniform(0, 10, 12)
        spans = [
            (float(start), float(start + length))
            for start, length in zip(starts, chance.uniform(0, 2, 12), strict=True)
        ]
        points = np.linspace(0, 12, 4001)
        in_any = np.any([(points >= a) & (points <= b) for a, b in spans], axis=0)
        in_union = np.any([(points >= a) & (points <= b) for a, b in union(spans)], axis=0)
        assert (in_any != in_union).mean() < 0.002  # joins what lies within two milliseconds


def test_blocks_that_touch_are_one_play_and_a_second_hearing_is_another():
    ledger = Ledger()
    for start in np.arange(0, 1, 0.01):
        ledger.add(float(start), float(start) + 0.01)
    ledger.add(0.2, 0.4, speed=1.5)
    assert len(ledger.plays) == 2
    assert ledger.plays[0] == pytest.approx((0.0, 1.0, 1.0))
    assert ledger.plays[1] == (0.2, 0.4, 1.5)


def test_nothing_to_hear_is_all_heard():
    assert covered_share((), ()) == 1.0
    assert covered_share((), ((0.0, 1.0),)) == 0.0


def test_a_clock_counts_work_and_not_the_tea():
    clock = ActiveClock()
    for second in (100.0, 110.0, 110.0 + IDLE_S, 1000.0, 1002.0):
        clock.touch(second)
    assert clock.active_s == 10.0 + IDLE_S + 2.0
    clock.touch(900.0)  # a clock that went back adds nothing
    assert clock.active_s == 42.0
    clock.begin()
    clock.touch(5000.0)
    assert clock.active_s == 0.0


def test_the_time_left_is_the_median_pace_of_the_last_items():
    assert time_left_s([], 10, 20.0) == 200.0
    assert time_left_s([1.0, 1.0], 10, 20.0) == 200.0
    assert time_left_s([1000.0] * 5 + [10.0] * 12, 3, 20.0) == 30.0


def test_the_level_is_that_of_speech_in_recordings():
    sound = level_sound()
    assert 20 * np.log10(np.sqrt(np.mean(sound.astype(np.float64) ** 2))) == pytest.approx(LEVEL_DBFS, abs=0.01)
    assert np.abs(sound).max() < 1.0


def test_a_beep_is_in_one_ear_alone_and_starts_and_ends_in_silence():
    left, right = side_sound("left"), side_sound("right")
    assert np.array_equal(left[:, ::-1], right)
    assert np.abs(left[:, 1]).max() == 0
    assert np.abs(left[:, 0]).max() > 0.05
    assert abs(left[0, 0]) < 1e-6 and abs(left[-1, 0]) < 1e-6


def test_the_sounds_of_the_check_are_written_with_their_lengths(tmp_path):
    for sound in write_check_sounds(tmp_path).values():
        info = soundfile.info(sound.path)
        assert info.samplerate == RATE_HZ
        assert info.frames / info.samplerate == pytest.approx(sound.duration_s)
