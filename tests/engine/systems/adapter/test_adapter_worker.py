"""The worker file: alone, on other Pythons, and driven from here with adapters that do all there is to do."""

from __future__ import annotations

import ast
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from engine.errors import EngineError
from engine.systems.adapter import adapter_worker
from engine.systems.adapter import settings as settings_module
from engine.systems.values import Ask, AudioPiece, Finished, Options, SpokenTurn, TextPiece

WORKER = Path(adapter_worker.__file__)
SHIPPED = WORKER.parent / "shipped"

ECHO = """
from array import array
from pathlib import Path
import json, os, random, sys

class Echo:
    def __init__(self, settings):
        self.settings = settings
    def respond(self, ask):
        print("noise on standard output")
        os.write(1, b'{"type":"result"}\\n')
        yield json.dumps([[turn.role, turn.text, len(turn.audios)] for turn in ask.turns])
        yield ask.words + "|" + ask.system + "|" + str(random.random())
        yield array("f", [0.5, -0.5]), 24000
        for path in ask.audios:
            yield Path(path)
            yield open(path, "rb").read()
        ask.flag("echoed")
    def versions(self):
        return {"echo": "7", "read": sys.stdin.read() or "nothing"}

def load(settings):
    return Echo(settings)
"""


def ask(*audios: Path, **values) -> Ask:
    turns = values.pop("turns", ())
    return Ask("i-1", (*turns, SpokenTurn("user", "说说", audios)), **values)


def test_its_syntax_is_that_of_python_3_8_and_it_needs_nothing_but_the_standard_library():
    for file in (WORKER, *sorted(SHIPPED.glob("*.py"))):
        tree = ast.parse(file.read_text(encoding="utf-8"), file.name, feature_version=(3, 8))
        if file == WORKER:
            nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
            names = {(node.module if isinstance(node, ast.ImportFrom) else node.names[0].name) for node in nodes}
            assert {name.split(".")[0] for name in names} - sys.stdlib_module_names == {"huggingface_hub"}


def other_pythons() -> list[str]:
    """Interpreters of this machine from 3.8 on, this one always."""
    homes = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [str(path) for path in sorted(homes.glob("3.*/bin/python")) if int(path.parts[-3].split(".")[1]) >= 8]
    return list(dict.fromkeys([sys.executable, *found]))


@pytest.mark.parametrize("python", other_pythons())
def test_it_serves_an_adapter_on_every_python_there_is(open_adapter, clip, python):
    system = open_adapter(ECHO, python=python)
    history = (SpokenTurn("system", "简短"), SpokenTurn("user", "早"), SpokenTurn("assistant", "早安"))
    *pieces, finished = system.respond(ask(clip, turns=history, instruction="听", seed=5))

    assert isinstance(finished, Finished)
    texts = [piece.text for piece in pieces if isinstance(piece, TextPiece)]
    sounds = [piece for piece in pieces if isinstance(piece, AudioPiece)]
    roles = [["system", "简短", 0], ["user", "早", 0], ["assistant", "早安", 0], ["user", "说说", 1]]
    assert json.loads(texts[0]) == roles
    assert texts[1].startswith("听\n说说|简短|0.62290169")  # random.Random(5).random()
    assert finished.text == "".join(texts) and finished.flags == ("echoed",)
    assert finished.versions["echo"] == "7" and finished.versions["read"] == "nothing"
    assert sounds[0].samples.tolist() == [0.5, -0.5] and sounds[0].sample_rate_hz == 24000
    heard = soundfile.read(clip, dtype="float32")[0]
    assert all(np.array_equal(sound.samples, heard) and sound.sample_rate_hz == 16000 for sound in sounds[1:])
    assert len(sounds) == 3


@pytest.mark.parametrize("subtype", ["PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE"])
def test_it_reads_wav_files_of_every_usual_coding(tmp_path, subtype):
    samples = np.stack([np.linspace(-0.9, 0.9, 100), np.zeros(100)], axis=1)
    soundfile.write(tmp_path / "a.wav", samples, 8000, subtype=subtype)
    found, rate = adapter_worker.wav_samples((tmp_path / "a.wav").read_bytes())
    assert rate == 8000
    assert np.allclose(found, samples.mean(axis=1), atol=1e-4)


def test_samples_may_be_lists_arrays_or_tensors_of_any_shape_and_kind():
    wanted = np.array([0.25, -0.5], np.float32)
    for samples in (
        [0.25, -0.5],
        wanted.astype(np.float64),
        wanted[None, None, :],
        np.array([8192, -16384], np.int16),
        np.stack([wanted, wanted]),
        np.tile(wanted, 3).reshape(3, 2).T.mean(axis=1),
    ):
        assert np.frombuffer(adapter_worker.float_bytes(samples), "<f4").tolist() == wanted.tolist()


