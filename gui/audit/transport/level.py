"""The level that is heard: a meter that falls slowly, the peak beside it, and a lamp that says it clipped."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.player.player import SILENCE_DBFS, Player
from gui.strings import words
from gui.theme import space
from gui.waveform.ticks import decibel_text
from gui.widgets import Meter, label, set_tone

_FALL_MS = 33
_METER_WIDTH = 164
_SILENT_DBFS = SILENCE_DBFS / 2


class Level(QWidget):
    """Follows ``player``; its timer runs until the meter is down."""

    def __init__(self, player: Player, parent: QWidget) -> None:
        super().__init__(parent)
        self._player = player
        self.meter = Meter(channels=2, ticks=(-36, -24, -12, 0), parent=self)
        self.meter.setFixedWidth(_METER_WIDTH)
        self.peak = label(type="small", tone="secondary", family="mono")
        self.peak.setMinimumWidth(self.peak.fontMetrics().horizontalAdvance("-00.0"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(2))
        row.addWidget(self.meter)
        row.addWidget(self.peak)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._falling = QTimer(self)
        self._falling.setInterval(_FALL_MS)
        self._falling.timeout.connect(self._fall)
        player.level_changed.connect(self._on_level)
        words.changed.connect(self._retranslate)
        self._retranslate()

    @property
    def is_falling(self) -> bool:
        """Whether it moves still."""
        return self._falling.isActive()

    @property
    def has_clipped(self) -> bool:
        """Whether the lamp is lit."""
        return any(one.clipped for one in self.meter.levels)

    def put_out(self) -> None:
        """Put out the lamp."""
        for one in self.meter.levels:
            one.clipped = False
        self.meter.update()

    def _on_level(self, left_dbfs: float, right_dbfs: float) -> None:
        self.meter.set_levels((left_dbfs, right_dbfs), time.monotonic())
        if max(left_dbfs, right_dbfs) > SILENCE_DBFS or not self._player.is_playing:
            self._falling.start()
        self._show_peak()

    def _fall(self) -> None:
        now = time.monotonic()
        self.meter.show_at(now)
        self._show_peak()
        if all(one.peak_dbfs(now) < _SILENT_DBFS for one in self.meter.levels):
            self._falling.stop()

    def _show_peak(self) -> None:
        peak = max(one.peak_dbfs(time.monotonic()) for one in self.meter.levels)
        self.peak.setText(decibel_text(peak) if peak > _SILENT_DBFS else "")
        set_tone(self.peak, "error" if peak >= 0 else "secondary")

    def _retranslate(self) -> None:
        tip = words.text("player.transport.level_tip")
        self.meter.setToolTip(tip)
        self.peak.setToolTip(tip)
