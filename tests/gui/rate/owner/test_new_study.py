"""A study is put together: sizes follow every choice, the leak check comes before, and it is stored as it was shown."""

from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.query.selection import Selection
from engine.store.studies import sessions_of, studies_of
from engine.store.tags import add_tag, tags_on


@pytest.fixture
def putting_together(owner, answered, open_here):
    """In front of the page of a new study, everything read."""
    open_here(answered.folder)
    owner.rest()
    owner.key(Qt.Key.Key_N)
    owner.wait(lambda: owner.model.page == "new" and bool(owner.new.offer.raters))
    owner.rest()
    return owner


@pytest.fixture
def planned(putting_together):
    """With one question and the two raters chosen."""
    owner = putting_together
    raters = tuple(rater.id for rater in owner.new.offer.raters if not rater.is_owner)
    owner.new.choose(protocols=("empathy_semantic",), raters=raters, items=6, repeats=0)
    owner.rest()
    return owner


def what_it_takes(owner):
    return owner.screen.new_page.sizes.rows.texts


def test_it_says_first_what_is_missing(putting_together):
    sizes = putting_together.screen.new_page.sizes
    assert sizes.sentence.text() == "Choose at least one question to be asked."
    putting_together.new.choose(protocols=("safety",))
    putting_together.rest()
    assert sizes.sentence.text() == "Choose at least one rater."
    assert not putting_together.screen.create_button.isEnabled()


def test_sizes_time_and_power_follow_the_choices(planned):
    # 6 questions x 2 systems, each rated once: 12 presentations between two raters
    assert what_it_takes(planned)[0] == "6 items of 12 that can be drawn"
    assert "12 presentations over all raters and passes" in what_it_takes(planned)
    planned.new.choose(ratings_per_item=2)
    planned.rest()
    assert "24 presentations over all raters and passes" in what_it_takes(planned)
    sizes = planned.screen.new_page.sizes
    assert sizes.precision.texts[0].startswith("± ")
    assert "spread of 1 steps" in sizes._assumed.text()


def test_the_questions_of_what_is_ticked_are_shown_as_raters_read_them(planned):
    asked = planned.screen.new_page.asked
    assert asked.questions == ["How well do the words of the answer respond to this person's feeling?"]
    planned.new.choose(language="zh")
    assert asked.questions == ["回答的文字对说话人的心情回应得怎么样？"]
    asked.protocols.entries.tick_all(True)
    assert planned.new.choices.protocols[0] == "empathy_semantic"
    planned.rest()


def test_a_filter_that_cannot_be_read_is_told_where_it_is_typed_about(planned):
    planned.new.choose(filter="per>")
    planned.rest()
    page = planned.screen.new_page
    assert page.error.sentence()
    assert not planned.screen.create_button.isEnabled()
    planned.new.choose(filter="subset:emotion")
    planned.rest()
    assert page.error.sentence() == ""
    assert planned.screen.create_button.isEnabled()


def test_the_filter_offers_fields_and_the_values_there_are_as_in_audit(planned):
    field, page = planned.screen.new_page.what.filter, planned.screen.new_page
    field.setFocus()
    QTest.keyClicks(field, "subs")
    assert field.offers.first().text == "subset:"
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert (field.text(), field.offers.first().text) == ("subset:", "emotion")  # the one subset there is
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert not field.offers.isVisible()
    assert planned.model.page == "new"  # Esc closed the list, not the page
    QTest.keyClicks(field, "e")
    QTest.keyClick(field, Qt.Key.Key_Down)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert planned.new.choices.filter == field.text() == "subset:emotion"
    planned.rest()
    assert planned.new.plan.counts.instances == 12
    QTest.keyClicks(field, " per>")
    planned.rest()
    assert page.what.filter_line.note.text()


def test_certain_answers_chosen_in_audit_are_a_choice_by_hand_and_say_what_they_cannot_do(planned, answered):
    with closing(answered.connect()) as db:
        ids = tuple(row[0] for row in db.execute("SELECT id FROM response ORDER BY instance_id LIMIT 4"))
    planned.screen.take(Selection(ids=ids, purpose="rate"))
    planned.rest()
    sizes = planned.screen.new_page.sizes
    assert planned.new.choices.selection == "manual"
    assert "cannot correct a score" in sizes._use.sentence()
    planned.new.choose(added_random=3)
    planned.rest()
    assert sizes._use.sentence() == ""
    assert planned.new.plan.counts.items == 5  # two questions with two answers each, and three drawn


