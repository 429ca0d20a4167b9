"""Chips, cards, fields, progress and what a place says when something is missing."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel

from gui.strings import words
from gui.theme import theme
from gui.widgets import (
    Button,
    Card,
    CheckBox,
    Chip,
    ChipPart,
    ComboBox,
    EmptyState,
    Hairline,
    InlineError,
    LineEdit,
    ProgressBar,
    RadioButton,
    ScreenBar,
    scroll_area,
)


def test_a_chip_is_removed_by_its_cross_and_by_a_key(qtbot):
    chip = Chip(["system", "example-*"])
    qtbot.addWidget(chip)
    chip.resize(chip.sizeHint())
    with qtbot.waitSignal(chip.removed):
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=chip._cross().center())
    for key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
        with qtbot.waitSignal(chip.removed):
            qtbot.keyClick(chip, key)


def test_a_chip_opens_for_editing_by_a_click_and_by_return(qtbot):
    chip = Chip(["system", "example-*"])
    qtbot.addWidget(chip)
    chip.resize(chip.sizeHint())
    with qtbot.waitSignal(chip.edited), qtbot.assertNotEmitted(chip.removed):
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=QPoint(12, 12))
    with qtbot.waitSignal(chip.edited):
        qtbot.keyClick(chip, Qt.Key.Key_Return)


def test_a_chip_shows_what_is_wrong_and_says_why(qtbot):
    chip = Chip([ChipPart("syllable error", "field"), ChipPart("> x", "error")], "Write a number.")
    qtbot.addWidget(chip)
    assert chip.accessibleDescription() == "Write a number."
    assert "Write a number." in chip.toolTip()
    picture = chip.grab().toImage()
    rust = theme().color("verdict.fail").name()
    assert sum(picture.pixelColor(x, 0).name() == rust for x in range(picture.width())) > 20


def test_a_chip_with_a_book_in_it_stays_narrow(qtbot):
    chip = Chip(["tag", "x" * 100_000])
    qtbot.addWidget(chip)
    assert chip.sizeHint().width() <= 360
    chip.resize(chip.sizeHint())
    chip.grab()


def test_a_chip_keeps_its_field_and_cuts_its_value(qtbot):
    chip = Chip(["faults", ", ".join(["silent"] * 40), "mismatch", "truncation"])
    qtbot.addWidget(chip)
    chip.resize(chip.sizeHint())
    needed, shared = chip._widths(), chip._shared_out(300)
    assert [shared[place] for place in (0, 2, 3)] == [needed[place] for place in (0, 2, 3)]
    assert shared[1] < needed[1]


def test_a_chip_speaks_the_language_of_now(qtbot):
    chip = Chip(["system", "a"])
    qtbot.addWidget(chip)
    words.use("zh")
    assert chip.accessibleDescription() == "修改这个条件"


def test_a_card_shows_only_what_it_has(qtbot):
    card = Card("Rate", "last 6 minutes")
    qtbot.addWidget(card)
    card.body.addWidget(QLabel("body"))
    card.resize(300, 200)
    card.show()
    assert card.accessibleName() == "Rate"
    assert not card.foot.isVisible()
    card.set_foot("One sentence.")
    assert card.foot.isVisible()
    card.set_title("")
    assert not card._head.isVisible()


def test_a_card_lets_a_long_title_give_way(qtbot):
    card = Card("x" * 4_000, "y" * 4_000)
    qtbot.addWidget(card)
    assert card.minimumSizeHint().width() < 200


def test_a_screen_bar_is_forty_four_pixels(qtbot):
    bar = ScreenBar("Audit")
    qtbot.addWidget(bar)
    assert bar.height() == bar.minimumHeight() == 44
    assert bar.accessibleName() == "Audit"


def test_counts_become_three_parts_and_the_smallest_stays_visible(qtbot):
    bar = ProgressBar(5_000, 1, 1, 10_000)
    qtbot.addWidget(bar)
    bar.resize(400, 12)
    scored, striped, plum = bar.parts()
    assert (striped, plum) == (2.0, 2.0)
    assert scored + striped + plum == pytest.approx(200)
    assert bar.accessibleName() == "5000 of 10000; 1 unparsable, 1 failed"


def test_nothing_of_nothing_is_an_empty_track(qtbot):
    bar = ProgressBar()
    qtbot.addWidget(bar)
    assert bar.parts() == (0.0, 0.0, 0.0)
    bar.set_counts(3, 0, 0, 2)
    bar.resize(100, 12)
    assert sum(bar.parts()) <= 100


def test_an_error_is_shown_where_it_happened_and_taken_back(qtbot):
    error = InlineError()
    qtbot.addWidget(error)
    assert error.isHidden()
    error.say("This folder has no answers: choose another.", "Choose", "benchmarks.no_answers")
    assert not error.isHidden()
    assert error.accessibleName() == error.sentence() == "This folder has no answers: choose another."
    with qtbot.waitSignal(error.acted):
        qtbot.mouseClick(error._button, Qt.MouseButton.LeftButton)
    error.clear()
    assert error.isHidden()


def test_an_error_grows_with_its_sentence_and_not_sideways(qtbot):
    error = InlineError("word " * 80)
    qtbot.addWidget(error)
    error.resize(300, 40)
    assert error.heightForWidth(300) > 100
    assert error.minimumSizeHint().width() <= 200


def test_an_empty_place_offers_what_to_do(qtbot):
    primary = Button("Import answers", role="primary")
    place = EmptyState("No answers yet.", primary, [Button("Ask a system")], "books")
    qtbot.addWidget(place)
    assert place.accessibleName() == "No answers yet."
    place.set_sentence("还没有回答。")
    assert place.accessibleName() == "还没有回答。"
    assert primary.window() is place


def test_a_field_says_why_it_is_wrong(qtbot):
    field = LineEdit(placeholder="Folder", icon_name="folder-open")
    qtbot.addWidget(field)
    field.set_error("This folder is empty.")
    assert (field.toolTip(), field.accessibleDescription()) == ("This folder is empty.", "This folder is empty.")
    rust = theme().color("verdict.fail").name()
    field.resize(200, field.sizeHint().height())
    assert field.grab().toImage().pixelColor(100, 0).name() == rust
    field.set_error("")
    assert field.grab().toImage().pixelColor(100, 0).name() == theme().color("surface.control_edge").name()
    assert field.sizeHint().height() == 28


def test_a_long_choice_gives_way(qtbot):
    box = ComboBox("System")
    qtbot.addWidget(box)
    box.addItems(["short", "x" * 10_000])
    assert box.sizeHint().width() <= 280 + 60
    assert box.sizeHint().height() == 28
    assert box.accessibleName() == "System"
    box.setCurrentIndex(1)
    box.grab()


@pytest.mark.parametrize("kind", [CheckBox, RadioButton])
def test_a_box_is_ticked_by_its_words(qtbot, kind):
    box = kind("Measure")
    qtbot.addWidget(box)
    box.resize(box.sizeHint())
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 6, 12))
    assert box.isChecked()
    assert theme().color("accent.base").name() in {
        box.grab().toImage().pixelColor(x, y).name() for x in range(24) for y in range(24)
    }


def test_a_scroll_area_is_as_wide_as_there_is_room(qtbot):
    inside = QLabel("x")
    area = scroll_area(inside)
    qtbot.addWidget(area)
    area.resize(300, 200)
    area.show()
    assert inside.width() == 300


def test_a_hairline_is_one_pixel(qtbot):
    lying, standing = Hairline(), Hairline(vertical=True)
    qtbot.addWidget(lying)
    qtbot.addWidget(standing)
    assert (lying.sizeHint().height(), standing.sizeHint().width()) == (1, 1)
