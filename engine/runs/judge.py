"""Judging a workspace: words first, then a language model for what words do not decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from engine.errors import EngineError
from engine.judges.ask import Totals, ask_judges
from engine.judges.budget import Budget, Estimate, Price, estimate
from engine.judges.declaration import Judge, load_judges
from engine.judges.endpoint import Endpoint
from engine.judges.keys import ApiKey
from engine.judges.prompt import rubric_sha256
from engine.judges.values import JudgeItem, Judgement
from engine.progress import Progress
from engine.runs.driver import Batch, Drive, driving
from engine.runs.matching import RULES, match_answers
from engine.scoring.derive import refresh
from engine.scoring.verdicts import judges_by_subset, matched_subsets
from engine.store.makers import Maker, find_maker, maker_id
from engine.store.plans import Answer, Scope, answers_without_judgement, decided_by_rules, verdicts_of
from engine.store.results import JudgementRow, put_judgements
from engine.store.workspace import Workspace
from engine.strings import text


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """Who is asked and how; without an ``endpoint`` only the rules that need none are run."""

    endpoint: Endpoint | None = None
    key: ApiKey | None = None
    language: str | None = None  # of the rubric; None asks in the instance's own
    repeats: tuple[int, ...] = (0,)
    budget: Budget | None = None
    price: Price | None = None
    judges: tuple[str, ...] = ()  # only these; () means all that are declared


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judging run did: answers matched by words, judgements by state, and what still waits for a judge."""

    matched: int
    states: Mapping[str, int]
    waiting: int


def judge_workspace(
    workspace: Workspace, scope: Scope, options: JudgeOptions, follower: TextIO | None = None
) -> Generator[Progress, None, Judged]:
    """Judge what is not judged yet; closed or killed, what is written stays and the next call goes on from there.

    Raises EngineError ``store.driver_running``, or what stops every further call (a wrong key, model or address).
    """
    told = {"scope": scope.told(), "endpoint": options.endpoint.base_url if options.endpoint else None,
            "model": options.endpoint.model if options.endpoint else None}  # fmt: skip
    with driving(workspace, "judge", told, follower) as drive:
        matched = yield from match_answers(drive, scope)
        states: dict[str, int] = defaultdict(int)
        if options.endpoint is not None:
            budget = options.budget
            for conditional in (False, True):  # a judge that follows another one comes after it
                totals = yield from _ask(drive, scope, options, conditional, budget)
                budget = _left(budget, totals)
                for state in ("scored", "unparsable", "failed", "unscored"):
                    states[state] += getattr(totals, state)
        waiting = sum(len(entries) for entries in _plan(drive, scope, options, None).values())
        return Judged(matched, dict(states), waiting if options.endpoint is None else 0)


def estimate_judging(workspace: Workspace, scope: Scope, options: JudgeOptions) -> Estimate:
    """Calls, tokens and cost of what :func:`judge_workspace` would ask now; nothing is written and nobody is asked.

    A judge that follows another is counted as if it were asked about every answer, which is the most it can be.
    """
    db = workspace.connect()
    try:
        drive = Drive(workspace, db, 0, workspace.runs)
        items = [item for entries in _plan(drive, scope, options, None).values() for item in entries]
        return estimate(items, load_judges(), repeats=options.repeats, price=options.price)
    finally:
        db.close()


def _ask(
    drive: Drive, scope: Scope, options: JudgeOptions, conditional: bool, budget: Budget | None
) -> Generator[Progress, None, Totals]:
    """Ask one wave of judges, all of them at once, and write what comes."""
    endpoint = _endpoint(options)
    plan = _plan(drive, scope, options, conditional)
    judges = load_judges()
    makers = {
        (judge, rubric_sha256(judges[judge], language)): _maker(judges[judge], language, options)
        for judge, language in plan
    }
    batch: Batch[Judgement] = Batch(drive.db, lambda judgements: _write(drive, makers, judgements))
    items = [item for entries in plan.values() for item in entries]
    work = ask_judges(items, endpoint, key=options.key, repeats=options.repeats, budget=budget, price=options.price)
    try:
        while True:
            step = next(work)
            if isinstance(step, Judgement):
                drive.done += 1
                drive.failed += step.state == "failed"
                batch.add(step)
            else:
                yield step
    except StopIteration as end:
        totals: Totals = end.value
        return totals
    finally:
        work.close()
        batch.flush()


def _left(budget: Budget | None, used: Totals) -> Budget | None:
    """What a budget still allows after ``used``."""
    if budget is None:
        return None
    return Budget(
        money=None if budget.money is None else max(0.0, budget.money - (used.cost or 0.0)),
        tokens=None if budget.tokens is None else max(0, budget.tokens - used.tokens_in - used.tokens_out),
        calls=None if budget.calls is None else max(0, budget.calls - used.calls),
    )


