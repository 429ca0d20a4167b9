"""Curves asked of a real worker, and kept."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from engine.audio import content_hash
from engine.errors import EngineError
from engine.runs.curves import CurveReader
from engine.store.curves import MOST_BYTES, keep_curves, kept_curves

pytestmark = pytest.mark.timeout(600)
RATE = 16_000


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    made = CurveReader(tmp_path_factory.mktemp("curves") / "worker.log")
    yield made
    made.close()


@pytest.fixture
def voice(tmp_path):
    path = tmp_path / "voice.wav"
    soundfile.write(path, 0.3 * np.sin(2 * np.pi * 180 * np.arange(2 * RATE) / RATE), RATE)
    return path


def test_curves_come_from_a_worker_once_and_then_from_the_cache(reader, voice, workspace, finish):
    pytest.importorskip("librosa")
    sha256 = content_hash(voice)
    found = finish(reader.read(voice, workspace, sha256))
    assert np.nanmedian(found.pitch_hz) == pytest.approx(180, rel=0.02)
    assert found.made_by.startswith("librosa ")
    voice.unlink()
    again = finish(reader.read(voice, workspace, sha256))
    assert again.to_bytes() == found.to_bytes()


def test_what_cannot_be_read_says_why_and_the_worker_goes_on(reader, voice, tmp_path, finish):
    pytest.importorskip("librosa")
    with pytest.raises(EngineError, match="no such|missing|not there") as told:
        finish(reader.read(tmp_path / "gone.wav", None, ""))
    assert told.value.code == "audio.missing"
    assert len(finish(reader.read(voice, None, "")).pitch_hz) == 200


def test_closing_the_work_leaves_the_reader_ready(reader, voice, finish):
    pytest.importorskip("librosa")
    work = reader.read(voice, None, "")
    next(work)
    work.close()
    assert len(finish(reader.read(voice, None, "")).energy_dbfs) == 200


def test_the_cache_is_bounded(workspace, reader, voice, finish):
    pytest.importorskip("librosa")
    curves = finish(reader.read(voice, None, ""))
    size = len(curves.to_bytes())
    for number in range(6):
        keep_curves(workspace, f"{number:064x}", curves, most_bytes=3 * size)
    held = [number for number in range(6) if kept_curves(workspace, f"{number:064x}") is not None]
    assert 1 <= len(held) <= 3
    assert held[-1] == 5
    assert MOST_BYTES > 1000 * size
