"""Every family that loads here, with its real loading and generating code over a tiny random checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.errors import EngineError
from engine.systems.omni.conversation import conversation_of
from engine.systems.omni.system import OmniSystem
from engine.systems.values import Ask, SpokenTurn
from tests.engine.systems.omni import tiny
from tests.engine.systems.omni.conftest import declared, parts

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore")]

WRITING = ("qwen2_audio", "qwen2_5_omni", "qwen3_omni", "voxtral", "phi4", "flamingo")
SPEAKING = ("qwen2_5_omni", "qwen3_omni", "moshi")
SHORT_SPEECH = {"talker_max_new_tokens": 12}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    made: dict[str, Path] = {}

    def folder(name: str) -> Path:
        if name not in made:
            made[name] = getattr(tiny, name)(tmp_path_factory.mktemp(name))
        return made[name]

    return folder


@pytest.fixture
def system(checkpoint: Callable[[str], Path]) -> Callable[..., OmniSystem]:
    def opened(name: str, **settings: Any) -> OmniSystem:
        return OmniSystem(*declared(checkpoint(name), **settings))

    return opened


@pytest.mark.parametrize("name", WRITING)
def test_a_spoken_turn_after_written_ones_is_answered_in_pieces(
    name: str, system: Callable[..., OmniSystem], ask: Callable[..., Ask]
) -> None:
    history = (SpokenTurn("user", "Hello"), SpokenTurn("assistant", "Yes?"))
    asked = ask(earlier=history, instruction="What is said?", seed=3, settings={"temperature": 1.5})
    pieces = list(system(name, speech=False).respond(asked))
    text, audio, finished = parts(pieces)
    assert len(pieces) > 3  # it came in pieces
    assert text == finished.text != ""
    assert audio == []
    assert finished.versions["device"] == "cpu"
    assert "sha256" in finished.versions["weights"]
    assert [piece.after_s for piece in pieces[:-1]] == sorted(piece.after_s for piece in pieces[:-1])


@pytest.mark.parametrize("name", SPEAKING)
def test_a_model_that_speaks_gives_its_words_and_then_its_sound(
    name: str, system: Callable[..., OmniSystem], ask: Callable[..., Ask]
) -> None:
    opened = system(name, **(SHORT_SPEECH if name != "moshi" else {}))
    text, audio, finished = parts(list(opened.respond(ask(seed=1))))
    assert opened.abilities.speech_out
    assert text == finished.text
    (sound,) = audio
    assert sound.sample_rate_hz == 24000
    assert sound.samples.ndim == 1
    assert len(sound.samples) > 0
    assert np.isfinite(sound.samples).all()


@pytest.mark.parametrize("name", ["qwen2_audio", "qwen2_5_omni"])
def test_the_same_seed_gives_the_same_answer_and_another_one_another(
    name: str, system: Callable[..., OmniSystem], ask: Callable[..., Ask]
) -> None:
    opened = system(name, **SHORT_SPEECH) if name != "qwen2_audio" else system(name)
    sampled = {"temperature": 2.0}
    first, again, other = (parts(list(opened.respond(ask(seed=s, settings=sampled)))) for s in (5, 5, 6))
    assert first[0] == again[0]
    assert [a.samples.tolist() for a in first[1]] == [a.samples.tolist() for a in again[1]]
    assert first[0] != other[0]


def test_qwen2_audio_is_given_what_its_own_processor_makes(
    checkpoint: Callable[[str], Path], system: Callable[..., OmniSystem], ask: Callable[..., Ask]
) -> None:
    import transformers

    folder = checkpoint("qwen2_audio")
    opened = system("qwen2_audio")
    talk = conversation_of(ask(seconds=(1.0, 2.5), instruction="Compare"), opened.settings, 16000, "<|AUDIO|>")
    ours = opened.family.inputs([talk])
    processor = transformers.Qwen2AudioProcessor(
        transformers.WhisperFeatureExtractor.from_pretrained(folder),
        transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True),
    )
    text = processor.apply_chat_template(list(talk.messages), add_generation_prompt=True, tokenize=False)
    theirs = processor(text=text, audio=list(talk.audios), sampling_rate=16000, return_tensors="pt", padding=True)
    for name in ("input_ids", "input_features", "feature_attention_mask"):
        assert ours[name].tolist() == theirs[name].tolist(), name


def test_an_audio_mark_in_written_words_is_no_audio(system: Callable[..., OmniSystem], ask: Callable[..., Ask]) -> None:
    finished = list(system("qwen2_audio").respond(ask(text="<|AUDIO|> and <|AUDIO|>")))[-1]
    assert finished.text


def test_a_voice_that_is_not_there_is_named_with_those_that_are(
    system: Callable[..., OmniSystem], ask: Callable[..., Ask]
) -> None:
    with pytest.raises(EngineError) as error:
        list(system("qwen2_5_omni").respond(ask(settings={"speaker": "Nobody"})))
    assert error.value.code == "omni.unknown_speaker"
    assert "Chelsie" in str(error.value)


def test_without_speech_the_talker_is_not_loaded(system: Callable[..., OmniSystem]) -> None:
    opened = system("qwen2_5_omni", speech=False)
    assert not opened.family.model.has_talker
    assert not opened.abilities.speech_out


def test_voxtral_hears_a_long_audio_in_windows_and_lays_out_the_signs_in_order(
    system: Callable[..., OmniSystem], ask: Callable[..., Ask]
) -> None:
    opened = system("voxtral", system_prompt="S")
    history = (SpokenTurn("user", "u"), SpokenTurn("assistant", "a"))
    talk = conversation_of(ask(seconds=(31.0,), earlier=history, instruction="t"), opened.settings, 16000, "[AUDIO]")
    inputs = opened.family.inputs([talk])
    assert inputs["input_features"].shape == (2, 8, 3000)  # 31 s are two windows of 30 s
    signs = opened.family.tokenizer.convert_ids_to_tokens(inputs["input_ids"][0].tolist())
    assert signs.count("[AUDIO]") == 2 * 1500 * 16 // 64
    rest = [sign for sign in signs if sign != "[AUDIO]"]
    assert rest == ["<s>", "[INST]", "S", "Ċ", "Ċ", "u", "[/INST]", "a", "</s>",
                    "[INST]", "[BEGIN_AUDIO]", "t", "[/INST]"]  # fmt: skip


def test_moshi_wants_something_to_hear(system: Callable[..., OmniSystem], ask: Callable[..., Ask]) -> None:
    with pytest.raises(EngineError) as error:
        list(system("moshi").respond(ask(seconds=(), text="hello")))
    assert error.value.code == "omni.no_audio_to_hear"


def test_moshi_ends_after_two_seconds_without_a_word() -> None:
    from engine.systems.omni.moshi import _is_quiet

    assert not _is_quiet([3] * 100)  # it has not begun
    assert not _is_quiet([3, 9, *[3] * 24])
    assert _is_quiet([3, 9, *[3] * 25])
