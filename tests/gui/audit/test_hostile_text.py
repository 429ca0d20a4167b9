"""Text that would run, reverse, hide or push is shown as it was written, and moves nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from gui.audit.cells import cell_text, cell_tip
from gui.audit.columns import BY_ID, COLUMNS
from gui.audit.row_painter import Look, paint_row
from gui.strings import words
from gui.theme import font, height, theme
from gui.widgets import paint_text, shown_text, tip_text
from tests.gui.audit.test_columns_and_cells import ROW

MARKUP = (
    "<b>粗体</b>", "<script>alert(1)</script>后面", '<img src="https://example.invalid/x.png" onerror="x()">',
    "a < b && c > d", "&lt;不解码&gt;", "</td></tr></table>", "<!-- 注释 -->看得见", "{{7*7}} {% raw %} %(name)s {0}",
    "[link](javascript:x)",
)  # fmt: skip
EXTREMES = (
    "", " ", "长" * 100_000, "前\x00后", "字\ud83d字", "👩‍👩‍👧‍👦👍🏽🇨🇳", "\u202e反过来\u202c正", "\ufeff开头", "\x1b[31m红\x1b[0m",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!", "שלום עולם مرحبا", "第一行\n第二行\t列\r\n", "\u2066孤立", "a\u200bb\u2028c", "\x7f\x80\x9f",
)  # fmt: skip


@pytest.mark.parametrize("text", MARKUP)
def test_markup_is_shown_as_typed_in_cells_and_tips(text):
    row = replace(ROW, question=text, answer=text, system=text, tags=(text,), more={"transcript": text, "why": text})
    for name in ("question", "answer", "system", "tags", "transcript"):
        assert shown_text(cell_text(row, BY_ID[name], words, None)) == text
    tip = tip_text(cell_tip(row, BY_ID["question"], words))
    if "<" in text:
        from PySide6.QtGui import QTextDocument

        document = QTextDocument()
        document.setHtml(tip)
        assert document.toPlainText() == text
    else:
        assert tip == text


def painted(text, column="question", width=220):
    """The cell painted between two cells of other text, as an image."""
    image = QImage(3 * width, height("row"), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    row = replace(ROW, question=text, answer=text, system="next", subset="before", key="before", failure=text)
    painter = QPainter(image)
    places = [(BY_ID["instance"], 0, width), (BY_ID[column], width, width), (BY_ID["system"], 2 * width, width)]
    paint_row(painter, 0, places, row, None, Look(), 0)
    painter.end()
    return image


@pytest.mark.parametrize("text", [*MARKUP, *EXTREMES])
@pytest.mark.parametrize("column", ["question", "answer"])
def test_the_cells_beside_a_hostile_one_are_painted_as_ever(qapp, text, column):
    plain, hostile = painted("平常的话", column), painted(text, column)
    for left in (0, 440):
        beside = QRect(left, 0, 220, height("row"))
        assert hostile.copy(beside) == plain.copy(beside), ascii(text[:20])


def test_what_reverses_the_line_is_shown_by_its_name_and_reverses_nothing(qapp):
    shown = shown_text("\u202e反过来\u202c正")
    assert shown == "[RLO]反过来[PDF]正"
    images = []
    for text in ("\u202eabc", "[RLO]abc"):
        image = QImage(200, 26, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        paint_text(painter, QRect(0, 0, 200, 26), text, font("table"), theme().color("text.primary"))
        painter.end()
        images.append(image)
    assert images[0] == images[1]


def test_control_characters_are_shown_as_symbols():
    assert shown_text("\x00\x07\x1b[31m\x7f\r\n") == "␀␇␛[31m␡⏎"
    assert all(character.isprintable() for character in shown_text("".join(map(chr, range(0xA0)))))


def test_narrow_letters_fill_a_cell_before_they_are_cut(qapp):
    image = QImage(400, 26, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    took = paint_text(painter, QRect(0, 0, 400, 26), "il.:|" * 60, font("table"), theme().color("text.primary"))
    painter.end()
    assert 380 <= took <= 400


def test_every_column_paints_every_extreme(qapp):
    for text in EXTREMES:
        more = {column.value: text for column in COLUMNS if column.is_extra and column.kind not in ("figure", "flag")}
        row = replace(ROW, question=text, answer=text, system=text, subset=text, key=text, tags=(text,), why=text,
                      more=more)  # fmt: skip
        image = QImage(120 * len(COLUMNS), height("row"), QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint_row(painter, 0, [(c, 120 * n, 120) for n, c in enumerate(COLUMNS)], row, 5, Look(True, True, True), 0)
        painter.end()
        for column in COLUMNS:
            assert len(shown_text(cell_text(row, column, words, 5))) <= 600
            assert len(tip_text(cell_tip(row, column, words))) <= 20_000


def test_a_hostile_filter_and_its_chip_move_nothing(auditor):
    width = auditor.screen.filter.width()
    auditor.types('"' + "长" * 300 + '" key:"<b>\u202e"')
    auditor.entry.offers.hide()
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Return))
    assert auditor.screen.filter.width() == width
    assert auditor.screen.filter.field.width() < width
    assert auditor.entry.width() >= 90
    assert not auditor.screen.filter.grab().isNull()
