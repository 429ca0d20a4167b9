"""Derives the wide row of a response from all that is stored about it, and keeps the rows up to date."""

from __future__ import annotations

import json
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
from engine.store.corrections import PERSON
from engine.store.derivation import ROWS_VERSION, are_rows_of_now, derivation_of, mark_derivation
from engine.store.human_rows import ensure_settled, settle_everyone
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
    if derivation_of(db) is None:
        mark_derivation(db, ROWS_VERSION)
    floors: dict[int, Floors] = {}
    gone = forget_superseded(db)
    for start in range(0, len(response_ids), CHUNK):
        chunk = list(response_ids[start : start + CHUNK])
        write_rows(db, chunk + gone, [row_of(facts, _floors(db, facts, floors)) for facts in facts_of(db, chunk)])
        gone = []


def rebuild(db: sqlite3.Connection) -> Generator[Progress, None, int]:
    """Derive every row anew, a transaction a chunk, so that a driver may write in between; returns how many.

    Closed early or killed, the rows are known not to be whole, and the next ``ensure_derived`` builds them.
    """
    settle_everyone(db)
    with transaction(db):
        mark_derivation(db, "rebuilding")
        clear_rows(db)
    wanted = current_response_ids(db)
    for start in range(0, len(wanted), CHUNK):
        with transaction(db):
            refresh(db, wanted[start : start + CHUNK])
        yield Progress(min(start + CHUNK, len(wanted)), len(wanted), "rows")
    with transaction(db):
        mark_derivation(db, ROWS_VERSION)
    return len(wanted)


def ensure_derived(db: sqlite3.Connection) -> Generator[Progress, None, bool]:
    """Rebuild the rows where other code derived them, or a rebuild broke off; returns whether it did."""
    ensure_settled(db)
    if are_rows_of_now(db):
        return False
    yield from rebuild(db)
    return True


def row_of(facts: ResponseFacts, floors: Mapping[int, Floors]) -> dict[str, Any]:
    """The wide row of one response; ``floors`` by maker id."""
    heard, read = _transcript(facts, "corrected"), _transcript(facts, "published")
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
        "transcript_state": _hearing(facts, heard),
        "recogniser_id": heard.maker.id if heard else None,
        "published_recogniser_id": read.maker.id if read else None,
        "response_state": facts.state,
        "mismatch": _mismatch(facts, heard),
        "judge_flags": " ".join(sorted({flag for j in facts.judgements for flag in j.flags})),
        **_audio_columns(facts),
        **_rate_columns(facts, heard),
        **_quality_columns(facts),
    }
    for method in METHODS:
        row.update(_verdict_columns(facts, method, floors))
    return row


def floors_for(db: sqlite3.Connection, facts: ResponseFacts) -> Mapping[int, Floors]:
    """The floors of every recogniser that heard a response, as ``row_of`` wants them."""
    return _floors(db, facts, {})


def floor_metric(language: str) -> str:
    """The error rate whose floor decides in a language: words in English, toned syllables elsewhere."""
    return "word_error_rate" if language == "en" else "syllable_error_rate"


def _verdict_columns(facts: ResponseFacts, method: Method, floors: Mapping[int, Floors]) -> dict[str, Any]:
    text = text_verdict(facts, method)
    speech = _speech(facts, method, text, floors)
    return {
        f"{method}_state": text.state,
        f"{method}_why": text.why,
        f"{method}_verdict": text.verdict,
        f"{method}_score": text.score,
        f"{method}_maker_id": text.maker_id,
        f"{method}_s2s_state": speech.state,
        f"{method}_s2s_why": speech.why,
        f"{method}_s2s_verdict": speech.verdict,
    }


def _speech(facts: ResponseFacts, method: Method, text: Verdict, floors: Mapping[int, Floors]) -> Verdict:
    """The verdict on the speech; each method is admitted by the floor of its own reader."""
    heard = _transcript(facts, method)
    language = "en" if facts.language == "en" else "zh"
    if method == "corrected":
        metric = floor_metric(language)
        rate = _measurement(facts, metric, heard)
    else:
        metric, rate = PUBLISHED_RATE, _published_rate(facts)
    hearing = "scored" if rate is not None and heard is None else _hearing(facts, heard)
    found = speech_verdict(facts, text, _scored(rate), _floor(heard, floors, language, metric), hearing)
    if found.why == "not_recognised_yet" and rate is not None and rate.state == "failed":
        return Verdict("failed", why="original_crashes")
    return found


def _floor(heard: TranscriptFacts | None, floors: Mapping[int, Floors], language: str, metric: str) -> float | None:
    """What who heard it gets wrong on known speech; a person is taken at their word: 0. None where not known."""
    if heard is None:
        return None
    if heard.maker.kind == PERSON.kind:
        return 0.0
    floor = floors.get(heard.maker.id, {}).get((language, metric))
    return floor.rate if floor else None


