"""Knowledge answers judged by their words first, under both methods; what words do not decide goes to a judge."""

from __future__ import annotations

from collections.abc import Generator

from engine.judges.match import MATCH_VERSION, corrected_match, published_match
from engine.judges.values import Match
from engine.progress import Progress
from engine.runs.driver import Drive
from engine.scoring.derive import refresh
from engine.scoring.verdicts import matched_subsets
from engine.store.makers import Maker, maker_id
from engine.store.plans import Answer, Scope, answers_without_judgement
from engine.store.results import JudgementRow, put_judgements
from engine.store.transaction import transaction

RULES = ("published_match", "corrected_match")
BATCH = 1000


def match_answers(drive: Drive, scope: Scope) -> Generator[Progress, None, int]:
    """Write what each rule says of every knowledge answer it has not seen; returns how many were looked at."""
    looked_at = 0
    for rule in RULES:
        with transaction(drive.db):
            maker = maker_id(drive.db, rule_maker(rule))
        answers = answers_without_judgement(drive.db, scope, maker, rule, matched_subsets(), any_state=True)
        for start in range(0, len(answers), BATCH):
            batch = answers[start : start + BATCH]
            with transaction(drive.db):
                put_judgements(drive.db, maker, [_row(answer, rule) for answer in batch])
                refresh(drive.db, [answer.response_id for answer in batch])
            yield Progress(start + len(batch), len(answers), rule)
        looked_at = max(looked_at, len(answers))
    return looked_at


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
