"""Spectra for drawing, against librosa and against sounds whose spectrum is known."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from engine.audio import load_channels
from engine.audio.mel import band_edges, band_weights, height_of, hz_of, mel_of
from engine.audio.spectrum import (
    TOP_HZ,
    WINDOW_S,
    Bands,
    column_count,
    column_frames,
    column_s,
    level_of,
    read_spans,
    spectrum_columns,
    zoom_of,
)

RATE = 16_000
MEL = Bands(70, "mel")


def sine(hz, seconds=1.0, rate_hz=RATE, peak=1.0):
    return (peak * np.sin(2 * np.pi * hz * np.arange(round(seconds * rate_hz)) / rate_hz)).astype(np.float32)


def whole(samples, zoom=4, bands=MEL, rate_hz=RATE):
    """All columns of a recording."""
    columns = range(column_count(len(samples), rate_hz, zoom))
    return spectrum_columns(samples, 0, rate_hz, columns, zoom, bands, len(samples))


def test_mels_and_triangles_are_librosas():
    librosa = pytest.importorskip("librosa")
    hz = np.linspace(0, 12_000, 500)
    assert mel_of(hz) == pytest.approx(librosa.hz_to_mel(hz))
    assert hz_of(mel_of(hz)) == pytest.approx(hz)
    ours = band_weights(band_edges(70, 8000, "mel"), np.fft.rfftfreq(1024, 1 / RATE))
    theirs = librosa.filters.mel(sr=RATE, n_fft=1024, n_mels=70, fmin=0, fmax=8000, norm=None)
    assert ours == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize("scale", ["mel", "linear"])
def test_a_column_is_the_band_power_that_librosa_finds(scale):
    librosa = pytest.importorskip("librosa")
    samples = np.random.default_rng(5).normal(0, 0.1, RATE).astype(np.float32)
    length, hop = round(WINDOW_S * RATE), round(column_s(5) * RATE)
    size = 1024
    lead = (size - length) // 2  # librosa centres a short window in the transform
    padded = np.pad(samples, (lead + length // 2 - hop // 2, lead + length))
    theirs = librosa.stft(padded, n_fft=size, hop_length=hop, win_length=length, center=False)
    weights = band_weights(band_edges(70, TOP_HZ, scale), np.fft.rfftfreq(size, 1 / RATE))
    window = np.hanning(length + 1)[:-1]
    power = weights @ np.abs(theirs) ** 2 * 4 / (size * np.sum(window**2))
    with np.errstate(divide="ignore"):
        expected = np.maximum(10 * np.log10(power), -127.5)
    ours = level_of(whole(samples, 5, Bands(70, scale)).astype(float))
    assert ours == pytest.approx(expected[:, : ours.shape[1]], abs=0.27)


@pytest.mark.parametrize("rate_hz", [16_000, 24_000, 48_000])
@pytest.mark.parametrize("scale", ["mel", "linear"])
def test_a_full_scale_sine_has_the_same_level_and_row_at_every_rate(rate_hz, scale):
    found = whole(sine(5000, rate_hz=rate_hz), 4, Bands(70, scale), rate_hz)
    row = int(found[:, 60].argmax())
    assert level_of(int(found[:, 60].max())) == pytest.approx(-1, abs=2.1)  # it may fall between two bands
    assert row == pytest.approx(height_of(5000, TOP_HZ, scale) * 71 - 1, abs=1)


def test_half_the_amplitude_is_six_decibels_less_whatever_else_is_there():
    loud, soft = whole(sine(900)), whole(sine(900, peak=0.5))
    assert int(loud.max()) - int(soft.max()) == 12


def test_nothing_stands_above_half_the_sample_rate():
    noise = np.random.default_rng(1).normal(0, 0.2, RATE).astype(np.float32)
    found = whole(noise)
    rows = band_edges(70, TOP_HZ, "mel")[:-2]
    assert not found[rows > RATE / 2].any()
    assert found[rows < RATE / 2 - 2000].min() > 0


def test_silence_is_zero_and_empty_gives_no_column():
    assert not whole(np.zeros(RATE, np.float32)).any()
    assert spectrum_columns(np.zeros(0, np.float32), 0, RATE, range(9), 3, MEL, 0).shape == (70, 0)


def test_a_short_click_is_seen_at_every_zoom():
    samples = np.zeros(20 * RATE, np.float32)
    samples[7 * RATE] = 1.0
    for zoom in range(12):
        column = int(7 / column_s(zoom))
        found = spectrum_columns(samples, 0, RATE, range(column, column + 1), zoom, MEL, len(samples))
        assert found[:50].max() > 0, zoom


def test_columns_are_the_same_from_the_frames_they_ask_for_alone():
    samples = np.random.default_rng(2).normal(0, 0.1, 5 * RATE).astype(np.float32)
    for zoom in (0, 3, 6):
        for columns in (range(40), range(40, 90), range(100, 9999)):
            first, end = column_frames(columns, zoom, RATE)
            from_part = spectrum_columns(samples[first:end], first, RATE, columns, zoom, MEL, len(samples))
            from_all = spectrum_columns(samples, 0, RATE, columns, zoom, MEL, len(samples))
            assert np.array_equal(from_part, from_all)


def test_channels_in_opposite_phase_do_not_cancel():
    one = sine(700)
    both = whole(np.stack([one, -one], axis=1))
    assert np.array_equal(both, whole(one))


def test_columns_are_never_wider_than_a_pixel_nor_narrower_than_half_of_it():
    for pixel_s in np.geomspace(0.0005, 3.0, 200):
        assert pixel_s / 2 - 1e-9 <= column_s(zoom_of(pixel_s)) <= pixel_s + 1e-9


@pytest.mark.parametrize("kind", ["wav", "flac", "ogg", "mp3"])
def test_spans_of_a_file_are_those_of_the_whole(tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    stereo = np.random.default_rng(4).uniform(-0.4, 0.4, (200_000, 2))
    soundfile.write(path, stereo, 24_000)
    samples, _ = load_channels(path)
    spans = [(70_001, 140_003), (139_000, 139_500), (139_400, 180_000), (199_000, 300_000), (250_000, 260_000)]
    for some in (spans, [(0, 500), *spans], spans[2:], [(0, 200_000)], spans[4:], []):
        found = list(read_spans(path, some))
        assert [len(part) for part in found] == [len(samples[first:end]) for first, end in some]
        for (first, end), part in zip(some, found, strict=True):
            assert np.array_equal(part, samples[first:end])
