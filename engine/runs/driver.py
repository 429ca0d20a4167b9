"""The driver: owns one piece of long work in a workspace, alone writes its results, and says what happens."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, TextIO, TypeVar

from filelock import Timeout

from engine.clock import utc_text
from engine.errors import EngineError
from engine.killpoints import point
from engine.runs.before import tell_flips
from engine.store.processes import process_mark
from engine.store.runs import begin_run, close_orphans, end_run, mark_progress, running_process
from engine.store.transaction import transaction
from engine.store.workspace import Workspace

BATCH_ROWS, BATCH_S = 200, 0.5
SIGN_S = 0.5  # a driver shows so often that it lives
EVENTS, ALIVE, STOP, PHASES = "events.jsonl", "alive.json", "stop", "phases.json"  # files of a run's folder
QUEUE = "queue.json"  # below runs/: those that wait for their turn
WORKERS = "workers.json"  # and what each worker did when it was last told
_TELL_S = 1.0  # progress is told so often at most
_LOOK_S = 0.25  # and the wish to stop is looked for
_MOST_BAD = 2000  # events about single items; further ones are only counted
Entry = TypeVar("Entry")
Step = TypeVar("Step")
Result = TypeVar("Result")


class StopAskedError(Exception):
    """Somebody asked the run to stop; what is finished is kept."""


@dataclass(slots=True)
class Phase:
    """One part of a step of a run, with how far it is; ``failed``, ``unparsable`` and ``unscored`` are among done."""

    step: str
    name: str
    total: int
    done: int = 0
    failed: int = 0
    unparsable: int = 0
    unscored: int = 0
    written: int = 0
    began: float = field(default_factory=time.monotonic)


@dataclass(slots=True)
class Drive:
    """What a step of a run needs: the store, the run's row and folder, and a voice."""

    workspace: Workspace
    db: sqlite3.Connection
    run_id: int
    folder: Path
    done: int = 0
    failed: int = 0
    phase: Phase = field(default_factory=lambda: Phase("", "", 0))
    planned: dict[str, int] = field(default_factory=dict)  # items of each phase, as far as they are known
    at_once: int = 0  # calls that may run at once now
    told_at_once: int = 0
    end_message: EngineError | None = None  # why a run that ends well did not do all
    tokens_in: int = 0
    tokens_out: int = 0
    spent: float = 0.0
    workers: Callable[[], Sequence[Any]] | None = None  # what each worker does now: dataclasses
    remembered: set[int] = field(default_factory=set)  # answers whose worth before this run is kept
    _bad: int = 0
    _phases: list[dict[str, Any]] = field(default_factory=list)
    _tells_at: float = 0.0
    _looks_at: float = 0.0
    _events: list[TextIO] = field(default_factory=list)

    def say(self, event: str, **values: Any) -> None:
        """Append one event to ``events.jsonl`` (and to whoever follows); a follower reads whole lines."""
        line = json.dumps({"event": event, "at": utc_text(), "run": self.run_id, **values}, ensure_ascii=False)
        for stream in list(self._events):
            try:
                print(line, file=stream, flush=True)
            except BrokenPipeError:  # whoever followed has gone; the run goes on
                self._events.remove(stream)
            except OSError:  # a full disk: the next write of results says so
                continue

    def say_bad(self, event: str, **values: Any) -> None:
        """Say what became of one item that went wrong; after the first thousands such are only counted."""
        self._bad += 1
        if self._bad <= _MOST_BAD:
            self.say(event, **values)

    @contextmanager
    def doing(self, step: str, name: str, total: int) -> Iterator[Phase]:
        """The block does phase ``name`` of ``step``, which has ``total`` items; its begin and end are told."""
        before, self.phase = self.phase, Phase(step, name, total)
        self.planned[f"{step}.{name}"] = total
        self.say("phase", step=step, phase=name, total=total)
        point(f"phase_{name}")
        try:
            yield self.phase
        finally:
            self._end_phase()
            self.phase = before

    def count(self, done: int = 1, state: str = "scored") -> None:
        """Count items of the phase that ended in ``state``, one of the four."""
        self.done += done
        self.phase.done += done
        if state == "failed":
            self.failed += done
        if state != "scored":
            setattr(self.phase, state, getattr(self.phase, state) + done)

    def wrote(self, rows: int) -> None:
        """Say that results were committed; often at most once a second."""
        self.phase.written += rows
        self.tick()

    def tick(self) -> None:
        """Tell how far the phase is, if that was not told for a second."""
        if self.phase.step and time.monotonic() >= self._tells_at:
            self._tell_progress()

    def mark(self) -> None:
        """Write how far the run is into its row; call it in the transaction that writes the results."""
        mark_progress(self.db, self.run_id, self.done, self.failed, max(self.done, sum(self.planned.values())))

    def is_asked_to_stop(self) -> bool:
        """Whether a file ``stop`` lies in the run's folder; looked for four times a second at most."""
        if time.monotonic() < self._looks_at:
            return False
        self._looks_at = time.monotonic() + _LOOK_S
        return (self.folder / STOP).exists()

    def _end_phase(self) -> None:
        seconds = time.monotonic() - self.phase.began
        self._phases.append({**asdict(self.phase), "seconds": seconds})
        self._tell_progress(last=True, seconds=round(seconds, 3))
        with contextlib.suppress(OSError):  # a full disk, or a workspace that was moved: results say so
            (self.folder / PHASES).write_text(json.dumps(self._phases), encoding="utf-8")

    def _tell_workers(self) -> None:
        if self.workers is None:
            return
        told = json.dumps([asdict(worker) for worker in self.workers()])
        path = self.folder / WORKERS
        with contextlib.suppress(OSError):  # a full disk: results say so
            path.with_suffix(".new").write_text(told, encoding="utf-8")
            path.with_suffix(".new").replace(path)  # a reader sees all of it or the one before

    def _tell_progress(self, **more: Any) -> None:
        self._tells_at = time.monotonic() + _TELL_S
        self._tell_workers()
        phase = self.phase
        self.say(
            "progress", step=phase.step, phase=phase.name, done=phase.done, total=phase.total, failed=phase.failed,
            unparsable=phase.unparsable, unscored=phase.unscored, written=phase.written, at_once=self.at_once,
            tokens_in=self.tokens_in, tokens_out=self.tokens_out, spent=round(self.spent, 6),
            **more,
        )  # fmt: skip


