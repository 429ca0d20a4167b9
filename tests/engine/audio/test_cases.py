"""Every statement of the shared cases of kind audio."""

from __future__ import annotations

import numpy as np
import pytest

from engine.audio import build_pyramid, envelope, holes, inspect_audio, load_channels, load_mono
from engine.errors import EngineError
from tests.engine.audio.made import codes
from tests.shared import case, make_case, needs_shared, shared_file

pytestmark = needs_shared


def test_extensible_24_bit_stereo_is_read_without_a_flag(tmp_path):
    expect = case("audio-extensible-24bit")["expect"]
    facts = inspect_audio(make_case("audio-extensible-24bit", tmp_path) / "clip.wav")
    assert (facts.format, facts.sample_rate_hz, facts.channels) == ("WAV", expect["sample_rate_hz"], 2)
    assert (facts.frame_count, facts.duration_s, facts.bits) == (expect["frames"], expect["duration_s"], expect["bits"])
    assert facts.peak_by_channel == pytest.approx(expect["peak_by_channel"], abs=1e-4)
    assert facts.faults == ()


def test_a_header_that_was_never_filled_in_is_a_note_and_all_its_sound_is_read(tmp_path):
    expect = case("audio-stream-header-ffffffff")["expect"]
    path = make_case("audio-stream-header-ffffffff", tmp_path) / "clip.wav"
    facts = inspect_audio(path)
    assert (facts.sample_rate_hz, facts.channels, facts.frame_count) == (24000, 1, expect["frames"])
    assert facts.duration_s == expect["duration_s"]
    assert facts.peak == pytest.approx(expect["peak"], abs=1e-4)
    assert codes(facts) == ["header_length_unset"]
    assert facts.faults[0].is_note
    assert len(load_mono(path, 24000)) == expect["frames"]


def test_non_finite_samples_are_counted_placed_and_kept_from_the_recogniser(tmp_path):
    expect = case("audio-non-finite")["expect"]["clip.wav"]
    path = make_case("audio-non-finite", tmp_path) / "clip.wav"
    facts = inspect_audio(path)
    assert (facts.sample_rate_hz, facts.frame_count) == (expect["sample_rate_hz"], expect["frames"])
    assert facts.non_finite_samples == expect["non_finite_samples"]
    assert facts.first_non_finite_s == expect["first_at_s"]
    assert facts.peak == pytest.approx(expect["peak_of_finite"], abs=1e-4)
    assert codes(facts) == ["non_finite"]
    assert np.isfinite([facts.peak, facts.rms_dbfs, facts.dc_offset, facts.spoken_duration_s]).all()
    heard = load_mono(path, 16000)
    assert np.isfinite(heard).all()
    assert heard[[4000, 4001, 8000, 8001, 12000]].tolist() == [0, 0, 0, 0, 0]


def test_non_finite_samples_are_gaps_in_the_drawn_waveform(tmp_path):
    samples, rate = load_channels(make_case("audio-non-finite", tmp_path) / "clip.wav", keep_non_finite=True)
    pyramid = build_pyramid(samples, rate)
    low, _ = envelope(pyramid, 0, 16000, 16000, samples=samples)
    assert np.flatnonzero(np.isnan(low)).tolist() == [4000, 4001, 8000, 8001, 12000]
    low, high = envelope(pyramid, 0, 16384, 16)  # one pixel is 1024 samples: 4000 is in the fourth
    assert np.isfinite([low, high]).all()
    assert np.flatnonzero(holes(pyramid, 0, 16384, 16)).tolist() == [3, 7, 11]


def test_a_clip_of_nan_alone_opens_and_has_no_usable_sample(tmp_path):
    path = make_case("audio-non-finite", tmp_path) / "all-nan.wav"
    facts = inspect_audio(path)
    assert codes(facts) == ["no_usable_sample"]
    assert (facts.peak, facts.rms_dbfs) == (0.0, None)
    with pytest.raises(EngineError) as raised:
        load_mono(path, 16000)
    assert raised.value.code == "audio.no_usable_sample"
    assert "all-nan.wav" in str(raised.value)


