"""The Audit screen on five answers with sound, driven in the auditor's words."""

from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.runs.imports import take_responses
from engine.store.evidence import evidence_of
from engine.store.workspace import open_workspace
from gui.player.player import Player
from tests.engine.runs.made import response, tone, with_benchmark
from tests.gui.audit.made import finish
from tests.gui.player.fakes import FakeSound

COUNT = 5


class Auditor:
    """Presses keys on a shown screen and looks into the store."""

    def __init__(self, screen, qtbot, services, sound, workspace):
        self.screen, self.bot, self.services, self.sound, self.workspace = screen, qtbot, services, sound, workspace
        self.room, self.table = screen.evidence, screen.table

    def presses(self, key, held=Qt.KeyboardModifier.NoModifier):
        QTest.keyClick(QApplication.focusWidget() or self.screen, key, held)

    def types(self, text):
        """As an input method commits it."""
        field = QApplication.focusWidget()
        if hasattr(field, "insert"):
            field.insert(text)
            field.textEdited.emit(field.text())
        else:
            field.insertPlainText(text)

    def tags(self, *names):
        """Open the small window by its key, add each, close it; all is committed then."""
        self.screen.focus_table()
        self.presses(Qt.Key.Key_T)
        for name in names:
            self.types(name)
            with self.bot.waitSignal(self.room.model.kept):
                self.presses(Qt.Key.Key_Return)
        self.presses(Qt.Key.Key_Escape)

    def does(self, act):
        """Do something that writes, and wait until it is committed."""
        with self.bot.waitSignal(self.room.model.written):
            act()

    def chooses(self, *places):
        self.table.choose_row(places[0])
        if len(places) > 1:
            self.table.choose_runs(tuple((place, place) for place in places))

    def looks_at(self, place):
        self.table.choose_row(place)
        wanted = int(self.screen.model.rows.ids[place])
        self.waits_for(
            lambda: self.screen.detail.detail is not None and self.screen.detail.detail.answered.id == wanted
        )
        return wanted

    def stands(self, response_id):
        """What stands on an answer, by the store."""
        with closing(self.workspace.connect()) as db:
            return [(said.table, said.text, said.span) for said in evidence_of(db, response_id) if said.stands]

    def said(self):
        return [sentence for sentence, _ in self.services.asked.said]

    def waits_for(self, condition):
        self.bot.waitUntil(lambda: bool(condition()), timeout=10_000)


@pytest.fixture
def auditor(services, open_here, tmp_path, qtbot):
    workspace = with_benchmark(open_workspace(tmp_path / "w", create=True), count=COUNT)
    given = [response(n, f"答{n}", audio=tone(tmp_path / f"{n}.wav", 0.5 + 0.1 * n)) for n in range(COUNT)]
    finish(take_responses(workspace, "vocalbench_zh", "s", given))
    sound = FakeSound()
    player = Player(services.jobs, services.settings, sound=sound)
    services.make_player = lambda: player
    open_here(workspace.folder)
    from gui.audit.screen import make

    screen = make(services)
    qtbot.addWidget(screen)
    screen.resize(1318, 744)
    with qtbot.waitActive(screen):
        screen.show()
        screen.activateWindow()
    services.actions.belong_to(screen)
    services.actions.enter("audit")
    made = Auditor(screen, qtbot, services, sound, workspace)
    made.waits_for(lambda: screen.model.total == COUNT and screen.model.rows.row(0) is not None)
    made.waits_for(lambda: screen.detail.detail is not None)
    yield made
    player.close()
    qtbot.waitUntil(lambda: not services.jobs.running, timeout=10_000)
