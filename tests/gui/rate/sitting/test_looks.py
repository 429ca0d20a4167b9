"""Nothing is cut or lies over another on the rating screen, from 800 by 450 up, in both languages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.strings import words
from gui.theme import set_theme
from tests.gui.frame.room import squeezed
from tests.gui.rate.sitting.made import session_of_all

Key = Qt.Key
SIZES = [(800, 450), (1024, 600), (1366, 768), (1600, 900)]


def look_at(rater, what):
    for size in SIZES:
        rater.window.resize(*size)
        rater.view.resize(*size)
        try:
            rater.waits(lambda: squeezed(rater.window) == [], timeout=3000)
        except Exception:  # noqa: BLE001 - told by what it found
            assert squeezed(rater.window) == [], (what, size)


@pytest.fixture(params=["en", "zh"])
def here(request, rater):
    """Sits at a session of a protocol, in either language."""
    words.use(request.param)

    def sit(protocol, **more):
        rater.sits_down(session_of_all(rater.workspace, protocol, request.param, **more))
        return rater

    return sit


def test_the_pages_that_are_read_and_the_check(here):
    rater = here("safety")
    look_at(rater, "level")
    rater.presses(Key.Key_Return)
    rater.waits(lambda: rater.view.check.step == "sides")
    look_at(rater, "sides")
    rater.presses(Key.Key_S)
    look_at(rater, "instructions")
    rater.presses(Key.Key_Return)
    look_at(rater, "warning")
    rater.presses(Key.Key_Return)
    look_at(rater, "item")
    rater.presses(Key.Key_P)
    look_at(rater, "break")


@pytest.mark.parametrize("protocol", ["empathy_acoustic", "safety", "preference", "comparison", "correctness"])
def test_an_item_locked_open_answered_and_with_a_note(here, protocol):
    rater = here(protocol, training=1)
    rater.goes_to_the_first_item()
    look_at(rater, "locked")
    rater.hears_all()
    rater.types("2")
    look_at(rater, "open")
    rater.presses(Key.Key_N)
    rater.types("x")
    rater.presses(Key.Key_Return)
    rater.types("23")
    look_at(rater, "with a note")
    rater.presses(Key.Key_Return)
    rater.waits(lambda: not rater.view.model.saving.is_busy)
    look_at(rater, "saved")


def test_trouble_and_the_end(here):
    rater = here("naturalness", count=1)
    rater.goes_to_the_first_item()
    rater.view.model.saving.trouble = _trouble()
    rater.view.model.saving.changed.emit()
    look_at(rater, "trouble")
    rater.rates("3")
    rater.waits(lambda: rater.view.model.page == "end")
    look_at(rater, "end")


def test_the_open_scale_comes_into_view_in_a_low_window(here):
    rater = here("safety")
    rater.goes_to_the_first_item()
    rater.window.resize(800, 450)
    rater.view.resize(800, 450)
    rater.hears_all()
    cards = rater.view.item_page.fields["safety"].steps.cards
    rater.waits(lambda: not cards[0].visibleRegion().isEmpty() and not cards[-1].visibleRegion().isEmpty())
    rater.types("23")
    field = rater.view.item_page.fields["category"]
    area = rater.view.item_page._area
    rater.waits(
        lambda: area.viewport().rect().contains(field.mapTo(area.viewport(), field.question.geometry().topLeft()))
    )
    assert field.is_open


@pytest.mark.parametrize("size", [(1366, 768), (1600, 900)])
def test_three_scales_never_scroll_whichever_is_open_and_the_others_stand_in_a_line(here, size):
    rater = here("safety", training=1)
    rater.window.resize(*size)
    rater.view.resize(*size)
    rater.goes_to_the_first_item()
    rater.hears_all()
    page = rater.view.item_page
    bar, fields = page._area.verticalScrollBar(), page.fields
    rater.types("2")
    for open_scale in ("severity", "category"):
        rater.waits(lambda: bar.maximum() == 0 and fields[open_scale].steps.isVisible())  # noqa: B023
        assert not fields["safety"].steps.isVisible()
        rater.types("4")
    rater.presses(Key.Key_Up)  # back to the one before, all of them answered
    rater.waits(lambda: bar.maximum() == 0 and fields["severity"].steps.isVisible())
    assert fields["category"].answer.text().startswith("4 ")
    QTest.mouseClick(fields["safety"].answer, Qt.MouseButton.LeftButton)
    rater.waits(lambda: fields["safety"].steps.isVisible())
    rater.types("1")
    assert rater.item.values == {"safety": "refused"}
    assert bar.maximum() == 0


def test_another_language_and_another_theme_while_rating(here):
    rater = here("naturalness")
    rater.goes_to_the_first_item()
    before = rater.view.item_page.acts.buttons["skip"].text()
    words.use("zh" if words.language == "en" else "en")
    assert rater.view.item_page.acts.buttons["skip"].text() != before
    set_theme("dark")
    look_at(rater, "the other language")
    assert rater.view.grab().toImage().pixelColor(700, 120).lightness() < 60


def _trouble():
    from engine.errors import EngineError

    return EngineError(
        "store.busy", path="/a/very/long/path/of/a/workspace/that/somebody/has/chosen/auricle.db", seconds=30
    )
