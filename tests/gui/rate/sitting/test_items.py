"""Rating item by item, by keyboard."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from PySide6.QtCore import Qt

from engine.store.sittings import begin_sitting, commit, present
from engine.store.studies import assignments_of, disclose, session_of
from gui.rate.sitting.wording import percent_of_needed
from gui.strings import words
from tests.gui.rate.sitting.made import ANSWER_S, QUESTION_S, session_of_all

Key = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def test_space_digit_enter_rate_an_item_and_the_next_one_comes(at_first):
    rater = at_first("naturalness")
    assert rater.place == 1
    rater.rates("4")
    rater.waits(lambda: rater.place == 2)
    assert rater.stored() == {1: {"naturalness": 4}}
    assert rater.item.values == {}


def test_one_hand_on_the_number_pad_is_enough(at_first):
    rater = at_first("naturalness")
    rater.hears_all()
    rater.presses(Key.Key_2, Key.Key_Enter, modifiers=Qt.KeyboardModifier.KeypadModifier)
    rater.waits(lambda: rater.place == 2)
    assert rater.stored() == {1: {"naturalness": 2}}


def test_several_fields_take_one_key_each_and_enter(at_first):
    rater = at_first("empathy_acoustic")
    rater.rates("4", "2")
    assert rater.stored() == {1: {"empathy_acoustic": 4, "emotion_heard": "happy"}}


def test_a_field_that_hangs_on_another_is_asked_only_then_and_goes_with_it(at_first):
    rater = at_first("safety")
    rater.hears_all()
    rater.types("1")
    assert [scale.id for scale in rater.item.asked] == ["safety"]
    rater.presses(Key.Key_Up)
    rater.types("248")
    assert rater.item.values == {"safety": "partly", "severity": 4, "category": "other"}
    rater.presses(Key.Key_Return)
    rater.waits(lambda: rater.place == 2)
    rater.presses(Key.Key_Return, modifiers=SHIFT)
    rater.waits(lambda: rater.place == 1)
    rater.types("1")
    rater.presses(Key.Key_Return)
    rater.waits(lambda: rater.place == 2)
    assert rater.stored() == {1: {"safety": "refused"}}


def test_enter_before_all_is_answered_says_what_is_missing(at_first):
    rater = at_first("empathy_acoustic")
    rater.hears_all()
    rater.types("3")
    rater.presses(Key.Key_Return)
    assert "Which emotion" in rater.view.item_page.hint.sentence()
    assert rater.stored() == {}


def test_the_scale_is_locked_until_enough_of_the_speech_reached_the_device(at_first):
    rater = at_first("naturalness")
    rater.waits(lambda: rater.item.voiced is not None)
    cards = rater.view.item_page.fields["naturalness"].steps.cards
    assert all(card.is_locked for card in cards)
    rater.types("4")
    rater.presses(Key.Key_Return)
    assert rater.item.values == {}
    told = "Answer A: the scale opens at 95 % of its speech heard; now it is 0 %."
    assert rater.view.item_page.hint.sentence() == told
    assert rater.view.item_page.clips.rows["answer"].status.text() == "0 % of speech heard"
    rater.hears_all()
    assert not any(card.is_locked for card in cards)
    assert rater.view.item_page.hint.sentence() == ""


def test_half_of_the_speech_is_not_enough_and_is_what_is_told(at_first, sound):
    rater = at_first("naturalness")
    rater.waits(lambda: rater.item.voiced is not None)
    rater.view.model.playing.play_from("answer", 0.9)  # the second of its two stretches
    rater.waits(lambda: not rater.view.model.playing.is_playing)
    assert rater.item.share("answer") == pytest.approx(0.5, abs=0.01)
    assert not rater.item.is_open
    row = rater.view.item_page.clips.rows["answer"]
    assert row.status.text() == "50 % of speech heard"
    assert "now it is 50 %" in rater.view.item_page.hint.sentence()
    filled = row.coverage.filled()
    assert np.allclose(filled, [(1.0, 1.4)], atol=0.02)


def test_space_plays_question_then_answer_and_afterwards_the_answer_alone(at_first):
    rater = at_first("empathy_acoustic")
    order = []
    rater.view.model.playing.heard.connect(lambda part, *_: order.append(part) if order[-1:] != [part] else None)
    rater.hears_all()
    assert order == ["question", "answer"]
    rater.presses(Key.Key_Space)
    rater.waits(lambda: len(order) == 2 and not rater.view.model.playing.is_playing)
    rater.presses(Key.Key_R)
    rater.waits(lambda: len(order) == 4 and not rater.view.model.playing.is_playing)
    assert order == ["question", "answer", "question", "answer"]


def test_a_question_that_was_heard_at_this_sitting_need_not_be_heard_again(at_first):
    rater = at_first("empathy_acoustic")  # the second item has the same question
    rater.rates("4", "2")
    rater.presses(Key.Key_Return)  # its words were shown; on
    rater.waits(lambda: rater.place == 2)
    assert rater.item.to_hear == ("answer",)
    order = []
    rater.view.model.playing.heard.connect(lambda part, *_: order.append(part))
    rater.hears_all()
    assert set(order) == {"answer"}


def test_what_was_heard_is_kept_with_the_rating(at_first):
    rater = at_first("empathy_acoustic")
    rater.rates("4", "2")
    heard = rater.rows("SELECT clip, spans, voiced_share FROM heard ORDER BY id")
    assert [(clip, share) for clip, _, share in heard] == [("question", 1.0), ("answer", 1.0)]
    assert [spans for _, spans, _ in heard] == [f"[[0.0, {QUESTION_S}, 1.0]]", f"[[0.0, {ANSWER_S}, 1.0]]"]


def test_the_words_are_shown_after_the_rating_and_both_ratings_are_kept(at_first):
    rater = at_first("empathy_acoustic")
    card = rater.view.item_page.words
    assert not card.isVisible()
    rater.rates("4", "2")
    assert rater.place == 1
    assert card.isVisible()
    assert "先别急" in card.texts[0].text()
    rater.presses(Key.Key_Up)
    rater.types("3")
    rater.presses(Key.Key_Return)
    rater.waits(lambda: rater.place == 2)
    kept = rater.rows("SELECT value, is_before_reveal FROM rating WHERE scale = 'empathy_acoustic' ORDER BY id")
    assert kept == [(4, 1), (3, 0)]


def test_words_that_were_seen_are_not_forgotten_by_an_undo(at_first):
    rater = at_first("empathy_acoustic")
    rater.rates("4", "2")
    rater.presses(Key.Key_Z, modifiers=CTRL)
    rater.waits(lambda: not rater.item.kept and not rater.view.model.saving.is_busy)
    rater.types("52")
    rater.presses(Key.Key_Return)
    rater.waits(lambda: rater.place == 2)
    query = "SELECT value, is_before_reveal FROM rating WHERE scale = 'empathy_acoustic' AND undoes IS NULL ORDER BY id"
    assert rater.rows(query) == [(4, 1), (5, 0)]


def test_a_note_on_an_item_that_was_rated_adds_no_rating(at_first):
    rater = at_first("naturalness")
    rater.rates("4")
    rater.waits(lambda: rater.place == 2)
    rater.presses(Key.Key_Return, modifiers=SHIFT)
    rater.presses(Key.Key_N)
    rater.types("later")
    rater.presses(Key.Key_Return, modifiers=CTRL)
    rater.waits(lambda: rater.place == 2)
    assert (rater.count("rating"), rater.rows("SELECT text FROM remark")) == (1, [("later",)])


def test_the_next_space_goes_on_from_the_words_and_plays(at_first):
    rater = at_first("empathy_acoustic")
    rater.rates("4", "2")
    rater.presses(Key.Key_Space)
    rater.waits(lambda: rater.place == 2 and not rater.item.to_hear)


def test_one_pair_is_heard_first_then_second_and_answered_by_its_own_digits(at_first):
    rater = at_first("comparison")
    order = []
    rater.view.model.playing.heard.connect(lambda part, *_: order.append(part) if order[-1:] != [part] else None)
    rater.rates("5")
    assert order == ["answer", "other"]
    assert rater.stored() == {1: {"comparison": 1}}


def test_an_answer_that_is_read_needs_only_its_question_to_be_heard(at_first):
    rater = at_first("empathy_semantic")
    assert list(rater.item.clips) == ["question"]
    assert "先别急" in rater.view.item_page.words.texts[0].text()
    rater.rates("3")
    rater.waits(lambda: rater.place == 2)
    assert rater.item.to_hear == ()  # the same question
    rater.types("4")
    rater.presses(Key.Key_Return)
    rater.waits(lambda: rater.place == 3)
    assert rater.stored() == {1: {"empathy_semantic": 3}, 2: {"empathy_semantic": 4}}


def test_the_head_says_what_is_to_be_done_after_the_rating_and_after_a_change(at_first):
    rater = at_first("empathy_acoustic")
    head = rater.view.item_page.head.question
    assert head.text() == "Listen to the question, then to the answer."
    rater.rates("4", "2")
    assert head.text() == "Look it over, then go on to the next."
    rater.types("3")
    assert head.text() == "Commit the change, or undo it."
    assert rater.view.item_page.acts.buttons["play"].text() == "Hear again"


def test_what_is_too_little_never_reads_like_what_is_needed():
    assert percent_of_needed(0.897, 0.9) == 89  # rounded it were 90
    assert percent_of_needed(0.899, 0.9) == 90  # enough, by what a last frame may be short of
    assert percent_of_needed(1.0, 0.9) == 100


def test_going_back_shows_what_was_rated_and_enter_returns_to_the_open_item(at_first):
    rater = at_first("naturalness")
    rater.rates("4")
    rater.waits(lambda: rater.place == 2)
    rater.presses(Key.Key_Return, modifiers=SHIFT)
    assert rater.place == 1
    assert rater.item.values == {"naturalness": 4}
    rater.presses(Key.Key_Return)
    assert rater.place == 2
    assert rater.count("rating") == 1


def test_undo_and_redo_reach_over_items_and_restarts(at_first):
    rater = at_first("naturalness")
    for digit in "45":
        rater.rates(digit)
    rater.waits(lambda: rater.place == 3)
    rater.view.close_sitting()
    rater.view.hide()
    rater.sits_down(rater.session)
    rater.goes_to_the_first_item()
    assert rater.place == 3
    rater.presses(Key.Key_Z, modifiers=CTRL)
    rater.waits(lambda: rater.place == 2)
    assert rater.stored() == {1: {"naturalness": 4}}
    rater.presses(Key.Key_Z, modifiers=CTRL)
    rater.waits(lambda: rater.place == 1)
    assert rater.stored() == {}
    rater.presses(Key.Key_Z, modifiers=CTRL | SHIFT)
    rater.waits(lambda: rater.stored() == {1: {"naturalness": 4}})
    rater.waits(lambda: not rater.view.model.saving.is_busy)
    rater.presses(Key.Key_Y, modifiers=CTRL)
    rater.waits(lambda: rater.stored() == {1: {"naturalness": 4}, 2: {"naturalness": 5}})
    assert rater.count("rating") == 6  # two ratings, two taken back, two given back: nothing is rewritten


def test_undo_without_anything_done_says_so(at_first):
    rater = at_first("naturalness")
    rater.presses(Key.Key_Z, modifiers=CTRL)
    rater.waits(lambda: rater.view.item_page.hint.sentence() == "Nothing to undo.")


def test_an_item_is_skipped_for_a_reason(at_first):
    rater = at_first("naturalness")
    rater.presses(Key.Key_S)
    assert rater.view.skip_panel.isVisible()
    rater.presses(Key.Key_3)
    rater.waits(lambda: rater.place == 2)
    assert rater.rows("SELECT kind, text FROM remark") == [("skip", "upsetting")]
    rater.presses(Key.Key_Return, modifiers=SHIFT)
    assert "skipped" in rater.view.item_page.hint.sentence()


def test_esc_at_the_reasons_goes_back_to_the_item(at_first):
    rater = at_first("naturalness")
    rater.presses(Key.Key_S)
    rater.presses(Key.Key_Escape)
    assert not rater.view.skip_panel.isVisible()
    assert (rater.told, rater.count("remark")) == ([], 0)
    assert rater.window.focusWidget() is rater.view


def test_the_reasons_tell_the_key_that_puts_them_away(at_first):
    rater = at_first("naturalness")
    rater.presses(Key.Key_S)
    button = rater.view.skip_panel.close_button
    assert button.isVisible()
    assert (button.text(), button._keys) == ("Do not skip", "Esc")
    button.click()
    assert not rater.view.skip_panel.isVisible()
    assert rater.place == 1


def test_whether_the_letters_are_sealed_is_told_as_it_is(at_first):
    rater = at_first("naturalness", count=2)
    foot = rater.view.foot.blind
    assert foot.text() == "Blind: system names are sealed"
    rater.view.close_sitting()
    db = rater.workspace.connect(durable=True)
    disclose(db, session_of(db, rater.session).study_id, "done")
    db.close()
    rater.sits_down(rater.session)
    assert rater.view.foot.blind.text() == "Letters are revealed"


def test_the_page_before_a_session_that_goes_on_keeps_its_sentences_apart(at_first):
    rater = at_first("naturalness", count=2)
    rater.rates("3")
    rater.view.close_sitting()
    rater.sits_down(rater.session)
    rater.presses(Key.Key_S)
    page = rater.view.pages["instructions"]
    lines = page.small.text().split("\n")
    assert lines == ["2 items, about 1 min", "1 of 2 are done; it goes on where you left."]
    assert page.button.text() == "Go on"


def test_a_flag_goes_up_and_down(at_first):
    rater = at_first("naturalness")
    rater.presses(Key.Key_F)
    rater.waits(lambda: rater.item.is_flagged)
    rater.presses(Key.Key_F)
    rater.waits(lambda: not rater.item.is_flagged)
    assert [kind for (kind,) in rater.rows("SELECT kind FROM remark")] == ["flag", "flag"]


def test_a_note_is_written_with_letters_that_mean_something_elsewhere_and_kept_with_the_rating(at_first):
    rater = at_first("naturalness")
    rater.hears_all()
    rater.types("4")
    rater.presses(Key.Key_N)
    rater.types("soft, 5 Fs")
    assert rater.item.values == {"naturalness": 4}
    rater.presses(Key.Key_Return, modifiers=CTRL)
    rater.waits(lambda: rater.place == 2)
    assert rater.rows("SELECT kind, text FROM remark") == [("note", "soft, 5 Fs")]
    assert not rater.view.item_page.note.isVisible()


def test_enter_in_the_note_goes_back_to_rating_and_keeps_the_words(at_first):
    rater = at_first("naturalness")
    rater.presses(Key.Key_N)
    rater.types("hm")
    rater.presses(Key.Key_Return)
    assert rater.window.focusWidget() is rater.view
    assert rater.item.note == "hm"
    assert rater.place == 1


def test_an_input_method_opens_in_the_note_alone(at_first):
    rater = at_first("naturalness")
    assert not rater.view.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
    rater.presses(Key.Key_N)
    assert rater.window.focusWidget().testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)


def test_a_place_of_the_answer_is_tagged_from_t_to_the_letter(at_first):
    rater = at_first("naturalness")
    rater.hears_all()
    rater.presses(Key.Key_T)
    assert "noise" in rater.view.item_page.hint.sentence()
    rater.presses(Key.Key_N)
    rater.waits(lambda: rater.count("remark") == 1)
    ((kind, text, clip, start_s, end_s),) = rater.rows("SELECT kind, text, clip, start_s, end_s FROM remark")
    assert (kind, text, clip) == ("span_tag", "noise", "answer")
    assert (start_s, end_s) == (pytest.approx(ANSWER_S - 1, abs=0.01), pytest.approx(ANSWER_S, abs=0.01))
    assert not rater.view.item_page.note.entry.hasFocus()


def test_a_tag_is_taken_back_and_given_back(at_first):
    rater = at_first("naturalness")
    rater.hears_all()
    rater.presses(Key.Key_T, Key.Key_C)
    rater.waits(lambda: len(rater.item.tags) == 1)
    assert rater.view.item_page.hint.sentence() == "Tagged: cut off."
    rater.presses(Key.Key_Z, modifiers=CTRL)
    rater.waits(lambda: rater.item.tags == () and rater.view.item_page.hint.sentence() == "Taken back.")
    rater.presses(Key.Key_Z, modifiers=CTRL | SHIFT)
    rater.waits(lambda: len(rater.item.tags) == 1)
    assert rater.place == 1


def test_a_tag_of_an_earlier_sitting_is_drawn_when_its_item_comes_again(at_first):
    rater = at_first("naturalness")
    rater.hears_all()
    rater.presses(Key.Key_T, Key.Key_C)
    rater.waits(lambda: len(rater.item.tags) == 1)
    set_before = rater.item.tags
    rater.view.model.leave()
    rater.waits(lambda: not rater.services.jobs.running)
    rater.sits_down(rater.session)
    rater.goes_to_the_first_item()
    assert rater.item.tags == set_before
    assert rater.view.item_page.clips.rows["answer"].coverage._tags == ((set_before[0].start_s, set_before[0].end_s),)
    rater.presses(Key.Key_Z, modifiers=CTRL)
    rater.waits(lambda: rater.item.tags == ())


def comes_back(rater, minutes):
    """Two practice items and one item were rated so long ago; now the rater sits down again."""
    workspace = rater.workspace
    session = session_of_all(workspace, "naturalness", training=2)
    with closing(workspace.connect(durable=True)) as db:
        by = session_of(db, session).rater_id
        sitting = begin_sitting(db, by, device="", sample_rate_hz=None, setup={})
        for row, value in zip(assignments_of(workspace, db, session)[:3], (4, 4, 2), strict=True):
            at = datetime.now(UTC) - timedelta(minutes=minutes)
            commit(db, present(db, row.id, sitting, {}), {"naturalness": value}, at=at)
    rater.sits_down(session)
    rater.presses(Key.Key_S)
    rater.waits(lambda: rater.view.model.page == "instructions")
    return rater


def test_who_comes_back_after_the_protocols_time_practises_again_before_rating_goes_on(rater):
    comes_back(rater, minutes=61)  # the protocol says 60
    assert "practice comes first once more, 2 items" in rater.view.pages["instructions"].small.text()
    rater.goes_to_the_first_item()
    assert rater.view.top.place.text() == "Practice 1 of 2"
    assert (rater.item.values, rater.item.is_open, rater.item.was_kept) == ({}, False, False)
    rater.rates("4")  # the same as before is a rating of its own, in a presentation of its own
    assert rater.rows(
        "SELECT COUNT(DISTINCT presentation_id), COUNT(*) FROM rating"
        " JOIN presentation ON presentation.id = presentation_id JOIN assignment ON assignment.id = assignment_id"
        " WHERE position = 1"
    ) == [(2, 2)]
    rater.waits(lambda: rater.view.top.place.text() == "Practice 2 of 2")
    rater.presses(Key.Key_Z, modifiers=CTRL)
    rater.waits(lambda: rater.view.top.place.text() == "Practice 1 of 2")
    assert rater.item.values == {}  # what was said at the earlier sitting is no answer of this one
    rater.rates("4")
    rater.waits(lambda: rater.view.top.place.text() == "Practice 2 of 2")
    rater.rates("5")
    rater.waits(lambda: rater.view.top.place.text() == "2 of 6")
    assert rater.stored()[3] == {"naturalness": 2}


def test_who_comes_back_sooner_goes_on_where_they_left(rater):
    comes_back(rater, minutes=59)
    assert "practice" not in rater.view.pages["instructions"].small.text()
    rater.goes_to_the_first_item()
    assert rater.view.top.place.text() == "2 of 6"


def test_practice_tells_what_was_expected_and_counts_apart(at_first):
    rater = at_first("empathy_acoustic", training=1)
    assert rater.view.top.place.text() == "Practice 1 of 1"
    rater.rates("2", "1")  # 4 is expected
    assert rater.view.item_page.feedback.sentence().startswith("Expected was 4 “Suits”. The tone is clearly chosen")
    rater.presses(Key.Key_Return)
    rater.waits(lambda: rater.view.top.place.text() == "1 of 7")
    assert rater.view.item_page.feedback.sentence() == ""


def test_the_fixes_of_the_study_are_played_and_kept(rater):
    db = rater.workspace.connect()
    (uid,) = db.execute("SELECT uid FROM response WHERE id = 1").fetchone()
    db.close()
    rater.sits_down(session_of_all(rater.workspace, "naturalness", fixes={uid: [0.3, -6.0, 1.2]}))
    rater.goes_to_the_first_item()
    rater.hears_all()
    ((start_s, end_s, _),) = rater.item.plays["answer"].plays
    assert (start_s, end_s) == (pytest.approx(0.3, abs=0.001), pytest.approx(1.2, abs=0.001))
    assert np.allclose(rater.item.voiced.spans["answer"], [(0.3, 0.6), (1.0, 1.2)], atol=0.001)
    assert max(abs(rater.sound.opened[-1].heard)) == pytest.approx(0.3 * 10 ** (-6 / 20), rel=0.02)
    rater.waits(lambda: rater.count("presentation") == 1)
    assert '"gain_db": -6.0' in rater.rows("SELECT gains FROM presentation")[0][0]


def test_the_last_item_is_followed_by_the_end_and_enter_finishes(at_first):
    rater = at_first("naturalness", count=2)
    for digit in "45":
        rater.rates(digit)
    rater.waits(lambda: rater.view.model.page == "end")
    assert "2 of 2 items are rated" in rater.view.pages["end"].text.text()
    rater.presses(Key.Key_Return)
    assert rater.told == ["finished"]


def test_esc_leaves_at_once_where_nothing_would_be_lost(at_first, services):
    rater = at_first("naturalness")
    services.asked.answer = False
    rater.rates("3")
    rater.waits(lambda: rater.place == 2)
    rater.presses(Key.Key_Escape)
    assert rater.told == ["left"]


def test_esc_asks_where_an_item_before_was_changed_and_not_saved(at_first, services):
    rater = at_first("naturalness")
    services.asked.answer = False
    rater.rates("3")
    rater.waits(lambda: rater.place == 2)
    rater.presses(Key.Key_Return, modifiers=SHIFT)
    rater.types("4")
    rater.presses(Key.Key_P)
    rater.presses(Key.Key_Escape)
    assert rater.told == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_who_stays_presses_the_same_word_everywhere(language):
    words.use(language)
    assert words.text("window.closing.stay") == words.text("rate_owner.own.stay")


def test_esc_asks_before_it_leaves_and_keeps_what_was_heard_and_noted(at_first, services):
    rater = at_first("naturalness")
    rater.hears_all()
    rater.types("3")
    rater.presses(Key.Key_N)
    rater.types("later")
    rater.presses(Key.Key_Escape)  # out of the note
    services.asked.answer = False
    rater.presses(Key.Key_Escape)
    assert rater.told == []
    services.asked.answer = True
    rater.presses(Key.Key_Escape)
    assert rater.told == ["left"]
    rater.waits(lambda: not services.jobs.running)
    assert rater.rows("SELECT text FROM remark") == [("later",)]
    assert rater.count("heard") == 1
    assert rater.count("rating") == 0


def test_arrows_go_a_second_back_and_on(at_first):
    rater = at_first("naturalness")
    rater.hears_all()
    rater.presses(Key.Key_Left)
    rater.waits(lambda: not rater.view.model.playing.is_playing)
    _, second = rater.item.ledgers["answer"].plays
    assert second[:2] == (pytest.approx(ANSWER_S - 1.0, abs=0.01), pytest.approx(ANSWER_S, abs=0.01))


def test_the_speed_is_fixed_where_the_sound_is_rated_and_free_where_it_is_not(at_first):
    rater = at_first("naturalness")
    rater.presses(Key.Key_Period)
    assert "fixed" in rater.view.item_page.hint.sentence()
    assert rater.view.player.speed == 1.0


def test_where_the_speed_is_free_it_is_kept_with_what_was_heard(at_first):
    rater = at_first("safety")
    rater.presses(Key.Key_Period, Key.Key_Period)
    assert rater.view.foot.speed.text() == "speed 1.2×"
    rater.hears_all()
    assert {speed for *_, speed in rater.item.plays["answer"].plays} == {1.2}
    rater.presses(Key.Key_Slash)
    assert rater.view.player.speed == 1.0


def test_an_answer_without_words_says_so(rater):
    db = rater.workspace.connect()
    db.execute("UPDATE response SET text = '' WHERE id = 1")
    db.execute("UPDATE audit_row SET transcript = NULL WHERE response_id = 1")
    db.close()
    rater.sits_down(session_of_all(rater.workspace, "empathy_semantic"))
    rater.goes_to_the_first_item()
    assert rater.view.item_page.words.texts[0].text() == "(It says nothing.)"


def test_a_window_that_is_closed_keeps_the_note_that_was_not_committed(at_first, services):
    rater = at_first("naturalness")
    rater.presses(Key.Key_N)
    rater.types("half a note")
    rater.window.close()
    rater.waits(lambda: not services.jobs.running)
    assert rater.rows("SELECT text FROM remark") == [("half a note",)]
