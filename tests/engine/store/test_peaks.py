"""The cache of peak pyramids: bounded, whole or not there, and never in the way."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest
import soundfile

from engine.audio import content_hash, read_pyramid
from engine.errors import EngineError
from engine.store import peaks
from engine.store.peaks import peaks_of


@pytest.fixture
def audio(tmp_path):
    def write(seed=1, frames=20_000):
        path = tmp_path / f"{seed}.wav"
        soundfile.write(path, np.random.default_rng(seed).uniform(-0.5, 0.5, frames), 16000)
        return content_hash(path), path

    return write


@pytest.fixture
def reads(monkeypatch):
    """Which files were read to make a pyramid."""
    found = []

    def read(path):
        found.append(path)
        return read_pyramid(path)

    monkeypatch.setattr(peaks, "read_pyramid", read)
    return found


def files(workspace):
    return sorted((workspace.folder / "peaks").iterdir())


def test_a_recording_is_read_once(workspace, audio, reads):
    sha, path = audio()
    first = peaks_of(workspace, sha, path)
    again = peaks_of(workspace, sha, path)
    assert reads == [path]
    assert again.to_bytes() == first.to_bytes() == read_pyramid(path).to_bytes()


@pytest.mark.parametrize("damage", [b"", b"AURPEAKS", b"\x00" * 500])
def test_a_damaged_file_is_made_again(workspace, audio, reads, damage):
    sha, path = audio()
    peaks_of(workspace, sha, path)
    files(workspace)[0].write_bytes(damage)
    assert peaks_of(workspace, sha, path).to_bytes() == read_pyramid(path).to_bytes()
    peaks_of(workspace, sha, path)
    assert len(reads) == 2


def test_a_file_of_another_version_is_made_again(workspace, audio, reads):
    sha, path = audio()
    peaks_of(workspace, sha, path)
    kept = files(workspace)[0]
    data = kept.read_bytes()
    kept.write_bytes(data[:8] + b"\x01\x00" + data[10:])
    peaks_of(workspace, sha, path)
    assert len(reads) == 2
    assert kept.read_bytes() == data


def test_the_longest_unused_go_when_it_grows_too_large(workspace, audio, reads):
    made = [audio(seed) for seed in range(4)]
    size = len(read_pyramid(made[0][1]).to_bytes())
    for place, (sha, path) in enumerate(made[:3]):
        peaks_of(workspace, sha, path, 4 * size)
        os.utime(workspace.folder / "peaks" / f"{sha}.peaks", (1000 + place, 1000 + place))
    peaks_of(workspace, made[0][0], made[0][1], 4 * size)  # used: now the youngest
    peaks_of(workspace, made[3][0], made[3][1], round(3.5 * size))
    kept = {path.stem for path in files(workspace)}
    assert kept == {made[0][0], made[2][0], made[3][0]}


def test_nothing_half_written_is_left_and_leftovers_count(workspace, audio):
    sha, path = audio()
    peaks_of(workspace, sha, path)
    assert [file.name for file in files(workspace)] == [f"{sha}.peaks"]
    left = workspace.folder / "peaks" / ".partial-x.peaks"
    left.write_bytes(b"0" * 100_000)
    os.utime(left, (1000, 1000))
    other = audio(2)
    peaks_of(workspace, *other, 50_000)
    assert [file.name for file in files(workspace)] == sorted([f"{sha}.peaks", f"{other[0]}.peaks"])


def test_where_nothing_can_be_written_the_pyramid_is_made_each_time(workspace, audio, reads):
    (workspace.folder / "peaks").write_text("in the way")
    sha, path = audio()
    for _ in range(2):
        assert peaks_of(workspace, sha, path).frame_count == 20_000
    assert len(reads) == 2


def test_two_threads_at_once_both_get_it(workspace, audio):
    sha, path = audio()
    found = []
    threads = [threading.Thread(target=lambda: found.append(peaks_of(workspace, sha, path))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({pyramid.to_bytes() for pyramid in found}) == 1
    assert len(files(workspace)) == 1


def test_audio_that_is_not_there_says_so(workspace, tmp_path):
    with pytest.raises(EngineError) as raised:
        peaks_of(workspace, "0" * 64, tmp_path / "gone.wav")
    assert raised.value.code == "audio.missing"
