"""Audit in a real window, driven and timed: selecting answers, filtering, scrolling.

``python -m tests.bench.audit_window WORKSPACE WHAT`` prints a JSON list of milliseconds; WHAT is ``cold``, ``cached``,
``filter``, ``words`` or ``scroll``.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtTest import QTest

from engine.query.ranks import SortKey
from engine.query.selection import Selection
from tests.tools.large_sounds import with_sound

SIZE = (1600, 900)
SELECTS = 60
EACH_LONG = 10  # of the answers selected, one in ten is ten minutes long
REST_S = 0.4  # between two selects: an auditor looks
PAUSE_S = 0.4  # between two filters: what belongs to the answer that was shown has come
LONGEST_S = 60
FILTERS = (
    "error>0.05", "error>0.05 OR mismatch:*", "verdict:right speech:wrong", "is:flipped", "is:other_script",
    "system:system-0* (per>0.05 OR state:failed,unscored) -tag:seen", "rtf>1 OR first>3", "emotion:sad",
    "faults:silent,truncated OR silent>=0.95", "state:unparsable,failed,unscored", "key:reasoning-00*",
    "dnsmos:2..3 length>10", "subset:creativity,emotion score<3", '"竹篮" per>0.05', "-mismatch:none per<0.2",
)  # fmt: skip
SORTS = ("error", "dnsmos", "rtf")
TWO_CHARACTERS = ("竹篮", "节气", "木匠", "河边", "旧钟", "周四", "相信", "夏至")
SCROLL_STEPS = (26, 60, 120, 520, 9_100)  # pixels a frame: a row, the wheel, a fling, a page, the bar dragged


class Painted(QObject):
    """Counts the paints of a widget."""

    def __init__(self, widget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


class Auditor:
    """The window on the Audit screen with all answers in the table."""

    def __init__(self, folder: Path) -> None:
        from gui.app import make_application, make_window

        self.application = make_application()
        self._beat = QTimer()  # a wait never sleeps longer than this
        self._beat.start(100)
        self.window = make_window(folder)
        self.window.resize(*SIZE)
        self.window.show()
        self.until(lambda: self.window.view("audit") is not None)
        self.screen = self.window.view("audit")
        self.model, self.table = self.screen.model, self.screen.table
        self.until(lambda: self.model.total is not None and self.model.rows.rowCount() == self.model.total)
        self.lanes = self.screen.detail.lanes
        self.drawn = Painted(self.lanes.canvas)
        self.aligned = Painted(self.screen.detail.alignment.view.viewport())
        self.listed = Painted(self.table.viewport())
        self.rest(1)
        self.until(lambda: not self.model._ahead)
        self.rest(1)

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the window work until ``condition`` holds; it sleeps where there is nothing to do, as a window does."""
        end = time.perf_counter() + LONGEST_S
        while not condition():
            self.application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            if time.perf_counter() > end:
                raise TimeoutError(f"waited {LONGEST_S} s")

    def rest(self, seconds: float) -> None:
        loop = QEventLoop()
        QTimer.singleShot(round(seconds * 1000), loop.quit)
        loop.exec()

    def next_one(self) -> float:
        """Milliseconds from the key Down to the waveform, the alignment and the row on screen."""
        place = self.table.currentIndex().row() + 1
        response_id = int(self.model.rows.ids[place])
        drawn, aligned, listed = self.drawn.count, self.aligned.count, self.listed.count
        started = time.perf_counter()
        QTest.keyClick(self.table, Qt.Key.Key_Down)

        def is_there() -> bool:
            shown, row = self.screen.detail.detail, self.lanes.rows[1]
            is_loaded = shown is not None and shown.answered.id == response_id and row.outline is not None
            is_painted = self.drawn.count > drawn and self.aligned.count > aligned and self.listed.count > listed
            return is_loaded and is_painted and row._tile is not None and self.model.rows.row(place) is not None

        self.until(is_there)
        return (time.perf_counter() - started) * 1000

    def find(self, act: Callable[[], object]) -> float:
        """Milliseconds from an act to its first rows on screen."""
        found: list[int] = []

        def on_found() -> None:
            found.append(self.listed.count)

        self.model.found.connect(on_found)
        started = time.perf_counter()
        act()
        self.until(lambda: bool(found))
        rows, at = self.model.rows, max(self.table.currentIndex().row(), 0)
        self.until(lambda: not rows.rowCount() or (rows.row(at) is not None and self.listed.count > found[0]))
        took = (time.perf_counter() - started) * 1000
        self.model.found.disconnect(on_found)
        return took

    def frames(self, step: int, count: int) -> list[float]:
        """Milliseconds of the GUI thread from each step of the scroll bar to the next, its paint among them."""
        bar, taken = self.table.verticalScrollBar(), []
        for _ in range(count):
            started = time.perf_counter()
            bar.setValue(bar.value() + step)
            self.table.viewport().repaint()
            self.application.processEvents()
            taken.append((time.perf_counter() - started) * 1000)
            self.rest(max(0.0, 1 / 60 - taken[-1] / 1000))
        return taken

    def close(self) -> None:
        self.window.ask = lambda *_, **__: "leave"
        self.window.close()
        self.application.processEvents()


