"""States differ by shape, not by colour alone."""

import itertools

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from gui.strings import words
from gui.theme import set_reduced_motion, set_theme, theme
from gui.widgets import STATES, Pill, Spinner, StateMark, paint_state, paint_verdict


def shape(draw, scale=4) -> QImage:
    image = QImage(12 * scale, 12 * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    image.setDevicePixelRatio(scale)
    painter = QPainter(image)
    draw(painter, QRect(0, 0, 12, 12))
    painter.end()
    return image


def cover(image: QImage) -> list[bool]:
    return [image.pixelColor(x, y).alpha() > 127 for x in range(image.width()) for y in range(image.height())]


def test_no_two_states_have_the_same_shape():
    shapes = [cover(shape(lambda painter, rect, s=state: paint_state(painter, rect, s))) for state in STATES]
    shapes += [cover(shape(lambda painter, rect, r=right: paint_verdict(painter, rect, r))) for right in (True, False)]
    for one, other in itertools.combinations(shapes, 2):
        assert sum(a != b for a, b in zip(one, other)) > 0.1 * len(one)


@pytest.mark.parametrize("state", STATES)
def test_a_shape_stays_inside_its_twelve_pixels(state):
    image = shape(lambda painter, rect: paint_state(painter, rect, state))
    edge = [image.pixelColor(x, y).alpha() for x in range(48) for y in (0, 47)] + [
        image.pixelColor(x, y).alpha() for y in range(48) for x in (0, 47)
    ]
    assert max(edge) < 64


def test_failed_is_plum_and_wrong_is_rust():
    failed = shape(lambda painter, rect: paint_state(painter, rect, "failed"))
    assert failed.pixelColor(10, 24) == theme().color("state.failed")
    wrong = shape(lambda painter, rect: paint_verdict(painter, rect, False))
    assert theme().color("verdict.fail").name() in {wrong.pixelColor(x, y).name() for x in range(48) for y in range(48)}


def test_the_ring_of_unscored_is_broken():
    image = shape(lambda painter, rect: paint_state(painter, rect, "unscored"))
    import math

    around = [
        image.pixelColor(round(24 + 18 * math.cos(turn / 50)), round(24 + 18 * math.sin(turn / 50))).alpha() > 127
        for turn in range(314)
    ]
    assert sum(a != b for a, b in itertools.pairwise(around)) == 16


def test_a_mark_follows_the_theme(qtbot):
    mark = StateMark("scored")
    qtbot.addWidget(mark)
    for name in ("light", "dark"):
        set_theme(name)
        assert mark.grab().toImage().pixelColor(7, 7) == theme().color("state.scored")


def test_a_mark_says_its_state_in_the_language_of_now(qtbot):
    mark = StateMark("unparsable", worded=True)
    qtbot.addWidget(mark)
    assert mark.accessibleName() == "unparsable"
    wide = mark.sizeHint().width()
    words.use("zh")
    assert mark.accessibleName() == "读不出"
    assert mark.sizeHint().width() != wide


def test_a_pill_says_its_verdict_with_a_glyph_and_a_word(qtbot):
    pill = Pill("wrong", "wrong")
    qtbot.addWidget(pill)
    assert pill.accessibleName() == "wrong"
    assert pill.sizeHint().width() > Pill("wrong").sizeHint().width()
    assert QColor(pill.grab().toImage().pixelColor(3, 12)) == theme().color("verdict.fail_tint")


def test_a_spinner_turns_only_while_it_is_seen(qtbot):
    spinner = Spinner()
    qtbot.addWidget(spinner)
    assert not spinner.turns
    set_reduced_motion(False)
    spinner.show()
    assert spinner.turns
    spinner.hide()
    assert not spinner.turns


def test_a_spinner_stands_still_when_motion_is_reduced(qtbot):
    set_reduced_motion(True)
    spinner = Spinner()
    qtbot.addWidget(spinner)
    spinner.show()
    assert not spinner.turns
    assert spinner.grab().toImage().pixelColor(8, 8) == theme().color("accent.base")
    set_reduced_motion(None)
