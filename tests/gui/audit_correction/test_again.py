"""Chosen answers go to a new run, and what it flipped is shown, opened and chosen between."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from engine.query.selection import Selection
from engine.runs.before import rederive
from engine.runs.driver import driving
from engine.runs.imports import take_responses
from engine.runs.scope import brief, keep_chosen
from engine.store.makers import Maker, maker_id
from engine.store.plans import Chosen, Scope
from engine.store.results import JudgementRow, put_judgements
from engine.store.transaction import transaction
from gui.audit.correction.again import Again
from gui.run.following import Following
from gui.run.screen import make
from tests.engine.runs.made import response, with_benchmark


@pytest.fixture
def judged(workspace, finish):
    """Four single-round answers that one judge gave 4."""
    with_benchmark(workspace, "single_round")
    answers = [response(n, f"第{n}首", "single_round") for n in range(4)]
    finish(take_responses(workspace, "vocalbench_zh", "s", answers))
    judge(workspace, "first", 4, (1, 2, 3, 4))
    return workspace


def judge(workspace, model, score, ids):
    """A run whose judge gives each of some answers the same score, nobody being asked."""
    scope = Scope(chosen=Chosen(ids=ids))
    with driving(workspace, "judge", {"scope": brief(scope).told()}) as drive:
        keep_chosen(scope, drive.folder)
        with transaction(drive.db):
            settings = {"judge": "single_round", "language": "zh"}
            maker = maker_id(drive.db, Maker("judge", model, settings=settings, rubric_sha256="a" * 64))
            put_judgements(drive.db, maker, [JudgementRow(n, "single_round", "scored", None, score) for n in ids])
            rederive(drive, ids)


@pytest.fixture
def screen(services, open_here, judged, qtbot):
    """The Run screen on that workspace."""
    following = Following(services)
    made = make(services)
    qtbot.addWidget(made)
    services.actions.belong_to(made)
    services.actions.enter("run")
    made.resize(1280, 720)
    made.show()
    open_here(judged.folder)
    qtbot.waitUntil(lambda: bool(made.new.sizes) and made.model.state is not None)
    yield made
    following.close()
    qtbot.waitUntil(lambda: not services.jobs.running)


class Choosing:
    """Stands for the table of Audit."""

    def __init__(self, chosen, count):
        self.chosen, self.chosen_count = chosen, count


def test_the_chosen_go_to_the_run_screen_with_what_is_wanted(services):
    again = Again(services, Choosing(Selection(ids=(1, 2)), 2))
    again.measure()
    again.judge()
    assert services.asked.gone == [
        ("run", Selection(ids=(1, 2), purpose="measure")),
        ("run", Selection(ids=(1, 2), purpose="judge")),
    ]
    Again.measure(_with(again, Choosing(Selection(), 0)))
    assert services.asked.said[-1][0] == "No answer is chosen."
    again.button.deleteLater()


def test_the_tip_tells_how_several_are_chosen_by_keyboard(services):
    services.actions.add("audit.choose", "X", print, screen="audit")
    services.actions.add("audit.choose_all", "Ctrl+A", print, screen="audit")
    again = Again(services, Choosing(Selection(), 0))
    assert "Shift+Down, or Alt+Down and X; all: Ctrl+A" in again.button.toolTip()
    again.button.deleteLater()


def _with(again, choosing):
    again._choosing = choosing
    return again


def test_a_selection_stands_as_the_scope_and_can_be_taken_away(screen, services, qtbot):
    settled = lambda: screen.new.plan is not None and not screen.new.is_counting  # noqa: E731
    services.settings.set("endpoints", [{"name": "n", "base_url": "http://127.0.0.1:9/v1", "model": "second"}])
    screen.take(Selection("score>3", (1, 3), "judge"))
    panel = screen.new_panel
    panel.judge.setCurrentIndex(1)
    qtbot.waitUntil(settled)
    assert screen.model.page == "new"
    assert [name for name, box in panel.steps.items() if box.isChecked()] == ["judge", "score"]
    assert panel.chosen.isVisible()
    assert "2 answers: score>3" in panel.chosen.accessibleName()
    assert screen.new.plan.calls.calls == 2
    assert screen.new.request.scope == Scope(chosen=Chosen("score>3", "corrected", (1, 3)))
    panel.repeats.setCurrentIndex(1)
    panel.rubric.setCurrentIndex(2)
    qtbot.waitUntil(settled)
    assert screen.new.plan.calls.calls == 6
    assert (screen.new.request.judging.language, screen.new.request.judging.repeats) == ("en", (0, 1, 2))
    panel.chosen.removed.emit()
    qtbot.waitUntil(settled)
    assert not panel.chosen.isVisible()
    assert (screen.new.request.scope, screen.new.request.judging.repeats) == (Scope(), (0,))


def test_measuring_again_offers_the_recogniser_and_its_beam(screen, qtbot):
    screen.take(Selection(ids=(1,), purpose="measure"))
    panel = screen.new_panel
    qtbot.waitUntil(lambda: not screen.new.is_counting)
    assert [name for name, box in panel.steps.items() if box.isChecked()] == ["recognise", "measure", "score"]
    panel.beam.setCurrentIndex(0)
    assert screen.new.request.measuring.recogniser.beam_size == 1
    screen._ask_for_new()
    assert screen.new.chosen is None
    assert screen.new.request.measuring.recogniser.beam_size == 5


def test_a_filter_that_finds_nothing_says_so_where_the_run_is_put_together(screen, qtbot):
    screen.take(Selection("score>9", purpose="judge"))
    qtbot.waitUntil(lambda: screen.new.error is not None)
    assert "nothing here passes score>9" in screen.new_panel.error.sentence()


def test_what_flipped_is_shown_opened_and_either_side_is_let_count(screen, services, judged, qtbot):
    card = screen.panel.flipped
    assert card.isHidden()  # the first run met nothing
    judge(judged, "second", 2.0, (2, 4))
    services.following.look()
    qtbot.waitUntil(lambda: len(screen.model.runs) == 2)
    screen.model.select(screen.model.runs[0].id)
    qtbot.waitUntil(lambda: screen.model.flipped is not None)
    assert card.isVisible()
    assert card.texts[0] == "text: scores: 0 up, 2 down, 2"
    assert card.texts[1].startswith("first (rubric")
    assert card.texts[1].endswith("the newest counts")
    screen.panel.flipped.open_asked.emit(screen.model.flipped.groups[0])
    assert services.asked.gone[-1] == ("audit", Selection(ids=(2, 4)))
    for side, said, value in (("before", "the earlier ones were", 4.0), ("after", "the new ones were", 2.0)):
        before = screen.model.flipped
        qtbot.mouseClick(card.count_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda before=before: screen.model.flipped is not before)
        qtbot.waitUntil(lambda: not services.jobs.running)
        assert screen.model.flipped.counts == side
        assert said in card.texts[1]
        db = judged.connect()
        assert db.execute("SELECT corrected_score FROM audit_row WHERE response_id = 2").fetchone()[0] == value
        db.close()


def test_results_beside_those_chosen_to_count_say_what_would_flip(screen, services, judged, finish, qtbot):
    from engine.scoring.counting import let_count
    from engine.store.choices import choosable

    db = judged.connect(durable=True)
    finish(let_count(db, [choosable(db)[0].key]))
    db.close()
    judge(judged, "second", 5.0, (2,))
    services.following.look()
    qtbot.waitUntil(lambda: len(screen.model.runs) == 2)
    screen.model.select(screen.model.runs[0].id)
    qtbot.waitUntil(lambda: screen.model.flipped is not None)
    assert (screen.model.flipped.would, screen.model.flipped.counts) == (True, "before")
    assert screen.panel.flipped.texts[0] == "text: scores: 1 up, 0 down, 1"
