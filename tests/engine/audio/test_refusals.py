"""What cannot be read is named for what it is, in both languages."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import re
import string
import tomllib
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.audio import facts as facts_module
from engine.audio import inspect_audio, load_mono, write_audio
from engine.errors import EngineError
from engine.shipped import shipped
from tests.engine.audio.made import codes, fmt, put, riff, triangle

ROOM = Path(facts_module.__file__).parent


def error_of(path) -> EngineError:
    with pytest.raises(EngineError) as raised:
        inspect_audio(path)
    assert str(path) in str(raised.value)
    assert str(path) in raised.value.sentence("zh")
    return raised.value


def strings(language):
    return tomllib.loads(shipped(f"strings/{language}/audio.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xef\xbb\xbf<!DOCTYPE html><html>", "web_page"),
        (b"  <HTML><BODY>Access denied</BODY></HTML>", "web_page"),
        (b"<!-- saved from url -->\n<html>", "web_page"),
        (b'<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', "web_page"),
        ("<html><body>找不到页面</body></html>".encode("gb18030"), "web_page"),
        (b'{"error": "rate limited"}', "text_file"),
        ("你好，这不是音频。\n".encode() * 500, "text_file"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n", "lfs_pointer"),
        (b"/annex/objects/SHA256E-s123--00.wav\n", "annex_pointer"),
        (b"R", "cut_header"),
        (b"RIFF\x10\0\0\0WAVE", "cut_header"),
        (b"fLaC\0\0\0\x22", "cut_header"),
        (b"OggS\0\2" + bytes(8), "cut_header"),
        (riff(fmt(), b"LIST\xff\0\0\0" + bytes(40)), "cut_header"),
        (b"fLaC" + bytes(range(256)), "broken_header"),
        (b"RIFF\x10\0\1\0AVI LIST" + bytes(4096), "unsupported_format"),
        (b"\0\0\0\x20ftypM4A \0\0\0\0M4A mp42isom" + bytes(500), "unsupported_format"),
        (b"\x1aE\xdf\xa3" + b"\1" * 500, "unsupported_format"),
        (b"#!AMR\n" + b"\1" * 500, "unsupported_format"),
        (b"PK\x03\x04" + b"\1" * 500, "unsupported_format"),
        (bytes(1), "only_zeros"),
        (bytes(3_000_000), "only_zeros"),
        (bytes(np.random.default_rng(0).integers(1, 255, 5000, dtype=np.uint8)), "not_audio"),
        (bytes(3_000_000) + b"\1", "not_audio"),
    ],
)
def test_what_is_not_audio_gets_its_own_sentence(tmp_path, data, code):
    assert error_of(put(tmp_path / "0001.wav", data)).code == f"audio.{code}"


def test_the_sentence_of_a_text_file_shows_how_it_begins(tmp_path):
    assert '{"error": "rate limited"}' in str(error_of(put(tmp_path / "a.wav", b'{"error": "rate limited"}')))


def test_a_missing_file_a_dangling_link_and_a_folder_are_told_apart(tmp_path):
    assert error_of(tmp_path / "没有.wav").code == "audio.missing"
    (tmp_path / "link.wav").symlink_to("gone.wav")
    assert error_of(tmp_path / "link.wav").code == "audio.dangling_link"
    assert error_of(tmp_path).code == "audio.not_a_file"
    os.mkfifo(tmp_path / "pipe.wav")  # must not wait for a writer
    assert error_of(tmp_path / "pipe.wav").code == "audio.not_a_file"


def test_a_part_of_the_path_that_is_a_file_is_told(tmp_path):
    write_audio(tmp_path / "a.wav", triangle(100), 24000)
    assert error_of(tmp_path / "a.wav" / "b.wav").code == "audio.cannot_open"


def test_a_file_that_may_not_be_read_is_told(tmp_path):
    path = write_audio(tmp_path / "a.wav", triangle(100), 24000)
    path.chmod(0)
    is_root = os.geteuid() == 0
    if is_root:  # root reads everything: become nobody for a moment
        os.seteuid(65534)
    try:
        with pytest.raises(EngineError) as raised:
            inspect_audio(path)
    finally:
        if is_root:
            os.seteuid(0)
    assert raised.value.code == "audio.no_permission"


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    container=st.sampled_from(["WAV", "WAVEX", "RF64", "W64", "AIFF", "AU", "CAF", "FLAC", "OGG"]),
    changes=st.lists(st.tuples(st.integers(0, 199), st.integers(0, 255)), max_size=6),
    kept=st.floats(0, 1),
)
def test_damaged_bytes_end_as_facts_or_as_an_error_that_names_the_file(tmp_path, container, changes, kept):
    memory = io.BytesIO()
    soundfile.write(memory, np.stack([triangle(6000)] * 2, axis=1), 24000, format=container)
    data = bytearray(memory.getvalue())
    for place, value in changes:
        data[place % len(data)] = value
    path = put(tmp_path / "damaged.wav", bytes(data[: round(kept * len(data))]))
    with contextlib.suppress(EngineError):
        codes(inspect_audio(path))
        assert np.isfinite(load_mono(path, 16000)).all()


def test_both_languages_have_the_same_sentences_with_the_same_places():
    places = {}
    for language in ("en", "zh"):
        places[language] = {
            (table, code): {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
            for table, sentences in strings(language).items()
            for code, sentence in sentences.items()
        }
    assert places["en"] == places["zh"]


def test_every_code_that_the_room_uses_has_a_sentence_and_no_sentence_is_left_over():
    source = "".join(path.read_text(encoding="utf-8") for path in ROOM.glob("*.py"))
    used = set(re.findall(r'"(?:audio\.)?([a-z_]+)"', source))
    sentences = strings("en")
    assert set(sentences["error"]) | set(sentences["fault"]) <= used
    assert set(re.findall(r'EngineError\("audio\.([a-z_]+)"', source)) <= set(sentences["error"])
    assert set(re.findall(r'yield "([a-z_]+)"', source)) == set(sentences["fault"])
    assert set(sentences["fault"]) >= facts_module.NOTES


def test_errors_and_facts_travel_between_processes(tmp_path):
    error = error_of(tmp_path / "gone.wav")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    facts = inspect_audio(write_audio(tmp_path / "a.wav", np.zeros(100), 24000))
    assert pickle.loads(pickle.dumps(facts)) == facts
