"""A computer without torch does all the work but what needs it, and says what to install for that."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.engine.cli.test_verbs import auricle
from tests.without import without


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """Run a verb where torch is not; the sample workspace is there."""
    folder = tmp_path_factory.mktemp("bare")
    gone = without(folder / "hides")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        ended = auricle(*words, workspace=folder / "w", **gone)
        assert "Traceback" not in ended.stderr, ended.stderr
        return ended

    assert run("sample").returncode == 0
    return run


def test_torch_is_really_gone(tmp_path):
    code = "import importlib.util, importlib.metadata as m\nprint(importlib.util.find_spec('torch'))\nimport torch"
    gone = {**os.environ, **without(tmp_path / "hides")}
    ended = subprocess.run([sys.executable, "-c", code], env=gone, capture_output=True, text=True, check=False)
    assert ended.stdout.strip() == "None"
    assert "ModuleNotFoundError" in ended.stderr


def test_answers_are_measured_scored_and_reported(bare, tmp_path):
    assert bare("measure", "--limit", "2", "--no-recognise").returncode == 0
    assert bare("score").returncode == 0
    assert bare("report", "--out", str(tmp_path / "report.html")).returncode in (0, 1)


def test_speech_is_recognised(tmp_path):
    code = (
        "from engine.audio.read import load_mono\nfrom engine.shipped import shipped\n"
        "from engine.speech.recognise import load_recogniser\nfrom engine.speech.values import RecogniserSpec\n"
        "clip = load_mono(shipped('data/sample/vocalbench_zh/audio/knowledge/chinese/0001.ogg'), 16000)\n"
        "print(load_recogniser(RecogniserSpec(beam_size=1)).transcribe([clip], 'zh')[0].text)"
    )
    gone = {**os.environ, **without(tmp_path / "hides")}
    ended = subprocess.run([sys.executable, "-c", code], env=gone, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert len(ended.stdout.strip()) > 3


@pytest.mark.parametrize(
    "words",
    [
        ("systems", "list"), ("models", "list"), ("makers",), ("doctor",), ("run", "--system", "null", "--limit", "2"),
        ("run", "--system", "offline-cascade", "--dry-run"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_every_other_verb_works(bare, words):
    ended = bare(*words)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "--system", "offline-cascade", "--limit", "1"), "[torch]'"),
        (("run", "--system", "qwen2-audio-7b", "--limit", "1"), "[torch]'"),
        (("measure", "--recogniser", "transformers", "--weights", "/tmp"), "[torch]'"),
        (("measure", "--recogniser", "openai-whisper", "--weights", "/tmp"), "[whisper]'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_needs_it_says_what_to_install(bare, words, says):
    ended = bare(*words)
    assert ended.returncode in (1, 2)
    assert says in ended.stderr
    assert f"{ended.args[0]} -m pip install" in ended.stderr


def test_a_cascade_names_all_its_parts_lack_as_the_doctor_does(bare):
    told = bare("run", "--system", "offline-cascade", "--limit", "1").stderr.strip().splitlines()[-1]
    assert told.partition(" needs ")[2] in bare("doctor", "--system", "offline-cascade").stdout


def test_the_doctor_tells_the_extra_that_lacks_and_how_to_get_it(bare):
    told = json.loads(bare("doctor", "--json").stdout)
    torch = next(check for check in told["checks"] if check["group"] == "packages" and check["id"] == "torch")
    assert torch["state"] == "missing"
    assert "-m pip install" in torch["help"]
    assert not torch["counts"]
    named = bare("doctor", "--system", "offline-cascade")
    assert named.returncode == 1
    assert "-m pip install" in named.stdout
