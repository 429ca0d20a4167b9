"""Columns chosen, moved, hidden and put back, by keyboard, mouse and panel."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from gui.audit.columns import COLUMNS, DEFAULT, FIXED, PLACES, known_columns, known_sort, widths_for, with_sorted
from gui.strings import words

SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


def seen(auditor):
    """The columns as they stand on the screen."""
    header = auditor.table.header
    places = [header.logicalIndex(visual) for visual in range(header.count())]
    return [COLUMNS[place].id for place in places if not header.isSectionHidden(place)]


def rows_of(panel):
    return [panel.list.item(place).text() for place in range(panel.list.count())]


def test_what_is_not_known_is_left_out_of_what_was_written_down():
    assert known_columns(["rate", "nonsense", "rate", 3, FIXED, "cer"]) == (FIXED, "rate", "cer")
    assert known_columns([]) == known_columns(["nonsense"]) == DEFAULT
    assert known_sort([["rate", True], ["nonsense", True], "x", ["tags", False]]) == (("rate", True),)


def test_columns_that_decide_the_order_are_shown_and_stay():
    assert with_sorted(("state", "rate"), (("rtf", True), ("rate", True))) == ("state", "rate", "rtf")
    assert "length" in widths_for(700, {}, DEFAULT, kept=("length",))
    assert "length" not in widths_for(700, {}, DEFAULT)


def test_added_columns_make_the_usual_ones_leave_first_and_then_the_table_scrolls():
    shown = (*DEFAULT, "cer", "wer", "peak")
    widths = widths_for(1308, {}, shown)
    assert {"cer", "wer", "peak"} <= widths.keys()
    assert not {"tags", "first"} & widths.keys()
    assert sum(widths_for(700, {}, shown).values()) > 700


def test_the_panel_shows_and_hides_columns_at_once_and_remembers(auditor):
    auditor.screen.resize(1900, 800)
    auditor.screen.choose_columns()
    panel = auditor.screen.columns
    assert panel.isVisible() and panel.list.hasFocus()
    assert rows_of(panel)[:2] == ["Instance", "System"]
    auditor.presses(Qt.Key.Key_Down, panel.list)
    auditor.presses(Qt.Key.Key_Space, panel.list)
    assert "system" not in seen(auditor)
    places = {panel.list.item(place).text(): place for place in range(panel.list.count())}
    panel.list.toggle(places["Char. err"])
    assert seen(auditor)[-1] == "cer"
    assert auditor.services.settings.get("audit_order")[-1] == "cer"
    auditor.waits_for(lambda: auditor.model.rows.row(0) is not None and "cer" in auditor.model.rows.row(0).more)
    auditor.presses(Qt.Key.Key_Escape, panel.list)
    assert not panel.isVisible()
    assert auditor.screen.filter.columns.hasFocus()


def test_the_panel_moves_columns_by_keyboard_and_by_dragging(auditor):
    auditor.screen.choose_columns()
    panel = auditor.screen.columns
    auditor.presses(Qt.Key.Key_Down, panel.list, ALT)
    assert seen(auditor)[:3] == ["state", "system", "instance"]
    view = panel.list
    at = [view.visualItemRect(view.item(place)).center() for place in range(4)]
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=at[3])
    QTest.mouseMove(view.viewport(), at[1])
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=at[1])
    assert seen(auditor)[:5] == ["state", "system", "answer", "instance", "question"]
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at[1])
    assert "answer" not in seen(auditor)


def test_reset_brings_back_what_ships(auditor):
    auditor.model.show_columns(["cer", "system"])
    auditor.services.settings.set("audit_columns", {"system": 300})
    auditor.table.fit()
    auditor.screen.choose_columns()
    auditor.screen.columns._reset.click()
    assert tuple(auditor.model.columns) == DEFAULT
    assert auditor.table.header.sectionSize(PLACES["system"]) == 124
    assert auditor.screen.columns.list.ticked() == DEFAULT[1:]


def test_a_column_without_room_is_told_in_the_panel(auditor):
    auditor.screen.choose_columns()
    from gui.audit.columns_panel import _NOTE

    view = auditor.screen.columns.list
    notes = {view.item(place).text(): view.item(place).data(_NOTE) for place in range(view.count())}
    assert notes["Tags"] == "no room"
    assert notes["System"] == ""


def test_the_header_moves_and_hides_by_keyboard(auditor):
    header = auditor.table.header
    header.setFocus()
    auditor.presses(Qt.Key.Key_Right, header)
    auditor.presses(Qt.Key.Key_Right, header, SHIFT)
    assert seen(auditor)[:3] == ["state", "system", "instance"]
    auditor.presses(Qt.Key.Key_Left, header, SHIFT)
    auditor.presses(Qt.Key.Key_Left, header, SHIFT)
    assert seen(auditor)[:3] == ["state", "instance", "system"]
    auditor.presses(Qt.Key.Key_Delete, header)
    assert seen(auditor)[:2] == ["state", "system"]


def test_a_title_is_dragged_to_another_place(auditor):
    header = auditor.table.header

    def middle(name, by=0):
        place = PLACES[name]
        return QPoint(header.sectionViewportPosition(place) + header.sectionSize(place) // 2 + by, 10)

    QTest.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=middle("system"))
    QTest.mouseMove(header.viewport(), middle("system", 40))
    QTest.mouseMove(header.viewport(), middle("question", 40))
    QTest.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=middle("question", 40))
    kept = auditor.services.settings
    auditor.waits_for(lambda: kept.get("audit_order")[:4] == ["state", "instance", "question", "system"])
    assert seen(auditor)[:4] == ["state", "instance", "question", "system"]


def test_the_menu_of_a_title_does_what_keys_do(auditor):
    header = auditor.table.header
    menu = header.menu_of(PLACES["system"])
    next(entry for entry in menu.actions() if entry.text() == "Hide").trigger()
    assert "system" not in seen(auditor)
    menu.close()


def test_hiding_a_column_that_decides_the_order_ends_that_order(auditor):
    auditor.finds(lambda: auditor.model.sort_by("system"))
    auditor.finds(lambda: auditor.model.hide_column("system"))
    assert "system" not in auditor.model.columns
    assert auditor.model.sort == (("rate", True),)


def test_an_order_by_a_column_that_is_not_shown_shows_it(auditor):
    auditor.finds(lambda: auditor.model.sort_by("rtf"))
    assert seen(auditor)[-1] == "rtf"
    auditor.finds(lambda: auditor.model.sort_by("rate"))
    assert "rtf" not in seen(auditor)


def test_the_order_is_remembered(auditor, services):
    from gui.audit.view_model import AuditViewModel

    auditor.finds(lambda: auditor.model.sort_by("system"))
    auditor.finds(lambda: auditor.model.sort_by("rate", add=True))
    again = AuditViewModel(services.workspace, services.jobs, services.settings, services.words)
    assert again.sort == (("system", False), ("rate", True))
    auditor.waits_for(lambda: not services.jobs.running)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_column_has_a_title_and_a_tip_and_is_painted(auditor, language):
    words.use(language)
    auditor.screen.resize(12_000, 800)  # half of it is the detail
    auditor.model.show_columns([column.id for column in COLUMNS])
    auditor.waits_for(lambda: auditor.model.rows.row(0) is not None)
    model = auditor.model.rows
    for place in range(len(COLUMNS)):
        assert model.headerData(place, Qt.Orientation.Horizontal)
        assert model.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert isinstance(model.index(0, place).data(), str)
    assert not auditor.table.viewport().grab().isNull()
    assert len(seen(auditor)) == len(COLUMNS)