def _hearing(facts: ResponseFacts, heard: TranscriptFacts | None) -> str | None:
    """``scored`` where a transcript is there, ``failed`` where recognising or reading the audio failed, else None."""
    if heard is not None:
        return "scored"
    tried = any(t.maker.kind != PERSON.kind for t in facts.transcripts)
    return "failed" if tried or "unreadable" in (facts.audio or {}) else None


def _audio_columns(facts: ResponseFacts) -> dict[str, Any]:
    """What the sound is like, and how long it and its making took."""
    audio = facts.audio or {}
    duration_s, generation_s = audio.get("duration_s"), facts.timings.get("generation_s")
    timed = (math.nan if generation_s is None else generation_s, math.nan if duration_s is None else duration_s)
    return {
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
    }


def _rate_columns(facts: ResponseFacts, heard: TranscriptFacts | None) -> dict[str, Any]:
    """The error rates, and as ``counts`` the errors and lengths that they are pooled from."""
    chosen = {name: _measurement(facts, name, heard) for name in ERROR_RATES}
    published = _published_rate(facts)
    counted = {**chosen, PUBLISHED_RATE: published}
    counts = {name: [m.errors, m.reference_length] for name, m in counted.items() if m and m.errors is not None}
    return {
        **{name: _scored(found) for name, found in chosen.items()},
        "published_error_rate": _scored(published),
        "published_error_state": None if published is None else published.state,
        "counts": json.dumps(counts),
    }


def _quality_columns(facts: ResponseFacts) -> dict[str, Any]:
    """DNSMOS of one maker: ours before one that was computed elsewhere, never a mix of both."""
    found = [m for m in facts.measurements if m.metric in QUALITY]
    if not found:
        unreadable = "unreadable" in (facts.audio or {})
        return {**dict.fromkeys(QUALITY), "quality_state": "failed" if unreadable else None, "quality_id": None}
    best = max(found, key=lambda m: (m.state == "scored", m.maker.kind == "quality", m.maker.rank, m.id))
    values = {m.metric: _scored(m) for m in found if m.maker.id == best.maker.id}
    return {**dict.fromkeys(QUALITY), **values, "quality_state": best.state, "quality_id": best.maker.id}


def _transcript(facts: ResponseFacts, method: Method) -> TranscriptFacts | None:
    """The transcript a method reads: the published files' own where the method is theirs, else ours.

    Of several, that of the recogniser chosen to count, else the newest. What a person heard goes before any
    recogniser's under the corrected method and is never read under the published one.
    """
    heard = [t for t in facts.transcripts if t.state == "scored"]
    if method == "published":
        heard = [t for t in heard if t.maker.kind != PERSON.kind]
    if not heard:
        return None
    return max(heard, key=lambda t: (t.maker.kind == PERSON.kind, _suits(t, method), t.maker.rank, t.id))


def _suits(transcript: TranscriptFacts, method: Method) -> bool:
    if method == "published":
        return transcript.maker.is_published_file
    return transcript.maker.kind != "imported"


def _scored(found: MeasurementFacts | None) -> float | None:
    return found.value if found is not None and found.state == "scored" else None


def _published_rate(facts: ResponseFacts) -> MeasurementFacts | None:
    """The rate by the published reader: derived from the transcript that the method reads.

    Where that is one of the published files, or there is none at all, a rate that such a file brought will do.
    """
    read = _transcript(facts, "published")
    derived = _measurement(facts, PUBLISHED_RATE, read)
    if derived is not None or (read is not None and not read.maker.is_published_file):
        return derived
    brought = [m for m in facts.measurements if m.metric == "syllable_error_rate" and m.maker.is_published_file]
    return max(brought, key=lambda m: m.id) if brought else None


def _measurement(facts: ResponseFacts, metric: str, heard: TranscriptFacts | None) -> MeasurementFacts | None:
    """The measurement of ``metric`` derived from the transcript ``heard``; None without one."""
    if heard is None:
        return None
    found = [
        m
        for m in facts.measurements
        if m.metric == metric and m.maker.settings.get("transcript_maker") == heard.maker.key
    ]
    return max(found, key=lambda m: m.id) if found else None


def _mismatch(facts: ResponseFacts, heard: TranscriptFacts | None) -> str:
    found = _measurement(facts, "mismatch", heard)
    return " ".join(dict.fromkeys(found.mismatch_kinds)) if found else ""


def _number(value: float) -> float | None:
    return None if value != value else value  # SQLite would store NaN as NULL without a word


def _floors(db: sqlite3.Connection, facts: ResponseFacts, known: dict[int, Floors]) -> Mapping[int, Floors]:
    for transcript in facts.transcripts:
        if transcript.maker.id not in known:
            known[transcript.maker.id] = floors_of(db, transcript.maker.id)
    return known
