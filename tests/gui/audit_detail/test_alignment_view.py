"""The alignment as a picture: cells stand where they should, keys go from edit to edit, long ones stay quick."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from engine.metrics.drawn import drawn_alignment
from engine.metrics.located import times_by_estimate
from engine.query.alignment import ShownAlignment
from engine.query.told import MakerTold, TranscriptTold
from gui.audit.detail.alignment_view import CELL, AlignmentView
from gui.audit.detail.cell_lines import cell_lines
from gui.strings import words

MAKER = MakerTold(1, "k", "recogniser", "made", "1", {}, None, None, {})


def shown(text, heard, language="zh"):
    drawn = drawn_alignment(text, heard, language)
    told = TranscriptTold(1, MAKER, "scored", heard, language, (), None, (), None, "")
    return ShownAlignment(drawn, times_by_estimate(drawn.cells, 0.0, 10.0), (), told, "corrected")


@pytest.fixture
def view(qtbot):
    made = AlignmentView()
    qtbot.addWidget(made)
    made.resize(600, 80)
    made.show()
    return made


def test_cells_are_as_wide_as_the_look_says_and_break_after_a_clause(view):
    view.show_alignment(
        shown(
            "一二三四五六七八九十一二三四五，一二三四五六七八九十", "一二三四五六七八九十一二三四五一二三四五六七八九十"
        )
    )
    first, second = view.cell_rect(0), view.cell_rect(1)
    assert (second.left() - first.left(), first.width()) == (CELL, CELL)
    assert view.cell_rect(16).top() > first.top()  # the first cell after the comma
    assert view.cell_rect(15).top() == first.top()


def test_a_mark_never_begins_a_line():
    cells = drawn_alignment("一二三四五六，七八", "一二三四五六七八").cells
    lines = cell_lines(cells, [10.0] * len(cells), 60.0)
    assert [cells[line.first].kind for line in lines] == ["equal", "equal"]
    assert [(line.first, line.end) for line in lines] == [(0, 7), (7, 9)]


def test_right_and_left_go_from_edit_to_edit_and_enter_plays_the_cell(view, qtbot):
    view.show_alignment(shown("节气是夏至在六月二十一", "节气是下至在六月十一"))
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.current == 3
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.current == 8
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view.current == 3
    with qtbot.waitSignal(view.cell_activated) as heard:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert heard.args == [3]


def test_a_click_plays_the_cell_under_it(view, qtbot):
    view.show_alignment(shown("你好世界", "你好世界"))
    place = view.cell_rect(2).center().toPoint()
    with qtbot.waitSignal(view.cell_activated) as heard:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert heard.args == [2]


def test_edits_are_a_table_for_who_cannot_see_them(view, qtbot):
    view.show_alignment(shown("夏天", "下天天"))
    assert [said.splitlines()[0] for _, said in view.regions()] == ["夏 xià written, 下 xià heard", "天 tiān added"]
    qtbot.waitUntil(lambda: "homophone" in view.accessibleDescription())
    words.use("zh")
    qtbot.waitUntil(lambda: "同音" in view.accessibleDescription())


def test_thousands_of_cells_are_laid_out_by_line_and_only_those_in_sight_are_painted(view):
    text = "一年之中白天最长的节气，" * 1500
    view.show_alignment(shown(text, text))
    assert view.verticalScrollBar().maximum() > 10_000
    assert len(view._lines_in_sight()) <= 3
    view.grab()
    view.choose(15_000)
    assert view.cell_rect(15_000).top() < view.viewport().height()


@pytest.mark.parametrize("theme_name", ["light", "dark"])
def test_every_kind_of_cell_is_painted_in_both_themes(view, theme_name):
    from gui.theme import set_theme, theme

    set_theme(theme_name)
    view.show_alignment(shown("夏妈天多", "下马天天"))
    image = view.viewport().grab().toImage()
    tint = theme().color("mark.substitution_tint")
    assert any(image.pixelColor(x, 3) == tint for x in range(image.width()))


def test_hostile_text_breaks_no_line(view):
    text = "\u202eevil\x00 <b>x</b> " + "y" * 5000 + " ﷽ a" + "\u0301" * 60
    view.show_alignment(shown(text, "好"))
    view.grab()
    assert max(view._widths) < 1000
