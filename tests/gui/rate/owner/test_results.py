"""Results and raters: sealed until the reveal, figures as worked out by hand, rules of screening."""

from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtCore import Qt

from engine.rating.exchange.reading import read_ratings
from engine.rating.exchange.take import take_ratings
from engine.rating.result_values import TOGETHER
from engine.store.studies import disclose
from gui.rate.outcome import reckoned
from gui.rate.step_bars import StepBars
from gui.rate.whiskers import Whisker, Whiskers
from gui.strings import words
from tests.engine.rating.asked import SYSTEMS

ONE, OTHER = SYSTEMS[:2]


@pytest.fixture
def of_system(answered):
    with closing(answered.connect()) as db:
        found = db.execute("SELECT response.id, system.name FROM response JOIN system ON system.id = system_id")
        return dict(map(tuple, found.fetchall()))


@pytest.fixture
def rated(answered, study_of_all, rate, of_system):
    """The one system always gets 4, the other 2; both raters say the same, all twelve questions."""
    study = study_of_all()
    rate(study, lambda entry, _: {"empathy_semantic": 4 if of_system[entry.response_id] == ONE else 2})
    return study


def revealed(answered, study):
    with closing(answered.connect(durable=True)) as db:
        disclose(db, study, "all in")


@pytest.fixture
def results(owner, answered, rated, open_here):
    """On the results of the study."""
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    owner.screen.show_part("results")
    owner.wait(lambda: owner.screen.results.outcome is not None)
    owner.rest()
    return owner


def page(owner, part="results"):
    return owner.screen.study._areas[part].widget()


def test_while_letters_are_sealed_nothing_is_said_of_a_system(results, finish, answered, rated):
    outcome = results.screen.results.outcome
    scale = outcome.results.scales[0]
    assert [system.system for system in scale.systems] == [TOGETHER]
    assert scale.systems[0].mean.value == 3.0  # half 4, half 2
    assert (scale.items, scale.differences) == ((), ())
    shown = page(results)
    assert "all systems are shown together" in shown.sealed.sentence()
    panel = shown.scales[0]
    said = " ".join((panel.whiskers.accessibleDescription(), panel.agreement.text(), panel.counts.text()))
    assert "All systems together: 3.00" in said
    assert not any(name in said for name in SYSTEMS)
    assert not panel.cards["systems"].isVisible()


def test_agreement_is_the_first_sentence_and_a_histogram_stands_beside(results):
    panel = page(results).scales[0]
    assert panel.agreement.text().startswith("2 raters, 12 items: alpha 1.00")
    assert panel.counts.text() == "48 asked: 48 rated, 0 skipped, 0 missing"
    assert "Hardly any: 24" in panel.bars.accessibleDescription()
    assert "Understanding: 24" in panel.bars.accessibleDescription()


def test_once_revealed_each_system_stands_with_its_interval_and_their_difference(results, answered, rated):
    revealed(answered, rated)
    results.model.look()
    results.wait(lambda: results.screen.results.outcome is not None and not results.screen.results.outcome.is_sealed)
    results.rest()
    panel = page(results).scales[0]
    assert page(results).sealed.sentence() == ""
    assert f"{ONE}: 4.00" in panel.whiskers.accessibleDescription()
    facts = panel.tables["systems"].facts
    assert [facts.index(row, 0).data() for row in range(2)] == sorted((ONE, OTHER))
    assert [facts.index(row, 1).data() for row in range(2)] == ["24", "24"]
    difference = panel.tables["differences"].facts
    assert difference.index(0, 1).data().startswith("2.00" if ONE < OTHER else "−2.00")
    # rings: with one rater left out the mean is the same here
    assert facts.index(0, facts.columnCount() - 1).data() in ("4.00 to 4.00", "2.00 to 2.00")


