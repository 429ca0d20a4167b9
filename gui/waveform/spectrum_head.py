"""The head of the spectrum's lane: what is shown of it; pressed, it offers other scales and ranges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QActionGroup, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from gui.strings import words
from gui.theme import font, radius, theme, width
from gui.waveform.head import BAR_WIDTH
from gui.waveform.spectrum_look import RANGES_DB, SCALES, TOP_DB, SpectrumLook
from gui.waveform.spectrum_row import SpectrumRow
from gui.waveform.ticks import decibel_text
from gui.widgets import paint_focus, paint_text, tip_text

SetLook = Callable[[SpectrumLook], None]
_LEFT = 11
_NAME_TOP, _FACTS_TOP, _LINE = 5, 21, 17


class SpectrumHead(QAbstractButton):
    """Stands left of the spectrum; a press or Space opens its menu."""

    def __init__(self, row: SpectrumRow, set_look: SetLook, parent: QWidget) -> None:
        super().__init__(parent)
        self._row, self._set_look = row, set_look
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(self._open_menu)
        words.changed.connect(self.show_look)
        self.show_look()
        self.hide()

    def show_look(self) -> None:
        """Say how the spectrum is shown now."""
        look = self._row.look
        name, facts = words.text("player.spectrum.name"), look_said(look)
        lowest, top = decibel_text(TOP_DB - look.range_db, 0), decibel_text(TOP_DB, 0)
        tip = words.text("player.spectrum.tip", lowest=lowest, top=top)
        self.setText(facts)
        self.setAccessibleName(f"{name}: {facts}")
        self.setToolTip(tip_text(f"{name}: {facts}\n{tip}"))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(width("lane_head"), 40)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        painter.fillRect(self.rect(), colours.color("surface.hover" if self.underMouse() else "surface.panel"))
        painter.fillRect(0, 0, BAR_WIDTH, self.height(), colours.color("audio.answer_rms"))
        wide = self.width() - _LEFT - 2
        name = QRectF(_LEFT, _NAME_TOP, wide, _LINE)
        said = words.text("player.spectrum.name")
        paint_text(painter, name, said, font("table", weight=600), colours.color("text.primary"))
        facts = QRectF(_LEFT, _FACTS_TOP, wide, _LINE)
        paint_text(painter, facts, self.text(), font("small"), colours.color("text.tertiary"))
        if self.hasFocus():
            paint_focus(painter, self.rect(), radius("control"))

    def _open_menu(self) -> None:
        menu = spectrum_menu(self._row.look, self._set_look, self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))


def look_said(look: SpectrumLook) -> str:
    """The scale and the range: ``mel · 62 dB``."""
    return words.text("player.spectrum.look", scale=words.text(f"player.spectrum.{look.scale}"), range=look.range_db)


def spectrum_menu(look: SpectrumLook, set_look: SetLook, parent: QWidget) -> QMenu:
    """What may be shown otherwise, with what is shown now marked."""
    menu = QMenu(words.text("player.spectrum.name"), parent)
    shown = menu.addAction(words.text("player.spectrum.shown"))
    shown.setCheckable(True)
    shown.setChecked(look.is_shown)
    shown.triggered.connect(partial(set_look, replace(look, is_shown=not look.is_shown)))
    menu.addSeparator()
    scales = [(words.text(f"player.spectrum.{scale}_scale"), replace(look, scale=scale)) for scale in SCALES]
    ranges = [
        (words.text("player.spectrum.range", range=range_db), replace(look, range_db=range_db))
        for range_db in RANGES_DB
    ]
    for choices in (scales, ranges):
        group = QActionGroup(menu)
        for said, other in choices:
            choice = menu.addAction(said)
            choice.setCheckable(True)
            choice.setChecked(other == look)
            choice.triggered.connect(partial(set_look, other))
            group.addAction(choice)
        menu.addSeparator()
    return menu
