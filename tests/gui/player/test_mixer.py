"""What the mixer hands out, exact to the sample, at a rate where the ramp is ten frames."""

from __future__ import annotations

import numpy as np
import pytest

from gui.player.deck import Part, Place, Stretch
from gui.player.mixer import Mixer
from gui.player.pcm import Pcm

RATE = 2000
RAMP = 10
GAIN_IN = np.sin(np.pi / 2 * (np.arange(RAMP) + 0.5) / RAMP) ** 2


def pcm(samples, *, complete=True, expected=0):
    made = Pcm(RATE, expected)
    made.append(np.asarray(samples, np.float32).reshape(len(samples), -1))
    if complete:
        made.finish()
    return made


def ones(frames):
    return pcm(np.ones(frames))


def counting(frames):
    """Samples that tell their own place: 1/1000 per frame, starting at 1."""
    return pcm(1 + np.arange(frames) / 1000)


def mixer_of(*parts):
    mixer = Mixer(RATE)
    mixer.load([Part(lane, sound) for lane, sound in parts])
    return mixer


def rendered(mixer, frames, block=7):
    """Left of the next frames, asked for in blocks of a length that divides nothing."""
    out = np.concatenate([mixer.render(min(block, frames - at)) for at in range(0, frames, block)])
    assert np.array_equal(out[:, 0], out[:, 1])
    return out[:, 0].astype(np.float64)


def window(frames):
    """The ramps of a piece that is played from its start to its end."""
    gain = np.ones(frames)
    gain[:RAMP] = GAIN_IN
    gain[-RAMP:] = GAIN_IN[::-1]
    return gain


def test_nothing_sounds_before_play():
    mixer = mixer_of(("answer", ones(100)))
    assert not rendered(mixer, 50).any()
    assert not mixer.is_playing


@pytest.mark.parametrize("block", [1, 7, 64, 1000])
def test_a_clip_is_played_once_from_its_first_frame_to_its_last(block):
    mixer = mixer_of(("answer", counting(200)))
    mixer.play()
    out = rendered(mixer, 260, block)
    assert np.allclose(out[:200], (1 + np.arange(200) / 1000) * window(200), atol=1e-6)
    assert not out[200:].any()
    assert not mixer.is_playing


def test_between_its_ramps_the_samples_are_handed_out_unchanged():
    sound = counting(200)
    mixer = mixer_of(("answer", sound))
    mixer.play()
    out = mixer.render(200)
    assert np.array_equal(out[RAMP:-RAMP, 0], sound.read(0, 200)[RAMP:-RAMP, 0])


def test_a_range_is_played_once_and_the_place_goes_back_to_its_start():
    mixer = mixer_of(("answer", counting(500)))
    mixer.play(Stretch(0, 100, 160))
    out = rendered(mixer, 100)
    assert np.allclose(out[:60], (1 + np.arange(100, 160) / 1000) * window(60), atol=1e-6)
    assert not out[60:].any()
    assert mixer.heard(99) == ("answer", 100)


@pytest.mark.parametrize("length", [3, 20, 61, 100])
@pytest.mark.parametrize("block", [1, 7, 64, 1000])
def test_every_turn_of_a_loop_is_the_same_to_the_sample(length, block):
    mixer = mixer_of(("answer", counting(500)))
    mixer.set_loop(Stretch(0, 100, 100 + length))
    mixer.play()
    turns = rendered(mixer, length * 12, block).reshape(12, length)
    assert np.array_equal(turns, np.tile(turns[0], (12, 1)))
    if length > 2 * RAMP:
        assert np.allclose(turns[0], (1 + np.arange(100, 100 + length) / 1000) * window(length), atol=1e-6)


def test_a_loop_over_an_hour_has_not_moved_by_a_sample():
    length = 777
    mixer = mixer_of(("answer", counting(2000)))
    mixer.set_loop(Stretch(0, 1000, 1000 + length))
    mixer.play()
    turns = 3600 * RATE // length
    for _ in range(turns):
        last = mixer.render(length)
    assert mixer.heard(mixer.frames - length) == ("answer", 1000)
    assert np.allclose(last[:, 0], (1 + np.arange(1000, 1000 + length) / 1000) * window(length), atol=1e-6)


