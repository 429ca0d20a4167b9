"""Every shipped declaration loads, a user's own wins, and what is wrong is named by file and key."""

from __future__ import annotations

import json

import pytest

from engine.errors import EngineError
from engine.shipped import shipped
from engine.systems.declaration import declared_system, from_told, load_systems, read_system
from engine.systems.kinds import KINDS
from engine.systems.values import Options

GOOD = 'id = "mine"\nversion = 1\nkind = "null"\ntitle = { en = "Mine", zh = "我的" }\n'


@pytest.fixture(autouse=True)
def config(tmp_path, monkeypatch):
    monkeypatch.setenv("AURICLE_CONFIG", str(tmp_path / "config"))
    return tmp_path / "config"


def test_every_shipped_declaration_loads_and_its_kind_is_known():
    systems = load_systems()
    assert set(systems) == {path.stem for path in shipped("systems").glob("*.toml")}
    assert all(system.kind in (*KINDS, "recorded") for system in systems.values())


@pytest.mark.parametrize("name", sorted(path.stem for path in shipped("systems").glob("*.toml")))
def test_a_declaration_told_as_json_comes_back_the_same(name):
    system = declared_system(name)
    assert from_told(json.loads(json.dumps(system.told()))) == system


def test_options_told_as_json_come_back_the_same(tmp_path):
    options = Options(device="cuda:1", allow_remote_code=("a/b@1",), scratch=tmp_path, settings={"voice": "x"})
    assert Options.from_told(json.loads(json.dumps(options.told()))) == options


def test_a_users_own_declaration_is_found_and_hyphens_stand_for_underscores(config):
    (config / "systems").mkdir(parents=True)
    (config / "systems" / "my_own.toml").write_text(GOOD.replace('"mine"', '"my_own"'), encoding="utf-8")
    assert declared_system("my-own").title["zh"] == "我的"
    with pytest.raises(EngineError, match="my_own"):
        declared_system("my_owm")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (GOOD.replace("version = 1\n", ""), "systems.key_missing"),
        (GOOD + "colour = 1\n", "systems.key_unknown"),
        (GOOD + "[abilities]\nflies = true\n", "systems.key_unknown"),
        (GOOD + "[abilities]\nstreaming = 1\n", "systems.key_value"),
        (GOOD.replace('"null"', '"magic"'), "systems.key_value"),
        (GOOD.replace('"mine"', '"yours"'), "systems.key_value"),
        (GOOD + 'modality = "smell"\n', "systems.key_value"),
        (GOOD + 'verified = "always"\n', "systems.key_value"),
        ("not toml", "systems.file_unreadable"),
    ],
)
def test_what_is_wrong_with_a_declaration_is_named_with_its_file(tmp_path, text, code):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EngineError) as caught:
        read_system(path)
    assert caught.value.code == code
    assert str(path) in str(caught.value)
