"""How fast 1,000 judgements come from an endpoint that takes 200 ms for each."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from engine.endpoints.keys import ApiKey
from engine.judges.ask import ask_judges
from engine.judges.endpoint import Endpoint
from engine.judges.values import JudgeItem, Judgement
from tests.bench import Figure, figure

_DELAY_S = 0.2
_MANY, _FEW = 1000, 50


@figure("judge.1000.seconds")
def judge_1000() -> Figure:
    """1,000 judgements from a concurrency of 32 on; one at a time is measured on 50 and scaled."""
    with _server() as base_url:
        _judge(Endpoint(base_url, "warm-up"), 1)
        value = _judge(Endpoint(base_url, "loopback", concurrency=32), _MANY)
        one_by_one = _judge(Endpoint(base_url, "loopback", concurrency=1, max_concurrency=1), _FEW) * _MANY / _FEW
    note = f"loopback server of {_DELAY_S * 1000:.0f} ms in a process of its own; baseline on {_FEW}, scaled"
    return Figure("judge.1000.seconds", value, "s", one_by_one, one_by_one / value, note)


def _judge(endpoint: Endpoint, count: int) -> float:
    fields = {"question": "以武术闻名的佛教寺院是哪个？", "reference": "少林", "response": "是嵩山的那座寺。"}
    items = [JudgeItem(number, "knowledge", "zh", fields) for number in range(count)]
    started = time.perf_counter()
    found = [step for step in ask_judges(items, endpoint, key=ApiKey("none")) if isinstance(step, Judgement)]
    seconds = time.perf_counter() - started
    assert len(found) == count
    assert all(judgement.verdict == "correct" for judgement in found)
    return seconds


@contextmanager
def _server() -> Iterator[str]:
    command = [sys.executable, "-m", "tests.engine.judges.server", str(_DELAY_S)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.stdin.close()
