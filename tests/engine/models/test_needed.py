"""What a verb needs from the hub comes through the models' checks: size and licence first, sums, no pickle, no code."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from engine.errors import EngineError
from engine.models.cache import commit_of, is_here, kept_of
from engine.models.consent import trust
from engine.models.needed import needed_by, needed_by_recogniser
from engine.speech.values import RecogniserSpec
from engine.systems.declaration import SystemDeclaration, declared_system
from engine.systems.values import Options
from tests.engine.models.hub import COMMIT, WEIGHTS
from tests.faults import AS_ANYBODY, auricle_under, read_only, with_small_disk

OTHER = "f" * 40
SPEC = RecogniserSpec(weights="maker/model", allow_download=True)


def auricle(hub, tmp_path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, without a terminal."""
    told = {"HF_ENDPOINT": hub.address, "AURICLE_WORKSPACE": str(tmp_path / "w"), "AURICLE_LANGUAGE": "en"}
    return subprocess.run(
        [sys.executable, "-P", "-m", "engine.cli.main", *words],
        env={**os.environ, **told}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip


def test_without_a_terminal_a_recogniser_is_fetched_after_size_and_licence_were_said(hub, tmp_path):
    hub.files["model.bin"] = b"\x06\x00\x00\x00" + WEIGHTS
    del hub.files["model.safetensors"]
    assert auricle(hub, tmp_path, "sample").returncode == 0
    done = auricle(
        hub, tmp_path, "measure", "--weights", "maker/model", "--allow-download", "--limit", "1", "--no-quality"
    )
    said = done.stderr
    assert said.index("0.01 GB") < said.index("Licence: apache-2.0") < said.index("maker/model lies in")
    assert is_here("maker/model")
    # it came through the checks and reached the recogniser, which says what a Whisper of CTranslate2 needs beside
    assert "lacks tokenizer.json" in said
    hub.ranges.clear()
    again = auricle(hub, tmp_path, "measure", "--weights", "maker/model", "--allow-download", "--limit", "1")
    assert "Licence" not in again.stderr
    assert hub.ranges == []


def test_without_the_permission_the_exact_command_is_said_and_nothing_fetched(hub, tmp_path):
    assert auricle(hub, tmp_path, "sample").returncode == 0
    done = auricle(hub, tmp_path, "measure", "--weights", "maker/model", "--revision", "v1", "--limit", "1")
    assert "auricle models fetch maker/model --revision v1" in done.stderr
    assert hub.ranges == []


def test_a_system_is_not_fetched_as_pickles_nor_with_other_bytes_than_announced(hub, tmp_path):
    asked = ("systems", "test", "qwen2-audio-7b", "--weights", "maker/model", "--allow-download")
    hub.swapped["model.safetensors"] = WEIGHTS[:-1] + b"!"
    done = auricle(hub, tmp_path, *asked)
    assert done.returncode == 2
    assert "another checksum" in done.stderr
    hub.swapped.clear()
    del hub.files["model.safetensors"]
    hub.files["pytorch_model.bin"] = b"\x80\x02" + WEIGHTS
    done = auricle(hub, tmp_path, *asked)
    assert done.returncode == 2
    assert "--allow-pickle" in done.stderr
    assert not kept_of("maker/model").size > 2


def test_code_that_was_not_allowed_stays_out_whatever_a_verb_may_fetch(hub, tmp_path):
    hub.files["modeling.py"] = b"print('hello')"
    done = auricle(hub, tmp_path, "systems", "test", "qwen2-audio-7b", "--weights", "maker/model", "--allow-download")
    assert "program code: modeling.py" in done.stderr
    assert is_here("maker/model")
    assert not (kept_of("maker/model").folder / "snapshots" / COMMIT / "modeling.py").exists()


def test_offline_goes_before_the_permission(hub, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    done = auricle(hub, tmp_path, "systems", "test", "qwen2-audio-7b", "--weights", "maker/model", "--allow-download")
    assert done.returncode == 2
    assert "HF_HUB_OFFLINE" in done.stderr


def test_what_other_machines_need_is_said_and_not_fetched_here(hub, tmp_path):
    assert auricle(hub, tmp_path, "sample").returncode == 0
    done = auricle(
        hub, tmp_path, "measure", "--weights", "maker/model", "--allow-download", "--limit", "1", "--no-quality",
        "--worker-command", f"{sys.executable} -P -m engine.worker",
    )  # fmt: skip
    assert "another machine" in done.stderr
    assert "There: auricle models fetch maker/model" in done.stderr
    assert hub.ranges == []


def test_a_recogniser_and_each_kind_of_system_name_what_they_stand_on(hub):
    assert [m.id for m in needed_by_recogniser(RecogniserSpec(weights="openai/whisper-large-v3"))] == [
        "whisper_large_v3"
    ]
    assert needed_by_recogniser(RecogniserSpec()) == ()
    cascade = needed_by(declared_system("cascade_qwen3_8b"), Options())
    assert {"openai/whisper-large-v3", "Qwen/Qwen3-8B", "FunAudioLLM/CosyVoice2-0.5B"} <= {
        m.repository for m in cascade
    }
    glm = [model.repository for model in needed_by(declared_system("glm_4_voice_9b"), Options())]
    assert len(glm) == 3
    elsewhere = Options(settings={"command": ["ssh", "gpu1", "worker"]})
    assert needed_by(declared_system("glm_4_voice_9b"), elsewhere) == ()
    assert needed_by(declared_system("qwen2_5_omni_7b_served"), Options()) == ()
    other = Options(settings={"language_model.weights": "maker/model", "language_model.revision": "v1"})
    changed = needed_by(declared_system("cascade_qwen3_8b"), other)
    assert ("maker/model", "v1") in [(model.repository, model.revision) for model in changed]


def test_the_one_commit_whose_code_was_allowed_is_what_is_fetched(hub, finish):
    from engine.models.fetch import fetch, plan_fetch

    hub.files["modeling.py"] = b"print('hello')"
    omni = SystemDeclaration("mine", 1, "omni", {"en": "", "zh": ""}, weights="maker/model")
    allowed = Options(allow_remote_code=(f"maker/model@{COMMIT}",))
    (model,) = needed_by(omni, allowed)
    assert model.revision == COMMIT
    plan = plan_fetch(replace(model, remote_code=True), trusted=allowed.allow_remote_code)
    assert (finish(fetch(plan)) / "modeling.py").is_file()
    assert commit_of("maker/model", COMMIT) == COMMIT
    assert needed_by(omni, allowed) == ()


def test_several_allowed_commits_are_named_and_none_is_taken(hub):
    omni = SystemDeclaration("mine", 1, "omni", {"en": "", "zh": ""}, weights="maker/model")
    both = Options(allow_remote_code=(f"maker/model@{COMMIT}", f"maker/model@{OTHER}"))
    with pytest.raises(EngineError) as caught:
        needed_by(omni, both)
    assert caught.value.code == "systems.several_commits"
    assert COMMIT in caught.value.sentence("zh")
    assert OTHER in caught.value.sentence("en")
    named = replace(both, settings={"revision": OTHER})
    assert [model.revision for model in needed_by(omni, named)] == [OTHER]


def test_a_verb_says_which_allowed_commit_it_runs(hub, tmp_path):
    trust("maker/model", COMMIT)
    done = auricle(hub, tmp_path, "systems", "test", "qwen2-audio-7b", "--weights", "maker/model")
    assert f"maker/model is run at {COMMIT}" in done.stderr
    assert f"auricle models fetch maker/model --revision {COMMIT}" in done.stderr
    trust("maker/model", OTHER)
    done = auricle(hub, tmp_path, "systems", "test", "qwen2-audio-7b", "--weights", "maker/model")
    assert done.returncode == 2
    assert f"{COMMIT}, {OTHER}" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="gives up rights and limits files as Linux does")
def test_a_full_disk_and_a_cache_that_may_not_be_written_are_one_message_and_the_fetch_goes_on(hub, tmp_path):
    told, cache = {"HF_ENDPOINT": hub.address}, tmp_path / "cache"
    cache.mkdir()
    with read_only(cache):
        ended = auricle_under(AS_ANYBODY, "models", "fetch", "maker/model", "--yes", **told)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].startswith(f"{cache} cannot be written")
    ended = auricle_under(with_small_disk(1_000_000), "models", "fetch", "maker/model", "--yes", **told)
    assert ended.returncode == 2
    assert "GB are free in" in ended.stderr.splitlines()[-1]
    assert "Traceback" not in ended.stderr
    assert kept_of("maker/model").unfinished == 1_000_000
    hub.ranges.clear()
    assert auricle(hub, tmp_path, "models", "fetch", "maker/model", "--yes").returncode == 0
    assert hub.ranges == [("model.safetensors", "bytes=1000000-")]


@pytest.mark.skipif(sys.platform == "win32", reason="opens a terminal as POSIX does")
@pytest.mark.parametrize(("answer", "came"), [("n", False), ("y", True)])
def test_at_a_terminal_a_person_is_asked_after_size_and_licence(hub, tmp_path, answer, came):
    import pty

    ours, theirs = pty.openpty()
    told = {"HF_ENDPOINT": hub.address, "AURICLE_LANGUAGE": "en"}
    asked = ["systems", "test", "qwen2-audio-7b", "--weights", "maker/model", "--allow-download"]
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "engine.cli.main", *asked],
        env={**os.environ, **told}, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs,
    ) as child:  # fmt: skip
        os.close(theirs)
        os.write(ours, f"{answer}\n".encode())
        said = b""
        try:
            while block := os.read(ours, 65536):
                said += block
        except OSError:  # Linux answers so when the other end is closed
            pass
    os.close(ours)
    text = said.decode()
    assert text.index("Licence: apache-2.0") < text.index("Fetch?")
    assert is_here("maker/model") == came
    assert child.returncode in ((1, 2) if came else (1,))
