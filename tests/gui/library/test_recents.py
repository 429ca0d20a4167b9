"""Recent workspaces: what is in them, moved ones found again, and taken off the list by key."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from engine.store.overview import Glance
from gui.library.recents import Column, RecentsModel, day_in_words, place_in_words
from gui.library.work import Recent
from gui.strings import words


def rows(library):
    model = library.view.recents.view.recents
    return [[model.index(row, column).data() for column in Column] for row in range(model.rowCount())]


def listed(library, *paths):
    library.services.settings.set("recent", [{"path": str(p), "opened_at": "2026-11-12T10:00:00Z"} for p in paths])
    library.wait_until_idle()


def test_the_list_says_what_is_there_and_what_has_moved(library, small, tmp_path):
    listed(library, small.folder, tmp_path / "from-gpu1")
    library.wait_for(lambda: rows(library)[0][1] == "1 system · 3 answers · 0 ratings")
    assert rows(library)[1][:3] == ["from-gpu1", "folder has moved or its drive is not connected", "Find it"]


def test_enter_opens_and_delete_takes_off_the_list(library, small, tmp_path, qtbot):
    listed(library, small.folder, tmp_path / "gone")
    view = library.view.recents.view
    view.setFocus()
    with qtbot.waitSignal(library.services.workspace.changed, timeout=20_000):
        qtbot.keyClick(view, Qt.Key.Key_Return)
    library.wait_until_idle()
    assert rows(library)[0][3] == "open now"
    view.setFocus()
    view.selectRow(1)
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    library.wait_until_idle()
    assert [row[0] for row in rows(library)] == ["small"]
    assert small.folder.exists()


def test_a_moved_one_is_found_again_and_its_old_place_leaves_the_list(library, small, chooser, tmp_path, qtbot):
    listed(library, tmp_path / "old" / "small")
    library.wait_for(lambda: rows(library)[0][2] == "Find it")
    chooser.path = small.folder
    library.view.recents.view.setFocus()
    with qtbot.waitSignal(library.services.workspace.changed, timeout=20_000):
        qtbot.keyClick(library.view.recents.view, Qt.Key.Key_Return)
    library.wait_until_idle()
    assert [entry["path"] for entry in library.services.settings.get("recent")] == [str(small.folder)]
    assert chooser.asked == ["Where small is now"]


def test_what_does_not_open_stays_on_the_list(library, chooser, tmp_path, qtbot):
    listed(library, tmp_path / "old" / "small")
    library.wait_for(lambda: rows(library)[0][2] == "Find it")
    chooser.path = tmp_path
    library.view.recents.view.setFocus()
    qtbot.keyClick(library.view.recents.view, Qt.Key.Key_Return)
    library.wait_for(lambda: library.view.error.isVisible())
    assert len(rows(library)) == 1


def test_hostile_names_stay_one_line(qtbot, qtmodeltester):
    model = RecentsModel()
    model.set_rows([Recent(Path("/x") / ("\u202egnp\n" * 40), "", Glance("here", 1, 2, 3))], None)
    qtmodeltester.check(model)
    words.use("zh")
    assert model.index(0, Column.WHAT).data() == "1 个系统 · 2 条回答 · 3 条评分"


NOW = datetime.fromisoformat("2026-11-30T12:00:00+00:00")


@pytest.mark.parametrize(
    ("at", "english", "chinese"),
    [
        ("2026-11-30T01:00:00Z", "today", "今天"),
        ("2026-11-29T23:00:00Z", "yesterday", "昨天"),
        ("2026-11-03T10:00:00Z", "3 Nov", "11月3日"),
        ("2025-02-03T10:00:00Z", "3 Feb 2025", "2025年2月3日"),
        ("", "", ""),
        ("nonsense", "", ""),
    ],
)
def test_a_day_is_said_in_the_users_language(at, english, chinese):
    assert day_in_words(at, NOW) == english
    words.use("zh")
    assert day_in_words(at, NOW) == chinese


def test_a_place_below_home_is_said_without_home(monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    assert place_in_words(Path("/home/ann/Documents/w")) == "Documents"
    assert place_in_words(Path("/home/ann/w")) == "~"
    assert place_in_words(Path("/srv/data/w")) == "/srv/data"
