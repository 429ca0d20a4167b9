"""The frame around the screens: opening, moving between screens, what stands in the way, closing."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton

from engine.progress import Progress
from engine.store.workspace import open_workspace
from gui.app import make_window
from gui.settings import settings_file
from tests.gui.drive.newcomer import Newcomer


@pytest.fixture
def sit_down(qtbot):
    windows = []

    def start(folder: Path | None = None, size=(1366, 768), **kept):
        if kept:
            settings_file().parent.mkdir(parents=True, exist_ok=True)
            settings_file().write_text(json.dumps(kept))
        window = make_window(folder)
        windows.append(window)
        if size is not None:
            window.resize(*size)
        window.show()
        qtbot.waitExposed(window)
        window.activateWindow()
        person = Newcomer(window, qtbot)
        person.waits_until(lambda: window.shown_screen != "", "no screen is shown")
        return person

    yield start
    for window in windows:
        if window.isVisible():
            window.ask = lambda _window, _question, choices, *, default, escape: choices[0][0]
            window.close()
        window.deleteLater()


@pytest.fixture
def made(tmp_path):
    return open_workspace(tmp_path / "made", create=True).folder


def test_the_workspace_that_was_asked_for_is_opened_and_named_in_the_title(sit_down, made):
    person = sit_down(made)
    person.waits_until(lambda: "made" in person.window.windowTitle())
    person.waits_to_see("0 answers")


def test_the_last_screen_and_workspace_come_back(sit_down, made):
    person = sit_down(made)
    person.waits_until(lambda: "made" in person.window.windowTitle())
    person.presses("Ctrl+2")
    person.waits_until(lambda: person.window.shown_screen == "audit")
    person.window.close()
    person = sit_down()
    person.waits_until(lambda: "made" in person.window.windowTitle())
    assert person.window.shown_screen == "audit"


@pytest.mark.parametrize(
    ("keys", "screen"),
    [("Ctrl+1", "library"), ("Ctrl+2", "audit"), ("Ctrl+3", "run"), ("Ctrl+4", "rate"), ("Ctrl+,", "settings")],
)
def test_every_screen_has_a_key(sit_down, keys, screen):
    person = sit_down(screen="run" if screen == "library" else "library")
    person.presses(keys)
    person.waits_until(lambda: person.window.shown_screen == screen)


def test_no_two_shipped_keys_clash_when_all_screens_are_there(sit_down):
    person = sit_down()
    for screen in ("audit", "run", "rate", "settings"):
        person.window.go(screen)
        person.waits_until(lambda screen=screen: person.window.shown_screen == screen)
    assert person.window.services.actions.clashes() == []


def test_every_action_has_a_title_in_both_languages(sit_down):
    person = sit_down()
    for screen in ("audit", "run", "rate", "settings"):
        person.window.go(screen)
        person.waits_until(lambda screen=screen: person.window.shown_screen == screen)
    actions, words = person.window.services.actions, person.window.services.words
    for language in ("en", "zh"):
        words.use(language)
        assert all(actions.title(action.id) for action in actions)


def test_a_workspace_that_has_moved_is_told_and_the_window_is_there(sit_down, tmp_path):
    person = sit_down(workspace=str(tmp_path / "gone"))
    person.waits_to_see(str(tmp_path / "gone"))
    assert person.window.services.workspace.current is None


def test_a_newer_store_is_told_and_untouched_and_the_open_one_stays(sit_down, made, tmp_path):
    newer = open_workspace(tmp_path / "newer", create=True)
    with closing(sqlite3.connect(newer.database)) as db:
        db.execute("PRAGMA user_version = 99")
    before = newer.database.read_bytes()
    person = sit_down(made)
    person.waits_until(lambda: "made" in person.window.windowTitle())
    person.window.services.workspace.open(newer.folder)
    person.waits_to_see("99")
    assert newer.database.read_bytes() == before
    assert person.window.services.workspace.current.folder == made


def test_a_folder_that_cannot_be_written_is_told(sit_down, made):
    (made / "audio").rmdir()
    (made / "audio").write_text("a file where Auricle wants a folder")
    person = sit_down(made)
    person.waits_to_see(str(made))
    assert person.window.services.workspace.current is None


def test_broken_settings_are_told_kept_aside_and_the_window_is_there(sit_down):
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("{ broken")
    person = sit_down()
    person.waits_to_see("settings.broken-")
    person.clicks("Close this line")
    assert not person.sees("settings.broken-")


@pytest.mark.parametrize("kept", [{"theme": "neon"}, {"language": "tlh"}, {"screen": "moon"}, {"geometry": "%%%"}])
def test_a_setting_that_makes_no_sense_does_no_harm(sit_down, kept):
    person = sit_down(**kept)
    person.waits_to_see("Nothing is open yet.")


def test_size_and_place_are_kept_while_it_runs_not_only_when_it_closes(sit_down, qtbot):
    person = sit_down()
    person.window.resize(1111, 711)
    person.waits_until(lambda: settings_file().exists() and "geometry" in settings_file().read_text())
    assert sit_down(size=None).window.height() == 711


def test_closing_during_an_import_asks_and_staying_keeps_the_window(sit_down):
    person = sit_down()
    gate = threading.Event()

    def importing():
        while not gate.wait(0.01):
            yield Progress(0, 1)

    asked = []
    person.window.services.jobs.run(importing(), "working")
    person.window.ask = lambda _w, question, choices, **_: asked.append(question) or "stay"
    person.window.close()
    assert person.window.isVisible()
    assert "An import is going on" in asked[0]
    gate.set()
    person.waits_until(lambda: not person.window.services.jobs.is_working)


def test_the_language_changes_on_every_screen_at_once_and_back(sit_down):
    person = sit_down()
    for screen in ("audit", "run", "rate", "settings", "library"):
        person.window.go(screen)
        person.waits_until(lambda screen=screen: person.window.shown_screen == screen)
    person.presses("Ctrl+Shift+L")
    for screen, word in (
        ("library", "资料库"),
        ("audit", "审听"),
        ("run", "运行"),
        ("rate", "评分"),
        ("settings", "设置"),
    ):
        person.window.go(screen)
        person.waits_to_see(word)
    person.presses("Ctrl+Shift+L")
    person.waits_to_see("Library")


def test_two_windows_may_be_open_on_the_same_workspace(sit_down, made):
    one, other = sit_down(made), sit_down(made)
    for person in (one, other):
        person.waits_until(lambda person=person: "made" in person.window.windowTitle())


def test_enter_presses_the_button_that_has_the_focus(sit_down):
    person = sit_down(screen="settings")
    button = next(b for b in person.window.findChildren(QAbstractButton) if b.isVisible() and b.text() == "Library")
    button.setFocus()
    person.presses("Return")
    person.waits_until(lambda: person.window.shown_screen == "library")


def test_under_a_width_the_rail_shows_icons_only(sit_down):
    person = sit_down()
    rail = person.window._rail
    assert rail.width() == 48
    person.window.resize(1600, 900)
    assert rail.width() == 80


def test_it_fits_a_small_screen_at_200_percent(sit_down):
    person = sit_down()
    for screen in ("library", "audit", "run", "rate", "settings"):
        person.window.go(screen)
        person.waits_until(lambda screen=screen: person.window.shown_screen == screen)
        assert person.window.minimumSizeHint().width() <= 800, screen
        person.window.resize(800, 450)
        assert (person.window.width(), person.window.height()) == (800, 450), screen
