"""The real device path: PortAudio into a virtual loudspeaker, and a recorder that hears what comes out."""

from __future__ import annotations

import os

import numpy as np
import pytest

from gui.player.output import PortAudio
from gui.player.player import Player, State
from tests.gui.player import pulse

pytestmark = pytest.mark.skipif(not pulse.is_installed(), reason="needs pulseaudio")


@pytest.fixture(scope="module")
def loudspeaker():
    speaker = pulse.VirtualLoudspeaker()
    kept = {name: os.environ.get(name) for name in ("XDG_RUNTIME_DIR", "PULSE_SERVER")}
    try:
        speaker.start()
        os.environ.update({name: speaker.environment[name] for name in kept})
        yield speaker
    finally:
        for name, value in kept.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        speaker.stop()


@pytest.fixture
def heard_player(loudspeaker, jobs, settings, qtbot):
    settings.set("sound_output", "pulse")
    player = Player(jobs, settings, sound=PortAudio())
    with qtbot.waitSignal(player.devices_changed, timeout=20_000):
        player.refresh_devices()
    qtbot.waitUntil(lambda: player.plan is not None, timeout=20_000)
    yield player
    player.close()


def speech(seconds, rate, seed=3):
    """Noise with a moving envelope: it correlates at one place only."""
    generator = np.random.default_rng(seed)
    frames = round(seconds * rate)
    envelope = np.interp(np.arange(frames), np.linspace(0, frames, 30), generator.uniform(0.05, 0.4, 30))
    return generator.standard_normal(frames) * envelope * 0.5


def match(heard, samples):
    """Where ``samples`` lie in ``heard``, and how well they correlate there."""
    size = 1 << (len(heard) + len(samples)).bit_length()
    products = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(samples, size)), size)
    at = int(np.argmax(products[: len(heard)]))
    piece = heard[at : at + len(samples)]
    return at, float(np.corrcoef(piece, samples[: len(piece)])[0, 1])


def ended(qtbot, player):
    qtbot.waitUntil(lambda: player.state is State.READY, timeout=20_000)


def test_what_is_played_is_what_comes_out_of_the_loudspeaker(loudspeaker, heard_player, clip, qtbot):
    samples = speech(1.0, pulse.RATE_HZ)
    heard_player.load(None, clip("a", samples, pulse.RATE_HZ))
    recording = loudspeaker.record()
    heard_player.play()
    qtbot.waitUntil(lambda: heard_player.state is State.PLAYING, timeout=20_000)
    ended(qtbot, heard_player)
    pulse.until(lambda: len(recording.frames()) > 1.5 * pulse.RATE_HZ)
    _, correlation = match(recording.stop(), samples)
    assert heard_player.plan.rate_hz == pulse.RATE_HZ
    assert correlation > 0.99


def test_a_clip_at_another_rate_comes_out_at_its_own_speed(loudspeaker, heard_player, clip, qtbot):
    import soxr

    samples = speech(1.0, 16000)
    heard_player.load(None, clip("a", samples, 16000))
    recording = loudspeaker.record()
    heard_player.play()
    qtbot.waitUntil(lambda: heard_player.state is State.PLAYING, timeout=20_000)
    ended(qtbot, heard_player)
    pulse.until(lambda: len(recording.frames()) > 1.5 * pulse.RATE_HZ)
    _, correlation = match(recording.stop(), soxr.resample(samples, 16000, pulse.RATE_HZ))
    assert heard_player.is_resampled
    assert correlation > 0.99


