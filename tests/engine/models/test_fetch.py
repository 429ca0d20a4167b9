"""Weights come whole, checked and asked for, or not at all; a cut transfer goes on where it stopped."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.models import fetch as fetching
from engine.models.cache import kept_of, remove
from engine.models.consent import trust, withdraw
from engine.models.declaration import ModelDeclaration
from engine.models.fetch import fetch, plan_fetch
from engine.speech.values import RecogniserSpec
from engine.speech.weights import weights_folder
from tests.engine.models.hub import COMMIT, WEIGHTS

pytest.importorskip("huggingface_hub")

MODEL = ModelDeclaration("model", "system", repository="maker/model")


def no_wait(_seconds: float) -> None:
    """A pause that a test does not sit through."""


def until(holds) -> None:
    """Wait for what another process does."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def refused(work) -> EngineError:
    with pytest.raises(EngineError) as caught:
        work()
    assert caught.value.sentence("zh") != caught.value.sentence("en")
    return caught.value


def fetched(finish, model=MODEL, folder: Path | None = None, **options) -> Path:
    return finish(fetch(plan_fetch(model, folder, **options), no_wait))


def test_size_and_licence_are_known_before_and_the_files_lie_where_loaders_look(hub, finish, monkeypatch):
    plan = plan_fetch(MODEL)
    assert (plan.licence, plan.size, plan.left) == ("apache-2.0", len(WEIGHTS) + 2, len(WEIGHTS) + 2)
    assert plan.choice.others == ("README.md",)
    assert hub.ranges == []
    folder = finish(fetch(plan, no_wait))
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    assert folder.name == COMMIT
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert weights_folder(RecogniserSpec(weights="maker/model")) == folder


def test_what_is_here_is_not_fetched_again(hub, finish):
    fetched(finish)
    hub.ranges.clear()
    assert plan_fetch(MODEL).left == 0
    fetched(finish)
    assert hub.ranges == []


def test_a_cut_connection_goes_on_at_the_byte_where_it_broke(hub, finish):
    hub.cut_after = [1_500_000, 700_000]
    folder = fetched(finish)
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    asked = [header for name, header in hub.ranges if name == "model.safetensors"]
    assert asked == ["", "bytes=1500000-", "bytes=2200000-"]


def test_a_fetch_that_was_given_up_goes_on_in_the_next_one(hub, finish):
    hub.cut_after = [1_500_000, *[0] * 20]
    error = refused(lambda: fetched(finish))
    assert (error.code, error.values["came"]) == ("models.cut", 1.5)
    assert kept_of("maker/model").unfinished == 1_500_000
    hub.cut_after.clear()
    hub.ranges.clear()
    assert plan_fetch(MODEL).left == len(WEIGHTS) - 1_500_000
    fetched(finish)
    assert hub.ranges == [("model.safetensors", "bytes=1500000-")]


def test_a_closed_fetch_leaves_what_came_and_no_file_under_its_name(hub, finish):
    work = fetch(plan_fetch(MODEL), no_wait)
    while next(work).label != "model.safetensors":
        pass
    work.close()
    kept = kept_of("maker/model")
    assert 0 < kept.unfinished < len(WEIGHTS)
    assert kept.size == 2
    fetched(finish)
    assert kept_of("maker/model").size == len(WEIGHTS) + 2


