"""Pitch and energy against sounds whose pitch and level are known."""

from __future__ import annotations

import builtins
import subprocess
import sys

import numpy as np
import pytest

from engine.errors import EngineError
from engine.speech.curves import Curves, curve_pieces, curves_from_bytes, made_by

RATE = 16_000


def voice(hz, seconds, peak=0.3):
    time = np.arange(round(seconds * RATE)) / RATE
    return (peak * sum(np.sin(2 * np.pi * hz * n * time) / n for n in (1, 2, 3, 4))).astype(np.float32)


def curves_of(samples):
    pieces = list(curve_pieces(samples))
    return tuple(np.concatenate([piece[place] for piece in pieces]) for place in (0, 1)), len(pieces)


@pytest.fixture(autouse=True)
def _needs_librosa():
    pytest.importorskip("librosa")


def test_a_voice_has_its_pitch_and_a_pause_has_none():
    samples = np.concatenate([voice(120, 1.0), np.zeros(RATE, np.float32), voice(220, 1.0)])
    (pitch, _), _ = curves_of(samples)
    assert len(pitch) == 300
    assert pitch[20:80] == pytest.approx(120, rel=0.02)
    assert pitch[220:280] == pytest.approx(220, rel=0.02)
    assert np.isnan(pitch[110:190]).all()


def test_energy_is_the_root_mean_square_in_dbfs():
    sine = (0.5 * np.sin(2 * np.pi * 200 * np.arange(RATE) / RATE)).astype(np.float32)
    (_, energy), _ = curves_of(np.concatenate([sine, sine / 10, np.zeros(RATE, np.float32)]))
    assert energy[30:70] == pytest.approx(-9.03, abs=0.1)
    assert energy[130:170] == pytest.approx(-29.03, abs=0.1)
    assert np.isneginf(energy[250])


def test_pieces_join_without_a_seam():
    samples = voice(150, 41.0, peak=0.2)
    (pitch, energy), count = curves_of(samples)
    assert count == 3
    assert len(pitch) == len(energy) == 4100
    assert pitch[5:-5] == pytest.approx(150, rel=0.02)
    assert energy[5:-5].std() < 0.3


@pytest.mark.parametrize("frames", [0, 1, 159, 161, 700])
def test_sounds_shorter_than_a_frame_have_a_value_each_ten_milliseconds(frames):
    pieces = list(curve_pieces(np.full(frames, 0.1, np.float32)))
    assert sum(len(pitch) for pitch, _ in pieces) == -(-frames // 160)


def test_stored_curves_come_back_and_what_is_damaged_does_not():
    made = Curves(0.01, np.array([120, np.nan], np.float32), np.array([-20, -np.inf], np.float32), made_by())
    data = made.to_bytes()
    found = curves_from_bytes(data)
    assert found.step_s == 0.01
    assert found.made_by == made_by()
    assert np.array_equal(found.pitch_hz, made.pitch_hz, equal_nan=True)
    assert np.array_equal(found.energy_dbfs, made.energy_dbfs)
    for bad in (None, b"", data[:-1], data[:20], data.replace(b"librosa", b"librosb"), b"x" * 40):
        assert curves_from_bytes(bad) is None


def test_without_librosa_the_error_says_how_to_get_it(monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest):
        if name == "librosa":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(EngineError, match=r"pip install .*\[features\]"):
        list(curve_pieces(voice(100, 0.2)))


def test_the_modules_the_window_loads_do_not_load_librosa():
    code = "import sys, engine.runs.curves, engine.store.curves; sys.exit('librosa' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
