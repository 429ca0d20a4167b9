"""Declared weights load, name what is wrong in them, and a repository's code runs only after a yes for its commit."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from engine.cli.main import app
from engine.errors import EngineError
from engine.models.cache import UNFINISHED, kept_of
from engine.models.consent import consent_file, is_trusted, trust, trusted_code, withdraw
from engine.models.declaration import declared_model, load_models, read_model

COMMIT = "0123456789" * 4


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("AURICLE_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))


def test_all_shipped_models_load_and_systems_add_theirs():
    models = load_models()
    assert models["whisper_large_v3"].repository == "openai/whisper-large-v3"
    assert "cascade_qwen3_8b" in models["qwen3_8b"].systems
    assert models["voxtral_mini_3b_2507"].systems == ("voxtral",)
    repositories = [model.repository for model in models.values() if model.repository]
    assert len(repositories) == len(set(repositories))


def test_a_model_is_found_by_id_repository_or_as_any_repository_of_the_hub():
    assert declared_model("qwen3-8b") == declared_model("Qwen/Qwen3-8B")
    assert declared_model("somebody/something", "v1").revision == "v1"
    with pytest.raises(EngineError, match="no model"):
        declared_model("nothing")
    with pytest.raises(EngineError, match="Did you mean whisper_large_v3"):
        declared_model("wisper-large-v3")


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ('id = "mine"', "models.key_missing"),
        ('id = "mine"\nrole = "part"', "models.key_value"),
        ('id = "mine"\nrole = "part"\nrepository = "../up"', "models.key_value"),
        ('id = "other"\nrole = "part"\nrepository = "a/b"', "models.key_value"),
        ('id = "mine"\nrole = "part"\nrepository = "a/b"\nsha256 = { "x" = "12" }', "models.key_value"),
        ('id = "mine"\nrole = "part"\nrepository = "a/b"\nfiles = "*"', "models.key_value"),
        ('id = "mine"\nrole = "part"\nrepository = "a/b"\ncolour = 1', "models.key_unknown"),
        ("id = ", "models.file_unreadable"),
    ],
)
def test_a_wrong_declaration_names_file_and_key(tmp_path, told, code):
    file = tmp_path / "mine.toml"
    file.write_text(told, encoding="utf-8")
    with pytest.raises(EngineError) as caught:
        read_model(file)
    assert caught.value.code == code
    assert "mine.toml" in str(caught.value)


def test_consent_is_for_one_commit_and_can_be_taken_back():
    trust("maker/model", COMMIT)
    trust("maker/model", COMMIT)
    assert trusted_code() == (f"maker/model@{COMMIT}",)
    assert not is_trusted("maker/model", "f" * 40)
    assert withdraw("maker/model", "f" * 40) == 0
    assert withdraw("maker/model") == 1
    assert trusted_code() == ()


@pytest.mark.parametrize("revision", ["main", "v1.0", "0123456", COMMIT.upper().replace("1", "A")])
def test_a_name_that_can_come_to_mean_other_code_is_no_consent(revision):
    with pytest.raises(EngineError) as caught:
        trust("maker/model", revision)
    assert caught.value.code == "models.not_a_commit"
    assert not consent_file().exists()


def test_a_broken_file_of_consents_allows_nothing():
    consent_file().parent.mkdir(parents=True)
    consent_file().write_text("[{", encoding="utf-8")
    with pytest.raises(EngineError) as caught:
        is_trusted("maker/model", COMMIT)
    assert caught.value.code == "models.consent_unreadable"


def test_what_a_person_allowed_reaches_the_system():
    from engine.cli.run import SystemChoice

    trust("maker/model", COMMIT)
    options = SystemChoice(system="null", allow_remote_code=["a/b@c"]).options()
    assert options.allow_remote_code == (f"maker/model@{COMMIT}", "a/b@c")


def test_the_command_lists_asks_and_takes_no_for_an_answer(tmp_path):
    run = CliRunner()
    listed = json.loads(run.invoke(app, ["models", "list", "--json"]).stdout)
    assert {"id", "repository", "licence", "size_gb", "here", "trusted_code"} <= set(listed[0])
    assert run.invoke(app, ["models", "list"]).exit_code == 0
    assert "MiniCPM" in run.invoke(app, ["models", "show", "minicpm-o-2-6"]).stdout
    assert run.invoke(app, ["models", "trust", "maker/model", COMMIT], input="n\n").exit_code == 1
    assert trusted_code() == ()
    assert run.invoke(app, ["models", "trust", "maker/model", COMMIT], input="y\n").exit_code == 0
    blobs = tmp_path / "cache" / "models--openai--whisper-large-v3" / "blobs"
    blobs.mkdir(parents=True)
    (blobs / f"aa{UNFINISHED}").write_bytes(b"12345")
    assert run.invoke(app, ["models", "remove", "whisper-large-v3"], input="n\n").exit_code == 1
    assert kept_of("openai/whisper-large-v3").unfinished == 5
    assert run.invoke(app, ["models", "remove", "whisper-large-v3", "--yes"]).exit_code == 0
    assert not blobs.exists()