def test_of_certain_answers_only_their_systems_are_ticked(planned, answered):
    with closing(answered.connect()) as db:
        rows = db.execute(
            "SELECT response.id, system.name FROM response JOIN system ON system.id = system_id"
            " WHERE system.name = (SELECT max(name) FROM system) ORDER BY response.id LIMIT 3"
        ).fetchall()
    all_of_them = planned.new.choices.systems
    planned.screen.take(Selection(ids=tuple(row[0] for row in rows), purpose="rate"))
    planned.rest()
    assert planned.new.choices.systems == {rows[0][1]}
    assert planned.new.plan.counts.items == 3
    planned.screen.new_page.what.chosen.removed.emit()
    planned.rest()
    assert planned.new.choices.systems == all_of_them


def test_a_filter_from_audit_is_drawn_from_at_random(planned):
    planned.screen.take(Selection(query="subset:emotion", purpose="rate"))
    planned.rest()
    assert planned.new.choices.selection == "random"
    assert planned.new.plan.counts.items == 6


def test_a_rater_is_added_by_name_and_chosen_at_once(planned):
    planned.screen.new_page.who.name.setText("  林悦 ")
    planned.press(planned.screen.new_page.who.add_button)
    planned.wait(lambda: len(planned.new.choices.raters) == 3)
    assert "林悦" in [rater.name for rater in planned.new.offer.raters]
    planned.rest()


def test_the_leak_check_tells_systems_apart_by_their_level_and_its_remedy_is_offered(planned):
    # every answer of a system is the same tone: nothing on playback hides that, and the check says so
    planned.new.choose(protocols=("empathy_acoustic",), items=None)
    planned.rest()
    planned.press(planned.screen.new_page.leaks.check_button)
    planned.wait(lambda: planned.new.leaks is not None)
    card = planned.screen.new_page.leaks
    assert card.trim.isVisibleTo(card)
    assert card.told.verdict.sentence()
    planned.new.choose(items=5)
    assert planned.new.leaks is None
    planned.rest()