def test_pause_goes_out_by_the_ramp_and_play_goes_on_at_the_same_frame():
    mixer = mixer_of(("answer", ones(500)))
    mixer.play()
    rendered(mixer, 100)
    mixer.pause()
    out = rendered(mixer, 50)
    assert np.allclose(out[:RAMP], GAIN_IN[::-1])
    assert not out[RAMP:].any()
    assert mixer.heard(mixer.frames) == ("answer", 110)
    mixer.play()
    assert np.allclose(rendered(mixer, RAMP), GAIN_IN)
    assert mixer.heard(mixer.frames) == ("answer", 120)


def test_seek_goes_out_first_and_then_comes_in_without_an_overlap():
    mixer = mixer_of(("answer", counting(900)))
    mixer.play()
    rendered(mixer, 100)
    mixer.seek(Place(0, 700))
    out = rendered(mixer, 50)
    assert np.allclose(out[:RAMP], (1 + np.arange(100, 110) / 1000) * GAIN_IN[::-1], atol=1e-6)
    assert np.allclose(out[RAMP : 2 * RAMP], (1 + np.arange(700, 710) / 1000) * GAIN_IN, atol=1e-6)
    assert np.allclose(out[2 * RAMP :], 1 + np.arange(710, 740) / 1000)


def test_another_recording_comes_in_after_the_first_went_out():
    mixer = mixer_of(("answer", ones(500)))
    mixer.play()
    rendered(mixer, 100)
    mixer.load([Part("answer", pcm(np.full(500, 0.5)))])
    out = rendered(mixer, 30)
    assert np.allclose(out[:RAMP], GAIN_IN[::-1])
    assert np.allclose(out[RAMP : 2 * RAMP], 0.5 * GAIN_IN)
    assert np.allclose(out[2 * RAMP :], 0.5)


def test_a_loop_set_behind_a_switch_belongs_to_what_comes():
    mixer = mixer_of(("answer", ones(500)))
    mixer.play()
    rendered(mixer, 100)
    mixer.load([Part("answer", counting(500))])
    mixer.set_loop(Stretch(0, 0, 50))
    rendered(mixer, RAMP)
    turns = rendered(mixer, 100).reshape(2, 50)
    assert np.array_equal(turns[0], turns[1])


def test_question_and_answer_are_played_in_turn():
    mixer = mixer_of(("question", ones(60)), ("answer", pcm(np.full(40, 0.5))))
    mixer.play()
    out = rendered(mixer, 120)
    assert np.allclose(out[:60], window(60))
    assert np.allclose(out[60:100], 0.5 * window(40))
    assert not out[100:].any()
    assert mixer.heard(30) == ("question", 30)
    assert mixer.heard(75) == ("answer", 15)


def test_a_muted_lane_is_silence_of_its_own_length():
    mixer = mixer_of(("question", ones(60)), ("answer", ones(40)))
    mixer.mute({"question"})
    mixer.play()
    out = rendered(mixer, 100)
    assert not out[:60].any()
    assert np.allclose(out[60:], window(40))


def test_gain_is_in_decibels():
    mixer = mixer_of(("answer", ones(500)))
    mixer.set_gains({"answer": -6.0})
    mixer.play()
    assert np.allclose(rendered(mixer, 100)[50:], 10 ** (-6 / 20))


def test_each_lane_has_its_own_gain():
    mixer = mixer_of(("question", ones(60)), ("answer", ones(60)))
    mixer.set_gains({"question": -6.0, "answer": 6.0})
    mixer.play()
    out = rendered(mixer, 120)
    assert np.allclose(out[:60], 10 ** (-6 / 20) * window(60))
    assert np.allclose(out[60:], 10 ** (6 / 20) * window(60))


def test_another_gain_goes_through_silence():
    mixer = mixer_of(("answer", ones(500)))
    mixer.play()
    rendered(mixer, 100)
    mixer.set_gains({"answer": 20.0})
    out = rendered(mixer, 40)
    assert np.allclose(out[:RAMP], GAIN_IN[::-1])
    assert np.allclose(out[RAMP : 2 * RAMP], 10 * GAIN_IN)
    assert np.allclose(out[2 * RAMP :], 10)


def test_an_exchange_goes_on_at_the_same_place_of_the_recording_through_silence():
    mixer = mixer_of(("answer", counting(500)))
    mixer.play()
    rendered(mixer, 100)
    mixer.exchange([Part("answer", counting(1000))], 2.0)
    out = rendered(mixer, 40)
    assert np.allclose(out[:RAMP], (1 + np.arange(100, 110) / 1000) * GAIN_IN[::-1], atol=1e-6)
    assert np.allclose(out[RAMP : 2 * RAMP], (1 + np.arange(220, 230) / 1000) * GAIN_IN, atol=1e-6)
    assert np.allclose(out[2 * RAMP :], 1 + np.arange(230, 250) / 1000)


