"""``auricle systems`` as a user meets it: what there is, what one needs, one of one's own, a first word with one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import soundfile

from engine.systems.declaration import read_system
from tests.engine.cli.test_verbs import auricle
from tests.engine.systems.endpoint.server import FormServer, whole


def systems(*arguments: str, config: Path):
    return auricle("systems", *arguments, AURICLE_CONFIG=str(config))


def test_the_list_has_every_published_system_and_says_which_nobody_ran(tmp_path):
    told = json.loads(systems("list", "--json", config=tmp_path).stdout)
    by_paper = [system["papers"].get("vocalbench_zh") for system in told]
    heard = [system["papers"].get("dynamic_superb") for system in told]
    assert len(set(by_paper) - {None}) == 15  # 14 systems and a cascade: table 2 of the paper
    assert len(set(heard) - {None}) == 9
    adapters = [system for system in told if system["kind"] == "adapter"]
    assert adapters and all(system["verified"] is None for system in adapters)
    assert "never run" in systems("list", config=tmp_path).stdout


def test_a_system_is_shown_with_what_its_environment_needs(tmp_path):
    shown = systems("show", "glm-4-voice-9b", config=tmp_path).stdout
    assert "transformers 4.44.1" in shown and "never run" in shown and "python" in shown


def test_a_system_that_nobody_can_run_says_why_and_what_to_do_instead(tmp_path):
    ended = systems("test", "--system", "vocalnet2_8b", config=tmp_path)
    assert ended.returncode == 2
    assert "auricle import responses" in ended.stderr


def test_one_s_own_adapter_is_drafted_listed_and_answers(tmp_path):
    drafted = systems("new", "mine-2", config=tmp_path)
    assert drafted.returncode == 0
    assert (tmp_path / "systems" / "mine_2.py").exists()
    assert "mine_2" in systems("list", config=tmp_path).stdout

    out = tmp_path / "out.wav"
    arguments = ("--set", f"python={sys.executable}", "--out", str(out))
    tried = systems("test", "--system", "mine_2", *arguments, config=tmp_path)
    assert tried.returncode == 0, tried.stderr
    assert "words, as often as they come" in tried.stdout
    assert soundfile.info(out).samplerate == 24000 and soundfile.info(out).frames == 2400
    assert systems("new", "mine_2", config=tmp_path).returncode == 2  # it is there already


def test_one_s_own_endpoint_is_drafted_beside_other_files_and_answers(tmp_path):
    assert systems("new", "served", "--kind", "endpoint", "--folder", str(tmp_path), config=tmp_path).returncode == 0
    file = tmp_path / "served.toml"
    assert read_system(file).kind == "endpoint"
    reply = whole({"choices": [{"message": {"content": "你好"}}]})
    with FormServer(lambda request, count: reply) as server:
        settings = ("--set", f"base_url={server.base_url}", "--set", "model=m", "--set", "audio_format=wav")
        tried = systems("test", "--declaration", str(file), *settings, "--text", "在吗", config=tmp_path)
    assert tried.returncode == 0, tried.stderr
    assert "你好" in tried.stdout and "no_audio" in tried.stdout
    assert server.requests[0].body["messages"] == [{"role": "user", "content": "在吗"}]


def test_an_odd_id_is_refused(tmp_path):
    assert systems("new", "../mine", config=tmp_path).returncode == 2


def test_show_and_test_take_the_id_by_place_or_by_option_and_one_without_says_so(tmp_path):
    assert (
        systems("show", "--system", "null", config=tmp_path).stdout == systems("show", "null", config=tmp_path).stdout
    )
    assert systems("test", "null", "--text", "x", config=tmp_path).returncode == 0
    assert systems("test", config=tmp_path).returncode == 2


def test_an_unknown_system_names_the_one_that_was_probably_meant(tmp_path):
    told = systems("show", "qwen2.5-omni", config=tmp_path)
    assert told.returncode == 2
    assert "Did you mean qwen2_5_omni_7b" in told.stderr
    assert "auricle systems list" in systems("show", "zzzzzz", config=tmp_path).stderr
