"""The lists of the Run screen by themselves: runs, log lines, things to tick; and how figures are worded."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from PySide6.QtCore import QPoint, Qt

from engine.clock import utc_text
from engine.errors import EngineError
from engine.runs.told import LogLine
from engine.store.runs import RunRow
from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Abilities
from gui.run import wording
from gui.run.log_card import LogCard, LogModel
from gui.run.run_list import TIME_ROLE, RunListModel
from gui.strings import words
from gui.widgets.check_list import CheckList, CheckListModel


def run(number=1, state="done", message="", done=38, planned=100, **settings):
    return RunRow(number, "work", settings, state, planned, done, 0, message, 7, utc_text(), utc_text())


def line(event="written", level="", **values):
    return LogLine("2026-11-30T14:11:52.000000Z", "judge", event, level, values)


def bad(number):
    return line("judged_badly", "unparsable", place=f"safety/{number}", code="judges.no_verdict", reason="")


def test_the_list_of_runs_is_a_sound_model(qtmodeltester):
    model = RunListModel()
    model.set_runs([run(2, "running"), run(1)])
    qtmodeltester.check(model)
    model.set_left(2, "6 min left")
    assert [model.index(row).data() for row in range(2)] == ["Run 2", "Run 1"]
    assert model.index(0).data(TIME_ROLE) == "6 min left"


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (run(scope={"systems": ["a", "b"]}), "a, b"),
        (run(scope={"subsets": ["safety"]}), "all systems, Safety alignment"),
        (run(state="cancelled"), "stopped by you at 38 %, can resume"),
        (run(state="stopped", message=EngineError("runs.driver_died")), "broke off at 38 %, can resume"),
        (run(message=EngineError("runs.budget_reached", spent="20.00", budget="20.00")), "budget reached: 20.00 of 20.00"),
        (run(state="failed", message=EngineError("runs.no_such_run", run=3)), "There is no run 3 in this workspace."),
        (run(state="failed", message="ValueError('x')"), "Auricle itself failed here: ValueError('x')"),
    ],
)  # fmt: skip
def test_the_line_under_a_run_says_what_it_is_about_or_why_it_ended(row, says):
    assert wording.list_line(row) == says


def test_log_lines_are_a_sound_model_newest_first(qtmodeltester):
    model = LogModel()
    model.set_lines([line(count=200, done=200, total=400), bad(1)])
    qtmodeltester.check(model)
    assert model.index(0).data().endswith("judge safety/1: Reply has no verdict")
    model.set_lines([line(count=200, done=200, total=400), bad(1), bad(2)])
    assert model.rowCount() == 3
    assert model.text().splitlines()[0].endswith("batch of 200 written, 200 of 400")


def test_the_log_shows_all_or_only_problems_and_copies_what_it_shows(qtbot):
    card = LogCard()
    qtbot.addWidget(card)
    card.show_lines((line(count=1, done=1, total=1), bad(1)))
    assert card.copy() == 2
    card._filter.set_value("problems")
    card._on_filter("problems")
    assert card.lines.rowCount() == 1


def test_every_event_of_a_driver_has_words_in_both_languages():
    told = [
        line("began", process=1), bad(1), line("limit_raised", before=2, at_once=4), line("floors", floors=[]), line("flips", answers=2, groups=[], pairs=[]),
        line("item_failed", "failed", place="a/b", code="audio.empty_file"), line("scores", figures=[1, 2]),
        line("pushed_back", "warning", status=429, wait_s=8.0, before=32, at_once=16),
        line("pushed_back", "warning", status=0, wait_s=None, before=32, at_once=16),
        line("worker_restarted", "warning", ending="exit code 137", count=1),
        line("ended", state="done", message=None),
        line("ended", "failed", state="failed", message="x", code="runs.no_such_run", values={"run": 1}),
    ]  # fmt: skip
    for language in ("en", "zh"):
        words.use(language)
        assert all(wording.log_text(entry) != entry.event for entry in told)
        assert all("{" not in wording.log_text(entry) for entry in told)


def test_things_to_tick_are_a_sound_model_and_answer_to_keys(qtmodeltester, qtbot):
    model = CheckListModel()
    model.set_entries([("a", "A", "1"), ("b", "B", "2")], {"a"})
    qtmodeltester.check(model)
    view = CheckList("systems")
    qtbot.addWidget(view)
    view.entries.set_entries([("a", "A", "1"), ("b", "B", "2")], {"a"})
    ticked = []
    view.entries.ticked.connect(ticked.append)
    view.setCurrentIndex(view.entries.index(1))
    qtbot.keyClick(view, Qt.Key.Key_Space)
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert ticked == [{"a", "b"}, frozenset(), {"a", "b"}]


@pytest.mark.parametrize(
    ("seconds", "says"),
    [(None, "—"), (0.2, "a moment"), (40, "40 s"), (100, "2 min"), (3600, "1 h"), (7800, "2 h 10 min")],
)
def test_times_are_said_in_the_unit_that_says_enough(seconds, says):
    assert wording.duration(seconds) == says


def test_a_share_is_100_only_when_all_is_done():
    assert [wording.share(value) for value in (0.0, 0.999, 1.0)] == ["0 %", "99 %", "100 %"]


def test_days_are_said_by_the_calendar_of_the_language():
    now = datetime.now().astimezone()
    assert ":" in wording.day(utc_text(now))
    assert wording.day(utc_text(now - timedelta(days=1))) in ("yesterday",)
    old = utc_text(now.replace(year=2020, month=11, day=26, hour=12))
    assert wording.day(old) == "26 Nov"
    words.use("zh")
    assert wording.day(old) == "11月26日"


@pytest.mark.parametrize("x", [16, 120], ids=["the box", "the words"])
def test_a_click_on_the_box_or_on_the_words_ticks_once(qtbot, x):
    listed = CheckList()
    qtbot.addWidget(listed)
    listed.entries.set_entries([("a", "alpha", "1"), ("b", "beta", "2")], on=("a", "b"))
    listed.resize(240, 80)
    listed.show()
    ticked = []
    listed.entries.ticked.connect(ticked.append)
    row = listed.visualRect(listed.entries.index(0))
    qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, row.center().y()))
    assert ticked == [frozenset({"b"})]


def test_kinds_languages_and_licences_of_a_system_are_of_the_language_of_now():
    system = SystemDeclaration(
        "s", 1, "endpoint", {}, Abilities(languages=("zh", "en")), licence="MIT; parts Apache-2.0"
    )
    assert (wording.kind(system), wording.languages(system)) == ("endpoint", "Chinese, English")
    assert wording.licence(system) == "MIT; parts Apache-2.0"
    words.use("zh")
    assert (wording.kind(system), wording.languages(system)) == ("接口", "中文、英文")
    assert wording.licence(system) == "MIT，部分为 Apache-2.0"
    assert wording.licence(replace(system, licence="CC-BY-4.0")) == "CC-BY-4.0"