def test_a_dead_left_channel_is_named_and_left_out_of_the_mix(tmp_path):
    expect = case("audio-dead-left-channel")["expect"]
    path = make_case("audio-dead-left-channel", tmp_path) / "clip.wav"
    facts = inspect_audio(path)
    assert (facts.sample_rate_hz, facts.channels, facts.frame_count) == (24000, 2, expect["frames"])
    assert facts.peak_by_channel == pytest.approx(expect["peak_by_channel"], abs=1e-4)
    assert codes(facts) == ["dead_channel"]
    assert "channel 1 (left) is silent" in facts.faults[0].sentence("en")
    assert "第 1 声道（左）" in facts.faults[0].sentence("zh")
    assert not facts.is_silent
    best = expect["mono_for_recognition_peak"]["any_of"][0]
    assert np.abs(load_mono(path, 24000)).max() == pytest.approx(best, abs=1e-4)


def test_a_truncated_copy_is_told_with_both_lengths(tmp_path):
    expect = case("audio-truncated")["expect"]
    path = make_case("audio-truncated", tmp_path) / "clip.wav"
    facts = inspect_audio(path)
    assert (facts.frame_count, facts.duration_s) == (expect["frames"], expect["duration_s"])
    assert codes(facts) == ["truncated"]
    assert "truncated: 48000 frames declared, 30000 present" in facts.faults[0].sentence("en")
    assert len(load_mono(path, 24000)) == expect["frames"]


def test_an_mp3_named_wav_is_read_as_what_it_is(tmp_path):
    expect = case("audio-mp3-named-wav")["expect"]
    facts = inspect_audio(make_case("audio-mp3-named-wav", tmp_path) / "clip.wav")
    assert (facts.format, facts.sample_rate_hz, facts.channels) == ("MP3", expect["sample_rate_hz"], 1)
    assert facts.duration_s == pytest.approx(expect["duration_s"], abs=expect["duration_tolerance_s"])
    assert facts.peak == pytest.approx(expect["peak"], abs=expect["peak_tolerance"])
    assert codes(facts) == ["wrong_extension"]
    assert "content is MP3, the name says .wav" in facts.faults[0].sentence("en")


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("0001.wav", "lfs_pointer", ["Git LFS pointer", "96044 bytes expected", "git lfs pull"]),
        ("0002.wav", "web_page", ["a web page, not audio"]),
        ("0003.wav", "empty_file", ["the file is empty"]),
        ("0004.wav", "only_zeros", ["not audio", "only zero bytes"]),
        ("0005.wav", "cut_header", ["cut off inside the header"]),
    ],
)
def test_what_is_not_audio_is_named_for_what_it_is(tmp_path, name, code, says):
    path = make_case("audio-not-audio", tmp_path) / name
    for read in (inspect_audio, load_channels, lambda path: load_mono(path, 16000)):
        with pytest.raises(EngineError) as raised:
            read(path)
        assert raised.value.code == f"audio.{code}"
    assert all(words in str(raised.value) for words in [name, *says])
    assert name in raised.value.sentence("zh")


def test_digital_silence_is_silent_and_has_no_level(tmp_path):
    expect = case("audio-digital-silence")["expect"]
    path = make_case("audio-digital-silence", tmp_path) / "clip.wav"
    facts = inspect_audio(path)
    assert (facts.frame_count, facts.duration_s) == (expect["frames"], expect["duration_s"])
    assert (facts.peak, facts.rms_dbfs) == (0.0, None)
    assert (facts.spoken_duration_s, facts.silent_share) == (expect["spoken_duration_s"], 1.0)
    assert (facts.sound_start_s, facts.sound_end_s, facts.is_silent) == (None, None, True)
    assert codes(facts) == ["silent"]
    assert not load_mono(path, 16000).any()


def test_the_recorded_outputs_case_is_told_from_its_audio_alone(tmp_path):
    folder = make_case("recorded-outputs-check", tmp_path) / "model_output/made/wav/general_knowledge"
    facts = {n: inspect_audio(folder / f"general_knowledge-{n:04d}.wav") for n in range(7)}
    assert [codes(facts[n]) for n in range(7)] == [[], [], [], ["silent"], [], ["truncated"], ["over_long"]]
    assert facts[4].sample_rate_hz == 16000
    over_long = facts[6].faults[0].values
    assert (over_long["duration_s"], over_long["spoken_s"], over_long["end_s"]) == (95.0, 1.0, 1.0)


def test_the_one_real_recording_has_no_fault():
    facts = inspect_audio(shared_file("vocalbench-zh/model_output/qwen3-omni/wav/chinese_knowledge-0000.wav"))
    assert (facts.sample_rate_hz, facts.channels, facts.faults) == (24000, 1, ())
    assert facts.duration_s == pytest.approx(50.89, abs=0.01)
