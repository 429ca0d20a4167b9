"""Sound, transcripts, measurements and judgements for some answers of the large workspace, ten-minute ones among them."""

from __future__ import annotations

import json
import random
import sqlite3
from dataclasses import asdict
from pathlib import Path

import numpy as np
import soundfile

from engine.audio import content_hash, inspect_audio
from engine.store.makers import Floor, Maker, maker_id, set_floors
from engine.store.results import (
    JudgementRow,
    MeasurementRow,
    TranscriptRow,
    put_judgements,
    put_measurements,
    put_transcripts,
)
from engine.store.transaction import transaction
from engine.store.workspace import Workspace

ANSWERS = 1200  # that have a recording
EACH_LONG = 10  # of them one in ten is long
SHORT, LONG = 60, 6  # different recordings
LONG_S, LONG_RATE_HZ, SHORT_RATE_HZ = 600, 48_000, 24_000
RECOGNISER = Maker("recogniser", "made-recogniser", settings={"backend": "made", "weights": "small"})
METRIC = Maker("metric", "error_rates")
QUALITY = Maker("quality", "dnsmos")
JUDGE = Maker("judge", "made-judge", rubric_sha256="a" * 64)


def add_sounds(workspace: Workspace) -> None:
    """Give ``ANSWERS`` answers, spread over all, a recording and all that is made of one."""
    choose = random.Random(48_000)
    short, long = _recordings(workspace, choose)
    db = workspace.connect()
    with transaction(db):
        sounds = [_take(db, workspace, path) for path in (*short, *long)]
        ids = [row[0] for row in db.execute("SELECT response_id FROM audit_row WHERE response_state = 'answered'")]
        chosen = ids[:: len(ids) // ANSWERS][:ANSWERS]
        asked = dict(db.execute("SELECT id, instance_id FROM response WHERE id IN (SELECT value FROM json_each(?))",
                                (json.dumps(chosen),)))  # fmt: skip
        for number, response in enumerate(chosen):
            is_long = number % EACH_LONG == 0
            audio = sounds[len(short) + number // EACH_LONG % len(long) if is_long else number % len(short)]
            db.execute("UPDATE response SET audio_id = ? WHERE id = ?", (audio, response))
            question = (asked[response], 0, f"{number}.wav", sounds[number % len(short)])
            db.execute("INSERT OR IGNORE INTO instance_audio VALUES (?, ?, ?, ?)", question)
        _results(db, choose, chosen)
    db.execute("ANALYZE")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def with_sound(db: sqlite3.Connection) -> tuple[list[int], list[int]]:
    """The answers with a short recording and those with a long one."""
    rows = db.execute(
        "SELECT response.id, json_extract(facts, '$.duration_s') FROM response JOIN audio ON audio.id = audio_id"
    ).fetchall()
    return [row[0] for row in rows if row[1] < LONG_S / 2], [row[0] for row in rows if row[1] >= LONG_S / 2]


def _recordings(workspace: Workspace, choose: random.Random) -> tuple[list[Path], list[Path]]:
    folder = workspace.audio / "made"
    folder.mkdir(parents=True, exist_ok=True)
    short = [folder / f"short-{n:02d}.wav" for n in range(SHORT)]
    long = [folder / f"long-{n}.wav" for n in range(LONG)]
    for path in short:
        soundfile.write(path, _speech_like(choose, choose.uniform(2, 25), SHORT_RATE_HZ), SHORT_RATE_HZ)
    for path in long:
        soundfile.write(path, _speech_like(choose, LONG_S, LONG_RATE_HZ), LONG_RATE_HZ)
    return short, long


def _speech_like(choose: random.Random, seconds: float, rate_hz: int) -> np.ndarray:
    """Harmonics in syllables, pauses between them, a little noise; 16 bits."""
    rng = np.random.default_rng(choose.randrange(1 << 30))
    time = np.arange(int(seconds * rate_hz), dtype=np.float32) / rate_hz
    pitch = np.float32(choose.uniform(90, 220))
    syllables = np.clip(np.sin(2 * np.pi * 3.3 * time) + 0.3, 0, 1)
    pauses = np.sin(2 * np.pi * 0.23 * time + choose.random()) > -0.6
    voice = sum(np.sin(2 * np.pi * pitch * k * time) / k for k in (1, 2, 3, 5))
    noise = rng.standard_normal(len(time), dtype=np.float32)
    sound = 0.2 * voice * syllables * pauses + 0.002 * noise
    return (np.clip(sound, -1, 1) * 32767).astype(np.int16)


def _take(db: sqlite3.Connection, workspace: Workspace, path: Path) -> int:
    status, facts = path.stat(), asdict(inspect_audio(str(path)))
    facts["loudness_lufs"] = -21.0
    row = (content_hash(path), status.st_size, path.relative_to(workspace.audio).as_posix(), status.st_mtime_ns,
           json.dumps(facts, default=str))  # fmt: skip
    cursor = db.execute(
        "INSERT INTO audio (sha256, byte_count, kept, path, modified_ns, facts) VALUES (?, ?, 'copy', ?, ?, ?)", row
    )
    return int(cursor.lastrowid or 0)


def _results(db: sqlite3.Connection, choose: random.Random, chosen: list[int]) -> None:
    texts = {
        row[0]: (row[1], row[2])
        for row in db.execute(
            "SELECT response_id, text, language FROM audit_row WHERE response_id IN (SELECT value FROM json_each(?))",
            (json.dumps(chosen),),
        )
    }
    recogniser, metric, quality, judge = (maker_id(db, maker) for maker in (RECOGNISER, METRIC, QUALITY, JUDGE))
    floors = [
        Floor(language, name, 3, 400, 40, "made") for language in ("zh", "en") for name in ("syllable_error_rate",)
    ]
    set_floors(db, recogniser, floors)
    put_transcripts(db, recogniser, [_transcript(choose, number, *texts[number]) for number in chosen])
    rates = ("syllable_error_rate", "character_error_rate", "mixed_error_rate", "phoneme_error_rate")
    put_measurements(db, metric, [MeasurementRow(n, name, 0.06, "scored", 4.0, 66.0) for n in chosen for name in rates])
    dnsmos = ("dnsmos_ovrl", "dnsmos_sig", "dnsmos_bak", "dnsmos_p808")
    put_measurements(db, quality, [MeasurementRow(n, name, choose.uniform(1, 5)) for n in chosen for name in dnsmos])
    reason = "回答与参考答案一致，细节略有出入，但不影响结论。" * 3
    put_judgements(
        db,
        judge,
        [JudgementRow(n, "knowledge", "scored", "correct", None, reason, repeat=r) for n in chosen for r in range(3)],
    )
    db.execute(
        "UPDATE audit_row SET recogniser_id = ?, published_recogniser_id = ?, quality_id = ?, corrected_maker_id = ?,"
        " transcript_id = (SELECT id FROM transcript WHERE transcript.response_id = audit_row.response_id)"
        " WHERE response_id IN (SELECT value FROM json_each(?))",
        (recogniser, recogniser, quality, judge, json.dumps(chosen)),
    )


def _transcript(choose: random.Random, response: int, text: str, language: str) -> TranscriptRow:
    """The text with a character dropped here and there, each word with its time."""
    pieces = text.split() if language == "en" else list(text)
    kept = [piece for piece in pieces if choose.random() > 0.04]
    words = [(piece, round(n * 0.22, 2), round(n * 0.22 + 0.2, 2), 0.9) for n, piece in enumerate(kept)]
    heard = (" " if language == "en" else "").join(kept)
    return TranscriptRow(response, None, "scored", heard, language, words, 0.4)
