"""The transport: play and pause, where it stands, what loops, what is heard, how loud, and by which device."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.errors import EngineError
from gui.player.player import SILENCE_DBFS, State
from gui.services import Services
from gui.strings import words
from gui.theme import font, height, paint_icon, space, theme
from gui.waveform.ticks import decibel_text, rate_text, time_text
from gui.widgets import (
    Hairline,
    IconButton,
    InlineError,
    Meter,
    Segmented,
    label,
    paint_focus,
    paint_text,
    set_tone,
    shown_text,
    tip_text,
    tip_with_key,
)

PARTS = ("question", "answer", "both")
STEP_S = 1.0
_SIDE = 36
_ICON = 18
_FALL_MS = 33
_METER_WIDTH = 132
_DEVICE_WIDTH = 110  # under this it is not worth showing


class Transport(QWidget):
    """A bar of 48 pixels; above it, while something stands in the way of hearing, one sentence that says so.

    Signals:
        previous_wanted, next_wanted: the answer before or after is to be shown.
    """

    previous_wanted, next_wanted = Signal(), Signal()

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._player, self._actions = services.player, services.actions
        self._failure: EngineError | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._make()
        self._lay_out()
        self._falling = QTimer(self)
        self._falling.setInterval(_FALL_MS)
        self._falling.timeout.connect(self._fall)
        self._register()
        self._connect()
        self._retranslate()

    def minimumSizeHint(self) -> QSize:
        return QSize(460, self.sizeHint().height())

    # what the keys do

    def toggle(self) -> None:
        """Play or pause."""
        self._player.toggle()

    def toggle_loop(self) -> None:
        """Loop the chosen range, or all of it; or not."""
        self._player.set_looping(not self._player.loops)

    def start_loop_here(self) -> None:
        """The chosen range begins where it is heard."""
        here_s, region = self._player.position_s, self._player.region
        end_s = region[1] if region is not None and region[1] > here_s else self._player.duration_s
        self._player.set_region((here_s, end_s))

    def end_loop_here(self) -> None:
        """The chosen range ends where it is heard."""
        here_s, region = self._player.position_s, self._player.region
        self._player.set_region((region[0] if region is not None and region[0] < here_s else 0.0, here_s))

    def back(self) -> None:
        """One second back."""
        self._player.seek(self._player.position_s - STEP_S)

    def forward(self) -> None:
        """One second on."""
        self._player.seek(self._player.position_s + STEP_S)

    def mute(self) -> None:
        """Silence the lane that is heard, or hear it again."""
        lane = self._player.spot.lane
        self._player.set_muted(lane, not self._player.is_muted(lane))

    def _register(self) -> None:
        acts: tuple[tuple[str, str | tuple[str, ...], Callable[[], object], str], ...] = (
            ("play", "Space", self.toggle, "play"),
            ("play_range", "Shift+Space", self._player.play_region, "play"),
            ("loop", ("R", "Shift+L"), self.toggle_loop, "repeat"),
            ("loop_start", "[", self.start_loop_here, ""),
            ("loop_end", "]", self.end_loop_here, ""),
            ("back", "J", self.back, ""),
            ("pause", "K", self._player.pause, "pause"),
            ("forward", "L", self.forward, ""),
            ("mute", "M", self.mute, "speaker-slash"),
        )
        for name, keys, run, icon in acts:
            self._actions.add(f"audit.{name}", keys, run, screen="audit", icon=icon)

    # parts

    def _make(self) -> None:
        self.error = InlineError(parent=self)
        self.previous = IconButton("skip-back", icon_size=_ICON)
        self.play = _RoundButton(self)
        self.next = IconButton("skip-forward", icon_size=_ICON)
        self.position = label(type="verdict", weight=600)
        self.duration = label(type="figure", tone="tertiary")
        self.loop = IconButton("repeat", checkable=True, icon_size=_ICON)
        self.range = label(type="table", tone="secondary")
        self.part = Segmented([(part, part) for part in PARTS])
        self.meter = Meter(channels=2, ticks=(-36, -24, -12, 0), lamp=False, parent=self)
        self.meter.setFixedWidth(_METER_WIDTH)
        self.level = label(type="small", tone="secondary", family="mono")
        self.device = _Device(self)
        self.underruns = label(type="table", tone="tertiary")
        for button in (self.previous, self.play, self.next, self.loop):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.position.setMinimumWidth(self.position.fontMetrics().horizontalAdvance("0:00.00"))
        self.level.setMinimumWidth(self.level.fontMetrics().horizontalAdvance("-00.0"))

    def _lay_out(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.error)
        self._bar = QWidget(self)
        self._bar.setFixedHeight(height("transport"))
        outer.addWidget(self._bar)
        row = QHBoxLayout(self._bar)
        row.setContentsMargins(space(3), 0, space(3), 0)
        row.setSpacing(space(2))
        self._ruled = {name: Hairline(vertical=True, colour="surface.line_strong", length=22) for name in "abc"}
        left: tuple[QWidget, ...] = (self.previous, self.play, self.next, self.position, self.duration)
        middle = (self._ruled["a"], self.loop, self.range, self._ruled["b"], self.part)
        right = (self.meter, self.level, self._ruled["c"], self.device, self.underruns)
        for part in (*left, *middle):
            row.addWidget(part)
        row.addStretch(1)
        for part in right:
            row.addWidget(part)
        self._row = row

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._make_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.window"))
        painter.fillRect(0, 0, self.width(), 1, theme().color("surface.line"))

    def _make_room(self) -> None:
        """Let go of what is needed least until the rest has its room; underruns that happened stay longest."""
        counted: list[QWidget] = [] if self._player.underruns else [self.underruns]
        groups: tuple[list[QWidget], ...] = (
            [self.device],
            counted,
            [self._ruled["c"], self.meter, self.level],
            [self.range, self._ruled["b"]],
            [self.duration],
            [self.underruns],
        )
        items = [self._row.itemAt(index) for index in range(self._row.count())]
        parts = [part for item in items if item is not None and (part := item.widget()) is not None]
        needed = sum(_least_width(part) + space(2) for part in parts) + 2 * space(3)
        gone: set[QWidget] = set()
        for group in groups:
            if needed <= self.width():
                break
            needed -= sum(_least_width(part) + space(2) for part in group if part not in gone)
            gone.update(group)
        for part in parts:
            part.setVisible(part not in gone)
        self._row.activate()

    # what the player says

    def _connect(self) -> None:
        player = self._player
        self.previous.clicked.connect(self.previous_wanted)
        self.next.clicked.connect(self.next_wanted)
        self.play.clicked.connect(self.toggle)
        self.loop.clicked.connect(self.toggle_loop)
        self.part.chosen.connect(player.set_part)
        player.state_changed.connect(self._on_state)
        player.loaded.connect(self._on_loaded)
        player.position_changed.connect(self._show_position)
        player.part_changed.connect(self._show_part)
        player.region_changed.connect(self._show_loop)
        player.level_changed.connect(self._show_level)
        player.device_changed.connect(self._show_device)
        player.underruns_changed.connect(self._show_underruns)
        player.failed.connect(self._on_failure)
        self._actions.changed.connect(self._retip)
        words.changed.connect(self._retranslate)

    def _on_loaded(self) -> None:
        self._failure = None
        self.error.clear()
        self._on_state(self._player.state)
        self._show_device()

    def _on_state(self, state: State) -> None:
        self.play.show_playing(self._player.is_playing)
        for part in (self.play, self.loop, self.part):
            part.setEnabled(state is not State.EMPTY)
        if state is State.PLAYING:
            self._failure = None
            self.error.clear()
        self._retip()
        self._show_position(self._player.position_s)
        self._show_device()

    def _on_failure(self, error: EngineError) -> None:
        self._failure = error
        self.error.say(words.error(error), code=error.code)

    def _show_position(self, position_s: float) -> None:
        text = time_text(position_s)
        if text != self.position.text():
            self.position.setText(text)
        duration = f"{words.text('player.transport.of')} {time_text(self._player.duration_s)}"
        if duration != self.duration.text():
            self.duration.setText(duration)
            self._make_room()

    def _show_part(self, part: str) -> None:
        self.part.set_value(part)
        self._show_device()  # the other recording may have another rate

    def _show_loop(self) -> None:
        loops, region = self._player.loops, self._player.region
        self.loop.setChecked(loops)
        if region is not None:
            start, end = (f"{second:.2f}" for second in region)
            self.range.setText(words.text("player.transport.loop_range", start=start, end=end))
        else:
            self.range.setText(words.text(f"player.transport.{'loop_all' if loops else 'loop'}"))
        set_tone(self.range, "secondary" if loops else "tertiary")
        self._make_room()

    def _show_level(self, left_dbfs: float, right_dbfs: float) -> None:
        self.meter.set_levels((left_dbfs, right_dbfs), time.monotonic())
        if max(left_dbfs, right_dbfs) > SILENCE_DBFS or not self._player.is_playing:
            self._falling.start()
        self._show_peak()

    def _fall(self) -> None:
        """Let the meter come down after the sound; the timer ends when it is down."""
        now = time.monotonic()
        self.meter.show_at(now)
        self._show_peak()
        if all(one.peak_dbfs(now) < SILENCE_DBFS / 2 for one in self.meter.levels):
            self._falling.stop()

    def _show_peak(self) -> None:
        peak = max(one.peak_dbfs(time.monotonic()) for one in self.meter.levels)
        self.level.setText(decibel_text(peak) if peak > SILENCE_DBFS / 2 else "")
        set_tone(self.level, "error" if peak >= 0 else "secondary")

    def _show_device(self) -> None:
        plan, trouble = self._player.plan, self._player.trouble
        if plan is not None:
            text = words.text("player.transport.device", device=plan.device, rate=rate_text(plan.rate_hz))
            self.device.say(text, self._device_tip(), is_wrong=False)
        elif trouble is not None:
            self.device.say(words.text("player.transport.no_device"), words.error(trouble), is_wrong=True)
        else:
            self.device.say(words.text("player.transport.not_asked"), "", is_wrong=False)
        self._make_room()

    def _device_tip(self) -> str:
        plan, clip_rate_hz = self._player.plan, self._player.clip_rate_hz
        assert plan is not None
        kind = "" if clip_rate_hz is None else "_resampled" if self._player.is_resampled else "_same"
        return words.text(
            f"player.transport.device_tip{kind}",
            device=plan.device,
            rate=rate_text(plan.rate_hz),
            channels=plan.channels,
            clip_rate="" if clip_rate_hz is None else rate_text(clip_rate_hz),
        )

    def _show_underruns(self, count: int) -> None:
        self.underruns.setText(words.text("player.transport.underruns", count=count))
        set_tone(self.underruns, "warning" if count else "tertiary")
        self._make_room()

    def _retranslate(self) -> None:
        say = words.text
        self.setAccessibleName(say("player.transport.name"))
        self.part.set_texts(
            [say(f"player.transport.{part}") for part in PARTS], [say("player.transport.part_tip")] * len(PARTS)
        )
        self.part.setAccessibleName(say("player.transport.part_tip"))
        self.meter.setToolTip(say("player.transport.level_tip"))
        self.level.setToolTip(say("player.transport.level_tip"))
        self.underruns.setToolTip(say("player.transport.underruns_tip"))
        self.range.setToolTip(say("player.transport.loop_tip"))
        self._make_room()
        if self._failure is not None:
            self._on_failure(self._failure)
        self._show_underruns(self._player.underruns)
        self._show_part(self._player.part)
        self._show_loop()
        self._on_state(self._player.state)

    def _retip(self) -> None:
        """Name what each button does and its key of now."""
        say, keys = words.text, self._actions.keys
        self.previous.set_tip(say("player.transport.previous"))
        self.previous.set_keys(keys("audit.previous"))
        self.next.set_tip(say("player.transport.next"))
        self.next.set_keys(keys("audit.next"))
        self.loop.set_tip(say("player.transport.loop_tip"))
        self.loop.set_keys(keys("audit.loop"))
        name = say(f"player.transport.{'pause' if self._player.is_playing else 'play'}")
        self.play.setToolTip(tip_with_key(name, keys("audit.play")))
        self.play.setAccessibleName(name)


def _least_width(part: QWidget) -> int:
    """The least width at which a part of the bar is shown whole, or cut as it can be."""
    shrinks = isinstance(part, _Device)
    hint = part.minimumSizeHint() if shrinks else part.sizeHint()
    return min(max(hint.width(), part.minimumWidth()), part.maximumWidth())


class _RoundButton(QAbstractButton):
    """The one large button: play, or pause while it plays."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._is_playing = False
        self.setFixedSize(_SIDE, _SIDE)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_playing(self, is_playing: bool) -> None:
        """Show pause, or play."""
        if is_playing != self._is_playing:
            self._is_playing = is_playing
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        step = "pressed" if self.isDown() else "hover" if self.underMouse() else "base"
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(f"accent.{step}" if self.isEnabled() else "surface.line"))
        painter.drawEllipse(self.rect())
        inner = self.rect().adjusted(9, 9, -9, -9)
        ink = "text.on_accent" if self.isEnabled() else "text.disabled"
        paint_icon(painter, inner.toRectF(), "pause" if self._is_playing else "play", ink, fill=True)
        if self.hasFocus():
            paint_focus(painter, self.rect().adjusted(2, 2, -2, -2), _SIDE / 2, theme().color("text.on_accent"))


class _Device(QWidget):
    """The device by name, cut where there is little room; hover says more."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text, self._is_wrong = "", False
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def say(self, text: str, tip: str, *, is_wrong: bool) -> None:
        """Show ``text``; ``tip`` is told on hover."""
        self._text, self._is_wrong = text, is_wrong
        self.setToolTip(tip_text(tip))
        self.setAccessibleName(text)
        self.setAccessibleDescription(tip)
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        """What is shown, whole."""
        return self._text

    def sizeHint(self) -> QSize:
        wide = QFontMetrics(font("table")).horizontalAdvance(shown_text(self._text)) + 2
        return QSize(_ICON + space(2) + wide, height("button"))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(_DEVICE_WIDTH, self.sizeHint().width()), height("button"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ink = "verdict.fail" if self._is_wrong else "text.secondary"
        paint_icon(painter, QRectF(0, (self.height() - _ICON) / 2, _ICON, _ICON), "headphones", ink)
        room = QRectF(_ICON + space(2), 0, self.width() - _ICON - space(2), self.height())
        paint_text(painter, room, self._text, font("table"), theme().color(ink))
