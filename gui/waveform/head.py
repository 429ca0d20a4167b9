"""The head of a lane: its name, what is known of it, and what is heard of it."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui.player.player import Player
from gui.strings import words
from gui.theme import font, radius, theme, width
from gui.waveform.row import Row
from gui.waveform.ticks import decibel_text, rate_text, time_text
from gui.widgets import paint_box, paint_focus, paint_text, tip_text

BAR_WIDTH = 3
_LEFT = 11
_NAME_TOP, _FACTS_TOP, _BUTTONS_TOP, _CURVES_TOP = 5, 21, 40, 61
_LINE = 17
_LONG_S = 100  # longer ones are told in minutes


class LaneHead(QWidget):
    """Stands left of a row; S and M where there is room for them."""

    def __init__(self, row: Row, player: Player, parent: QWidget) -> None:
        super().__init__(parent)
        self._row, self._player = row, player
        self.legend: tuple[str, ...] = ()
        self.setFixedWidth(width("lane_head"))
        self.solo = _Letter("S", self)
        self.mute = _Letter("M", self)
        self.solo.move(_LEFT, _BUTTONS_TOP)
        self.mute.move(_LEFT + 26, _BUTTONS_TOP)
        self.curves = tuple(_Letter(letter, self) for letter in "PE") if row.has_curves else ()
        for place, switch in enumerate(self.curves):
            switch.move(_LEFT + 26 * place, _CURVES_TOP)
        self.solo.clicked.connect(self._on_solo)
        self.mute.clicked.connect(self._on_mute)
        player.lanes_changed.connect(self._show_lanes)
        player.gains_changed.connect(self.show_facts)
        words.changed.connect(self.retranslate)
        self.retranslate()

    def retranslate(self) -> None:
        """Say its texts, in the language of now."""
        self.solo.setText(words.text("player.lane.solo"))
        self.mute.setText(words.text("player.lane.mute"))
        for button, key in ((self.solo, "solo_tip"), (self.mute, "mute_tip")):
            button.setToolTip(words.text(f"player.lane.{key}"))
            button.setAccessibleName(f"{self.name()}: {words.text(f'player.lane.{key}')}")
        for switch, kind in zip(self.curves, ("pitch", "energy"), strict=False):
            switch.setText(words.text(f"player.curves.{kind}_letter"))
            switch.setToolTip(words.text(f"player.curves.{kind}_tip"))
            switch.setAccessibleName(f"{self.name()}: {words.text(f'player.curves.{kind}_tip')}")
        self.show_facts()

    def show_facts(self) -> None:
        """Say what is known of the recording now."""
        self.setToolTip(tip_text("\n".join(part for part in (self.name(), *self._all_facts(), *self.legend) if part)))
        self.setAccessibleName(f"{self.name()} {self.facts()}")
        has_room = self.height() >= _BUTTONS_TOP + 22 and self._row.clip is not None
        self.solo.setVisible(has_room)
        self.mute.setVisible(has_room)
        for switch in self.curves:
            switch.setVisible(self.height() >= _CURVES_TOP + 22 and self._row.clip is not None)
        self._show_lanes()
        self.update()

    def name(self) -> str:
        """The lane's name."""
        return words.text(f"player.lane.{self._row.lane}")

    def facts(self) -> str:
        """One line: loudness where it is known, else length and rate."""
        return next(iter(self._all_facts()), "")

    def resizeEvent(self, event: object) -> None:
        self.show_facts()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.panel"))
        painter.fillRect(0, 0, BAR_WIDTH, self.height(), theme().color(f"audio.{self._row.lane}_rms"))
        wide = self.width() - _LEFT - 2
        name = QRectF(_LEFT, _NAME_TOP, wide, _LINE)
        paint_text(painter, name, self.name(), font("table", weight=600), theme().color("text.primary"))
        if self.height() < _FACTS_TOP + _LINE:
            return  # the tip tells them: half a line tells nothing
        text, room = self.facts(), QRectF(_LEFT, _FACTS_TOP, self.width() - _LEFT, _LINE)
        fits = QFontMetricsF(font("small")).horizontalAdvance(text) <= room.width()
        paint_text(painter, room, text, font("small" if fits else "axis"), theme().color("text.tertiary"))

    def _all_facts(self) -> list[str]:
        clip, duration_s = self._row.clip, self._row.duration_s
        if clip is None:
            return []
        rate = clip.sample_rate_hz or (self._row.outline.pyramid.sample_rate_hz if self._row.outline else None)
        found = []
        lufs = self._player.loudness_lufs(clip)
        if lufs is not None and not math.isnan(lufs):
            found.append(words.text("player.lane.loudness", lufs=decibel_text(lufs)))
        if duration_s and rate:
            key, shown = ("facts_long", time_text(duration_s, 0)) if duration_s >= _LONG_S else ("facts", "")
            found.append(
                words.text(f"player.lane.{key}", duration=shown or f"{duration_s:.1f}", rate=rate_text(int(rate)))
            )
        return found

    def _show_lanes(self) -> None:
        self.solo.setChecked(self._player.is_solo(self._row.lane))
        self.mute.setChecked(self._player.is_muted(self._row.lane))

    def _on_solo(self, checked: bool) -> None:
        self._player.set_solo(self._row.lane, checked)

    def _on_mute(self, checked: bool) -> None:
        self._player.set_muted(self._row.lane, checked)


class _Letter(QAbstractButton):
    """A switch of one letter."""

    def __init__(self, letter: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setText(letter)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.resize(self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(22, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        on = self.isChecked()
        ground = "accent.base" if on else "surface.hover" if self.underMouse() else "surface.panel"
        edge = "accent.base" if on else "surface.line_strong"
        paint_box(painter, self.rect(), radius("key"), colours.color(ground), colours.color(edge))
        painter.setFont(font("axis", weight=500))
        painter.setPen(colours.color("text.on_accent" if on else "text.secondary"))
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.text())
        if self.hasFocus():
            paint_focus(painter, self.rect(), radius("key"), colours.color("text.on_accent") if on else None)