def test_audio_is_handed_over_at_the_rate_that_the_system_wants_or_as_it_is(open_adapter, clip, tmp_path):
    source = "import wave\nclass S:\n    def respond(self, ask):\n        yield str(wave.open(ask.audios[0]).getframerate())\n"
    source += "def load(settings):\n    return S()\n"
    loud = tmp_path / "stereo.wav"
    soundfile.write(loud, np.zeros((4410, 2)) + 0.1, 44100)
    for settings, rate in (({}, "16000"), ({"input_rate_hz": 24000}, "24000"), ({"input_rate_hz": 0}, "44100")):
        assert list(open_adapter(source, **settings).respond(ask(loud)))[-1].text == rate


def test_paths_from_here_hold_though_the_process_works_in_its_checkout(open_adapter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "code").mkdir()
    (tmp_path / "voice.wav").touch()
    source = "import os\nclass S:\n    def __init__(self, told): self.told = told\n    def respond(self, ask):\n"
    source += "        yield os.getcwd() + ' ' + self.told['voice']\ndef load(settings):\n    return S(settings)\n"
    told = list(open_adapter(source, code="./code", voice="./voice.wav").respond(ask()))[-1].text
    assert told == f"{tmp_path / 'code'} {tmp_path / 'voice.wav'}"


def test_a_command_elsewhere_gets_the_audio_as_bytes(open_adapter, clip, tmp_path):
    file = tmp_path / "far.py"
    file.write_text(ECHO, encoding="utf-8")
    command = [sys.executable, "-E", "-s", str(WORKER), str(file)]
    system = open_adapter(ECHO, command=command, send="bytes")
    sounds = [piece for piece in system.respond(ask(clip)) if isinstance(piece, AudioPiece)]
    assert np.array_equal(sounds[1].samples, soundfile.read(clip, dtype="float32")[0])


FAILING = """
import os, signal, sys, threading
class OutOfMemoryError(RuntimeError): pass
class Failing:
    def respond(self, ask):
        yield "begun"
        what = ask.words
        if "bug" in what: print("last words", file=sys.stderr); raise ZeroDivisionError("made for a test")
        if "memory" in what: raise OutOfMemoryError("CUDA")
        if "cannot" in what: ask.cannot("only Mandarin")
        if "die" in what: os.kill(os.getpid(), signal.SIGKILL)
        if "exit" in what: os._exit(3)
        if "leave" in what: sys.exit(3)
        if "hang" in what: threading.Event().wait()
        if "wait" in what:
            while not ask.is_cancelled: threading.Event().wait(0.01)
        if "nan" in what: yield [float("nan")], 24000
        if "odd" in what: yield object()
def load(settings):
    if settings.get("fail"): raise ImportError("No module named 'flash_attn'")
    return Failing()
"""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("bug", "systems.raised"),
        ("memory", "systems.out_of_memory"),
        ("cannot", "adapters.cannot"),
        ("odd", "systems.raised"),
        ("die", "adapters.died"),
        ("exit", "adapters.died"),
        ("leave", "systems.raised"),
        ("hang", "adapters.over_time"),
    ],
)
def test_a_failure_is_one_items_and_the_next_is_answered(open_adapter, words, code):
    system = open_adapter(FAILING)
    with pytest.raises(EngineError) as raised:
        list(system.respond(ask(instruction=words, time_limit_s=0.5 if words == "hang" else 60)))
    assert raised.value.code == code
    assert raised.value.sentence("zh") and raised.value.sentence("en")
    assert list(system.respond(ask()))[-1].text == "begun"


def test_an_adapter_that_does_not_load_says_why(open_adapter):
    with pytest.raises(EngineError) as raised:
        open_adapter(FAILING, fail=True)
    assert raised.value.code == "adapters.not_loaded"
    assert "flash_attn" in str(raised.value)


def test_an_answer_that_is_given_up_is_cancelled_and_does_not_delay_the_next(open_adapter):
    system = open_adapter(FAILING)
    pieces = system.respond(ask(instruction="wait"))
    assert isinstance(next(pieces), TextPiece)
    pieces.close()
    assert list(system.respond(ask()))[-1].text == "begun"


def test_samples_that_are_no_numbers_come_through_to_be_judged(open_adapter):
    pieces = list(open_adapter(FAILING).respond(ask(instruction="nan")))
    assert np.isnan(pieces[1].samples).all()


def test_the_adapter_and_what_it_started_end_with_the_process_that_started_it(tmp_path, open_adapter):
    source = (
        "import os, subprocess\nclass S:\n    def respond(self, ask):\n"
        "        yield '%d %d' % (os.getpid(), subprocess.Popen(['sleep', '1000']).pid)\n"
        "def load(settings):\n    return S()\n"
    )
    system = open_adapter(source)
    process, child = map(int, list(system.respond(ask()))[-1].text.split())
    handles = [os.pidfd_open(process), os.pidfd_open(child)]
    system.close()
    for handle in handles:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        assert poll.poll(20_000), "it still runs"
        os.close(handle)


