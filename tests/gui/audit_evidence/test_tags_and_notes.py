"""Tags and notes by keyboard: on an answer, a range of it, on many; kept before anything moves on, undone, listed."""

from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from engine.errors import EngineError
from engine.store.evidence import Span
from engine.store.tags import add_tag
from gui.strings import words

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_t_tags_the_answer_and_enter_takes_several(auditor):
    first = auditor.looks_at(0)
    auditor.tags("tts-loop", "方言")
    assert auditor.stands(first) == [("tag", "tts-loop", None), ("tag", "方言", None)]
    assert not auditor.room.tags.isVisible()
    auditor.waits_for(lambda: auditor.room.buttons.tag.text() == "2")
    auditor.waits_for(lambda: auditor.screen.model.rows.row(0).tags == ("tts-loop", "方言"))
    assert auditor.said()[-1] == "Kept: tag “方言”"


def test_a_chosen_range_of_the_answer_is_what_is_tagged_unless_the_whole_is_wanted(auditor):
    first = auditor.looks_at(0)
    auditor.services.player.set_region((0.1, 0.3))
    auditor.tags("click")
    assert auditor.stands(first) == [("tag", "click", Span(0.1, 0.3))]
    auditor.waits_for(lambda: [tag.text for tag in auditor.screen.detail.lanes.rows[-1].tagged] == ["click"])
    assert "click" in [region.text for region in auditor.screen.detail.lanes.regions()]
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_T)
    auditor.room.tags.place_choice.set_value("whole")
    auditor.types("click")
    auditor.does(lambda: auditor.presses(Qt.Key.Key_Return))
    assert auditor.stands(first)[1] == ("tag", "click", None)


def test_all_chosen_answers_are_tagged_at_once_and_one_undo_takes_all_back(auditor):
    auditor.chooses(0, 2, 3)
    auditor.tags("seen")
    ids = [int(number) for number in auditor.screen.model.rows.ids]
    assert [bool(auditor.stands(number)) for number in ids] == [True, False, True, True, False]
    auditor.screen.focus_table()
    auditor.does(lambda: auditor.presses(Qt.Key.Key_Z, CTRL))
    assert not any(auditor.stands(number) for number in ids)
    assert auditor.said()[-1] == "Undone: tag “seen” on 3 answers"
    auditor.does(lambda: auditor.presses(Qt.Key.Key_Z, CTRL | SHIFT))
    assert sum(bool(auditor.stands(number)) for number in ids) == 3
    assert auditor.said()[-1] == "Done again: tag “seen” on 3 answers"


def test_the_whole_result_is_tagged_by_its_filter(auditor):
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_A, CTRL)
    assert auditor.screen.model.chosen.ids == ()
    auditor.tags("seen")
    with closing(auditor.workspace.connect()) as db:
        assert db.execute("SELECT COUNT(*) FROM tag WHERE name = 'seen'").fetchone()[0] == 5


def test_undo_goes_back_through_the_session_across_answers_and_says_when_it_is_over(auditor):
    first = auditor.looks_at(0)
    auditor.tags("a")
    second = auditor.looks_at(1)
    auditor.tags("b")
    auditor.screen.focus_table()
    for _ in range(3):
        auditor.presses(Qt.Key.Key_Z, CTRL)
    auditor.waits_for(lambda: auditor.said()[-1] == "There is nothing to undo.")
    assert auditor.stands(first) == auditor.stands(second) == []


def test_an_undo_pressed_at_once_undoes_what_is_still_being_written(auditor):
    first = auditor.looks_at(0)
    model = auditor.room.model
    model.add_tag(auditor.room.target(), "late")
    model.undo()
    auditor.waits_for(lambda: auditor.said() and auditor.said()[-1].startswith("Undone"))
    assert auditor.stands(first) == []


def test_a_filter_by_a_tag_follows_at_once_and_the_next_answer_takes_the_place(auditor):
    auditor.looks_at(0)
    model = auditor.screen.model
    with auditor.bot.waitSignal(model.found):
        auditor.screen.filter.field.entry.setFocus()
        model.type("-tag:seen")
        model.commit()
    third = auditor.looks_at(2)
    with auditor.bot.waitSignal(model.found):
        auditor.tags("seen")
    assert third not in model.rows.ids.tolist()
    assert auditor.table.currentIndex().row() == 2
    auditor.waits_for(lambda: [tag.name for tag in auditor.room.model.in_use] == ["seen"])
    offered = [suggestion.text for suggestion in model.suggest("tag:", 4)]
    assert "seen" in offered


def test_tags_in_use_are_offered_with_their_counts_and_down_and_enter_take_one(auditor):
    with closing(auditor.workspace.connect()) as db:
        add_tag(db, [1, 2], "tts-loop")
        add_tag(db, [1], "flat")
    auditor.services.workspace.content_changed.emit()
    auditor.room.model._count()
    auditor.waits_for(lambda: len(auditor.room.model.in_use) == 2)
    third = auditor.looks_at(2)
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_T)
    assert [offer.text for offer in auditor.room.tags.offers._offered] == ["tts-loop", "flat"]
    assert [offer.label for offer in auditor.room.tags.offers._offered] == ["on 2", "on 1"]
    auditor.types("fl")
    assert [offer.text for offer in auditor.room.tags.offers._offered] == ["flat"]
    auditor.presses(Qt.Key.Key_Down)
    auditor.does(lambda: auditor.presses(Qt.Key.Key_Return))
    assert ("tag", "flat", None) in auditor.stands(third)


