"""A column in the middle of a page that scrolls."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.widgets import scroll_area


def fill_with_column(page: QWidget, column: QWidget, widest: int) -> None:
    """Let ``column`` be all that ``page`` shows, ``widest`` pixels wide at the most."""
    column.setMaximumWidth(widest)
    middle = QWidget()
    row = QHBoxLayout(middle)
    row.setContentsMargins(0, 0, 0, 0)
    row.addStretch(1)
    row.addWidget(column, 20)
    row.addStretch(1)
    whole = QVBoxLayout(page)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.addWidget(scroll_area(middle))