@contextmanager
def driving(
    workspace: Workspace, kind: str, settings: Mapping[str, Any], follower: TextIO | None = None
) -> Iterator[Drive]:
    """Hold the workspace's driver lock and a run's row while the block works.

    The row ends as ``done``, as ``cancelled`` when the generator around it is closed, interrupted or asked to stop,
    as ``failed`` when an error leaves the block. While it lasts the run's folder shows that the driver lives. Raises
    EngineError ``store.driver_running`` while another driver works here.
    """
    lock = workspace.driver_lock()
    try:
        db = workspace.connect()
    except sqlite3.OperationalError as error:
        raise EngineError("store.cannot_write", path=str(workspace.database), why=str(error)) from error
    try:
        lock.acquire()
    except Timeout as error:
        process = running_process(db)
        db.close()
        raise EngineError("store.driver_running", path=str(workspace.folder), process=process) from error
    except OSError as error:
        db.close()
        raise EngineError("store.cannot_write", path=str(workspace.folder), why=str(error)) from error
    try:
        close_orphans(db)
        run_id = begin_run(db, kind, settings)
        folder = workspace.runs / str(run_id)
        with _made(folder) as events, _showing_life(folder):
            drive = Drive(workspace, db, run_id, folder, _events=[events, *([follower] if follower else [])])
            yield from _to_its_end(drive, kind, settings)
    finally:
        db.close()
        lock.release()
        _let_next_begin(workspace)


