"""DNSMOS against the package whose models it runs."""

from __future__ import annotations

import math
from dataclasses import astuple

import numpy as np
import pytest

from engine.speech.dnsmos import dnsmos
from engine.speech.mel import mel_spectrogram

RATE = 16_000


def voice(seconds):
    """A buzz of 120 Hz under a slow envelope, with some noise: sound enough for every model input."""
    time = np.arange(round(seconds * RATE)) / RATE
    buzz = sum(np.sin(2 * np.pi * 120 * n * time) / n for n in range(1, 20)) * (1 + np.sin(2 * np.pi * 3 * time))
    return (0.05 * buzz + 0.002 * np.random.default_rng(0).standard_normal(len(time))).astype(np.float32)


@pytest.mark.parametrize("seconds", [0.4, 2.5, 8.9, 9.01, 9.99, 10.02, 18.5])
def test_values_are_those_of_the_package(seconds):
    pytest.importorskip("librosa")
    package = pytest.importorskip("speechmos.dnsmos")
    samples = voice(seconds)
    told = package.run(samples, RATE)
    expected = [told[name] for name in ("ovrl_mos", "sig_mos", "bak_mos", "p808_mos")]
    np.testing.assert_allclose(astuple(dnsmos(samples)), expected, atol=1e-4)


def test_the_mel_spectrogram_is_librosas():
    librosa = pytest.importorskip("librosa")
    samples = voice(1.0)
    theirs = librosa.feature.melspectrogram(y=samples, sr=RATE, n_fft=321, hop_length=160, n_mels=120)
    np.testing.assert_allclose(mel_spectrogram(samples), theirs, rtol=1e-3, atol=1e-5 * theirs.max())


@pytest.mark.parametrize("samples", [np.zeros(0, np.float32), np.zeros(2 * RATE, np.float32)])
def test_silence_has_no_value(samples):
    assert all(math.isnan(value) for value in astuple(dnsmos(samples)))


def test_a_sample_is_enough_for_a_value():
    assert all(math.isfinite(value) for value in astuple(dnsmos(np.ones(1, np.float32))))


def test_samples_over_full_scale_are_heard_clipped():
    loud = 30 * voice(2.0)
    assert astuple(dnsmos(loud)) == astuple(dnsmos(np.clip(loud, -1, 1)))


def test_noise_lowers_what_a_listener_would_say():
    clean = voice(3.0)
    noisy = clean + 0.05 * np.random.default_rng(1).standard_normal(len(clean)).astype(np.float32)
    assert dnsmos(noisy).bak < dnsmos(clean).bak