def test_ratings_that_a_table_brought_stand_by_system_and_have_no_letters_to_reveal(
    owner, answered, of_system, open_here, finish, tmp_path
):
    path = tmp_path / "theirs.csv"
    rows = [f"{who},emotion-{n:04d},emotion,tone,{4 if name == ONE else 2},{name}"
            for who in "AB" for n in range(12) for name in SYSTEMS[:2]]  # fmt: skip
    path.write_text("\n".join(["rater,Qid,subset,scale,value,system", *rows]))
    finish(take_ratings(answered, path, finish(read_ratings(path)).ratings, title="Theirs"))
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    letters = owner.overview.letters
    assert letters.sentence.text().startswith("The ratings were given elsewhere")
    assert not letters.reveal_button.isVisible()
    owner.screen.show_part("results")
    owner.wait(lambda: owner.screen.results.outcome is not None)
    owner.rest()
    assert page(owner).sealed.sentence() == ""
    assert f"{ONE}: 4.00" in page(owner).scales[0].whiskers.accessibleDescription()


def test_raters_stand_with_their_figures_and_the_rules(results):
    results.screen.show_part("quality")
    results.rest()
    shown = page(results, "quality")
    assert shown.sentence.text().startswith("Nobody is set aside by the rules of the protocol. Too few for")
    assert shown.table.facts.rowCount() == 2
    assert shown.table.facts.index(0, 2).data() == "+0.00"  # no bias: both said the same
    assert shown.rule_table.facts.rowCount() >= 2
    assert not shown.both.isVisible()  # with and without would be the same


def test_who_is_set_aside_is_told_and_what_comes_of_it(owner, answered, study_of_all, rate, of_system, open_here):
    def value(entry, session):
        right = 4 if of_system[entry.response_id] == ONE else 2
        return {"empathy_semantic": 3 if session.rater_name == "rater 2" else right}  # always the same step

    rate(study_of_all(), value)
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    owner.screen.show_part("quality")
    owner.wait(lambda: owner.screen.results.outcome is not None)
    owner.rest()
    shown = page(owner, "quality")
    assert shown.sentence.text().startswith("Set aside: rater 2, for variance 0.00")
    assert shown.table.facts.index(1, 0).data() == "rater 2 (set aside)"
    assert shown._both.text().startswith("All systems together: 3.00")


def test_results_say_at_the_top_who_is_set_aside_and_show_the_figures_without_them(
    owner, answered, study_of_all, rate, of_system, open_here
):
    def value(entry, session):
        right = 4 if of_system[entry.response_id] == ONE else 1
        return {"empathy_semantic": 3 if session.rater_name == "rater 2" else right}  # always the same step

    rate(study_of_all(), value)
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    owner.screen.show_part("results")
    owner.wait(lambda: owner.screen.results.outcome is not None)
    owner.rest()
    shown = page(owner)
    told = "Set aside by the rules: rater 2. These figures "
    assert shown.aside.sentence() == told + "still include them."
    assert "All systems together: 2.75" in shown.scales[0].whiskers.accessibleDescription()  # (3 + (4 + 1) / 2) / 2
    owner.press(shown.aside._button)
    assert shown.aside.sentence() == told + "leave them out."
    assert "All systems together: 2.50" in shown.scales[0].whiskers.accessibleDescription()
    assert shown.basis.text().startswith("One rater.")
    words.use("zh")
    owner.rest()
    assert shown.aside.sentence() == "按筛查规则被搁置：rater 2。下面的数字不含被搁置的评分。"
    owner.key(Qt.Key.Key_W)
    assert "2.75" in shown.scales[0].whiskers.accessibleDescription()


def test_where_nobody_is_set_aside_results_say_nothing_of_it(results):
    assert not page(results).aside.isVisible()


