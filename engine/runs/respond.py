"""A run of a system over a benchmark: planned, asked by workers, every answer written as it comes."""

from __future__ import annotations

import base64
import hashlib
import shutil
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, overload

from engine.errors import EngineError
from engine.killpoints import point
from engine.progress import Progress
from engine.runs.before import rederive
from engine.runs.driver import Batch, Drive, driving, until_stopped
from engine.runs.pool import Pool, check_place, cluster, made_pool
from engine.runs.respond_plan import Item, RespondPlan, check_disk, plan_respond, turns_of
from engine.runs.respond_request import KIND, RespondRequest, decisive
from engine.store.answers import NewAnswer, NewAudio, put_answers
from engine.store.responses import system_id
from engine.store.transaction import transaction
from engine.store.workspace import Workspace
from engine.systems.endpoint.failures import STOPPING
from engine.worker.client import ItemOutcome, Limits
from engine.worker.protocol import Message

UNSORTED = "answers"  # in a run's folder: audio that no row names yet
_GRACE_S = 30.0  # at most, beyond an item's limit, which the worker keeps itself while the system lets it
_CANCEL_S = 1.0
_KEEPS_FAILING = 25  # in a row, each with the same code of those below: the system itself is broken
_STOPS_ALL = STOPPING | {"audio.cannot_write", "store.cannot_write", "store.gone", "worker.did_not_start"}
_OF_ALL = ("worker.", "endpoints.unreachable", "endpoints.forbidden", "endpoints.bad_request", "endpoints.broken_reply")


@dataclass(frozen=True, slots=True)
class Responded:
    """How many asks were planned, answered, without an answer, failed; each trouble's count and one sentence."""

    planned: int
    answered: int
    empty: int
    failed: int
    troubles: Mapping[str, tuple[int, str]] = field(default_factory=dict)


def respond_workspace(
    workspace: Workspace,
    request: RespondRequest,
    follower: TextIO | None = None,
    *,
    on_plan: Callable[[RespondPlan], None] | None = None,
) -> Generator[Progress, None, Responded]:
    """Ask what was not answered yet; closed, killed or asked to stop, the next call goes on from there.

    An item that kills its worker twice, takes too long or answers nonsense is stored as failed with its code and
    passed over. Raises EngineError where the system cannot be loaded, the disk is full or gone, or another driver
    works here.
    """
    check_place(request.place)
    plan = plan_respond(workspace, request)
    if on_plan is not None:
        on_plan(plan)
    check_disk(workspace, plan)
    with driving(workspace, KIND, request.told(), follower) as drive:
        return (yield from until_stopped(drive, respond(drive, request)))


def respond(drive: Drive, request: RespondRequest) -> Generator[Progress, None, Responded]:
    """What :func:`respond_workspace` does, as a part of a run that goes on."""
    plan = plan_respond(drive.workspace, request)  # again, now that no other driver works here
    tally = _Tally(drive)
    if not plan.items:
        return Responded(0, 0, 0, 0)
    folder = drive.folder / UNSORTED
    _forget_unsorted(drive.workspace)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise EngineError("store.cannot_write", path=str(folder), why=error.strerror or str(error)) from error
    grace_s = min(_GRACE_S, 1.0 + request.time_limit_s)
    limits = Limits(request_s=request.time_limit_s + grace_s, cancel_s=_CANCEL_S)
    is_heavy = request.system.memory_gb is not None
    needs = cluster(request.address, request.resources, request.options.device, is_heavy=is_heavy)
    pool = made_pool(request.place, request.workers, drive.folder, request.commands, limits, needs)
    drive.workers = lambda: pool.workers
    try:
        yield from _asked(drive, request, plan, pool, tally)
    finally:
        pool.close()
        shutil.rmtree(folder, ignore_errors=True)
    return tally.told(len(plan.items))


def _asked(
    drive: Drive, request: RespondRequest, plan: RespondPlan, pool: Pool, tally: _Tally
) -> Generator[Progress, None, None]:
    with transaction(drive.db):
        told = {**decisive(request), "title": dict(request.system.title), "modality": request.system.modality}
        system = system_id(drive.db, request.stored_as, request.system.kind, told)
    known = dict(plan.known)

    def write(found: list[NewAnswer]) -> None:
        if not drive.workspace.database.exists():
            raise EngineError("store.gone", path=str(drive.workspace.folder))
        rows = put_answers(drive.db, drive.workspace, drive.run_id, system, found, known)
        rederive(drive, rows)

    items = {item.id: item for item in plan.items}
    files = _Files(drive.folder / UNSORTED)
    batch: Batch[NewAnswer] = Batch(drive, write)
    work = pool.ask(
        KIND, _Items(drive.workspace, plan.items), request.options.batch_size,
        on_chunk=files.take, system=request.system.told(), options=request.options.told(),
        time_limit_s=request.time_limit_s, longest_answer_s=request.longest_answer_s,
        load_limit_s=request.load_limit_s, speech_wanted=request.system.modality == "speech",
        answers=str(drive.folder / UNSORTED),
    )  # fmt: skip
    with drive.doing(KIND, KIND, len(plan.items)):
        try:
            for outcome in work:
                tally.restarted(pool)
                if outcome is None:
                    batch.tick()
                else:
                    point("answered_respond")
                    answer = _answer(items[outcome.id], outcome, files)
                    tally.count(items[outcome.id], answer)
                    batch.add(answer)
                    tally.check()
                yield Progress(drive.phase.done, drive.phase.total, request.stored_as, drive.failed)
        finally:
            work.close()
            batch.flush()