def selected(folder: Path) -> list[int]:
    """Answers to select: one in ten is ten minutes long."""
    from engine.store.workspace import open_workspace

    with closing(open_workspace(folder).connect()) as db:
        short, long = with_sound(db)
    choose = random.Random(1)
    picked = choose.sample(short, SELECTS)
    for place in range(EACH_LONG // 2, SELECTS, EACH_LONG):
        picked[place] = long[place % len(long)]
    return picked


def forget_sound(folder: Path) -> None:
    """Nothing is kept of any recording, by us or by the system."""
    shutil.rmtree(folder / "peaks", ignore_errors=True)
    for path in (folder / "audio" / "made").iterdir():
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def selects(auditor: Auditor, folder: Path, *, cold: bool) -> list[float]:
    """Down through a list of answers; ``cold``: nothing is kept of any recording, else all were seen before."""
    auditor.find(lambda: auditor.model.take(Selection(ids=tuple(selected(folder)))))
    auditor.table.setFocus()
    taken: list[float] = []
    for is_measured in (False, True) if not cold else (True,):
        auditor.table.choose_row(0)
        auditor.rest(1)
        for _ in range(SELECTS - 1):
            if cold:
                forget_sound(folder)
                auditor.lanes.expect({})  # nor by the window, which has read ahead
            took = auditor.next_one()
            auditor.rest(REST_S if is_measured else REST_S / 3)
            taken += [took] if is_measured else []
    return taken


def filters(auditor: Auditor) -> list[float]:
    model, taken = auditor.model, []
    for field in SORTS:
        auditor.find(lambda f=field: (model._take_order((SortKey(f, descending=True),)), model._find()))
        for query in (*FILTERS, *FILTERS):
            taken.append(auditor.find(lambda q=query: model.use_filter(q)))
            auditor.rest(PAUSE_S)
    return taken


def words(auditor: Auditor) -> list[float]:
    taken = []
    for word in TWO_CHARACTERS * 5:
        taken.append(auditor.find(lambda w=word: auditor.model.use_filter(w)))
        auditor.rest(PAUSE_S)
    return taken


def scroll(auditor: Auditor) -> list[float]:
    return [took for step in SCROLL_STEPS for took in auditor.frames(step, 200)]


def main() -> None:
    folder, what = Path(sys.argv[1]), sys.argv[2]
    auditor = Auditor(folder)
    if what in ("cold", "cached"):
        taken = selects(auditor, folder, cold=what == "cold")
    else:
        taken = {"filter": filters, "words": words, "scroll": scroll}[what](auditor)
    auditor.close()
    print(json.dumps(taken))


if __name__ == "__main__":
    main()
