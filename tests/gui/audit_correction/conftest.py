"""The panel on an answer that a recogniser misheard, and a driver in the auditor's words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from engine.runs.driver import driving
from engine.runs.error_rates import measure_error_rates
from engine.runs.imports import take_responses
from engine.scoring.derive import refresh
from engine.store.makers import Floor, Maker, maker_id, set_floors
from engine.store.plans import Scope
from engine.store.results import JudgementRow, TranscriptRow, put_judgements, put_transcripts
from engine.store.transaction import transaction
from tests.engine.runs.made import response, tone, with_benchmark

TEXT, HEARD = "节气是夏至。", "节气是冬至"


class Auditor:
    """Looks at answers and types what it hears."""

    def __init__(self, panel, qtbot, services, workspace):
        self.panel, self._bot, self.services, self.workspace = panel, qtbot, services, workspace
        self.part, self.editor = panel.correction, panel.correction.editor

    def looks_at(self, number, method="corrected"):
        self.panel.show_response(number, method)
        self.waits(lambda: self.panel.detail is not None and self.panel.detail.answered.id == number)

    def opens(self):
        self._bot.mouseClick(self.part.open_button, Qt.MouseButton.LeftButton)

    def types(self, text):
        self.editor.field.selectAll()
        self._bot.keyClicks(self.editor.field, text) if text.isascii() else self.editor.field.insertPlainText(text)

    def presses(self, key, modifiers=Qt.KeyboardModifier.NoModifier, widget=None):
        self._bot.keyClick(widget or self.editor.field, key, modifiers)

    def keeps(self):
        with self._bot.waitSignal(self.part.model.written):
            self.presses(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        self.waits_until_idle()

    def waits(self, condition):
        self._bot.waitUntil(condition)

    def waits_until_idle(self):
        self.waits(lambda: not self.services.jobs.running)

    @property
    def told(self):
        return self.services.asked.said[-1][0]

    @property
    def rate(self):
        return self.panel.detail.derived["syllable_error_rate"]


@pytest.fixture
def workspace_here(workspace, finish, tmp_path):
    """Answers 1 and 2 with sound, heard; 3 with sound that nobody heard; 4 without."""
    with_benchmark(workspace)
    answers = [response(n, TEXT, audio=tone(tmp_path / f"{n}.wav", 2.0, 200 + 50 * n)) for n in range(3)]
    finish(take_responses(workspace, "vocalbench_zh", "s", [*answers, response(3, TEXT)]))
    db = workspace.connect()
    with transaction(db):
        recogniser = maker_id(db, Maker("recogniser", "faster-whisper", settings={"weights": "base"}))
        set_floors(db, recogniser, [Floor("zh", "syllable_error_rate", 9, 1000, 25, "made")])
        words = [(character, n * 0.3, n * 0.3 + 0.3, 0.9) for n, character in enumerate(HEARD)]
        put_transcripts(db, recogniser, [TranscriptRow(n, n, "scored", HEARD, "zh", words) for n in (1, 2)])
        put_judgements(db, maker_id(db, Maker("judge", "j")), [JudgementRow(1, "knowledge", "scored", "correct")])
        refresh(db, [1, 2, 3, 4])

    def rates():
        with driving(workspace, "measure", {}) as drive:
            yield from measure_error_rates(drive, Scope())

    finish(rates())
    db.close()
    return workspace


@pytest.fixture
def auditor(services, open_here, workspace_here, qtbot):
    """The panel on answer 1."""
    from gui.audit.detail.panel import DetailPanel

    open_here(workspace_here.folder)
    window = QWidget()
    qtbot.addWidget(window)
    panel = DetailPanel(services, window)
    window.resize(1520, 420)
    panel.resize(1520, 420)
    services.actions.belong_to(window)
    services.actions.enter("audit")
    with qtbot.waitExposed(window):
        window.show()
    made = Auditor(panel, qtbot, services, workspace_here)
    made.looks_at(1)
    yield made
    made.waits_until_idle()
