"""A system is asked from the Run screen: chosen, planned, started, queued, asked again; and systems are looked at."""

from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtCore import Qt

from engine.runs.driver import WORKERS, driving
from engine.runs.pool import WorkerState
from engine.runs.queue import waiting_runs
from engine.runs.request import WorkRequest
from engine.runs.respond import respond_workspace
from engine.store.answers import answers_of
from engine.store.failures import Trouble
from gui.run.following import Following
from gui.run.screen import make
from tests.engine.runs.made import with_benchmark
from tests.engine.runs.test_respond import asking, bad, null
from tests.gui.run.test_run_screen import Driven

JUDGE = WorkRequest(("judge", "score"))


@pytest.fixture
def screen(services, qtbot):
    following = Following(services)
    made = make(services)
    qtbot.addWidget(made)
    services.actions.belong_to(made)
    services.actions.enter("run")
    made.resize(1280, 720)
    made.show()
    yield Driven(made, qtbot)
    following.close()


@pytest.fixture
def asked(screen, workspace, open_here):
    """A benchmark of two subsets that nobody answered."""
    with_benchmark(workspace, "chinese_knowledge", "reasoning", count=4)
    open_here(workspace.folder)
    screen.wait(lambda: bool(screen.screen.ask.parts))
    return screen


def choose(screen, **choices):
    screen.screen.ask.choose(**choices)
    screen.wait(lambda: not screen.screen.ask.is_counting and screen.screen.ask.counted.plan is not None)


def open_ask(screen):
    screen.press(screen.screen._ask_first)
    screen.wait(lambda: screen.model.page == "ask")


def test_without_answers_a_system_can_be_asked_from_the_start(asked):
    assert asked.screen._pages.currentWidget() is asked.screen._no_answers
    open_ask(asked)
    choose(asked, system="null", settings="audio_s=0.1", subsets=frozenset({"vocalbench_zh/reasoning"}), limit=3)
    assert asked.screen.ask_panel.plan.texts[0] == "3 to ask"
    asked.press(asked.screen.ask_panel.start_button)
    asked.wait(lambda: asked.state == "done" and asked.model.page == "run")
    assert asked.model.state.step.phase.scored == 3
    head = asked.screen.panel.head
    assert head._marks["scored"].accessibleName() == "3 answered"
    assert asked.screen.panel.workers.texts[0].startswith("1 ended 3 done")
    asked.screen._show_ask()
    asked.wait(lambda: not asked.screen.ask.is_counting)
    assert asked.screen.ask_panel.plan.texts[0] == "Nothing is left to ask"
    assert not asked.screen.ask_panel.start_button.isEnabled()


def test_what_cannot_be_is_said_before_it_begins(asked):
    open_ask(asked)
    ask, panel = asked.screen.ask, asked.screen.ask_panel
    asked.screen.ask.choose(system="null", settings="audio_s")
    asked.wait(lambda: not ask.is_counting)
    assert "key=value" in panel.plan.texts[1]
    ask.choose(settings="", place="command")
    asked.wait(lambda: not ask.is_counting)
    assert "ssh gpu1" in panel.plan.texts[1]
    assert not panel.start_button.isEnabled()
    choose(asked, command="ssh gpu1 auricle worker")
    assert ask.request.commands == (("ssh", "gpu1", "auricle", "worker"),)
    choose(asked, place="local", system="qwen2_5_omni_7b")
    assert "Qwen2.5-Omni" in panel.plan.texts[2]


def test_runs_wait_for_their_turn_can_be_moved_and_removed_and_begin_by_themselves(asked, workspace, services):
    with driving(workspace, "work", JUDGE.told()):
        services.following.look()
        asked.wait(lambda: asked.state == "running")
        for name in ("reasoning", "chinese_knowledge"):
            asked.screen._show_ask()
            choose(asked, system="null", subsets=frozenset({f"vocalbench_zh/{name}"}))
            assert asked.screen.ask_panel.start_button.text() == "Add to the queue"
            before = len(asked.model.waiting)
            asked.press(asked.screen.ask_panel.start_button)
            asked.wait(lambda: len(asked.model.waiting) == before + 1)  # noqa: B023
        assert [row.accessibleName() for row in asked.screen.waiting.rows()] == [
            "ask null: Reasoning", "ask null: Chinese knowledge",
        ]  # fmt: skip
        assert not asked.screen.waiting.begin_button.isVisible()
        asked.press(asked.screen.waiting.rows()[1].sooner)
        asked.wait(lambda: asked.screen.waiting.rows()[0].accessibleName() == "ask null: Chinese knowledge")
        asked.press(asked.screen.waiting.rows()[1].leave)
        asked.wait(lambda: len(asked.screen.waiting.rows()) == 1)
    asked.wait(lambda: any(run.kind == "respond" and run.state == "done" for run in asked.model.runs))
    asked.wait(lambda: not asked.screen.waiting.isVisible())
    assert waiting_runs(workspace) == ()


def test_a_queue_whose_driver_is_gone_is_begun_by_hand(asked, workspace, services):
    from engine.runs.queue import enqueue

    enqueue(workspace, null(limit=2))
    services.following.look()
    asked.wait(lambda: asked.screen.waiting.begin_button.isVisibleTo(asked.screen.waiting))
    asked.model.begin_waiting()
    asked.wait(lambda: any(run.state == "done" for run in asked.model.runs))


