"""A workspace of spoken answers of two systems, studies over it, and the screen in front of its owner."""

from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtCore import Qt

from engine.rating.create import create_study, plan_study
from engine.rating.design import Design
from engine.store.raters import raters_of
from engine.store.sittings import begin_sitting, commit, present, skip
from engine.store.studies import assignments_of, sessions_of
from gui.rate.screen import make
from tests.engine.rating.asked import asked


@pytest.fixture
def answered(workspace, tmp_path):
    """Twelve questions, each answered aloud by two systems; two raters."""
    sounds = tmp_path / "sounds"
    sounds.mkdir()
    return asked(workspace, sounds, items=12, systems=2)


@pytest.fixture
def study_of_all(answered, finish):
    """Makes a study of all twelve questions for both raters: its number."""

    def made(*protocols, title="winter", **more):
        with closing(answered.connect()) as db:
            raters = tuple(rater.id for rater in raters_of(db) if not rater.is_owner)
        told = {"ratings_per_item": 2, "repeats_share": 0.0} | more
        design = Design(title, protocols or ("empathy_semantic",), "en", raters, **told)
        return create_study(answered, finish(plan_study(answered, design)))

    return made


@pytest.fixture
def rate(answered):
    """Rates the first ``count`` of every session of a study; ``value_of`` says what, by the answer's number and rater."""

    def all_of(study, value_of, count=None, skipped=0):
        with closing(answered.connect(durable=True)) as db:
            for session in sessions_of(db, study_id=study):
                sitting = begin_sitting(db, session.rater_id, device="headset", sample_rate_hz=48000, setup={})
                for place, entry in enumerate(assignments_of(answered, db, session.id)[:count]):
                    shown = present(db, entry.id, sitting, {})
                    if place < skipped:
                        skip(db, shown, "noise")
                    else:
                        commit(db, shown, value_of(entry, session), active_s=9.0)

    return all_of


class Owner:
    """Speaks to the screen in its owner's words."""

    def __init__(self, screen, services, qtbot):
        self.screen, self.services, self._qtbot = screen, services, qtbot
        self.model, self.new, self.work = screen.model, screen.new, screen.work

    def press(self, button):
        assert button.isEnabled(), button.text()
        assert button.isVisible(), button.text()
        self._qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def key(self, key, modifiers=Qt.KeyboardModifier.NoModifier):
        self._qtbot.keyClick(self.screen, key, modifiers)

    def wait(self, condition):
        self._qtbot.waitUntil(condition, timeout=30_000)

    def rest(self):
        """Nothing is being read, planned or reckoned."""
        self.wait(lambda: not (self.services.jobs.running or self.new.is_planning or self.screen.results.is_busy))

    @property
    def overview(self):
        return self.screen.study.overview


@pytest.fixture
def owner(services, qtbot, tmp_path):
    """In front of the screen; files asked for by dialogs lie where ``chosen`` says."""
    chooser = Chosen(tmp_path)
    screen = make(services, chooser)
    qtbot.addWidget(screen)
    services.actions.belong_to(screen)
    services.actions.enter("rate")
    screen.resize(1280, 720)
    screen.show()
    qtbot.waitExposed(screen)
    found = Owner(screen, services, qtbot)
    found.chooser = chooser
    yield found
    qtbot.waitUntil(lambda: not services.jobs.running, timeout=10_000)


class Chosen:
    """Answers every dialog at once with a path below ``folder``."""

    def __init__(self, folder):
        self.at, self.asked = folder / "chosen", []
        self.at.mkdir()
        self.next_file = None

    def folder(self, title, start, then):
        self.asked.append(title)
        then(self.at)

    def file(self, title, start, kinds, then):
        self.asked.append(title)
        then(self.next_file)

    def place(self, title, start, kinds, then):
        self.asked.append(title)
        then(self.at / start.name)
