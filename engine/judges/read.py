"""Reads a verdict out of a judge's reply, or refuses to: a doubtful reply is unparsable, never wrong by default."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from engine.judges.candidates import Candidate, candidates, is_verdict_line, label_names, value_of
from engine.judges.declaration import Judge
from engine.judges.reply_text import answering_part, plain, without_quotations
from engine.judges.values import Reading

_REASON_KEYS = ("reason", "理由", "explanation", "解释", "说明", "原因", "分析", "rationale", "analysis")
_REASON = re.compile(rf"\A\W*(?:{'|'.join(_REASON_KEYS)})\W{{0,4}}[:：]\s*", re.IGNORECASE)


def read_reply(judge: Judge, language: str, raw: str) -> Reading:
    """What ``raw`` says under ``judge``; stored replies may be read again with a newer reader at any time.

    A verdict counts where it is given: as the whole reply, its first word, its last line, after a label, or under a
    known key of a JSON object. Reasoning blocks and quotations are passed over. When several places disagree, the
    last counts if its label calls it final, or if it alone has a line of its own; else the reply is unparsable.
    Words of every declared language are understood: a judge asked in one ``language`` may answer in another.
    """
    answer, thought_before = answering_part(raw)
    found = _all_candidates(judge, plain(answer))
    verdict = _decided(found)
    if verdict is not None and thought_before:
        earlier = _decided(_all_candidates(judge, plain(thought_before)))
        verdict = verdict if earlier in (None, verdict) else None  # a closing tag may come from the quoted answer
    if verdict is None:
        why = "several_verdicts" if any(candidate.verdict for candidate in found) else "no_verdict"
        return Reading("unparsable", None, None, _reason(judge, answer), f"judges.{why}")
    return Reading("scored", verdict, score_of(judge, verdict), _reason(judge, answer))


def score_of(judge: Judge, verdict: str) -> float:
    """What a verdict counts: the declared score of a choice, the step itself of a score judge."""
    if judge.kind == "score":
        return float(verdict)
    return next(choice.score for choice in judge.choices if choice.name == verdict)


def _decided(found: list[Candidate]) -> str | None:
    if not found:
        return None
    last = found[-1]
    others = [candidate for candidate in found if candidate.verdict != last.verdict]
    if not others or last.is_final or (last.exact and not any(other.exact for other in others)):
        return last.verdict
    return None


def _all_candidates(judge: Judge, answer: str) -> list[Candidate]:
    found, rest = [], answer
    for start, end, values in _json_objects(answer):
        verdicts = _json_verdicts(judge, values)
        fills_lines = not _line_before(answer, start) and not answer[end:].partition("\n")[0].strip(" `")
        found += [Candidate(verdict, start, fills_lines) for verdict in verdicts]
        rest = rest[:start] + re.sub(r"[^\n]", "\ufffc", rest[start:end]) + rest[end:]
    return sorted(found + candidates(judge, without_quotations(rest)), key=lambda candidate: candidate.start)


def _json_objects(text: str) -> list[tuple[int, int, Mapping[str, Any]]]:
    found: list[tuple[int, int, Mapping[str, Any]]] = []
    at, decoder = 0, json.JSONDecoder(strict=False)
    while (start := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            at = start + 1
            continue
        if isinstance(value, dict):
            found.append((start, at, value))
    return found


def _json_verdicts(judge: Judge, values: Mapping[str, Any]) -> list[str | None]:
    """What an object says under the labels of ``judge`` or under the name of a choice; [] when it has neither."""
    labels, found = label_names(judge), list[str | None]()
    for key, value in values.items():
        if key.casefold().strip() in labels and not isinstance(value, (dict, list, bool)) and value is not None:
            found.append(value_of(judge, str(value)))
        elif isinstance(value, bool) and judge.kind != "score":
            found += _said_true(judge, key, value)
    return found


def _said_true(judge: Judge, key: str, value: bool) -> list[str | None]:
    name = value_of(judge, key)
    if name is None:
        return []
    others = [choice.name for choice in judge.choices if choice.name != name]
    if value:
        return [name]
    return [others[0]] if len(others) == 1 else []


def _line_before(text: str, at: int) -> str:
    return re.sub(r"\A```\w*\Z", "", text[text.rfind("\n", 0, at) + 1 : at].strip())


def _reason(judge: Judge, answer: str) -> str:
    """The judge's own words, as written: what it marks as its reason in an object, else all but the verdict's line."""
    for _, _, values in _json_objects(answer):
        for key, value in values.items():
            if key.casefold() in _REASON_KEYS and isinstance(value, str):
                return value.strip()
    kept = "\n".join(line for line in answer.splitlines() if not is_verdict_line(judge, plain(line)))
    return _REASON.sub("", kept, count=1).strip(" \n*")
