from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.judges.budget import Budget, Price, estimate, estimate_tokens
from engine.judges.declaration import load_judges
from engine.judges.values import JudgeItem

FIELDS = {"question": "长江", "reference": "长江", "response": "长江"}


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("长江。", 3), ("abcd", 1), ("abcde", 2), ("长江 river", 4)])
def test_a_wide_character_is_a_token_and_four_latin_ones_are(text: str, tokens: int):
    assert estimate_tokens(text) == tokens


def test_an_estimate_counts_calls_tokens_and_cost():
    items = [JudgeItem(n, "knowledge", "zh", FIELDS) for n in range(10)]
    one = estimate(items[:1], load_judges())
    ten = estimate(items, load_judges(), repeats=(0, 1, 2), price=Price(2.0, 8.0, "CNY"))
    assert ten.calls == 30
    assert ten.tokens_in == pytest.approx(30 * one.tokens_in, rel=0.01)  # the fence's random code varies a little
    assert ten.tokens_out == 30 * 250
    assert ten.cost == pytest.approx((ten.tokens_in * 2 + ten.tokens_out * 8) / 1e6)
    assert one.cost is None


def test_a_longer_answer_is_estimated_higher():
    long = {**FIELDS, "response": "长" * 1000}
    short_one, long_one = (
        estimate([JudgeItem(0, "knowledge", "zh", fields)], load_judges()).tokens_in for fields in (FIELDS, long)
    )
    assert long_one - short_one == pytest.approx(998, abs=5)


@pytest.mark.parametrize("wrong", [-1, float("nan")])
def test_a_budget_below_zero_is_refused(wrong: float):
    with pytest.raises(EngineError, match="money"):
        Budget(money=wrong)