def test_a_loop_comes_out_without_a_gap(loudspeaker, heard_player, clip, qtbot):
    samples = speech(1.0, pulse.RATE_HZ)
    heard_player.load(None, clip("a", samples, pulse.RATE_HZ))
    heard_player.set_loop((0.2, 0.6))
    recording = loudspeaker.record()
    heard_player.play()
    qtbot.waitUntil(lambda: len(recording.frames()) > 3 * pulse.RATE_HZ, timeout=20_000)
    heard_player.pause()
    ended(qtbot, heard_player)
    heard = recording.stop()
    turn = samples[round(0.2 * pulse.RATE_HZ) : round(0.6 * pulse.RATE_HZ)]
    inside = turn[480:-480]  # without the ramps
    first, _ = match(heard[: 2 * pulse.RATE_HZ], inside)
    second = first % len(turn)
    places = [second + n * len(turn) for n in range((len(heard) - second) // len(turn))]
    rates = [np.corrcoef(heard[at : at + len(inside)], inside)[0, 1] for at in places]
    assert sum(rate > 0.99 for rate in rates) >= 3


def test_at_another_speed_each_second_comes_out_at_its_time(loudspeaker, heard_player, clip, qtbot):
    samples = np.zeros(3 * pulse.RATE_HZ)
    bursts = (0.5, 1.0, 1.75, 2.5)
    for second in bursts:
        first = round(second * pulse.RATE_HZ)
        samples[first : first + 2400] = speech(0.05, pulse.RATE_HZ)
    heard_player.load(None, clip("a", samples, pulse.RATE_HZ))
    heard_player.set_speed(1.5)
    recording = loudspeaker.record()
    heard_player.play()
    qtbot.waitUntil(lambda: heard_player.state is State.PLAYING, timeout=20_000)
    ended(qtbot, heard_player)
    pulse.until(lambda: len(recording.frames()) > 2.5 * pulse.RATE_HZ)
    powers = np.convolve(np.square(recording.stop()), np.ones(480) / 480, "same")
    loud = np.flatnonzero(powers > powers.max() / 50)
    starts = loud[np.insert(np.diff(loud) > 4800, 0, True)] / pulse.RATE_HZ
    assert (starts - starts[0]) * 1.5 == pytest.approx(np.array(bursts) - 0.5, abs=0.03)


def test_looking_for_devices_while_it_plays_leaves_no_stream_behind_and_play_works_again(
    loudspeaker, heard_player, clip, qtbot
):
    from gui.player.devices import OPEN

    heard_player.load(None, clip("a", speech(3.0, pulse.RATE_HZ), pulse.RATE_HZ))
    heard_player.play()
    qtbot.waitUntil(lambda: heard_player.position_s > 0.2, timeout=20_000)
    with qtbot.waitSignal(heard_player.devices_changed, timeout=20_000):
        heard_player.refresh_devices()
    assert (heard_player.state, OPEN) == (State.READY, set())
    heard_player.play()
    qtbot.waitUntil(lambda: heard_player.position_s > 0.6, timeout=20_000)
    heard_player.pause()
    ended(qtbot, heard_player)


def test_the_playhead_follows_the_sound(loudspeaker, heard_player, clip, qtbot):
    heard_player.load(None, clip("a", speech(3.0, pulse.RATE_HZ), pulse.RATE_HZ))
    seen = []
    heard_player.position_changed.connect(seen.append)
    heard_player.play()
    qtbot.waitUntil(lambda: heard_player.position_s > 1.0, timeout=20_000)
    heard_player.pause()
    ended(qtbot, heard_player)
    assert seen == sorted(seen)
    assert heard_player.position_s < 3.0


def test_when_the_sound_server_ends_the_player_says_so_and_keeps_its_place(jobs, settings, clip, qtbot, monkeypatch):
    speaker = pulse.VirtualLoudspeaker()
    try:
        speaker.start()
        for name in ("XDG_RUNTIME_DIR", "PULSE_SERVER"):
            monkeypatch.setenv(name, speaker.environment[name])
        settings.set("sound_output", "pulse")
        player = Player(jobs, settings, sound=PortAudio())
        player.load(None, clip("a", speech(20.0, 16000), 16000))
        player.play()
        qtbot.waitUntil(lambda: player.position_s > 0.3, timeout=20_000)
        with qtbot.waitSignal(player.failed, timeout=20_000) as failed:
            speaker.stop()
        assert failed.args[0].code == "player.device_lost"
        assert player.position_s > 0.2
        assert player.state is State.READY
    finally:
        player.close()
        speaker.stop()
