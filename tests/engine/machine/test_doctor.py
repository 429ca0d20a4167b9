"""The doctor says what is here, what lacks and how to get it, for each system too; keys stay where they are."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from engine.cli.main import app
from engine.errors import EngineError
from engine.machine.check import check_machine
from engine.machine.computer import Gpu, chinese_family, gpu_check, gpus
from engine.machine.doctor import examine
from engine.machine.findings import GROUPS
from engine.machine.packages import wanted
from engine.machine.readiness import lacks
from engine.machine.values import Asked
from engine.models.cache import UNFINISHED
from engine.models.consent import trust
from engine.models.declaration import load_models
from engine.strings import LANGUAGES, text
from engine.systems.declaration import SystemDeclaration, declared_system, load_systems


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    (tmp_path / "config").mkdir()
    monkeypatch.setenv("AURICLE_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("AURICLE_API_KEY", raising=False)


def program(folder, name, says):
    """A stand-in for a program, put before the real one."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\ncat <<'END'\n{says}\nEND\n", encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def codes(problems):
    return [problem.code for problem in problems]


def test_every_declared_system_is_told_in_both_languages_with_what_was_really_run(tmp_path, finish):
    found = finish(examine(tmp_path))
    groups = [group for group in GROUPS if group != "fonts" or chinese_family() is not None]
    assert list(dict.fromkeys(finding.group for finding in found)) == groups
    systems = {finding.id: finding for finding in found if finding.group == "systems"}
    assert systems.keys() == load_systems().keys()
    for finding in systems.values():
        assert finding.verified == "never run" or {"date", "device", "what"} == set(finding.verified)
        assert not finding.counts
        assert finding.sentence["en"] != finding.sentence["zh"]
        assert bool(finding.help["en"]) == bool(finding.help["zh"]) == (finding.state != "ready")
    assert systems["null"].state == "ready"
    assert "auricle models fetch qwen2_5_omni_7b" in systems["qwen2_5_omni_7b"].help["en"]


def test_a_named_system_counts_and_sets_the_exit_status():
    run = CliRunner()
    ended = run.invoke(app, ["doctor", "--system", "qwen2-5-omni-7b", "--json"])
    told = json.loads(ended.stdout)
    last = told["checks"][-1]
    assert (ended.exit_code, told["clean"], last["id"], last["counts"]) == (1, False, "qwen2_5_omni_7b", True)
    assert last["verified"] == "never run"
    assert [check["id"] for check in told["checks"] if check["group"] == "systems"] == ["qwen2_5_omni_7b"]


def test_the_doctor_prints_one_line_a_group_and_what_lacks_below_it(monkeypatch):
    monkeypatch.setenv("AURICLE_LANGUAGE", "en")
    printed = CliRunner().invoke(app, ["doctor"]).stdout
    heads = [line[2:].partition(":")[0] for line in printed.splitlines() if line[:2] in ("✓ ", "– ", "! ")]
    groups = [group for group in GROUPS if group != "fonts" or chinese_family() is not None]
    assert [head.lower() for head in heads] == groups
    # no judge is set up in the settings of this test: it is told under its group, and how to get one under it
    lines = printed.splitlines()
    place = lines.index("    – Judge: " + text("machine.says.judge_none", "en"))
    assert lines[place + 1].startswith("        Add an endpoint in Settings")
    assert "numpy" not in printed
    assert "qwen2_audio_7b" not in printed
    assert "numpy" in (whole := CliRunner().invoke(app, ["doctor", "--all"]).stdout)
    assert "auricle models fetch qwen2_audio_7b_instruct" in whole


