"""Several rows chosen at once, by keyboard and by mouse."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from engine.query.selection import Selection
from gui.audit.chosen import MOST_RUNS, count_of, ids_at, joined_runs, runs_of

ALT = Qt.KeyboardModifier.AltModifier
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def rows(auditor):
    return [place for first, last in auditor.table._chosen for place in range(first, last + 1)]


def test_runs_are_joined_and_found_again():
    ids = np.arange(10, 20)
    runs = joined_runs([(4, 5), (0, 1), (2, 2), (5, 7)])
    assert runs == ((0, 2), (4, 7))
    assert count_of(runs) == 7
    assert ids_at(ids, runs).tolist() == [10, 11, 12, 14, 15, 16, 17]
    assert runs_of(ids[::-1], ids_at(ids, runs)) == ((2, 5), (7, 9))
    assert runs_of(ids, [99]) == ()


def test_a_choice_in_very_many_pieces_is_not_kept():
    ids = np.arange(4 * MOST_RUNS)
    assert runs_of(ids, ids[::2]) == ()


def test_the_answer_looked_at_is_chosen_where_no_others_are(auditor):
    assert auditor.model.chosen == Selection(ids=(int(auditor.model.rows.ids[0]),))
    assert auditor.model.chosen_count == 1


def test_shift_and_arrows_choose_a_range_from_where_it_began(auditor):
    auditor.table.choose_row(3)
    auditor.presses(Qt.Key.Key_Down, auditor.table, SHIFT)
    auditor.presses(Qt.Key.Key_Down, auditor.table, SHIFT)
    assert rows(auditor) == [3, 4, 5]
    auditor.presses(Qt.Key.Key_Up, auditor.table, SHIFT)
    assert rows(auditor) == [3, 4]
    auditor.presses(Qt.Key.Key_Home, auditor.table, SHIFT)
    assert rows(auditor) == [0, 1, 2, 3]
    assert auditor.model.chosen == Selection(ids=tuple(auditor.model.rows.ids[:4].tolist()))
    auditor.presses(Qt.Key.Key_Down, auditor.table)
    assert rows(auditor) == [1]


def test_the_next_answer_is_chosen_as_down_does_with_the_keyboard_in_the_table_or_not(auditor):
    auditor.services.actions.belong_to(auditor.screen)
    auditor.services.actions.enter("audit")
    auditor.table.choose_row(1)
    for holder in (auditor.table, auditor.screen.detail.lanes):
        holder.setFocus()
        before = auditor.table.currentIndex().row()
        auditor.presses(Qt.Key.Key_Down, holder, CTRL)
        assert rows(auditor) == [auditor.table.currentIndex().row()] == [before + 1]
        assert auditor.model.current == auditor.model.rows.ids[before + 1]
    auditor.presses(Qt.Key.Key_Up, auditor.table, CTRL)
    assert rows(auditor) == [2]


def test_alt_and_arrows_go_on_without_choosing_and_x_chooses(auditor):
    auditor.table.choose_row(1)
    auditor.table.setFocus()
    auditor.presses(Qt.Key.Key_Down, auditor.table, ALT)
    auditor.presses(Qt.Key.Key_Down, auditor.table, ALT)
    assert auditor.table.currentIndex().row() == 3
    assert auditor.model.chosen == Selection(ids=(int(auditor.model.rows.ids[3]),))
    auditor.presses(Qt.Key.Key_Space, auditor.table, CTRL)
    assert rows(auditor) == [1, 3]
    auditor.presses(Qt.Key.Key_Down, auditor.table, SHIFT | CTRL)
    assert rows(auditor) == [1, 3, 4]
    auditor.presses(Qt.Key.Key_Escape, auditor.table)
    assert rows(auditor) == [4]


def test_the_whole_result_is_chosen_as_its_filter(auditor):
    auditor.types("verdict:wrong")
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Return))
    auditor.table.choose_all()
    assert auditor.model.chosen == Selection("verdict:wrong")
    assert auditor.model.chosen_count == 4
    assert auditor.screen.filter._found.accessibleName().startswith("4 chosen · 4 / 17")
    auditor.finds(lambda: auditor.types("system:steady"))
    auditor.table.choose_all()
    assert auditor.model.chosen == Selection("verdict:wrong system:steady")


def test_all_of_a_selection_from_elsewhere_stays_within_it(auditor):
    auditor.finds(lambda: auditor.screen.take(Selection("", (2, 4, 6))))
    auditor.table.choose_all()
    assert auditor.model.chosen == Selection("", (2, 4, 6))


def test_the_mouse_chooses_with_shift_and_ctrl(auditor):
    def click(place, held=Qt.KeyboardModifier.NoModifier):
        at = QPoint(300, auditor.table.rowViewportPosition(place) + 8)
        QTest.mouseClick(auditor.table.viewport(), Qt.MouseButton.LeftButton, held, at)

    click(2)
    click(5, SHIFT)
    assert rows(auditor) == [2, 3, 4, 5]
    click(3, CTRL)
    assert rows(auditor) == [2, 4, 5]
    click(1)
    assert rows(auditor) == [1]


def test_what_is_chosen_stays_chosen_in_another_order_and_when_results_come(auditor):
    auditor.table.choose_row(2)
    auditor.presses(Qt.Key.Key_Down, auditor.table, SHIFT)
    chosen = set(auditor.model.chosen.ids)
    auditor.finds(lambda: auditor.model.sort_by("instance"))
    assert set(auditor.model.chosen.ids) == chosen
    auditor.finds(auditor.services.workspace.content_changed.emit)
    assert set(auditor.model.chosen.ids) == chosen
    auditor.finds(lambda: auditor.types("system:nobody"))
    assert auditor.model.chosen_count == 0
