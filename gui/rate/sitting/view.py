"""The rating screen: one item at a time, by keyboard."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from gui.player.at_speed import STEP
from gui.player.player import Player
from gui.rate.setup_check.model import SetupCheck
from gui.rate.setup_check.page import SetupPage
from gui.rate.sitting.foot import Foot
from gui.rate.sitting.item_page import ItemPage
from gui.rate.sitting.keys import SCREEN, sitting_keys
from gui.rate.sitting.page import Page
from gui.rate.sitting.pages import show_break, show_end, show_instructions, show_reading, show_trouble, show_warning
from gui.rate.sitting.presenting import Presenting
from gui.rate.sitting.skip_panel import SkipPanel
from gui.rate.sitting.tagging import Tagging
from gui.rate.sitting.top_bar import TopBar
from gui.rate.sitting.view_model import SittingViewModel
from gui.rate.sitting.wording import say
from gui.screens import all_at_once
from gui.services import Services
from gui.theme import theme

_LOW_UNDER = 560
_STEP_S = 1.0


@dataclass(frozen=True, slots=True)
class SittingParts:
    """What is around the items of one sitting, the page of an item, and those that are read between."""

    top: TopBar
    foot: Foot
    item_page: ItemPage
    pages: dict[str, Page]


def made_parts(services: Services) -> Generator[None, None, SittingParts]:
    """The parts of a sitting, one a step: with all at once the key that begins it would take longer than a frame."""
    item_page = ItemPage(services.actions)
    yield
    top, foot = TopBar(services.actions), Foot()
    yield
    pages = {}
    for name, icon, colour in _PAGES:
        pages[name] = Page(icon, colour)
        yield
    return SittingParts(top, foot, item_page, pages)


class SittingView(QWidget):
    """A rater's sitting at one session of the workspace on screen.

    It plays on a player of its own: what the user has set elsewhere (speed, gain, lanes) does not reach the ears of a
    rater. The screen that opened it closes it when it hears one of the signals.

    Signals:
        left: the rater leaves; all that was committed is kept.
        finished: every item of the session was rated or skipped, and the rater is done.
    """

    left, finished = Signal(), Signal()

    def __init__(
        self, services: Services, session_id: int, parent: QWidget | None = None, parts: SittingParts | None = None
    ) -> None:
        super().__init__(parent)
        assert services.workspace.current is not None
        self._services = services
        self.player = Player(services.jobs, services.settings, self, sound=services.player.sound)
        self.model = SittingViewModel(services.jobs, services.workspace.current, session_id, self.player, self)
        self.check = SetupCheck(services.jobs, self.player, self)
        self.keys = sitting_keys(services.actions)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        made = parts or all_at_once(made_parts(services))
        self.top, self.foot, self.item_page, self.pages = made.top, made.foot, made.item_page, made.pages
        self.setup_page = SetupPage(self.check)
        self.skip_panel = SkipPanel(self)
        self.tagging = Tagging(self.model, self)
        self._stack = QStackedWidget()
        self._presenting = Presenting(self.model, self.top, self.item_page, self.foot, self.tagging, self)
        self._is_closed = False
        self._lay_out()
        self._wire()
        self._retranslate()
        self.model.start()

    def act(self, name: str) -> None:
        """Do what a key of the registry is for."""
        self.model.touch()
        getattr(self, f"_act_{name}")()

    def close_sitting(self) -> None:
        """Keep what is to be kept, play no more and give the device back; a second time comes to nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        self.model.leave()
        self.check.close()
        self.player.close()
        if self.keys.served is self:
            self.keys.serve(None)
        self._services.be_calm(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits rate; while a place is tagged a letter names it.

        The Enter of the number pad does what the other one does, so that a rater needs one hand.
        """
        self.model.touch()
        if event.key() == Qt.Key.Key_Enter:
            self.act("previous" if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else "commit")
            return
        if self.tagging.is_on and self.tagging.take_key(event.text()):
            return
        if event.text().isdigit() and not event.isAutoRepeat() and self.model.choose(event.text()):
            self._presenting.show_field()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """While a place is tagged the letters are its own, whatever else they do."""
        is_asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_asked and self.tagging.is_on and self.tagging.knows(event.text()):  # type: ignore[attr-defined]
            event.accept()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click beside everything leaves the note."""
        self.model.touch()
        self.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.window().installEventFilter(self)
        QTimer.singleShot(0, self, self._come_up)  # the window gives the keys to its screen after it is shown

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window is about to close: what is not committed, a note above all, is kept before the threads end."""
        if event.type() == QEvent.Type.Close and not self._is_closed:
            self.model.keep()
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not self._is_closed and self.model.playing.is_playing:
            self.model.playing.pause()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        low = self.height() < _LOW_UNDER
        self.top.be_low(low)
        self.foot.be_low(low)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface.window"))

    def _lay_out(self) -> None:
        for page in (*self.pages.values(), self.setup_page, self.item_page):
            self._stack.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.top)
        whole.addWidget(self._stack, 1)
        whole.addWidget(self.foot)

    def _wire(self) -> None:
        model, page = self.model, self.item_page
        model.page_changed.connect(self._on_page)
        model.over.connect(self._on_over)
        model.hinted.connect(self._presenting.hint)
        page.chosen.connect(self._on_chosen)
        page.opened.connect(self.model.open_scale)
        page.clip_wanted.connect(self._on_clip)
        page.clip_asked.connect(model.playing.play_from)
        page.asked.connect(self.act)
        page.retried.connect(model.commit)
        page.note.written.connect(model.set_note)
        page.note.done.connect(self._leave_note)
        self.check.done.connect(model.take_setup)
        self.skip_panel.given.connect(model.skip)
        self.top.break_asked.connect(model.take_break)
        for each in self.pages.values():
            each.gone_on.connect(model.go_on)
        self._services.words.changed.connect(self._retranslate)
        self._services.actions.changed.connect(self._retranslate)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.close_sitting)

    # what keys do

    def _act_play(self) -> None:
        if self.model.page == "check":
            self.check.play()
        else:
            self.model.play()

    def _act_replay(self) -> None:
        if self.model.page == "check":
            self.check.again()
        else:
            self.model.replay()

    def _act_question(self) -> None:
        self.model.play_part("question")

    def _act_first(self) -> None:
        self.model.play_part("answer")

    def _act_second(self) -> None:
        self.model.play_part("other")

    def _act_back(self) -> None:
        if self.model.page == "check":
            self.check.answer("left")
        else:
            self.model.step(-_STEP_S)

    def _act_forward(self) -> None:
        if self.model.page == "check":
            self.check.answer("right")
        else:
            self.model.step(_STEP_S)

    def _act_slower(self) -> None:
        self.model.change_speed(-STEP)

    def _act_faster(self) -> None:
        self.model.change_speed(STEP)

    def _act_as_recorded(self) -> None:
        self.model.change_speed(None)

    def _act_commit(self) -> None:
        if self.model.page == "check":
            self.check.go_on()
        elif self.model.page == "item":
            self._leave_note()
            self.model.commit()
        else:
            self.model.go_on()

    def _act_previous(self) -> None:
        self.model.previous()

    def _act_undo(self) -> None:
        self.model.undo()

    def _act_redo(self) -> None:
        self.model.undo(again=True)

    def _act_next_scale(self) -> None:
        self.model.step_field(1)
        self._presenting.show_field()

    def _act_previous_scale(self) -> None:
        self.model.step_field(-1)
        self._presenting.show_field()

    def _act_flag(self) -> None:
        self.model.flag()

    def _act_skip(self) -> None:
        if self.model.page == "check":
            self.check.skip()
        elif self.model.page == "item":
            self.skip_panel.show_up()

    def _act_note(self) -> None:
        if self.model.page == "item":
            self.item_page.note.show()
            self.item_page.note.entry.setFocus()
            self._presenting.show_note()

    def _act_tag(self) -> None:
        self.tagging.begin()

    def _act_break(self) -> None:
        self.model.take_break()

    def _act_leave(self) -> None:
        if self.tagging.is_on:
            self.tagging.end()
        elif self.model.is_all_saved or self._services.confirm(say("leave.question"), say("leave.word")):
            self.close_sitting()
            self.left.emit()

    # what was clicked, and what the model says

    def _on_chosen(self, scale_id: str, key: str) -> None:
        self.model.touch()
        self.model.choose_on(scale_id, key)

    def _on_clip(self, part: str) -> None:
        playing = self.model.playing
        if playing.now == part and playing.is_playing:
            playing.pause()
        elif playing.now == part and playing.is_paused:
            playing.go_on()
        else:
            self.model.play_part(part)

    def _leave_note(self) -> None:
        if self.item_page.note.entry.hasFocus():
            self.setFocus()
            self._presenting.show_note()

    def _on_page(self, page: str) -> None:
        if page == "check":
            self.check.start()
            self._stack.setCurrentWidget(self.setup_page)
        elif page == "item":
            self._stack.setCurrentWidget(self.item_page)
        else:
            self._say_page()
            self._stack.setCurrentWidget(self.pages[page])
        self._presenting.show_frame()
        if self.isVisible() and not self.skip_panel.isVisible():
            self.setFocus()

    def _on_over(self) -> None:
        self.close_sitting()
        self.finished.emit()

    def _come_up(self) -> None:
        if self.isVisible() and not self._is_closed:
            self.keys.serve(self)
            self._services.actions.enter(SCREEN)
            self._services.be_calm(True)
            self.setFocus()

    def _say_page(self) -> None:
        page = self.model.page
        if page in _SAYS:
            _SAYS[page](self.pages[page], self.model)

    def _retranslate(self) -> None:
        self._say_page()
        self.item_page.note.say(say("note.placeholder"))
        self.top.retranslate()
        self._presenting.retranslate()


_PAGES = (
    ("reading", "hourglass", "text.tertiary"),
    ("trouble", "warning-circle", "verdict.fail"),
    ("instructions", "ear", "accent.base"),
    ("warning", "warning", "verdict.warning"),
    ("break", "coffee", "accent.base"),
    ("end", "check-circle", "state.scored"),
)
_SAYS = {
    "reading": show_reading,
    "trouble": show_trouble,
    "instructions": show_instructions,
    "warning": show_warning,
    "break": show_break,
    "end": show_end,
}