@pytest.mark.parametrize(
    ("settings", "options", "code"),
    [
        ({"adapter": "none_of_that_name"}, Options(), "no_adapter"),
        ({"python": ""}, Options(), "setting_missing"),
        ({"python": "/no/python"}, Options(), "no_python"),
        ({"needs": ["code"]}, Options(), "setting_missing"),
        ({"code": "/no/folder"}, Options(), "no_code"),
        ({"remote_code": True}, Options(), "remote_code_revision"),
        ({"remote_code": True, "revision": "abc"}, Options(), "remote_code"),
        ({"remote_code": True, "revision": "abc"}, Options(allow_remote_code=("owner/weights@abd",)), "remote_code"),
        ({"command": ["/no/program"]}, Options(), "not_started"),
        ({"command": ["true"]}, Options(), "no_hello"),
    ],
)
def test_what_is_missing_is_said_before_anything_runs(open_adapter, settings, options, code):
    with pytest.raises(EngineError) as raised:
        open_adapter(ECHO, options, **settings)
    assert raised.value.code == f"adapters.{code}"
    assert raised.value.sentence("en")


def test_remote_code_is_trusted_for_the_revision_that_a_person_named(open_adapter):
    source = "class S:\n    def __init__(self, told): self.told = told\n    def respond(self, ask):\n"
    source += "        yield str(self.told['trust_remote_code'])\ndef load(settings):\n    return S(settings)\n"
    allowed = Options(allow_remote_code=("owner/weights@abc",))
    assert list(open_adapter(source, allowed, remote_code=True, revision="abc").respond(ask()))[-1].text == "True"
    assert list(open_adapter(source, allowed).respond(ask()))[-1].text == "False"


def test_the_one_revision_that_was_allowed_is_taken_where_none_is_named(open_adapter):
    source = "class S:\n    def __init__(self, told): self.told = told\n    def respond(self, ask):\n"
    source += "        yield self.told['revision']\ndef load(settings):\n    return S(settings)\n"
    one, two = (
        Options(allow_remote_code=("owner/weights@abc",)),
        Options(allow_remote_code=("owner/weights@abc", "owner/weights@abd")),
    )
    finished = list(open_adapter(source, one, remote_code=True).respond(ask()))[-1]
    assert finished.text == "abc"
    assert finished.versions["weights"] == "owner/weights@abc"
    with pytest.raises(EngineError) as raised:
        open_adapter(source, two, remote_code=True)
    assert raised.value.code == "systems.several_commits"
    assert "abc、abd" in raised.value.sentence("zh")


def test_code_of_authors_is_told_to_ask_no_hub_whatever_may_be_fetched(open_adapter):
    source = "import os\nclass S:\n    def respond(self, ask):\n        yield os.environ['HF_HUB_OFFLINE']\n"
    source += "def load(settings):\n    return S()\n"
    system = open_adapter(source, Options(allow_download=True))
    assert list(system.respond(ask()))[-1].text == "1"


@pytest.mark.parametrize(
    ("device", "worker", "visible", "told"),
    [
        ("auto", 0, "", ("auto", None)),
        ("cpu", 3, "0,1", ("cpu", None)),
        ("auto", 3, "4,5", ("cuda", "5")),
        ("cuda", 0, "4,5", ("cuda", "4")),
        ("cuda:1", 0, "4,5", ("cuda", "5")),
        ("cuda:1", 0, "", ("cuda", "1")),
    ],
)
def test_each_worker_sees_an_accelerator_of_its_own(monkeypatch, tmp_path, device, worker, visible, told):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    monkeypatch.setattr(settings_module, "_ACCELERATORS", tmp_path)
    found, environment = settings_module.placed(device, worker)
    assert (found, environment.get("CUDA_VISIBLE_DEVICES")) == told


def test_the_worker_ends_when_nobody_is_there_to_answer_to(tmp_path):
    file = tmp_path / "echo.py"
    file.write_text(ECHO, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-E", "-s", str(WORKER), str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None and process.stdin is not None
    assert json.loads(process.stdout.readline())["type"] == "hello"
    process.stdin.write(b'not json\n{"type": 3}\n{"type":"ask","id":1,"kind":"fly"}\n')
    process.stdin.flush()
    answers = (json.loads(line) for line in process.stdout)
    assert next(told for told in answers if told["type"] != "heartbeat")["code"] == "worker.unknown_kind"
    process.stdin.close()
    assert process.wait(20) in (0, -signal.SIGKILL)
    process.stdout.close()
