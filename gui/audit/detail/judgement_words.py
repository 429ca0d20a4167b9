"""What the judgement panel says: verdict, who gave it, how the repeats agree, why, and what the other method says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.judges.declaration import load_judges
from engine.judges.failed import reason_said
from engine.query.told import JudgementTold, MakerTold, ResponseDetail, VerdictTold
from engine.scoring.derive import floor_metric
from engine.scoring.verdicts import ERROR_RATE_CUT
from gui.audit.detail.measurement_lines import figure
from gui.audit.why_words import why_said
from gui.strings import words

_HASH = 4
_SAID_AS = {"right": "right", "correct": "right", "wrong": "wrong", "incorrect": "wrong"}  # as judges and rules say it
OTHER = {"published": "corrected", "corrected": "published"}


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """One verdict: ``kind`` is right, wrong or neutral for a score, ``""`` where the state stands in its place."""

    state: str
    said: str
    kind: str
    maker: str
    agree: str
    maker_tip: str


@dataclass(frozen=True, slots=True)
class JudgementShown:
    """All the panel says; ``second`` is the verdict on the text where the first is on the speech.

    ``waits_for_judge``: there is no verdict for want of a judge.
    """

    title: str
    main: VerdictLine
    reason: str
    is_reason_given: bool
    other: str
    second: VerdictLine | None
    raw_replies: tuple[str, ...]
    waits_for_judge: bool = False


def judgement_shown(detail: ResponseDetail, method: str) -> JudgementShown:
    """The judgement of an answer under a method: on its speech where it has one, with the one on its text beside it."""
    has_speech = (method, "speech") in detail.verdicts and detail.answered.clip is not None
    subject = "speech" if has_speech else "text"
    main = detail.verdicts.get((method, subject)) or VerdictTold("unscored", None, None, "not_judged_yet", None)
    text = detail.verdicts.get((method, "text")) or main
    counted = counted_judgements(detail, text)
    given = _reason_given(counted, text)
    rests_on_text = subject == "text" or (main.state, main.verdict, main.why) == (text.state, text.verdict, text.why)
    return JudgementShown(
        words.text(f"audit.detail.judgement_{subject}"),
        _verdict_line(detail, main, counted if rests_on_text else ()),
        _joined(_rate_said(detail, main, method), "" if main.state == "scored" else _why_said(main), given)
        or _why_said(main),
        bool(given),
        _other_said(detail, main, method, subject),
        None if rests_on_text else _verdict_line(detail, text, counted),
        tuple(j.raw_reply for j in counted if j.raw_reply),
        any(verdict.state == "unscored" and verdict.why == "not_judged_yet" for verdict in (main, text)),
    )


def counted_judgements(detail: ResponseDetail, text: VerdictTold) -> tuple[JudgementTold, ...]:
    """The judgements a verdict rests on: the repeats of its maker; where nobody gave one, the last that was tried."""
    mine = [j for j in detail.judgements if j.maker.id == text.maker_id]
    scored = [j for j in mine if j.state == "scored"]
    if mine:
        return tuple(scored or mine[-1:])
    tried = [j for j in detail.judgements if j.maker.kind != "rule" and j.state == text.state]
    return tuple(tried[-1:])


def judge_words(judge: str) -> str:
    """The title of a judge or of a word rule."""
    known = load_judges().get(judge)
    if known is not None:
        return known.title[words.language]
    try:
        return words.text(f"scoring.rule.{judge}")
    except KeyError:
        return judge


def maker_line(judgement: JudgementTold) -> str:
    """Who judged: ``local-judge-7b · Knowledge zh v3 #a41c``, or the word rule with its version."""
    maker = judgement.maker
    if maker.kind == "rule":
        return words.text("audit.detail.judgement.rule", rule=judge_words(judgement.judge), version=maker.code_version)
    language = str(maker.settings.get("language", ""))
    told = words.text(
        "audit.detail.judgement.rubric",
        judge=judge_words(judgement.judge),
        language=language,
        version=maker.code_version,
    )
    return f"{maker.name} · {' '.join(told.split())}{rubric_mark(maker)}"


