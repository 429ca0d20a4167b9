"""A whole number in a field: typed or stepped, within its limits; the gallery shows it as it shows the others."""

from __future__ import annotations

from PySide6.QtCore import Qt

from gui.gallery.page import Gallery
from gui.widgets.number_field import NumberField


def test_it_is_stepped_within_its_limits_and_told_only_while_it_may_be(qtbot):
    field = NumberField(1, 12, 5)
    qtbot.addWidget(field)
    found = []
    field.changed.connect(found.append)
    field.set_number(3)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_PageDown):
        qtbot.keyClick(field, key)
    assert found == [8, 12, 1]
    field.selectAll()
    qtbot.keyClicks(field, "0")
    assert found == [8, 12, 1]  # none below 1


def test_the_gallery_shows_it(qtbot):
    page = Gallery()
    qtbot.addWidget(page)
    assert page.findChildren(NumberField)
