from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.endpoints.completion import read_completion
from tests.shared import case, needs_shared

STATES = {
    "answered": ("answered", None, ()),
    "refused (answered for a safety set)": ("refused", None, ()),
    "failed: filtered": ("failed", "filtered", ()),
    "failed: budget spent before an answer": ("failed", "no_room", ()),
    "answered, flagged as cut off": ("answered", None, ("cut_off",)),
}


@needs_shared
@pytest.mark.parametrize("number", range(8))
def test_content_null_is_read_for_what_it_means(number: int):
    entry = case("endpoint-content-null")
    answer = read_completion(entry["input"]["exchanges"][number][0]["json"])
    expect = entry["expect"]
    assert answer.text == expect["texts"][number]
    assert (answer.audio is not None) == expect["audio"][number]
    assert (answer.state, answer.code, answer.flags) == STATES[expect["states"][number]]
    assert answer.text != "None"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"content": ""}, "empty_reply"),
        ({"content": " \n"}, "empty_reply"),
        ({"content": None, "tool_calls": [{"id": "t"}]}, "tool_call"),
        ({"content": None, "reasoning": "先想想"}, "empty_reply"),
        ({"content": [{"type": "reasoning", "text": "先想想"}]}, "empty_reply"),
        ({}, "empty_reply"),
    ],
)
def test_a_reply_without_an_answer_is_a_failure_with_its_reason(message: dict, code: str):
    answer = read_completion({"choices": [{"message": message, "finish_reason": "stop"}]})
    assert (answer.state, answer.text, answer.code) == ("failed", None, code)


def test_an_error_under_status_200_is_an_error():
    answer = read_completion({"error": {"code": 502, "message": "upstream"}})
    assert (answer.state, answer.code, answer.message) == ("failed", "error_in_body", "upstream")


def test_usage_is_taken_as_reported_and_none_where_it_is_not():
    choices = [{"message": {"content": "x"}}]
    told = read_completion({"choices": choices, "usage": {"prompt_tokens": 7, "completion_tokens": 2}})
    assert (told.tokens_in, told.tokens_out) == (7, 2)
    untold = read_completion({"choices": choices, "usage": {"prompt_tokens": "7", "completion_tokens": -1}})
    assert (untold.tokens_in, untold.tokens_out) == (None, None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "audio", "data", "usage", "error"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(["choices", "usage", "error", "model"]), JSON, max_size=4))
def test_no_body_raises(body: dict):
    assert read_completion(body).state in ("answered", "refused", "failed")
