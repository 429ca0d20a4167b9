"""How fast it plays: the number, a menu of speeds, and a tenth more or less by wheel and arrows."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QMenu, QWidget

from gui.player.at_speed import FASTEST, SLOWEST, STEP
from gui.player.player import Player
from gui.strings import words
from gui.widgets import Button

_NOTCH = 120
_ARROWS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


def speed_text(speed: float) -> str:
    """A speed as it is shown.

    >>> speed_text(1.0), speed_text(0.7)
    ('1.0×', '0.7×')
    """
    return f"{speed:.1f}×"


class SpeedButton(Button):
    """Shows the speed of ``player`` and changes it."""

    def __init__(self, player: Player, parent: QWidget) -> None:
        super().__init__(speed_text(player.speed), size="button_small", parent=parent)
        self._player = player
        self._turned = 0
        self.speeds = QMenu(self)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self.open_menu)
        player.speed_changed.connect(self.show_speed)
        words.changed.connect(self.show_speed)
        self.show_speed()

    def show_speed(self) -> None:
        """Say the speed of now."""
        self.setText(speed_text(self._player.speed))
        self.set_tip(words.text("player.transport.speed_tip"))
        self.setAccessibleName(f"{words.text('player.transport.speed')} {self.text()}")

    def step(self, tenths: int) -> None:
        """Faster by tenths, or slower."""
        self._player.set_speed(round(self._player.speed + tenths * STEP, 1))

    def open_menu(self) -> None:
        """Show the speeds to choose from, the fastest on top."""
        self.speeds.clear()
        for tenths in range(round(FASTEST / STEP), round(SLOWEST / STEP) - 1, -1):
            speed = round(tenths * STEP, 1)
            choice = self.speeds.addAction(speed_text(speed), partial(self._player.set_speed, speed))
            choice.setCheckable(True)
            if speed == self._player.speed:
                choice.setChecked(True)
                self.speeds.setActiveAction(choice)
        self.speeds.popup(self.mapToGlobal(QPoint(0, self.height())))

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._turned += event.angleDelta().y()
        steps = int(self._turned / _NOTCH)
        self._turned -= steps * _NOTCH
        if steps:
            self.step(steps)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        tenths = _ARROWS.get(Qt.Key(event.key()))
        if tenths is None:
            super().keyPressEvent(event)
        else:
            self.step(tenths)
