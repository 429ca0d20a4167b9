"""A rater at the real screen in a process of its own, who types as fast as the screen lets them.

``python -m tests.gui.rate.sitting.typing_rater FOLDER SESSION``: a line of JSON each time the screen has shown an item as
saved: its position and what was typed. ``$AURICLE_KILL_AT`` may end it at any moment.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.store.workspace import open_workspace
from tests.gui.rate.sitting.alone import alone


def value_at(position: int) -> int:
    """What this rater gives to the item at a position."""
    return 1 + position * 7 % 5


def main(folder: Path, session: int) -> None:
    """Rate every item that is open, and change the mind about some."""
    with tempfile.TemporaryDirectory() as place, alone(open_workspace(folder), session, Path(place)) as here:
        here.to_the_first_item()
        model, view = here.view.model, here.view
        while model.page == "item":
            item = model.item
            position = item.row.position
            QTest.keyClick(view, Qt.Key.Key_Space)
            here.until(lambda gone=item: gone.is_open)
            QTest.keyClicks(view, str(value_at(position)))
            QTest.keyClick(view, Qt.Key.Key_Return)
            here.until(lambda gone=item: gone.was_kept and not model.saving.is_busy)
            _tell("rated", position)
            if position % 4 == 0:
                QTest.keyClick(view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
                here.until(lambda gone=item: model.item is gone and not gone.kept and not model.saving.is_busy)
                _tell("undone", position)
                QTest.keyClick(view, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
                here.until(lambda gone=item: bool(gone.kept) and not model.saving.is_busy)
                _tell("rated", position)
                QTest.keyClick(view, Qt.Key.Key_Return)
                here.until(lambda gone=item: model.page != "item" or model.item is not gone)


def _tell(what: str, position: int) -> None:
    sys.stdout.write(json.dumps([what, position]) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
