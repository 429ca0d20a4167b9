"""A rater as a process of its own, who never pauses: rates every open item, changes some minds, and says what is done.

``python -m tests.engine.store.fast_rater WORKSPACE``: a line of JSON after each act that returned, as a screen shows it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from engine.store.sittings import (
    Heard,
    Remark,
    begin_sitting,
    commit,
    current_ratings,
    present,
    redoable,
    undo,
    undoable,
)
from engine.store.studies import assignments_of, sessions_of
from engine.store.workspace import open_workspace


def value_at(position: int) -> int:
    """What this rater gives to the item at a position."""
    return 1 + position * 7 % 5


def main(folder: Path) -> None:
    """Go on where the store says that the rater is."""
    workspace = open_workspace(folder)
    db = workspace.connect(durable=True)
    session = sessions_of(db)[0]
    sitting = begin_sitting(db, session.rater_id, device="d", sample_rate_hz=48_000, setup={})
    while (act := redoable(db, session.id)) is not None:  # killed between an undo and its redo
        undo(db, act)
    rated = current_ratings(db, session.id)
    for item in assignments_of(workspace, db, session.id):
        if item.id in rated:
            continue
        shown = present(db, item.id, sitting, {"answer": -1.5})
        heard = [Heard("question", ((0.0, 1.0, 1.0),), None), Heard("answer", ((0.0, 2.0, 1.0),), 1.0)]
        values = {"empathy": value_at(item.position), "emotion": "sad"}
        commit(db, shown, values, heard, [Remark("note", f"note {item.position}")], active_s=3.0)
        _tell("rated", item.position)
        if item.position % 4 == 0:
            act = undoable(db, session.id)
            assert act is not None and act.assignment_id == item.id
            undone = undo(db, act)
            _tell("undone", item.position)
            undo(db, undone)
            _tell("rated", item.position)
    db.close()


def _tell(what: str, position: int) -> None:
    sys.stdout.write(json.dumps([what, position]) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
