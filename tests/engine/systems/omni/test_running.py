"""How a model is run: device, numbers, attention, limits, batches that halve, and what is missing."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.errors import EngineError
from engine.installing import install_extra
from engine.systems.declaration import load_systems
from engine.systems.local import packages
from engine.systems.local.placing import placing
from engine.systems.omni.settings import OmniSettings
from engine.systems.omni.system import OmniSystem
from engine.systems.values import Ask, Finished, Options
from tests.engine.systems.omni import tiny
from tests.engine.systems.omni.conftest import declared, parts
from tests.engine.systems.omni.tiny import torch

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.qwen2_audio(tmp_path_factory.mktemp("model"))


@pytest.fixture
def system(folder: Path) -> OmniSystem:
    return OmniSystem(*declared(folder))


def code_of(work: Callable[[], Any]) -> str:
    with pytest.raises(EngineError) as error:
        work()
    assert str(error.value)
    return error.value.code


def test_numbers_and_attention_are_as_they_were_chosen(folder: Path, ask: Callable[..., Ask]) -> None:
    declaration, options = declared(folder)
    system = OmniSystem(declaration, replace(options, dtype="bfloat16", attention="eager"))
    finished = list(system.respond(ask()))[-1]
    assert system.family.model.dtype == torch.bfloat16
    assert finished.versions["dtype"] == "bfloat16"
    assert finished.versions["attention"] == "eager"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (Options(device="cuda"), "local_models.no_cuda"),
        (Options(device="tpu"), "local_models.unknown_choice"),
        (Options(dtype="int3"), "local_models.unknown_choice"),
        (Options(device="cpu", quantisation="int4"), "local_models.quantisation_needs_cuda"),
    ],
)
def test_what_this_machine_cannot_do_is_refused_with_what_it_can(options: Options, code: str) -> None:
    if options.device == "cuda" and torch.cuda.is_available():
        options = replace(options, device="cuda:99")
        code = "local_models.no_such_device"
    assert code_of(lambda: placing(options)) == code


def test_a_batch_answers_each_ask_as_it_would_be_alone(system: OmniSystem, ask: Callable[..., Ask]) -> None:
    greedy = {"do_sample": False}
    asks = [ask("a", seconds=(1.0,), settings=greedy), ask("b", seconds=(2.0,), settings=greedy, instruction="Hm?")]
    together = [(name, piece) for name, piece in system.respond_together(asks) if isinstance(piece, Finished)]
    alone = [list(system.respond(each))[-1] for each in asks]
    assert [name for name, _ in together] == ["a", "b"]
    assert [piece.text for _, piece in together] == [piece.text for piece in alone]
    assert all("answered_together" in piece.flags for _, piece in together)


def test_a_batch_that_does_not_fit_is_halved_and_the_next_one_starts_smaller(
    system: OmniSystem, ask: Callable[..., Ask], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, real = [], system.family.generate

    def generate(inputs: Any, settings: Any, stepper: Any) -> Any:
        sizes.append(len(inputs["input_ids"]))
        if sizes[-1] > 2:
            raise torch.OutOfMemoryError("no room")
        return real(inputs, settings, stepper)

    monkeypatch.setattr(system.family, "generate", generate)
    asks = [ask(name) for name in "abcd"]
    assert [name for name, piece in system.respond_together(asks) if isinstance(piece, Finished)] == list("abcd")
    assert sizes == [4, 2, 2]
    list(system.respond_together(asks))
    assert sizes == [4, 2, 2, 2, 2]


def test_one_answer_that_does_not_fit_is_this_items_error(
    system: OmniSystem, ask: Callable[..., Ask], monkeypatch: pytest.MonkeyPatch
) -> None:
    def generate(*_: Any) -> Any:
        raise torch.OutOfMemoryError("no room")

    monkeypatch.setattr(system.family, "generate", generate)
    assert code_of(lambda: list(system.respond(ask()))) == "systems.out_of_memory"
    told = list(system.respond_together([ask("a"), ask("b")]))
    assert [(name, piece.code) for name, piece in told] == [(n, "systems.out_of_memory") for n in "ab"]


def test_in_a_batch_an_audio_that_cannot_be_read_fails_alone(
    system: OmniSystem, ask: Callable[..., Ask], tmp_path: Path
) -> None:
    (tmp_path / "no.wav").write_bytes(b"RIFF")
    good, bad = ask("good"), ask("bad")
    bad = replace(bad, turns=(replace(bad.turns[0], audios=(tmp_path / "no.wav",)),))
    ends = dict(system.respond_together([good, bad]))
    assert isinstance(ends["good"], Finished)
    assert isinstance(ends["bad"], EngineError)


def test_closing_an_answer_ends_its_generation(system: OmniSystem, ask: Callable[..., Ask]) -> None:
    pieces = system.respond(ask(settings={"max_new_tokens": 5000}))
    next(pieces)
    pieces.close()
    assert "generation" not in {thread.name for thread in threading.enumerate()}


def test_an_answer_over_its_time_keeps_what_came_and_says_so(system: OmniSystem, ask: Callable[..., Ask]) -> None:
    finished = list(system.respond(ask(time_limit_s=0.0)))[-1]
    assert finished.flags == ("time_limit",)


def test_an_answer_without_room_is_flagged(system: OmniSystem, ask: Callable[..., Ask]) -> None:
    text, _, finished = parts(list(system.respond(ask(settings={"max_new_tokens": 2, "do_sample": False}))))
    assert "cut_by_limit" in finished.flags
    assert text == finished.text


def test_pickles_are_refused_unless_allowed(folder: Path, tmp_path: Path) -> None:
    for file in folder.iterdir():
        if file.suffix != ".safetensors":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80")
    assert code_of(lambda: OmniSystem(*declared(tmp_path))) == "speech.pickle_refused"


def test_the_one_commit_whose_code_was_allowed_is_run_and_recorded(folder: Path, tmp_path, monkeypatch) -> None:
    commit = "c0ffee" * 6 + "c0ff"
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    shutil.copytree(folder, tmp_path / "models--maker--tiny" / "snapshots" / commit)
    declaration, options = declared(Path("maker/tiny"))
    assert code_of(lambda: OmniSystem(declaration, options)) == "speech.weights_not_local"
    system = OmniSystem(declaration, replace(options, allow_remote_code=(f"maker/tiny@{commit}",)))
    assert system.versions["weights"] == f"maker/tiny@{commit}"
    system.close()
    both = replace(options, allow_remote_code=(f"maker/tiny@{commit}", f"maker/tiny@{'f' * 40}"))
    assert code_of(lambda: OmniSystem(declaration, both)) == "systems.several_commits"
    named = replace(both, settings={"revision": commit})
    assert OmniSystem(declaration, named).versions["weights"] == f"maker/tiny@{commit}"


def test_weights_that_are_not_on_this_machine_are_not_fetched_unasked() -> None:
    declaration, options = declared(Path("nobody/nothing"))
    assert code_of(lambda: OmniSystem(declaration, options)) == "speech.weights_not_local"
    assert code_of(lambda: OmniSystem(declaration, replace(options, weights=""))) == "local_models.no_weights_named"


@pytest.mark.parametrize(
    ("model_type", "named"),
    [("granite_speech", "torchaudio"), ("gemma3n", "torchvision"), ("voxtral", "mistral-common")],
)
def test_a_model_that_needs_another_package_says_what_to_install(tmp_path: Path, model_type: str, named: str) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": model_type}))
    (tmp_path / "tekken.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(EngineError) as error:
        OmniSystem(*declared(tmp_path))
    assert error.value.code == "local_models.package_missing"
    assert f"-m pip install {named}" in str(error.value).replace("'", "").replace("[audio]", "")


def test_a_model_of_another_kind_is_named_with_those_that_run(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    (tmp_path / "model.safetensors").write_bytes(b"")
    assert code_of(lambda: OmniSystem(*declared(tmp_path))) == "omni.unknown_family"


def test_without_torch_it_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "_is_there", lambda package: package != "torch")
    with pytest.raises(EngineError) as error:
        OmniSystem(*declared(folder))
    assert install_extra("torch") in str(error.value)


def test_a_setting_that_nobody_knows_is_refused() -> None:
    assert code_of(lambda: OmniSettings().over({"tempreature": 1})) == "omni.unknown_setting"


def test_temperature_zero_is_greedy_and_any_other_samples() -> None:
    assert OmniSettings().over({"temperature": 0}).generation == {"max_new_tokens": 1024, "do_sample": False}
    assert OmniSettings().over({"temperature": 0.6}).generation["do_sample"] is True
    assert OmniSettings().generation == {"max_new_tokens": 1024}  # as the checkpoint says


def test_every_shipped_declaration_sets_only_what_can_be_set() -> None:
    omni = [system for system in load_systems().values() if system.kind == "omni"]
    assert len(omni) >= 9
    for system in omni:
        settings = OmniSettings().over(system.settings)
        assert settings.max_new_tokens > 0
        assert system.weights