def test_a_named_system_is_told_whole_and_a_mistyped_one_is_answered_with_what_was_meant(monkeypatch):
    monkeypatch.setenv("AURICLE_LANGUAGE", "en")
    ended = CliRunner().invoke(app, ["doctor", "--system", "null"])
    assert "✓ null" in ended.stdout
    assert ended.exit_code in (0, 1)
    with pytest.raises(EngineError, match="Did you mean offline_cascade"):
        CliRunner().invoke(app, ["doctor", "--system", "ofline-cascade"], catch_exceptions=False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_doctor_and_the_window_say_the_same_of_the_same_thing(tmp_path, finish, language):
    asked = Asked(tmp_path, chinese_font=chinese_family(), list_devices=True)
    window = {check.id: check.sentence(language) for check in finish(check_machine(asked))}
    doctor = {finding.id: finding.sentence[language] for finding in finish(examine(tmp_path, ["null"]))}
    same = [
        name for name in window if name not in ("gpu", "disk")
    ]  # the doctor asks the driver; a disk fills meanwhile
    assert {name: doctor[name] for name in same} == {name: window[name] for name in same}


def test_a_key_is_told_by_where_it_is_and_an_address_by_its_host(tmp_path, finish, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    endpoints = [
        {"base_url": "https://me:password@judge.example/v1", "model": "one", "key_env": "MY_KEY"},
        {"base_url": "http://127.0.0.1:8000/v1", "model": "two"},
        {"base_url": "https://other.example/v1", "model": "three"},
        "odd",
    ]
    file = tmp_path / "config" / "settings.json"
    file.write_text(json.dumps({"endpoints": endpoints, "recogniser": 3}), encoding="utf-8")
    before = file.read_bytes()
    found = [finding for finding in finish(examine(tmp_path, ["null"])) if finding.id.startswith("endpoint_")]
    assert [finding.sentence["en"] for finding in found] == [
        "one at judge.example. Key from MY_KEY.",
        "two at 127.0.0.1, which needs no key.",
        "three at other.example, but no key was found.",
    ]
    assert [finding.counts for finding in found] == [False, False, True]
    assert "secret" not in str(found) and "password" not in str(found)
    assert file.read_bytes() == before


def test_a_broken_settings_file_is_told_and_left_as_it_is(tmp_path, finish):
    file = tmp_path / "config" / "settings.json"
    file.write_text("{", encoding="utf-8")
    found = {finding.id: finding for finding in finish(examine(tmp_path, ["null"]))}
    assert (found["settings"].group, found["settings"].counts) == ("endpoints", True)
    assert "judge" not in found
    assert file.read_text(encoding="utf-8") == "{"


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_graphics_processors_are_asked_of_their_driver(tmp_path, monkeypatch):
    program(tmp_path / "bin", "nvidia-smi", "NVIDIA L20, 46068, 570.1\nNVIDIA H200, 143771, 570.1\nodd line")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    found = gpus()
    assert [(gpu.name, round(gpu.memory_gb)) for gpu in found] == [("NVIDIA L20", 48), ("NVIDIA H200", 151)]
    assert gpu_check(found, "2.13.0").state == "ready"
    assert gpu_check(found, "2.13.0+cpu").says == "gpus_torch_for_cpu"
    assert gpu_check(found, "").help("zh")
    assert gpu_check((), "2.13.0") is None


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="fontconfig is asked on Linux alone")
def test_a_chinese_font_is_asked_of_fontconfig(tmp_path, monkeypatch):
    program(
        tmp_path / "bin",
        "fc-list",
        "WenQuanYi Micro Hei,文泉驿\nNoto Sans CJK HK\nNoto Sans CJK SC,Noto Sans CJK SC Bold",
    )
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert chinese_family() == "Noto Sans CJK SC"
    program(tmp_path / "bin", "fc-list", "")
    assert chinese_family() == ""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chinese_family() is None


def test_a_system_larger_than_the_largest_graphics_processor_is_told():
    system = SystemDeclaration("mine", 1, "null", {"en": "", "zh": ""}, memory_gb=31)
    assert lacks(system, {}) == ()
    system = SystemDeclaration(
        "mine", 1, "endpoint", {}, memory_gb=31, settings={"base_url": "http://127.0.0.1:1/v1", "model": "m"}
    )
    assert codes(lacks(system, {}, (Gpu("small", 24, "1"),))) == ["doctor.memory"]
    assert lacks(system, {}, (Gpu("large", 48, "1"),)) == ()


def test_weights_that_are_here_lack_no_more_and_half_of_them_still_do(tmp_path):
    models = load_models()
    system = SystemDeclaration(
        "mine", 1, "cascade", {}, parts={"recogniser": {"kind": "whisper", "backend": "transformers", "weights": "openai/whisper-large-v3"}}
    )  # fmt: skip
    missing = [problem for problem in lacks(system, models) if problem.code.startswith("doctor.weights")]
    assert codes(missing) == ["doctor.weights_missing"]
    assert missing[0].values["model"] == "whisper_large_v3"
    folder = tmp_path / "cache" / "models--openai--whisper-large-v3"
    (folder / "blobs").mkdir(parents=True)
    partial = folder / "blobs" / f"aa{UNFINISHED}"
    partial.write_bytes(b"1")
    assert "doctor.weights_unfinished" in codes(lacks(system, models))
    partial.unlink()
    (folder / "snapshots" / "c1").mkdir(parents=True)
    (folder / "snapshots" / "c1" / "config.json").write_text("{}", encoding="utf-8")
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("c1", encoding="utf-8")
    assert not [code for code in codes(lacks(system, models)) if code.startswith("doctor.weights")]


def test_a_recorded_system_and_an_adapter_say_what_they_want():
    assert codes(lacks(declared_system("vocalnet2_8b"), {})) == ["systems.recorded_only"]
    assert codes(lacks(declared_system("minicpm_o_2_6"), load_models()))[0] == "adapters.setting_missing"


def test_code_that_comes_with_weights_is_told_until_it_is_allowed():
    problems = lacks(declared_system("minicpm_o_2_6"), load_models())
    assert "doctor.remote_code" in codes(problems)
    trust("openbmb/MiniCPM-o-2_6", "0123456789" * 4)
    assert "doctor.remote_code" not in codes(lacks(declared_system("minicpm_o_2_6"), load_models()))


def test_packages_are_sorted_by_extra_and_those_for_other_computers_left_out():
    told = [
        "numpy>=1.26",
        "python-stretch>=0.3; platform_system != 'Linux'",
        "torch>=2.4; extra == 'torch'",
        'ray[default]>=2; extra == "ray"',
        "pytest>=8; extra == 'dev'",
    ]
    assert wanted(told) == {"": ["numpy"], "ray": ["ray"], "torch": ["torch"]}


def test_the_doctor_loads_nothing_heavy(tmp_path):
    code = (
        "import sys\nfrom pathlib import Path\nfrom engine.machine.doctor import examine\n"
        "list(examine(Path(sys.argv[1])))\n"
        "print(sorted({'torch', 'transformers', 'openai', 'faster_whisper', 'huggingface_hub', 'PySide6'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
