"""The menu of lanes: what can be done at a place of the time line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from gui.player.clip import Lane
from gui.player.player import Player
from gui.strings import words
from gui.waveform.curve_paint import KINDS
from gui.waveform.pointer import ZOOM_STEP
from gui.waveform.spectrum_head import spectrum_menu

if TYPE_CHECKING:
    from gui.waveform.lanes import Lanes


def lanes_menu(lanes: Lanes, player: Player, at: QPoint) -> QMenu:
    """The menu of what is under ``at``, a place on the canvas."""
    menu = QMenu(lanes)
    second = lanes.canvas.view.second(at.x())
    row = lanes.canvas.row_at(at.y()) or lanes.rows[-1]
    menu.addAction(words.text("player.lanes.play_here"), partial(_play_from, player, second, row.lane))
    if player.region is not None:
        _add_region(menu, player)
    menu.addSeparator()
    _add_heard(menu, player, row.lane)
    menu.addSeparator()
    menu.addMenu(spectrum_menu(lanes.look, lanes.set_look, menu))
    for kind, toggle in zip(KINDS, (lanes.toggle_pitch, lanes.toggle_energy), strict=True):
        _add_switch(menu, words.text(f"player.curves.{kind}_tip"), lanes.is_curve_shown(kind), toggle)
    menu.addAction(words.text("player.lanes.zoom_in"), partial(lanes.zoom, ZOOM_STEP))
    menu.addAction(words.text("player.lanes.zoom_out"), partial(lanes.zoom, 1 / ZOOM_STEP))
    menu.addAction(words.text("player.lanes.zoom_all"), lanes.show_all)
    menu.addAction(words.text("player.lanes.list_regions"), lanes.list_regions)
    return menu


def _add_region(menu: QMenu, player: Player) -> None:
    menu.addAction(words.text("player.lanes.play_region"), player.play_region)
    loops = not player.loops
    _add_switch(menu, words.text("player.lanes.loop_region"), player.loops, partial(player.set_looping, loops))
    menu.addAction(words.text("player.lanes.clear_region"), partial(player.set_region, None))


def _add_heard(menu: QMenu, player: Player, lane: Lane) -> None:
    name = words.text(f"player.lane.{lane}")
    for key, is_on, change in (
        ("solo_tip", player.is_solo(lane), player.set_solo),
        ("mute_tip", player.is_muted(lane), player.set_muted),
    ):
        _add_switch(menu, f"{name}: {words.text(f'player.lane.{key}')}", is_on, partial(change, lane, not is_on))


def _add_switch(menu: QMenu, said: str, is_on: bool, change: Callable[[], object]) -> None:
    switch = menu.addAction(said, change)
    switch.setCheckable(True)
    switch.setChecked(is_on)


def _play_from(player: Player, second: float, lane: Lane) -> None:
    player.seek(second, lane)
    player.play()
