"""Two to six systems on one instance: how a switch is made, a ruler, a lane each; letters and Tab say who is heard."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.metrics.clauses import MODES, Landing
from engine.query.compare import FEWEST, MOST
from gui.audit.acts import register
from gui.audit.compare.lane import HEAD, NARROW_HEAD, LaneView
from gui.audit.compare.lane_words import LETTERS
from gui.audit.compare.reading import Compared
from gui.audit.compare.view_model import ONE, CompareViewModel
from gui.jobs import Job
from gui.player.player import Player, State
from gui.services import Services
from gui.strings import words
from gui.theme import font, height, line_height, space, theme, width
from gui.waveform.load import Outline, outline_of
from gui.waveform.ticks import ticks
from gui.waveform.view import TimeView
from gui.widgets import Button, InlineError, KeyCap, Segmented, label, paint_focus, scroll_area
from gui.widgets.labels import set_tone

_NARROW = 860
_ZOOM = 1.25
_STEPS_S = {
    Qt.KeyboardModifier.NoModifier: 1.0,
    Qt.KeyboardModifier.ShiftModifier: 0.1,
    Qt.KeyboardModifier.ControlModifier: 5.0,
}


class ComparePanel(QWidget):
    """Shows what ``model`` holds and tells it what is pressed.

    Signals:
        heard_changed: the answer of another lane is heard.
    """

    heard_changed = Signal()

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._player: Player = services.player
        self.model = CompareViewModel(services.jobs, services.workspace, services.settings, self._player, self)
        self.lanes: tuple[LaneView, ...] = ()
        self._loading: dict[Job, LaneView] = {}
        self._view = TimeView()
        self._landed: Landing | None = None
        self.mode = Segmented([(mode, mode) for mode in MODES])
        self._mode_key = KeyCap("")
        self.note = label("", "small", "tertiary", elide=True)
        self.systems = Button(size="button_small", icon="users")
        self._menu = QMenu(self)
        self.trouble = InlineError()
        self.ruler = _Ruler(self)
        self._inside = QWidget()
        self._column = QVBoxLayout(self._inside)
        self._area: QScrollArea = scroll_area(self._inside)
        self._ring = _Ring(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._lay_out()
        self._wire()
        self._retranslate()

    def register(self) -> None:
        """Add the actions of comparing."""
        counts = {f"compare_{count}": partial(self.compare, count) for count in range(ONE, MOST + 1)}
        steps = {"compare_next": partial(self.model.step, 1), "compare_previous": partial(self.model.step, -1)}
        register(self._services.actions, {**counts, **steps, "compare_mode": self.next_mode})
        self._services.actions.changed.connect(self._show_keys)
        self._show_keys()

    def compare(self, count: int) -> None:
        """Put ``count`` systems beside each other and take the keyboard; 1 goes back."""
        was_on = self.model.is_on
        self.model.compare(count)
        if self.model.is_on and not was_on and self.isVisible():
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def next_mode(self) -> None:
        """Switch in the next of the three ways; said on the status line where the panel is not there."""
        self.model.next_mode()
        if not self.isVisible():
            said = words.text(f"audit.compare.mode_{self.model.mode}")
            self._services.say(words.text("audit.compare.mode_said", mode=said))

    # --- layout

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(space(3), 0, space(2), 0)
        bar.setSpacing(space(2))
        bar.addWidget(self.mode)
        bar.addWidget(self._mode_key)
        bar.addWidget(self.note, 1)
        bar.addWidget(self.systems)
        head = QWidget()
        head.setFixedHeight(height("card_head"))
        head.setLayout(bar)
        self.systems.setMenu(self._menu)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.trouble)
        column.addWidget(self.ruler)
        column.addWidget(self._area, 1)
        self._area.setAccessibleName(words.text("audit.compare.name"))

    def _wire(self) -> None:
        model, player = self.model, self._player
        model.shown.connect(self._show)
        model.heard_changed.connect(self._on_heard)
        model.landed.connect(self._on_landed)
        model.mode_changed.connect(self._on_mode)
        model.failed.connect(self._on_failure)
        player.position_changed.connect(self._follow)
        player.state_changed.connect(self._on_state)
        self.mode.chosen.connect(model.use_mode)
        self._menu.aboutToShow.connect(self._fill_menu)
        words.changed.connect(self._retranslate)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._ring.setGeometry(0, height("card_head"), self.width(), self.height() - height("card_head"))
        self._spread()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring.setVisible(True)
        self._ring.raise_()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring.setVisible(False)

    # --- keys

    def event(self, event: QEvent) -> bool:
        """Tab hears the next lane while the panel itself has the keyboard; Shift+Tab leaves it as anywhere."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and _is_tab(event) and self.lanes:
            self.model.step(1)
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        place = LETTERS.find(chr(key)) if Qt.Key.Key_A <= key <= Qt.Key.Key_Z else -1
        if 0 <= place < len(self.lanes) and held == Qt.KeyboardModifier.NoModifier:
            self.model.switch(place)
        elif key == Qt.Key.Key_QuoteLeft:
            self.model.back()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and held in _STEPS_S:
            by_s = _STEPS_S[held] * (1 if key == Qt.Key.Key_Right else -1)
            self._player.seek(self._player.position_s + by_s)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_Backspace):
            self._player.seek(0.0)
        elif key == Qt.Key.Key_End:
            self._player.seek(self._player.duration_s)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._zoom(_ZOOM, self.model.position_s)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self._zoom(1 / _ZOOM, self.model.position_s)
        elif key == Qt.Key.Key_0 and held == Qt.KeyboardModifier.NoModifier:
            self._set_view(self._view.whole())
        elif key == Qt.Key.Key_Escape:
            self.model.leave()
        else:
            super().keyPressEvent(event)

    # --- what is shown

    def _show(self, compared: Compared | None) -> None:
        self._clear()
        self.trouble.clear()
        self._landed = None
        answers = compared.answers if compared is not None else ()
        self.lanes = tuple(LaneView(answer, n, compared.method) for n, answer in enumerate(answers) if compared)
        for lane in self.lanes:
            self._column.addWidget(lane, 1)
            lane.head_clicked.connect(partial(self.model.switch, lane.number))
            lane.pointed.connect(partial(self._on_pointed, lane.number))
            lane.zoomed.connect(self._zoom)
            lane.scrolled.connect(self._scroll)
            if lane.answer.clip is not None:
                job = self._services.jobs.run(outline_of(lane.answer.clip))
                self._loading[job] = lane
                job.succeeded.connect(self._on_outline)
                job.failed.connect(self._on_unreadable)
        self._view = TimeView().whole(self._total_s())
        self._spread()
        self._say()

    def _clear(self) -> None:
        for job in self._loading:
            job.cancel()
        self._loading.clear()
        for lane in self.lanes:
            self._column.removeWidget(lane)
            lane.hide()
            lane.deleteLater()
        self.lanes = ()

    def _on_outline(self, outline: Outline) -> None:
        lane = self._take_loaded()
        if lane is not None:
            lane.set_outline(outline)
            self._stretch_view()

    def _on_unreadable(self, error: Exception) -> None:
        lane = self._take_loaded()
        if not isinstance(error, EngineError):
            raise error
        if lane is not None:
            lane.set_error(error)

    def _take_loaded(self) -> LaneView | None:
        job = self.sender()
        return self._loading.pop(job, None) if isinstance(job, Job) else None

    def _on_failure(self, error: EngineError) -> None:
        self._clear()
        self.trouble.say(words.error(error), code=error.code)

    def _on_heard(self, place: int) -> None:
        for lane in self.lanes:
            lane.set_heard(lane.number == place)
        if place < len(self.lanes):
            self._area.ensureWidgetVisible(self.lanes[place], 0, 0)
        self._landed = None
        self._follow()
        self._say()
        self.heard_changed.emit()

    def _on_landed(self, found: Landing) -> None:
        self._landed = found
        self._say()

    def _on_mode(self, mode: str) -> None:
        self.mode.set_value(mode)
        self._landed = None
        self._follow()
        self._say()

    def _on_state(self, state: State) -> None:
        self._follow()

    def _follow(self, *_: object) -> None:
        """Move the playhead, and with it where the other lanes would go on."""
        heard = self.model.heard
        if not self.isVisible() or heard >= len(self.lanes):
            return
        second = self.model.position_s
        if self._player.is_playing and not self._view.is_whole:
            self._set_view(self._view.showing(second))
        here = self.lanes[heard]
        here.set_second(second, here.answer.voice.at(second))
        for lane in self.lanes:
            if lane.number != heard:
                lane.set_landing(self.model.landing_in(lane.number) if lane.answer.clip is not None else None)

    def _on_pointed(self, place: int, second: float, plays: bool) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.model.seek(place, second)
        if plays:
            self._player.play()

    # --- time

    def _total_s(self) -> float:
        return max([lane.duration_s for lane in self.lanes], default=0.0) or 1.0

    def _stretch_view(self) -> None:
        total_s = self._total_s()
        if self._view.is_whole or total_s < self._view.end_s:
            self._set_view(self._view.whole(total_s))

    def _zoom(self, factor: float, at_s: float) -> None:
        self._set_view(self._view.zoomed(factor, at_s))

    def _scroll(self, share: float) -> None:
        self._set_view(self._view.moved(share * self._view.span_s))

    def _set_view(self, view: TimeView) -> None:
        if view != self._view:
            self._view = view
            self._spread()

    def _spread(self) -> None:
        """Give the ruler and every lane the same seconds over the same pixels."""
        head = HEAD if self.width() >= _NARROW else NARROW_HEAD
        bar = self._area.verticalScrollBar()
        plot = self._area.viewport().width() - head - width("dbfs_axis")
        self._view = self._view.of_width(max(plot, 1))
        self.ruler.set_view(self._view, head, bar.width() if bar.isVisible() else 0)
        for lane in self.lanes:
            lane.set_view(self._view, head)

    # --- words

    def _say(self) -> None:
        said, tone = self._note()
        self.note.setText(said)
        self.note.setToolTip(said)
        set_tone(self.note, tone)

    def _note(self) -> tuple[str, str]:
        """What the last switch did where it could not do what was asked, else on what times it rests."""
        found, answers = self._landed, self.model.answers
        if found is not None and found.how in ("over", "share"):
            return words.text(f"audit.compare.landed_{found.how}"), "warning"
        sources = {answer.voice.source for answer in answers}
        if self.model.mode != "clause" or sources <= {"nothing"}:
            return words.text("audit.compare.scale"), "tertiary"
        return words.text(f"audit.compare.{'estimated' if 'estimate' in sources else 'timed'}"), "tertiary"

    def _fill_menu(self) -> None:
        self._menu.clear()
        compared = self.model.compared
        if compared is None:
            return
        chosen = [answer.system for answer in compared.answers]
        for entry in compared.there:
            text = entry.system.replace("&", "&&")
            if entry.response_id is None:
                text = words.text("audit.compare.without_answer", system=text)
            switch = self._menu.addAction(text)
            switch.setCheckable(True)
            is_chosen = entry.system in chosen
            switch.setChecked(is_chosen)
            rest = tuple(name for name in chosen if name != entry.system)
            new = rest if is_chosen else (*chosen, entry.system)
            switch.setEnabled(FEWEST <= len(new) <= MOST)
            switch.triggered.connect(partial(self.model.choose_systems, new))

    def _show_keys(self) -> None:
        self._mode_key.set_keys(self._services.actions.keys("audit.compare_mode"))

    def _retranslate(self) -> None:
        say = words.text
        self.setAccessibleName(say("audit.compare.name"))
        self.setAccessibleDescription(say("audit.compare.keys"))
        self.mode.set_texts(
            [say(f"audit.compare.mode_{mode}") for mode in MODES],
            [say(f"audit.compare.mode_{mode}_tip") for mode in MODES],
        )
        self.mode.setAccessibleName(say("audit.compare.mode"))
        self.mode.set_value(self.model.mode)
        self._mode_key.setToolTip(say("audit.compare.mode"))
        self.systems.setText(say("audit.compare.systems"))
        self.systems.set_tip(say("audit.compare.systems_tip"))
        for lane in self.lanes:
            lane.describe()
        self._say()


def _is_tab(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_Tab and event.modifiers() == Qt.KeyboardModifier.NoModifier


class _Ruler(QWidget):
    """The seconds over the lanes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._view, self._head = TimeView(), HEAD
        self.setFixedHeight(height("ruler"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_view(self, view: TimeView, head: int, bar: int) -> None:
        """Show these seconds."""
        self._view, self._head = view, head
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = theme().color
        painter.fillRect(self.rect(), colour("surface.panel"))
        wide = int(self._view.width)
        painter.fillRect(self._head, 0, wide, self.height(), colour("surface.lane"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, colour("surface.line"))
        painter.setFont(font("axis"))
        for tick in ticks(self._view):
            x = self._head + round(self._view.x(tick.second))
            if not self._head <= x <= self._head + wide:
                continue
            long = 7 if tick.text else 4
            painter.fillRect(x, self.height() - long, 1, long, colour("surface.line_strong"))
            if tick.text:
                painter.setPen(QPen(colour("text.tertiary")))
                painter.drawText(QPointF(x + 4, line_height("axis") - 3), tick.text)


class _Ring(QWidget):
    """The ring of the focus, over all lanes; the mouse goes through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_focus(QPainter(self), QRectF(self.rect()), 0)
