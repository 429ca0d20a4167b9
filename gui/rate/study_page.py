"""A study from three sides: as it stands, what came of it, how its raters did."""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from gui.rate.overview_page import OverviewPage
from gui.widgets import scroll_area

Part = Literal["overview", "results", "quality"]
PARTS: tuple[Part, ...] = ("overview", "results", "quality")


@runtime_checkable
class Filled(Protocol):
    """A page whose words are said anew by filling it."""

    def fill(self) -> None: ...


class StudyPage(QStackedWidget):
    """Shows one part; those of results are made when first wanted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.overview = OverviewPage()
        self._areas: dict[str, QScrollArea] = {}
        self._filled: list[Filled] = []
        self.put("overview", self.overview)

    def has(self, part: Part) -> bool:
        """Whether a part has been made."""
        return part in self._areas

    def put(self, part: Part, page: QWidget) -> None:
        """The page of a part, made by whoever knows how."""
        self._areas[part] = scroll_area(page)
        self.addWidget(self._areas[part])
        if isinstance(page, Filled):
            self._filled.append(page)

    def retranslate(self) -> None:
        """Say it in the language of now."""
        self.overview.retranslate()
        for page in self._filled:
            page.fill()

    def show_part(self, part: Part) -> None:
        """Show it; it has been put here."""
        self.setCurrentWidget(self._areas[part])
