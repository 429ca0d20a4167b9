"""What stands beside the list of studies: a page for each thing the screen can be about, made when first wanted."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from gui.collecting import keep_what_is_loaded
from gui.rate.new_page import Cards, NewPage, made_cards
from gui.rate.new_study import NewStudy
from gui.rate.people import People
from gui.rate.people_page import PeoplePage
from gui.rate.rater_page import RaterPage
from gui.rate.sitting.view import SittingParts, SittingView, made_parts
from gui.rate.study_page import StudyPage
from gui.rate.view_model import RateViewModel
from gui.rate.wording import say
from gui.services import Services
from gui.widgets import Button, EmptyState, scroll_area


class Pages(QStackedWidget):
    """Shows the page of the view-model.

    Signals:
        library_asked: there is nothing to rate; it comes from Library.
        new_asked: a first study is wanted.
        known_asked: a file of known answers is to be chosen.
    """

    library_asked, new_asked, known_asked = Signal(), Signal(), Signal()

    def __init__(
        self, services: Services, model: RateViewModel, people: People, new: NewStudy, study: StudyPage
    ) -> None:
        super().__init__()
        self._services, self._model, self._people, self._new = services, model, people, new
        self._study = study
        self._new_page: NewPage | None = None
        self._cards: Cards | None = None
        self._making = made_cards(new)
        self._people_page: PeoplePage | None = None
        self._rater_page: RaterPage | None = None
        self._sitting: SittingView | None = None
        self._sitting_parts: SittingParts | None = None
        self._making_parts = made_parts(services)
        self._page_of: dict[str, QWidget] = {}
        self._to_library, self._to_import = Button(role="primary"), Button(role="primary")
        self.first_button = Button(icon="plus", role="primary")
        self._empties = {
            "no_workspace": EmptyState(primary=self._to_library, icon="database"),
            "no_answers": EmptyState(primary=self._to_import, icon="tray"),
            "empty": EmptyState(primary=self.first_button, icon="star-half"),
        }
        for name, page in (*self._empties.items(), ("study", study)):
            self._put(name, page)
        self._to_library.clicked.connect(self.library_asked)
        self._to_import.clicked.connect(self.library_asked)
        self.first_button.clicked.connect(self.new_asked)

    @property
    def new_page(self) -> NewPage:
        """Where a study is put together."""
        if self._new_page is None:
            while self._cards is None:  # it is asked for before there was time to make it
                self._make_card()
            self._new_page = NewPage(self._new, self._cards)
            self._new_page.rater_asked.connect(self._people.add)
            self._new_page.file_asked.connect(self.known_asked)
            self._put("new", self._new_page)
            self.show_keys(self._services.actions.keys)
        return self._new_page

    @property
    def people_page(self) -> PeoplePage:
        """Who the raters are."""
        if self._people_page is None:
            self._people_page = PeoplePage(self._people, self._services.profiles)
            self._people_page.left.connect(self._model.leave_over)
            self._put("people", scroll_area(self._people_page))
        return self._people_page

    @property
    def rater_page(self) -> RaterPage:
        """What a rater sees."""
        if self._rater_page is None:
            self._rater_page = RaterPage(self._services.profiles)
            self._rater_page.begun.connect(self._model.sit_down)
            self._put("rater", scroll_area(self._rater_page))
        return self._rater_page

    def prepare(self) -> None:
        """Make the page of a new study and the parts of a sitting one by one, while nobody waits for them."""
        if self._cards is None:
            self._make_card()
        elif self._new_page is None and self._services.profiles.now.is_owner:
            assert self.new_page
        elif self._sitting_parts is None and self._sitting is None:
            self._make_sitting_part()
        else:
            keep_what_is_loaded()
            return
        QTimer.singleShot(0, self, self.prepare)

    def _make_card(self) -> None:
        try:
            next(self._making)
        except StopIteration as end:
            self._cards = end.value

    def _make_sitting_part(self) -> None:
        try:
            next(self._making_parts)
        except StopIteration as end:
            self._sitting_parts = end.value

    def show_page(self) -> None:
        """Show the page of now; its keyboard begins where the page says where another was shown before."""
        page = self._model.page
        if page == "sitting":
            self._sit_down()
        elif self._sitting is not None:
            self._get_up()
        if page in ("new", "people", "rater"):
            getattr(self, f"{page}_page")
        shown = self._page_of[page]
        is_other = self.currentWidget() is not shown
        self.setCurrentWidget(shown)
        self.fill()
        if is_other and page in ("new", "people", "rater"):
            getattr(self, f"{page}_page").focus_first()
        elif is_other and page == "study" and self.isVisible():
            self._study.overview.focus_first()

    def fill(self) -> None:
        """What there is was read anew."""
        page = self._model.page
        if page == "people":
            self.people_page.show_room(self._model.room)
        elif page == "rater":
            self.rater_page.show_sessions(self._model.own_sessions)

    def retranslate(self) -> None:
        """Say it in the language of now."""
        for name, page in self._empties.items():
            page.set_sentence(say(f"empty.{name}"))
        for button in (self._to_library, self._to_import):
            button.setText(say("empty.to_library"))
        self.first_button.setText(say("bar.new"))
        for made in (self._new_page, self._people_page, self._rater_page):
            if made is not None:
                made.retranslate()

    def show_keys(self, keys: Callable[[str], str]) -> None:
        """Show the keys that do what the buttons do."""
        self.first_button.set_keys(keys("rate.new") or None)
        if self._new_page is not None:
            self._new_page.leaks.check_button.set_keys(keys("rate.check") or None)

    def _put(self, name: str, page: QWidget) -> None:
        self._page_of[name] = page
        self.addWidget(page)

    def _sit_down(self) -> None:
        if self._sitting is None and self._model.session is not None:
            while self._sitting_parts is None:  # it begins before there was time to make them
                self._make_sitting_part()
            self._sitting = SittingView(self._services, self._model.session, self, self._sitting_parts)
            self._sitting_parts, self._making_parts = None, made_parts(self._services)
            self._sitting.left.connect(self._model.get_up)
            self._sitting.finished.connect(self._model.get_up)
            self._put("sitting", self._sitting)

    def _get_up(self) -> None:
        assert self._sitting is not None
        self._sitting.close_sitting()
        gone, self._sitting = self._page_of.pop("sitting"), None
        if self.isVisible():  # else another screen is on, and has the keys
            self._services.actions.enter("rate")
        self.removeWidget(gone)
        gone.hide()
        gone.deleteLater()
        QTimer.singleShot(0, self, self.prepare)