def _plan(
    drive: Drive, scope: Scope, options: JudgeOptions, conditional: bool | None
) -> dict[tuple[str, str], list[JudgeItem]]:
    """Items by (judge, rubric language) that still need asking; ``conditional`` None takes every judge."""
    judges = load_judges()
    items: dict[tuple[str, str], list[JudgeItem]] = {}
    for judge_id, subsets in judges_by_subset().items():
        judge = judges.get(judge_id)
        if judge is None or (options.judges and judge_id not in options.judges):
            continue
        if conditional is not None and (judge.ask_when is not None) != conditional:
            continue
        for language in ("zh", "en"):
            answers = _unjudged(drive, scope, options, judge, language, subsets)
            if answers:
                items[judge_id, language] = [_item(judge, language, answer) for answer in answers]
    return items


def _unjudged(
    drive: Drive, scope: Scope, options: JudgeOptions, judge: Judge, language: str, subsets: Sequence[str]
) -> list[Answer]:
    """Answers that ``judge`` has to be asked about in ``language``."""
    maker = find_maker(drive.db, _maker(judge, language, options)) if options.endpoint else None
    decided = decided_by_rules(drive.db, RULES) if set(subsets) & set(matched_subsets()) else set()
    condition = _condition(drive, judge, language, options)
    found = {
        answer.response_id: answer
        for repeat in options.repeats
        for answer in answers_without_judgement(drive.db, scope, maker, judge.id, subsets, repeat)
    }
    return [
        answer
        for answer in found.values()
        if answer.state == "answered"
        and _language(answer, options) == language
        and answer.response_id not in decided
        and (condition is None or answer.response_id in condition)
    ]


def _condition(drive: Drive, judge: Judge, language: str, options: JudgeOptions) -> set[int] | None:
    """Responses whose verdict by the judge before calls for this one; None where it waits for no other."""
    if judge.ask_when is None or options.endpoint is None:
        return None
    first, verdicts = judge.ask_when
    maker = find_maker(drive.db, _maker(load_judges()[first], language, options))
    given = verdicts_of(drive.db, maker, first) if maker is not None else {}
    return {response_id for response_id, verdict in given.items() if verdict in verdicts}


def _item(judge: Judge, language: str, answer: Answer) -> JudgeItem:
    known: dict[str, Any] = {
        "question": answer.question,
        "reference": answer.reference or "",
        "response": answer.text or "",
        "emotion": _emotion(answer, language),
    }
    return JudgeItem(answer.response_id, judge.id, language, {field.name: known[field.name] for field in judge.fields})


def _emotion(answer: Answer, language: str) -> str:
    named = answer.category or ""
    try:
        return text(f"runs.emotion.{named}", language)
    except KeyError:
        return named


def _language(answer: Answer, options: JudgeOptions) -> str:
    return options.language or ("en" if answer.language == "en" else "zh")


def _endpoint(options: JudgeOptions) -> Endpoint:
    if options.endpoint is None:
        raise EngineError("judges.no_base_url", base_url="")
    return options.endpoint


def _maker(judge: Judge, language: str, options: JudgeOptions) -> Maker:
    endpoint = _endpoint(options)
    settings = {
        "judge": judge.id,
        "language": language,
        "base_url": endpoint.base_url,
        "temperature": endpoint.temperature,
        "max_tokens": endpoint.max_tokens,
        "extra": dict(endpoint.extra),
    }
    return Maker(
        "judge", endpoint.model, str(judge.version), settings, None, rubric_sha256(judge, language), ("openai",)
    )


def _write(drive: Drive, makers: Mapping[tuple[str, str], Maker], judgements: Sequence[Judgement]) -> None:
    for key, maker in makers.items():
        mine = [_row(j) for j in judgements if (j.judge, j.rubric_sha256) == key]
        if mine:
            put_judgements(drive.db, maker_id(drive.db, maker), mine)
    refresh(drive.db, sorted({j.response_id for j in judgements}))
    drive.mark()


def _row(judgement: Judgement) -> JudgementRow:
    return JudgementRow(
        judgement.response_id,
        judgement.judge,
        judgement.state,
        judgement.verdict,
        judgement.score,
        judgement.reason,
        judgement.raw_reply,
        judgement.flags,
        judgement.error_code,
        judgement.repeat,
        judgement.tokens_in,
        judgement.tokens_out,
        judgement.cost,
        judgement.seconds,
    )