def test_a_tag_that_cannot_be_kept_says_why_and_stays_typed(auditor):
    first = auditor.looks_at(0)
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_T)
    auditor.types("x" * 61)
    with auditor.bot.waitSignal(auditor.room.model.failed):
        auditor.presses(Qt.Key.Key_Return)
    assert "at most 60" in auditor.room.tags._why.text()
    assert auditor.room.tags.entry.text() == "x" * 61
    assert not auditor.room.tags.entry.isReadOnly()
    assert auditor.stands(first) == []


def test_a_note_has_lines_and_is_kept_by_ctrl_enter_before_its_window_closes(auditor):
    first = auditor.looks_at(0)
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_N)
    auditor.types("第一行")
    auditor.presses(Qt.Key.Key_Return)
    auditor.types("=second")
    assert auditor.room.notes.isVisible()
    with auditor.bot.waitSignal(auditor.room.model.kept):
        auditor.presses(Qt.Key.Key_Return, CTRL)
        assert auditor.room.notes.isVisible()
    assert not auditor.room.notes.isVisible()
    assert auditor.stands(first) == [("note", "第一行\n=second", None)]
    auditor.waits_for(lambda: auditor.room.buttons.note.text() == "1")


def test_a_note_put_aside_waits_for_its_own_answer(auditor):
    auditor.looks_at(0)
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_N)
    auditor.types("unfinished")
    auditor.presses(Qt.Key.Key_Escape)
    assert not auditor.room.notes.isVisible()
    auditor.looks_at(1)
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_N)
    assert auditor.room.notes.text.toPlainText() == ""
    auditor.presses(Qt.Key.Key_Escape)
    auditor.looks_at(0)
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_N)
    assert auditor.room.notes.text.toPlainText() == "unfinished"


def test_letters_being_composed_go_to_the_input_method(auditor):
    auditor.looks_at(0)
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_N)
    QApplication.sendEvent(auditor.room.notes.text, QInputMethodEvent("jie qi", []))
    done = QInputMethodEvent("", [])
    done.setCommitString("节气")
    QApplication.sendEvent(auditor.room.notes.text, done)
    assert auditor.room.notes.text.toPlainText() == "节气"


def test_the_list_takes_back_and_gives_back_and_tells_when_and_where(auditor):
    first = auditor.looks_at(0)
    auditor.tags("seen")
    auditor.waits_for(lambda: auditor.room.model.of("tag"))
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_T)
    (said,) = auditor.room.model.of("tag")
    auditor.does(lambda: auditor.room.tags.list.take_back_wanted.emit(said))
    assert auditor.stands(first) == []
    auditor.waits_for(lambda: not auditor.room.model.of("tag")[0].stands)
    assert auditor.room.tags.list.count == 1
    auditor.does(lambda: auditor.room.tags.list.give_back_wanted.emit(auditor.room.model.of("tag")[0]))
    assert len(auditor.stands(first)) == 1
    auditor.does(auditor.room.model.undo)
    assert auditor.said()[-1] == "Undone: giving back tag “seen”"
    assert auditor.stands(first) == []


def test_the_button_says_who_said_it_in_both_languages(auditor):
    auditor.looks_at(0)
    auditor.tags("seen")
    for language, word in (("zh", "标签"), ("en", "Tag")):
        words.use(language)
        assert word in auditor.room.buttons.tag.toolTip()
        assert auditor.room.buttons.tag.accessibleName()
        auditor.room.tag()
        auditor.room.tags.leave()


def test_hostile_tags_and_notes_break_no_layout(auditor):
    auditor.looks_at(0)
    auditor.room.model.add_note(auditor.room.target(), "\u202e<b>x</b>\x00" + "长" * 15_000)
    auditor.tags("<i>&\u202e\u200bשלום" + "👩‍👩‍👧" * 5)
    auditor.waits_for(lambda: len(auditor.room.model.evidence) == 2)
    for opened in (auditor.room.tag, auditor.room.note):
        opened()
        popover = auditor.room.tags if opened == auditor.room.tag else auditor.room.notes
        popover.grab()
        assert auditor.screen.window().rect().contains(popover.geometry())
        popover.leave()


def test_a_store_that_cannot_be_written_is_told_and_nothing_is_lost(auditor, monkeypatch):
    first = auditor.looks_at(0)

    def full(*_):
        raise EngineError("store.cannot_write", path="w", why="disk full")

    monkeypatch.setattr("gui.audit.evidence.writing.add_note", full)
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_N)
    auditor.types("precious")
    with auditor.bot.waitSignal(auditor.room.model.failed):
        auditor.presses(Qt.Key.Key_Return, CTRL)
    assert "disk full" in auditor.room.notes._why.text()
    assert auditor.room.notes.text.toPlainText() == "precious"
    monkeypatch.undo()
    auditor.does(lambda: auditor.presses(Qt.Key.Key_Return, CTRL))
    assert auditor.stands(first) == [("note", "precious", None)]


@pytest.mark.parametrize("key", [Qt.Key.Key_T, Qt.Key.Key_N])
def test_the_letters_are_text_where_text_is_typed(auditor, key):
    auditor.screen.filter.focus()
    auditor.presses(key)
    assert not auditor.room.tags.isVisible() and not auditor.room.notes.isVisible()


def test_the_small_windows_say_what_will_stand_in_them_and_grow_with_it(auditor):
    auditor.looks_at(0)
    auditor.presses(Qt.Key.Key_T)
    popover = auditor.room.tags
    low = popover.height()
    assert popover.list._none.isVisible()
    auditor.types("click")
    auditor.does(lambda: auditor.presses(Qt.Key.Key_Return))
    auditor.waits_for(lambda: popover.list.count == 1)
    assert not popover.list._none.isVisible()
    auditor.waits_for(lambda: popover.height() == popover.sizeHint().height())
    assert low < 200
