"""A small table of facts: where it is wide, all its columns can be reached, and what tells a row is never elided."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from gui.theme import font
from gui.widgets.facts_table import Cell, FactsTable, shortened

COLUMNS = ("Item", *(f"column number {place}" for place in range(6)))
KEY = "robust-background_noise-000"


@pytest.fixture
def table(qtbot):
    made = FactsTable(is_wide=True)
    qtbot.addWidget(made)
    made.set_rows(COLUMNS, [(Cell(KEY, keeps="-000"), *(Cell("1.00", True) for _ in COLUMNS[1:]))])
    made.resize(400, made.sizeHint().height())
    made.show()
    qtbot.waitExposed(made)
    return made


def test_where_its_columns_do_not_fit_it_scrolls_to_the_last_one_by_keyboard(table, qtbot):
    bar = table.horizontalScrollBar()
    assert bar.isVisible()
    assert table.viewport().height() >= 26  # the bar takes nothing of its only row
    table.setFocus()
    for _ in COLUMNS:
        qtbot.keyClick(table, Qt.Key.Key_Right)
    assert bar.value() == bar.maximum()


def test_where_there_is_room_the_first_column_takes_it(table, qtbot):
    table.resize(1600, table.sizeHint().height())
    qtbot.waitUntil(lambda: not table.horizontalScrollBar().isVisible())
    assert table.horizontalHeader().length() == table.viewport().width()


def test_the_end_that_tells_a_row_is_kept_however_narrow(qapp):
    cell = Cell(KEY, keeps="-000")
    assert shortened(cell, font("table"), 2000) == KEY
    short = shortened(cell, font("table"), 90)
    assert short.endswith("…-000")
    assert len(short) < len(KEY)


def test_a_column_of_words_is_as_wide_as_the_widest_of_them(table):
    cells = ["端到端", "适配器", "a word"]
    table.set_rows(["System", "K"], [(Cell("one"), Cell(text)) for text in cells])
    room = table.columnWidth(1)
    assert all(QFontMetrics(font("table")).horizontalAdvance(text) < room for text in cells)
