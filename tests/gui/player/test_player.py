"""The player on a device and a clock that are moved by hand."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from engine.errors import EngineError
from gui.player import tracks
from gui.player.clip import Clip
from gui.player.decode import fill
from gui.player.devices import Plan
from gui.player.player import State
from tests.gui.player.conftest import is_stretched
from tests.gui.player.fakes import LATENCY_S

RATE = 16000


def tone(seconds, rate=RATE, hz=440.0):
    return 0.5 * np.sin(2 * np.pi * hz * np.arange(round(seconds * rate)) / rate)


def held_up(work, gate):
    """The first step of some work, and the rest when the test opens the gate."""
    yield next(work)
    gate.wait(10)
    return (yield from work)


def all_read(player):
    """Whether every answer that is kept at hand was read to its end."""
    return all(track.pcm is not None and track.pcm.complete for track in player._tracks._spare.values())


def let_it_end(qtbot, player):
    qtbot.waitUntil(lambda: player.state is State.READY, timeout=5000)


def test_an_empty_player_has_nothing_to_play(player, sound):
    player.toggle()
    assert player.state is State.EMPTY
    assert (player.position_s, player.duration_s) == (0.0, 0.0)
    assert not sound.threads


def test_what_is_played_are_the_samples_of_the_file(player, clip, playing, qtbot):
    samples = tone(0.5)
    player.load(None, clip("a", samples))
    output = playing()
    output.play(0.7)
    heard = output.heard
    start = np.flatnonzero(heard)[0] - np.flatnonzero(samples)[0]
    ramp = round(0.005 * RATE)
    assert np.array_equal(heard[start + ramp : start + 8000 - ramp], samples.astype(np.float32)[ramp : 8000 - ramp])


def test_the_playhead_is_what_is_heard_not_what_was_handed_over(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(2)))
    output = playing()
    output.play(1.0)
    assert player.position_s == pytest.approx(1.0 - LATENCY_S, abs=0.002)
    output.wait(0.004)  # between two blocks it moves on by the device's clock
    assert player.position_s == pytest.approx(1.004 - LATENCY_S, abs=0.002)


def test_the_playhead_never_runs_past_what_was_handed_over(player, clip, playing):
    player.load(None, clip("a", tone(2)))
    output = playing()
    output.play(0.5)
    output.wait(1.0)
    assert player.position_s == pytest.approx(0.5, abs=1e-6)


def test_pause_keeps_the_place_that_was_heard_and_play_goes_on_there(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(2)))
    output = playing()
    output.play(0.6)
    player.pause()
    output.play(0.2)
    let_it_end(qtbot, player)
    assert player.position_s == pytest.approx(0.605, abs=1e-3)
    player.play()
    output.play(0.2)
    assert player.position_s == pytest.approx(0.605 + 0.2 - LATENCY_S, abs=1e-3)


def test_at_the_end_it_stops_and_play_begins_again(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(0.3)))
    output = playing()
    output.play(0.5)
    let_it_end(qtbot, player)
    assert player.position_s == pytest.approx(0.3, abs=1e-4)
    player.play()
    output.play(0.15)
    assert player.position_s == pytest.approx(0.1, abs=2e-3)


def test_seek_shows_its_target_at_once_and_keeps_it_until_it_is_heard(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(3)))
    output = playing()
    output.play(0.5)
    with qtbot.waitSignal(player.position_changed) as moved:
        player.seek(2.0)
    assert moved.args == [2.0]
    for _ in range(12):
        assert player.position_s >= 2.0
        output.play(0.01)
    assert 2.0 < player.position_s < 2.1


def test_seek_stays_within_the_clip(player, clip):
    player.load(None, clip("a", tone(1)))
    player.seek(-3)
    assert player.position_s == 0.0
    player.seek(99)
    assert player.position_s == 1.0


def test_a_range_is_heard_once_and_the_place_goes_back_to_its_start(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(2)))
    output = playing((0.5, 0.8))
    output.play(0.6)
    assert np.count_nonzero(output.heard) == pytest.approx(0.3 * RATE, abs=10)
    let_it_end(qtbot, player)
    assert player.position_s == pytest.approx(0.5, abs=1e-4)


def test_a_loop_is_the_same_to_the_sample_each_time(player, clip, playing):
    player.load(None, clip("a", np.random.default_rng(5).uniform(-0.5, 0.5, 2 * RATE)))
    player.set_loop((0.25, 0.5))
    output = playing()
    output.play(1.6)
    heard = output.heard
    start = np.flatnonzero(heard)[0]
    turns = heard[start : start + 4000 * 5].reshape(5, 4000)
    assert np.array_equal(turns, np.tile(turns[0], (5, 1)))
    assert player.region == (0.25, 0.5)


def test_both_are_heard_in_turn_and_the_playhead_changes_its_lane(player, clip, playing, qtbot):
    player.load(clip("q", tone(0.3)), clip("a", tone(0.3)))
    player.set_part("both")
    output = playing()
    output.play(0.2)
    assert player.spot.lane == "question"
    output.play(0.3)
    assert player.spot.lane == "answer"
    assert player.position_s == pytest.approx(0.5 - 0.3 - LATENCY_S, abs=2e-3)


def test_a_part_without_a_recording_gives_way_to_the_other(player, clip, playing):
    player.load(clip("q", tone(0.3)), None)
    assert player.part == "answer"
    output = playing()
    output.play(0.2)
    assert player.spot.lane == "question"
    assert output.heard.any()


def test_seeking_in_another_lane_makes_it_the_one_that_is_heard(player, clip):
    player.load(clip("q", tone(1)), clip("a", tone(1)))
    player.seek(0.4, "question")
    assert (player.part, player.spot.lane, player.position_s) == ("question", "question", 0.4)


def test_a_muted_lane_is_silent_and_solo_silences_the_others(player, clip, playing):
    player.load(clip("q", tone(0.3)), clip("a", tone(0.3)))
    player.set_part("both")
    player.set_solo("answer", True)
    output = playing()
    output.play(0.3)
    assert not output.heard.any()
    output.play(0.3)
    assert output.heard.any()
    before = len(output.heard)
    player.set_muted("answer", True)
    output.play(0.1)
    assert not output.heard[before + round(0.005 * RATE) + 1 :].any()


def test_loading_other_clips_stops_what_plays(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(2)))
    output = playing()
    output.play(0.2)
    player.load(None, clip("b", tone(1)))
    assert player.state is State.READY
    assert player.position_s == 0.0
    before = len(output.heard)
    output.play(0.1)
    assert not output.heard[before + round(0.005 * RATE) :].any()


def test_the_level_is_that_of_what_is_heard(player, clip, playing, qtbot):
    player.load(None, clip("a", np.stack([np.full(RATE, 0.5), np.full(RATE, 0.25)], axis=1)))
    output = playing()
    output.play(0.5)
    with qtbot.waitSignal(player.level_changed) as level:
        pass
    assert level.args == pytest.approx([-6.02, -12.04], abs=0.01)


def test_a_clip_at_another_rate_is_resampled_and_said_so(player, clip, playing):
    player.load(None, clip("a", tone(1, 24000), 24000))
    output = playing()
    output.play(0.9)
    assert player.is_resampled
    assert player.plan == Plan("Headphones", 0, RATE, 2)
    spectrum = np.abs(np.fft.rfft(output.heard[2000 : 2000 + 8000]))
    assert np.argmax(spectrum) * 2 == pytest.approx(440, abs=2)


def test_the_device_is_used_on_pool_threads_only(player, clip, playing, sound):
    player.load(None, clip("a", tone(0.2)))
    playing()
    assert threading.get_ident() not in sound.threads


@pytest.mark.parametrize("code", ["no_portaudio", "no_device"])
def test_without_a_device_play_says_why_and_looking_does_not(player, clip, sound, qtbot, code):
    sound.trouble = EngineError(f"player.{code}")
    failures = []
    player.failed.connect(failures.append)
    with qtbot.waitSignal(player.device_changed):
        player.load(None, clip("a", tone(1)))
    assert failures == []
    assert player.trouble.code == f"player.{code}"
    with qtbot.waitSignal(player.failed) as failed:
        player.play()
    assert failed.args[0].code == f"player.{code}"
    assert player.state is State.READY


def test_after_a_device_came_play_works(player, clip, sound, playing, qtbot):
    sound.trouble = EngineError("player.no_device")
    player.load(None, clip("a", tone(1)))
    with qtbot.waitSignal(player.failed):
        player.play()
    sound.trouble = None
    playing().play(0.2)
    assert player.trouble is None
    assert sound.looked_again > 0


def test_a_device_that_will_not_open_is_asked_again_at_the_next_play(player, clip, sound, playing, qtbot):
    sound.cannot_open = EngineError("player.cannot_open", device="Headphones", why="busy")
    player.load(None, clip("a", tone(1)))
    with qtbot.waitSignal(player.failed) as failed:
        player.play()
    assert "busy" in str(failed.args[0])
    sound.cannot_open = None
    playing()


def test_a_device_that_dies_keeps_the_place_and_the_next_play_tries_anew(player, clip, sound, playing, qtbot):
    player.load(None, clip("a", tone(2)))
    output = playing()
    output.play(0.6)
    qtbot.waitUntil(lambda: player._spot.position_s > 0.5)
    with qtbot.waitSignal(player.failed) as failed:
        thread = threading.Thread(target=output.ended)
        thread.start()
        thread.join()
    assert failed.args[0].code == "player.device_lost"
    assert player.position_s == pytest.approx(0.55, abs=0.01)
    again = playing()
    assert again is not output
    again.play(0.2)
    assert player.position_s == pytest.approx(0.55 + 0.2 - LATENCY_S, abs=0.02)


def test_a_device_that_silently_asks_for_nothing_is_noticed(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(2)))
    output = playing()
    output.play(0.1)
    with qtbot.waitSignal(player.failed) as failed:
        output.wait(3.0)
    assert failed.args[0].code == "player.device_lost"


def test_underruns_are_counted_and_told(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(2)))
    output = playing()
    output.play(0.1)
    with qtbot.waitSignal(player.underruns_changed) as told:
        output.told.underruns += 2
    assert told.args == [2]
    assert player.underruns == 2


def test_a_missing_file_says_so_when_it_is_played_and_can_be_tried_again(player, clip, playing, qtbot):
    there = clip("a", tone(0.5))
    away = Path(f"{there.path}.away")
    there.path.rename(away)
    player.load(None, there)
    with qtbot.waitSignal(player.failed) as failed:
        player.play()
    assert failed.args[0].code == "audio.missing"
    assert player.state is State.READY
    away.rename(there.path)
    output = playing()
    qtbot.waitUntil(lambda: player._tracks._tracks["answer"].pcm.complete)
    output.play(0.2)
    assert output.heard.any()


def test_a_recording_of_the_workspace_that_was_changed_says_so(player, workspace, clip, qtbot):
    from contextlib import closing

    from engine.store.audio import take_audio

    there = clip("a", tone(0.5))
    with closing(workspace.connect()) as db:
        audio_id = take_audio(db, workspace, there.path, keep="reference")
    there.path.write_bytes(b"something else")
    player.load(None, Clip(audio_id, there.path, 0.5, RATE, 1, workspace=workspace))
    with qtbot.waitSignal(player.failed) as failed:
        player.play()
    assert failed.args[0].code == "store.audio_moved"


def test_the_head_of_a_long_recording_plays_before_its_end_is_read(player, clip, playing, qtbot, monkeypatch):
    gate = threading.Event()
    monkeypatch.setattr(tracks, "fill", lambda pcm, clip: held_up(fill(pcm, clip), gate))
    player.load(None, clip("a", tone(90)))
    output = playing()
    pcm = player._tracks._tracks["answer"].pcm
    qtbot.waitUntil(lambda: pcm.ready > 0)
    output.play(0.3)
    assert output.heard.any()
    assert not pcm.complete
    assert player.duration_s == 90.0
    gate.set()


def test_the_originals_are_not_touched(player, clip, playing):
    there = clip("a", tone(0.3))
    before = (there.path.read_bytes(), there.path.stat().st_mtime_ns)
    player.load(None, there)
    playing().play(0.5)
    assert (there.path.read_bytes(), there.path.stat().st_mtime_ns) == before


def test_no_timer_runs_while_nothing_plays(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(0.2)))
    assert not player._playhead.is_running
    playing().play(0.4)
    let_it_end(qtbot, player)
    assert not player._playhead.is_running


def test_closing_gives_the_device_back(player, clip, playing, sound):
    player.load(None, clip("a", tone(1)))
    output = playing()
    player.close()
    assert output.is_closed


def test_another_device_in_the_settings_is_used_from_the_next_play_on(player, clip, playing, settings, sound, qtbot):
    player.load(None, clip("a", tone(1)))
    output = playing()
    output.play(0.3)
    sound.plan_now = Plan("Loudspeakers", 1, 8000, 2)
    settings.set("sound_output", "Loudspeakers")
    qtbot.waitUntil(lambda: output.is_closed and player.plan is not None)
    again = playing()
    again.play(0.3)
    assert (player.plan.device, again.plan.rate_hz) == ("Loudspeakers", 8000)


def test_looking_for_devices_tells_them(player, sound, qtbot):
    with qtbot.waitSignal(player.devices_changed) as told:
        player.refresh_devices()
    assert [device.name for device in told.args[0]] == ["Headphones"]
    assert sound.looked_again == 1
    qtbot.waitUntil(lambda: player.plan is not None)


def test_another_answer_takes_over_while_it_plays_and_the_two_never_sound_together(player, clip, playing, qtbot):
    low, high = clip("low", np.full(RATE, 0.25)), clip("high", np.full(RATE, 0.5))
    player.load(None, low)
    player.keep_at_hand([low, high])
    output = playing()
    qtbot.waitUntil(lambda: all_read(player))
    output.play(0.2)
    player.switch(high, 0.5)
    output.play(0.2)
    heard, ramp = output.heard[:6400], round(0.005 * RATE)
    assert player.state is State.PLAYING
    assert set(np.round(heard[3200 + 2 * ramp :], 3)) == {np.float32(0.5)}
    middle = heard[3200 : 3200 + 2 * ramp]
    assert (np.diff(middle[:ramp]) < 0).all() and (np.diff(middle[ramp:]) > 0).all()  # out, then in
    assert middle[:ramp].max() <= 0.25 and middle[ramp - 1 : ramp + 1].max() < 1e-3
    assert player.position_s == pytest.approx(0.5 + 0.2 - 0.005 - LATENCY_S, abs=0.002)


def test_an_answer_kept_at_hand_is_there_when_nothing_plays_too(player, clip, playing, qtbot):
    low, high = clip("low", np.full(RATE, 0.25)), clip("high", np.full(RATE, 0.5))
    player.load(None, low)
    player.keep_at_hand([low, high])
    player.switch(high, 0.25)
    assert (player.state, player.spot.lane, player.position_s) == (State.READY, "answer", 0.25)
    output = playing()
    output.play(0.1)
    assert output.heard.max() == np.float32(0.5)


def test_a_loop_goes_on_with_the_answer_that_took_over(player, clip, playing, qtbot):
    low, high = clip("low", np.full(RATE // 2, 0.25)), clip("high", np.full(RATE // 4, 0.5))
    player.load(None, low)
    player.keep_at_hand([low, high])
    player.set_loop((0.1, 0.2))
    output = playing()
    qtbot.waitUntil(lambda: all_read(player))
    output.play(0.3)
    player.switch(high, 0.0)
    output.play(0.6)
    assert player.loops and player.region is None
    assert player.state is State.PLAYING and output.heard[-100:].max() == np.float32(0.5)


def test_at_another_speed_the_playhead_stays_in_the_recordings_own_seconds(player, clip, playing):
    player.load(None, clip("a", tone(4)))
    with_speed = []
    player.speed_changed.connect(with_speed.append)
    player.set_speed(2.0)
    output = playing()
    output.play(1.0)
    assert player.position_s == pytest.approx(2 * (1.0 - LATENCY_S), abs=0.005)
    assert player.duration_s == 4.0
    assert with_speed == [2.0]


@pytest.mark.parametrize("speed", [0.5, 1.5])
def test_another_speed_ends_sooner_or_later_and_keeps_the_pitch(player, clip, playing, qtbot, speed):
    player.load(None, clip("a", tone(2)))
    player.set_speed(speed)
    output = playing()
    output.play(2 / speed + 0.2)
    let_it_end(qtbot, player)
    assert player.position_s == pytest.approx(2.0, abs=1e-3)
    heard = output.heard[np.abs(output.heard) > 0]
    assert len(heard) == pytest.approx(2 / speed * RATE, abs=60)
    spectrum = np.abs(np.fft.rfft(heard * np.hanning(len(heard))))
    assert np.argmax(spectrum) * RATE / len(heard) == pytest.approx(440, abs=2)


@pytest.mark.parametrize("speed", [0.5, 0.9, 1.3, 2.0])
def test_a_loop_at_any_speed_is_the_same_to_the_sample_each_time(player, clip, playing, speed):
    player.load(None, clip("a", np.random.default_rng(5).uniform(-0.5, 0.5, 3 * RATE)))
    player.set_loop((0.6, 1.1))
    player.set_speed(speed)
    output = playing()
    output.play(0.5 / speed * 6)
    heard = output.heard
    length = round(1.1 * RATE / speed) - round(0.6 * RATE / speed)
    start = np.flatnonzero(heard)[0]
    turns = heard[start : start + length * 5].reshape(5, length)
    assert np.array_equal(turns, np.tile(turns[0], (5, 1)))
    assert np.count_nonzero(turns[0]) > 0.99 * length


def test_a_change_of_speed_while_it_plays_goes_through_silence_and_on_where_it_was(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(6)))
    output = playing()
    output.play(1.0)
    before = len(output.heard)
    player.set_speed(1.5)
    is_stretched(qtbot, player)
    output.play(1.0)
    assert player.state is State.PLAYING
    ramp = round(0.005 * RATE)
    assert np.abs(output.heard[before + ramp - 4 : before + ramp + 4]).max() < 0.01
    assert player.position_s == pytest.approx(1.0 + 0.005 + 1.5 * (1.0 - 0.005 - LATENCY_S), abs=0.01)
    player.set_speed(1.0)
    output.play(0.5)
    assert player.position_s == pytest.approx(1.0 + 1.5 * 1.0 + (0.5 - LATENCY_S), abs=0.02)


def test_a_range_at_another_speed_ends_where_it_ends(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(3)))
    player.set_speed(0.5)
    output = playing((1.0, 1.3))
    output.play(0.9)
    let_it_end(qtbot, player)
    assert np.count_nonzero(np.abs(output.heard) > 0) == pytest.approx(0.6 * RATE, abs=60)
    assert player.position_s == pytest.approx(1.0, abs=1e-3)


def test_speeds_are_kept_between_half_and_twice(player):
    player.set_speed(0.1)
    assert player.speed == 0.5
    player.set_speed(7.0)
    assert player.speed == 2.0


def test_where_nothing_can_stretch_it_says_so_and_plays_as_recorded(player, clip, monkeypatch, qtbot):
    monkeypatch.setattr("gui.player.player.can_stretch", lambda: False)
    player.load(None, clip("a", tone(1)))
    with qtbot.waitSignal(player.failed) as failed:
        player.set_speed(1.5)
    assert failed.args[0].code == "player.no_stretch"
    assert player.speed == 1.0


def test_other_clips_are_heard_at_the_speed_that_was_chosen(player, clip, playing):
    player.set_speed(2.0)
    player.load(None, clip("a", tone(2)))
    output = playing()
    output.play(0.5)
    assert player.position_s == pytest.approx(2 * (0.5 - LATENCY_S), abs=0.005)


def test_looking_for_devices_while_one_opens_waits_for_it_and_closes_it(player, clip, sound, qtbot):
    sound.may_open.clear()
    player.load(None, clip("a", tone(1)))
    qtbot.waitUntil(lambda: player.plan is not None)
    player.play()
    qtbot.waitUntil(lambda: len(sound.threads) > 0 and player._device.is_busy)
    player.refresh_devices()
    with qtbot.waitSignal(player.devices_changed):
        sound.may_open.set()
    assert len(sound.opened) == 1
    assert sound.opened[0].is_closed
    assert player._device.output is None
    assert player.state is State.READY


def test_another_device_chosen_while_one_opens_is_the_one_that_plays(player, clip, sound, settings, playing, qtbot):
    sound.may_open.clear()
    player.load(None, clip("a", tone(1)))
    qtbot.waitUntil(lambda: player.plan is not None)
    player.play()
    qtbot.waitUntil(lambda: player._device.is_busy)
    sound.plan_now = Plan("Loudspeakers", 1, 8000, 2)
    settings.set("sound_output", "Loudspeakers")
    sound.may_open.set()
    qtbot.waitUntil(lambda: bool(sound.opened) and sound.opened[0].is_closed)
    output = playing()
    assert output.plan.device == "Loudspeakers"
    output.play(0.3)
    assert output.heard.any()


def test_devices_are_named_without_stopping_what_plays(player, clip, playing, sound, qtbot):
    player.load(None, clip("a", tone(2)))
    output = playing()
    output.play(0.1)
    with qtbot.waitSignal(player.devices_changed):
        player.list_devices()
    assert player.state is State.PLAYING
    assert not output.is_closed
    assert sound.looked_again == 0


def test_underruns_stay_counted_when_the_device_was_given_back(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(2)))
    output = playing()
    output.play(0.1)
    output.told.underruns = 2
    qtbot.waitUntil(lambda: player.underruns == 2)
    player.pause()
    output.play(0.2)
    let_it_end(qtbot, player)
    player._device.release()
    again = playing()
    again.play(0.1)
    again.told.underruns = 1
    qtbot.waitUntil(lambda: player.underruns == 3)


def test_a_workspace_that_is_gone_says_so_and_nothing_breaks(player, workspace, clip, qtbot, settings):
    from contextlib import closing

    from engine.store.audio import take_audio

    there = clip("a", tone(0.5))
    with closing(workspace.connect()) as db:
        audio_id = take_audio(db, workspace, there.path, keep="reference")
    workspace.folder.rename(workspace.folder.with_name("away"))
    player.set_gain_mode("system")
    player.load(None, Clip(audio_id, there.path, 0.5, RATE, 1, workspace=workspace))
    with qtbot.waitSignal(player.failed) as failed:
        player.play()
    assert failed.args[0].code == "store.gone"
    assert player.state is State.READY


def test_a_file_that_is_taken_away_while_it_plays_is_heard_to_its_end(player, clip, playing, qtbot):
    there = clip("a", tone(1))
    player.load(None, there)
    output = playing()
    output.play(0.2)
    there.path.unlink()
    output.play(1.0)
    let_it_end(qtbot, player)
    assert np.count_nonzero(np.abs(output.heard) > 0) > 0.99 * RATE - 10
