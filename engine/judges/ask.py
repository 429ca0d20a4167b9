"""Asks judges about many answers at once; results come as they complete, and closing early leaves nothing running."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import random
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.endpoints.keys import ApiKey, find_key
from engine.endpoints.waiting import Clock
from engine.errors import EngineError
from engine.judges.asking import Asker
from engine.judges.budget import Budget, Price, Purse
from engine.judges.declaration import Judge, load_judge
from engine.judges.endpoint import Caller, Endpoint
from engine.judges.pace import Pace
from engine.judges.values import JudgeItem, Judgement, Notice
from engine.progress import Progress

FAILURES_BEFORE_STOPPING = 32  # judgements in a row, each after all its tries: the endpoint is down, not unlucky
_STEP_S = 0.5  # the longest a step lasts while nothing completes

_Job = tuple[Judge, JudgeItem, int]


@dataclass(frozen=True, slots=True)
class Totals:
    """How a run ended: judgements by state, calls made and repeated, tokens, cost (None without a price).

    ``slowest`` and ``fastest`` are the least and the most calls that were let run at once.
    """

    scored: int
    unparsable: int
    failed: int
    unscored: int
    calls: int
    retries: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    slowest: int
    fastest: int


def ask_judges(
    items: Sequence[JudgeItem],
    endpoint: Endpoint,
    *,
    judges: Mapping[str, Judge] | None = None,
    key: ApiKey | None = None,
    repeats: Sequence[int] = (0,),
    budget: Budget | None = None,
    price: Price | None = None,
    clock: Clock | None = None,
    seed: int | None = None,
) -> Generator[Progress | Judgement | Notice, None, Totals]:
    """Ask about every item once for each index in ``repeats``; yields each Judgement as it completes, then a Progress.

    A Notice comes where the number of calls that may run at once changes.
    Every item ends as exactly one Judgement for each repeat, in any order, unless the run stops. While nothing
    completes a Progress comes every half second; its label shows ⏸ and the seconds left where the endpoint asked for
    a wait. The calls run on a private thread; closing the generator cancels them and waits for that thread. Closing
    loses the calls in flight, never a judgement that was yielded.

    Args:
        judges: by id, for judges that do not ship; a shipped one is loaded by its id.
        key: asked with; without one it is looked up as ``find_key`` says.
        budget: when it is spent, the rest comes back ``unscored`` with ``judges.budget_spent``.
        clock: time and waiting, for tests.
        seed: of the jitter, for tests.

    Raises EngineError: ``unknown_judge``, ``no_key``, ``budget_without_price`` before the first call;
    ``unauthorised``, ``not_found``, ``no_credit``, ``unreachable`` or ``endpoint_down`` when no further call can
    succeed.
    """
    budget = budget or Budget()
    if budget.money is not None and price is None:
        raise EngineError("judges.budget_without_price", model=endpoint.model)
    known = {name: (judges or {}).get(name) or load_judge(name) for name in {item.judge for item in items}}
    jobs = [(known[item.judge], item, repeat) for item in items for repeat in repeats]
    key = key or find_key(endpoint.base_url, endpoint.key_env)
    run = _Run(jobs, endpoint, key, budget, price, clock or Clock(), random.Random(seed))
    counts = {"scored": 0, "unparsable": 0, "failed": 0, "unscored": 0}
    try:
        for found in run.results():
            if isinstance(found, Notice):
                yield found
                continue
            if found is not None:
                counts[found.state] += 1
                yield found
            yield Progress(sum(counts.values()), len(jobs), found.judge if found else run.pause(), counts["failed"])
    finally:
        run.close()
    return run.totals(counts)


class _Run:
    """The calls of one ask_judges on their own thread and event loop."""

    def __init__(
        self,
        jobs: Sequence[_Job],
        endpoint: Endpoint,
        key: ApiKey | None,
        budget: Budget,
        price: Price | None,
        clock: Clock,
        chance: random.Random,
    ) -> None:
        self._jobs, self._endpoint, self._price = jobs, endpoint, price
        self._results: queue.SimpleQueue[Judgement | Notice | BaseException | None] = queue.SimpleQueue()
        self._pace = Pace(endpoint.concurrency, endpoint.max_concurrency, clock)
        self._purse = Purse(budget, price)
        self._caller = Caller(endpoint, key)
        self._asker = Asker(endpoint, self._caller, self._pace, self._purse, price, clock, chance, self._results.put)
        self._loop = asyncio.new_event_loop()
        self._results.put(Notice("limit", self._pace.limit))
        self._work = self._loop.create_task(self._ask_all())
        self._thread = threading.Thread(target=self._run_loop, name="judges", daemon=True)
        self._thread.start()

    def results(self) -> Iterator[Judgement | Notice | None]:
        """Judgements and notices as they come, None while nothing does; raises what stopped the run."""
        while True:
            try:
                found = self._results.get(timeout=_STEP_S)
            except queue.Empty:
                yield None
                continue
            if found is None:
                return
            if isinstance(found, BaseException):
                raise found
            yield found

    def close(self) -> None:
        """Cancel what still runs and wait for the thread; does nothing when all is done."""
        if self._thread.is_alive():
            with contextlib.suppress(RuntimeError):  # the loop may close in between
                self._loop.call_soon_threadsafe(self._work.cancel)
            self._thread.join()

    def pause(self) -> str:
        """How long the endpoint is still waited for at its own request, "" when it is not."""
        return f"⏸ {self._pace.rests_s:.0f} s" if self._pace.rests_s else ""

    def totals(self, counts: Mapping[str, int]) -> Totals:
        purse = self._purse
        cost = self._price.of(purse.tokens_in, purse.tokens_out) if self._price else None
        return Totals(
            **counts,
            calls=purse.calls,
            retries=self._asker.retries,
            tokens_in=purse.tokens_in,
            tokens_out=purse.tokens_out,
            cost=cost,
            slowest=self._pace.lowest,
            fastest=self._pace.highest,
        )

    def _run_loop(self) -> None:
        ended: BaseException | None = None
        try:
            self._loop.run_until_complete(self._work)
        except asyncio.CancelledError:
            pass
        except BaseException as error:  # noqa: BLE001 - handed to the thread that asked, which raises it
            ended = error
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())  # it resolved host names
            self._loop.close()
            self._results.put(ended)

    async def _ask_all(self) -> None:
        jobs = iter(self._jobs)
        async with self._caller:
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(min(self._endpoint.max_concurrency, len(self._jobs))):
                        group.create_task(self._ask_next(jobs))
            except BaseExceptionGroup as several:
                raise next(
                    (e for e in several.exceptions if isinstance(e, EngineError)), several.exceptions[0]
                ) from None

    async def _ask_next(self, jobs: Iterator[_Job]) -> None:
        for judge, item, repeat in jobs:
            judgement = await self._asker.judgement(judge, item, repeat)
            self._results.put(judgement)
            if self._asker.failures_in_a_row >= FAILURES_BEFORE_STOPPING:
                raise EngineError(
                    "judges.endpoint_down",
                    base_url=self._endpoint.base_url,
                    model=self._endpoint.model,
                    count=self._asker.failures_in_a_row,
                    because=(judgement.error_code, dict(judgement.error_values)),
                )
