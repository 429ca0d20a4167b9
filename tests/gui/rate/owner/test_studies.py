"""Studies as their owner meets them: how far each is, what goes out and comes in, the letters, adjudication."""

from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from engine.rating.bundle.open import open_bundle
from engine.rating.bundle.results import results_file
from engine.store.sittings import begin_sitting, commit, present
from engine.store.studies import assignments_of, sessions_of, studies_of
from gui.rate.carrying import file_name
from gui.rate.session_list import SessionListModel
from gui.rate.study_list import StudyListModel
from gui.strings import words


def high(entry, session):
    return {"empathy_semantic": 4}


@pytest.fixture
def looking(owner, answered, study_of_all, rate, open_here):
    """At a study of which half was rated and one answer skipped by each rater."""
    rate(study_of_all(), high, count=12, skipped=1)
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    owner.rest()
    return owner


def test_without_a_workspace_it_says_where_to_go(owner):
    assert owner.model.page == "no_workspace"
    owner.press(owner.screen.pages._to_library)
    assert owner.services.asked.gone == [("library", None)]


def test_a_workspace_without_answers_sends_to_library(owner, workspace, open_here):
    open_here(workspace.folder)
    owner.wait(lambda: owner.model.page == "no_answers")


def test_the_list_tells_how_far_each_study_is(looking, qtmodeltester):
    row = looking.screen.side.list.studies
    qtmodeltester.check(row)
    read = row.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert read == "winter, 24 of 48 · 2 raters · random"
    words.use("zh")
    assert row.index(0).data(Qt.ItemDataRole.AccessibleTextRole) == "winter, 24 / 48 · 2 位评分者 · 随机"


def test_each_rater_and_pass_has_its_count(looking, qtmodeltester):
    sessions = looking.overview.list.sessions
    qtmodeltester.check(sessions)
    assert sessions.index(0).data(Qt.ItemDataRole.AccessibleTextRole) == (
        "rater 1, Empathy in words · 1 skipped, 12 of 24"
    )
    assert looking.overview.begin_button.text() == "Go on as rater 1"


def test_the_models_are_sound_while_empty(qtmodeltester):
    qtmodeltester.check(StudyListModel())
    qtmodeltester.check(SessionListModel(with_rater=False))


def test_a_study_picked_by_hand_offers_random_items_and_they_are_planned(owner, answered, study_of_all, open_here):
    with closing(answered.connect()) as db:
        ids = tuple(row[0] for row in db.execute("SELECT id FROM response ORDER BY instance_id LIMIT 4"))
    from engine.query.selection import Selection

    study_of_all(selection="manual", chosen=Selection(ids=ids))
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    assert owner.overview.use.sentence() == "Picked by hand: can be heard and discussed, cannot correct a score."
    owner.press(owner.overview.use._button)
    owner.wait(lambda: owner.model.page == "new")
    owner.rest()
    owner.wait(lambda: owner.new.plan is not None)
    assert owner.new.choices.selection == "random"
    assert owner.new.plan.design.protocols == ("empathy_semantic",)


def test_letters_are_revealed_only_with_a_reason_and_that_is_kept(looking, answered):
    letters = looking.overview.letters
    assert letters.sentence.text().startswith("Sealed, and 24 still to be rated.")
    looking.press(letters.reveal_button)
    assert not letters.confirm_button.isEnabled()
    letters.reason.setText("all in")
    looking.press(letters.confirm_button)
    looking.wait(lambda: looking.model.study.disclosed_at is not None)
    looking.rest()
    assert letters.sentence.text().startswith("Revealed")
    with closing(answered.connect()) as db:
        assert [row[0] for row in db.execute("SELECT reason FROM disclosure")] == ["all in"]


def test_a_bundle_is_written_for_one_rater_and_for_all(looking):
    looking.press(looking.overview.bundle_button)
    looking.rest()
    looking.press(looking.overview.carry.buttons["bundles"])
    looking.rest()
    # the one that is there stands in the way of the second wish: it is told, and nothing is lost
    assert looking.screen.error.sentence()
    assert [path.name for path in looking.chooser.at.iterdir()] == ["rating 1 rater 1.zip"]
    (looking.chooser.at / "rating 1 rater 1.zip").unlink()
    looking.press(looking.overview.carry.buttons["bundles"])
    looking.rest()
    written = sorted(path.name for path in looking.chooser.at.iterdir())
    assert written == ["rating 1 rater 1.zip", "rating 1 rater 2.zip"]
    assert looking.services.asked.said[-1][0] == "2 bundles are written to chosen"
    assert looking.overview.carry.fingerprint.text().startswith("Signed with your key, fingerprint ")


