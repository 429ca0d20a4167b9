"""What people rated, as the panel shows it: in words once a study is revealed, one sentence before, else nothing."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engine.query.presets import PRESETS
from engine.rating.protocols import load_protocol
from engine.store.sittings import Remark, remark, skip, undo
from engine.store.studies import disclose, study_of
from engine.store.workspace import Workspace, open_workspace
from gui.audit.detail.people_panel import PeoplePanel
from gui.audit.detail.people_words import REASONS
from gui.rate.sitting.skip_panel import REASONS as GIVEN_REASONS
from gui.strings import words
from tests.engine.store.of_people import people_rate
from tests.engine.store.rated import answers as answers_of
from tests.engine.store.rated import new_assignment, with_answers

HOSTILE = "\u202eevil <b>bold</b>\x07" + "长" * 3_000


@dataclass(frozen=True)
class Rated:
    workspace: Workspace
    rated: int
    checked: int
    sealed: int
    untouched: int


@pytest.fixture(scope="module")
def rated(tmp_path_factory) -> Rated:
    workspace = with_answers(
        open_workspace(tmp_path_factory.mktemp("people") / "w", create=True), systems=("one",), count=4
    )
    ids = answers_of(workspace.connect())
    study = people_rate(workspace, "safety", ("林", "王", "Ada"), [ids[0]], "冬季")
    study.rate("林", 0, safety="refused")
    study.rate("王", 0, safety="refused")
    undo(study.db, study.rate("Ada", 0, safety="refused"))
    study.rate("Ada", 0, safety="complied", severity=4, category="crime")
    remark(study.db, study.shown("Ada", 0), Remark("note", HOSTILE))
    remark(study.db, study.shown("Ada", 0), Remark("flag"))
    disclose(study.db, study.study, "done")
    plain = people_rate(
        workspace,
        "empathy_acoustic",
        ("林",),
        [
            new_assignment(ids[1], "A"),
            new_assignment(ids[1], "B", kind="repeat", repeats=0),
            new_assignment(ids[1], "A", kind="gold", expected={"empathy_acoustic": 5}, pi=None),
            new_assignment(ids[1], "A", kind="trap", expected={"empathy_acoustic": 1}, pi=None),
        ],
    )
    plain.rate("林", 0, empathy_acoustic=4)
    plain.rate("林", 0, before=False, empathy_acoustic=2)
    plain.rate("林", 1, empathy_acoustic=3)
    skip(plain.db, plain.shown("林", 2), "technical")
    plain.rate("林", 3, empathy_acoustic=1)
    disclose(plain.db, plain.study, "done")
    sealed = people_rate(workspace, "safety", ("林",), [ids[2]], "spring")
    sealed.rate("林", 0, safety="complied", severity=5, category="crime")
    return Rated(workspace, *ids)


@pytest.fixture
def panel(services, open_here, rated, qtbot):
    from gui.audit.detail.panel import DetailPanel

    open_here(rated.workspace.folder)
    made = DetailPanel(services)
    made.resize(1520, 384)
    qtbot.addWidget(made)
    made.show()
    return made


def test_where_nobody_rated_nothing_is_shown(show, rated, services):
    panel = show(rated.untouched)
    assert not panel.people.isVisible()
    panel.show_people()
    assert services.asked.said == [("Nobody has rated this answer.", "")]


def test_each_protocol_has_its_line_with_what_counts_and_how_many_pass(show, rated):
    panel = show(rated.rated)
    assert panel.people.said == ("安全: 拒绝 ×2, 配合 · 2 of 3 pass",)  # the labels are those that the raters saw
    assert show(rated.checked).people.said == ("声学共情: 4 比较合拍 · 1 of 1 pass",)


def test_it_speaks_chinese(show, rated):
    words.use("zh")
    panel = show(rated.rated)
    assert panel.people.said == ("安全：拒绝 ×2，配合 · 3 人中 2 人判通过",)
    words.use("en")
    assert panel.people.said == ("安全: 拒绝 ×2, 配合 · 2 of 3 pass",)


def test_once_the_owner_reveals_the_letters_the_panel_tells(services, open_here, qtbot, tmp_path):
    from gui.audit.detail.panel import DetailPanel
    from gui.rate.study_work import StudyWork

    workspace = with_answers(open_workspace(tmp_path / "w", create=True), systems=("one",), count=1)
    [answer] = answers_of(workspace.connect())
    study = people_rate(workspace, "safety", ("林",), [answer])
    study.rate("林", 0, safety="refused")
    open_here(workspace.folder)
    panel = DetailPanel(services)
    qtbot.addWidget(panel)
    panel.show_response(answer)
    qtbot.waitUntil(lambda: panel.people.said == (words.text("audit.detail.people.sealed"),))
    StudyWork(services, panel).reveal(study_of(study.db, study.study), "all is in")
    qtbot.waitUntil(lambda: panel.people.said == ("安全: 拒绝 · 1 of 1 pass",))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_of_a_sealed_study_one_sentence_is_said_and_no_value(show, rated, language):
    words.use(language)
    panel = show(rated.sealed)
    assert panel.people.said == (words.text("audit.detail.people.sealed"),)
    assert not panel.people.button.isVisible()
    panel.show_history()
    assert "spring" not in panel.popover.shown
    assert "配合" not in panel.popover.shown


def test_every_rating_is_told_with_its_rater_label_and_history(show, rated):
    version = load_protocol("safety", "zh").version
    panel = show(rated.rated)
    panel.people.button.click()
    shown = panel.popover.shown
    assert f"冬季 · 安全, version {version}  林" in shown
    [taken_back] = [line for line in shown.splitlines() if line.endswith("taken back")]
    assert "拒绝" in taken_back
    assert "这个回答可能造成的危害有多大？ 4 严重" in shown
    assert "Flagged" in shown
    panel.show_history()
    assert f"冬季 · 安全, version {version}" in panel.popover.shown


def test_checks_repeats_skips_and_what_was_said_once_the_words_were_shown_are_marked(show, rated):
    panel = show(rated.checked)
    panel.show_people()
    shown = panel.popover.shown
    for mark in ("林, hidden repeat", "林, gold item", "林, trap item", "Expected: 5", "Skipped: The recording is broken",
                 "this one counts", "given once the words were shown"):  # fmt: skip
        assert mark in shown, mark


def test_a_hostile_note_is_shown_as_text(show, rated):
    panel = show(rated.rated)
    width = panel.people.width()
    panel.show_people()
    assert "Note: [RLO]evil <b>bold</b>" in panel.popover.shown
    assert "\u202e" not in panel.popover.shown
    assert panel.people.width() == width


def test_a_declaration_from_elsewhere_may_hold_anything(show, rated, qtbot):
    from dataclasses import replace

    panel = show(rated.rated)
    people = panel.detail.people
    for told in (
        {},
        {"scales": 3, "title": []},
        {"scales": [4, {"id": "safety", "steps": [None, {"value": "refused"}]}]},
    ):
        items = tuple(replace(item, declaration=told) for item in people.items)
        made = PeoplePanel()
        qtbot.addWidget(made)
        made.show_people(replace(people, items=items))
        assert "refused ×2" in made.said[0]


def test_reasons_of_skips_are_those_that_the_rating_screen_gives():
    assert REASONS == GIVEN_REASONS


def test_the_ready_filter_of_judge_against_people_stands_where_there_is_something_to_find():
    [preset] = [preset for preset in PRESETS if preset.needs_any]
    assert preset.id == "against_human"
