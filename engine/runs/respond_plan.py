"""What a run of a system would ask: which instances, in which repeats, how long it takes and how much disk."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from engine.benchmarks.dynamic_superb import BENCHMARK as ASKED_IN_WRITING
from engine.errors import EngineError, unknown
from engine.query.instances import instances_where
from engine.runs.respond_request import RespondRequest, decisive
from engine.store.answers import Answered, Question, Usual, answers_of, questions, usual_of
from engine.store.workspace import Workspace

_USUAL_BYTES = 500_000  # of an answer in speech, before there is any: 20 s of 24 kHz as FLAC
_SPARE_BYTES = 200 << 20


@dataclass(frozen=True, slots=True)
class Item:
    """One ask: an instance in one repeat, with its seed and the hash of all that is asked."""

    question: Question
    repeat: int
    seed: int
    ask_sha256: str

    @property
    def id(self) -> str:
        """What names it in a run."""
        return f"{self.question.id}/{self.repeat}"

    @property
    def place(self) -> str:
        """What people call it."""
        return f"{self.question.subset}/{self.question.key}"


@dataclass(frozen=True, slots=True)
class RespondPlan:
    """What there is to ask.

    ``chosen`` asks are in the scope, ``answered`` of them already, ``failed`` of these not well, ``missing`` lack an
    audio that the benchmark names. ``replaced`` answers to another seed, setting or question become earlier ones.
    ``seconds`` and ``byte_count`` by the answers there are of this system; ``seconds`` None without any.
    """

    items: tuple[Item, ...]
    chosen: int
    answered: int = 0
    failed: int = 0
    missing: int = 0
    replaced: int = 0
    by_subset: Mapping[str, int] = field(default_factory=dict)
    other_languages: int = 0
    seconds: float | None = None
    byte_count: int = 0
    free_bytes: int = 0
    known: Mapping[tuple[int, int], Answered] = field(default_factory=dict)


def plan_respond(workspace: Workspace, request: RespondRequest) -> RespondPlan:
    """The plan of ``request`` as the workspace is now; nothing is written, no system is loaded.

    Raises EngineError where the workspace has no such benchmark, subset or category, or the filter names nothing.
    """
    with closing(workspace.connect()) as db:
        chosen = chosen_questions(db, request)
        known = answers_of(db, request.stored_as)
        usual = usual_of(db, request.stored_as)
    told = hashlib.sha256(json.dumps(decisive(request), sort_keys=True, default=str).encode()).hexdigest()
    there = [question for question in chosen if not question.missing]
    asks = [_item(question, repeat, request, told) for repeat in range(request.repeats) for question in there]
    items, answered, failed, replaced = _lacking(asks, known, again=request.again)
    languages = request.system.abilities.languages
    seconds = None if usual.seconds is None else usual.seconds * len(items) / max(1, request.workers)
    return RespondPlan(
        tuple(items),
        len(chosen) * request.repeats,
        answered,
        failed,
        (len(chosen) - len(there)) * request.repeats,
        replaced,
        Counter(f"{item.question.benchmark}/{item.question.subset}" for item in items),
        sum(item.question.language not in languages for item in items) if languages else 0,
        seconds,
        round(_usual_bytes(request, usual) * len(items)),
        shutil.disk_usage(workspace.folder).free,
        known,
    )


def _lacking(
    asks: Iterable[Item], known: Mapping[tuple[int, int], Answered], *, again: bool
) -> tuple[list[Item], int, int, int]:
    """What is to be asked, and how many have their answer, have failed, and were asked otherwise before."""
    items, answered, failed, replaced = [], 0, 0, 0
    for item in asks:
        before = known.get((item.question.id, item.repeat))
        if before is None or before.ask_sha256 != item.ask_sha256:
            replaced += before is not None
            items.append(item)
            continue
        failed += before.state != "answered"
        if before.state != "answered" and again:
            items.append(item)
        else:
            answered += 1
    return items, answered, failed, replaced


def _usual_bytes(request: RespondRequest, usual: Usual) -> float:
    """The bytes of an answer's audio, by those there are or by the usual length of speech."""
    if usual.byte_count is not None:
        return usual.byte_count
    speaks = request.system.abilities.speech_out and request.system.modality == "speech"
    return _USUAL_BYTES if speaks else 0