def until_stopped(drive: Drive, work: Generator[Step, None, Result]) -> Generator[Step, None, Result]:
    """``work``, closed when somebody asks the run to stop; raises StopAskedError then."""
    try:
        while True:
            step = next(work)
            drive.tick()
            if drive.is_asked_to_stop():
                raise StopAskedError
            yield step
    except StopIteration as end:
        result: Result = end.value
        return result
    finally:
        work.close()


def _let_next_begin(workspace: Workspace) -> None:
    """Start the run that waits for this one's end, if any does and the workspace is still there."""
    if not (workspace.runs / QUEUE).exists():
        return
    from engine.runs.queue import begin_next  # it launches drivers

    with contextlib.suppress(EngineError, OSError, sqlite3.Error):  # a full disk, a moved workspace: it goes on waiting
        begin_next(workspace)


def _to_its_end(drive: Drive, kind: str, settings: Mapping[str, Any]) -> Iterator[Drive]:
    try:
        drive.say("began", kind=kind, settings=dict(settings), process=os.getpid())
        yield drive
    except (GeneratorExit, KeyboardInterrupt, StopAskedError):
        tell_flips(drive)
        _close(drive, "cancelled", None)
        raise
    except EngineError as error:
        tell_flips(drive)
        _close(drive, "failed", error)
        raise
    except BaseException as error:
        _close(drive, "failed", repr(error))
        raise
    else:
        tell_flips(drive)
        _close(drive, "done", drive.end_message)


def _close(drive: Drive, state: str, message: EngineError | str | None) -> None:
    try:
        with transaction(drive.db):
            drive.mark()
            end_run(drive.db, drive.run_id, state, message)
    except EngineError:
        if state != "failed":
            raise
        # the disk is full or gone, which is what is told already; the next driver closes the row
    told = {"code": message.code, "values": message.values} if isinstance(message, EngineError) else {}
    text = None if message is None else str(message)
    drive.say("ended", state=state, message=text, done=drive.done, failed=drive.failed, **told)


@contextmanager
def _made(folder: Path) -> Iterator[TextIO]:
    """The folder of a run, and its events to be added to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        events = (folder / EVENTS).open("a", encoding="utf-8")
        (folder / ALIVE).touch()
    except OSError as error:
        raise EngineError("store.cannot_write", path=str(folder), why=error.strerror or str(error)) from error
    try:
        yield events
    finally:
        with contextlib.suppress(OSError):  # of a full disk: what could not be written is still there
            events.close()


@contextmanager
def _showing_life(folder: Path) -> Iterator[None]:
    """Touch the run's ``alive.json`` twice a second, whatever else the driver does meanwhile."""
    path = folder / ALIVE
    told = {"process": os.getpid(), "mark": process_mark(os.getpid()), "host": platform.node()}
    path.write_text(json.dumps(told), encoding="utf-8")
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(SIGN_S):
            with contextlib.suppress(OSError):  # a full disk: the run itself will say so
                os.utime(path)

    thread = threading.Thread(target=beat, name="sign of life", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class Batch(Generic[Entry]):
    """Collects results and writes them together: after ``BATCH_ROWS`` of them, ``BATCH_S`` seconds, and at the end."""

    def __init__(self, drive: Drive, write: Callable[[list[Entry]], None]) -> None:
        self._drive, self._write = drive, write
        self._entries: list[Entry] = []
        self._began = 0.0

    def add(self, entry: Entry) -> None:
        """Take one result; may write the batch."""
        if not self._entries:
            self._began = time.monotonic()
        self._entries.append(entry)
        if len(self._entries) >= BATCH_ROWS or time.monotonic() - self._began >= BATCH_S:
            self.flush()

    def tick(self) -> None:
        """Write the batch if it is old enough; called while nothing new comes."""
        if self._entries and time.monotonic() - self._began >= BATCH_S:
            self.flush()

    def flush(self) -> None:
        """Write what is there in one transaction."""
        if self._entries:
            with transaction(self._drive.db):
                self._write(self._entries)
                self._drive.mark()
            wrote, self._entries = len(self._entries), []
            self._drive.wrote(wrote)
