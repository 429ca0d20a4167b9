"""What a judging run has to ask: which answers, by which judge, in which language."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from engine.endpoints.keys import ApiKey
from engine.errors import EngineError
from engine.judges.budget import Budget, Price
from engine.judges.declaration import Judge, load_judges
from engine.judges.endpoint import Endpoint
from engine.judges.prompt import rubric_sha256
from engine.judges.values import JudgeItem
from engine.runs.matching import RULES, rule_maker
from engine.scoring.rules import judges_by_subset, matched_subsets
from engine.store.makers import Maker, find_maker
from engine.store.plans import Scope
from engine.store.unjudged import Answer, Lacking, answers_without_judgement
from engine.strings import text

LANGUAGES = ("zh", "en")
Made = TypeVar("Made", Endpoint, Budget, Price)


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
    again: bool = False  # ask anew where a reply could not be read

    def told(self) -> dict[str, Any]:
        """The options as a run's settings keep them: no key."""
        return asdict(replace(self, key=None))

    @classmethod
    def from_told(cls, told: Mapping[str, Any]) -> JudgeOptions:
        """The options that ``told`` gave, without a key."""
        known = {name: value for name, value in told.items() if name in ("language", "again")}
        return cls(
            _made(Endpoint, told.get("endpoint")),
            repeats=tuple(told.get("repeats") or (0,)),
            budget=_made(Budget, told.get("budget")),
            price=_made(Price, told.get("price")),
            judges=tuple(told.get("judges") or ()),
            **known,
        )


def _made(kind: type[Made], told: Mapping[str, Any] | None) -> Made | None:
    return None if told is None else kind(**told)


def planned_items(
    db: sqlite3.Connection, scope: Scope, options: JudgeOptions, conditional: bool, repeat: int
) -> dict[tuple[str, str], list[JudgeItem]]:
    """Items by (judge, rubric language) that still need asking.

    Args:
        conditional: take the judges that are asked only after certain verdicts of another one, or those that are not.
    """
    judges = load_judges()
    items: dict[tuple[str, str], list[JudgeItem]] = {}
    for (judge_id, language), lacking in lacking_verdicts(db, options, conditional, repeat).items():
        answers = answers_without_judgement(db, scope, lacking)
        if answers:
            items[judge_id, language] = [judge_item(judges[judge_id], language, answer) for answer in answers]
    return items


def lacking_verdicts(
    db: sqlite3.Connection, options: JudgeOptions, conditional: bool, repeat: int
) -> dict[tuple[str, str], Lacking]:
    """What each judge would be asked about in each rubric language."""
    found: dict[tuple[str, str], Lacking] = {}
    judges = load_judges()
    for judge_id, subsets in judges_by_subset().items():
        judge = judges.get(judge_id)
        if judge is None or (options.judges and judge_id not in options.judges):
            continue
        if (judge.ask_when is not None) != conditional:
            continue
        for language in LANGUAGES if options.language is None else (options.language,):
            lacking = _lacking(db, options, judge, language, subsets, repeat)
            if lacking is not None:
                found[judge_id, language] = lacking
    return found


def all_items(db: sqlite3.Connection, scope: Scope, options: JudgeOptions, repeat: int) -> list[JudgeItem]:
    """Every item that could be asked about now, by any judge."""
    waves = (planned_items(db, scope, options, conditional, repeat) for conditional in (False, True))
    return [item for wave in waves for entries in wave.values() for item in entries]


def _lacking(
    db: sqlite3.Connection, options: JudgeOptions, judge: Judge, language: str, subsets: Sequence[str], repeat: int
) -> Lacking | None:
    """The answers that ``judge`` has to be asked about in ``language``; None where it waits for another judge."""
    after = None
    if judge.ask_when is not None:
        first, verdicts = judge.ask_when
        before = find_maker(db, judge_maker(load_judges()[first], language, options)) if options.endpoint else None
        if before is None:
            return None
        after = (before, first, tuple(verdicts))
    return Lacking(
        find_maker(db, judge_maker(judge, language, options)) if options.endpoint else None,
        judge.id,
        tuple(subsets),
        repeat,
        unparsable_too=options.again,
        language=language if options.language is None else None,
        has_text=True,
        decided_by=_rules(db) if set(subsets) & set(matched_subsets()) else (),
        after=after,
    )


def _rules(db: sqlite3.Connection) -> tuple[int, ...]:
    """Today's word rules; () while they have not all spoken."""
    makers = [find_maker(db, rule_maker(rule)) for rule in RULES]
    return tuple(maker for maker in makers if maker is not None) if None not in makers else ()


def judge_item(judge: Judge, language: str, answer: Answer) -> JudgeItem:
    """What ``judge`` is shown of an answer."""
    known = {
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


def asked_endpoint(options: JudgeOptions) -> Endpoint:
    """The endpoint of a run that asks; raises EngineError ``judges.no_base_url`` without one."""
    if options.endpoint is None:
        raise EngineError("judges.no_base_url", base_url="")
    return options.endpoint


def judge_maker(judge: Judge, language: str, options: JudgeOptions) -> Maker:
    """What makes a judge's verdicts: the model and where it runs, the rubric's text, and how it is asked."""
    endpoint = asked_endpoint(options)
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
