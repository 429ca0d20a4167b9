"""Containers, codings, rates and channel counts that libsndfile reads."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from engine.audio import content_hash, inspect_audio, load_channels, load_mono
from tests.engine.audio.made import triangle

# triangle() touches its peak exactly, so the stored peak is the peak within one step of the coding
CODINGS = [
    ("WAV", "PCM_U8", 8, 2**-7),
    ("WAV", "PCM_16", 16, 2**-15),
    ("WAV", "PCM_24", 24, 2**-23),
    ("WAV", "PCM_32", 32, 1e-7),
    ("WAV", "FLOAT", 32, 1e-9),
    ("WAV", "DOUBLE", 64, 1e-9),
    ("WAV", "ULAW", 8, 0.01),
    ("WAV", "IMA_ADPCM", None, 0.02),
    ("WAVEX", "PCM_16", 16, 2**-15),
    ("RF64", "PCM_16", 16, 2**-15),
    ("W64", "PCM_24", 24, 2**-23),
    ("AIFF", "PCM_16", 16, 2**-15),
    ("AU", "PCM_16", 16, 2**-15),
    ("CAF", "PCM_16", 16, 2**-15),
    ("FLAC", "PCM_16", 16, 2**-15),
    ("FLAC", "PCM_24", 24, 2**-23),
    ("OGG", "OPUS", None, 0.08),
    ("OGG", "VORBIS", None, 0.05),
    ("MP3", "MPEG_LAYER_III", None, 0.05),
]


@pytest.mark.parametrize(("container", "coding", "bits", "step"), CODINGS)
def test_every_coding_gives_its_facts_and_no_fault(tmp_path, container, coding, bits, step):
    path = tmp_path / "clip"
    soundfile.write(path, triangle(48000), 24000, format=container, subtype=coding)
    facts = inspect_audio(path)
    assert facts.format == container.replace("WAVEX", "WAV")
    assert (facts.subtype, facts.bits, facts.sample_rate_hz, facts.channels) == (coding, bits, 24000, 1)
    assert facts.duration_s == pytest.approx(2.0, abs=0.0 if bits else 0.05)  # coded in packets
    assert facts.peak == pytest.approx(0.25, abs=step)
    assert facts.rms_dbfs == pytest.approx(20 * np.log10(0.25 / np.sqrt(3)), abs=0.2)
    assert facts.faults == ()


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 22050, 24000, 32000, 44100, 48000, 96000])
def test_any_rate_comes_out_at_the_asked_one_with_the_tone_where_it_was(tmp_path, rate):
    seconds, tone_hz = 1.5, 440.0
    sound = 0.5 * np.sin(2 * np.pi * tone_hz * np.arange(int(seconds * rate)) / rate)
    soundfile.write(tmp_path / "a.wav", sound, rate, subtype="PCM_24")
    samples = load_mono(tmp_path / "a.wav", 16000)
    assert samples.dtype == np.float32
    assert len(samples) == pytest.approx(seconds * 16000, abs=1)
    wanted = 0.5 * np.sin(2 * np.pi * tone_hz * np.arange(len(samples)) / 16000)
    inside = slice(1600, -1600)  # the ends ring
    assert np.abs(samples - wanted)[inside].max() < 2e-4


def test_a_file_read_in_blocks_resamples_as_if_read_at_once(tmp_path):
    noise = np.random.default_rng(0).normal(0, 0.1, 300000).astype(np.float32)
    soundfile.write(tmp_path / "a.wav", noise, 48000, subtype="FLOAT")
    import soxr

    assert np.array_equal(load_mono(tmp_path / "a.wav", 16000), soxr.resample(noise, 48000, 16000))


def test_six_channels_are_read_in_order_and_mixed_without_the_dead_ones(tmp_path):
    peaks = [0.5, 0.25, 0.125, 0.0, 0.25, 0.125]  # the fourth, the low-frequency channel, is empty
    sound = np.stack([triangle(48000, peak=peak) for peak in peaks], axis=1)
    soundfile.write(tmp_path / "six.wav", sound, 48000, subtype="PCM_16")
    facts = inspect_audio(tmp_path / "six.wav")
    assert facts.peak_by_channel == pytest.approx(peaks, abs=1e-4)
    assert facts.mixed_channels == (1, 2, 3, 5, 6)
    assert [fault.values["channel"] for fault in facts.faults] == [4]
    assert np.abs(load_mono(tmp_path / "six.wav", 48000)).max() == pytest.approx(1.25 / 5, abs=1e-4)


def test_mono_of_live_channels_is_their_mean(tmp_path):
    sound = np.stack([triangle(24000, peak=0.5), triangle(24000, peak=0.25)], axis=1)
    soundfile.write(tmp_path / "two.wav", sound, 24000)
    assert np.abs(load_mono(tmp_path / "two.wav", 24000)).max() == pytest.approx(0.375, abs=1e-4)


def test_channels_come_out_at_their_own_rate_and_in_order(tmp_path):
    sound = np.stack([triangle(9000, peak=0.5), triangle(9000, peak=0.25)], axis=1)
    soundfile.write(tmp_path / "two.wav", sound, 22050, subtype="FLOAT")
    samples, rate = load_channels(tmp_path / "two.wav")
    assert (rate, samples.dtype) == (22050, np.float32)
    assert np.array_equal(samples, sound)


def test_mp3_blocks_join_without_a_glitch(tmp_path):
    # 12 s are several blocks: a seek between them would reset the decoder and leave a dip at each border
    sound = triangle(12 * 24000, period=48, peak=0.5)
    soundfile.write(tmp_path / "a.mp3", sound, 24000)
    whole, _ = soundfile.read(tmp_path / "a.mp3", dtype="float32")
    blocks = load_mono(tmp_path / "a.mp3", 24000)
    assert len(blocks) == len(whole)
    assert np.abs(blocks - whole).max() < 1e-3


def test_chinese_names_and_spaces_are_no_obstacle(tmp_path):
    path = tmp_path / "模型 输出" / "第 1 题（重录）.flac"
    path.parent.mkdir()
    soundfile.write(path, triangle(2400), 24000)
    assert inspect_audio(path).frame_count == 2400
    assert len(load_mono(str(path), 16000)) == 1600


def test_a_name_that_libsndfile_would_take_for_headerless_sound_changes_nothing(tmp_path):
    for name in ("a.raw", "a.vox", "a.gsm"):
        with (tmp_path / name).open("wb") as file:
            soundfile.write(file, triangle(2400), 24000, format="WAV")
        assert inspect_audio(tmp_path / name).frame_count == 2400


@pytest.mark.parametrize(
    ("container", "name", "told"),
    [
        ("FLAC", "a.wav", True),
        ("WAV", "a.mp3", True),
        ("WAV", "a.m4a", True),
        ("WAV", "a.WAV", False),
        ("WAV", "a.bin", False),
        ("WAV", "a", False),
        ("RF64", "a.wav", False),
        ("NIST", "a.wav", False),
    ],
)
def test_only_a_name_that_claims_another_format_is_told(tmp_path, container, name, told):
    with (tmp_path / name).open("wb") as file:
        soundfile.write(file, triangle(24000), 24000, format=container, subtype="PCM_16")
    assert (inspect_audio(tmp_path / name).fault("wrong_extension") is not None) == told


def test_the_content_hash_is_of_the_bytes_alone(tmp_path):
    (tmp_path / "a.wav").write_bytes(b"abc")
    # FIPS 180-2, appendix B.1
    assert content_hash(tmp_path / "a.wav") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
