"""What answers were worth before a run wrote about them, kept in its folder, and what flipped since."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.scoring.derive import refresh
from engine.scoring.flips import COLUMNS, Flip, flips_of_rows, from_told, grouped, is_result, maker_pairs, told
from engine.store.audit_row import CHUNK, columns_of
from engine.store.makers import maker_labels
from engine.store.workspace import Workspace

if TYPE_CHECKING:
    from engine.runs.driver import Drive

BEFORE, FLIPS = "before.jsonl", "flips.json"  # files of a run's folder
NOBODY = "—"


@dataclass(frozen=True, slots=True)
class MakerPair:
    """How many flips lie between the results of two makers; ``before`` and ``after`` are as tables name them."""

    before: str
    after: str
    before_id: int | None
    after_id: int | None
    count: int


def rederive(drive: Drive, response_ids: Sequence[int]) -> None:
    """Derive rows anew as ``refresh`` does, and remember what they said before this run; in the same transaction."""
    new = [number for number in response_ids if number not in drive.remembered]
    if new:
        drive.remembered.update(new)
        rows = [row for row in columns_of(drive.db, new, COLUMNS) if is_result(row)]
        if rows:
            with (drive.folder / BEFORE).open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(list(row.values())) + "\n" for row in rows)
    refresh(drive.db, response_ids)


def tell_flips(drive: Drive) -> None:
    """Keep what flipped since the run began in ``flips.json`` and say it among the events.

    Nothing is said of a run that met no earlier result.
    """
    if not (drive.folder / BEFORE).exists():
        return
    flips = _compared(drive.db, drive.folder)
    (drive.folder / FLIPS).write_text(json.dumps([told(flip) for flip in flips]), encoding="utf-8")
    groups = [{**asdict(group), "response_ids": len(group.response_ids)} for group in grouped(flips)]
    answers = len({flip.response_id for flip in flips})
    drive.say("flips", answers=answers, groups=groups, pairs=[asdict(pair) for pair in pairs_of(drive.db, flips)])


def flips_of_run(workspace: Workspace, run_id: int) -> list[Flip] | None:
    """What flipped in a run, as it was when it ended; None where it met no earlier result.

    Of a run that was killed, or goes on: against how things are now.
    """
    folder = workspace.runs / str(run_id)
    if (folder / FLIPS).exists():
        return [from_told(entry) for entry in json.loads((folder / FLIPS).read_text(encoding="utf-8"))]
    if not (folder / BEFORE).exists():
        return None
    with closing(workspace.connect()) as db:
        return _compared(db, folder)


def pairs_of(db: sqlite3.Connection, flips: Sequence[Flip]) -> list[MakerPair]:
    """Between whose results the flips lie, the most frequent pair first."""
    labels = maker_labels(db)
    return [
        MakerPair(
            NOBODY if before is None else labels.get(before, NOBODY),
            NOBODY if after is None else labels.get(after, NOBODY),
            before,
            after,
            count,
        )
        for (before, after), count in maker_pairs(flips).items()
    ]


def _compared(db: sqlite3.Connection, folder: Path) -> list[Flip]:
    flips: list[Flip] = []
    with (folder / BEFORE).open(encoding="utf-8") as file:
        rows = _rows(file)
        while chunk := list(islice(rows, CHUNK)):
            now = columns_of(db, [row["response_id"] for row in chunk], COLUMNS)
            flips += flips_of_rows(chunk, now)
    return flips


def _rows(lines: Iterator[str]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        if line.endswith("\n"):  # a driver killed while it wrote leaves half a line, of results that did not commit
            yield dict(zip(COLUMNS, json.loads(line)))
