"""A store that does not take a rating: the rater is told where they look, the rating stays, a second try keeps it."""

from __future__ import annotations

import sqlite3

import pytest
from PySide6.QtCore import Qt

from gui.rate.sitting import saving
from gui.rate.sitting.writing import Pen
from tests.gui.rate.sitting.made import session_of_all

Key = Qt.Key


@pytest.fixture
def before_each_write(monkeypatch):
    """Run a statement on the connection before each write from now on; ``before_each_write("")`` ends it."""
    wanted = [""]
    own = Pen._opened

    def opened(self):
        db = own(self)
        if wanted[0]:
            db.execute(wanted[0])
        return db

    monkeypatch.setattr(Pen, "_opened", opened)
    return lambda statement: wanted.__setitem__(0, statement)


def fails_and_is_tried_again(rater, mend):
    """Rate an item while the store is in trouble, mend that, press Enter once more."""
    rater.hears_all()
    rater.types("4")
    rater.presses(Key.Key_Return)
    trouble = rater.view.item_page.trouble
    rater.waits(lambda: trouble.isVisible())
    assert rater.place == 1
    assert rater.item.values == {"naturalness": 4}
    assert rater.view.item_page.acts.buttons["commit"].text() == "Try again"
    said = trouble.sentence()
    mend()
    rater.presses(Key.Key_Return)
    rater.waits(lambda: rater.place == 2)
    assert not trouble.isVisible()
    assert rater.stored() == {1: {"naturalness": 4}}
    assert [spans for (spans,) in rater.rows("SELECT spans FROM heard")] == ["[[0.0, 1.6, 1.0]]"]
    return said


def test_a_full_disk(at_first, before_each_write):
    rater = at_first("naturalness")
    rater.waits(lambda: rater.count("presentation") == 1)
    ((pages,),) = rater.rows("PRAGMA page_count")
    before_each_write(f"PRAGMA max_page_count = {pages}")
    with_note = "x" * 5000  # more than the page that is open has room for
    rater.view.model.set_note(with_note)
    said = fails_and_is_tried_again(rater, lambda: before_each_write("PRAGMA max_page_count = 1000000"))
    assert "full" in said
    assert rater.rows("SELECT text FROM remark") == [(with_note,)]


def test_a_database_that_another_program_keeps_for_long(at_first, before_each_write, monkeypatch):
    rater = at_first("naturalness")
    rater.waits(lambda: rater.count("presentation") == 1)
    before_each_write("PRAGMA busy_timeout = 60")
    other = sqlite3.connect(rater.workspace.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    fails_and_is_tried_again(rater, lambda: other.execute("ROLLBACK"))
    other.close()


def test_a_commit_that_waits_is_told_and_goes_through_by_itself(at_first, monkeypatch):
    monkeypatch.setattr(saving, "SLOW_MS", 20)
    rater = at_first("naturalness")
    rater.hears_all()
    rater.waits(lambda: not rater.services.jobs.running)
    other = sqlite3.connect(rater.workspace.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    rater.types("4")
    rater.presses(Key.Key_Return)
    rater.waits(lambda: "longer than usual" in rater.view.item_page.hint.sentence())
    rater.presses(Key.Key_Return, Key.Key_5)  # nothing more happens while it is being saved
    assert (rater.place, rater.item.values) == (1, {"naturalness": 4})
    other.execute("ROLLBACK")
    other.close()
    rater.waits(lambda: rater.place == 2)
    assert rater.stored() == {1: {"naturalness": 4}}
    assert rater.count("rating") == 1


def test_a_folder_that_was_taken_away_and_comes_back(at_first):
    rater = at_first("naturalness")
    rater.waits(lambda: rater.item.voiced is not None and not rater.services.jobs.running)
    folder = rater.workspace.folder
    elsewhere = folder.with_name("elsewhere")
    folder.rename(elsewhere)
    fails_and_is_tried_again(rater, lambda: elsewhere.rename(folder))


def test_the_first_row_of_a_sitting_that_failed_is_made_by_the_commit(at_first, before_each_write):
    """Neither the sitting nor the presentation could be written when the item was shown."""
    rater = at_first("naturalness")
    rater.rates("4")
    rater.waits(lambda: rater.place == 2)
    rater.waits(lambda: not rater.services.jobs.running)
    before_each_write("PRAGMA query_only = 1")
    rater.presses(Key.Key_Return, modifiers=Qt.KeyboardModifier.ShiftModifier)
    rater.waits(lambda: rater.view.item_page.trouble.isVisible())
    before_each_write("PRAGMA query_only = 0")
    rater.types("5")
    rater.presses(Key.Key_Return)
    rater.waits(lambda: rater.stored() == {1: {"naturalness": 5}})
    rater.waits(lambda: not rater.services.jobs.running)


def test_a_flag_that_could_not_be_kept_goes_up_at_the_second_try(at_first, before_each_write):
    rater = at_first("naturalness")
    rater.waits(lambda: rater.count("presentation") == 1 and not rater.services.jobs.running)
    before_each_write("PRAGMA query_only = 1")
    rater.presses(Key.Key_F)
    rater.waits(lambda: rater.view.item_page.trouble.isVisible())
    assert not rater.item.is_flagged
    before_each_write("PRAGMA query_only = 0")
    rater.presses(Key.Key_Return)
    rater.waits(lambda: rater.item.is_flagged)
    assert rater.rows("SELECT kind FROM remark") == [("flag",)]


def test_a_session_that_is_not_there_is_told_and_can_be_tried_again(rater):
    rater.sits_down(4711)
    assert rater.view.model.page == "trouble"
    assert rater.view.pages["trouble"].text.text()
    rater.presses(Key.Key_Escape)
    assert rater.told == ["left"]


def test_a_recording_that_cannot_be_played_is_said_without_its_path_and_may_be_skipped(rater):
    session = session_of_all(rater.workspace, "naturalness")
    rater.sits_down(session)
    gone = rater.view.model.course.rows[0].answer.sound
    gone.unlink()
    rater.goes_to_the_first_item()
    rater.waits(lambda: bool(rater.item.broken))
    rater.types("4")
    hint = rater.view.item_page.hint.sentence()
    assert "cannot be played" in hint
    rater.presses(Key.Key_Space)
    rater.waits(lambda: not rater.view.model.playing.is_playing)
    assert str(gone.parent) not in rater.view.item_page.hint.sentence()
    rater.presses(Key.Key_S, Key.Key_1)
    rater.waits(lambda: rater.place == 2)
    assert rater.rows("SELECT kind, text FROM remark") == [("skip", "technical")]


def test_no_device_is_told_where_the_rater_looks(at_first, sound):
    from engine.errors import EngineError

    rater = at_first("naturalness")
    sound.cannot_open = EngineError("player.cannot_open", device="Headphones", why="busy")
    rater.presses(Key.Key_Space)
    rater.waits(lambda: "Headphones" in rater.view.item_page.hint.sentence())
    sound.cannot_open = None
    rater.hears_all()
    assert rater.item.is_open
