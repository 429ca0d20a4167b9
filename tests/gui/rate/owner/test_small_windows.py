"""No words of Rate are cut or lie over others, from 800 by 450 up, in both languages; it is at home in both themes."""

from __future__ import annotations

from contextlib import closing

import pytest

from engine.store.studies import disclose
from gui.profile import Profile
from gui.strings import words
from tests.gui.frame.test_small_windows import look_at
from tests.gui.frame.test_window import sit_down  # noqa: F401 - a fixture

FEW = [(800, 450), (1366, 768)]


@pytest.fixture(params=["en", "zh"])
def person(request, sit_down, answered, study_of_all, rate):  # noqa: F811
    """In front of Rate, with a study of two questions that both raters have rated in part, in either language."""
    study = study_of_all("empathy_semantic", "safety", title="冬天 winter")
    given = {"empathy_semantic": 4, "safety": "refused"}
    rate(study, lambda _, session: {session.protocol_name: given[session.protocol_name]}, count=8, skipped=1)
    sat = sit_down(answered.folder, language=request.param)
    assert words.language == request.param
    sat.window.go("rate")
    sat.waits_to_see("冬天 winter")
    sat.view = sat.window.view("rate")
    return sat


def rests(person):
    person.waits_until(lambda: not person.window.services.jobs.running)


def test_a_study_its_results_and_its_raters(person, answered):
    look_at(person, "overview")
    person.view.study.overview.letters.ask()
    look_at(person, "overview, the reason of a reveal", FEW)
    for part in ("results", "quality"):
        person.view.show_part(part)
        person.waits_until(lambda: person.view.results.outcome is not None)
        rests(person)
        look_at(person, part)
    with closing(answered.connect(durable=True)) as db:
        disclose(db, person.view.model.study.id, "all in")
    person.view.model.look()
    person.waits_until(lambda: person.view.model.study.disclosed_at is not None)
    for part in ("results", "quality"):
        person.view.show_part(part)
        rests(person)
        look_at(person, f"{part}, revealed", FEW)


def test_a_new_study_with_all_that_may_be_said_of_it(person):
    person.presses("N")
    person.waits_until(lambda: bool(person.view.new.offer.raters))
    rests(person)
    look_at(person, "new, nothing chosen", FEW)
    raters = tuple(rater.id for rater in person.view.new.offer.raters)
    person.view.new.choose(protocols=("empathy_semantic", "empathy_acoustic", "safety"), raters=raters, items=None)
    person.waits_until(lambda: person.view.new.can_create)
    person.view.new.check_leaks()
    person.waits_until(lambda: person.view.new.leaks is not None)
    rests(person)
    look_at(person, "new, checked")
    person.view.new.choose(filter="per>")
    person.waits_until(lambda: person.view.new.error is not None)
    look_at(person, "new, a wrong filter", FEW)


def test_the_raters_and_a_raters_own_window(person):
    person.view.model.show_over("people")
    look_at(person, "raters")
    profiles = person.window.services.profiles
    profiles.choose_pin("2580")
    person.waits_until(lambda: profiles.has_pin and not profiles.is_busy)
    look_at(person, "raters, with a PIN", FEW)
    rater = next(rater for rater in person.view.model.room.raters if rater.name == "rater 1")
    profiles.enter(Profile(rater.uid, rater.name))
    look_at(person, "a rater's window")
    person.view.pages.rater_page.ask_for_pin()
    profiles.leave("0000")
    person.waits_until(lambda: bool(person.view.pages.rater_page.refused.sentence()))
    look_at(person, "a rater's window, a wrong PIN", FEW)
