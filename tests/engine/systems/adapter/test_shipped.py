"""Each shipped adapter in a process of its own, against a stand-in with the signatures recorded of its system."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from engine.audio.write import write_audio
from engine.errors import EngineError
from engine.systems.adapter import make
from engine.systems.adapter.settings import SHIPPED
from engine.systems.declaration import SystemDeclaration, load_systems
from engine.systems.values import Ask, AudioPiece, Finished, Options, SpokenTurn, TextPiece
from tests.engine.systems.adapter.stand_ins import COMMON, SYSTEMS

HISTORY = (SpokenTurn("user", "我叫安"), SpokenTurn("assistant", "你好，安"))

#: What else a system is told to find, beside its code, as folders and files that are there.
FOLDERS = {
    "llama_omni2": ("decoder",),
    "freeze_omni": ("language_model",),
    "vocalnet": ("cosyvoice",),
    "glm_4_voice": ("tokenizer", "decoder"),
    "vita_audio": ("tokenizer", "decoder"),
    "mimo_audio": ("tokenizer",),
    "salmonn": ("llama", "whisper"),
}
FILES = {
    "llama_omni2": ("speech_encoder", "prompt_wav"),
    "minicpm_o": ("reference_wav",),
    "cosyvoice2": ("prompt_wav",),
    "salmonn": ("beats",),
    "mu_llama": ("llama", "knn"),
}


@pytest.fixture
def open_shipped(tmp_path: Path, clip: Path):
    """Open the declared system of a shipped adapter in its stand-in's checkout; closes all at the end."""
    opened = []

    def make_one(adapter: str, **settings):
        code, weights = tmp_path / "code", tmp_path / "weights-qwen"
        for name, source in {**COMMON, **SYSTEMS[adapter]}.items():
            path = code / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source, encoding="utf-8")
        weights.mkdir(exist_ok=True)
        (weights / "checkpoint.pt").touch()
        told = {name: str(weights) for name in FOLDERS.get(adapter, ())}
        told |= {name: str(clip) for name in FILES.get(adapter, ())}
        declared = declared_of(adapter)
        file = weights / "checkpoint.pt" if adapter in ("wavllm", "mu_llama", "salmonn") else weights
        options = Options(
            weights=str(file),
            allow_remote_code=(str(weights),),
            scratch=tmp_path / "scratch",
            settings={"code": str(code), "python": sys.executable, **told, **settings},
        )
        opened.append(make(declared, options))
        return opened[-1]

    yield make_one
    for system in opened:
        system.close()


def declared_of(adapter: str) -> SystemDeclaration:
    """The first declaration that uses a shipped adapter."""
    return next(system for system in load_systems().values() if system.settings.get("adapter") == adapter)


def heard(system, *audios: Path, history=(), words=None, **values):
    """All that an ask brought: its text, its samples and their rate, and the end."""
    ask = Ask("i-1", (*history, SpokenTurn("user", words, audios)), **values)
    *pieces, finished = system.respond(ask)
    assert isinstance(finished, Finished)
    texts = [piece.text for piece in pieces if isinstance(piece, TextPiece)]
    sounds = [piece for piece in pieces if isinstance(piece, AudioPiece)]
    assert "".join(texts) == finished.text
    rates = {piece.sample_rate_hz for piece in sounds}
    samples = np.concatenate([piece.samples for piece in sounds]) if sounds else np.zeros(0)
    return finished, samples, rates


def test_every_shipped_adapter_has_a_stand_in_a_declaration_and_nothing_else():
    names = {file.stem for file in SHIPPED.glob("*.py")} - {"__init__"}
    assert names == set(SYSTEMS)
    assert {declared_of(name).kind for name in names} == {"adapter"}


def test_no_shipped_adapter_claims_to_have_been_run():
    assert [name for name in SYSTEMS if declared_of(name).verified is not None] == []


def test_llama_omni2(open_shipped, clip):
    system = open_shipped("llama_omni2")
    found, samples, rates = heard(system, clip, history=HISTORY, instruction="简短")
    assert found.text == "user=我叫安 / assistant=你好，安 / user=简短+<speech>"
    assert rates == {24000} and np.allclose(samples, [0.1, 0.2])
    assert heard(system, clip, settings={"max_new_tokens": 5})[0].flags == ("cut_off",)
    with pytest.raises(EngineError, match="spoken"):
        heard(system, words="没有声音")


def test_freeze_omni_speaks_sentence_by_sentence_and_not_at_a_decimal_point(open_shipped, clip):
    system = open_shipped("freeze_omni")
    found, samples, rates = heard(system, clip, instruction="历史")
    assert found.text == ".第3.5号。[You are a helpful assistant.+历史]！"
    assert rates == {24000} and len(samples) == 30  # three sentences of ten samples
    assert heard(system, clip, settings={"max_new_tokens": 3})[0].flags == ("cut_off",)


def test_step_audio_2(open_shipped, clip):
    system = open_shipped("step_audio_2")
    found, samples, rates = heard(system, clip, clip, history=HISTORY, instruction="简短")
    assert found.text == "human=我叫安 / assistant=你好，安 / human=audio+audio+简短"
    assert rates == {24000} and samples.tolist() == [0.5, 0.5]
    assert not len(heard(system, clip, settings={"speech": False})[1])