def test_of_a_choice_every_step_stands_for_every_system(owner, answered, study_of_all, rate, of_system, open_here):
    study = study_of_all("empathy_acoustic")

    def value(entry, _):
        return {"empathy_acoustic": 3, "emotion_heard": "neutral" if of_system[entry.response_id] == ONE else "sad"}

    rate(study, value)
    revealed(answered, study)
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    owner.screen.show_part("results")
    owner.wait(lambda: owner.screen.results.outcome is not None)
    owner.rest()
    panel = page(owner).scales[1]
    facts = panel.tables["steps"].facts
    assert panel.cards["steps"].isVisible()
    shares = {
        facts.index(row, 0).data(): [facts.index(row, column).data().split()[0] for column in (1, 2)]
        for row in range(facts.rowCount())
    }
    assert shares == {
        "Angry": ["0.0", "0.0"],
        "Happy": ["0.0", "0.0"],
        "Neutral": ["100.0", "0.0"],
        "Sad": ["0.0", "100.0"],
        "Surprised": ["0.0", "0.0"],
    }
    assert not panel.means.isVisible()  # no step is before the others


def test_both_languages_say_it(results):
    words.use("zh")
    results.rest()
    assert page(results).scales[0].agreement.text().startswith("2 位评分者，12 个样例")


def test_comparisons_show_the_order_before_and_strengths_after_the_reveal(
    owner, answered, study_of_all, rate, open_here
):
    study = study_of_all("preference")
    rate(study, lambda *_: {"preference": "first"})
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    owner.screen.show_part("results")
    owner.wait(lambda: owner.screen.results.outcome is not None)
    owner.rest()
    panel = page(owner).scales[0]
    assert panel.order.text().startswith("What was heard first was better 24 times")
    assert not panel.strengths.isVisible()
    revealed(answered, study)
    owner.model.look()
    owner.wait(lambda: not owner.screen.results.outcome.is_sealed)
    owner.rest()
    assert panel.strengths.isVisible()
    assert panel.tables["comparison"].facts.rowCount() == 1


def test_a_study_nobody_has_rated_says_so(owner, answered, study_of_all, open_here):
    study_of_all()
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    owner.screen.show_part("results")
    owner.wait(lambda: owner.screen.results.outcome is not None)
    owner.rest()
    assert page(owner).nothing.isVisible()


def test_the_same_study_reckoned_twice_gives_the_same(answered, rated, finish):
    with closing(answered.connect()) as db:
        protocol = db.execute("SELECT protocol_id FROM session").fetchone()[0]
    one, other = (finish(reckoned(answered, rated, protocol, "Owner")) for _ in range(2))
    assert one.results.declaration() == other.results.declaration()


def test_whiskers_and_bars_draw_nothing_and_everything(qtbot):
    whiskers, bars = Whiskers(), StepBars()
    for widget in (whiskers, bars):
        qtbot.addWidget(widget)
        widget.resize(500, 200)
    nan = float("nan")
    rows = [
        Whisker("one", "n 3", "3.10", 3.1, 2.0, 4.0, (2.9, 3.3)),
        Whisker("two", "", "—", nan),
        Whisker("three", "", "9", 9.0),
    ]
    whiskers.show_rows(rows, (1.0, 3.0, 5.0), "means")
    bars.show_steps((), "steps")
    assert not whiskers.grab().isNull()
    assert not bars.grab().isNull()
    assert "one: 3.10, n 3" in whiskers.accessibleDescription()


def test_enter_on_an_item_or_a_system_opens_its_answers_in_audit(results, answered, rated, of_system):
    revealed(answered, rated)
    results.model.look()
    results.wait(lambda: results.screen.results.outcome is not None and not results.screen.results.outcome.is_sealed)
    results.rest()
    tables = page(results).scales[0].tables
    assert tables["items"].facts.rowCount() == 24
    tables["items"].opened.emit(0)
    results.wait(lambda: bool(results.services.asked.gone))
    screen, selection = results.services.asked.gone.pop()
    assert (screen, len(selection.ids)) == ("audit", 1)
    tables["systems"].opened.emit(0)
    results.wait(lambda: bool(results.services.asked.gone))
    _, selection = results.services.asked.gone.pop()
    assert {of_system[number] for number in selection.ids} == {min(ONE, OTHER)}
