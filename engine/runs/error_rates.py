"""Error rates and speech-text mismatches of every transcript, under both methods, from one alignment each."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Generator

from engine.metrics.error_rates import ErrorRate, error_rate
from engine.metrics.mismatch import mismatches
from engine.progress import Progress
from engine.runs.before import rederive
from engine.runs.driver import Drive
from engine.scoring.derive import PUBLISHED_RATE
from engine.store.makers import Maker, maker_id
from engine.store.plans import Heard, Scope, transcripts_without_rates
from engine.store.results import MeasurementRow, put_measurements
from engine.store.transaction import transaction
from engine.text.published import PublishedCrash

RULES_VERSION = "1"  # of normaliser, tokens, alignment and mismatch rules: raise it when a rate may change
BATCH = 200
_UNITS = {
    "zh": ("character", "mixed", "syllable", "phoneme"),
    "mixed": ("character", "mixed", "syllable", "phoneme"),
    "en": ("word", "character", "mixed"),
}


def measure_error_rates(drive: Drive, scope: Scope) -> Generator[Progress, None, int]:
    """Derive the rates of every transcript that has none by today's rules; returns how many transcripts.

    No audio is read and nothing is recognised: the transcripts are what is stored.
    """
    heard = transcripts_without_rates(drive.db, scope, RULES_VERSION, "mismatch")
    with drive.doing("measure", "rates", len(heard)):
        for start in range(0, len(heard), BATCH):
            batch = heard[start : start + BATCH]
            rows = [(entry.maker_key, rate_rows(entry)) for entry in batch]
            with transaction(drive.db):
                for key in dict.fromkeys(entry.maker_key for entry in batch):
                    mine = [row for maker_key, entry_rows in rows if maker_key == key for row in entry_rows]
                    put_measurements(drive.db, maker_id(drive.db, rates_maker(key)), mine)
                rederive(drive, sorted({entry.response_id for entry in batch}))
                drive.count(len(batch))
                drive.mark()
            drive.wrote(len(batch))
            yield Progress(start + len(batch), len(heard), "error rates")
    return len(heard)


def rates_of(reference: str, hypothesis: str, language: str) -> list[ErrorRate]:
    """The corrected error rates of one pair, in every unit of ``language``."""
    return [error_rate(unit, reference, hypothesis, language) for unit in _UNITS[language]]


def rates_maker(transcript_maker: str) -> Maker:
    """What makes the rates that rest on the transcripts of one maker, by today's rules."""
    return Maker("metric", "error_rates", RULES_VERSION, {"transcript_maker": transcript_maker})


def rate_rows(heard: Heard) -> list[MeasurementRow]:
    """The rates of one transcript in every unit, under both methods, and its mismatches."""
    if heard.text is None:
        detail = {"found": [], "why": "the answer has no text to compare with"}
        return [MeasurementRow(heard.response_id, "mismatch", None, "unscored", detail=detail)]
    rows = [
        _row(heard.response_id, rate.metric, rate) for rate in rates_of(heard.text, heard.transcript, heard.language)
    ]
    rows.append(_published(heard.response_id, heard.text, heard.transcript))
    rows.append(_mismatch(heard.response_id, heard.text, heard.transcript, heard.language))
    return rows


def _row(response_id: int, metric: str, rate: ErrorRate) -> MeasurementRow:
    counts = {}
    if rate.alignment is not None:
        counts = {
            "substitutions": rate.alignment.substitutions,
            "insertions": rate.alignment.insertions,
            "deletions": rate.alignment.deletions,
        }
    has_value = not math.isnan(rate.rate)
    return MeasurementRow(
        response_id,
        metric,
        rate.rate if has_value else None,
        "scored" if has_value else "unscored",
        rate.errors if rate.alignment is not None else None,
        rate.reference_length if rate.alignment is not None else None,
        counts,
    )


def _published(response_id: int, text: str, transcript: str) -> MeasurementRow:
    try:
        return _row(response_id, PUBLISHED_RATE, error_rate("syllable", text, transcript, method="published"))
    except PublishedCrash as crash:
        return MeasurementRow(response_id, PUBLISHED_RATE, None, "failed", detail={"why": f"original crashes: {crash}"})


def _mismatch(response_id: int, text: str, transcript: str, language: str) -> MeasurementRow:
    found = mismatches(text, transcript, "en" if language == "en" else "zh")
    told = [{"kind": m.kind, "start": m.start, "end": m.end, "count": m.count, "text": m.text} for m in found]
    of = hashlib.sha256(f"{text}\0{transcript}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return MeasurementRow(response_id, "mismatch", float(len(told)), detail={"found": told, "of": of})
