"""The Settings screen: sections on the left, the page of one of them on the right."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFocusEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gui.preferences.about_page import AboutPage
from gui.preferences.endpoints_page import EndpointsPage
from gui.preferences.keys_page import KeysPage
from gui.preferences.look_page import LookPage
from gui.preferences.page import Page
from gui.preferences.recogniser_page import RecogniserPage
from gui.preferences.sections import Section, SectionList
from gui.preferences.sound_page import SoundPage
from gui.services import Services
from gui.widgets import Hairline, ScreenBar

WORDS_FROM_WIDTH = 700

SECTIONS = (
    Section("judges", "scales"),
    Section("recogniser", "ear"),
    Section("sound", "speaker-high"),
    Section("look", "text-aa"),
    Section("keys", "keyboard"),
    Section("about", "info"),
)
_PAGES: dict[str, Callable[[Services], Page]] = {
    "judges": EndpointsPage,
    "recogniser": RecogniserPage,
    "sound": SoundPage,
    "look": LookPage,
    "keys": KeysPage,
    "about": AboutPage,
}


class Preferences(QWidget):
    """A page is made when it is first looked at."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._pages: dict[str, Page] = {}
        self._bar = ScreenBar(parent=self)
        self._sections = SectionList(SECTIONS, self)
        self._stack = QStackedWidget(self)
        sides = QHBoxLayout()
        sides.setSpacing(0)
        sides.addWidget(self._sections)
        sides.addWidget(Hairline(vertical=True))
        sides.addWidget(self._stack, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._bar)
        whole.addLayout(sides, 1)
        self._sections.choose(SECTIONS[0].id)
        self._sections.chosen.connect(self.show_section)
        add = services.actions.add
        add("settings.next", "Ctrl+PgDown", self._next, screen="settings", icon="arrow-down")
        add("settings.previous", "Ctrl+PgUp", self._previous, screen="settings", icon="arrow-up")
        add("settings.add_endpoint", "Ctrl+N", self._add_endpoint, screen="settings", icon="plus")
        add("settings.find_key", "Ctrl+F", self._find_key, screen="settings", icon="magnifying-glass")
        services.words.changed.connect(self._retranslate)
        self._retranslate()

    def show_section(self, section: str) -> None:
        """Show one section: ``judges``, ``recogniser``, ``sound``, ``look``, ``keys`` or ``about``."""
        page = self.page(section)
        self._stack.setCurrentWidget(page)
        self._sections.choose(section)
        if self.isVisible():
            page.shown()

    def page(self, section: str) -> Page:
        """The page of a section, made now if it was never shown."""
        if section not in self._pages:
            self._pages[section] = _PAGES[section](self._services)
            self._stack.addWidget(self._pages[section])
        return self._pages[section]

    @property
    def shown_section(self) -> str:
        """The id of the section that is shown."""
        return self._sections.current

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._show_current)  # the frame first, its page in the next turn

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._sections.setFocus(event.reason())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._sections.show_words(self.width() >= WORDS_FROM_WIDTH)

    def _show_current(self) -> None:
        self.show_section(self._sections.current)

    def _next(self) -> None:
        self._sections.step(1)

    def _previous(self) -> None:
        self._sections.step(-1)

    def _add_endpoint(self) -> None:
        self.show_section("judges")
        cast(EndpointsPage, self.page("judges")).add_endpoint()

    def _find_key(self) -> None:
        self.show_section("keys")
        cast(KeysPage, self.page("keys")).find_key()

    def _retranslate(self) -> None:
        title = self._services.words.text("window.rail.settings")
        self._bar.set_title(title)
        self.setAccessibleName(title)


def make(services: Services) -> Preferences:
    """The screen, as ``gui/screens.py`` asks for it."""
    return Preferences(services)
