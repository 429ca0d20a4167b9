"""A recogniser's floor: what it gets wrong on the sample pack's known speech, per language."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Generator
from dataclasses import asdict

from engine.metrics.error_rates import ErrorRate, error_rate
from engine.progress import Progress
from engine.runs.before import rederive
from engine.runs.driver import Drive
from engine.runs.error_rates import rates_of
from engine.runs.serving import Served, Serving
from engine.scoring.derive import PUBLISHED_RATE
from engine.shipped import shipped
from engine.speech.values import RecogniserSpec
from engine.store.makers import Floor, Maker, floors_of, maker_id, set_floors
from engine.store.plans import Clip, responses_heard_by
from engine.store.transaction import transaction

SPEECH = "data/sample/speech/floor.jsonl"
LANGUAGES = ("zh", "en")


def has_floors(db: sqlite3.Connection, recogniser: int) -> bool:
    """Whether the floors of a recogniser were measured on the speech that ships today, in both languages."""
    known = floors_of(db, recogniser)
    return {language for language, _ in known} == set(LANGUAGES) and all(f.source == _source() for f in known.values())


def measure_floors(
    drive: Drive, serving: Serving, maker: Maker, spec: RecogniserSpec
) -> Generator[Progress, None, int]:
    """Measure the floors of ``maker`` that are not known for this speech; returns the maker's row.

    The rates are over all clips of a language: errors over reference length. A language of which a clip failed gets no
    floor, since it would come out too low. Each language is written as it is done, and verdicts that rest on it are
    derived anew.
    """
    with transaction(drive.db):
        row = maker_id(drive.db, maker)
    known = floors_of(drive.db, row).values()
    lacking = [n for n in LANGUAGES if not any(f.source == _source() and f.language == n for f in known)]
    spoken = {language: _known_speech(language) for language in lacking}
    if spoken:
        with drive.doing("recognise", "floor", sum(map(len, spoken.values()))):
            for language, said in spoken.items():
                yield from _measure_floor(drive, serving, row, spec, language, said)
    return row


def _measure_floor(
    drive: Drive, serving: Serving, row: int, spec: RecogniserSpec, language: str, said: list[tuple[str, str]]
) -> Generator[Progress, None, None]:
    clips = [Clip(-1 - n, path, language, ()) for n, (path, _) in enumerate(said)]
    rates: dict[str, list[ErrorRate]] = defaultdict(list)
    for served in serving.ask("recognise", clips, recogniser=asdict(spec), language=language):
        if served is not None:
            drive.count()
        if served is not None and served.error is None:
            for metric, rate in _rates(said[-1 - served.clip.audio_id][1], served, language):
                rates[metric].append(rate)
        yield Progress(drive.phase.done, drive.phase.total, f"floor {language}")
    floors = [_floor(language, metric, found) for metric, found in rates.items() if len(found) == len(said)]
    with transaction(drive.db):
        set_floors(drive.db, row, [floor for floor in floors if floor.reference_length])
        rederive(drive, responses_heard_by(drive.db, row))
    drive.say("floors", floors=[asdict(floor) for floor in floors])


def _known_speech(language: str) -> list[tuple[str, str]]:
    """Path and words of each clip of the sample pack's known speech in a language."""
    listed = shipped(SPEECH)
    entries = [json.loads(line) for line in listed.read_text(encoding="utf-8").splitlines() if line]
    folder = listed.parents[1]
    return [(str(folder / entry["audio"]), entry["text"]) for entry in entries if entry["language"] == language]


def _rates(said: str, served: Served, language: str) -> list[tuple[str, ErrorRate]]:
    """The corrected rates of one clip, and in Chinese the rate by the published reader."""
    heard = str(served.result["text"])
    rates = [(rate.metric, rate) for rate in rates_of(said, heard, language)]
    if language == "zh":
        rates.append((PUBLISHED_RATE, error_rate("syllable", said, heard, method="published")))
    return rates


def _source() -> str:
    return f"{SPEECH} {hashlib.sha256(shipped(SPEECH).read_bytes()).hexdigest()[:12]}"


def _floor(language: str, metric: str, rates: list[ErrorRate]) -> Floor:
    errors = sum(rate.errors for rate in rates)
    length = sum(rate.reference_length for rate in rates)
    return Floor(language, metric, errors, length, len(rates), _source())
