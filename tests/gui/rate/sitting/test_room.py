"""What a rater works with keeps its place while an item stands there, and is never cut by what lies below it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt

from gui.strings import words
from tests.gui.rate.sitting.made import session_of_all

Key = Qt.Key


def place(part, view):
    return QRect(part.mapTo(view, QPoint(0, 0)), part.size())


@pytest.fixture(params=["en", "zh"])
def at_768(request, rater, qapp):
    """In front of the first item of two scales, in a window of 1366 by 768."""
    words.use(request.param)
    rater.sits_down(session_of_all(rater.workspace, "empathy_acoustic", request.param), 1366, 768)
    rater.goes_to_the_first_item()
    qapp.processEvents()
    return rater


def test_buttons_and_foot_stay_where_they_are_through_all_states_of_an_item(at_768, qapp):
    rater, view = at_768, at_768.view
    places = []

    def look():
        qapp.processEvents()
        acts, foot = place(view.item_page.acts, view), place(view.foot, view)
        assert acts.bottom() < foot.top()
        places.append((acts.top(), acts.left(), foot.top()))

    look()
    view.act("skip")
    look()
    rater.presses(Key.Key_Escape)
    rater.hears_all()
    look()
    rater.presses(Key.Key_N)
    look()
    rater.types("x")
    rater.presses(Key.Key_Return)
    look()
    rater.types("42")
    look()
    item = rater.item
    rater.presses(Key.Key_Return)
    rater.waits(lambda: item.is_revealed and not view.model.saving.is_busy)
    look()
    assert len(set(places)) == 1


def test_words_and_a_note_leave_all_choices_in_sight(at_768, qapp):
    rater, page = at_768, at_768.view.item_page
    rater.presses(Key.Key_N)
    rater.types("x")
    rater.presses(Key.Key_Return)
    rater.rates("4", "2")
    qapp.processEvents()
    assert page.words.isVisible()
    assert page.note.isVisible()
    for field in page.fields.values():
        for card in field.steps.cards:
            assert card.visibleRegion().boundingRect() == card.rect()


def test_a_scroll_bar_moves_nothing_aside(rater):
    rater.sits_down(session_of_all(rater.workspace, "safety"), 800, 450)
    rater.goes_to_the_first_item()
    page, view = rater.view.item_page, rater.view
    rater.hears_all()
    rater.types("24")
    rater.presses(Key.Key_N)
    rater.waits(page.bar.isVisible)
    first = place(page.fields["safety"].steps, view)
    note = place(page.note, view)
    assert (first.left(), first.right()) == (note.left(), note.right())
    assert first.right() < page.bar.x()