def test_what_is_created_is_what_was_shown_and_is_looked_at_next(planned, answered):
    planned.new.choose(title="winter")
    planned.rest()
    shown = planned.new.plan.counts
    planned.key(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    planned.wait(lambda: planned.model.page == "study")
    planned.rest()
    with closing(answered.connect()) as db:
        study = studies_of(db)[0]
        sessions = sessions_of(db, study_id=study.id)
    assert (study.title, study.planned, len(sessions)) == ("winter", shown.presentations, 2)
    assert planned.overview.title.text() == "winter"
    assert "can correct a judge’s scores" in planned.overview.use.sentence()
    assert planned.new.choices.title == ""


def test_answers_tagged_with_their_rating_are_offered_as_gold(putting_together, answered):
    with closing(answered.connect(durable=True)) as db:
        ids = [row[0] for row in db.execute("SELECT id FROM response ORDER BY id LIMIT 3")]
        add_tag(db, ids[:2], "gold:4")
        add_tag(db, ids[2:], "training:empathy_semantic:2")
        add_tag(db, ids[2:], "gold:nine")
    putting_together.new.begin()
    putting_together.rest()
    who = putting_together.screen.new_page.who
    putting_together.new.choose(protocols=("empathy_semantic",))
    assert (who.known["gold"].text(), who.known["training"].text()) == ("Gold 2", "Training 1")
    putting_together.new.choose(
        protocols=("empathy_semantic", "naturalness")
    )  # which of them gold:4 speaks of, no one knows
    assert (who.known["gold"].text(), who.known["training"].text()) == ("Gold 0", "Training 1")
    putting_together.rest()


def test_answers_of_known_rating_are_read_from_a_file(planned, answered, tmp_path):
    with closing(answered.connect()) as db:
        uids = [row[0] for row in db.execute("SELECT uid FROM response ORDER BY id LIMIT 2")]
    listed = tmp_path / "known.csv"
    rows = "\n".join(f"{use},empathy_semantic,{uid},{4}" for use, uid in zip(("gold", "trap"), uids, strict=True))
    listed.write_text(f"use,protocol,uid,expected\n{rows}\n")
    planned.chooser.next_file = listed
    planned.press(planned.screen.new_page.who.file_button)
    planned.wait(lambda: bool(planned.new.choices.listed))
    planned.rest()
    assert planned.screen.new_page.who.known["gold"].text() == "Gold 1"
    assert planned.new.plan.counts.gold > 0
    listed.write_text("use,protocol,uid,expected\ngold,empathy_semantic,nobody,4\n")
    planned.press(planned.screen.new_page.who.file_button)
    planned.wait(lambda: planned.new.error is not None)
    assert "known.csv" in planned.screen.new_page.error.sentence()
    planned.rest()


def test_answers_that_say_whose_they_are_are_tagged_or_left_out(planned, answered):
    planned.new.choose(items=None)
    planned.rest()
    with closing(answered.connect()) as db:
        number, uid = tuple(db.execute("SELECT id, uid FROM response ORDER BY id").fetchone())
    planned.new.leaks = report_with_a_name(number, uid)
    planned.new.leaks_changed.emit()
    card = planned.screen.new_page.leaks
    assert card.names.text() == "1 answers say whose they are: “通义千问”."
    planned.press(card.leave_button)
    planned.wait(lambda: planned.new.choices.without == {number})
    planned.wait(lambda: planned.new.leaks is not None)  # it is checked again without them
    planned.rest()
    assert number not in planned.new.plan.response_ids
    assert planned.new.plan.counts.items == 11  # the whole question is left out
    with closing(answered.connect()) as db:
        assert [tag.name for tag in tags_on(db, [number])] == ["says its name"]
    planned.screen.new_page.what.without.removed.emit()
    planned.rest()
    assert planned.new.plan.counts.items == 12


def report_with_a_name(number, uid):
    from engine.rating.leaks import Fixes, LeakReport, NameSaid

    said = NameSaid(number, uid, "text", "通义千问", "Qwen", 0, 4, False, True)
    return LeakReport(0.5, 0.5, 0.9, 0.6, (), (said,), Fixes(), 12, 24, 2, 0)


def is_in_sight(part):
    return not part.visibleRegion().isEmpty()


def test_what_the_choices_come_to_stays_in_sight_while_they_scroll(planned):
    page = planned.screen.new_page
    bar = page.form_area.verticalScrollBar()
    assert bar.maximum() > 300
    bar.setValue(bar.maximum())
    assert is_in_sight(page.who.seed)
    assert is_in_sight(page.sizes.sentence)


def test_in_a_narrow_window_it_follows_the_choices(planned):
    page = planned.screen.new_page
    planned.screen.resize(740, 450)
    planned.wait(lambda: not page.outcome_area.isVisible())
    assert not is_in_sight(page.sizes.sentence)
    bar = page.form_area.verticalScrollBar()
    planned.wait(lambda: page.who.geometry().bottom() < page.form_area.widget().height() - 200)
    bar.setValue(bar.maximum())
    assert is_in_sight(page.leaks)
    planned.screen.resize(1280, 720)
    planned.wait(lambda: is_in_sight(page.sizes.sentence))


def test_while_a_new_session_is_made_none_of_the_list_is_marked(owner, answered, study_of_all, open_here):
    for place in range(9):
        study_of_all(title=f"winter {place}")
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    owner.rest()
    listed = owner.screen.side.list
    owner.screen.resize(1000, 400)
    owner.model.select(owner.model.room.studies[-1].id)  # the last of the list
    owner.wait(lambda: listed.verticalScrollBar().value() > 0)
    owner.press(owner.screen.new_button)
    owner.wait(lambda: owner.model.page == "new")
    assert not listed.selectionModel().hasSelection()
    assert listed.verticalScrollBar().value() == 0
    listed.setFocus()  # to walk by does not leave the page
    assert owner.model.page == "new"
    owner.key(Qt.Key.Key_Escape)
    owner.wait(lambda: owner.model.page == "study")
    assert [index.row() for index in listed.selectionModel().selectedIndexes()] == [8]
    owner.rest()
