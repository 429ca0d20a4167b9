"""What the pages before, between and after the items say."""

from __future__ import annotations

from gui.rate.sitting.page import Page
from gui.rate.sitting.view_model import SittingViewModel
from gui.rate.sitting.wording import minutes, say
from gui.strings import words


def show_reading(page: Page, _: SittingViewModel) -> None:
    """The session is being read."""
    page.say(say("page.reading"), "", "")


def show_trouble(page: Page, model: SittingViewModel) -> None:
    """It cannot be read."""
    why = "" if model.error is None else words.error(model.error)
    page.say(say("page.trouble_title"), why, say("page.again"))


def show_instructions(page: Page, model: SittingViewModel) -> None:
    """What is to be rated, in the protocol's own words, and what the keys do."""
    session, course = model.session, model.course
    if session is None or course is None:
        return
    row, protocol, count = session.row, session.protocol, len(course.rows)
    small = say("page.instructions_small", n=count, time=minutes(model.left_s))
    if row.passes > 1:
        small += " · " + say("top.pass", n=row.number, all=row.passes)
    if course.done:
        small += "\n" + say("page.instructions_back", done=course.done, n=count)
    if again := course.training_again:
        small += "\n" + say("page.instructions_again", n=again, minutes=protocol.training.again_after_min)
    extra = say("page.keys" if course.is_audible else "page.keys_text")
    page.say(protocol.title, protocol.instruction, say("page.go_on" if course.done else "page.start"), small, extra)


def show_warning(page: Page, model: SittingViewModel) -> None:
    """What a rater has to know of the content before it comes."""
    if model.course is not None:
        warning = model.protocol.warning
        page.say(say("page.warning_title"), warning, say("page.warning_go_on"), "", say("page.warning_extra"))


def show_break(page: Page, model: SittingViewModel) -> None:
    """A break that is due, or one that the rater takes."""
    if model.course is None:
        return
    if model.is_break_due:
        page.say(say("page.break_title"), say("page.break_text", time=minutes(model.time.worked_s)), say("page.go_on"))
    else:
        page.say(say("page.break_own_title"), say("page.break_own_text"), say("page.go_on"))


def show_end(page: Page, model: SittingViewModel) -> None:
    """All is rated or skipped."""
    course = model.course
    count = 0 if course is None else len(course.rows)
    if course is None or not count:
        page.say(say("page.end_title"), say("page.end_empty"), say("page.end_button"))
        return
    skipped = len(course.said.skipped)
    text = say("page.end_text", rated=course.done - skipped, n=count, skipped=skipped)
    page.say(say("page.end_title"), text, say("page.end_button"), "", say("page.end_extra"))