def rubric_mark(maker: MakerTold) -> str:
    """The first letters of the rubric's hash."""
    return f" #{maker.rubric_sha256[:_HASH]}" if maker.rubric_sha256 else ""


def verdict_words(state: str, verdict: str | None, score: float | None) -> str:
    """A verdict, score or state as one word."""
    if state != "scored":
        return words.text(f"widgets.state.{state}")
    if verdict in _SAID_AS:
        return words.text(f"scoring.verdict.{_SAID_AS[verdict]}")
    return verdict or ("" if score is None else f"{score:g}")


def _verdict_line(detail: ResponseDetail, verdict: VerdictTold, counted: Sequence[JudgementTold]) -> VerdictLine:
    kind = "" if verdict.state != "scored" else verdict.verdict if verdict.verdict in ("right", "wrong") else "neutral"
    said = verdict_words(verdict.state, verdict.verdict, verdict.score)
    if verdict.state == "scored" and verdict.verdict in ("right", "wrong") and verdict.score is not None:
        said = f"{said} · {verdict.score:g}"
    maker = maker_line(counted[-1]) if counted else ""
    tip = counted[-1].maker.rubric_sha256 or "" if counted else ""
    return VerdictLine(verdict.state, said, kind or "", maker, _agree_said(counted), tip)


def _agree_said(counted: Sequence[JudgementTold]) -> str:
    """How many of the repeats say the same; scores are averaged instead."""
    scored = [j for j in counted if j.state == "scored"]
    if len(scored) < 2:
        return ""
    given = [j.verdict if j.verdict is not None else j.score for j in scored]
    if all(j.score is not None and _is_number(j.verdict) for j in scored):
        return words.text("audit.detail.judgement.mean", all=len(scored))
    same = max(given.count(value) for value in given)
    return words.text("audit.detail.judgement.agree", same=same, all=len(scored))


def _is_number(verdict: str | None) -> bool:
    return verdict is None or verdict.replace(".", "", 1).isdigit()


def _reason_given(counted: Sequence[JudgementTold], text: VerdictTold) -> str:
    """The reason of a judgement that is of the verdict's own mind, else of the first that gave one."""
    given = [said for j in counted if (said := reason_said(j.state, j.error, j.reason, words.language))]
    if not given:
        return ""
    if text.why == "string_match":
        return why_said(text.why, words) + words.text("query.word.colon") + given[0]
    return given[0]


def _why_said(verdict: VerdictTold) -> str:
    if verdict.why is None:
        return words.text("audit.detail.no_reason")
    return why_said(verdict.why, words)


def _rate_said(detail: ResponseDetail, main: VerdictTold, method: str) -> str:
    """The error rate that decided on the speech, against the cut."""
    if main.why != "error_rate":
        return ""
    metric = floor_metric(detail.asked.language) if method == "corrected" else "published_syllable_error_rate"
    found = detail.measurement(metric, method)
    value = found.value if found is not None else detail.derived.get("published_error_rate")
    if value is None:
        return ""
    return words.text("audit.detail.judgement.rate", rate=figure(value, 3), cut=f"{ERROR_RATE_CUT:g}")


def _joined(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


def _other_said(detail: ResponseDetail, main: VerdictTold, method: str, subject: str) -> str:
    other = detail.verdicts.get((OTHER[method], subject))
    if other is None:
        return ""
    is_same = (other.state, other.verdict, other.score) == (main.state, main.verdict, main.score)
    said = words.text(
        f"audit.detail.judgement.{'other_same' if is_same else 'other'}",
        method=words.text(f"audit.detail.method.{OTHER[method]}"),
        verdict=verdict_words(other.state, other.verdict, other.score),
    )
    if other.why is None:
        return said
    return words.text("audit.detail.judgement.because", said=said, why=why_said(other.why, words))
