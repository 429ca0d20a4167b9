"""A cascade of stand-in parts: what is put to each of them, in which order things come, and what is told at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.audio.write import write_audio
from engine.errors import EngineError
from engine.systems.cascade import system as cascade
from engine.systems.cascade.part import Table, Wanted
from engine.systems.cascade.parts import hearing, speaking, writing
from engine.systems.declaration import SystemDeclaration, declared_system
from engine.systems.values import Abilities, Ask, AudioPiece, Finished, Options, SpokenTurn, TextPiece
from tests.engine.systems.endpoint.server import Answer, FormServer, delta, stream, whole

DECLARED = SystemDeclaration("stand_in", 1, "cascade", {"en": "Stand-in", "zh": "替身"}, Abilities())


@dataclass
class StandIn:
    """All three parts in one: hears names of files, writes the given pieces, says a sample for each letter."""

    pieces: tuple[str, ...] = ("One. ", "Two", ". Three")
    versions: Mapping[str, str] = field(default_factory=lambda: {"stand-in": "1"})
    flags: tuple[str, ...] = ()
    log: list[Any] = field(default_factory=list)
    is_dumb: bool = False

    def heard(self, audio: Path) -> str:
        return "" if audio.stem == "silence" else f"[{audio.stem}]"

    def written(self, wanted: Wanted) -> Iterator[str]:
        self.log.append(wanted)
        for piece in self.pieces:
            self.log.append(f"writes {piece}")
            yield piece
        self.log.append("has written")

    def spoken(self, sentence: str, seed: int) -> Iterator[tuple[np.ndarray[Any, Any], int]]:
        self.log.append(f"says {sentence}")
        if not self.is_dumb:
            yield np.ones(len(sentence), np.float32), 8000

    def close(self) -> None:
        self.log.append("closed")


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch):
    def made(stand_in: StandIn, declaration: SystemDeclaration = DECLARED, **settings: Any) -> cascade.CascadeSystem:
        for name in ("hearing", "writing", "speaking"):
            monkeypatch.setattr(cascade, name, lambda table, options: stand_in)
        return cascade.CascadeSystem(declaration, Options(settings=settings))

    return made


def spoken_turn(*names: str, text: str | None = None) -> SpokenTurn:
    return SpokenTurn("user", text, tuple(Path(f"{name}.wav") for name in names))


def test_each_sentence_comes_as_text_and_then_as_audio_before_the_next_is_written(make) -> None:
    part = StandIn()
    pieces = list(make(part).respond(Ask("a", (spoken_turn("hello"),))))
    assert [type(piece).__name__ for piece in pieces] == ["TextPiece", "AudioPiece"] * 3 + ["Finished"]
    assert "".join(piece.text for piece in pieces if isinstance(piece, TextPiece)) == "One. Two. Three"
    assert [len(piece.samples) for piece in pieces if isinstance(piece, AudioPiece)] == [4, 4, 5]
    said = [entry for entry in part.log if isinstance(entry, str)]
    assert said == [
        "writes One. ",
        "writes Two",
        "says One.",
        "writes . Three",
        "says Two.",
        "has written",
        "says Three",
    ]
    assert pieces[-1].text == "One. Two. Three"
    assert set(pieces[-1].spent_s) == {"recogniser", "language_model", "synthesiser"}
    assert pieces[-1].versions == {"stand-in": "1"}


def test_turns_become_messages_with_the_instruction_before_what_was_heard(make) -> None:
    part = StandIn()
    turns = (SpokenTurn("user", "Hi"), SpokenTurn("assistant", "Yes?"), spoken_turn("one", "two", text="t"))
    list(make(part, system_prompt="S").respond(Ask("a", turns, instruction="Translate", seed=9)))
    wanted = part.log[0]
    assert [(m["role"], m["content"]) for m in wanted.messages] == [
        ("system", "S"), ("user", "Hi"), ("assistant", "Yes?"), ("user", "t\nTranslate\n[one]\n[two]"),
    ]  # fmt: skip
    assert wanted.seed == 9


def test_the_instruction_may_stand_after_what_was_heard(make) -> None:
    part = StandIn()
    list(make(part, instruction_place="after").respond(Ask("a", (spoken_turn("one"),), instruction="Translate")))
    assert part.log[0].messages[0]["content"] == "[one]\nTranslate"


def test_what_went_wrong_on_the_way_is_flagged(make) -> None:
    part = StandIn(flags=("cut_by_limit",), is_dumb=True)
    finished = list(make(part).respond(Ask("a", (spoken_turn("silence"),))))[-1]
    assert finished.flags == ("nothing_heard", "nothing_said", "cut_by_limit")


def test_an_answer_over_its_time_ends_after_the_sentence_and_says_so(make) -> None:
    part = StandIn()
    pieces = list(make(part).respond(Ask("a", (spoken_turn("one"),), time_limit_s=0.0)))
    assert pieces[-1] == Finished("One.", ("time_limit",), {"stand-in": "1"}, spent_s=pieces[-1].spent_s)
    assert "has written" not in part.log


def test_closing_an_answer_asks_for_no_more(make) -> None:
    part = StandIn()
    answer = make(part).respond(Ask("a", (spoken_turn("one"),)))
    next(answer)
    answer.close()
    assert "writes . Three" not in part.log


def test_a_runs_settings_go_over_the_declared_ones_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {}
    for name in ("hearing", "writing", "speaking"):
        monkeypatch.setattr(cascade, name, lambda table, options, name=name: told.setdefault(name, table))
    settings = {"language_model": {"weights": "mine/model"}, "language_model.max_new_tokens": 9}
    cascade.CascadeSystem(declared_system("whisper-llama"), Options(settings=settings))
    assert told["writing"] == {
        "kind": "transformers", "weights": "mine/model", "max_new_tokens": 9, "temperature": 0.6, "top_p": 0.9,
    }  # fmt: skip
    assert told["speaking"] == {}  # it answers in writing


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (Options(weights="some/weights"), "cascade.whose_weights"),
        (Options(settings={"speed": 2}), "cascade.unknown_setting"),
    ],
)
def test_what_fits_no_part_is_refused(options: Options, code: str) -> None:
    with pytest.raises(EngineError) as error:
        cascade.CascadeSystem(DECLARED, options)
    assert error.value.code == code
    assert str(error.value)


def test_a_part_that_nobody_knows_is_named_with_those_there_are() -> None:
    for make_part, known in ((hearing, "whisper"), (writing, "gguf"), (speaking, "kokoro")):
        with pytest.raises(EngineError) as error:
            make_part({"kind": "magic"}, Options())
        assert error.value.code == "cascade.unknown_part"
        assert known in str(error.value)


def test_a_key_that_a_part_does_not_know_or_cannot_use_is_named() -> None:
    table = Table("synthesiser", {"voice": "x", "speed": "fast"})
    table.take("voice", "")
    with pytest.raises(EngineError, match="speed"):
        table.no_more()
    with pytest.raises(EngineError, match="fast"):
        table.take("speed", 1.0)


def test_any_declared_system_can_be_a_part(tmp_path: Path) -> None:
    sound = tmp_path / "sound.wav"
    write_audio(sound, np.zeros(1600, np.float32), 16000)
    null = {"kind": "system", "system": "null"}
    part = hearing(null, Options())
    assert part.heard(sound) == "这是空系统的回答。"
    wanted = Wanted(({"role": "user", "content": "hi"},), 0, 10.0, {})
    assert "".join(writing(null, Options()).written(wanted)) == "这是空系统的回答。"
    voice = speaking({**null, "audio_s": 0.5}, Options())
    ((samples, rate),) = voice.spoken("Hello", 1)
    assert (len(samples), rate) == (12000, 24000)


def test_all_three_parts_may_be_endpoints(tmp_path: Path) -> None:
    sound = write_audio(tmp_path / "sound.wav", np.zeros(1600, np.float32), 16000)
    answers = {
        "/v1/audio/transcriptions": whole({"text": "Who are you?"}),
        "/v1/chat/completions": stream(delta(content="I am a"), delta(content=" cascade. And"), delta(content=" you?")),
        "/v1/audio/speech": Answer([np.full(800, 1000, "<i2").tobytes()], "audio/pcm"),
    }
    with FormServer(lambda request, count: answers[request.path]) as server:
        part = {"kind": "endpoint", "base_url": server.base_url, "model": "loopback"}
        parts = {
            "recogniser": part,
            "language_model": {**part, "stream": True},
            "synthesiser": {**part, "voice": "alloy", "audio_format": "pcm16"},
        }
        system = cascade.CascadeSystem(replace(DECLARED, parts=parts), Options())
        pieces = list(system.respond(Ask("a", (SpokenTurn("user", audios=(sound,)),), settings={"max_new_tokens": 7})))
        system.close()
    assert [piece.text for piece in pieces if isinstance(piece, TextPiece)] == ["I am a cascade. ", "And you?"]
    assert [len(piece.samples) for piece in pieces if isinstance(piece, AudioPiece)] == [800, 800]
    chat = next(request for request in server.requests if request.path == "/v1/chat/completions")
    assert chat.body["messages"][-1]["content"] == "Who are you?"
    assert chat.body["max_tokens"] == 7
    said = [request.body["input"] for request in server.requests if request.path == "/v1/audio/speech"]
    assert said == ["I am a cascade.", "And you?"]
    assert pieces[-1].flags == ()
