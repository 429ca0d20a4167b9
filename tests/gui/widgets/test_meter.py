"""The meter falls, holds its peaks and remembers that it clipped, on a clock that is given."""

import math

import pytest
from PySide6.QtCore import QPoint, Qt

from gui.theme import theme
from gui.widgets import Meter, MeterLevel


def test_a_level_falls_twenty_four_decibels_a_second():
    level = MeterLevel()
    level.take(-6.0, 10.0)
    level.take(-60.0, 10.1)
    assert level.shown_dbfs(10.5) == pytest.approx(-6.0 - 24 * 0.5)


def test_a_louder_sound_is_shown_at_once():
    level = MeterLevel()
    level.take(-40.0, 0.0)
    level.take(-10.0, 0.01)
    assert level.shown_dbfs(0.01) == -10.0


def test_a_peak_is_held_one_and_a_half_seconds_and_then_falls():
    level = MeterLevel()
    level.take(-3.0, 0.0)
    level.take(-50.0, 0.5)
    assert level.peak_dbfs(1.5) == -3.0
    assert level.peak_dbfs(2.5) == pytest.approx(-3.0 - 24)


def test_a_new_peak_begins_a_new_hold():
    level = MeterLevel()
    level.take(-20.0, 0.0)
    level.take(-10.0, 1.0)
    assert level.peak_dbfs(2.4) == -10.0


@pytest.mark.parametrize("silence", [-math.inf, math.nan])
def test_silence_is_no_number_and_breaks_nothing(silence):
    level = MeterLevel()
    level.take(silence, 0.0)
    assert level.shown_dbfs(1.0) == -math.inf


def test_the_clip_lamp_stays_until_it_is_clicked(qtbot):
    meter = Meter(ticks=())
    qtbot.addWidget(meter)
    meter.resize(200, meter.sizeHint().height())
    meter.set_levels([0.0], 0.0)
    meter.set_levels([-50.0], 60.0)
    assert meter.levels[0].clipped
    lamp = meter._lamp_box().center().toPoint()
    assert meter.grab().toImage().pixelColor(lamp) == theme().color("audio.clip")
    with qtbot.waitSignal(meter.cleared):
        qtbot.mouseClick(meter, Qt.MouseButton.LeftButton, pos=lamp)
    assert not meter.levels[0].clipped
    assert meter.grab().toImage().pixelColor(lamp) == theme().color("surface.panel")


def test_cells_change_colour_at_twelve_and_three_below_full(qtbot):
    meter = Meter(ticks=(), lamp=False)
    qtbot.addWidget(meter)
    meter.resize(600, meter.sizeHint().height())
    meter.set_levels([-0.5], 0.0)
    picture = meter.grab().toImage()
    colours = theme()
    cells = {
        dbfs: picture.pixelColor(QPoint(int((1 + dbfs / 60) * 600) // 4 * 4 + 1, 7)) for dbfs in (-40, -13, -8, -2)
    }
    assert cells[-40] == cells[-13] == colours.color("audio.meter_low")
    assert cells[-8] == colours.color("audio.meter_mid")
    assert cells[-2] == colours.color("audio.meter_high")


def test_a_meter_speaks_its_level(qtbot):
    meter = Meter()
    qtbot.addWidget(meter)
    assert meter.spoken() == "silent"
    meter.set_levels([-17.4], 0.0)
    assert meter.spoken() == "−17.4 dBFS, peak −17.4 dBFS"
