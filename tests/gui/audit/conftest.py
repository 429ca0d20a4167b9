"""A driver of the Audit screen that speaks in the auditor's words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from gui.audit.screen import make
from tests.gui.audit.made import workspace_with_answers


class Auditor:
    """Types, clicks and reads on a shown screen."""

    def __init__(self, screen, qtbot, services):
        self.screen, self._bot, self.services = screen, qtbot, services
        self.model, self.table = screen.model, screen.table
        self.entry = screen.filter.field.entry

    def finds(self, act):
        """Do something, wait for what is found: the answers' ids in order."""
        with self._bot.waitSignal(self.model.found):
            act()
        return self.model.rows.ids.tolist()

    def types(self, text):
        self.entry.setFocus()
        self.entry.setText(self.entry.text() + text)
        self.entry.textEdited.emit(self.entry.text())

    def presses(self, key, widget=None, modifiers=Qt.KeyboardModifier.NoModifier):
        self._bot.keyClick(widget or self.entry, key, modifiers)

    def chips(self):
        return [chip.accessibleName() for chip in self.screen.filter.field._chips]

    def waits_for(self, condition):
        self._bot.waitUntil(condition)


@pytest.fixture
def auditor(services, open_here, tmp_path, qtbot):
    """The screen on the made workspace, shown at 1318 x 744, its first page read."""
    workspace = workspace_with_answers(tmp_path / "w")
    open_here(workspace.folder)
    screen = make(services)
    qtbot.addWidget(screen)
    screen.resize(1318, 744)
    with qtbot.waitExposed(screen):
        screen.show()
    services.actions.enter("audit")
    made = Auditor(screen, qtbot, services)
    made.waits_for(lambda: made.model.total is not None and made.model.rows.rowCount() == 17)
    made.waits_for(lambda: made.model.rows.row(0) is not None)
    yield made
    qtbot.waitUntil(lambda: not services.jobs.running)
