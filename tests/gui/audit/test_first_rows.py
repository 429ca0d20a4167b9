"""What Audit loads and makes before its first rows are painted, and what comes after them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from PySide6.QtCore import Qt

from engine.query.selection import Selection
from gui.audit.screen import build
from tests.gui.audit.made import workspace_with_answers

#: What shows, plays and judges one answer, what derives rows, what knows runs, what draws charts.
NOT_YET = [
    "gui.audit.answer_parts", "gui.audit.detail.panel", "gui.audit.transport.bar", "gui.audit.evidence.room",
    "gui.audit.columns_panel", "gui.audit.compare.charts_room", "gui.waveform.lanes", "gui.player.player",
    "engine.scoring.derive", "engine.scoring.verdicts", "engine.metrics", "engine.judges.match", "engine.runs.follow",
    "engine.query.detail", "engine.audio", "soundfile", "sounddevice", "rapidfuzz", "pyqtgraph", "sqlite_utils",
    "filelock", "asyncio", "ssl",
]  # fmt: skip
WATCH = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QEvent, QObject, QTimer
import gui.frame.window, gui.run.following
from gui.app import make_application, make_window

gui.run.following.FIRST_LOOK_MS = gui.frame.window.REST_AFTER_MS = 3_600_000  # they come by the clock
application = make_application()
window = make_window(Path(sys.argv[1]))
told = {}

class Watch(QObject):
    def eventFilter(self, watched, event):
        screen = window.view("audit")
        if screen is not None and watched is window and not hasattr(self, "viewport"):
            self.viewport = screen.table.viewport()
            self.viewport.installEventFilter(self)
            self.viewport.update()
        elif screen is not None and watched is self.viewport and event.type() == QEvent.Type.Paint and not told:
            if screen.model.rows.rowCount() and screen.model.rows.row(0) is not None:
                told["rows"] = [name for name in sys.argv[2:] if name in sys.modules]
                screen.completion.completed.connect(self.end)
        return False

    def end(self):
        told["then"] = [name for name in sys.argv[2:] if name in sys.modules]
        QTimer.singleShot(0, window.close)

watch = Watch()
window.installEventFilter(watch)
window.show()
beat = QTimer()
beat.timeout.connect(window.update)
beat.start(20)
application.exec()
print(json.dumps(told))
"""


def start(tmp_path):
    """Open a window on a workspace with answers, on Audit; which of ``NOT_YET`` are loaded at its moments."""
    folder = workspace_with_answers(tmp_path / "w").folder
    config = tmp_path / "own"
    config.mkdir()
    (config / "settings.json").write_text(json.dumps({"language": "en", "screen": "audit"}))
    own = {"AURICLE_CONFIG": str(config), "AURICLE_LOG": str(config), "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(
        [sys.executable, "-c", WATCH, str(folder), *NOT_YET],
        env=os.environ | own | {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout.splitlines()[-1])


def test_the_first_rows_are_painted_before_what_shows_one_answer_is_loaded(tmp_path):
    told = start(tmp_path)
    assert told["rows"] == []
    assert {"gui.audit.detail.panel", "gui.player.player"} <= set(told["then"])


def step_by_step(services, qtbot):
    """The screen as the window makes it: shown before it is whole."""
    steps = build(services)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            screen = end.value
            break
    qtbot.addWidget(screen)
    screen.resize(1318, 744)
    with qtbot.waitExposed(screen):
        screen.show()
    services.actions.enter("audit")
    return screen


def test_the_detail_takes_the_place_that_was_kept_for_it(services, open_here, tmp_path, qtbot):
    open_here(workspace_with_answers(tmp_path / "w").folder)
    screen = step_by_step(services, qtbot)
    qtbot.waitUntil(lambda: screen.model.rows.rowCount() == 17)
    assert screen.completion.parts is None
    kept, high = screen.splitter.sizes(), screen.table.height()
    tools = screen.filter.columns.x()
    qtbot.waitUntil(lambda: screen.completion.parts is not None)
    qtbot.waitUntil(lambda: screen.detail.detail is not None)
    assert screen.detail.detail.answered.id == screen.model.current
    assert (screen.splitter.sizes(), screen.table.height(), screen.filter.columns.x()) == (kept, high, tools)
    qtbot.waitUntil(lambda: not services.jobs.running)


def test_keys_pressed_before_the_detail_is_there_do_no_harm(services, open_here, tmp_path, qtbot):
    open_here(workspace_with_answers(tmp_path / "w").folder)
    screen = step_by_step(services, qtbot)
    qtbot.waitUntil(lambda: screen.model.rows.rowCount() == 17)
    assert screen.completion.parts is None
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Escape, Qt.Key.Key_J):
        qtbot.keyClick(screen.table, key)
    screen.choose_columns()
    screen.columns.leave()
    screen._look_ahead()
    screen.next_answer()
    chosen = screen.model.current
    qtbot.waitUntil(lambda: screen.completion.parts is not None and screen.detail.detail is not None)
    assert screen.detail.detail.answered.id == chosen == screen.model.rows.ids[2]
    qtbot.waitUntil(lambda: not services.jobs.running)


def test_what_is_asked_for_before_it_came_comes_at_once(services, open_here, tmp_path, qtbot):
    open_here(workspace_with_answers(tmp_path / "w").folder)
    screen = step_by_step(services, qtbot)
    assert screen.completion.parts is None
    assert screen.charts.button in screen.filter.findChildren(type(screen.charts.button))
    assert screen.completion.parts is not None
    qtbot.waitUntil(lambda: not services.jobs.running)


def test_without_a_workspace_the_rest_comes_too(services, qtbot):
    screen = step_by_step(services, qtbot)
    with qtbot.waitSignal(screen.completion.completed):
        pass
    assert services.actions.keys("audit.play") == "Space"


def test_a_key_pressed_before_what_does_it_is_made_is_done_then(services, open_here, tmp_path, qtbot):
    open_here(workspace_with_answers(tmp_path / "w").folder)
    screen = step_by_step(services, qtbot)
    services.actions.belong_to(screen)
    qtbot.waitUntil(lambda: screen.model.rows.rowCount() == 17)
    assert screen.completion.parts is None
    held = Qt.KeyboardModifier
    qtbot.keyClick(screen.table, Qt.Key.Key_M, held.ControlModifier | held.ShiftModifier)
    qtbot.keyClick(screen.table, Qt.Key.Key_V)
    assert services.asked.gone == []
    qtbot.waitUntil(lambda: bool(services.asked.gone))
    assert services.asked.gone == [("run", Selection(ids=(screen.model.current,), purpose="measure"))]
    assert screen.detail.popover.isVisible()  # the answer was waited for
    qtbot.waitUntil(lambda: not services.jobs.running)


def test_every_action_of_the_screen_is_known_before_the_rest_is_made(services, open_here, tmp_path, qtbot):
    open_here(workspace_with_answers(tmp_path / "w").folder)
    screen = step_by_step(services, qtbot)
    assert screen.completion.parts is None
    before = [action.id for action in services.actions]
    screen.completion.finish()
    assert [action.id for action in services.actions] == before
    assert not any(action.is_awaited for action in services.actions)
    qtbot.waitUntil(lambda: not services.jobs.running)