def test_a_stopped_run_of_a_system_is_resumed_and_what_failed_is_asked_again(screen, workspace, open_here, finish):
    asking(workspace, "good", "raise", "die")
    request = bad()
    finish(respond_workspace(workspace, request))
    open_here(workspace.folder)
    screen.wait(lambda: screen.state == "done" and bool(screen.model.troubles))
    assert screen.screen.requeue_button.isVisible()
    trouble = next(trouble for trouble in screen.model.troubles if trouble.source == "answer")
    before = screen.model.selected
    screen.screen.panel.wrong.again_asked.emit(trouble)
    screen.wait(lambda: screen.model.selected != before and screen.state == "done")
    assert screen.model.state.run.settings["again"] is True
    assert screen.model.state.run.planned == 2
    with closing(workspace.connect()) as db:
        assert len(answers_of(db, "bad")) == 3


def test_the_log_is_shown_by_kind_at_the_place_with_what_the_worker_wrote(screen, workspace, open_here, finish):
    asking(workspace, "good", "raise", "die", "raise")
    finish(respond_workspace(workspace, bad()))
    open_here(workspace.folder)
    screen.wait(lambda: screen.state == "done" and bool(screen.model.troubles))
    log = screen.screen.panel.log
    screen.screen.panel.wrong.log_asked.emit(Trouble("answer", "failed", "systems.raised", "", (1,)))
    assert log.lines.rowCount() == 2
    assert log._chip.isVisible()
    assert "ZeroDivisionError" in log.lines.index(0).data(Qt.ItemDataRole.ToolTipRole)
    log.show_every_kind()
    assert log.lines.rowCount() >= 4
    log._filter.set_value("workers")
    log._on_filter("workers")
    screen.wait(lambda: log.lines.rowCount() > 0)
    assert any("made for a test" in line for line in log.lines.text().splitlines())


def test_workers_and_their_processors_are_shown_while_a_run_goes_on(asked, workspace, services):
    from engine.machine.computer import GpuUse

    with driving(workspace, "respond", null().told()) as drive:
        drive.workers = lambda: [WorkerState(0, "respond", 7, 0), WorkerState(1, "starting", 0, 2, "gpu1 12")]
        with drive.doing("respond", "respond", 10):
            drive.count(7)
            drive.tick()
            assert (drive.folder / WORKERS).exists()
            services.following.look()
            asked.wait(lambda: asked.model.state is not None and len(asked.model.state.workers) == 2)
            card = asked.screen.panel.workers
            assert card.texts[:2] == ["1 asking 7 done", "2 starting 0 done gpu1 12 · started again 2×"]
            asked.wait(lambda: asked.screen._gpus.use is not None)
            card.show_gpus((GpuUse(0, "NVIDIA H200", 12.4, 150.8, 0.37),))
            assert card.texts[2] == "GPU 0  NVIDIA H200 12.4 of 151 GB · 37 % busy"
            card.show_gpus(())
            assert card.texts[-1] == "No GPU here."


def test_systems_are_listed_with_what_they_lack_one_is_tried_and_asked(asked, qtbot):
    asked.press(asked.screen._ask_first)
    qtbot.keyClick(asked.screen, Qt.Key.Key_S, Qt.KeyboardModifier.ShiftModifier)
    asked.wait(lambda: bool(asked.screen.systems.rows))
    page = asked.screen.systems_page
    rows = asked.screen.systems.rows
    place = next(n for n, row in enumerate(rows) if row.system.id == "null")
    page.table.setCurrentIndex(page.table.facts.index(place, 0))
    assert page.selected == "null"
    asked.press(page.test_button)
    asked.wait(lambda: asked.screen.systems.went_well is True and not asked.screen.systems.is_trying)
    assert "ready after" in page.trial.toPlainText()
    lacking = next(n for n, row in enumerate(rows) if row.system.kind == "omni")
    page.table.setCurrentIndex(page.table.facts.index(lacking, 0))
    assert page.lacks.sentence()
    page.table.setCurrentIndex(page.table.facts.index(place, 0))
    asked.press(page.ask_button)
    asked.wait(lambda: asked.model.page == "ask" and asked.screen.ask.system == "null")


def test_a_trial_is_stopped_with_its_process(asked):
    model = asked.screen.systems
    model.try_system("null")
    model.stop_trial()
    asked.wait(lambda: not model.is_trying)
    assert model.went_well is None


def test_all_pages_are_drawn_in_both_languages_themes_and_sizes(asked, services):
    from gui.theme import set_theme

    asked.screen._show_systems()
    asked.wait(lambda: bool(asked.screen.systems.rows))
    for theme in ("light", "dark"):
        set_theme(theme)
        for language in ("en", "zh"):
            services.words.use(language)
            for width, height in ((1600, 860), (1286, 700), (740, 400)):
                asked.screen.resize(width, height)
                for show in (asked.screen._show_ask, asked.screen._show_systems):
                    show()
                    assert not asked.screen.grab().isNull()


def test_everything_that_can_be_pressed_has_a_name_and_a_tip(asked):
    from PySide6.QtWidgets import QAbstractButton

    asked.screen._show_systems()
    asked.wait(lambda: bool(asked.screen.systems.rows))
    for show in (asked.screen._show_ask, asked.screen._show_systems):
        show()
        for button in asked.screen.findChildren(QAbstractButton):
            if button.isVisible():
                assert button.toolTip(), button.text()
                assert button.accessibleName() or button.text()


def test_a_page_that_was_asked_for_stays_when_the_runs_are_first_listed(screen, workspace, open_here, finish, services):
    with_benchmark(workspace, count=2)
    finish(respond_workspace(workspace, null()))
    open_here(workspace.folder)
    screen.wait(lambda: services.workspace.current is not None)
    screen.screen._show_systems()
    screen.wait(lambda: bool(screen.model.runs) and bool(screen.screen.systems.rows))
    assert screen.model.page == "systems"
