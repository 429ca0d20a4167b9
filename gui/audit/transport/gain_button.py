"""By how much it is played louder or softer, and after which rule."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from gui.player.gains import MODES
from gui.player.player import Player, State
from gui.strings import words
from gui.waveform.ticks import decibel_text
from gui.widgets import Button


class GainButton(Button):
    """Shows the gain of the lane that is heard; its menu holds the rules."""

    def __init__(self, player: Player, parent: QWidget) -> None:
        super().__init__(size="button_small", parent=parent)
        self._player = player
        self.setMenu(QMenu(self))
        self.menu().aboutToShow.connect(self._fill)
        self._fill()  # a menu without entries does not open
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for signal in (player.gains_changed, player.loaded, player.part_changed, player.state_changed, words.changed):
            signal.connect(self.show_gain)
        self.show_gain()

    def show_gain(self) -> None:
        """Say the rule and the gain of now."""
        text = words.text(f"player.transport.gain_{self._player.gain_mode}")
        if self._player.gain_mode != "none" and self._player.state is not State.EMPTY:
            text = f"{text} {self._decibels()}"
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(f"{words.text('player.transport.gain')}: {text}")
        self.set_tip(self._told())

    def next_mode(self) -> str:
        """Follow the next rule; what is said of it."""
        place = MODES.index(self._player.gain_mode)
        self._player.set_gain_mode(MODES[(place + 1) % len(MODES)])
        return self._rule(self._player.gain_mode)

    def _decibels(self) -> str:
        lane = self._player.spot.lane
        if not self._player.is_gain_known(lane):
            return "…"
        gain_db = round(self._player.gain_db(lane), 1)
        sign = "+" if gain_db > 0 else ""
        told = words.text("player.transport.decibels", gain=f"{sign}{decibel_text(gain_db + 0.0)}")
        return words.text("player.transport.gain_limited", gain=told) if self._player.is_gain_limited(lane) else told

    def _told(self) -> str:
        told = [words.text(f"player.transport.gain_{self._player.gain_mode}_tip")]
        if self._player.is_gain_limited(self._player.spot.lane):
            told.append(words.text("player.transport.gain_limited_tip"))
        return " ".join(told)

    def _rule(self, mode: str) -> str:
        return words.text(f"player.transport.gain_{mode}_long")

    def _fill(self) -> None:
        menu = self.menu()
        menu.clear()
        for mode in MODES:
            rule = menu.addAction(self._rule(mode), partial(self._player.set_gain_mode, mode))
            rule.setCheckable(True)
            rule.setChecked(mode == self._player.gain_mode)
