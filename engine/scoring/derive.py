"""Derives the wide row of a response from all that is stored about it, and keeps the rows up to date."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from engine.metrics.timing import rtf_duration_over_generation, rtf_generation_over_duration
from engine.progress import Progress
from engine.scoring.verdicts import METHODS, Method, Verdict, speech_verdict, text_verdict
from engine.store.audit_row import (
    CHUNK,
    MeasurementFacts,
    ResponseFacts,
    TranscriptFacts,
    clear_rows,
    current_response_ids,
    facts_of,
    forget_superseded,
    write_rows,
)
from engine.store.makers import Floor, floors_of
from engine.store.transaction import transaction

ERROR_RATES = (
    "word_error_rate",
    "character_error_rate",
    "mixed_error_rate",
    "syllable_error_rate",
    "phoneme_error_rate",
)
PUBLISHED_RATE = "published_syllable_error_rate"
QUALITY = ("dnsmos_ovrl", "dnsmos_sig", "dnsmos_bak", "dnsmos_p808")
Floors = Mapping[tuple[str, str], Floor]


def refresh(db: sqlite3.Connection, response_ids: Sequence[int]) -> None:
    """Derive the rows of ``response_ids`` anew; call it in the transaction that changed what they rest on."""
    floors: dict[int, Floors] = {}
    gone = forget_superseded(db)
    for start in range(0, len(response_ids), CHUNK):
        chunk = list(response_ids[start : start + CHUNK])
        write_rows(db, chunk + gone, [row_of(facts, _floors(db, facts, floors)) for facts in facts_of(db, chunk)])
        gone = []


def rebuild(db: sqlite3.Connection) -> Generator[Progress, None, int]:
    """Derive every row anew in one transaction; returns how many. Closed early, the old rows stay."""
    with transaction(db):
        clear_rows(db)
        wanted = current_response_ids(db)
        for start in range(0, len(wanted), CHUNK):
            refresh(db, wanted[start : start + CHUNK])
            yield Progress(min(start + CHUNK, len(wanted)), len(wanted), "rows")
    return len(wanted)


def row_of(facts: ResponseFacts, floors: Mapping[int, Floors]) -> dict[str, Any]:
    """The wide row of one response; ``floors`` by maker id."""
    heard = _transcript(facts, "corrected")
    audio = facts.audio or {}
    duration_s = audio.get("duration_s")
    generation_s = facts.timings.get("generation_s")
    timed = (math.nan if generation_s is None else generation_s, math.nan if duration_s is None else duration_s)
    row: dict[str, Any] = {
        "response_id": facts.id,
        "system": facts.system,
        "benchmark": facts.benchmark,
        "subset": facts.subset,
        "key": facts.key,
        "category": facts.category,
        "language": facts.language,
        "repeat": facts.repeat,
        "question": facts.question,
        "text": facts.text,
        "transcript": heard.text if heard else None,
        "transcript_id": heard.id if heard else None,
        "response_state": facts.state,
        "faults": " ".join([*(fault["code"] for fault in audio.get("faults", ())), *facts.flags]),
        "duration_s": duration_s,
        "sample_rate_hz": audio.get("sample_rate_hz"),
        "peak_dbfs": audio.get("peak_dbfs"),
        "silent_share": audio.get("silent_share"),
        "clipped_share": audio.get("clipped_share"),
        "generation_s": generation_s,
        "first_token_s": facts.timings.get("first_token_s"),
        "first_audio_s": facts.timings.get("first_audio_s"),
        "rtf_generation_over_duration": _number(rtf_generation_over_duration(*timed)),
        "rtf_duration_over_generation": _number(rtf_duration_over_generation(*timed)),
        "judge_flags": " ".join(sorted({flag for j in facts.judgements for flag in j.flags})),
    }
    row.update({name: _value(facts, name, heard) for name in ERROR_RATES})
    row["published_error_rate"] = _published_rate(facts)
    row["published_error_state"] = _published_state(facts)
    row.update({name: _value(facts, name, None) for name in QUALITY})
    row["mismatch"] = _mismatch(facts, heard)
    for method in METHODS:
        row.update(_verdict_columns(facts, method, floors))
    return row


def floor_metric(language: str) -> str:
    """The error rate whose floor decides in a language: words in English, toned syllables elsewhere."""
    return "word_error_rate" if language == "en" else "syllable_error_rate"


def _verdict_columns(facts: ResponseFacts, method: Method, floors: Mapping[int, Floors]) -> dict[str, Any]:
    heard = _transcript(facts, method)
    metric = floor_metric(facts.language)
    rate = _published_rate(facts) if method == "published" else _value(facts, metric, heard)
    floor = (
        floors.get(heard.maker.id, {}).get(("zh" if facts.language == "mixed" else facts.language, metric))
        if heard
        else None
    )
    text = text_verdict(facts, method)
    speech = speech_verdict(facts, text, rate, floor.rate if floor else None, heard is not None)
    if method == "published" and speech.why == "not_recognised_yet" and _published_state(facts) == "failed":
        speech = Verdict("failed", why="original_crashes")
    return _columns(method, text) | {
        f"{method}_s2s_state": speech.state,
        f"{method}_s2s_why": speech.why,
        f"{method}_s2s_verdict": speech.verdict,
    }


def _columns(method: Method, verdict: Verdict) -> dict[str, Any]:
    return {
        f"{method}_state": verdict.state,
        f"{method}_why": verdict.why,
        f"{method}_verdict": verdict.verdict,
        f"{method}_score": verdict.score,
    }


def _transcript(facts: ResponseFacts, method: Method) -> TranscriptFacts | None:
    """The transcript a method reads: the published files' own where the method is theirs, else ours; the newest."""
    heard = [t for t in facts.transcripts if t.state == "scored"]
    if not heard:
        return None
    return max(heard, key=lambda t: ((t.maker.kind == "imported") == (method == "published"), t.id))


