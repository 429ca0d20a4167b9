"""A recogniser's floor: what it gets wrong on the sample pack's known speech, per language."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Generator
from dataclasses import asdict

from engine.metrics.error_rates import ErrorRate
from engine.progress import Progress
from engine.runs.driver import Drive
from engine.runs.error_rates import rates_of
from engine.runs.serving import Serving
from engine.scoring.derive import refresh
from engine.shipped import shipped
from engine.speech.values import RecogniserSpec
from engine.store.makers import Floor, Maker, floors_of, maker_id, set_floors
from engine.store.plans import Clip, responses_heard_by
from engine.store.transaction import transaction

SPEECH = "data/sample/speech/floor.jsonl"


def measure_floors(
    drive: Drive, serving: Serving, maker: Maker, spec: RecogniserSpec
) -> Generator[Progress, None, int]:
    """Measure the floors of ``maker`` if they are not known for this speech; returns the maker's row.

    The rates are corrected ones over all clips of a language: errors over reference length. Verdicts that rest on the
    floors are derived anew.
    """
    listed = shipped(SPEECH)
    source = f"{SPEECH} {hashlib.sha256(listed.read_bytes()).hexdigest()[:12]}"
    with transaction(drive.db):
        row = maker_id(drive.db, maker)
    known = floors_of(drive.db, row)
    if known and all(floor.source == source for floor in known.values()):
        return row
    entries = [json.loads(line) for line in listed.read_text(encoding="utf-8").splitlines() if line]
    pack = listed.parent.parent
    floors: list[Floor] = []
    done = 0
    for language in ("zh", "en"):
        mine = [entry for entry in entries if entry["language"] == language]
        clips = [Clip(-1 - n, str(pack / entry["audio"]), language, ()) for n, entry in enumerate(mine)]
        rates: dict[str, list[ErrorRate]] = defaultdict(list)
        for served in serving.ask("recognise", clips, recogniser=asdict(spec), language=language):
            if served is not None and served.error is None:
                said = mine[-1 - served.clip.audio_id]["text"]
                for rate in rates_of(said, str(served.result["text"]), language):
                    rates[rate.metric].append(rate)
                done += 1
            yield Progress(done, len(entries), f"floor {language}")
        floors += [_floor(language, metric, found, source) for metric, found in rates.items()]
    with transaction(drive.db):
        set_floors(drive.db, row, [floor for floor in floors if floor.reference_length])
        refresh(drive.db, responses_heard_by(drive.db, row))
    drive.say("floors", floors=[asdict(floor) for floor in floors])
    return row


def _floor(language: str, metric: str, rates: list[ErrorRate], source: str) -> Floor:
    errors = sum(rate.errors for rate in rates)
    length = sum(rate.reference_length for rate in rates)
    return Floor(language, metric, errors, length, len(rates), source)
