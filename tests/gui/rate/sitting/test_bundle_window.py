"""The window of a rater who was sent a bundle: its passes, the rating screen, and the file that goes back."""

from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from engine.rating.bundle.keys import made_key
from engine.rating.bundle.make import make_bundle
from engine.rating.bundle.open import open_bundle
from engine.rating.bundle.results import merge_results
from engine.store.rating_rows import rating_rows
from engine.store.studies import studies_of
from gui.player.player import Player
from gui.rate.bundle_window import BundleWindow
from gui.strings import words
from tests.gui.rate.sitting.fast import FastSound, Pump
from tests.gui.rate.sitting.made import SYSTEMS, session_of_all, spoken_workspace
from tests.gui.rate.sitting.test_blind import told_by

Key = Qt.Key


class Places:
    """A chooser that always answers the same."""

    def __init__(self, target):
        self.target, self.proposed = target, None

    def place(self, title, start, kinds, then):
        self.proposed = start
        then(self.target)


def run(work):
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


@pytest.fixture
def sent(tmp_path, monkeypatch):
    """The owner's workspace and a bundle for its rater."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    owner = spoken_workspace(tmp_path, 2)
    session_of_all(owner, "naturalness", "zh")
    with closing(owner.connect()) as db:
        study = studies_of(db)[0].id
        (rater,) = db.execute("SELECT id FROM rater WHERE name = '林'").fetchone()
    return owner, run(make_bundle(owner, study, rater, tmp_path / "bundle.zip", key=made_key()))


@pytest.fixture
def open_window(qtbot, jobs, settings, tmp_path):
    """Open the window on a path; its device runs fast."""
    opened = []

    def open_it(path):
        places = Places(tmp_path / "back.zip")
        window = BundleWindow(jobs, settings, words, path, places)
        sound = FastSound()
        player = Player(jobs, settings, window, sound=sound)
        window.services.make_player = lambda: player
        Pump(sound, window)
        window.places = places
        opened.append((window, player))
        qtbot.addWidget(window)
        window.show()
        qtbot.waitUntil(lambda: window.work.bundle is not None or bool(window.page.trouble.sentence()), timeout=10_000)
        if not window.isActiveWindow():
            window.activateWindow()
            qtbot.waitUntil(window.isActiveWindow)
        return window

    yield open_it
    for window, player in opened:
        if window.sitting is not None:
            window.sitting.close_sitting()
        player.close()
        qtbot.waitUntil(lambda: not jobs.running)
        window._collector.close()


def rates_all(window, qtbot):
    view = window.sitting
    model = view.model
    view.model.playing._gap.setInterval(0)
    qtbot.waitUntil(lambda: model.page == "check" and view.keys.served is view)
    QTest.keyClick(view, Key.Key_S)
    QTest.keyClick(view, Key.Key_Return)
    while model.page == "item":
        item = model.item
        QTest.keyClick(view, Key.Key_Space)
        qtbot.waitUntil(lambda gone=item: gone.is_open, timeout=10_000)
        QTest.keyClicks(view, "4")
        QTest.keyClick(view, Key.Key_Return)
        qtbot.waitUntil(lambda gone=item: gone.was_kept and not model.saving.is_busy)
    QTest.keyClick(view, Key.Key_Return)


@pytest.mark.parametrize("as_folder", [False, True])
def test_a_bundle_is_rated_and_its_results_come_back(sent, open_window, qtbot, as_folder):
    owner, bundle = sent
    window = open_window(open_bundle(bundle).folder if as_folder else bundle)
    assert words.language == "zh"  # the rater's
    assert window.windowTitle() == "自然度 · Auricle"  # the owner's title may say too much
    assert not window.page.write.isEnabled()
    QTest.keyClick(window.page, Key.Key_Return)
    qtbot.waitUntil(lambda: window.sitting is not None)
    rates_all(window, qtbot)
    qtbot.waitUntil(lambda: window.sitting is None and window.work.bundle.next is None)
    QTest.keyClick(window.page, Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(window.page.told.sentence()))
    assert window.places.proposed.name == "自然度-林-results.zip"
    merge_results(owner, window.places.target)
    with closing(owner.connect()) as db:
        rows = rating_rows(db)
    assert [row.value for row in rows] == [4, 4, 4, 4]
    assert {row.system for row in rows} == set(SYSTEMS)


def test_a_bundle_goes_on_where_it_was_left(sent, open_window, qtbot):
    _, bundle = sent
    window = open_window(bundle)
    QTest.keyClick(window.page, Key.Key_Return)
    qtbot.waitUntil(lambda: window.sitting is not None)
    view = window.sitting
    qtbot.waitUntil(lambda: view.model.page == "check" and view.keys.served is view)
    window.confirm = window.services.confirm = lambda *_: True
    QTest.keyClick(view, Key.Key_Escape)
    qtbot.waitUntil(lambda: window.sitting is None)
    assert window.isActiveWindow()
    QTest.keyClick(window.page, Key.Key_Return)
    qtbot.waitUntil(lambda: window.sitting is not None)


def test_nothing_in_the_window_of_a_bundle_tells_a_system(sent, open_window, qtbot):
    _, bundle = sent
    window = open_window(bundle)
    told = told_by(window)
    QTest.keyClick(window.page, Key.Key_Return)
    qtbot.waitUntil(lambda: window.sitting is not None)
    rates_all(window, qtbot)
    told += told_by(window)
    for system in SYSTEMS:
        assert [text for text in told if system in text] == []
        assert system.encode() not in bundle.read_bytes()


def test_a_file_that_is_no_bundle_is_told(open_window, tmp_path):
    path = tmp_path / "other.zip"
    path.write_bytes(b"PK no bundle")
    window = open_window(path)
    assert window.work.bundle is None
    assert window.page.trouble.sentence()
    assert [
        label.text() for label in window.page.findChildren(QLabel) if label.isVisible() and "winter" in label.text()
    ] == []


def test_the_option_opens_this_window(tmp_path):
    from gui.app import _understood

    asked = _understood(["--rate", str(tmp_path)])
    assert asked.bundle == tmp_path
    assert asked.workspace is None
