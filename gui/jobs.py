"""Long work off the GUI thread: one ``Job`` a piece of work, one ``JobRunner`` that keeps and ends them."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Literal, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from engine.progress import Progress

Pool = Literal["reading", "aside", "working", "writing"]
Result = TypeVar("Result")

PROGRESS_EVERY_S = 0.25  # LOOK: progress steps at most four times a second
READERS = 2
CLOSING_S = 10


class Job(QObject):
    """One engine generator on a pool thread, watched from the GUI thread.

    Exactly one of ``succeeded``, ``failed`` and ``cancelled`` is emitted, then ``finished``.

    Signals:
        progressed: the last ``Progress``, thinned.
        succeeded: what the generator returned.
        failed: the exception that ended it.
        cancelled: it was asked to stop and did.
        finished: nothing more will come.
    """

    progressed, succeeded, failed = Signal(object), Signal(object), Signal(object)
    cancelled, finished = Signal(), Signal()

    def __init__(self, work: Generator[Progress, None, Any], pool: Pool, parent: QObject) -> None:
        super().__init__(parent)
        self.pool = pool
        self._work = work
        self._stop = threading.Event()
        self._last: Progress | None = None

    def cancel(self) -> None:
        """Ask for a stop at the next step; returns at once."""
        self._stop.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether a stop was asked for; what still arrives from it is out of date."""
        return self._stop.is_set()

    def _run(self) -> None:  # on a pool thread
        next_report = time.monotonic() + PROGRESS_EVERY_S
        try:
            while not self._stop.is_set():
                self._last = next(self._work)
                if time.monotonic() >= next_report:
                    self.progressed.emit(self._last)
                    next_report = time.monotonic() + PROGRESS_EVERY_S
            self.cancelled.emit()
        except StopIteration as end:
            if self._stop.is_set():  # it ended by itself, but nobody waits for it any more
                self.cancelled.emit()
            else:
                if self._last is not None:
                    self.progressed.emit(self._last)
                self.succeeded.emit(end.value)
        except Exception as error:  # noqa: BLE001 - the one place where any failure becomes a signal
            interrupted = isinstance(error, sqlite3.OperationalError) and self._stop.is_set()
            if interrupted:
                self.cancelled.emit()
            else:
                self.failed.emit(error)
        finally:
            self._work.close()  # the generator's own finally blocks run here, on the pool thread
            self.finished.emit()


class JobRunner(QObject):
    """Runs jobs on pools: ``reading`` for what a screen waits for, ``working`` for one long piece at a time.

    ``aside`` is for what may come a moment later than the rest: it begins when nothing is being read.
    ``writing`` keeps what people said, one after another; that is never cancelled by closing the window.

    Signals:
        idle: the last job that ran has finished.
    """

    idle = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Python's own pools: a QRunnable made in Python may be collected before its turn (PySide6 6.11)
        self._pools = {
            "reading": ThreadPoolExecutor(READERS, "reading"),
            "aside": ThreadPoolExecutor(1, "aside"),
            "working": ThreadPoolExecutor(1, "working"),
            "writing": ThreadPoolExecutor(1, "writing"),
        }
        self._jobs: dict[Job, Future[None] | None] = {}
        self._waiting: list[Job] = []
        self._aside: list[Job] = []
        self._is_closed = False

    def run(self, work: Generator[Progress, None, Result], pool: Pool = "reading") -> Job:
        """Start ``work`` at the next turn of the event loop, so that the caller can connect to the job before.

        The job lives until it has finished. Its signals arrive on the GUI thread.
        """
        job = Job(work, pool, self)
        self._jobs[job] = None
        job.finished.connect(self._on_finished)
        self._waiting.append(job)
        if len(self._waiting) == 1:
            QTimer.singleShot(0, self, self._start_waiting)
        return job

    def call(self, function: Callable[..., Result], *arguments: Any, pool: Pool = "reading") -> Job:
        """Run a plain function as a job of one step."""
        return self.run(_one_step(function, arguments), pool)

    @property
    def running(self) -> tuple[Job, ...]:
        """The jobs that have not finished yet."""
        return tuple(self._jobs)

    @property
    def is_working(self) -> bool:
        """Whether a long piece of work goes on or waits, which closing would stop."""
        return any(job.pool == "working" for job in self._jobs)

    def close(self) -> bool:
        """Cancel all jobs and wait for them, only when the application ends; False when one would not stop."""
        for job in self._jobs:
            if job.pool != "writing":
                job.cancel()
        self._waiting, self._aside = [*self._waiting, *self._aside], []
        self._start_waiting()  # they see at once that they are cancelled
        started = [future for future in self._jobs.values() if future is not None]
        left = wait(started, CLOSING_S).not_done
        self._is_closed = True
        for pool in self._pools.values():
            pool.shutdown(wait=not left)
        return not left

    def _start_waiting(self) -> None:
        started, self._waiting = self._waiting, []
        for job in started:
            if self._is_closed:  # asked for while the window was going: nobody waits for it
                if job.pool != "writing":
                    job.cancel()
                job._run()
                continue
            if job.pool == "aside" and not job.is_cancelled:
                self._aside.append(job)
            else:
                self._submit(job)
        self._start_aside()

    def _start_aside(self) -> None:
        if not any(job.pool == "reading" for job in self._jobs):
            started, self._aside = self._aside, []
            for job in started:
                self._submit(job)

    def _submit(self, job: Job) -> None:
        self._jobs[job] = self._pools[job.pool].submit(job._run)

    def _on_finished(self) -> None:
        job = self.sender()
        if isinstance(job, Job):
            future = self._jobs.pop(job, None)
            if future is not None:  # only when its thread has left the signal: others may still be told
                future.add_done_callback(lambda _: job.deleteLater())
        self._start_aside()
        if not self._jobs:
            self.idle.emit()


def _one_step(function: Callable[..., Result], arguments: tuple[Any, ...]) -> Generator[Progress, None, Result]:
    return function(*arguments)
    yield  # makes this a generator
