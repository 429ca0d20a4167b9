"""Rows and cells shown from pictures look as if they were painted, and never say what no longer holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter, QPixmap

from gui.audit.columns import COLUMNS
from gui.audit.row_painter import Look, paint_row
from gui.audit.row_pictures import RowPictures
from gui.theme import height, set_theme
from tests.gui.audit.test_columns_and_cells import ROW

WIDE = 120
PLACES = [(column, WIDE * place, WIDE) for place, column in enumerate(COLUMNS)]
OTHERS = (
    ROW,
    replace(ROW, state="unparsable", speech_state="failed", mismatch=("omission", "insertion"), tags=("重听", "later")),
    replace(ROW, error_is_of_words=True, error_rate=0.5, score=3.5, verdict=None, dnsmos=None),
)


def painted(row, look):
    picture = QPixmap(WIDE * len(COLUMNS), height("row"))
    painter = QPainter(picture)
    paint_row(painter, 0, PLACES, row, 5, look, 0)
    painter.end()
    return picture.toImage()


@pytest.mark.parametrize("theme_name", ["light", "dark"])
@pytest.mark.parametrize("look", [Look(), Look(chosen=True), Look(hovered=True), Look(True, True, True)])
def test_a_row_from_pictures_of_its_cells_is_the_row_as_painted(qapp, theme_name, look):
    set_theme(theme_name)
    pictures = RowPictures()
    for row in (*OTHERS, *(replace(row, id=row.id + 1) for row in OTHERS)):  # the second time cells are kept
        assert pictures.picture_of(row, 5, look, PLACES, 1).toImage() == painted(row, look)


def test_a_row_that_says_the_same_keeps_its_picture_and_one_that_does_not_is_painted_anew(qapp):
    pictures = RowPictures()
    first = pictures.picture_of(ROW, 5, Look(), PLACES, 1)
    assert pictures.picture_of(replace(ROW), 5, Look(), PLACES, 1) is first
    tagged = replace(ROW, tags=("another",))
    assert pictures.picture_of(tagged, 5, Look(), PLACES, 1).toImage() == painted(tagged, Look())
    pictures.forget()
    assert pictures.picture_of(ROW, 5, Look(), PLACES, 1) is not first


def test_on_a_finer_screen_pictures_are_finer(qapp):
    pictures = RowPictures()
    assert pictures.picture_of(ROW, 5, Look(), PLACES, 1).height() == height("row")
    picture = pictures.picture_of(ROW, 5, Look(), PLACES, 2)
    assert (picture.height(), picture.devicePixelRatio()) == (2 * height("row"), 2)
    assert picture.rect().topLeft() == QPoint()
