"""Tokens that come one at a time, and the text they make."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from engine.systems.local.stepwise import Stepper, stepwise
from engine.systems.local.words import Words
from tests.engine.systems.omni.tiny import torch

pytestmark = pytest.mark.torch


def writes(tokens: list[int], done: list[int]):
    """A generation that writes its prompt and then each token, and notes how far it came."""

    def generate(stepper: Stepper) -> str:
        stepper.put(torch.tensor([[1, 2, 3]]))
        for token in tokens:
            done.append(token)
            stepper.put(torch.tensor([token]))
        stepper.end()
        return "the result"

    return generate


def test_tokens_come_in_order_without_the_prompt_and_the_result_at_the_end() -> None:
    steps = stepwise(writes([7, 8], []))
    assert next(steps) == (0, [7])
    assert next(steps) == (0, [8])
    with pytest.raises(StopIteration) as end:
        next(steps)
    assert end.value.value == "the result"


def test_generation_rests_while_the_reader_has_the_turn() -> None:
    done: list[int] = []
    steps = stepwise(writes([7, 8, 9], done))
    assert done == []
    next(steps)
    assert done == [7]
    steps.close()
    assert done == [7]
    assert "generation" not in {thread.name for thread in threading.enumerate()}


def test_a_second_model_is_a_second_stage() -> None:
    def generate(stepper: Stepper) -> None:
        for token in (4, 5):
            stepper.put(torch.tensor([[1]]))
            stepper.put(torch.tensor([token]))
            stepper.end()

    assert list(stepwise(generate)) == [(0, [4]), (1, [5])]


def test_what_a_generation_raises_is_raised_where_tokens_are_read() -> None:
    def generate(_: Any) -> None:
        raise torch.OutOfMemoryError("no room")

    with pytest.raises(torch.OutOfMemoryError):
        next(stepwise(generate))


def test_text_comes_in_whole_characters_only() -> None:
    data = "好\nab好".encode()
    words = Words(lambda tokens: bytes(tokens).decode("utf-8", "replace"))
    assert [words.add([byte]) for byte in data] == ["", "", "好", "\n", "a", "b", "", "", "好"]
    assert words.text == "好\nab好"
    assert words.rest() == ""


def test_half_a_character_at_the_end_is_told_at_the_end() -> None:
    words = Words(lambda tokens: bytes(tokens).decode("utf-8", "replace"))
    words.add(list("好".encode())[:2])
    assert words.rest() == "\ufffd"


def test_bytes_that_never_become_a_character_do_not_hold_the_text_back() -> None:
    words = Words(lambda tokens: bytes(tokens).decode("utf-8", "replace"))
    told = [words.add([byte]) for byte in b"a\xff\xff\xff\xff\xff"]
    assert told == ["a", "", "", "", "\ufffd", "\ufffd"]
    assert words.add([ord("b")]) == "\ufffd" * 3 + "b"
