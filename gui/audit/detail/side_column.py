"""The column right of the lanes: measurements, judgement, people, provenance; in a low panel it scrolls as one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from gui.audit.detail.judgement_panel import JudgementPanel
from gui.audit.detail.measurement_panel import MeasurementPanel
from gui.audit.detail.people_panel import PeoplePanel
from gui.audit.detail.provenance import ProvenanceLine
from gui.widgets.hairline import Hairline

_PARTS_SCROLL_FROM = 280  # pixels of height, from where each part scrolls what it has no room for


class SideColumn(QScrollArea):
    """Holds the parts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.viewport().setAutoFillBackground(False)
        self.measurements = MeasurementPanel()
        self.judgement = JudgementPanel()
        self.people = PeoplePanel()
        self.provenance = ProvenanceLine()
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.measurements, 9)
        column.addWidget(Hairline())
        column.addWidget(self.judgement, 10)
        column.addWidget(self.people)
        column.addWidget(Hairline())
        column.addWidget(self.provenance)
        self.setWidget(inside)
        inside.setAutoFillBackground(False)

    def arrange(self, room: int) -> None:
        """Each part as tall as what it shows where ``room`` is low, else both share it."""
        is_whole = room < _PARTS_SCROLL_FROM
        self.measurements.set_whole(is_whole)
        self.judgement.set_whole(is_whole)
