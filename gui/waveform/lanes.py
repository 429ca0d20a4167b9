"""Question and answer on one time line: what screens place, give clips to, and forget about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from engine.audio.stretches import Stretches
from engine.errors import EngineError
from engine.speech.curves import Curves
from gui.player.clip import Clip, Lane
from gui.player.player import State
from gui.services import Services
from gui.strings import words
from gui.theme import theme, width
from gui.waveform.canvas import Canvas, Chosen
from gui.waveform.curve_loader import CurveLoader
from gui.waveform.curve_paint import KINDS, CurveKind
from gui.waveform.head import LaneHead
from gui.waveform.load import Outline
from gui.waveform.loader import OutlineLoader
from gui.waveform.marks import legend_of, marks_of, next_mark
from gui.waveform.menu import lanes_menu
from gui.waveform.pointer import ZOOM_STEP, Pointer
from gui.waveform.regions import Region, RegionsPopup
from gui.waveform.row import Row
from gui.waveform.spans import MismatchSpan
from gui.waveform.spectrum_head import SpectrumHead
from gui.waveform.spectrum_look import SpectrumLook, look_of
from gui.waveform.spectrum_row import SpectrumRow
from gui.waveform.spectrum_tiles import SpectrumTiles
from gui.waveform.stretches import stretches_shown
from gui.waveform.tagged import TaggedSpan
from gui.waveform.ticks import time_text
from gui.waveform.view import TimeView

_SAY_READING_MS = 250  # a cached outline is there before

#: How far the arrows go, in seconds, by the keys held.
_STEPS_S = {
    Qt.KeyboardModifier.NoModifier: 1.0,
    Qt.KeyboardModifier.ShiftModifier: 0.1,
    Qt.KeyboardModifier.ControlModifier: 5.0,
}


class Lanes(QWidget):
    """Heads on the left, the time line on the right; both lanes begin at 0, the spectrum stands under the answer.

    The lanes load what they show into the player. A recording that is missing or was moved says so in its lane, and
    the player says the same when it is played.

    Signals:
        look_changed: spectra are shown otherwise; another height may be wanted.
        pointed: a lane and a second of it that the user clicked or went to.
        marked: what the user went to, in words.
        failed: an EngineError: why what was asked for is not drawn.
    """

    look_changed, pointed, marked, failed = Signal(), Signal(str, float), Signal(str), Signal(object)

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._player = services, services.player
        self.rows = (Row("question", has_lines=False), Row("answer", has_lines=True))
        self._tiles = SpectrumTiles(services.jobs, self)
        self.spectrum = SpectrumRow(self._tiles, look_of(services.settings.get("spectrum")))
        self.canvas = Canvas(self.rows, self, self.spectrum)
        self.heads = tuple(LaneHead(row, self._player, self) for row in self.rows)
        self.spectrum_head = SpectrumHead(self.spectrum, self.set_look, self)
        self._pointer = Pointer(self.canvas, self._player, self._show_chosen)
        self._popup = RegionsPopup(self)
        self._loader = OutlineLoader(services.jobs, self)
        self.curves = CurveLoader(services.jobs, self)
        self._shown_curves: frozenset[CurveKind] = frozenset()
        self._first_sound_s: float | None = None
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(_SAY_READING_MS)
        self._slow.timeout.connect(self._say_reading)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.canvas.setFocusProxy(self)  # after the policy, which would else be set on the proxy
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        switches = [button for head in self.heads for button in (head.solo, head.mute, *head.curves)]
        for before, after in pairwise([self, *switches, self.spectrum_head]):
            self.setTabOrder(before, after)
        self._connect()
        self._retranslate()

    def show_clips(
        self,
        question: Clip | None,
        answer: Clip | None,
        spans: Sequence[MismatchSpan] = (),
        first_sound_s: float | None = None,
    ) -> None:
        """Show and load other recordings.

        Args:
            spans: where the answer's speech and text differ.
            first_sound_s: seconds from the end of the question to the first sound of the answer, where known.
        """
        self._slow.stop()
        self._loader.stop()
        question, answer = self._here(question), self._here(answer)
        self._first_sound_s = first_sound_s
        for row, clip, marked in zip(self.rows, (question, answer), ((), spans), strict=True):
            row.show(clip, marked)
            row.is_reading = False
        self.spectrum.show(answer)
        self.curves.want(None)
        self.canvas.lay_out()
        self.canvas.set_view(TimeView().whole(self._total_s()))
        self._player.load(question, answer)
        for row in self.rows:
            outline = None if row.clip is None else self._loader.load(row.lane, row.clip)
            if outline is not None:
                self._take_outline(row, outline)
        self._loader.expect({})
        self._slow.start()
        self._tell()

    def mark(self, spans: Sequence[MismatchSpan]) -> None:
        """Show other spans of the same answer; what plays goes on."""
        self.rows[-1].mark(spans)
        self.canvas.update()
        self._tell()

    @property
    def look(self) -> SpectrumLook:
        """How spectra are shown."""
        return self.spectrum.look

    def set_look(self, look: SpectrumLook) -> None:
        """Show spectra otherwise, here and wherever else they are shown."""
        self._services.settings.set("spectrum", look.told())

    def toggle_spectrum(self) -> None:
        """Show the spectrum, or leave its room to the answer."""
        self.set_look(replace(self.look, is_shown=not self.look.is_shown))

    def toggle_scale(self) -> None:
        """Spread frequencies as they are heard, or evenly; the spectrum is shown."""
        self.set_look(replace(self.look.other_scale(), is_shown=True))

    def mark_tags(self, tagged: Sequence[TaggedSpan]) -> None:
        """Show what people tagged on the answer; what plays goes on."""
        if tuple(tagged) != self.rows[-1].tagged:
            self.rows[-1].mark_tags(tagged)
            self.canvas.update()

    def play_range(self, start_s: float, end_s: float, lane: Lane = "answer") -> None:
        """Hear a piece of one lane once, as when a character of the alignment is clicked."""
        self._player.play((start_s, end_s), lane)

    def regions(self) -> tuple[Region, ...]:
        """All that has a place on the time line, the lanes first, then by time."""
        found = [
            Region(row.lane, words.text("player.lanes.region_sound"), 0.0, row.duration_s)
            for row in self.rows
            if row.clip is not None and row.error is None
        ]
        marks = [
            Region(row.lane, mark.label, mark.start_s, mark.end_s, mark.kind)
            for row in self.rows
            for mark in marks_of(row)
        ]
        said = words.text("player.lanes.region_tagged")
        marks += [Region("answer", said, tag.start_s, tag.end_s, tag.text) for tag in self.rows[-1].tagged]
        if self.canvas.gap is not None:
            marks.append(Region("question", words.text("player.lanes.region_gap"), *self.canvas.gap))
        if self._player.region is not None:
            name = words.text("player.lanes.region_chosen")
            marks.append(Region(self._player.region_lane, name, *self._player.region))
        return (*found, *sorted(marks, key=lambda region: region.start_s))

    def toggle_pitch(self) -> None:
        """Draw the pitch over the answer, or do not."""
        self._toggle_curve("pitch")

    def toggle_energy(self) -> None:
        """Draw the energy over the answer, or do not."""
        self._toggle_curve("energy")

    def is_curve_shown(self, kind: CurveKind) -> bool:
        """Whether a curve is drawn, or will be when it is there."""
        return kind in self._shown_curves

    def _toggle_curve(self, kind: CurveKind) -> None:
        self._shown_curves ^= {kind}
        self.rows[-1].show_curves(self.rows[-1].curves, self._shown_curves)
        self._want_curves()
        self.canvas.update()
        self._show_switches()

    def _want_curves(self) -> None:
        row = self.rows[-1]
        lacks = bool(self._shown_curves) and row.curves is None and row.outline is not None
        self.curves.want(row.clip if lacks else None)

    def _on_curves(self, clip: Clip, curves: Curves) -> None:
        if clip == self.rows[-1].clip:
            self.rows[-1].show_curves(curves, self._shown_curves)
            self.canvas.update()

    def _on_no_curves(self, error: EngineError) -> None:
        """Say why once, and draw none until they are asked for again."""
        self._shown_curves = frozenset()
        self._show_switches()
        self.failed.emit(error)

    def _on_curves_busy(self, is_busy: bool) -> None:
        self.rows[-1].is_curve_awaited = is_busy
        self.canvas.update()

    def _show_switches(self) -> None:
        for kind, switch in zip(KINDS, self.heads[-1].curves, strict=True):
            switch.setChecked(kind in self._shown_curves)

    def next_mark(self) -> None:
        """Go to the next mark of the answer and choose its range."""
        self._go_to_mark(1)

    def previous_mark(self) -> None:
        """Go to the mark of the answer before and choose its range."""
        self._go_to_mark(-1)

    def _go_to_mark(self, step: int) -> None:
        row, spot = self.rows[-1], self._player.spot
        from_s = spot.position_s if spot.lane == row.lane else (-1.0 if step > 0 else row.duration_s + 1)
        found = next_mark(marks_of(row), from_s, step)
        if found is None or row.clip is None:
            self.marked.emit(words.text(f"player.marks.{'none_after' if step > 0 else 'none_before'}"))
            return
        if self._player.region_lane != row.lane:
            self._player.set_part(row.lane)
        self._player.seek(found.start_s, row.lane)
        self._player.set_region((found.start_s, found.end_s))
        self.canvas.set_view(self.canvas.view.showing(found.start_s))
        self.pointed.emit(row.lane, found.start_s)
        self.marked.emit(found.told())

    def comfortable_height(self) -> int:
        """Pixels that let every lane be shown."""
        return self.canvas.comfortable_height()

    def sizeHint(self) -> QSize:
        hint = self.canvas.sizeHint()
        return QSize(hint.width() + width("lane_head"), hint.height())

    def minimumSizeHint(self) -> QSize:
        hint = self.canvas.minimumSizeHint()
        return QSize(hint.width() + width("lane_head"), hint.height())

    # keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = event.key()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and held in _STEPS_S:
            self._step(_STEPS_S[held] * (1 if key == Qt.Key.Key_Right else -1))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_Backspace):
            self._player.seek(0.0)
        elif key == Qt.Key.Key_End:
            self._player.seek(self._player.duration_s)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(ZOOM_STEP)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.zoom(1 / ZOOM_STEP)
        elif key == Qt.Key.Key_0 and held == Qt.KeyboardModifier.NoModifier:
            self.show_all()
        elif key == Qt.Key.Key_Escape and self._player.region is not None:
            self._player.set_looping(False)
            self._player.set_region(None)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.list_regions()
        else:
            super().keyPressEvent(event)

    def zoom(self, factor: float) -> None:
        """Larger around the playhead, or smaller under 1."""
        view = self.canvas.view
        at_s = self._player.position_s
        if not view.start_s <= at_s <= view.end_s:
            at_s = (view.start_s + view.end_s) / 2
        self.canvas.set_view(view.zoomed(factor, at_s))

    def list_regions(self) -> None:
        """Open the table of regions."""
        self._popup.show_regions(self.regions(), self)

    def _step(self, seconds: float) -> None:
        self._player.seek(self._player.position_s + seconds)

    # the menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.menu(self.canvas.mapFromGlobal(event.globalPos()))
        menu.exec(event.globalPos())
        menu.deleteLater()

    def menu(self, at: QPoint) -> QMenu:
        """The menu of what is under ``at``, a place on the canvas."""
        return lanes_menu(self, self._player, at)

    def show_all(self) -> None:
        """Bring all of both recordings on screen."""
        self.canvas.set_view(self.canvas.view.whole())

    # layout and paint

    def resizeEvent(self, event: QResizeEvent) -> None:
        left = width("lane_head")
        self.canvas.setGeometry(left, 0, self.width() - left, self.height())
        self.canvas.lay_out()

    def _on_laid_out(self) -> None:
        left = width("lane_head")
        for head, row in zip(self.heads, self.rows, strict=True):
            head.setGeometry(0, row.top, left, row.height)
        is_drawn = self.spectrum in self.canvas.drawn
        self.spectrum_head.setVisible(is_drawn)
        if is_drawn:
            self.spectrum_head.setGeometry(0, self.spectrum.top, left, self.spectrum.height)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.panel"))
        for row in self.canvas.drawn[:-1]:
            painter.fillRect(0, row.top + row.height, self.width(), 1, theme().color("surface.line"))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.canvas.set_ringed(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.canvas.set_ringed(False)

    # loading

    def _here(self, clip: Clip | None) -> Clip | None:
        """The clip with the workspace that its row is in."""
        if clip is None or clip.workspace is not None:
            return clip
        return replace(clip, workspace=self._services.workspace.current)

    def expect(self, outlines: Mapping[Clip, Outline]) -> None:
        """What was read ahead of the recordings that will probably be shown next."""
        self._loader.expect(outlines)

    def leave(self) -> None:
        """Another answer is about to be shown: what may come later of this one is looked for no longer."""
        self._loader.stop_search()
        self._tiles.forget()

    def _on_outline(self, lane: Lane, outline: Outline) -> None:
        self._take_outline(self._row(lane), outline)
        self._tell()

    def _take_outline(self, row: Row, outline: Outline) -> None:
        row.outline, row.is_reading = outline, False
        if row.lane == self.spectrum.lane and row.clip is not None:
            self.spectrum.outline = outline
            self._loader.search(row.clip)
            self._want_curves()

    def _on_stretches(self, found: Stretches) -> None:
        self.rows[-1].mark(self.rows[-1].spans, stretches_shown(found))
        self.canvas.update()
        self._tell()

    def _on_unreadable(self, lane: Lane, error: EngineError) -> None:
        row = self._row(lane)
        row.error, row.is_reading = error, False
        self._tell()

    def _row(self, lane: Lane) -> Row:
        return next(row for row in self.rows if row.lane == lane)

    def _say_reading(self) -> None:
        for row in self.rows:
            row.is_reading = self._loader.is_loading(row.lane)
        self.canvas.update()

    def _tell(self) -> None:
        """Show what is known by now of the recordings."""
        question_s = self.rows[0].duration_s
        known = self._first_sound_s is not None and question_s > 0
        self.canvas.gap = (question_s, question_s + (self._first_sound_s or 0.0)) if known else None
        view, total_s = self.canvas.view, self._total_s()
        if view.is_whole or total_s < view.end_s:
            self.canvas.set_view(view.whole(total_s))
        else:
            self.canvas.set_view(replace(view, total_s=total_s))
        self.canvas.update()
        for head, row in zip(self.heads, self.rows, strict=True):
            head.legend = tuple(legend_of(marks_of(row)))
            head.show_facts()
        self._describe()

    def _total_s(self) -> float:
        gap_s = self.rows[0].duration_s + (self._first_sound_s or 0.0)
        return max(gap_s, *(row.duration_s for row in self.rows)) or 1.0

    # what the player says

    def _connect(self) -> None:
        self._player.position_changed.connect(self._on_position)
        self._player.region_changed.connect(self._show_chosen)
        self._player.state_changed.connect(self._on_state)
        self._popup.chosen.connect(self._on_region)
        self._pointer.pointed.connect(self.pointed)
        self._loader.outlined.connect(self._on_outline)
        self._loader.failed.connect(self._on_unreadable)
        self._loader.searched.connect(self._on_stretches)
        self.curves.loaded.connect(self._on_curves)
        self.curves.failed.connect(self._on_no_curves)
        self.curves.busy_changed.connect(self._on_curves_busy)
        for switch, toggle in zip(self.heads[-1].curves, (self.toggle_pitch, self.toggle_energy), strict=True):
            switch.clicked.connect(toggle)
        self._tiles.arrived.connect(self.canvas.update)
        self.canvas.laid_out.connect(self._on_laid_out)
        self._services.settings.changed.connect(self._on_setting)
        words.changed.connect(self._retranslate)

    def _on_setting(self, name: str) -> None:
        if name != "spectrum":
            return
        self.spectrum.look = look_of(self._services.settings.get("spectrum"))
        self.spectrum_head.show_look()
        self.canvas.lay_out()
        self.updateGeometry()
        self.look_changed.emit()

    def _on_position(self, position_s: float) -> None:
        if self._player.is_playing and not self.canvas.view.is_whole:
            self.canvas.set_view(self.canvas.view.showing(position_s))
        self.canvas.set_playhead(self._player.spot if self._player.state is not State.EMPTY else None)

    def _on_state(self, state: State) -> None:
        self._on_position(self._player.position_s)
        self._describe()

    def _show_chosen(self) -> None:
        region = self._player.region
        chosen = None if region is None else Chosen(self._player.region_lane, region, self._player.loops)
        self.canvas.set_chosen(chosen)

    def _on_region(self, region: Region) -> None:
        self.setFocus()
        self._player.seek(region.start_s, region.lane)
        if region.lane == self._player.region_lane:
            self._player.set_region((region.start_s, region.end_s))
        self._player.play((region.start_s, region.end_s), region.lane)

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("player.lanes.name"))
        self.canvas.setAccessibleName(words.text("player.lanes.name"))
        self.canvas.update()
        self._describe()

    def _describe(self) -> None:
        """Say where it stands, for assistive tools; not while the playhead moves."""
        spot, duration_s = self._player.spot, self._player.duration_s
        errors = [words.error(row.error) for row in self.rows if row.error is not None]
        if self._player.state is State.EMPTY:
            said = words.text("player.lanes.describe_empty")
        else:
            said = words.text(
                "player.lanes.describe",
                lane=words.text(f"player.lane.{spot.lane}"),
                position=time_text(spot.position_s),
                duration=time_text(duration_s),
            )
        self.setAccessibleDescription(" ".join([said, *errors]))
