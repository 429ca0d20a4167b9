"""How loud recordings are: measured when they are first heard, and kept in a bounded folder of the workspace.

It lies in ``loudness/``, one file per audio by the hash of its bytes. Losing it loses nothing. These are for playing;
a measurement that counts is a driver's, with its maker.
"""

from __future__ import annotations

import math
import sqlite3
import statistics
import struct
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from engine.audio.lufs import Loudness, LoudnessMeter
from engine.audio.source import opened
from engine.errors import EngineError
from engine.progress import Progress
from engine.store.audio import audio_of
from engine.store.kept_files import keep_file, read_kept
from engine.store.workspace import Workspace

#: Recordings that stand for all of a system's answers, or of a benchmark's questions.
SAMPLED = 40
_KEPT = struct.Struct("<4sff")
MOST_BYTES = 20_000 * _KEPT.size
_VERSION = b"LU01"


def measured_loudness(workspace: Workspace | None, sha256: str, path: Path) -> Generator[Progress, None, Loudness]:
    """The loudness of a file, from the folder or measured and kept there; yields after each block.

    Without a workspace or a hash it is measured each time. Raises EngineError ``audio.*`` for what cannot be read.
    """
    kept = workspace.folder / "loudness" / f"{sha256}.lufs" if workspace is not None and sha256 else None
    found = None if kept is None else _from_bytes(read_kept(kept))
    if found is not None:
        return found
    with opened(path) as source:
        meter, done = LoudnessMeter(source.sample_rate_hz, source.channels), 0
        for block in source.blocks():
            meter.add(block)
            done += len(block)
            yield Progress(done, max(done, source.expected_frames))
    loudness = meter.loudness()
    if kept is not None:
        keep_file(kept, _KEPT.pack(_VERSION, loudness.lufs, loudness.peak), MOST_BYTES)
    return loudness


def typical_loudness(workspace: Workspace, audio_id: int) -> Generator[Progress, None, float]:
    """LUFS in the middle of a sample of what stands beside a recording; NaN where none of it has a loudness.

    Beside an answer stand all answers of its system, beside a question all questions of its benchmark. The sample is
    the same each time; what of it cannot be read is left out. Yields after each file.
    """
    values = []
    with closing(workspace.connect()) as db:
        beside = _beside(db, audio_id)
        for done, other in enumerate(beside, start=1):
            try:
                kept = audio_of(db, workspace, other)
                values.append((yield from measured_loudness(workspace, kept.sha256, kept.path)).lufs)
            except EngineError:
                continue
            yield Progress(done, len(beside))
    values = [value for value in values if not math.isnan(value)]
    return statistics.median(values) if values else math.nan


def _beside(db: sqlite3.Connection, audio_id: int) -> list[int]:
    """Evenly spread recordings of the same system, else of the same benchmark; the recording itself for neither."""
    found = db.execute("SELECT system_id FROM response WHERE audio_id = ? ORDER BY id LIMIT 1", (audio_id,)).fetchone()
    if found is not None:
        rows = db.execute(
            "SELECT audio_id FROM response WHERE system_id = ? AND current = 1 AND audio_id IS NOT NULL ORDER BY id",
            (found[0],),
        )
    else:
        rows = db.execute(
            "SELECT DISTINCT a.audio_id FROM instance_audio a JOIN instance i ON i.id = a.instance_id"
            " WHERE a.audio_id IS NOT NULL AND i.benchmark_id = (SELECT benchmark_id FROM instance WHERE id ="
            " (SELECT instance_id FROM instance_audio WHERE audio_id = ? LIMIT 1)) ORDER BY a.audio_id",
            (audio_id,),
        )
    every = [int(row[0]) for row in rows] or [audio_id]
    return [every[place * len(every) // min(SAMPLED, len(every))] for place in range(min(SAMPLED, len(every)))]


def _from_bytes(data: bytes | None) -> Loudness | None:
    if data is None or len(data) != _KEPT.size:
        return None
    version, lufs, peak = _KEPT.unpack(data)
    return Loudness(lufs, peak) if version == _VERSION else None
