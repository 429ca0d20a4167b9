"""What one response is worth under a method: a verdict or score, or the state that stands in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from engine.judges.declaration import load_judge
from engine.judges.match import MATCH_VERSION
from engine.scoring.rules import Rule, rule_of
from engine.store.audit_row import JudgementFacts, ResponseFacts

Method = Literal["published", "corrected"]
METHODS: tuple[Method, ...] = ("published", "corrected")

ERROR_RATE_CUT = 0.05  # of the paper: a spoken answer counts when fewer of its syllables differ from its text
FLOOR_SHARE = 0.5  # a recogniser must err on known speech at most this share of a cut, or the cut says nothing
SCORE_CUT = 3.0  # of the paper, for empathy: both of its scores at least this


@dataclass(frozen=True, slots=True)
class Verdict:
    """``verdict`` is right or wrong, ``score`` a number on the judge's scale; both None unless ``state`` is scored.

    ``why`` is a code from ``resources/strings``: why there is no verdict, or which rule decided.
    """

    state: str
    verdict: str | None = None
    score: float | None = None
    why: str | None = None
    maker_id: int | None = None


def text_verdict(facts: ResponseFacts, method: Method) -> Verdict:
    """The verdict on the answer's text (the paper's S2T)."""
    rule = rule_of(facts.benchmark, facts.subset)
    if facts.state != "answered":
        return Verdict("failed", why=facts.state)
    if rule is None:
        return Verdict("unscored", why="no_judge_for_this_subset")
    if facts.text is None:
        return Verdict("unscored", why="answer_has_no_text")
    if rule.match_first:
        match = _todays_match(facts.judgements, f"{method}_match")
        if match is not None and match.state == "scored":
            return Verdict("scored", "right", why="string_match", maker_id=match.maker.id)
    judgements = _chosen(facts.judgements, rule.judge, method)
    if not judgements:
        return Verdict("unscored", why="not_judged_yet")
    if judgements[0].state != "scored":
        return Verdict(judgements[0].state, why=judgements[0].error or f"judge_{judgements[0].state}")
    return replace(_read(rule, judgements), maker_id=judgements[0].maker.id)


def speech_verdict(
    facts: ResponseFacts, text: Verdict, error_rate: float | None, floor: float | None, hearing: str | None
) -> Verdict:
    """The verdict on the spoken answer (the paper's S2S): right in text, and the speech says that text.

    Args:
        error_rate: of the speech against the text under the method; None without a value.
        floor: what the recogniser gets wrong on known speech in this language; None where it was never measured.
        hearing: the state of recognising this audio, ``scored`` or ``failed``; None where nobody tried.
    """
    if text.state != "scored" or text.verdict is None or text.verdict == "wrong":
        return text
    if not facts.has_audio and hearing is None:
        return Verdict("failed", why="no_audio")
    if hearing == "failed":
        return Verdict("failed", why="recognition_failed")
    if hearing is None or error_rate is None:
        return Verdict("unscored", why="not_recognised_yet")
    if floor is None:
        return Verdict("unscored", why="recogniser_floor_unknown")
    if not admits(floor):
        return Verdict("unscored", why="recogniser_too_weak")
    return Verdict("scored", "right" if error_rate < ERROR_RATE_CUT else "wrong", why="error_rate")


def admits(floor: float) -> bool:
    """Whether a recogniser with this floor errs so little that ``ERROR_RATE_CUT`` says something of the speech."""
    return floor <= FLOOR_SHARE * ERROR_RATE_CUT


def _todays_match(judgements: Sequence[JudgementFacts], rule: str) -> JudgementFacts | None:
    """What today's version of a word rule says; an older version's verdict no longer counts."""
    found = [j for j in judgements if j.judge == rule and j.maker.code_version == MATCH_VERSION]
    return max(found, key=lambda judgement: judgement.id) if found else None


def _chosen(judgements: Sequence[JudgementFacts], judge: str, method: Method) -> list[JudgementFacts]:
    """The judgements that count, all of one maker: its scored repeats, else its latest one.

    The published files' own verdicts count for the published method, first, and never for the corrected one: they were
    reached by the rules that it corrects. Scored comes before unscored, then the maker that was chosen to count, then
    the one that judged last.
    """
    candidates = [j for j in judgements if j.judge == judge]
    if method == "corrected":
        candidates = [j for j in candidates if not j.maker.is_published_file]
    if not candidates:
        return []
    best = max(candidates, key=lambda j: (j.state == "scored", j.maker.is_published_file, j.maker.rank, j.id))
    repeats = [j for j in candidates if j.maker.id == best.maker.id and j.state == "scored"]
    return repeats or [best]


def _read(rule: Rule, judgements: Sequence[JudgementFacts]) -> Verdict:
    """One verdict from one maker's repeats: the mean of scores, the majority of verdicts; a tie is unparsable."""
    if rule.kind in ("score", "empathy"):
        scores = [judgement.score for judgement in judgements if judgement.score is not None]
        if not scores:
            return Verdict("unparsable", why="judge_unparsable")
        mean = sum(scores) / len(scores)
        verdict = None if rule.kind == "score" else "right" if mean >= SCORE_CUT else "wrong"
        return Verdict("scored", verdict, mean, "judge")
    worth = [_worth_of_verdicts(rule.judge).get(judgement.verdict or "") for judgement in judgements]
    known = [value for value in worth if value is not None]
    if not known:
        return Verdict("unparsable", why="unknown_verdict")
    right = sum(value > 0 for value in known)
    if 2 * right == len(known):
        return Verdict("unparsable", why="repeats_disagree")
    return Verdict("scored", "right" if 2 * right > len(known) else "wrong", None, "judge")


@cache
def _worth_of_verdicts(judge: str) -> Mapping[str, float]:
    """What each verdict word of a judge counts, from its declaration: above 0 is right."""
    return {choice.name: choice.score for choice in load_judge(judge).choices}
