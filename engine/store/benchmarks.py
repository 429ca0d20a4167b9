"""Benchmarks and their instances; the Qid is the identity, a second import changes nothing."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.benchmarks.values import AudioRef, Instance, Turn
from engine.clock import utc_text
from engine.store.audio import Keep, take_audio
from engine.store.transaction import transaction
from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Stored:
    """What an import did: rows that are new, changed, and the same as before; audio taken and missing."""

    added: int = 0
    changed: int = 0
    same: int = 0
    audio_taken: int = 0
    audio_missing: int = 0
    changed_ids: tuple[int, ...] = ()

    def plus(self, other: Stored) -> Stored:
        """Both together."""
        return Stored(
            self.added + other.added,
            self.changed + other.changed,
            self.same + other.same,
            self.audio_taken + other.audio_taken,
            self.audio_missing + other.audio_missing,
            self.changed_ids + other.changed_ids,
        )


def add_instances(
    db: sqlite3.Connection,
    workspace: Workspace,
    benchmark: str,
    folder: Path,
    instances: Sequence[Instance],
    *,
    keep: Keep = "link",
) -> Stored:
    """Write ``instances`` in one transaction; a Qid that is there with the same content is left as it is.

    A changed record replaces the row's content but keeps its id, so responses stay with the question they answered;
    missing audio is stored as missing and filled in by a later import.
    """
    with transaction(db):
        benchmark_id = _benchmark_id(db, benchmark, folder)
        known = {
            (row[0], row[1]): (row[2], row[3])
            for row in db.execute(
                "SELECT subset, key, id, record_sha256 FROM instance WHERE benchmark_id = ?", (benchmark_id,)
            )
        }
        held = {
            (row[0], row[1]): row[2]
            for row in db.execute(
                "SELECT instance_id, part, audio_id FROM instance_audio JOIN instance ON instance.id = instance_id"
                " WHERE benchmark_id = ? AND audio_id IS NOT NULL",
                (benchmark_id,),
            )
        }
        counts = dict.fromkeys(("added", "changed", "same", "audio_taken", "audio_missing", "audio_same"), 0)
        changed_ids: list[int] = []
        for instance in instances:
            instance_id, what = _put(db, benchmark_id, instance, known.get((instance.subset, instance.key)))
            counts[what] += 1
            if what == "changed":
                changed_ids.append(instance_id)
            for part, ref in enumerate(instance.audio):
                counts[_put_audio(db, workspace, instance_id, part, ref, held, keep)] += 1
    counts.pop("audio_same")
    return Stored(**counts, changed_ids=tuple(changed_ids))


def instances_of(db: sqlite3.Connection, benchmark: str, subset: str | None = None) -> Iterator[Instance]:
    """The stored instances of a benchmark, in the order of their files; audio paths are left out."""
    rows = db.execute(
        "SELECT instance.*, benchmark.name AS benchmark FROM instance JOIN benchmark ON benchmark.id = benchmark_id"
        " WHERE benchmark.name = ? AND (? IS NULL OR subset = ?) ORDER BY subset, position, instance.id",
        (benchmark, subset, subset),
    )
    for row in rows:
        yield Instance(
            benchmark=row["benchmark"],
            subset=row["subset"],
            key=row["key"],
            position=row["position"],
            question=row["question"],
            reference=row["reference"],
            category=row["category"],
            language=row["language"],
            context=tuple(Turn(turn["role"], turn["text"]) for turn in json.loads(row["context"] or "[]")),
            labels=json.loads(row["labels"]),
        )


def subset_sizes(db: sqlite3.Connection) -> dict[tuple[str, str], int]:
    """Number of instances by (benchmark, subset)."""
    rows = db.execute(
        "SELECT benchmark.name, subset, COUNT(*) FROM instance JOIN benchmark ON benchmark.id = benchmark_id"
        " GROUP BY benchmark.name, subset ORDER BY benchmark.name, subset"
    )
    return {(row[0], row[1]): row[2] for row in rows}


def _benchmark_id(db: sqlite3.Connection, name: str, folder: Path) -> int:
    db.execute(
        "INSERT INTO benchmark (name, folder, imported_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
        (name, str(folder), utc_text()),
    )
    return int(db.execute("SELECT id FROM benchmark WHERE name = ?", (name,)).fetchone()[0])


def _put(
    db: sqlite3.Connection, benchmark_id: int, instance: Instance, known: tuple[int, str] | None
) -> tuple[int, str]:
    context = json.dumps([{"role": t.role, "text": t.text} for t in instance.context], ensure_ascii=False)
    labels = json.dumps(instance.labels, ensure_ascii=False, sort_keys=True)
    content = (
        instance.position,
        instance.question,
        instance.reference,
        instance.category,
        instance.language,
        context if instance.context else None,
        labels,
    )
    record_sha256 = hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()
    if known is None:
        cursor = db.execute(
            "INSERT INTO instance (benchmark_id, subset, key, position, question, reference, category, language,"
            " context, labels, record_sha256) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (benchmark_id, instance.subset, instance.key, *content, record_sha256),
        )
        return int(cursor.lastrowid or 0), "added"
    if known[1] == record_sha256:
        return known[0], "same"
    db.execute(
        "UPDATE instance SET position = ?, question = ?, reference = ?, category = ?, language = ?, context = ?,"
        " labels = ?, record_sha256 = ? WHERE id = ?",
        (*content, record_sha256, known[0]),
    )
    return known[0], "changed"


def _put_audio(
    db: sqlite3.Connection,
    workspace: Workspace,
    instance_id: int,
    part: int,
    ref: AudioRef,
    held: dict[tuple[int, int], int],
    keep: Keep,
) -> str:
    if ref.path is None:
        db.execute(
            "INSERT INTO instance_audio VALUES (?, ?, ?, NULL) ON CONFLICT DO NOTHING", (instance_id, part, ref.name)
        )
        return "audio_same" if (instance_id, part) in held else "audio_missing"
    audio_id = take_audio(db, workspace, ref.path, keep)
    if held.get((instance_id, part)) == audio_id:
        return "audio_same"
    db.execute("INSERT OR REPLACE INTO instance_audio VALUES (?, ?, ?, ?)", (instance_id, part, ref.name, audio_id))
    return "audio_taken"