def test_a_killed_fetch_goes_on_in_the_next_one(hub, finish):
    hub.stalls_after = 1_500_000
    started = [sys.executable, "-m", "engine.cli.main", "models", "fetch", "maker/model", "--yes"]
    with subprocess.Popen(
        started, env=os.environ | {"HF_ENDPOINT": hub.address}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert hub.stalled.wait(60), child.stderr.read()
        until(lambda: kept_of("maker/model").unfinished > 1_000_000)
        child.kill()
    hub.stalls_after = 0
    hub.goes_on.set()
    kept = kept_of("maker/model").unfinished
    hub.ranges.clear()
    folder = fetched(finish)
    assert hub.ranges == [("model.safetensors", f"bytes={kept}-")]
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS


def test_a_server_that_knows_no_ranges_sends_all_again(hub, finish):
    hub.cut_after, hub.ignores_range = [1_000_000], True
    assert (fetched(finish) / "model.safetensors").read_bytes() == WEIGHTS


@pytest.mark.parametrize("sent", [WEIGHTS[:-1] + b"!", WEIGHTS + b"more"])
def test_other_bytes_than_announced_are_refused_and_removed(hub, finish, sent):
    hub.swapped["model.safetensors"] = sent
    if len(sent) > len(WEIGHTS):  # too long: taken as far as was announced, which is right
        assert (fetched(finish) / "model.safetensors").read_bytes() == WEIGHTS
        return
    assert refused(lambda: fetched(finish)).code == "models.wrong_sum"
    kept = kept_of("maker/model")
    assert (kept.size, kept.unfinished) == (2, 0)


def test_a_small_file_is_checked_by_its_git_sum(hub, finish):
    hub.swapped["config.json"] = b"[]"
    assert refused(lambda: fetched(finish)).code == "models.wrong_sum"


def test_a_declared_sum_counts_beside_the_hubs(hub, finish):
    model = ModelDeclaration("model", "system", repository="maker/model", sha256={"model.safetensors": "0" * 64})
    assert refused(lambda: fetched(finish, model)).code == "models.wrong_sum"


def test_pickles_are_refused_unless_allowed_and_left_out_beside_safetensors(hub, finish):
    hub.files["pytorch_model.bin"] = b"\x80\x02" + WEIGHTS
    assert plan_fetch(MODEL).choice.pickles == ("pytorch_model.bin",)
    del hub.files["model.safetensors"]
    error = refused(lambda: plan_fetch(MODEL))
    assert (error.code, error.values["files"]) == ("models.pickle_refused", ["pytorch_model.bin"])
    assert (fetched(finish, allow_pickle=True) / "pytorch_model.bin").is_file()


def test_a_file_declared_as_no_pickle_is_looked_at(hub, finish):
    model = ModelDeclaration("model", "recogniser", repository="maker/model", plain=("model.bin",))
    del hub.files["model.safetensors"]
    hub.files["model.bin"] = b"\x06\x00\x00\x00" + WEIGHTS
    assert (fetched(finish, model) / "model.bin").is_file()
    remove("maker/model")
    hub.files["model.bin"] = b"\x80\x04" + WEIGHTS
    assert refused(lambda: fetched(finish, model)).code == "models.hidden_pickle"
    assert kept_of("maker/model").unfinished == 0


def test_too_little_room_is_told_before_a_byte_is_asked_for(hub, finish, monkeypatch):
    usage = namedtuple("Usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9, 10**6))
    error = refused(lambda: fetched(finish))
    assert (error.code, error.values["free"]) == ("models.no_space", 0.001)
    assert hub.ranges == []


def test_a_drive_that_fills_up_meanwhile_says_the_same(hub, finish, monkeypatch):
    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fetching, "_take", full)
    assert refused(lambda: fetched(finish)).code == "models.no_space"


def test_weights_go_into_a_named_folder_and_nothing_else_with_them(hub, finish, tmp_path):
    folder = fetched(finish, folder=tmp_path / "to")
    assert sorted(path.name for path in folder.rglob("*")) == ["config.json", "model.safetensors"]
    assert plan_fetch(MODEL, folder).left == 0
    (folder / "config.json").write_bytes(b"[]")
    assert refused(lambda: fetched(finish, folder=folder)).code == "models.in_the_way"


@pytest.mark.parametrize("name", ["../outside.json", "/outside.json", "a\\..\\b.json", "a\nb.json"])
def test_a_name_that_leads_elsewhere_is_refused(hub, finish, name):
    hub.listed[name] = b"{}"
    assert refused(lambda: plan_fetch(MODEL)).code == "models.odd_listing"


def test_a_repositorys_code_is_fetched_at_the_commit_that_was_allowed_alone(hub, finish):
    hub.files["modeling.py"] = b"print('hello')"
    model = ModelDeclaration("model", "system", repository="maker/model", remote_code=True)
    error = refused(lambda: plan_fetch(model))
    assert (error.code, error.values["revision"]) == ("models.remote_code", COMMIT)
    assert plan_fetch(model, without_code=True).choice.code == ("modeling.py",)
    trust("maker/model", "f" * 40)
    assert refused(lambda: plan_fetch(model)).code == "models.remote_code"
    trust("maker/model", COMMIT)
    assert (fetched(finish, model) / "modeling.py").is_file()
    withdraw("maker/model")
    assert refused(lambda: plan_fetch(model)).code == "models.remote_code"


def test_code_that_nobody_declared_stays_out_too(hub):
    hub.files["modeling.py"] = b"print('hello')"
    assert plan_fetch(MODEL).choice.code == ("modeling.py",)


def test_offline_is_one_sentence(hub, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert refused(lambda: plan_fetch(MODEL)).code == "models.offline"


@pytest.mark.parametrize(("status", "code"), [(403, "models.gated"), (404, "models.no_such_repository")])
def test_the_hubs_refusals_are_told_apart(hub, status, code):
    model = MODEL if status == 403 else ModelDeclaration("other", "part", repository="maker/other")
    hub.status = status if status == 403 else 200
    assert refused(lambda: plan_fetch(model)).code == code


def test_a_hub_that_is_not_there_is_told_with_its_address(hub, monkeypatch):
    import huggingface_hub.constants as constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    assert refused(lambda: plan_fetch(MODEL)).code == "models.hub_unreachable"


def test_what_is_removed_is_gone_and_what_never_came_is_told(hub, finish):
    fetched(finish)
    assert remove("maker/model") == len(WEIGHTS) + 2
    assert kept_of("maker/model").commits == ()
    assert refused(lambda: remove("maker/model")).code == "models.not_here"
