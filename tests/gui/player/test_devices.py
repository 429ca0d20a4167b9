"""Devices that take only some rates and widths, and what two ears hear of any number of channels."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import soundfile

from engine.errors import EngineError
from gui.player.channels import for_device, for_two_ears
from gui.player.clip import Clip
from gui.player.deck import Part
from gui.player.decode import fill
from gui.player.mixer import Mixer
from gui.player.pcm import Pcm
from tests.gui.player.fakes import PickyPortAudio
from tests.shared import case, needs_shared


def played(path, rate_hz, finish, channels=2):
    """All that a device at ``rate_hz`` is handed for one file, shape (time, channels)."""
    pcm = Pcm(rate_hz)
    finish(fill(pcm, Clip(None, path)))
    mixer = Mixer(rate_hz)
    mixer.load([Part("answer", pcm)])
    mixer.play()
    out = mixer.render(pcm.length + rate_hz)
    assert not mixer.is_playing
    return for_device(out, channels)


@needs_shared
def test_a_device_that_refuses_most_rates_plays_every_clip_at_its_own_speed(tmp_path, finish):
    given = case("device-refuses-rate")
    takes = given["input"]["device"]
    plan = PickyPortAudio(takes["accepts_hz"], takes["channels"], own_hz=192000.0).plan
    assert plan.rate_hz in takes["accepts_hz"]
    assert plan.channels in takes["channels"]
    for clip, seconds in zip(given["input"]["clips"], given["expect"]["played_s"], strict=True):
        rate, channels = clip["sample_rate_hz"], clip["channels"]
        tone = 0.3 * np.sin(2 * np.pi * 1000 * np.arange(round(rate * clip["duration_s"])) / rate)
        path = tmp_path / f"{rate}-{channels}.wav"
        soundfile.write(path, np.repeat(tone[:, None], channels, axis=1), rate)
        heard = played(path, plan.rate_hz, finish, plan.channels)
        sounding = np.flatnonzero(np.abs(heard[:, 0]) > 1e-4)
        assert (sounding[-1] - sounding[0]) / plan.rate_hz == pytest.approx(
            seconds, abs=given["expect"]["duration_tolerance_s"]
        )
        middle = heard[plan.rate_hz // 4 : plan.rate_hz * 3 // 4, 1]
        assert np.argmax(np.abs(np.fft.rfft(middle))) * 2 == pytest.approx(1000, abs=3)


def test_the_devices_own_rate_comes_first():
    assert PickyPortAudio([44100, 48000], [2], own_hz=44100.0).plan.rate_hz == 44100


def test_alsa_plugins_claim_44100_so_48000_is_asked_first():
    assert PickyPortAudio([44100, 48000], [2], own_hz=44100.0, host="ALSA").plan.rate_hz == 48000


@pytest.mark.parametrize(("channels", "wanted"), [([1], 1), ([2], 2), ([1, 2], 2), ([6], 6)])
def test_the_number_of_channels_that_the_device_takes_is_used(channels, wanted):
    assert PickyPortAudio([48000], channels).plan.channels == wanted


def test_a_device_that_takes_nothing_says_so():
    with pytest.raises(EngineError) as raised:
        assert PickyPortAudio([], [2]).plan
    assert raised.value.code == "player.refuses_all"
    assert "Picky" in str(raised.value)


def test_without_the_library_it_says_how_to_get_it(monkeypatch):
    from gui.player.devices import list_outputs, plan_for

    class NoLibrary:
        def find_spec(self, name, path=None, target=None):
            if name == "sounddevice":
                raise OSError("PortAudio library not found")

    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [NoLibrary(), *sys.meta_path])
    for ask in (list_outputs, lambda: plan_for("")):
        with pytest.raises(EngineError) as raised:
            ask()
        assert raised.value.code == "player.no_portaudio"
        assert "libportaudio2" in str(raised.value)


def test_six_channels_are_mixed_by_where_their_speakers_stand():
    # front left, front right, centre, bass, back left, back right
    sound = np.eye(6, dtype=np.float32)
    ears = for_two_ears(sound)
    scale = 1 / (1 + 2 * 2**-0.5)  # all six at full scale reach full scale
    assert ears[:, 0] == pytest.approx(scale * np.array([1, 0, 2**-0.5, 0, 2**-0.5, 0]))
    assert ears[:, 1] == pytest.approx(scale * np.array([0, 1, 2**-0.5, 0, 0, 2**-0.5]))
    assert np.abs(for_two_ears(np.ones((1, 6), np.float32))).max() == pytest.approx(1.0)


@pytest.mark.parametrize("channels", range(1, 12))
def test_no_number_of_channels_goes_over_full_scale(channels):
    ears = for_two_ears(np.ones((4, channels), np.float32))
    assert ears.shape[1] in (1, 2)
    assert np.abs(ears).max() <= 1.0 + 1e-6


def test_a_device_with_one_or_many_channels_gets_what_it_needs():
    ears = np.array([[0.5, -0.25]], np.float32)
    assert for_device(ears, 1).tolist() == [[0.125]]
    assert for_device(ears, 4).tolist() == [[0.5, -0.25, 0.0, 0.0]]


def test_samples_that_are_not_numbers_are_played_as_silence(tmp_path, finish):
    samples = np.full(8000, 0.5, np.float32)
    samples[4000:4100] = np.nan
    soundfile.write(tmp_path / "holes.wav", samples, 8000, subtype="FLOAT")
    heard = played(tmp_path / "holes.wav", 8000, finish)
    assert np.isfinite(heard).all()
    assert not heard[4000:4100].any()


def test_an_empty_recording_says_so(tmp_path, finish):
    soundfile.write(tmp_path / "empty.wav", np.zeros(0, np.float32), 8000)
    with pytest.raises(EngineError) as raised:
        finish(fill(Pcm(8000), Clip(None, tmp_path / "empty.wav")))
    assert raised.value.code == "audio.no_samples"


def test_a_long_recording_is_kept_outside_of_memory(monkeypatch):
    from gui.player import pcm as room

    monkeypatch.setattr(room, "_IN_MEMORY_BYTES", 1000)
    kept = Pcm(8000, 4000)
    kept.append(np.full((3000, 1), 0.5, np.float32))
    kept.append(np.full((3000, 1), 0.25, np.float32))  # more than was promised
    kept.finish()
    assert isinstance(kept._frames, np.memmap)
    assert (kept.length, kept.read(2999, 2)[:, 0].tolist()) == (6000, [0.5, 0.25])
