"""The transport: its parts in a row, and what the player says of them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.errors import EngineError
from gui.audit.transport.acts import Acts
from gui.audit.transport.device_button import DeviceButton
from gui.audit.transport.gain_button import GainButton
from gui.audit.transport.level import Level
from gui.audit.transport.play_button import PlayButton
from gui.audit.transport.room import make_room
from gui.audit.transport.speed_button import SpeedButton
from gui.player.player import State
from gui.services import Services
from gui.strings import words
from gui.theme import height, space, theme
from gui.waveform.ticks import time_text
from gui.widgets import Hairline, IconButton, InlineError, Segmented, label, set_tone, tip_with_key

PARTS = ("question", "answer", "both")
_ICON = 18


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
        self._lane = ""
        self._asked: tuple[int, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._make(services)
        self._lay_out()
        self.acts = Acts(self._player, services.say, self.speed, self.gain, self.device, self.level)
        self.acts.register(self._actions)
        self._connect()
        self._retranslate()

    def minimumSizeHint(self) -> QSize:
        return QSize(460, self.sizeHint().height())

    # parts

    def _make(self, services: Services) -> None:
        self.error = InlineError(parent=self)
        self.previous = IconButton("skip-back", icon_size=_ICON)
        self.play = PlayButton(self)
        self.next = IconButton("skip-forward", icon_size=_ICON)
        self.position = label(type="verdict", weight=600)
        self.duration = label(type="figure", tone="tertiary")
        self.loop = IconButton("repeat", checkable=True, icon_size=_ICON)
        self.range = label(type="table", tone="secondary")
        self.speed_name = label(type="table", tone="secondary")
        self.speed = SpeedButton(self._player, self)
        self.part = Segmented([(part, part) for part in PARTS])
        self.gain_name = label(type="table", tone="secondary")
        self.gain = GainButton(self._player, self)
        self.level = Level(self._player, self)
        self.device = DeviceButton(self._player, services.settings, self)
        self.underruns = label(type="table", tone="tertiary")
        for button in (self.previous, self.play, self.next, self.loop):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.position.setMinimumWidth(self.position.fontMetrics().horizontalAdvance("0:00.00"))
        self._changing = (self.position, self.duration, self.range, self.speed, self.gain, self.device, self.underruns)
        self.speed_name.setBuddy(self.speed)
        self.gain_name.setBuddy(self.gain)

    def _lay_out(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.error)
        bar = QWidget(self)
        bar.setFixedHeight(height("transport"))
        outer.addWidget(bar)
        self._row = row = QHBoxLayout(bar)
        row.setContentsMargins(space(3), 0, space(3), 0)
        row.setSpacing(space(2))
        self._rules = rules = {
            name: Hairline(vertical=True, colour="surface.line_strong", length=22)
            for name in ("loop", "speed", "part", "gain", "device")
        }
        left: list[QWidget] = [self.previous, self.play, self.next, self.position, self.duration]
        left += [rules["loop"], self.loop, self.range, rules["speed"], self.speed_name, self.speed]
        left += [rules["part"], self.part, rules["gain"], self.gain_name, self.gain]
        right: list[QWidget] = [self.level, rules["device"], self.device, self.underruns]
        for part in left:
            row.addWidget(part)
        row.addStretch(1)
        for part in right:
            row.addWidget(part)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._make_room()

    def showEvent(self, event: QShowEvent) -> None:
        self._make_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.window"))
        painter.fillRect(0, 0, self.width(), 1, theme().color("surface.line"))

    def _make_room(self) -> None:
        """Device and gain go first; underruns that happened stay longest."""
        if not self.isVisible():
            return
        asked = (self.width(), self._player.underruns, *(part.sizeHint().width() for part in self._changing))
        if asked == self._asked:
            return  # each answer is told here; what is shown of it seldom takes another room
        self._asked = asked
        counted: list[QWidget] = [] if self._player.underruns else [self._rules["device"], self.underruns]
        leaving: tuple[list[QWidget], ...] = (
            [self.device],
            [self._rules["gain"], self.gain_name, self.gain],
            counted,
            [self._rules["device"], self.level],
            [self.speed_name],
            [self.range],
            [self.duration],
            [self._rules["speed"], self.speed],
            [self._rules["part"], self.underruns],
        )
        make_room(self._row, self.width(), leaving)

    # what the player says

    def _connect(self) -> None:
        player = self._player
        self.previous.clicked.connect(self.previous_wanted)
        self.next.clicked.connect(self.next_wanted)
        self.play.clicked.connect(player.toggle)
        self.loop.clicked.connect(player.set_looping)
        self.part.chosen.connect(player.set_part)
        player.state_changed.connect(self._on_state)
        player.loaded.connect(self._on_loaded)
        player.position_changed.connect(self._show_position)
        player.part_changed.connect(self._show_part)
        player.region_changed.connect(self._show_loop)
        player.speed_changed.connect(self._make_room)
        player.gains_changed.connect(self._make_room)  # after the button itself, which was made before
        player.device_changed.connect(self._show_device)
        player.underruns_changed.connect(self._show_underruns)
        player.failed.connect(self._on_failure)
        self._actions.changed.connect(self._retip)
        words.changed.connect(self._retranslate)

    def _on_loaded(self) -> None:
        self._failure = None
        self.error.clear()
        self._on_state(self._player.state)

    def _on_state(self, state: State) -> None:
        self.play.show_playing(self._player.is_playing)
        for part in (self.play, self.loop, self.part):
            part.setEnabled(state is not State.EMPTY)
        if state is State.PLAYING:
            self._failure = None
            self.error.clear()
        self._name_play()
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
        lane = self._player.spot.lane
        if (duration, lane) != (self.duration.text(), self._lane):
            self.duration.setText(duration)
            self._lane = lane
            self.gain.show_gain()  # in "both" the lane changes while it plays
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

    def _show_device(self) -> None:
        self.device.show_device()
        self._make_room()

    def _show_underruns(self, count: int) -> None:
        self.underruns.setText(words.text("player.transport.underruns", count=count))
        set_tone(self.underruns, "warning" if count else "tertiary")
        self._make_room()

    def _retranslate(self) -> None:
        say = words.text
        self._asked = ()
        self.setAccessibleName(say("player.transport.name"))
        self.part.set_texts(
            [say(f"player.transport.{part}") for part in PARTS], [say("player.transport.part_tip")] * len(PARTS)
        )
        self.part.setAccessibleName(say("player.transport.part_tip"))
        self.speed_name.setText(say("player.transport.speed"))
        self.gain_name.setText(say("player.transport.gain"))
        self.underruns.setToolTip(say("player.transport.underruns_tip"))
        self.range.setToolTip(say("player.transport.loop_tip"))
        if self._failure is not None:
            self._on_failure(self._failure)
        self._show_underruns(self._player.underruns)
        self._show_part(self._player.part)
        self._show_loop()
        self._on_state(self._player.state)

    def _retip(self) -> None:
        """Name what each button does and its key of now."""
        say, keys = words.text, self._actions.keys
        for button, name in ((self.previous, "previous"), (self.next, "next"), (self.loop, "loop")):
            button.set_tip(say(f"player.transport.{name}" if name != "loop" else "player.transport.loop_tip"))
            button.set_keys(keys(f"audit.{name}"))
        self._name_play()

    def _name_play(self) -> None:
        name = words.text(f"player.transport.{'pause' if self._player.is_playing else 'play'}")
        self.play.setToolTip(tip_with_key(name, self._actions.keys("audit.play")))
        self.play.setAccessibleName(name)
