"""The Run screen as a user meets it: nothing there, a plan, a run of its own, stopped, resumed, what went wrong."""

from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtCore import Qt

from engine.judges.endpoint import Endpoint
from engine.query.selection import Selection
from engine.runs.driver import driving
from engine.runs.imports import take_responses
from engine.runs.judge_plan import JudgeOptions
from engine.runs.launch import launch, started
from engine.runs.request import WorkRequest
from engine.runs.work import work_workspace
from engine.store.plans import Scope
from engine.store.workspace import open_workspace
from gui.run.following import Following
from gui.run.screen import make
from tests.engine.judges.server import Server
from tests.engine.runs.made import response, with_benchmark

JUDGE = WorkRequest(("judge", "score"))


class Driven:
    """Speaks to the screen in the user's words."""

    def __init__(self, screen, qtbot):
        self.screen, self._qtbot = screen, qtbot
        self.model, self.new = screen.model, screen.new

    def press(self, button):
        assert button.isEnabled()
        self._qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def wait(self, condition):
        self._qtbot.waitUntil(condition, timeout=30_000)

    def ask_for_new(self):
        self.press(self.screen.new_button if self.screen.new_button.isVisible() else self.screen._empty_new)
        self.wait(lambda: self.new.plan is not None and not self.new.is_counting)

    def step(self, name, on):
        self.screen.new_panel.steps[name].setChecked(on)
        self.wait(lambda: not self.new.is_counting)

    @property
    def plan(self):
        return self.screen.new_panel.plan.texts

    @property
    def state(self):
        return self.model.state.state if self.model.state is not None else None


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
def opened(screen, answered, open_here):
    open_here(answered.folder)
    screen.wait(lambda: bool(screen.new.sizes))
    return screen


def test_without_a_workspace_it_says_where_to_go(services, screen):
    assert screen.model.page == "no_workspace"
    assert not screen.screen.new_button.isVisible()
    screen.press(screen.screen._to_library)
    assert services.asked.gone == [("library", None)]


def test_a_workspace_without_runs_offers_the_first(opened):
    assert opened.model.page == "empty"
    opened.ask_for_new()
    assert opened.model.page == "new"


def test_the_plan_follows_every_choice(opened):
    opened.ask_for_new()
    opened.step("recognise", False)
    opened.step("measure", False)
    assert opened.plan[0].startswith("4 answers to compare by words")
    assert "Answers that need a judge, and none is chosen: 6." in opened.plan[-1]
    opened.screen.new_panel.systems.entries.toggle(0)
    opened.wait(lambda: not opened.new.is_counting and opened.new.plan.words == 2)
    assert opened.new.request.scope == Scope(("two",))
    opened.screen.new_panel._tick_none()
    opened.wait(lambda: not opened.new.is_counting)
    assert "Choose at least one system and one subset." in opened.plan
    assert not opened.screen.new_panel.start_button.isEnabled()


