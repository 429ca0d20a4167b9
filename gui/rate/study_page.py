"""A study from three sides: as it stands, what came of it, how its raters did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, runtime_checkable

from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from gui.rate.overview_page import OverviewPage
from gui.widgets import scroll_area

Part = Literal["overview", "results", "quality"]
PARTS: tuple[Part, ...] = ("overview", "results", "quality")


@runtime_checkable
class Keyed(Protocol):
    """A page with buttons that keys press too."""

    def show_keys(self, keys: Callable[[str], str]) -> None: ...


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
        self._keys: Callable[[str], str] | None = None
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
        if isinstance(page, Keyed) and self._keys is not None:
            page.show_keys(self._keys)

    def show_keys(self, keys: Callable[[str], str]) -> None:
        """Show the keys that do what the buttons do."""
        self._keys = keys
        for page in self._filled:
            if isinstance(page, Keyed):
                page.show_keys(keys)

    def retranslate(self) -> None:
        """Say it in the language of now."""
        self.overview.retranslate()
        for page in self._filled:
            page.fill()

    def show_part(self, part: Part) -> None:
        """Show it; it has been put here."""
        self.setCurrentWidget(self._areas[part])
