"""A rater in front of the screen: presses keys, and reads what stands there."""

from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from engine.store.sittings import current_ratings
from gui.player.player import Player
from gui.rate.sitting.view import SittingView
from tests.gui.rate.sitting.fast import FastSound, Pump
from tests.gui.rate.sitting.made import session_of_all, spoken_workspace


class Rater:
    """Sits at one session in a window of its own."""

    def __init__(self, services, qtbot, workspace, sound):
        self.services, self._bot, self.workspace, self.sound = services, qtbot, workspace, sound
        self.window, self.view = None, None
        self.session = 0
        self.told = []

    def sits_down(self, session, width=1600, height=900):
        self.session = session
        if self.window is None:
            self.window = QWidget()
            self.services.actions.belong_to(self.window)
            self._bot.addWidget(self.window)
        self.window.resize(width, height)
        view = self.view = SittingView(self.services, session, self.window)
        view.model.playing._gap.setInterval(0)
        view.left.connect(lambda: self.told.append("left"))
        view.finished.connect(lambda: self.told.append("finished"))
        view.resize(width, height)
        with self._bot.waitExposed(self.window):
            self.window.show()
        view.show()
        self.waits(lambda: view.model.page != "reading" and self.services.actions._screen == "sitting")
        return view

    def goes_to_the_first_item(self):
        while self.view.model.page != "item":
            if self.view.model.page == "check":
                self.presses(Qt.Key.Key_S)
            else:
                self.presses(Qt.Key.Key_Return)
            self.waits(lambda: self.view.model.page != "check")

    def is_at_the_keyboard(self):
        """Shortcuts are those of the active window; one of an earlier test may have gone only now."""
        if not self.window.isActiveWindow():
            self.window.activateWindow()
            self.waits(self.window.isActiveWindow)

    def presses(self, *keys, modifiers=Qt.KeyboardModifier.NoModifier):
        self.is_at_the_keyboard()
        for key in keys:
            QTest.keyClick(self.window.focusWidget() or self.view, key, modifiers)

    def types(self, text):
        self.is_at_the_keyboard()
        QTest.keyClicks(self.window.focusWidget() or self.view, text)

    def waits(self, condition, timeout=10_000):
        self._bot.waitUntil(condition, timeout=timeout)

    def hears_all(self):
        """Space, and wait until everything was heard."""
        self.presses(Qt.Key.Key_Space)
        self.waits(lambda: not self.item.to_hear and not self.view.model.playing.is_playing)

    def rates(self, *digits):
        """Space, digits, Enter, as a rater does; comes back when it is saved."""
        item = self.item
        self.hears_all()
        self.types("".join(digits))
        self.presses(Qt.Key.Key_Return)
        self.waits(lambda: item.was_kept and not self.view.model.saving.is_busy)

    @property
    def item(self):
        return self.view.model.item

    @property
    def place(self):
        return self.view.model.course.place[0]

    def stored(self):
        """The values in the store, by position."""
        with closing(self.workspace.connect()) as db:
            found = current_ratings(db, self.session)
        return {
            row.position: {scale: rating.value for scale, rating in found[row.id].items()}
            for row in self.view.model.course.rows
            if row.id in found
        }

    def count(self, table):
        with closing(self.workspace.connect()) as db:
            return db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]

    def rows(self, query):
        with closing(self.workspace.connect()) as db:
            return [tuple(row) for row in db.execute(query)]


@pytest.fixture
def sound():
    return FastSound()


@pytest.fixture
def services(services, jobs, settings, sound):
    """A player on a device that runs fast."""
    holder = QWidget()
    made = Player(jobs, settings, holder, sound=sound)
    services.make_player = lambda: made
    pump = Pump(sound, holder)
    yield services
    pump.deleteLater()
    made.close()
    holder.deleteLater()


@pytest.fixture
def rater(services, qtbot, tmp_path, open_here, sound):
    """Somebody who has not sat down yet; the workspace has four questions and eight answers."""
    workspace = spoken_workspace(tmp_path)
    open_here(workspace.folder)
    made = Rater(services, qtbot, workspace, sound)
    yield made
    if made.view is not None:
        made.view.close_sitting()
    qtbot.waitUntil(lambda: not services.jobs.running)


@pytest.fixture
def at_first(rater):
    """The rater in front of the first item of a session under a protocol."""

    def sit(protocol="empathy_acoustic", **more):
        rater.sits_down(session_of_all(rater.workspace, protocol, **more))
        rater.goes_to_the_first_item()
        return rater

    return sit