def _value(facts: ResponseFacts, metric: str, heard: TranscriptFacts | None) -> float | None:
    found = _measurement(facts, metric, heard)
    return found.value if found is not None and found.state == "scored" else None


def _published_rate(facts: ResponseFacts) -> float | None:
    """The rate by the published reader: derived from a transcript, else as a published file brought it."""
    derived = _value(facts, PUBLISHED_RATE, _transcript(facts, "published"))
    if derived is not None:
        return derived
    brought = [m for m in facts.measurements if m.metric == "syllable_error_rate" and m.maker.kind == "imported"]
    return max(brought, key=lambda m: m.id).value if brought else None


def _published_state(facts: ResponseFacts) -> str | None:
    """The state of the rate by the published reader: failed where the original crashes, None where none was made."""
    if _published_rate(facts) is not None:
        return "scored"
    found = _measurement(facts, PUBLISHED_RATE, _transcript(facts, "published"))
    return found.state if found is not None else None


def _measurement(facts: ResponseFacts, metric: str, heard: TranscriptFacts | None) -> MeasurementFacts | None:
    """The newest measurement of ``metric``; of an error rate, the one derived from the transcript ``heard``."""
    found = [m for m in facts.measurements if m.metric == metric]
    if heard is not None:
        found = [m for m in found if m.maker.settings.get("transcript_maker") == heard.maker.key]
    return max(found, key=lambda m: m.id) if found else None


def _mismatch(facts: ResponseFacts, heard: TranscriptFacts | None) -> str:
    found = _measurement(facts, "mismatch", heard) if heard else None
    return " ".join(dict.fromkeys(entry["kind"] for entry in found.detail["found"])) if found else ""


def _number(value: float) -> float | None:
    return None if value != value else value  # SQLite would store NaN as NULL without a word


def _floors(db: sqlite3.Connection, facts: ResponseFacts, known: dict[int, Floors]) -> Mapping[int, Floors]:
    for transcript in facts.transcripts:
        if transcript.maker.id not in known:
            known[transcript.maker.id] = floors_of(db, transcript.maker.id)
    return known
