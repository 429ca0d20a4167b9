"""The answers worth hearing: worst first, each with its players, what was heard, and why it stands here."""

from __future__ import annotations

import sqlite3
from typing import Any

from engine.errors import EngineError
from engine.judges.declaration import load_judges
from engine.judges.failed import reason_said
from engine.metrics.alignment import align
from engine.report.clips import data_address
from engine.report.figures import reason as reason_for
from engine.scoring.verdicts import METHODS
from engine.store.audio import audio_of
from engine.store.workspace import Workspace
from engine.store.worst import AnswerRow, Reason, worst_answers
from engine.strings import text
from engine.text.tokens import tokens_of

LONGEST_ALIGNED = 2000  # tokens of a text whose alignment is drawn


def answers_to_hear(
    db: sqlite3.Connection, workspace: Workspace, system: str, language: str, limit: int
) -> list[dict[str, Any]]:
    """The ``limit`` worst answers of ``system`` as the page shows them."""
    return [shown(db, workspace, row, language) for row in worst_answers(db, system, limit)]


def shown(db: sqlite3.Connection, workspace: Workspace, row: AnswerRow, language: str) -> dict[str, Any]:
    """An answer as the template ``answer.html.j2`` takes it, its clips inside."""
    audio, note = _player(db, workspace, row.audio_id, language)
    question_audio, _ = _player(db, workspace, row.question_audio_id, language)
    return {
        "key": f"{row.subset} / {row.key}",
        "question": row.question,
        "reference": row.reference or "",
        "text": row.text if row.text is not None else "—",
        "audio": audio,
        "audio_note": note,
        "question_audio": question_audio,
        "heard": _heard(row),
        "rate": f"{100 * row.rate:.1f} %" if row.rate is not None else "",
        "verdicts": _verdicts(row, language),
        "chips": _chips(row, language),
        "reasons": [_reason(reason, language) for reason in row.reasons],
    }


def _reason(reason: Reason, language: str) -> str:
    if reason.kind == "rule":
        return text(f"scoring.rule.{reason.judge}", language) + text("query.word.colon", language) + reason.words
    judge = load_judges().get(reason.judge)
    title = judge.title[language] if judge is not None else reason.judge
    given = reason.verdict if reason.state == "scored" else text(f"scoring.state.{reason.state}", language)
    words = reason_said(reason.state, reason.error, reason.words, language)
    return f"{title} ({reason.maker}): {given} — {words}" if words else f"{title} ({reason.maker}): {given}"


def _player(db: sqlite3.Connection, workspace: Workspace, audio_id: int | None, language: str) -> tuple[str, str]:
    if audio_id is None:
        return "", text("report.words.no_audio", language)
    try:
        return data_address(audio_of(db, workspace, audio_id).path), ""
    except EngineError as error:
        return "", error.sentence(language)


def _heard(row: AnswerRow) -> list[dict[str, str]]:
    """The transcript against the text as runs of equal, substituted, inserted and deleted tokens."""
    if row.transcript is None:
        return []
    reference = tokens_of(row.text or "", "mixed", row.language)
    hypothesis = tokens_of(row.transcript, "mixed", row.language)
    if not reference or max(len(reference), len(hypothesis)) > LONGEST_ALIGNED:
        return [{"kind": "equal", "text": row.transcript}]
    runs: list[dict[str, str]] = []
    at = 0
    for edit in align(reference, hypothesis).edits:
        _add(runs, "equal", hypothesis[at : edit.hyp_start])
        kind = {"delete": "deletion", "insert": "insertion", "replace": "substitution"}.get(edit.kind, edit.kind)
        tokens = (
            reference[edit.ref_start : edit.ref_end]
            if kind == "deletion"
            else hypothesis[edit.hyp_start : edit.hyp_end]
        )
        _add(runs, kind, tokens)
        at = edit.hyp_end
    _add(runs, "equal", hypothesis[at:])
    return runs


def _add(runs: list[dict[str, str]], kind: str, tokens: list[str] | tuple[str, ...]) -> None:
    if not tokens:
        return
    joined = ""
    for token in tokens:
        joined += (" " if joined and joined[-1].isascii() and token[0].isascii() else "") + token
    if kind == "equal" and joined[0].isascii() and runs:
        joined = " " + joined
    runs.append({"kind": kind, "text": joined})


def _verdicts(row: AnswerRow, language: str) -> list[dict[str, str]]:
    shown = []
    for method in METHODS:
        for verdict, spoken in ((row.verdicts[method], "text"), (row.speech_verdicts[method], "speech")):
            if verdict is not None:
                title = text(
                    f"report.words.{spoken}_method", language, method=text(f"scoring.method.{method}", language)
                )
                word = text(f"scoring.verdict.{verdict}", language)
                shown.append({"style": f"verdict-{verdict}", "title": f"{word} ({title})"})
    if row.state != "scored":
        shown.append({"style": f"state {row.state}", "title": reason_for(row.why or row.state, language)})
    return shown


def _fault(code: str, language: str) -> str:
    try:
        return text(f"report.fault.{code}", language)
    except KeyError:  # a rare one: its code is told as it is
        return code.replace("_", " ")


def _chips(row: AnswerRow, language: str) -> list[dict[str, str]]:
    chips = [{"style": "bad", "title": text(f"report.mismatch.{kind}", language)} for kind in row.mismatch.split()]
    chips += [{"style": "note", "title": _fault(fault, language)} for fault in row.faults.split()]
    if row.duration_s is not None:
        chips.append({"style": "", "title": f"{row.duration_s:.1f} s"})
    if row.dnsmos_ovrl is not None:
        chips.append({"style": "", "title": f"DNSMOS {row.dnsmos_ovrl:.2f}"})
    return chips