def test_baichuan_omni_gives_text_and_sound_in_turn_and_fades_between_them(open_shipped, clip):
    system = open_shipped("baichuan_omni")
    found, samples, rates = heard(system, clip, history=HISTORY, instruction="简短")
    assert found.text.startswith(
        "<B_SYS>请用【邻家女声】这个声音回答问题。<C_Q>我叫安<audiotext_start_baichuan><C_A>你好，安<C_Q>"
    )
    assert found.text.endswith("<audio_end>简短<audiotext_start_baichuan><C_A>第二段")
    assert rates == {24000} and len(samples) == 2 * 1000 - 240 and np.allclose(samples, 0.5)
    silent = heard(system, clip, settings={"speech": False})
    assert silent[0].text.endswith("<C_A>") and not len(silent[1])


@pytest.mark.parametrize("streaming", [False, True])
def test_minicpm_o(open_shipped, clip, streaming):
    system = open_shipped("minicpm_o", streaming=streaming)
    found, samples, rates = heard(system, clip, history=HISTORY, instruction="简短")
    assert found.text == "system=zh / user=我叫安 / assistant=你好，安 / user=audio+简短"
    assert rates == {24000} and samples.tolist() == [0.5, 0.5]


def test_vocalnet(open_shipped, clip, tmp_path):
    system = open_shipped("vocalnet")
    found, samples, rates = heard(system, clip)
    assert (found.text, rates, samples.tolist()) == ("听到了", {24000}, [0.5, 0.5])
    long = write_audio(tmp_path / "long.wav", np.zeros(31 * 16000), 16000)
    assert heard(system, long)[0].flags == ("audio_cut",)


def test_glm_4_voice_starts_its_server_and_decodes_in_blocks(open_shipped, clip):
    system = open_shipped("glm_4_voice")
    found, samples, rates = heard(system, clip, history=HISTORY, instruction="简短")
    answered = "</assistant/>streaming_transcription+"
    spoken = "</begin_of_audio/></audio_1/></audio_2/></end_of_audio/>"
    assert (
        found.text == f"+我叫安{answered}你好，安</user/>+{spoken}简短{answered}"
    )  # and not what follows its end mark
    assert rates == {22050} and len(samples) == 31


def test_vita_audio_runs_no_demonstration_and_cuts_the_text_out(open_shipped, clip):
    found, samples, rates = heard(open_shipped("vita_audio"), clip, instruction="听")
    assert (found.text, rates, samples.tolist()) == ("听好吗", {22050}, [0.5, 0.5])


def test_kimi_audio(open_shipped, clip):
    system = open_shipped("kimi_audio")
    history = (SpokenTurn("system", "简短"), *HISTORY)
    found, samples, rates = heard(system, clip, clip, history=history, instruction="听")
    assert found.text == "user=简短 / user=我叫安 / assistant=你好，安 / user=听 / user=audio / user=audio"
    assert rates == {24000} and samples.tolist() == [0.5, 0.5]
    assert not len(heard(open_shipped("kimi_audio", speech=False), clip)[1])


def test_mimo_audio(open_shipped, clip):
    system = open_shipped("mimo_audio")
    found, samples, rates = heard(system, clip, instruction="简短")
    assert (found.text, rates, samples.tolist()) == ("说：简短", {24000}, [0.5, 0.5])
    spoken = (SpokenTurn("user", audios=(clip,)), SpokenTurn("assistant", "好", (clip,)))
    assert heard(system, clip, history=spoken)[0].text == "3轮"
    assert heard(system, clip, instruction="情绪？", settings={"speech": False})[0].text == "懂：情绪？"
    with pytest.raises(EngineError, match="audio only"):
        heard(system, clip, history=HISTORY)


def test_cosyvoice2(open_shipped):
    zero_shot = open_shipped("cosyvoice2", prompt_text="提示")
    found, samples, rates = heard(zero_shot, words="第一句。第二句。")
    assert (found.text, rates, samples.tolist()) == ("第一句。第二句。", {24000}, [0.5] * 4)
    assert heard(open_shipped("cosyvoice2", prompt_text=""), words="一句。")[1].tolist() == [-0.5, -0.5]


def test_salmonn(open_shipped, clip, tmp_path):
    system = open_shipped("salmonn")
    found, samples, _ = heard(system, clip, instruction="What is it?")
    assert found.text == "USER: <Speech><SpeechHere></Speech> What is it?+ASSISTANT:" and not len(samples)
    long = write_audio(tmp_path / "long.wav", np.zeros(31 * 16000), 16000)
    assert heard(system, long, instruction="?")[0].flags == ("audio_cut",)


def test_ltu_as_opens_no_page_and_hides_the_file_s_name(open_shipped, clip):
    assert heard(open_shipped("ltu_as"), clip, instruction="What is it?")[0].text == "What is it?"


def test_qwen_audio(open_shipped, clip):
    found = heard(open_shipped("qwen_audio"), clip, clip, history=HISTORY, instruction="听")[0]
    assert found.text == "[('我叫安', '你好，安')] | audio+audio+听"


def test_wavllm_puts_a_prompt_on_one_line_and_refuses_what_would_be_dropped(open_shipped, clip, tmp_path):
    system = open_shipped("wavllm")
    assert heard(system, clip, instruction="one\ttwo\nthree")[0].text == "one two three"
    long = write_audio(tmp_path / "long.wav", np.zeros(101 * 16000), 16000)
    with pytest.raises(EngineError, match="100 s"):
        heard(system, long, instruction="?")


def test_mu_llama_hears_24_khz(open_shipped, clip):
    assert heard(open_shipped("mu_llama"), clip, instruction="Which?")[0].text == "prompt:Which?"


def test_gama(open_shipped, clip, tmp_path):
    system = open_shipped("gama")
    assert heard(system, clip, instruction="Which?")[0].text == "Which?!"
    with pytest.raises(EngineError, match="exactly one"):
        heard(system, words="?")
