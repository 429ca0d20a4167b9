"""Labels give way to their neighbours and never read data as markup."""

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from gui.theme import set_theme, theme
from gui.widgets import ElidedLabel, label, set_tone

HOSTILE = (
    "\u202e" + "x" * 100_000,
    "a\nb" * 5_000,
    "<img src=x>" * 50,
    "Z" + "\u0336" * 5_000,
    "ﷺ" * 300,
    "\u200b" * 9_000,
)


def test_two_thousand_texts_leave_the_references_to_none_alone(qtbot):
    made, cut = label("0"), label("0", elide=True)
    qtbot.addWidget(made)
    qtbot.addWidget(cut)
    before = sys.getrefcount(None)
    for number in range(2_000):
        made.setText(f"step {number}")
        cut.setText(f"step {number}")
        made.setToolTip("tip")
    assert sys.getrefcount(None) > before - 200


@pytest.mark.parametrize("options", [{}, {"elide": True}, {"wrap": True}])
def test_markup_in_data_is_text(qtbot, options):
    made = label("<b>bold</b>", **options)
    qtbot.addWidget(made)
    assert made.textFormat() == Qt.TextFormat.PlainText
    assert made.text() == "<b>bold</b>"


@pytest.mark.parametrize("text", HOSTILE)
def test_an_elided_label_never_needs_more_than_a_few_letters(qtbot, text):
    made = label(text, elide=True)
    qtbot.addWidget(made)
    assert made.minimumSizeHint().width() <= 60
    assert made.sizeHint().height() < 40
    made.resize(120, made.sizeHint().height())
    made.grab()
    assert made.toolTip()


def test_an_elided_label_that_has_room_needs_no_tool_tip(qtbot):
    made = label("short", elide=True)
    qtbot.addWidget(made)
    made.show()
    made.resize(300, 20)
    assert made.toolTip() == ""
    made.resize(20, 20)
    assert made.toolTip() == "short"


@pytest.mark.parametrize("text", HOSTILE)
def test_a_paragraph_breaks_anywhere_rather_than_push(qtbot, text):
    made = label(text[:2_000], wrap=True)
    qtbot.addWidget(made)
    assert made.minimumSizeHint().width() <= 120
    assert made.heightForWidth(200) % 18 == 0
    made.resize(200, made.heightForWidth(200))
    made.grab()


def test_a_paragraph_is_as_tall_as_its_lines(qtbot):
    made = label("one\ntwo\nthree", wrap=True)
    qtbot.addWidget(made)
    assert made.heightForWidth(400) == 3 * 18
    made.setText("one")
    assert made.heightForWidth(400) == 18


@pytest.mark.parametrize("options", [{}, {"elide": True}, {"wrap": True}])
def test_a_tone_is_painted_and_follows_the_theme(qtbot, options):
    made: QLabel = label("████", tone="warning", **options)
    qtbot.addWidget(made)
    for name in ("light", "dark"):
        set_theme(name)
        QApplication.processEvents()  # Qt posts the change of palette
        assert theme().color("verdict.warning").name() in colours_of(made)
    set_tone(made, "error")
    assert theme().color("verdict.fail").name() in colours_of(made)


def test_the_whole_text_is_kept(qtbot):
    made = label("one\ntwo", elide=True)
    qtbot.addWidget(made)
    assert isinstance(made, ElidedLabel)
    assert made.whole_text() == "one\ntwo"
    assert made.text() == "one⏎two"


def colours_of(widget) -> set[str]:
    widget.resize(widget.sizeHint())
    picture = widget.grab().toImage()
    return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
