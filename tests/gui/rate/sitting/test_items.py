"""Rating item by item, by keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt

Key = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def test_space_digit_enter_rate_an_item_and_the_next_one_comes(at_first):
    rater = at_first("naturalness")
    assert rater.place == 1
    rater.rates("4")
    rater.waits(lambda: rater.place == 2)
    assert rater.stored() == {1: {"naturalness": 4}}
    assert rater.item.values == {}
