"""Fifty items by keyboard, in both languages, as a rater who looks back, skips, notes and changes their mind."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from gui.rate.sitting.wording import say
from gui.strings import words
from tests.gui.rate.sitting.conftest import Rater
from tests.gui.rate.sitting.made import session_of_all, spoken_workspace
from tests.gui.timed import slow_always

Key = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ITEMS = 50


@pytest.mark.parametrize(("language", "protocol"), [("en", "naturalness"), ("zh", "empathy_acoustic")])
def test_fifty_items_by_keyboard(services, qtbot, qapp, tmp_path, open_here, sound, language, protocol):
    words.use(language)

    def sits_down(number):
        folder = tmp_path / f"walk-{number}"
        folder.mkdir()
        workspace = spoken_workspace(folder, ITEMS // 2)
        open_here(workspace.folder)
        rater = Rater(services, qtbot, workspace, sound)
        size = (1366, 768) if language == "en" else (1024, 600)
        rater.sits_down(session_of_all(workspace, protocol, language), *size)
        rater.goes_to_the_first_item()
        return rater

    walks = slow_always(qapp, lambda rater: rates_fifty(rater, two_fields=protocol == "empathy_acoustic"), sits_down)
    assert not walks.always, walks


def rates_fifty(rater, *, two_fields):
    """All items, some skipped, noted or looked back at; then what was stored is what was meant."""
    expected = {}
    while rater.view.model.page == "item":
        place, item = rater.place, rater.item
        assert say("top.place", n=place, all=ITEMS) == rater.view.top.place.text()
        if place % 10 == 7:
            rater.presses(Key.Key_S, Key.Key_4)
            rater.waits(lambda gone=item: bool(gone.skip_reason) and not rater.view.model.saving.is_busy)
        else:
            expected[place] = 1 + place % 5
            rates(rater, str(expected[place]), two_fields=two_fields, note=f"note {place}" if place % 10 == 4 else "")
        if place % 10 == 9:
            changes_their_mind(rater, item, two_fields=two_fields)
            expected[place] = 5
        rater.waits(lambda gone=item: rater.view.model.page != "item" or rater.item is not gone)
        rater.waits(lambda: not rater.view.model.saving.is_busy)
    main = rater.view.model.protocol.main.id
    assert {position: values[main] for position, values in rater.stored().items()} == expected
    assert rater.view.model.page == "end"
    assert rater.count("remark") == 5 + 5
    rater.presses(Key.Key_Return)
    assert rater.told == ["finished"]
    rater.view.close_sitting()
    rater.waits(lambda: not rater.services.jobs.running)


def rates(rater, digit, *, two_fields, note):
    """One item: Space, a digit, Enter, and no key more where there is one scale."""
    item, keys = rater.item, []
    if not item.is_open:
        rater.presses(Key.Key_Space)
        keys.append("Space")
        rater.waits(lambda: item.is_open)
    if note:
        rater.presses(Key.Key_N)
        rater.types(note)
        rater.presses(Key.Key_Return)
    digits = digit + ("3" if two_fields else "")
    rater.types(digits)
    rater.presses(Key.Key_Return)
    keys += [*digits, "Enter"]
    rater.waits(lambda: item.was_kept and not rater.view.model.saving.is_busy)
    if two_fields:
        rater.presses(Key.Key_Return)  # its words were shown
    else:
        assert len(keys) <= 3


def changes_their_mind(rater, item, *, two_fields):
    """Back to the one before, which gets a five."""
    rater.waits(lambda: rater.item is not item)
    rater.presses(Key.Key_Return, modifiers=SHIFT)
    rater.waits(lambda: rater.item is item)
    rater.presses(*([Key.Key_Up] if two_fields else []))
    rater.types("5")
    rater.presses(Key.Key_Return)


def test_space_digit_enter_alone_are_enough_for_one_scale(at_first):
    rater = at_first("naturalness", count=4)
    for place in range(1, 5):
        item = rater.item
        rater.presses(Key.Key_Space)
        rater.waits(lambda gone=item: gone.is_open)
        rater.presses(Key.Key_3, Key.Key_Return)
        rater.waits(lambda gone=item: gone.was_kept and not rater.view.model.saving.is_busy)
        assert len(rater.stored()) == place
