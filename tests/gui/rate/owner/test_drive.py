"""The owner's way through Rate on the sample workspace, in the real window, with its rater beside: no event takes long."""

from __future__ import annotations

import pytest

from engine.runs.sample import take_sample
from engine.store.workspace import open_workspace
from gui.player.player import Player
from tests.gui.frame.test_window import sit_down  # noqa: F401 - a fixture
from tests.gui.rate.sitting.fast import FastSound, Pump
from tests.gui.timed import slow_always


@pytest.fixture
def sit_at_rate(sit_down, finish):  # noqa: F811
    """Sit down in front of the window on a sample workspace made in a folder, on the screen of Rate."""
    pumps, sitting = [], []

    def start(folder):
        workspace = open_workspace(folder, create=True)
        finish(take_sample(workspace))
        sat = sit_down(workspace.folder)
        sound = FastSound()
        pumps.append(Pump(sound, sat.window))
        services = sat.window.services
        services.make_player = lambda: Player(services.jobs, services.settings, sat.window, sound=sound)
        sat.waits_to_see("128 answers")
        sat.presses("Ctrl+4")
        sat.waits_to_see("Nobody has rated here yet.")
        view = sat.window.view("rate")
        sat.waits_until(lambda: view.pages._new_page is not None, "the page of a new session is not made ahead")
        sitting.append(sat)
        return sat

    yield start
    for pump in pumps:
        pump.deleteLater()
    for sat in sitting:
        sat.window.services.player.close()


@pytest.fixture
def person(sit_at_rate, tmp_path):
    """In front of the window on the screen of Rate."""
    return sit_at_rate(tmp_path / "workspace")


def puts_together(person):
    """A study of six questions by the owner and Lin, one question asked."""
    person.clicks("New session")
    person.waits_to_see("What it takes")
    person.waits_to_see("Choose at least one question to be asked.")
    person.waits_to_see("you (owner)")
    person.types("winter")
    person.ticks("Empathy in words")
    person.ticks("you (owner)")
    view = person.window.view("rate")
    view.new_page.who.name.setFocus()
    person.types("Lin")
    person.presses("Return")
    person.waits_to_see("Lin")
    view.new_page.what.items.setFocus()
    view.new_page.what.items.selectAll()
    person.types("6")
    view.new_page.what.items.textEdited.emit("6")
    person.waits_to_see("items of 59 that can be drawn")
    person.waits_until(lambda: view.new.can_create and view.new.plan.counts.items == 6)
    return view


def sits_down(person, view):
    """Begin the chosen session and pass what stands before the first item."""
    person.clicks(view.study.overview.begin_button.text())
    person.waits_until(lambda: view.pages._sitting is not None)
    sitting = view.pages._sitting
    person.waits_until(lambda: person.window.services.actions._screen == "sitting")
    person.waits_until(lambda: sitting.model.page != "reading")
    while sitting.model.page != "item":
        before = sitting.model.page
        person.presses("S" if before == "check" else "Return")
        person.waits_until(lambda before=before: sitting.model.page != before)
    return sitting


def hears(person, playing, item):
    """Space, again where it came before the item could be played, until what is to be heard was heard.

    The clip may go on to its end: a rater need not wait for that.
    """

    def is_heard():
        if item.to_hear and not playing.is_playing:
            person.presses("Space")
        return not item.to_hear

    person.waits_until(is_heard)


def test_a_study_is_made_checked_begun_left_and_counted(sit_at_rate, tmp_path, qapp):
    def walk(person):
        view = makes_a_study(person)
        rates_one_answer(person, view)
        finds_it_counted(person, view)
        leaves(person)

    walks = slow_always(qapp, walk, lambda number: sit_at_rate(tmp_path / f"walk-{number}"))
    assert not walks.always, walks


def makes_a_study(person):
    """Put together, checked for what tells systems apart, made."""
    view = puts_together(person)
    person.clicks("Check")
    person.waits_until(lambda: view.new.leaks is not None)
    person.waits_to_see("too few to tell")
    person.waits_until(lambda: view.new.can_create)
    person.presses("Ctrl+Return")
    person.waits_to_see("Who rates what")
    person.waits_until(lambda: view.model.study is not None and view.study.overview.list.current is not None)
    mine = next(each for each in view.model.room.sessions if each.rater_name == "owner")
    row = [each.id for each in view.model.room.sessions].index(mine.id)
    view.study.overview.list.setCurrentIndex(view.study.overview.list.sessions.index(row))
    return view


def rates_one_answer(person, view):
    """By keyboard alone, and leaves."""
    sitting = sits_down(person, view)
    assert not person.window._rail.isVisible()
    first = sitting.model.item
    hears(person, sitting.model.playing, first)
    person.presses("4")
    person.presses("Return")
    person.waits_until(lambda: sitting.model.item is not first and first.was_kept)
    person.window.ask = lambda *_, **__: "do"
    person.presses("Escape")


def finds_it_counted(person, view):
    """Back at the studies, in both languages."""
    person.waits_until(lambda: view.model.page == "study")
    person.waits_until(lambda: view.model.study.rated == 1)
    assert person.window._rail.isVisible()
    assert view.study.overview.begin_button.text() == "Go on"
    person.presses("Alt+2")
    person.waits_to_see("all systems are shown together")
    person.presses("Ctrl+Shift+L")
    person.waits_to_see("评分任务")
    person.presses("Ctrl+Shift+L")


def leaves(person):
    """Close the window; nothing is left running."""
    person.waits_until(lambda: not person.window.services.jobs.running)
    person.window.services.player.close()
    person.window.close()


def test_what_is_chosen_in_audit_comes_to_rate(person):
    person.presses("Ctrl+2")
    person.waits_until(lambda: person.window.shown_screen == "audit")
    audit = person.window.view("audit")
    person.waits_until(lambda: audit.table.model().rowCount() == 128)
    audit.table.choose_row(3)
    person.waits_until(lambda: audit.model.chosen_count > 0)
    person.waits_until(lambda: bool(person.window.services.actions.keys("audit.to_rating")))  # made after the rows
    person.presses("Ctrl+R")
    person.waits_until(lambda: person.window.shown_screen == "rate")
    person.waits_to_see("1 answer")
    view = person.window.view("rate")
    assert view.new.choices.selection == "manual"
    person.waits_until(lambda: not person.window.services.jobs.running)


def test_another_workspace_ends_a_sitting_that_is_not_in_sight(person, tmp_path):
    view = puts_together(person)
    person.presses("Ctrl+Return")
    person.waits_until(lambda: view.model.study is not None and view.study.overview.list.current is not None)
    sits_down(person, view)
    person.presses("Ctrl+1")
    person.waits_until(lambda: person.window.shown_screen == "library")
    assert person.window._rail.isVisible()
    other = open_workspace(tmp_path / "other", create=True)
    person.window.services.workspace.open(other.folder)
    person.waits_until(lambda: view.pages._sitting is None)
    assert person.window.services.actions._screen == "library"
    person.presses("Ctrl+4")
    person.waits_to_see("There are no answers to rate yet.")
    assert person.window._rail.isVisible()
    person.waits_until(lambda: not person.window.services.jobs.running)
