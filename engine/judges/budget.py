"""What a run will cost, estimated before, and held to a budget while it goes on."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.errors import EngineError
from engine.judges.declaration import Judge
from engine.judges.prompt import Prompt, build_prompt
from engine.judges.values import JudgeItem

_PER_MESSAGE = 4
_PER_CALL = 3


@dataclass(frozen=True, slots=True)
class Price:
    """What the user says a model costs, for a million tokens in and out."""

    input_per_million: float
    output_per_million: float
    currency: str = "USD"

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """The cost of so many tokens."""
        return (tokens_in * self.input_per_million + tokens_out * self.output_per_million) / 1e6


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a run may use; None is no limit. Money needs a Price; tokens count in and out together."""

    money: float | None = None
    tokens: int | None = None
    calls: int | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise EngineError("judges.budget_negative", name=name, value=value)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would take if every call succeeded at once; ``cost`` is None without a price."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    currency: str = ""


def estimate_tokens(text: str) -> int:
    """About how many tokens a text has: one for each character outside Latin script, one for four of the others.

    A rule that errs on the high side for Chinese with the usual tokenisers; "" has 0.
    """
    wide = sum(character > "\u02ff" for character in text)
    return wide + math.ceil((len(text) - wide) / 4)


def prompt_tokens(prompt: Prompt) -> int:
    """About how many tokens a prompt takes, with 4 for each message's frame and 3 for the reply's."""
    return sum(estimate_tokens(part) + _PER_MESSAGE for part in (prompt.system, prompt.user)) + _PER_CALL


def estimate(
    items: Iterable[JudgeItem],
    judges: Mapping[str, Judge],
    *,
    repeats: Sequence[int] = (0,),
    price: Price | None = None,
) -> Estimate:
    """Calls, tokens and cost of asking about ``items``, for --dry-run. A reply counts as its judge's reply_tokens.

    Raises EngineError ``judges.missing_field`` for an item without a field its judge needs.
    """
    calls = tokens_in = tokens_out = 0
    for item in items:
        judge = judges[item.judge]
        calls += len(repeats)
        tokens_in += len(repeats) * prompt_tokens(build_prompt(judge, item.language, item.fields))
        tokens_out += len(repeats) * judge.reply_tokens
    cost = price.of(tokens_in, tokens_out) if price else None
    return Estimate(calls, tokens_in, tokens_out, cost, price.currency if price else "")


class Purse:
    """Holds a run to its budget: every call puts aside what it is expected to use, and settles what it did use."""

    def __init__(self, budget: Budget, price: Price | None) -> None:
        self._budget, self._price = budget, price
        self.calls = self.tokens_in = self.tokens_out = 0
        self._aside: list[tuple[int, int]] = []
        self._settled = asyncio.Condition()

    async def put_aside(self, tokens_in: int, tokens_out: int) -> bool:
        """Whether one more call fits; waits for running calls to settle while only they stand in its way."""
        async with self._settled:
            while not self._fits(tokens_in, tokens_out):
                if not self._aside:
                    return False
                await self._settled.wait()
            self._aside.append((tokens_in, tokens_out))
            self.calls += 1
            return True

    async def settle(self, aside: tuple[int, int], used_in: int, used_out: int) -> None:
        """Replace what a call had put aside by what it used; 0 and 0 for a call that failed unanswered."""
        async with self._settled:
            self._aside.remove(aside)
            self.tokens_in += used_in
            self.tokens_out += used_out
            self._settled.notify_all()

    def _fits(self, tokens_in: int, tokens_out: int) -> bool:
        budget = self._budget
        all_in = self.tokens_in + tokens_in + sum(aside[0] for aside in self._aside)
        all_out = self.tokens_out + tokens_out + sum(aside[1] for aside in self._aside)
        return (
            (budget.calls is None or self.calls < budget.calls)
            and (budget.tokens is None or all_in + all_out <= budget.tokens)
            and (budget.money is None or self._price is None or self._price.of(all_in, all_out) <= budget.money)
        )
