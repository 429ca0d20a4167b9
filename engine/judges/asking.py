"""One judgement from prompt to reading: asks, waits, asks again, and says how it ended."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.endpoints.completion import Answer
from engine.endpoints.waiting import Clock, after_asked_s, backoff_s
from engine.errors import EngineError
from engine.judges.budget import Price, Purse, estimate_tokens, prompt_tokens
from engine.judges.declaration import Judge
from engine.judges.endpoint import Caller, CallFailed, Endpoint
from engine.judges.injection import tries_to_steer
from engine.judges.pace import Pace
from engine.judges.prompt import Prompt, build_prompt, rubric_sha256
from engine.judges.read import read_reply
from engine.judges.values import JudgeItem, Judgement, Notice

_TRIES_TO_REACH = 2  # of one call, before anybody has answered


@dataclass(slots=True)
class Asker:
    """Asks one endpoint; shared by all the judgements of a run, which go at one pace and from one purse."""

    endpoint: Endpoint
    caller: Caller
    pace: Pace
    purse: Purse
    price: Price | None
    clock: Clock
    chance: random.Random
    notify: Callable[[Notice], None] = lambda _: None
    retries: int = 0
    failures_in_a_row: int = 0
    is_spent: bool = False
    _was_reached: bool = False
    _was_missed: bool = False
    _hashes: dict[tuple[str, str], str] = field(default_factory=dict)

    async def judgement(self, judge: Judge, item: JudgeItem, repeat: int) -> Judgement:
        """The judgement of one item, in whatever state it ends; raises EngineError only for what stops the run."""
        blank = self._blank(judge, item, repeat)
        try:
            prompt = build_prompt(judge, item.language, item.fields)
        except EngineError as error:
            return _failed(blank, "missing_field", **error.values)
        for tries in range(1, self.endpoint.tries + 1):
            try:
                answer, seconds = await self._call(prompt, judge)
            except _SpentError:
                if self.is_nobody_there:  # the budget went into calls that reached nobody
                    raise self._unreachable() from None
                return replace(_failed(blank, "budget_spent"), state="unscored")
            except CallFailed as failure:
                ended = await self._after(failure, blank, tries)
                if ended is not None:
                    return ended
                continue
            self.failures_in_a_row = 0
            return self._read(blank, judge, item, prompt, answer, seconds)
        raise AssertionError("the last try returns")

    async def _call(self, prompt: Prompt, judge: Judge) -> tuple[Answer, float]:
        aside = (prompt_tokens(prompt), judge.reply_tokens)
        if self.is_spent or not await self.purse.put_aside(*aside):
            self.is_spent = True
            raise _SpentError
        used = (0, 0)
        entered = await self.pace.enter()
        try:
            answer, seconds = await self.caller.ask(prompt.messages, self.clock.time())
            self._was_reached = True
            used = _tokens(prompt, answer)
            before = self.pace.limit
            self.pace.went_well()
            if self.pace.limit != before:
                self.notify(Notice("limit", self.pace.limit))
            return answer, seconds
        except CallFailed as failure:
            before = self.pace.limit
            self._was_missed = self._was_missed or failure.code == "unreachable"
            self._was_reached = self._was_reached or failure.code not in ("unreachable", "timed_out")
            used = _tokens(prompt, failure.answer) if failure.answer else used  # an empty reply was paid for too
            if failure.pushes_back:
                self.pace.pushed_back(entered)
            if failure.wait_s and failure.wait_s <= self.endpoint.longest_wait_s:
                self.pace.rest(failure.wait_s)
            if failure.pushes_back and self.pace.limit != before:
                self.notify(Notice("pushed_back", self.pace.limit, failure.status, failure.wait_s))
            raise
        finally:
            self.pace.leave()
            await self.purse.settle(aside, *used)

    @property
    def is_nobody_there(self) -> bool:
        """Whether no connection could be made and none ever was: the address is wrong, or its server does not run."""
        return self._was_missed and not self._was_reached

    def _unreachable(self) -> EngineError:
        return EngineError("judges.unreachable", base_url=self.endpoint.base_url, model=self.endpoint.model)

    async def _after(self, failure: CallFailed, blank: Judgement, tries: int) -> Judgement | None:
        """Wait and return None when the call is worth another try; else how the judgement ended."""
        endpoint = self.endpoint
        where = {"base_url": endpoint.base_url, "model": endpoint.model}
        if failure.stops_the_run:
            raise EngineError(f"judges.{failure.code}", **where, status=failure.status, message=failure.message)
        if self.is_nobody_there and tries >= min(_TRIES_TO_REACH, self.endpoint.tries):
            raise self._unreachable()
        asked = failure.wait_s
        too_long = asked is not None and asked > endpoint.longest_wait_s
        if failure.may_pass and not too_long and tries < endpoint.tries:
            self.retries += 1
            wait_s = backoff_s(tries, self.chance) if asked is None else after_asked_s(asked, self.chance)
            await self.clock.sleep(wait_s)
            return None
        self.failures_in_a_row = 0 if failure.is_answer else self.failures_in_a_row + 1
        if failure.answer:
            used = (failure.answer.tokens_in or 0, failure.answer.tokens_out or 0)
            cost = self.price.of(*used) if self.price else None
            blank = replace(blank, tokens_in=used[0], tokens_out=used[1], cost=cost)
        values = {"status": failure.status, "message": failure.message, "tries": tries, "limit": endpoint.time_limit_s}
        if too_long:
            values |= {"seconds": f"{asked:.10g}", "limit": f"{endpoint.longest_wait_s:.10g}"}
        return _failed(blank, "retry_after_too_long" if too_long else failure.code, **values)

    def _read(
        self, blank: Judgement, judge: Judge, item: JudgeItem, prompt: Prompt, answer: Answer, seconds: float
    ) -> Judgement:
        used = _tokens(prompt, answer)
        reported = answer.tokens_in is not None and answer.tokens_out is not None
        flags = (*blank.flags, *answer.flags, *(() if reported else ("tokens_estimated",)))
        cost = self.price.of(*used) if self.price else None
        asked = replace(
            blank, raw_reply=answer.text, flags=flags, tokens_in=used[0], tokens_out=used[1], cost=cost, seconds=seconds
        )
        if answer.state == "refused":
            return _failed(asked, "judge_refused", message=answer.text or "")
        reading = read_reply(judge, item.language, answer.text or "")
        return replace(
            asked,
            state=reading.state,
            verdict=reading.verdict,
            score=reading.score,
            reason=reading.reason,
            error_code=reading.why,
        )

    def _blank(self, judge: Judge, item: JudgeItem, repeat: int) -> Judgement:
        key = (judge.id, item.language)
        if key not in self._hashes:
            self._hashes[key] = rubric_sha256(judge, item.language)
        judged = next(field.name for field in judge.fields if field.judged)
        flags = ("injection",) if tries_to_steer(judge, item.fields.get(judged, "")) else ()
        return Judgement(
            item.response_id,
            judge.id,
            judge.version,
            self._hashes[key],
            repeat,
            "unscored",
            None,
            None,
            "",
            None,
            flags,
        )


class _SpentError(Exception):
    """The budget has no room for another call."""


def _failed(blank: Judgement, code: str, **values: object) -> Judgement:
    return replace(blank, state="failed", error_code=f"judges.{code}", error_values=values)


def _tokens(prompt: Prompt, answer: Answer) -> tuple[int, int]:
    """What a call used as the endpoint reports it, else about how many by our own rule."""
    tokens_in = prompt_tokens(prompt) if answer.tokens_in is None else answer.tokens_in
    return tokens_in, estimate_tokens(answer.text or "") if answer.tokens_out is None else answer.tokens_out
