"""What the Audit screen shows and plays of one answer, and what is done with answers: made after the first rows."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from PySide6.QtWidgets import QBoxLayout, QSplitter, QStackedWidget, QWidget

from gui.audit.compare.charts_room import ChartsRoom
from gui.audit.correction.again import Again
from gui.audit.detail import panel
from gui.audit.detail.panel import DetailPanel
from gui.audit.evidence.room import EvidenceRoom
from gui.audit.filter_bar import FilterBar
from gui.audit.table import Table
from gui.audit.transport import Transport
from gui.audit.view_model import AuditViewModel
from gui.services import Services

WORDS = ("player", "correction", "evidence")


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts go; ``detail`` and ``transport`` are blank widgets that keep their room until then."""

    screen: QWidget
    table: Table
    filter: FilterBar
    stack: QStackedWidget
    splitter: QSplitter
    column: QBoxLayout
    detail: QWidget
    transport: QWidget


@dataclass(frozen=True, slots=True)
class AnswerParts:
    """The parts, made and in their places."""

    detail: DetailPanel
    transport: Transport
    evidence: EvidenceRoom
    charts: ChartsRoom
    again: Again


def build(services: Services, model: AuditViewModel, places: Places) -> Generator[None, None, AnswerParts]:
    """Make the parts and put them into their places, in steps short enough for the GUI thread."""
    detail = yield from panel.build(services)
    if model.current is not None:
        _stay_blank(detail)
    yield
    transport = Transport(services)
    yield
    evidence = EvidenceRoom(services, model, detail, places.table, places.filter, places.screen)
    yield
    places.filter.give_up_room()
    tools = places.filter.tools
    charts = ChartsRoom(services, model, detail, places.table, places.stack, places.splitter, tools)
    again = Again(services, model, places.screen)
    tools.addWidget(again.button)
    yield
    _replace_in(places.splitter, places.detail, detail)
    yield
    places.column.replaceWidget(places.transport, transport)
    places.transport.deleteLater()
    return AnswerParts(detail, transport, evidence, charts, again)


def _stay_blank(detail: DetailPanel) -> None:
    """Until the chosen answer is there it does not say that none is chosen."""
    detail.empty.hide()
    detail.model.cleared.connect(detail.empty.show)
    detail.model.failed.connect(detail.empty.show)


def _replace_in(splitter: QSplitter, blank: QWidget, part: QWidget) -> None:
    """Put ``part`` in the place of ``blank``, as large as that is."""
    splitter.replaceWidget(splitter.indexOf(blank), part)
    blank.deleteLater()
