"""Laws of the peak pyramid and of the envelope drawn from it."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.audio import build_pyramid, envelope, holes, loudness, pyramid_from_bytes, read_pyramid
from engine.audio.pyramid import BASE_BLOCK, pyramid_of_blocks
from engine.errors import EngineError

FRAMES = 200_003  # no multiple of any block


def quiet(frames=FRAMES):
    return np.random.default_rng(1).uniform(-0.01, 0.01, frames).astype(np.float32)


@settings(deadline=None, max_examples=80)
@given(
    at=st.integers(0, FRAMES - 1),
    start=st.floats(-1000, FRAMES - 1),
    width=st.floats(0.5, 1.5 * FRAMES),
    columns=st.integers(1, 3000),
    with_samples=st.booleans(),
)
def test_one_loud_sample_is_visible_at_every_zoom(at, start, width, columns, with_samples):
    samples = quiet()
    samples[at] = 0.9
    low, high = envelope(
        build_pyramid(samples), start, start + width, columns, samples=samples if with_samples else None
    )
    assert low.shape == high.shape == (columns,)
    column = int((at - start) / width * columns)
    if start <= at < start + width and 0 <= column < columns:
        assert high[column] == np.float32(0.9)
    assert not np.nanmin(low, initial=0) < -0.01


@settings(deadline=None, max_examples=60)
@given(start=st.integers(0, FRAMES - 1), width=st.integers(1, FRAMES), columns=st.integers(1, 500))
def test_every_sample_is_inside_its_column(start, width, columns):
    samples = quiet()
    low, high = envelope(build_pyramid(samples), start, start + width, columns)
    places = np.arange(start, min(FRAMES, start + width))
    column = np.minimum(((places - start) * columns) // width, columns - 1)
    assert (low[column] <= samples[places]).all()
    assert (high[column] >= samples[places]).all()


def test_whole_pixels_of_whole_blocks_are_exact():
    samples = quiet(64 * BASE_BLOCK)
    low, high = envelope(build_pyramid(samples), 0, len(samples), 16)
    assert np.array_equal(low, samples.reshape(16, -1).min(axis=1))
    assert np.array_equal(high, samples.reshape(16, -1).max(axis=1))


def test_with_samples_at_hand_narrow_pixels_are_exact():
    samples = quiet(5000)
    low, high = envelope(build_pyramid(samples), 1000, 1400, 100, samples=samples)
    assert np.array_equal(low, samples[1000:1400].reshape(100, 4).min(axis=1))
    assert np.array_equal(high, samples[1000:1400].reshape(100, 4).max(axis=1))


def test_pixels_narrower_than_a_sample_show_it():
    samples = np.array([0.1, 0.2, 0.3], np.float32)
    _, high = envelope(build_pyramid(samples), 0, 3, 12, samples=samples)
    assert high.tolist() == samples.repeat(4).tolist()


def test_beyond_the_recording_there_is_nothing_to_draw():
    samples = quiet(1024)
    low, high = envelope(build_pyramid(samples), -1024, 2048, 12)
    assert np.isnan(low).tolist() == [True] * 4 + [False] * 4 + [True] * 4
    assert np.isnan(high).tolist() == np.isnan(low).tolist()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_non_finite_samples_neither_hide_others_nor_stretch_the_outline(value):
    samples = quiet(8 * BASE_BLOCK)
    samples[300] = value
    samples[301] = 0.9
    samples[4 * BASE_BLOCK : 5 * BASE_BLOCK] = value  # a block without a finite sample is a gap
    pyramid = build_pyramid(samples)
    low, high = envelope(pyramid, 0, len(samples), 8)
    assert np.isnan(low).tolist() == [False] * 4 + [True] + [False] * 3
    assert high[1] == np.float32(0.9)
    assert np.nanmin(low) >= -0.01
    assert holes(pyramid, 0, len(samples), 8).tolist() == [False, True, False, False, True, False, False, False]


def test_the_core_is_the_root_mean_square_of_its_column():
    samples = quiet(64 * BASE_BLOCK)
    wanted = np.sqrt(np.mean(samples.astype(np.float64).reshape(16, -1) ** 2, axis=1))
    assert loudness(build_pyramid(samples), 0, len(samples), 16) == pytest.approx(wanted, rel=1e-4)


@settings(deadline=None, max_examples=60)
@given(start=st.floats(-1000, FRAMES - 1), width=st.floats(0.5, 1.5 * FRAMES), columns=st.integers(1, 500))
def test_the_core_is_level_where_the_sound_is_and_ends_with_it(start, width, columns):
    core = loudness(build_pyramid(np.full(FRAMES, 0.5, np.float32)), start, start + width, columns)
    edges = start + width * np.arange(columns + 1) / columns
    inside = (edges[:-1] < FRAMES) & (edges[1:] > 0)
    assert np.isnan(core[~inside]).all()
    assert core[inside] == pytest.approx(0.5, rel=1e-3)


def test_samples_that_are_not_finite_add_nothing_to_the_core():
    samples = np.full(4 * BASE_BLOCK, 0.5, np.float32)
    samples[:BASE_BLOCK] = np.nan
    assert loudness(build_pyramid(samples), 0, len(samples), 4).tolist() == [0.0, 0.5, 0.5, 0.5]
    assert np.isnan(loudness(build_pyramid(np.zeros(0, np.float32)), 0, 100, 5)).all()


def test_channels_are_drawn_apart():
    samples = np.stack([np.full(1000, 0.5), np.full(1000, -0.25)], axis=1).astype(np.float32)
    pyramid = build_pyramid(samples)
    assert envelope(pyramid, 0, 1000, 2, channel=0)[1].tolist() == [0.5, 0.5]
    assert envelope(pyramid, 0, 1000, 2, channel=1)[0].tolist() == [-0.25, -0.25]
    assert envelope(pyramid, 0, 100, 50, channel=1, samples=samples)[1].tolist() == [-0.25] * 50


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, 1500), max_size=12))
def test_blocks_of_any_length_give_the_same_pyramid(lengths):
    samples = quiet(sum(lengths))
    parts = np.split(samples.reshape(-1, 1), np.cumsum(lengths)[:-1]) if lengths else []
    assert pyramid_of_blocks(parts, 1, 0).to_bytes() == build_pyramid(samples).to_bytes()


def test_a_pyramid_of_a_file_is_that_of_its_samples(tmp_path):
    samples = np.stack([quiet(), -quiet()], axis=1)
    soundfile.write(tmp_path / "a.wav", samples, 48000, subtype="FLOAT")
    assert read_pyramid(tmp_path / "a.wav").to_bytes() == build_pyramid(samples, 48000).to_bytes()


@pytest.mark.parametrize("frames", [0, 1, BASE_BLOCK, FRAMES])
@pytest.mark.parametrize("channels", [1, 2])
def test_bytes_bring_the_same_pyramid_back(frames, channels):
    samples = quiet(frames * channels).reshape(frames, channels)
    samples[frames // 2 : frames // 2 + 1] = np.nan
    pyramid = build_pyramid(samples, 24000)
    again = pyramid_from_bytes(pyramid.to_bytes())
    assert (again.channels, again.frame_count, again.sample_rate_hz) == (channels, frames, 24000)
    assert len(again.levels) == len(pyramid.levels)
    assert np.array_equal(again.power, pyramid.power)
    for ours, theirs in zip(again.levels, pyramid.levels):
        assert ours.block == theirs.block
        assert np.array_equal(ours.low, theirs.low, equal_nan=True)
        assert np.array_equal(ours.high, theirs.high, equal_nan=True)
        assert np.array_equal(ours.holes, theirs.holes)


def test_an_empty_recording_draws_nothing():
    low, high = envelope(build_pyramid(np.zeros(0, np.float32)), 0, 100, 5)
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_stored_bytes_of_another_version_or_damaged_are_refused():
    data = bytearray(build_pyramid(quiet(1000)).to_bytes())
    newer = bytes(data[:8]) + b"\x09\x00" + bytes(data[10:])
    with pytest.raises(EngineError) as raised:
        pyramid_from_bytes(newer)
    assert raised.value.code == "audio.pyramid_version"
    data[-1] ^= 1
    for damaged in (bytes(data), bytes(data[:-3]), b"", b"AURPEAKS", bytes(200)):
        with pytest.raises(EngineError) as raised:
            pyramid_from_bytes(damaged)
        assert raised.value.code == "audio.pyramid_damaged"


def test_an_hour_takes_few_megabytes_and_a_column_few_blocks():
    pyramid = build_pyramid(np.zeros(3_600_000, np.float32), 1000)
    assert len(pyramid.to_bytes()) < 3_600_000 * 12.5 / BASE_BLOCK
    assert pyramid.levels[-1].low.shape[1] <= 4
