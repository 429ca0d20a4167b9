"""A device on which sound runs many times as fast as the clock on the wall, so that fifty items take seconds."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from tests.gui.player.fakes import FakeSound

STEP_S = 0.2  # of sound, each time the event loop turns


class FastSound(FakeSound):
    """Plays by itself; ``pump`` is on the GUI thread."""

    def __init__(self, rate_hz: int = 16000) -> None:
        super().__init__(rate_hz)
        self.is_running = True
        self.step_s = STEP_S

    def pump(self) -> None:
        """Let every open output play on."""
        if self.is_running:
            for output in self.opened:
                if not output.is_closed:
                    output.play(self.step_s)


class Pump(QObject):
    """Pumps a device as long as it lives."""

    def __init__(self, sound: FastSound, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(5)
        self._timer.timeout.connect(sound.pump)
        self._timer.start()
