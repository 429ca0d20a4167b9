"""Generation of transformers, one token at a time: it goes on only while somebody waits for the next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from queue import Queue
from typing import Any, TypeVar

from engine.systems.local.packages import torch_and_transformers

Result = TypeVar("Result")


def stepwise(generate: Callable[[Stepper], Result]) -> Generator[tuple[int, list[int]], None, Result]:
    """What ``generate`` returns, and on the way ``(stage, tokens)`` of each step of the first row.

    ``generate`` gives the stepper to transformers as ``streamer``; it runs on a thread of its own, which rests while
    the reader has the turn. So the times of two parts of a system never overlap, and closing this generator ends the
    thread at the next token. ``stage`` counts the models that have finished (a thinker, then a talker).
    What ``generate`` raises is raised here.
    """
    stepper = Stepper(generate)
    try:
        while (step := stepper.step()) is not None:
            yield step
        result: Result = stepper.result
        return result
    finally:
        stepper.stop()


class Stepper:
    """The streamer that transformers writes to, and the thread that waits in it."""

    def __init__(self, generate: Callable[[Stepper], Any]) -> None:
        self._generate = generate
        self._turn = threading.Semaphore(0)
        self._told: Queue[tuple[str, Any]] = Queue()
        self._stopped = False
        self._fresh = True  # the first thing that a generation writes is its prompt
        self._stage = 0
        self.result: Any = None
        self._thread = threading.Thread(target=self._run, name="generation", daemon=True)
        self._thread.start()

    def step(self) -> tuple[int, list[int]] | None:
        """The next tokens, or None when it has returned; the thread runs meanwhile."""
        self._turn.release()
        what, value = self._told.get()
        if what == "failed":
            raise value
        if what == "returned":
            self.result = value
            return None
        return self._stage, value

    def stop(self) -> None:
        """End the thread at its next token, and wait for it."""
        self._stopped = True
        self._turn.release()
        self._thread.join()

    def put(self, value: Any) -> None:
        """Take tokens from transformers, on the thread."""
        if self._fresh:
            self._fresh = False
            return
        row = value if value.dim() < 2 else value[0]
        self._told.put(("tokens", row.reshape(-1).tolist()))
        self._wait()

    def end(self) -> None:
        """Take note that one generation is over; another may follow."""
        self._fresh = True
        self._stage += 1

    def _wait(self) -> None:
        self._turn.acquire()
        if self._stopped:
            raise _Stopped

    def _run(self) -> None:
        torch, _ = torch_and_transformers()
        try:
            self._wait()
            with torch.inference_mode():
                self._told.put(("returned", self._generate(self)))
        except _Stopped:
            return
        except BaseException as error:  # noqa: BLE001 - raised again where the tokens are read
            self._told.put(("failed", error))


class _Stopped(Exception):  # noqa: N818 - no failure: the reader wants no more
    """The reader has closed the generator."""
