"""Lines of the protocol: what goes in comes out, and what is no message is contained."""

from __future__ import annotations

import io

import numpy as np
import pytest

from engine.errors import EngineError
from engine.worker.protocol import LONGEST_LINE, Garbage, encode, messages, pcm_samples, pcm_text


def test_messages_come_back_as_they_were_sent():
    sent = [{"type": "result", "id": 1, "item": "甲\n", "values": {"text": "少林 \ud800 \u2028"}}, {"type": "bye"}]
    assert list(messages(io.BytesIO(b"".join(map(encode, sent))))) == sent


def test_a_number_that_is_none_is_sent_as_null_at_any_depth():
    line = encode({"type": "result", "values": {"a": [float("nan"), np.float32("inf"), np.int64(3)]}})
    assert b"[null,null,3]" in line.replace(b"Infinity", b"never")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"type":"bye"\n', "not JSON"),
        (b"\xff\xfe\n", "not UTF-8"),
        (b"[]\n", "no message"),
        (b'{"type":"sudden"}\n', "no message"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b'{"type":"bye","x":"' + b"x" * LONGEST_LINE + b'"}\n', "too long"),
    ],
)
def test_what_is_no_message_is_told_and_the_next_line_is_read(line, why):
    garbage, message = messages(io.BytesIO(line + b'{"type":"bye"}\n'))
    assert isinstance(garbage, Garbage)
    assert why in garbage.why
    assert len(garbage.excerpt) <= 4 * 200
    assert message == {"type": "bye"}


def test_a_message_over_the_limit_is_refused_by_its_sender():
    with pytest.raises(EngineError, match="16 MiB"):
        encode({"type": "ask", "pcm": "x" * LONGEST_LINE})


def test_samples_travel_as_text_without_loss():
    samples = np.array([0.0, -1.0, 1 / 3, np.nan], np.float32)
    np.testing.assert_array_equal(pcm_samples(pcm_text(samples)), samples)


@pytest.mark.parametrize("text", ["*", "AAA", "AAAA"])
def test_damaged_samples_are_refused(text):
    with pytest.raises(EngineError) as raised:
        pcm_samples(text)
    assert raised.value.code == "worker.pcm_damaged"
