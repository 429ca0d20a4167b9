"""The table model over ids: pages come when looked at, few are kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gui.audit.columns import PLACES
from gui.audit.rows_model import MOST_PAGES, PAGE, RowsModel
from gui.strings import words
from tests.gui.audit.test_columns_and_cells import ROW


def page_of(model, page):
    return [replace(ROW, id=int(i)) for i in model.ids[page * PAGE : (page + 1) * PAGE]]


def test_the_model_is_a_proper_one(qtmodeltester):
    model = RowsModel(words)
    model.set_ids(np.arange(1, 251))
    model.put_page(0, page_of(model, 0), {})
    qtmodeltester.check(model, force_py=True)


def test_rows_are_blank_until_their_page_comes_and_asked_for_once(qtbot):
    model = RowsModel(words)
    model.set_ids(np.arange(1, 1001))
    with qtbot.waitSignal(model.wanted) as asked:
        assert model.index(250, 0).data() is None
        assert model.index(251, 0).data() is None
    assert asked.args == [[5]]
    with qtbot.waitSignal(model.dataChanged) as changed:
        model.put_page(5, page_of(model, 5), {})
    assert (changed.args[0].row(), changed.args[1].row()) == (250, 299)
    assert model.index(250, PLACES["rate"]).data() == "0.143"
    assert model.take_asked() == []


def test_an_answer_that_is_gone_stays_blank_and_is_not_asked_for_again():
    model = RowsModel(words)
    model.set_ids(np.arange(1, 11))
    model.put_page(0, [row for row in page_of(model, 0) if row.id != 3], {})
    assert model.row(2) is None
    assert model.row(3) is not None
    assert model.take_asked() == []


def test_only_some_pages_are_kept():
    model = RowsModel(words)
    model.set_ids(np.arange(1, 168_226))
    for page in range(MOST_PAGES + 10):
        model.put_page(page, page_of(model, page), {})
    assert model.cached_count == MOST_PAGES * PAGE
    assert model.row((MOST_PAGES + 9) * PAGE) is not None


def test_an_answer_is_found_by_its_id():
    model = RowsModel(words)
    model.set_ids(np.array([5, 9, 2]))
    assert (model.place_of(9), model.place_of(7)) == (1, None)


def test_titles_and_cells_change_with_the_language(qtbot):
    from PySide6.QtCore import Qt

    model = RowsModel(words)
    model.set_ids(np.arange(1, 3))
    model.put_page(0, page_of(model, 0), {("vocalbench_zh", "general_knowledge"): None})
    with qtbot.waitSignals([model.headerDataChanged, model.dataChanged]):
        words.use("zh")
    assert model.headerData(PLACES["rate"], Qt.Orientation.Horizontal) == "音节错误"
    assert model.index(0, PLACES["mismatch"]).data() == "漏读"