def test_results_of_a_rater_elsewhere_are_merged_and_counted_twice_as_once(
    owner, answered, study_of_all, open_here, tmp_path, finish
):
    study_of_all()
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    owner.press(owner.overview.bundle_button)
    owner.rest()
    bundle = next(owner.chooser.at.iterdir())
    owner.chooser.next_file = rated_elsewhere(bundle, tmp_path)
    for _ in range(2):
        owner.press(owner.screen.merge_button)
        owner.rest()
        owner.wait(lambda: owner.model.study.rated == 3)
    said = [sentence for sentence, _ in owner.services.asked.said]
    assert said[-2].startswith("winter: ")
    assert said[-1].startswith("winter: all of it was here already.")


def rated_elsewhere(bundle, folder):
    """Open the bundle as its rater does, rate three answers, write what goes back."""
    there = open_bundle(bundle, folder / "elsewhere")
    with closing(there.connect(durable=True)) as db:
        session = sessions_of(db)[0]
        sitting = begin_sitting(db, session.rater_id, device="", sample_rate_hz=None, setup={})
        for entry in assignments_of(there, db, session.id)[:3]:
            commit(db, present(db, entry.id, sitting, {}), {"empathy_semantic": 3})
    return results_file(there, folder / "results.zip")


def test_a_file_that_is_no_bundle_is_told_where_it_happened(looking, tmp_path):
    looking.chooser.next_file = tmp_path / "letter.zip"
    looking.chooser.next_file.write_text("dear all")
    looking.press(looking.screen.merge_button)
    looking.wait(lambda: bool(looking.screen.error.sentence()))
    looking.rest()


@pytest.mark.parametrize(("form", "name"), [("csv", "winter ratings.csv"), ("jsonl", "winter ratings.jsonl")])
def test_ratings_go_out_as_a_table(looking, form, name):
    looking.press(looking.overview.carry.forms[form])
    looking.rest()
    written = (looking.chooser.at / name).read_text(encoding="utf-8-sig")
    assert written.count("empathy_semantic") >= 22
    assert "GLM" not in written  # the letters are sealed


def test_label_studio_gets_a_folder_for_each_rater(looking):
    looking.press(looking.overview.carry.forms["label_studio"])
    looking.rest()
    assert sorted(path.name for path in looking.chooser.at.iterdir()) == ["rating 1 rater 1", "rating 1 rater 2"]


def test_the_methods_paragraph_is_on_the_clipboard(looking):
    looking.press(looking.overview.carry.buttons["methods"])
    looking.rest()
    assert QGuiApplication.clipboard().text().startswith("2 raters rated 22 of 48 planned presentations")


def test_disagreements_become_a_session_for_the_owner(owner, answered, study_of_all, rate, open_here):
    rate(study_of_all(), lambda entry, session: {"empathy_semantic": 5 if session.rater_name == "rater 1" else 1})
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    owner.press(owner.overview.carry.buttons["adjudicate"])
    owner.wait(lambda: len(owner.model.room.studies) == 2)
    owner.rest()
    assert owner.model.study.title == "winter: disagreements"
    assert owner.overview.use.sentence().startswith("What raters differed on")
    assert owner.overview.begin_button.text() == "Begin"
    with closing(answered.connect()) as db:
        assert studies_of(db)[0].planned == 24  # every answer: the raters are four steps apart


def test_where_nobody_disagrees_it_says_so(looking):
    looking.press(looking.overview.carry.buttons["adjudicate"])
    looking.wait(lambda: bool(looking.screen.error.sentence()))
    looking.rest()


def test_file_names_are_such_that_every_system_takes_them():
    assert file_name("Empathy: pilot/2", "Lin", ".zip") == "Empathy- pilot-2 Lin.zip"
    assert file_name("///", "", ".csv") == "auricle.csv"
    assert len(file_name("长" * 300, "", ".csv")) == 84