def test_a_run_is_started_apart_followed_to_its_end_and_nothing_is_left_to_do(opened, qtbot):
    opened.ask_for_new()
    opened.step("recognise", False)
    opened.step("measure", False)
    qtbot.keyClick(opened.screen, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    opened.wait(lambda: opened.model.page == "run" and opened.state == "done")
    assert [row[0] for row in opened.screen.panel.head.steps.texts] == ["Judge", "Score"]
    assert opened.screen.panel.head.texts[0] == f"Run {opened.model.selected} · done: 100 %"
    opened.ask_for_new()
    opened.step("recognise", False)
    opened.step("measure", False)
    assert "Nothing is left to do: all of this was done already." in opened.plan
    assert not opened.screen.new_panel.start_button.isEnabled()


def test_a_run_of_somebody_else_is_followed_and_can_be_stopped(opened, answered, services):
    with driving(answered, "work", JUDGE.told()) as drive:
        services.following.look()
        opened.wait(lambda: opened.state == "running")
        with drive.doing("judge", "words", 4):
            drive.count(3)
            drive.wrote(3)
            services.following.look()
            opened.wait(lambda: opened.model.state.share == 0.75)
            assert "75 %" in opened.screen.panel.head.texts[0]
            assert not opened.screen.resume_button.isVisible()
            opened.press(opened.screen.stop_button)
            opened.wait(lambda: opened.state == "stopping")
            assert drive.is_asked_to_stop()
            opened.screen._ask_for_new()
            assert f"Run {drive.run_id} is going on" in opened.screen.new_panel.error.sentence()
            assert opened.screen.new_panel.start_button.text() == "Add to the queue"


def test_a_stopped_run_is_resumed_by_asking_for_the_same(opened, answered, services, finish):
    request = WorkRequest(("judge",), Scope(("one",)))
    work = work_workspace(answered, request)
    next(work)
    work.close()
    services.following.look()
    opened.wait(lambda: opened.state == "cancelled")
    stopped = opened.model.selected
    opened.press(opened.screen.resume_button)
    opened.wait(lambda: opened.model.selected != stopped and opened.state == "done")
    assert opened.model.state.run.settings["scope"]["systems"] == ["one"]


def test_what_went_wrong_is_opened_in_audit_and_asked_again(opened, answered, services, finish):
    with Server(lambda body, count: "说不清" if count == 1 else "得分：[4]\n判断：正确") as server:
        options = JudgeOptions(Endpoint(server.base_url, "m", concurrency=1, max_concurrency=1))
        finish(started(answered, launch(answered, WorkRequest(("judge",), judging=options))))
        services.following.look()
        opened.wait(lambda: opened.state == "done")
        opened.wait(lambda: any(t.source == "judge" for t in opened.model.troubles))
        trouble = next(t for t in opened.model.troubles if t.source == "judge")
        opened.screen.panel.wrong.open_asked.emit(trouble)
        assert services.asked.gone == [("audit", Selection(ids=trouble.response_ids))]
        before = opened.model.selected
        opened.screen.panel.wrong.again_asked.emit(trouble)
        opened.wait(lambda: opened.model.selected != before and opened.state == "done")
        assert opened.model.state.steps[0].phase.scored == 1


def test_a_workspace_without_answers_says_so(services, screen, open_here, workspace):
    open_here(workspace.folder)
    screen.wait(lambda: screen.new.is_empty)
    assert screen.screen._pages.currentWidget() is screen.screen._no_answers
    assert not screen.screen.new_button.isVisible()


def test_an_error_of_the_start_is_said_where_the_user_looks(screen, open_here, workspace):
    open_here(workspace.folder)
    screen.wait(lambda: screen.model.page == "empty")
    screen.model.start(JUDGE)
    screen.wait(lambda: screen.model.error is not None)
    assert "There are no answers to work on" in screen.screen.error.sentence()
    open_here(open_workspace(workspace.folder.parent / "other", create=True).folder)
    assert screen.screen.error.sentence() == ""


def test_a_judge_of_the_settings_is_offered_with_its_price(opened, services):
    judge = {"name": "local 7b", "base_url": "http://127.0.0.1:9/v1", "model": "m", "price_in": 1.0, "price_out": 2.0}
    services.settings.set("endpoints", [judge, {"name": "broken", "base_url": "nowhere", "model": "x"}])
    opened.ask_for_new()
    panel = opened.screen.new_panel
    assert [panel.judge.itemText(n) for n in range(panel.judge.count())] == ["None: words only", "local 7b"]
    assert not panel.budget.isEnabled()
    panel.judge.setCurrentIndex(1)
    panel.budget.setText("0.000001")
    opened.wait(lambda: not opened.new.is_counting and opened.new.plan.calls.calls == 6)
    assert "calls to the judge at most" in " ".join(opened.plan)
    assert "USD" in opened.plan[-1]
    assert "More than the budget" in opened.plan[-1]
    assert opened.new.request.judging.budget.money == pytest.approx(1e-6)
    panel.budget.setText("a lot")
    assert panel.budget.property("error") == "true"


def test_both_languages_themes_and_sizes_are_drawn(opened, answered, services, finish):
    from gui.theme import set_theme

    finish(work_workspace(answered, JUDGE))
    services.following.look()
    opened.wait(lambda: opened.state == "done")
    for theme in ("light", "dark"):
        set_theme(theme)
        for language in ("en", "zh"):
            services.words.use(language)
            for width, height in ((1600, 860), (1286, 700), (740, 400)):
                opened.screen.resize(width, height)
                for page in (opened.model.leave_new, opened.screen._ask_for_new):
                    page()
                    assert not opened.screen.grab().isNull()
    opened.screen.resize(740, 400)
    opened.model.leave_new()
    assert opened.screen.panel.width() <= opened.screen._page_of["run"].viewport().width()


def test_everything_that_can_be_pressed_has_a_name_and_a_tip(opened, answered, services, finish):
    from PySide6.QtWidgets import QAbstractButton

    finish(work_workspace(answered, JUDGE))
    services.following.look()
    opened.wait(lambda: opened.state == "done")
    for page in (opened.model.leave_new, opened.screen._ask_for_new):
        page()
        for button in opened.screen.findChildren(QAbstractButton):
            if button.isVisible():
                assert button.toolTip()
                assert button.accessibleName() or button.text()


def test_hostile_names_change_nothing(screen, workspace, finish, open_here):
    with_benchmark(workspace)
    for system in ("\u202eesrever", "x" * 5000, "<b>bold</b>"):
        finish(take_responses(workspace, "vocalbench_zh", system, [response(0, "少林")]))
    finish(work_workspace(workspace, WorkRequest(("judge",), Scope(("x" * 5000,)))))
    open_here(workspace.folder)
    screen.wait(lambda: screen.state == "done" and len(screen.new.sizes) == 3)
    screen.ask_for_new()
    assert screen.screen.width() == 1280
    assert not screen.screen.grab().isNull()


def test_a_workspace_without_runs_offers_to_ask_a_system_too(opened):
    opened.press(opened.screen._empty_ask)
    assert opened.model.page == "ask"


def test_of_chosen_answers_only_their_systems_and_subsets_are_listed(opened, answered):
    with closing(answered.connect()) as db:
        (one,) = db.execute("SELECT MIN(id) FROM response WHERE current = 1").fetchone()
    opened.screen.take(Selection("", (one,)))
    opened.wait(lambda: len(opened.new.sizes) == 1 and not opened.new.is_counting)
    panel = opened.screen.new_panel
    assert [list(found.values()) for found in (opened.new.all_systems, opened.new.all_subsets)] == [[1], [1]]
    assert panel.systems.entries.rowCount() == panel.subsets.entries.rowCount() == 1
    assert "1 answer" in panel.chosen.accessibleName()
    assert "1 answers" not in panel.chosen.accessibleName()
    opened.new.leave_chosen()
    opened.wait(lambda: len(opened.new.sizes) > 1)
    assert panel.systems.entries.rowCount() > 1


def test_a_run_too_short_to_draw_says_so(opened):
    opened.ask_for_new()
    opened.step("recognise", False)
    opened.step("measure", False)
    opened.press(opened.screen.new_panel.start_button)
    opened.wait(lambda: opened.model.page == "run" and opened.state == "done")
    assert opened.screen.panel.rate.chart.none == "The run was too short to draw."