def check_disk(workspace: Workspace, plan: RespondPlan) -> None:
    """Raises EngineError ``runs.disk_too_small`` where the answers will not find room."""
    if plan.byte_count + _SPARE_BYTES > plan.free_bytes:
        raise EngineError(
            "runs.disk_too_small",
            path=str(workspace.folder),
            needed=f"{plan.byte_count / 1e9:.1f}",
            free=f"{plan.free_bytes / 1e9:.1f}",
        )


def chosen_questions(db: sqlite3.Connection, request: RespondRequest) -> list[Question]:
    """The instances that a request is about, in their order; raises EngineError where it names nothing."""
    everything = questions(db, None, (), ())
    if not everything:
        raise EngineError("runs.no_instances")
    _check_names(everything, request)
    names = tuple(name.rpartition("/")[2] for name in request.subsets)
    found = [
        question
        for question in everything
        if request.benchmark in (None, question.benchmark)
        and (not names or question.subset in names)
        and (not request.categories or question.category in request.categories)
    ]
    if request.where:
        passing = instances_where(db, found, request.where)
        found = [question for question in found if question.id in passing]
    if not found:
        raise EngineError("runs.no_instance_chosen", where=request.where or "—")
    if request.sample is not None:
        drawn = set(sorted(range(len(found)), key=lambda number: _drawn(found[number], request.seed))[: request.sample])
        found = [question for number, question in enumerate(found) if number in drawn]
    if request.limit is not None:
        found = found[: request.limit]
    part, parts = request.shard
    return found[part - 1 :: parts]


def turns_of(question: Question) -> tuple[list[dict[str, Any]], str | None]:
    """What is put before a system of an instance: its turns as JSON without their audio's places, and the instruction.

    The question is asked in writing where the benchmark does so, and where the instance has no audio at all.
    """
    turns: list[dict[str, Any]] = [{"role": role, "text": words} for role, words in question.context]
    last = {"role": "user", "text": None if question.audios else question.question}
    instruction = question.question if question.benchmark == ASKED_IN_WRITING and question.audios else None
    return [*turns, last], instruction


def _item(question: Question, repeat: int, request: RespondRequest, told: str) -> Item:
    place = f"{request.seed}/{repeat}/{question.benchmark}/{question.subset}/{question.key}"
    seed = int.from_bytes(hashlib.sha256(place.encode()).digest()[:4], "big") >> 1
    turns, instruction = turns_of(question)
    asked = [told, seed, turns, instruction, [audio.sha256 for audio in question.audios]]
    return Item(question, repeat, seed, hashlib.sha256(json.dumps(asked).encode()).hexdigest())


def _drawn(question: Question, seed: int) -> bytes:
    place = f"{seed}/{question.benchmark}/{question.subset}/{question.key}"
    return hashlib.sha256(place.encode()).digest()


def _check_names(everything: Sequence[Question], request: RespondRequest) -> None:
    benchmarks = dict.fromkeys(question.benchmark for question in everything)
    if request.benchmark is not None and request.benchmark not in benchmarks:
        raise unknown("runs.no_such_benchmark", request.benchmark, benchmarks, benchmark=request.benchmark)
    subsets = dict.fromkeys(q.subset for q in everything if request.benchmark in (None, q.benchmark))
    for name in request.subsets:
        if name.rpartition("/")[2] not in subsets:
            raise unknown("runs.no_such_subset", name, subsets, subset=name)
    categories = dict.fromkeys(q.category for q in everything if q.category)
    for category in request.categories:
        if category not in categories:
            raise unknown("runs.no_such_category", category, categories, category=category)
