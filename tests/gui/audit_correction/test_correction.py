"""Correcting a transcript in the alignment: kept, left, taken back, undone, by keyboard, whatever is typed."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt

from gui.strings import words


def test_what_is_typed_is_kept_beside_the_machines_and_the_verdict_follows(auditor):
    assert auditor.rate == pytest.approx(1 / 5)
    auditor.opens()
    assert auditor.editor.text == "节气是冬至"
    auditor.types("节气是夏至")
    auditor.keeps()
    auditor.waits(lambda: auditor.rate == 0.0)
    assert not auditor.part.is_open
    assert auditor.told == "Transcript kept. speech: wrong → right; error rate: 0.200 → 0.000."
    assert auditor.part.strip.text.endswith("faster-whisper heard: 节气是冬至")
    assert auditor.panel.detail.transcript("published").text == "节气是冬至"
    assert auditor.part.open_button.hasFocus()


def test_the_key_opens_it_and_escape_leaves_it_with_what_was_typed_still_there(auditor):
    auditor.presses(Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier, auditor.panel.window())
    assert auditor.part.is_open
    auditor.types("half a")
    auditor.presses(Qt.Key.Key_Escape)
    assert not auditor.part.is_open
    auditor.opens()
    assert auditor.editor.text == "half a"
    assert auditor.workspace.connect().execute("SELECT COUNT(*) FROM correction").fetchone()[0] == 0


def test_letters_and_space_are_typed_and_start_nothing(auditor):
    pressed = []
    auditor.services.actions.add("audit.full_text_again", "Space", lambda: pressed.append(1), screen="audit")
    auditor.opens()
    auditor.types("v h g")
    assert auditor.editor.text == "v h g"
    assert pressed == []


def test_a_draft_stays_with_its_answer_while_another_is_looked_at(auditor):
    auditor.opens()
    auditor.types("mine")
    auditor.looks_at(2)
    assert not auditor.part.is_open
    auditor.opens()
    assert auditor.editor.text == "节气是冬至"
    auditor.looks_at(1)
    auditor.opens()
    assert auditor.editor.text == "mine"


def test_results_that_come_meanwhile_leave_the_field_alone(auditor):
    auditor.opens()
    auditor.types("mine")
    auditor.services.workspace.content_changed.emit()
    auditor.waits_until_idle()
    assert auditor.part.is_open
    assert auditor.editor.text == "mine"


def test_a_correction_is_taken_back_and_that_is_undone(auditor, qtbot):
    auditor.opens()
    auditor.types("节气是夏至")
    auditor.keeps()
    qtbot.mouseClick(auditor.part.strip.back_button, Qt.MouseButton.LeftButton)
    auditor.waits(lambda: auditor.rate == pytest.approx(1 / 5))
    auditor.waits_until_idle()
    assert auditor.part.strip.text == ""
    assert auditor.told.startswith("Correction taken back.")
    auditor.part.undo()
    auditor.waits(lambda: auditor.rate == 0.0)
    auditor.waits_until_idle()
    auditor.part.undo()
    auditor.waits(lambda: auditor.rate == pytest.approx(1 / 5))
    auditor.waits_until_idle()
    auditor.part.undo()
    assert auditor.told == "There is nothing to undo."


def test_what_was_corrected_and_taken_back_stands_in_the_history(auditor):
    from gui.audit.detail.full_text import history_of

    auditor.opens()
    auditor.types("节气是夏至")
    auditor.keeps()
    auditor.part._take_back()
    auditor.waits_until_idle()
    told = [(part.heading, part.text) for part in history_of(auditor.panel.detail)]
    corrected = next(text for heading, text in told if heading == "Heard by a person")
    assert corrected.startswith("节气是夏至\n") and "taken back" in corrected
    machine = next(text for heading, text in told if heading.startswith("Heard") and "冬至" in text)
    assert "0.200 (1 / 5)" in machine


def test_an_answer_that_nobody_heard_can_be_written_down(auditor):
    auditor.looks_at(3)
    auditor.opens()
    assert auditor.editor.text == ""
    auditor.types("节气是夏至")
    auditor.keeps()
    auditor.waits(lambda: auditor.rate == 0.0)
    assert auditor.part.strip.text.startswith("Written by a person")


def test_an_answer_without_sound_offers_nothing(auditor):
    auditor.looks_at(4)
    assert auditor.part.open_button.isHidden()
    auditor.part.begin()
    assert not auditor.part.is_open
    assert "no sound" in auditor.told


def test_what_cannot_be_kept_says_why_and_stays_in_the_field(auditor, qtbot):
    auditor.opens()
    auditor.types("长" * 20_001)
    with qtbot.waitSignal(auditor.part.model.failed):
        auditor.editor.keep_button.click()
    assert "at most 20000 characters" in auditor.editor.error.sentence()
    assert auditor.part.is_open
    assert len(auditor.editor.text) == 20_001


@pytest.mark.parametrize("text", ["\u202eevil\u2066 <b>x</b>", "e\u0301\u0301\u0301 \u200b", "👩\u200d👩\u200d👧 שלום"])
def test_hostile_text_is_kept_as_it_is_and_breaks_nothing(auditor, text):
    auditor.opens()
    auditor.types(text)
    wide = auditor.panel.width()
    auditor.keeps()
    auditor.waits(lambda: auditor.panel.detail.corrections != ())
    assert auditor.panel.detail.corrections[-1].text == text
    assert auditor.panel.width() == wide
    auditor.panel.grab()


def test_two_things_done_at_once_are_written_one_after_the_other(auditor):
    model = auditor.part.model
    model.keep(1, "甲")
    model.keep(2, "乙")
    auditor.waits_until_idle()
    db = auditor.workspace.connect()
    assert [row[0] for row in db.execute("SELECT text FROM correction ORDER BY id")] == ["甲", "乙"]
    db.close()


def test_writing_waits_for_another_writer_off_the_gui_thread(auditor):
    from engine.store.transaction import transaction

    go_on, inside = threading.Event(), threading.Event()

    def other():
        db = auditor.workspace.connect()
        with transaction(db):
            db.execute("UPDATE installation SET derivation = derivation")
            inside.set()
            go_on.wait(20)
        db.close()

    thread = threading.Thread(target=other)
    thread.start()
    inside.wait(20)
    auditor.part.model.keep(1, "甲")
    auditor.waits(lambda: bool(auditor.services.jobs.running))
    go_on.set()
    thread.join(20)
    auditor.waits_until_idle()
    assert auditor.workspace.connect().execute("SELECT COUNT(*) FROM correction").fetchone()[0] == 1


def test_everything_says_itself_in_both_languages_and_has_a_name(auditor):
    auditor.opens()
    for language, title in (("zh", "保存"), ("en", "Keep")):
        words.use(language)
        assert auditor.editor.keep_button.text() == title
        assert auditor.editor.field.accessibleName()
        for button in (auditor.editor.keep_button, auditor.editor.leave_button, auditor.editor.hear_button):
            assert button.toolTip()


def test_in_the_smallest_room_the_field_still_has_its_place(auditor):
    auditor.panel.resize(700, 330)
    auditor.opens()
    auditor.waits(lambda: auditor.editor.field.height() > 30)
    assert auditor.part.height() >= auditor.editor.field.height()
    assert auditor.editor.keep_button.isVisible()


def test_in_a_low_panel_the_alignment_stays_in_sight_and_the_sound_a_choice(auditor):
    auditor.panel.resize(752, 190)  # what the smallest window leaves
    auditor.opens()
    auditor.waits(lambda: auditor.panel.alignment.view.isVisible())
    assert auditor.editor.keep_button.isVisible()
    auditor.panel._turn_to("sound")
    auditor.waits(lambda: auditor.panel.lanes.isVisible())
    auditor.panel._turn_to("text")
    assert auditor.part.is_open
