"""A recording at another speed: its pitch, its times, its joins."""

from __future__ import annotations

import numpy as np
import pytest

from gui.player import at_speed
from gui.player.at_speed import PcmAtSpeed
from gui.player.pcm import Pcm

RATE = 16000
SPEEDS = [0.5, 0.7, 1.3, 2.0]


def pcm(samples, *, complete=True, expected=0):
    made = Pcm(RATE, expected)
    samples = np.asarray(samples, np.float32)
    made.append(samples[:, None] if samples.ndim == 1 else samples)
    if complete:
        made.finish()
    return made


def tone(seconds, hz=220.0):
    return 0.5 * np.sin(2 * np.pi * hz * np.arange(round(seconds * RATE)) / RATE)


def noise(seconds, seed=1):
    return np.random.default_rng(seed).uniform(-0.4, 0.4, round(seconds * RATE))


def read(sound, start=0, end=None, block=1000):
    """All frames of a range, made when they are missing."""
    end = sound.length if end is None else end
    pieces, at = [], start
    while at < end:
        frames = sound.read(at, min(block, end - at))
        if not len(frames):
            next(sound.make())
            continue
        pieces.append(frames)
        at += len(frames)
    return np.concatenate(pieces) if pieces else np.zeros((0, 1), np.float32)


@pytest.mark.parametrize("speed", SPEEDS)
def test_it_is_as_long_as_its_speed_says_and_keeps_its_pitch(speed):
    heard = read(PcmAtSpeed(pcm(tone(4)), speed))[:, 0]
    assert len(heard) == round(4 * RATE / speed)
    spectrum = np.abs(np.fft.rfft(heard * np.hanning(len(heard))))
    assert np.argmax(spectrum) * RATE / len(heard) == pytest.approx(220, abs=1.5)


@pytest.mark.parametrize("speed", SPEEDS)
def test_what_sounds_at_a_second_sounds_at_that_second_of_the_slower_or_faster_one(speed):
    bursts = np.arange(0.3, 5.5, 0.37)
    samples, width = np.zeros(6 * RATE), round(0.05 * RATE)
    for second in bursts:
        first = round(second * RATE)
        samples[first : first + width] = np.hanning(width) * noise(0.05, seed=first)
    heard = np.square(read(PcmAtSpeed(pcm(samples), speed))[:, 0].astype(np.float64))
    for second in bursts + 0.025:
        middle, around = round(second / speed * RATE), round(0.12 / speed * RATE)
        piece = heard[max(0, middle - around) : middle + around]
        centre = np.average(np.arange(len(piece)), weights=piece) + max(0, middle - around)
        assert centre / RATE * speed == pytest.approx(second, abs=0.005)


@pytest.mark.parametrize("speed", SPEEDS)
def test_pieces_join_without_a_step_or_a_hole(speed):
    heard = read(PcmAtSpeed(pcm(tone(6)), speed))[800:-800, 0].astype(np.float64)
    own_step = 0.5 * 2 * np.pi * 220 / RATE
    assert np.abs(np.diff(heard)).max() < 1.6 * own_step
    level = np.sqrt(np.convolve(heard**2, np.ones(320) / 320, "valid"))
    assert level.min() > 0.7 * 0.5 * 2**-0.5  # 3 dB


def test_cuts_are_made_where_it_is_quiet():
    samples = noise(3)
    gap = round(0.9 * RATE)
    samples[gap : gap + 500] = 0.0
    sound = PcmAtSpeed(pcm(samples), 2.0)
    read(sound)
    assert gap <= sound._cut(1) <= gap + 500


@pytest.mark.parametrize("speed", [0.5, 1.7])
def test_the_samples_are_the_same_wherever_it_was_read_first(speed):
    source = pcm(noise(6))
    from_start = read(PcmAtSpeed(source, speed))
    later = PcmAtSpeed(source, speed)
    middle = round(3.1 * RATE / speed)
    tail = read(later, middle)
    assert np.array_equal(tail, from_start[middle:])
    assert np.array_equal(read(later), from_start)


def test_the_head_is_there_before_the_recording_is_read_and_stays_as_it_is():
    samples = noise(8)
    whole = read(PcmAtSpeed(pcm(samples), 1.5))
    growing = pcm(samples[: 3 * RATE], complete=False, expected=len(samples))
    sound = PcmAtSpeed(growing, 1.5)
    assert sound.length == len(whole)
    for _ in sound.make():
        pass
    head = sound.read(0, len(whole))
    assert len(head) > 0.3 * RATE
    assert not sound.lacks
    growing.append(np.asarray(samples[3 * RATE :], np.float32)[:, None])
    growing.finish()
    assert sound.lacks
    assert np.array_equal(read(sound), whole)
    assert np.array_equal(head, whole[: len(head)])


def test_only_what_is_heard_next_is_made_and_where_the_loop_begins():
    sound = PcmAtSpeed(pcm(noise(60)), 2.0)
    sound.read(round(40 * RATE / 2), 10)
    sound.loop_start = round(5 * RATE / 2)
    for _ in sound.make():
        pass
    made = [second for second in range(60) if len(sound.read(round((second + 0.5) * RATE / 2), 1))]
    assert set(range(41, 49)) <= set(made)
    assert set(range(6, 14)) <= set(made)
    assert not {0, 1, 25, 55} & set(made)


def test_what_was_heard_is_let_go_of_when_it_is_much(monkeypatch):
    monkeypatch.setattr(at_speed, "_MOST_BYTES", 20 * RATE * 4)
    sound = PcmAtSpeed(pcm(noise(60)), 1.0)
    heard = read(sound)
    assert sum(frames.nbytes for _, frames in sound._pieces.values()) <= 22 * RATE * 4
    assert np.array_equal(read(sound, 0, RATE), heard[:RATE])


@pytest.mark.parametrize("frames", [0, 1, 3, 100, 4000])
@pytest.mark.parametrize("speed", SPEEDS)
def test_the_shortest_recordings_are_stretched_too(frames, speed):
    sound = PcmAtSpeed(pcm(np.full(frames, 0.25)), speed)
    assert len(read(sound)) == round(frames / speed)


def test_both_ears_are_kept_apart():
    samples = np.stack([np.zeros(2 * RATE), tone(2)], axis=1)
    heard = read(PcmAtSpeed(pcm(samples), 1.4))
    assert not heard[:, 0].any()
    assert np.sqrt(np.square(heard[2000:-2000, 1]).mean()) == pytest.approx(0.5 * 2**-0.5, rel=0.1)
