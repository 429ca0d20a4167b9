"""What a system cannot take is adapted as the papers did, each change told, or refused with the reason."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from engine.errors import EngineError
from engine.systems.adapting import JOIN_SILENCE_S, adapted
from engine.systems.values import Abilities, Ask, SpokenTurn
from tests.engine.runs.made import tone

EVERYTHING = Abilities(text_history=True, audio_history=True, several_audios=True)


def test_what_a_system_can_take_stays_as_it_is(tmp_path):
    audios = (tone(tmp_path / "a.wav"), tone(tmp_path / "b.wav"))
    ask = Ask("x", (SpokenTurn("user", "你好"), SpokenTurn("user", audios=audios)), "Count them.")
    assert adapted(ask, EVERYTHING, tmp_path) == (ask, ())


def test_several_audios_are_joined_with_half_a_second_of_silence(tmp_path):
    audios = (tone(tmp_path / "a.wav", 0.4, rate=16_000), tone(tmp_path / "b.wav", 0.3, rate=24_000))
    ask = Ask("x", (SpokenTurn("user", audios=audios),))
    found, changes = adapted(ask, Abilities(), tmp_path / "made")
    (joined,) = found.turns[-1].audios
    samples, rate = soundfile.read(joined)
    assert (rate, changes) == (24_000, ("joined_audios",))
    assert len(samples) == pytest.approx((0.4 + JOIN_SILENCE_S + 0.3) * rate, abs=2)
    silence = samples[round(0.41 * rate) : round((0.39 + JOIN_SILENCE_S) * rate)]
    assert np.abs(silence).max() < 1e-3
    assert adapted(ask, Abilities(), tmp_path / "made")[0].turns[-1].audios == (joined,)


def test_written_history_becomes_an_instruction_with_its_speakers(tmp_path):
    turns = (
        SpokenTurn("user", "你好"),
        SpokenTurn("assistant", "你好！"),
        SpokenTurn("user", audios=(tone(tmp_path / "a.wav"),)),
    )
    found, changes = adapted(Ask("x", turns, "Answer briefly."), Abilities(), tmp_path)
    assert changes == ("history_as_instruction",)
    assert found.instruction == "User: 你好\nAssistant: 你好！\nAnswer briefly."
    assert found.turns == turns[-1:]


def test_an_audio_that_may_not_be_heard_to_its_end_is_told(tmp_path):
    ask = Ask("x", (SpokenTurn("user", audios=(tone(tmp_path / "a.wav", 0.5),)),))
    assert adapted(ask, Abilities(longest_audio_s=0.4), tmp_path) == (ask, ("audio_over_limit",))


@pytest.mark.parametrize(
    ("turns", "instruction", "code"),
    [
        ((SpokenTurn("user", "你好"), SpokenTurn("user", "再见")), None, "systems.cannot_take_history"),
        ((SpokenTurn("user", "你好"),), "Count.", "systems.cannot_take_instruction"),
        ((SpokenTurn("user"),), None, "systems.nothing_spoken"),
        ((), None, "systems.nothing_spoken"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(tmp_path, turns, instruction, code):
    with pytest.raises(EngineError) as caught:
        adapted(Ask("x", turns, instruction), Abilities(text_instruction=False), tmp_path)
    assert caught.value.code == code
    assert "x" in str(caught.value)


def test_spoken_history_is_refused_where_only_the_last_turn_is_heard(tmp_path):
    turns = (SpokenTurn("user", audios=(tone(tmp_path / "a.wav"),)), SpokenTurn("user", "再见"))
    with pytest.raises(EngineError) as caught:
        adapted(Ask("x", turns), Abilities(), tmp_path)
    assert caught.value.code == "systems.cannot_take_spoken_history"