def test_an_exchange_keeps_the_end_of_a_range_and_the_turns_of_a_loop():
    mixer = mixer_of(("answer", counting(500)))
    mixer.play(Stretch(0, 100, 300))
    rendered(mixer, 50)
    mixer.exchange([Part("answer", counting(250))], 0.5)
    out = rendered(mixer, 200)
    assert np.count_nonzero(out) == RAMP + (300 - 160) // 2
    mixer.set_loop(Stretch(0, 0, 50))
    mixer.play()
    mixer.exchange([Part("answer", counting(500))], 2.0)
    turns = rendered(mixer, 600)
    assert np.array_equal(turns[200:300], turns[300:400])
    assert not np.array_equal(turns[200:250], turns[250:300])


def test_both_ears_of_a_stereo_clip_are_kept_apart():
    mixer = mixer_of(("answer", pcm(np.stack([np.full(100, 0.5), np.full(100, -0.25)], axis=1))))
    mixer.play()
    assert mixer.render(50)[30].tolist() == [0.5, -0.25]
    assert mixer.peak(30) == (0.5, 0.25)


def test_what_is_not_decoded_yet_is_waited_for_in_silence_without_losing_a_frame():
    sound = pcm(1 + np.arange(50) / 1000, complete=False, expected=200)
    mixer = mixer_of(("answer", sound))
    mixer.play()
    first = rendered(mixer, 70)
    sound.append((1 + np.arange(50, 200) / 1000).astype(np.float32)[:, None])
    sound.finish()
    rest = rendered(mixer, 160)
    assert np.allclose(first[RAMP:50], 1 + np.arange(RAMP, 50) / 1000)
    assert not first[50:].any()
    assert np.allclose(rest[RAMP:140], 1 + np.arange(50 + RAMP, 190) / 1000, atol=1e-6)
    assert mixer.starved == 1


def test_the_head_is_not_counted_as_an_underrun_when_play_came_before_the_first_block():
    sound = Pcm(RATE, 100)
    mixer = mixer_of(("answer", sound))
    mixer.play()
    rendered(mixer, 20)
    sound.append(np.ones((100, 1), np.float32))
    sound.finish()
    assert np.allclose(rendered(mixer, 50)[RAMP:], 1)
    assert mixer.starved == 0


def test_a_clip_shorter_than_its_header_promised_ends_where_its_samples_end():
    sound = pcm(np.ones(80), expected=500)
    mixer = mixer_of(("answer", sound))
    mixer.play()
    out = rendered(mixer, 120)
    assert np.count_nonzero(out) == 80
    assert not mixer.is_playing


def test_a_range_beyond_the_end_stops_at_once():
    mixer = mixer_of(("answer", ones(100)))
    mixer.play(Stretch(0, 300, 400))
    assert not rendered(mixer, 50).any()
    assert not mixer.is_playing


def test_a_loop_without_length_or_beyond_the_end_stops():
    for stretch in (Stretch(0, 50, 50), Stretch(0, 300, 400)):
        mixer = mixer_of(("answer", ones(100)))
        mixer.set_loop(stretch)
        mixer.play()
        rendered(mixer, 300)
        assert not mixer.is_playing


def test_pause_and_play_at_once_go_through_silence_and_go_on():
    mixer = mixer_of(("answer", counting(500)))
    mixer.play()
    rendered(mixer, 100)
    mixer.pause()
    mixer.play()
    out = rendered(mixer, 40)
    assert np.allclose(out[:RAMP], (1 + np.arange(100, 110) / 1000) * GAIN_IN[::-1], atol=1e-6)
    assert np.allclose(out[2 * RAMP :], 1 + np.arange(120, 140) / 1000)


def test_playing_and_pausing_an_empty_mixer_is_silence():
    mixer = Mixer(RATE)
    mixer.play()
    mixer.pause()
    assert not mixer.render(100).any()
    assert mixer.heard(50) is not None


def test_a_ramp_that_is_turned_around_has_no_step():
    mixer = mixer_of(("answer", ones(500)))
    mixer.play()
    rendered(mixer, 4)
    mixer.pause()
    out = rendered(mixer, 20)
    assert np.allclose(out[:4], GAIN_IN[:4][::-1])
    assert not out[4:].any()
