"""Knowledge answers judged by their words first, under both methods; what words do not decide goes to a judge."""

from __future__ import annotations

from collections.abc import Generator

from engine.judges.match import MATCH_VERSION, corrected_match, published_match
from engine.judges.values import Match
from engine.progress import Progress
from engine.runs.before import rederive
from engine.runs.driver import Drive
from engine.scoring.rules import matched_subsets
from engine.store.makers import Maker, maker_id
from engine.store.plans import Scope
from engine.store.results import JudgementRow, put_judgements
from engine.store.transaction import transaction
from engine.store.unjudged import Answer, Lacking, answers_without_judgement

RULES = ("published_match", "corrected_match")
BATCH = 1000


def match_answers(drive: Drive, scope: Scope) -> Generator[Progress, None, int]:
    """Write what each rule says of every knowledge answer it has not seen; returns how many were looked at."""
    makers, wanted = {}, dict[int, tuple[Answer, list[str]]]()
    for rule in RULES:
        with transaction(drive.db):
            makers[rule] = maker_id(drive.db, rule_maker(rule))
        lacking = Lacking(makers[rule], rule, tuple(matched_subsets()), any_state=True)
        for answer in answers_without_judgement(drive.db, scope, lacking):
            wanted.setdefault(answer.response_id, (answer, []))[1].append(rule)
    entries = list(wanted.values())
    with drive.doing("judge", "words", len(entries)):
        for start in range(0, len(entries), BATCH):
            batch = entries[start : start + BATCH]
            rows = [(rule, _row(answer, rule)) for answer, rules in batch for rule in rules]
            with transaction(drive.db):
                for rule, maker in makers.items():
                    put_judgements(drive.db, maker, [row for own, row in rows if own == rule])
                rederive(drive, [answer.response_id for answer, _ in batch])
                undecided = {row.response_id for _, row in rows if row.state != "scored"}
                drive.count(len(batch) - len(undecided))
                drive.count(len(undecided), "unscored")
                drive.mark()
            drive.wrote(len(batch))
            yield Progress(drive.phase.done, len(entries), "words")
    return len(entries)


def rule_maker(rule: str) -> Maker:
    """The maker of what a word rule says, in today's version."""
    return Maker("rule", rule, MATCH_VERSION)


def _row(answer: Answer, rule: str) -> JudgementRow:
    match = _match(answer, rule)
    state = "scored" if match.decided else "unscored"
    return JudgementRow(answer.response_id, rule, state, match.verdict, reason=match.reason)


def _match(answer: Answer, rule: str) -> Match:
    response, reference = answer.text or "", answer.reference or ""
    if rule == "published_match":
        return published_match(response, reference)
    return corrected_match(response, reference, answer.question)
