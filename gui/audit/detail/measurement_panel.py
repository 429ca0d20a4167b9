"""The measurements under their head, which says what the recogniser errs on known speech."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.audit.detail.measurement_lines import FloorLine, MeasurementLine
from gui.audit.detail.measurement_table import MeasurementTable
from gui.strings import words
from gui.theme import height, space
from gui.widgets.empty import Glyph
from gui.widgets.labels import label, set_tone

_FLOORS = {  # of each kind of floor: tone, glyph, its colour
    "admitted": ("secondary", "check-circle", "state.scored"),
    "too_weak": ("warning", "warning", "verdict.warning"),
    "unknown": ("tertiary", "circle-dashed", "state.unscored"),
    "person": ("secondary", "user", "accent.base"),
    "none": ("tertiary", "circle-dashed", "state.unscored"),
}


class MeasurementPanel(QWidget):
    """Shows rows and the floor."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QWidget()
        head.setFixedHeight(height("card_head"))
        row = QHBoxLayout(head)
        row.setContentsMargins(space(3), 0, space(2), 0)
        row.setSpacing(space(1))
        self._title = label("", "body", weight=600)
        self._floor = label("", "small", "secondary", elide=True)
        self._floor.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._glyph = Glyph("circle-dashed", "state.unscored", 14)
        row.addWidget(self._title)
        row.addWidget(self._floor, 1)
        row.addWidget(self._glyph)
        self.table = MeasurementTable()
        column.addWidget(head)
        column.addWidget(self.table, 1)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def show_measurements(self, lines: Sequence[MeasurementLine], floor: FloorLine) -> None:
        """Show other rows and another floor."""
        tone, glyph, colour = _FLOORS[floor.kind]
        self._floor.setText(floor.sentence)
        set_tone(self._floor, tone)
        self._glyph.show_icon(glyph, colour)
        self.table.set_lines(lines)

    def set_with_makers(self, with_makers: bool) -> None:
        """Show makers as a column, or in the tips alone."""
        self.table.set_with_makers(with_makers)

    def set_whole(self, is_whole: bool) -> None:
        """Be as tall as all rows, or scroll them."""
        self.table.set_whole(is_whole)

    def _retranslate(self) -> None:
        self._title.setText(words.text("audit.detail.measurements"))
