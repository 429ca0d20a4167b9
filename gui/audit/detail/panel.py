"""One answer in detail: head, lanes and alignment left, measurements, judgement and provenance right."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.metrics.located import cell_at
from engine.query.alignment import ShownAlignment
from engine.query.told import ResponseDetail
from engine.report.figures import reason
from gui.audit.acts import register
from gui.audit.compare.panel import ComparePanel
from gui.audit.correction.part import CorrectionPart
from gui.audit.detail.alignment_panel import AlignmentPanel
from gui.audit.detail.failed_answer import FailedAnswer
from gui.audit.detail.full_text import history_of, raw_replies_of, texts_of
from gui.audit.detail.head import SOUND, TEXT, DetailHead
from gui.audit.detail.judgement_words import counted_judgements, judgement_shown
from gui.audit.detail.lane_spans import lane_spans
from gui.audit.detail.measurement_lines import floor_line, measurement_lines
from gui.audit.detail.people_words import people_told
from gui.audit.detail.side_column import SideColumn
from gui.audit.detail.text_popover import TextPopover
from gui.audit.detail.view_model import DetailViewModel, Loaded
from gui.player.clip import Clip
from gui.screens import all_at_once
from gui.services import Services
from gui.strings import words
from gui.theme import theme, width
from gui.waveform.lanes import Lanes
from gui.waveform.spans import MismatchSpan
from gui.widgets.empty import EmptyState
from gui.widgets.hairline import Hairline
from gui.widgets.inline_error import InlineError

AROUND_S = 0.3  # heard before and after a cell
NARROW_SIDE, LEAST_SIDE = 340, 280
NARROW_WINDOW, NARROW_PANEL, LEAST_PANEL = 1440, 900, 760
LEAST_HIGH = 150
LEAST_LEFT = 320
_BOTH_FROM = 240  # pixels of height; with less, lanes or alignment


@dataclass(frozen=True, slots=True)
class DetailParts:
    """The larger parts of the panel, in no place yet."""

    head: DetailHead
    lanes: Lanes
    alignment: AlignmentPanel
    correction: CorrectionPart
    compare: ComparePanel
    side: SideColumn


def made_parts(services: Services) -> Generator[None, None, DetailParts]:
    """Make the parts, one a step."""
    head = DetailHead()
    yield
    lanes = Lanes(services)
    yield
    alignment = AlignmentPanel()
    yield
    correction = CorrectionPart(services)
    yield
    compare = ComparePanel(services)
    yield
    side = SideColumn()
    yield
    return DetailParts(head, lanes, alignment, correction, compare, side)


def build(services: Services) -> Generator[None, None, DetailPanel]:
    """The panel, made in steps short enough for the GUI thread."""
    parts = yield from made_parts(services)
    return DetailPanel(services, parts=parts)


class DetailPanel(QWidget):
    """Shows one answer; ``show_response`` is all a screen needs to call."""

    def __init__(self, services: Services, parent: QWidget | None = None, *, parts: DetailParts | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._loaded: Loaded | None = None
        self._is_drawn_by_hand = self._is_low = self._was_typed = False
        self._in_lanes: tuple[int, tuple[Clip | None, Clip | None]] | None = None
        self._marks: tuple[MismatchSpan, ...] = ()
        self._is_left = False  # another answer was asked for since this one was put into the lanes
        self.model = DetailViewModel(services.jobs, services.workspace, self)
        self.model.loaded.connect(self._show)
        self.model.cleared.connect(self._clear)
        self.model.failed.connect(self._on_failure)
        self._popover = TextPopover(self)
        self.empty = EmptyState(icon="waves")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._content(parts or all_at_once(made_parts(services))))
        services.player.position_changed.connect(self._follow)
        words.changed.connect(self._retranslate)
        self._retranslate()
        self._add_actions()
        self.compare.register()

    def show_response(self, response_id: int | None, method: str = "corrected") -> None:
        """Show an answer by the rules of ``method``; None shows that nothing is chosen."""
        if self._loaded is not None and response_id != self._loaded.detail.answered.id:
            self._is_left = True
            self.lanes.leave()
        self.model.show(response_id, method)
        self.compare.model.show(response_id, method)

    @property
    def detail(self) -> ResponseDetail | None:
        """What is shown now."""
        return self._loaded.detail if self._loaded else None

    def sizeHint(self) -> QSize:
        return QSize(1000, 384)

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_LEFT + LEAST_SIDE, LEAST_HIGH)

    # --- building

    def _content(self, parts: DetailParts) -> QWidget:
        content = QWidget()
        content.setMinimumSize(1, 1)  # it gives way below what its widest state would like
        row = QHBoxLayout(content)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        left = QVBoxLayout()
        left.setSpacing(0)
        self.head = parts.head
        self.head.text_wanted.connect(self.show_texts)
        self.head.side.chosen.connect(self._share_out)
        self.trouble = InlineError()
        self.lanes = parts.lanes
        self.lanes.look_changed.connect(self._show_sound)
        self.lanes.pointed.connect(self._find_cell)
        self.lanes.marked.connect(self._services.say)
        self.lanes.failed.connect(self._on_not_drawn)
        self.model.foreseen.connect(self.lanes.expect)
        self.alignment = parts.alignment
        self.alignment.cell_activated.connect(self.hear_cell)
        self.alignment.spoken_wanted.connect(self._show_spoken)
        self.model.read.connect(self.alignment.show_readings)
        self.correction = parts.correction
        self.alignment.put_below(self.correction)
        self.correction.room_changed.connect(self._on_correction)
        left.addWidget(self.head)
        left.addWidget(Hairline())
        left.addWidget(self.trouble)
        self.failed = FailedAnswer()
        left.addWidget(self.failed, 1)
        self._split = _Split()
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.addWidget(self.lanes)
        self._split.addWidget(self.alignment)
        self._split.splitterMoved.connect(self._on_split)
        self._split.resized.connect(self._share_out)
        self._split.setStretchFactor(0, 1)
        self._split.setStretchFactor(1, 0)
        left.addWidget(self._split, 1)
        self.compare = parts.compare
        self.compare.hide()
        self.compare.model.count_changed.connect(self._on_compared)
        self.compare.heard_changed.connect(self._say_side)
        self.head.compare_wanted.connect(self._toggle_compare)
        left.addWidget(self.compare, 1)
        row.addLayout(left, 1)
        row.addWidget(Hairline(vertical=True))
        row.addWidget(self._side_column(parts.side))
        return content

    def _side_column(self, side: SideColumn) -> QWidget:
        self._side = side
        self.measurements, self.judgement = self._side.measurements, self._side.judgement
        self.people, self.provenance = self._side.people, self._side.provenance
        self.people.ratings_wanted.connect(self.show_people)
        self.judgement.raw_reply_wanted.connect(self._show_raw_replies)
        self.judgement.history_wanted.connect(self.show_history)
        self.judgement.judges_wanted.connect(self._show_judges)
        return self._side

    def _add_actions(self) -> None:
        lanes, correction = self.lanes, self.correction
        runs = {
            "full_text": self.show_texts,
            "history": self.show_history,
            "people": self.show_people,
            "alignment": self.focus_alignment,
            "spectrum": lanes.toggle_spectrum,
            "spectrum_scale": lanes.toggle_scale,
            "spoken": self.toggle_spoken,
            "pitch": lanes.toggle_pitch,
            "energy": lanes.toggle_energy,
            "next_mark": lanes.next_mark,
            "previous_mark": lanes.previous_mark,
            "correct": correction.begin,
            "undo_correction": correction.undo,
        }
        register(self._services.actions, runs)
        self._services.actions.changed.connect(self._show_keys)
        self._show_keys()

    def _show_keys(self) -> None:
        keys = self._services.actions.keys
        self.head.set_text_key(keys("audit.full_text"))
        self.alignment.spoken_button.set_keys(keys("audit.spoken"))
        self.head.set_compare_keys(keys("audit.compare_1"), keys("audit.compare_2"))
        self.judgement.history_button.set_keys(keys("audit.history"))
        self.people.button.set_keys(keys("audit.people"))
        self.correction.open_button.set_keys(keys("audit.correct"))

    # --- what is shown

    def _show(self, loaded: Loaded) -> None:
        if loaded == self._loaded and not self._is_left:
            return  # results were written, none of them of this answer
        self._loaded = loaded
        self._pages.setCurrentIndex(1)
        self.alignment.show_readings(())  # those of another answer
        self._say()
        if self.alignment.is_spoken_shown:
            self.model.read_sides(loaded)
        self._load_lanes()

    def _load_lanes(self) -> None:
        """Give the lanes what is new to them: other clips stop what plays, other marks do not."""
        if self._loaded is None:
            return
        clips, spans = (self._loaded.question, self._loaded.answer), lane_spans(self._loaded.alignment)
        if self._is_left or (self._loaded.detail.answered.id, clips) != self._in_lanes:
            self._is_left = False
            self._in_lanes = (self._loaded.detail.answered.id, clips)
            self._marks = spans
            self.lanes.show_clips(*clips, spans, self._loaded.detail.first_sound_s)
        elif spans != self._marks:
            self._marks = spans
            self.lanes.mark(spans)

    def _share_out(self) -> None:
        """The alignment as tall as its lines up to a part of the room, until the user draws the line elsewhere.

        In a low panel one of both has all of it: the one chosen in the head.
        """
        room = self._split.height()
        self._is_low = room < _BOTH_FROM
        self.correction.set_low(self._is_low)
        self.head.show_sides(self._is_low and self._split.isVisibleTo(self))
        has_text = self.head.side.value == TEXT
        self.lanes.setVisible(not (self._is_low and has_text))
        self.alignment.setVisible(not self._is_low or has_text)
        if self._is_drawn_by_hand or self._is_low:
            return
        most = min(round(0.42 * room), room - self.lanes.comfortable_height() - self._split.handleWidth())
        if self.alignment.is_spoken_shown:  # it is read: the spectrum gives its room
            most = room - self.lanes.minimumSizeHint().height() - self._split.handleWidth()
        most += self.correction.needed_height
        wanted = max(self.alignment.minimumSizeHint().height(), min(self.alignment.wanted_height(), most))
        self._split.setSizes([max(room - wanted, 1), wanted])

    def _on_correction(self) -> None:
        """What is heard is typed beside the text; the sound stays a choice in the head."""
        if self.correction.is_open and not self._was_typed:
            self.head.side.set_value(TEXT)
        self._was_typed = self.correction.is_open
        self._share_out()

    def _show_sound(self) -> None:
        self._turn_to(SOUND)

    def _turn_to(self, side: str) -> None:
        """Show the sound or the text where there is no room for both."""
        self.head.side.set_value(side)
        self._share_out()

    def _on_split(self) -> None:
        self._is_drawn_by_hand = True

    def _say(self) -> None:
        """Everything in words, in the language of now."""
        if self._loaded is None:
            return
        detail = self._loaded.detail
        self.head.show_detail(detail, self.compare.model.count)
        self.alignment.show_alignment(self._loaded.alignment, detail.asked.language == "en")
        self.correction.show_answer(detail, self._loaded.method)
        self._say_side()
        self._say_trouble(detail)

    def _say_side(self) -> None:
        """Measurements, judgement and provenance of the answer that is heard."""
        if self._loaded is None:
            return
        detail, method = self._heard(self._loaded), self._loaded.method
        self.measurements.show_measurements(measurement_lines(detail, method), floor_line(detail, method))
        self.judgement.show_judgement(judgement_shown(detail, method))
        self.people.show_people(detail.people)
        self.provenance.show_detail(detail, method)

    def _heard(self, loaded: Loaded) -> ResponseDetail:
        """While systems are compared the answer of the lane that is heard, else the one that was chosen."""
        told = self.compare.model.told if self.compare.model.is_on else None
        is_here = told is not None and told.detail.asked.id == loaded.detail.asked.id
        return told.detail if told is not None and is_here else loaded.detail

    def _say_trouble(self, detail: ResponseDetail) -> None:
        """A failed answer says its error in place of the lanes; one without audio says so and keeps the question."""
        answered = detail.answered
        is_answered = answered.state == "answered"
        if not is_answered:
            self.trouble.clear()
            self.failed.show_failure(answered.state, answered.error or "", detail.asked.question)
        elif answered.audio_fault is not None:
            why = _fault_sentence(answered.audio_fault)
            self.trouble.say(words.text("audit.detail.audio_fault", why=why))
        elif answered.clip is None:
            self.trouble.say(words.text("audit.detail.no_audio"), tone="note")
        elif not answered.is_current:
            self.trouble.say(words.text("audit.detail.superseded"), tone="note")
        else:
            self.trouble.clear()
        is_alone = not self.compare.model.is_on
        self._split.setVisible(is_answered and is_alone)
        self.failed.setVisible(not is_answered and is_alone)
        if not is_alone:  # each lane says its own
            self.trouble.clear()
        self.compare.setVisible(not is_alone)
        self._share_out()

    # --- other systems beside it

    def _on_compared(self, count: int) -> None:
        if count == 1 and not self.compare.model.is_own_heard:
            self._in_lanes = None
            self._load_lanes()
        self._say()
        self._share_out()

    def _toggle_compare(self) -> None:
        self.compare.compare(1 if self.compare.model.is_on else 2)

    def _clear(self) -> None:
        self._loaded = self._in_lanes = None
        self.correction.show_answer(None, "corrected")
        self._pages.setCurrentIndex(0)
        self.empty.set_sentence(words.text("audit.detail.empty"))
        self.lanes.show_clips(None, None, ())

    def _on_failure(self, error: EngineError) -> None:
        self._clear()
        self.empty.set_sentence(error.sentence(words.language))

    def toggle_spoken(self) -> None:
        """Show the text as written and as spoken in place of the alignment, or the alignment again."""
        is_in_sight = not self._is_low or self.head.side.value == TEXT
        self._show_spoken(not (self.alignment.is_spoken_shown and is_in_sight))

    def _show_spoken(self, is_shown: bool) -> None:
        self.alignment.set_spoken(is_shown)
        self.head.side.set_value(TEXT)
        if is_shown and self._loaded is not None:
            self.model.read_sides(self._loaded)
        self._share_out()

    def _on_not_drawn(self, error: EngineError) -> None:
        """Say once why what was asked for is not drawn."""
        self._services.say(error.sentence(words.language), "error")

    # --- hearing

    def focus_alignment(self) -> None:
        """Go to the alignment with the keyboard."""
        self._turn_to(TEXT)
        self.alignment.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def hear_cell(self, index: int) -> None:
        """Play a cell of the alignment with 0.3 s before and after it."""
        shown = self._loaded.alignment if self._loaded else None
        if not isinstance(shown, ShownAlignment):
            return
        span = shown.times.spans[index]
        if span is None:
            self._services.say(words.text("audit.detail.not_heard"))
            return
        self._services.player.play((max(span[0] - AROUND_S, 0.0), span[1] + AROUND_S), "answer")

    def _find_cell(self, lane: str, second: float) -> None:
        """Show the cell that is heard at a place of the answer's lane."""
        shown = self._loaded.alignment if self._loaded else None
        if lane == "answer" and isinstance(shown, ShownAlignment):
            index = cell_at(shown.times, second)
            if index is not None:
                self.alignment.view.choose(index)
                self._services.say(self.alignment.view.said(index).replace("\n", ", "))

    def _follow(self, position_s: float) -> None:
        """Mark the cell that is heard now."""
        shown = self._loaded.alignment if self._loaded else None
        player = self._services.player
        if not isinstance(shown, ShownAlignment) or not self.isVisible():
            return
        is_heard = player.is_playing and player.spot.lane == "answer"
        self.alignment.view.set_playing(cell_at(shown.times, position_s) if is_heard else None)

    # --- texts at full length

    def show_texts(self) -> None:
        """Open question, context, reference and answer in full."""
        if self._loaded is not None:
            over = self.head.text_button
            self._popover.show_parts(words.text("audit.detail.text_button"), texts_of(self._loaded.detail), over)

    def _show_raw_replies(self) -> None:
        if self._loaded is not None:
            over = self.judgement.raw_button
            detail, method = self._loaded.detail, self._loaded.method
            counted = counted_judgements(detail, detail.verdicts[method, "text"])
            self._popover.show_parts(words.text("audit.detail.raw_reply"), raw_replies_of(counted), over)

    def _show_judges(self) -> None:
        self._services.go("settings")

    def show_history(self) -> None:
        """Open every judgement, transcript, tag and note."""
        if self._loaded is not None:
            over = self.judgement.history_button
            self._popover.show_parts(words.text("audit.detail.history"), history_of(self._loaded.detail), over)

    def show_people(self) -> None:
        """Open every rating by people; where nobody rated the answer, say so."""
        if self._loaded is None:
            return
        people = self._heard(self._loaded).people
        if people.items:
            told = people_told(people)
            self._popover.show_parts(words.text("audit.detail.people.name"), told, self.people.button)
        else:
            self._services.say(words.text(f"audit.detail.people.{'sealed' if people.is_sealed else 'nobody'}"))

    @property
    def popover(self) -> TextPopover:
        """The small window with texts at full length."""
        return self._popover

    # --- the room there is

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.window().width() < NARROW_WINDOW or self.width() < NARROW_PANEL
        narrow = LEAST_SIDE if self.width() < LEAST_PANEL else NARROW_SIDE
        self._side.setFixedWidth(narrow if is_narrow else width("audit_side"))
        self._side.arrange(self.height())
        self.measurements.set_with_makers(not is_narrow)
        self.alignment.view.set_compact(is_narrow)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface.panel"))

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("audit.detail.name"))
        if self._loaded is None:
            self.empty.set_sentence(words.text("audit.detail.empty"))
        self._say()
        self._load_lanes()


class _Split(QSplitter):
    """Lanes over alignment; ``resized``: there is other room for both."""

    resized = Signal()

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


def _fault_sentence(fault: object) -> str:
    """The fault of a file as its error says it, else its code."""
    told = fault if isinstance(fault, dict) else {}
    code, values = str(told.get("code", "")), told.get("values") or {}
    try:
        return EngineError(code, **values).sentence(words.language)
    except (KeyError, ValueError):
        return reason(code, words.language)