def _answer(item: Item, outcome: ItemOutcome, files: _Files) -> NewAnswer:
    """What is stored of an outcome. Raises EngineError where it stands in the way of all."""
    values: Mapping[str, Any] = outcome.values or {}
    wrong = values.get("error") or {}
    code = outcome.code or wrong.get("code")
    error_values = outcome.error_values or wrong.get("values") or {}
    if code in _STOPS_ALL:
        raise EngineError(code, **error_values)
    text = values.get("text") or None
    audio = files.audio(outcome.id, values.get("audio"))
    state = "failed" if code else "answered" if audio or (text and text.strip()) else "no_answer"
    timings = dict(values.get("timings") or {})
    heard = {"first_token_s": "text", "first_audio_s": "audio", "generation_s": "end"}
    measured = {name: round(outcome.heard[part], 6) for name, part in heard.items() if part in outcome.heard}
    made_with = {
        "seed": item.seed,
        "versions": values.get("versions") or {},
        "adapted": values.get("adapted") or [],
        "worker_timings": {name: round(seconds, 6) for name, seconds in timings.items()},
        **({"error": dict(error_values)} if code else {}),
    }
    kept = {name: seconds for name, seconds in {**timings, **measured}.items() if seconds is not None}
    flags = tuple(dict.fromkeys([*values.get("flags", ()), *values.get("adapted", ())]))
    if state == "no_answer":
        code = "systems.empty"
    return NewAnswer(item.question.id, item.repeat, state, text, audio, kept, flags, code, item.ask_sha256, made_with)


class _Items(Sequence[Mapping[str, Any]]):
    """The items as a worker is asked them, each made when it is."""

    def __init__(self, workspace: Workspace, items: Sequence[Item]) -> None:
        self._folder, self._items = workspace.audio, items

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        return (
            [self._told(item) for item in self._items[index]]
            if isinstance(index, slice)
            else self._told(self._items[index])
        )

    def _told(self, item: Item) -> Mapping[str, Any]:
        turns, instruction = turns_of(item.question)
        turns[-1]["audios"] = [{"path": str(self._folder / audio.path)} for audio in item.question.audios]
        return {"id": item.id, "turns": turns, "instruction": instruction, "seed": item.seed}


class _Files:
    """The audio of answers: left by workers of this machine in a folder, or come in parts from elsewhere."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts: dict[Any, list[bytes]] = {}

    def take(self, item: Any, chunk: Message) -> None:
        """Keep a part of a file; an item that begins anew has none."""
        if chunk.get("began"):
            self._parts.pop(item, None)
        elif "file" in chunk:
            self._parts.setdefault(item, []).append(base64.b64decode(chunk["file"]))

    def audio(self, item: Any, told: Mapping[str, Any] | None) -> NewAudio | None:
        """The file of an answer, None without. Raises EngineError ``store.cannot_write``."""
        parts = self._parts.pop(item, [])
        if told is None:
            return None
        if told.get("path"):
            return NewAudio(Path(told["path"]), str(told["sha256"]), int(told["bytes"]))
        data = b"".join(parts)
        sha256 = hashlib.sha256(data).hexdigest()
        path = self._folder / f"{sha256}.flac"
        try:
            path.write_bytes(data)
        except OSError as error:
            raise EngineError("store.cannot_write", path=str(path), why=error.strerror or str(error)) from error
        return NewAudio(path, sha256, len(data))


@dataclass(slots=True)
class _Tally:
    """Counts what became of the items and tells what went wrong."""

    drive: Drive
    answered: int = 0
    empty: int = 0
    failed: int = 0
    troubles: dict[str, tuple[int, str]] = field(default_factory=dict)
    restarts: int = 0
    row: tuple[str, int] = ("", 0)  # the code that the last items failed with, and how many

    def count(self, item: Item, answer: NewAnswer) -> None:
        """Count one answer and tell what is wrong with it."""
        state = {"answered": "scored", "no_answer": "unscored", "failed": "failed"}[answer.state]
        self.answered += answer.state == "answered"
        self.empty += answer.state == "no_answer"
        self.failed += answer.state == "failed"
        self.drive.count(state=state)
        if answer.error is None:
            self.row = ("", 0)
            return
        error = EngineError(answer.error, **(answer.made_with.get("error") or {}))
        self.drive.say_bad("item_failed", kind=KIND, place=item.place, code=answer.error, values=error.values)
        count, sentence = self.troubles.get(answer.error, (0, ""))
        self.troubles[answer.error] = (count + 1, sentence or str(error))
        self.row = (answer.error, self.row[1] + 1 if self.row[0] == answer.error else 1)

    def check(self) -> None:
        """Raises EngineError ``runs.keeps_failing`` where the system itself seems broken."""
        code, count = self.row
        if count >= _KEEPS_FAILING and code.startswith(_OF_ALL):
            raise EngineError("runs.keeps_failing", count=count, why=self.troubles[code][1])

    def restarted(self, pool: Pool) -> None:
        """Tell that a worker took the place of another."""
        if pool.restarts != self.restarts:
            self.restarts = pool.restarts
            self.drive.say("worker_restarted", ending=pool.last_ending, count=self.restarts)

    def told(self, planned: int) -> Responded:
        """What the run did."""
        return Responded(planned, self.answered, self.empty, self.failed, self.troubles)


def _forget_unsorted(workspace: Workspace) -> None:
    """Take away what runs that died left behind; call it while holding the driver's lock."""
    for folder in workspace.runs.glob(f"*/{UNSORTED}"):
        shutil.rmtree(folder, ignore_errors=True)
