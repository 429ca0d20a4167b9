"""What a judging run has to ask: which answers, by which judge, in which language."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import EngineError
from engine.judges.budget import Budget, Price
from engine.judges.declaration import Judge, load_judges
from engine.judges.endpoint import Endpoint
from engine.judges.keys import ApiKey
from engine.judges.prompt import rubric_sha256
from engine.judges.values import JudgeItem
from engine.runs.matching import RULES, rule_maker
from engine.scoring.verdicts import judges_by_subset, matched_subsets
from engine.store.makers import Maker, find_maker
from engine.store.plans import Answer, Scope, answers_without_judgement, decided_by_rules, verdicts_of
from engine.strings import text

LANGUAGES = ("zh", "en")


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


def planned_items(
    db: sqlite3.Connection, scope: Scope, options: JudgeOptions, conditional: bool, repeat: int
) -> dict[tuple[str, str], list[JudgeItem]]:
    """Items by (judge, rubric language) that still need asking.

    Args:
        conditional: take the judges that are asked only after certain verdicts of another one, or those that are not.
    """
    judges = load_judges()
    items: dict[tuple[str, str], list[JudgeItem]] = {}
    for judge_id, subsets in judges_by_subset().items():
        judge = judges.get(judge_id)
        if judge is None or (options.judges and judge_id not in options.judges):
            continue
        if (judge.ask_when is not None) != conditional:
            continue
        for language in LANGUAGES:
            answers = _unjudged(db, scope, options, judge, language, subsets, repeat)
            if answers:
                items[judge_id, language] = [_item(judge, language, answer) for answer in answers]
    return items


def all_items(db: sqlite3.Connection, scope: Scope, options: JudgeOptions, repeat: int) -> list[JudgeItem]:
    """Every item that could be asked about now, by any judge."""
    waves = (planned_items(db, scope, options, conditional, repeat) for conditional in (False, True))
    return [item for wave in waves for entries in wave.values() for item in entries]


def _unjudged(
    db: sqlite3.Connection,
    scope: Scope,
    options: JudgeOptions,
    judge: Judge,
    language: str,
    subsets: Sequence[str],
    repeat: int,
) -> list[Answer]:
    """Answers that ``judge`` has to be asked about in ``language``."""
    maker = find_maker(db, judge_maker(judge, language, options)) if options.endpoint else None
    decided = _decided(db) if set(subsets) & set(matched_subsets()) else set()
    condition = _condition(db, judge, language, options)
    return [
        answer
        for answer in answers_without_judgement(
            db, scope, maker, judge.id, subsets, repeat, unparsable_too=options.again
        )
        if answer.state == "answered"
        and answer.text is not None
        and _language(answer, options) == language
        and answer.response_id not in decided
        and (condition is None or answer.response_id in condition)
    ]


def _decided(db: sqlite3.Connection) -> set[int]:
    """Responses that today's word rules decide under both methods."""
    makers = [find_maker(db, rule_maker(rule)) for rule in RULES]
    return decided_by_rules(db, [maker for maker in makers if maker is not None]) if None not in makers else set()


def _condition(db: sqlite3.Connection, judge: Judge, language: str, options: JudgeOptions) -> set[int] | None:
    """Responses whose verdict by the judge before calls for this one; None where it waits for no other."""
    if judge.ask_when is None:
        return None
    if options.endpoint is None:
        return set()
    first, verdicts = judge.ask_when
    maker = find_maker(db, judge_maker(load_judges()[first], language, options))
    given = verdicts_of(db, maker, first) if maker is not None else {}
    return {response_id for response_id, verdict in given.items() if verdict in verdicts}


def _item(judge: Judge, language: str, answer: Answer) -> JudgeItem:
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


def _language(answer: Answer, options: JudgeOptions) -> str:
    return options.language or ("en" if answer.language == "en" else "zh")


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
