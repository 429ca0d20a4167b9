"""Headers that promise what is not there, or fail to promise what is."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
import soundfile

from engine.audio import inspect_audio, load_mono
from engine.errors import EngineError
from tests.engine.audio.made import chunk, codes, fmt, pcm16, put, riff, triangle

SOUND = pcm16(triangle(12000))
DATA = chunk(b"data", SOUND)
TITLE = chunk(b"LIST", b"INFOINAM\x05\0\0\0abcd\0\0")


@pytest.mark.parametrize(
    "length", [0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF - 36, 0x7FFFFFFF, 0x7FFFF000 - 36, 0x80000000, 0]
)
def test_every_length_that_pipes_leave_behind_reads_to_the_end_of_the_file(tmp_path, length):
    data = b"data" + struct.pack("<I", length) + SOUND
    path = put(tmp_path / "a.wav", riff(fmt(), TITLE, data, size=length))
    facts = inspect_audio(path)
    assert (facts.frame_count, codes(facts)) == (12000, ["header_length_unset"])
    assert np.array_equal(load_mono(path, 24000), np.frombuffer(SOUND, "<i2") / np.float32(32768))


def test_half_a_frame_at_the_end_of_a_stream_is_left_out(tmp_path):
    path = put(tmp_path / "a.wav", riff(fmt(), b"data\xff\xff\xff\xff" + SOUND[:-1], size=0xFFFFFFFF))
    assert inspect_audio(path).frame_count == 11999
    assert codes(inspect_audio(path)) == ["header_length_unset"]


@pytest.mark.parametrize(
    "chunks",
    [
        (fmt(), TITLE, DATA),
        (fmt(), DATA, TITLE),
        (chunk(b"JUNK", bytes(28)), fmt(), chunk(b"bext", bytes(602)), DATA),
        (fmt(), chunk(b"LIST", b"INFOIS1"), DATA),
        (fmt(), chunk(b"LIST", b"INFOIS1", pad=False), DATA),
        (fmt(), DATA, chunk(b"id3 ", b"ID3\x03\0\0\0\0\0\0\0")),
    ],
    ids=["list first", "list last", "broadcast", "odd, padded", "odd, not padded", "id3 last"],
)
def test_other_chunks_around_the_sound_are_stepped_over(tmp_path, chunks):
    path = put(tmp_path / "a.wav", riff(*chunks))
    facts = inspect_audio(path)
    assert (facts.frame_count, facts.faults) == (12000, ())
    assert facts.peak == pytest.approx(0.25, abs=1e-4)


@pytest.mark.parametrize("pad", [True, False])
def test_an_odd_number_of_8_bit_samples_is_whole(tmp_path, pad):
    sound = bytes([128, 192, 128, 64] * 250 + [128])
    path = put(tmp_path / "a.wav", riff(fmt(8000, bits=8), chunk(b"data", sound, pad=pad)))
    facts = inspect_audio(path)
    assert (facts.frame_count, facts.bits, facts.peak, facts.faults) == (1001, 8, 0.5, ())


def test_an_empty_data_chunk_opens_and_has_no_samples(tmp_path):
    path = put(tmp_path / "empty.wav", riff(fmt(), chunk(b"data", b"")))
    facts = inspect_audio(path)
    assert (facts.frame_count, facts.duration_s, facts.silent_share) == (0, 0.0, 1.0)
    assert codes(facts) == ["no_samples"]
    with pytest.raises(EngineError, match=r"empty\.wav has no samples") as raised:
        load_mono(path, 16000)
    assert raised.value.code == "audio.no_samples"


def test_an_empty_data_chunk_before_another_chunk_is_empty_not_unset(tmp_path):
    path = put(tmp_path / "a.wav", riff(fmt(), chunk(b"data", b""), TITLE))
    assert codes(inspect_audio(path)) == ["no_samples"]


def test_a_file_cut_right_behind_its_header_is_truncated_to_nothing(tmp_path):
    path = put(tmp_path / "a.wav", riff(fmt(), DATA)[:44])
    assert codes(inspect_audio(path)) == ["no_samples", "truncated"]


@pytest.mark.parametrize("kept", [5, 12, 20, 36, 43])
def test_a_file_cut_inside_its_header_says_so(tmp_path, kept):
    path = put(tmp_path / "a.wav", riff(fmt(), DATA)[:kept])
    with pytest.raises(EngineError) as raised:
        inspect_audio(path)
    assert raised.value.code == "audio.cut_header"


def test_sound_behind_the_declared_end_is_told(tmp_path):
    short = b"data" + struct.pack("<I", 2400) + SOUND  # 1200 of 12000 frames declared; the rest is no chunk
    facts = inspect_audio(put(tmp_path / "a.wav", riff(fmt(), short)))
    assert (facts.frame_count, codes(facts)) == (1200, ["data_after_declared_end"])
    assert facts.faults[0].values["bytes"] == 21600


@pytest.mark.parametrize("broken", [fmt(rate=0), fmt(channels=0), chunk(b"fmt ", b"\1\0"), b""])
def test_a_header_that_makes_no_sense_is_told_from_a_cut_one(tmp_path, broken):
    path = put(tmp_path / "a.wav", riff(broken, DATA))
    with pytest.raises(EngineError) as raised:
        inspect_audio(path)
    assert raised.value.code == "audio.broken_header"


@pytest.mark.parametrize("container", ["WAV", "RF64", "W64", "AIFF", "AU"])
def test_truncation_is_told_in_frames_for_every_container_that_declares_them(tmp_path, container):
    memory = io.BytesIO()
    soundfile.write(memory, triangle(24000), 24000, format=container, subtype="PCM_16")
    whole = memory.getvalue()
    facts = inspect_audio(put(tmp_path / "cut", whole[: len(whole) - 10001]))  # 5000 frames and half of one are gone
    assert (facts.frame_count, codes(facts)) == (18999, ["truncated"])
    assert facts.faults[0].values["declared"] == 24000
    assert facts.faults[0].values["present"] == 18999


def test_a_truncated_flac_keeps_what_could_be_decoded(tmp_path):
    noise = np.random.default_rng(0).normal(0, 0.1, 240000)
    soundfile.write(tmp_path / "a.flac", noise, 24000)
    whole = (tmp_path / "a.flac").read_bytes()
    facts = inspect_audio(put(tmp_path / "cut.flac", whole[: len(whole) // 2]))
    assert codes(facts) == ["truncated"]
    assert facts.faults[0].values["declared"] == 240000
    assert 100000 < facts.frame_count < 120000
    assert len(load_mono(tmp_path / "cut.flac", 24000)) == facts.frame_count


@pytest.mark.parametrize("coding", ["OPUS", "VORBIS"])
def test_an_ogg_without_its_end_mark_is_cut_off(tmp_path, coding):
    noise = np.random.default_rng(0).normal(0, 0.1, 240000)
    soundfile.write(tmp_path / "a.ogg", noise, 24000, subtype=coding)
    whole = (tmp_path / "a.ogg").read_bytes()
    assert codes(inspect_audio(tmp_path / "a.ogg")) == []
    facts = inspect_audio(put(tmp_path / "cut.ogg", whole[: len(whole) * 3 // 4]))
    assert codes(facts) == ["truncated_stream"]
    assert 4.0 < facts.duration_s < 9.0


def test_a_flac_written_to_a_pipe_has_no_length_and_is_whole(tmp_path):
    soundfile.write(tmp_path / "a.flac", triangle(24000), 24000)
    whole = bytearray((tmp_path / "a.flac").read_bytes())
    whole[21] &= 0xF0  # the low 36 bits of bytes 18-25: the number of samples (RFC 9639, section 8.2)
    whole[22:26] = bytes(4)
    facts = inspect_audio(put(tmp_path / "piped.flac", bytes(whole)))
    assert (facts.frame_count, codes(facts)) == (24000, ["header_length_unset"])
    assert len(load_mono(tmp_path / "piped.flac", 16000)) == 16000
