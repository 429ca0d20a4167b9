"""The transport: what it says of the player, and what its buttons and keys do."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow

from engine.errors import EngineError
from gui.player.player import State
from gui.strings import words
from tests.gui.waveform.hearing import playing

LEFT = Qt.MouseButton.LeftButton
#: Of menus without a display; all else that Qt warns of still fails.
MENUS = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def bar(lane_services, qtbot):
    """The transport in a window of its own, on the audit screen."""
    from gui.audit.transport import Transport

    window = QMainWindow()
    qtbot.addWidget(window)
    transport = Transport(lane_services)
    window.setCentralWidget(transport)
    lane_services.actions.belong_to(window)
    lane_services.actions.enter("audit")
    window.resize(1400, 80)
    window.show()
    qtbot.waitExposed(window)
    return transport


@pytest.fixture
def loaded(bar, lane_services, recording, qtbot):
    """The transport with 2 s of question at 8 kHz and 10.96 s of answer at 16 kHz."""
    noise = np.random.default_rng(2).uniform(-0.5, 0.5, round(10.96 * 16000))
    lane_services.player.load(recording("q", noise[:16000], 8000), recording("a", noise))
    qtbot.waitUntil(lambda: lane_services.player.plan is not None)
    return bar


def press(bar, key, held=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(bar.window(), key, held)


def test_with_nothing_loaded_nothing_can_be_pressed(bar):
    assert not bar.play.isEnabled()
    assert bar.device.text() == words.text("player.transport.not_asked")


def test_it_tells_position_and_length(loaded, lane_services):
    lane_services.player.seek(6.638)
    assert (loaded.position.text(), loaded.duration.text()) == ("0:06.64", "/ 0:10.96")


def test_space_plays_and_pauses_and_the_button_says_which(loaded, lane_services, sound, qtbot):
    press(loaded, Qt.Key.Key_Space)
    playing(qtbot, lane_services.player)
    assert loaded.play.accessibleName() == "Pause"
    assert loaded.play.toolTip() == "Pause (Space)"
    sound.opened[-1].play(0.3)
    press(loaded, Qt.Key.Key_Space)
    sound.opened[-1].play(0.2)
    qtbot.waitUntil(lambda: lane_services.player.state is State.READY)
    assert loaded.play.accessibleName() == "Play"


def test_the_round_button_plays(loaded, lane_services, qtbot):
    QTest.mouseClick(loaded.play, LEFT)
    playing(qtbot, lane_services.player)


def test_keys_set_the_ends_of_the_range_and_loop_it(loaded, lane_services):
    player = lane_services.player
    player.seek(5.6)
    press(loaded, Qt.Key.Key_BracketLeft)
    player.seek(7.92)
    press(loaded, Qt.Key.Key_BracketRight)
    press(loaded, Qt.Key.Key_R)
    assert (player.region, player.loops) == (pytest.approx((5.6, 7.92)), True)
    assert loaded.range.text() == "Loop 5.60–7.92"
    assert loaded.loop.isChecked()
    press(loaded, Qt.Key.Key_R)
    assert not player.loops


def test_j_and_l_go_by_a_second_and_k_pauses(loaded, lane_services, qtbot):
    lane_services.player.seek(5.0)
    press(loaded, Qt.Key.Key_L)
    press(loaded, Qt.Key.Key_L)
    press(loaded, Qt.Key.Key_J)
    assert lane_services.player.position_s == 6.0
    lane_services.player.play()
    playing(qtbot, lane_services.player)
    press(loaded, Qt.Key.Key_K)
    assert lane_services.player._desk.mixer is not None


def test_shift_and_space_play_the_range_once(loaded, lane_services, sound, qtbot):
    lane_services.player.set_region((2.0, 2.5))
    press(loaded, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    playing(qtbot, lane_services.player)
    sound.opened[-1].play(1.0)
    assert np.count_nonzero(sound.opened[-1].heard) == pytest.approx(8000, abs=20)


def test_what_is_heard_is_chosen_in_the_middle(loaded, lane_services):
    loaded.part.chosen.emit("both")
    assert lane_services.player.part == "both"
    lane_services.player.set_part("question")
    assert loaded.part.value == "question"
    assert loaded.duration.text() == "/ 0:02.00"


def test_the_device_its_rate_and_resampling_are_told(loaded, lane_services):
    assert loaded.device.text() == "Headphones · 16 kHz"
    assert "own rate" in loaded.device.toolTip()
    lane_services.player.set_part("question")
    assert "8 kHz" in loaded.device.toolTip()
    assert "resampled" in loaded.device.toolTip()


def test_what_stands_in_the_way_is_said_above_the_bar_until_it_plays(loaded, lane_services, sound, qtbot):
    sound.cannot_open = EngineError("player.cannot_open", device="Headphones", why="busy")
    tall = loaded.sizeHint().height()
    with qtbot.waitSignal(lane_services.player.failed):
        press(loaded, Qt.Key.Key_Space)
    assert "busy" in loaded.error.sentence()
    assert loaded.sizeHint().height() > tall
    words.use("zh")
    assert "无法打开" in loaded.error.sentence()
    sound.cannot_open = None
    press(loaded, Qt.Key.Key_Space)
    playing(qtbot, lane_services.player)
    assert loaded.error.sentence() == ""


def test_without_a_device_the_bar_says_so_before_play_is_pressed(bar, lane_services, recording, sound, qtbot):
    sound.trouble = EngineError("player.no_device")
    with qtbot.waitSignal(lane_services.player.device_changed):
        lane_services.player.load(None, recording("a", np.zeros(16000)))
    assert bar.device.text() == "no sound device"
    assert "sound server" in bar.device.toolTip()
    assert bar.error.sentence() == ""


def test_the_meter_comes_down_after_the_sound_and_its_timer_ends(loaded, lane_services, sound, qtbot):
    press(loaded, Qt.Key.Key_Space)
    playing(qtbot, lane_services.player)
    sound.opened[-1].play(0.5)
    qtbot.waitUntil(lambda: loaded.level.peak.text() != "")
    assert loaded.level.peak.text() in ("−6.0", "−6.1")
    lane_services.player.pause()
    sound.opened[-1].play(0.2)
    qtbot.waitUntil(lambda: lane_services.player.state is State.READY)
    qtbot.waitUntil(lambda: not loaded.level.is_falling, timeout=10_000)
    assert loaded.level.peak.text() == ""


def test_underruns_are_counted_on_the_bar(loaded, lane_services, sound, qtbot):
    press(loaded, Qt.Key.Key_Space)
    playing(qtbot, lane_services.player)
    sound.opened[-1].play(0.1)
    sound.opened[-1].told.underruns = 3
    qtbot.waitUntil(lambda: loaded.underruns.text() == "3 underruns")


def test_keys_change_the_speed_by_a_tenth_and_back(loaded, lane_services):
    for key in (Qt.Key.Key_Period, Qt.Key.Key_Period, Qt.Key.Key_Period, Qt.Key.Key_Comma):
        press(loaded, key)
    assert (lane_services.player.speed, loaded.speed.text()) == (1.2, "1.2×")
    assert loaded.speed.accessibleName() == "Speed 1.2×"
    press(loaded, Qt.Key.Key_Slash)
    assert (lane_services.player.speed, loaded.speed.text()) == (1.0, "1.0×")


def test_speed_stops_at_half_and_at_twice(loaded, lane_services):
    for _ in range(20):
        press(loaded, Qt.Key.Key_Comma)
    assert loaded.speed.text() == "0.5×"
    for _ in range(30):
        press(loaded, Qt.Key.Key_Period)
    assert loaded.speed.text() == "2.0×"


@MENUS
def test_the_speed_is_chosen_from_a_list_or_by_arrows_where_the_focus_is(loaded, lane_services):
    QTest.mouseClick(loaded.speed, LEFT)
    speeds = loaded.speed.speeds
    assert [choice.text() for choice in speeds.actions()][::5] == ["2.0×", "1.5×", "1.0×", "0.5×"]
    assert [choice.text() for choice in speeds.actions() if choice.isChecked()] == ["1.0×"]
    QTest.keyClick(speeds, Qt.Key.Key_Up)
    QTest.keyClick(speeds, Qt.Key.Key_Return)
    assert lane_services.player.speed == 1.1
    loaded.speed.setFocus()
    QTest.keyClick(loaded.speed, Qt.Key.Key_Down)
    assert lane_services.player.speed == 1.0


def test_without_the_library_a_speed_says_what_to_do(loaded, lane_services, monkeypatch):
    monkeypatch.setattr("gui.player.player.can_stretch", lambda: False)
    press(loaded, Qt.Key.Key_Period)
    assert "python-stretch" in loaded.error.sentence()
    assert loaded.speed.text() == "1.0×"


def test_the_gain_of_what_is_heard_is_told_after_its_rule(loaded, lane_services, qtbot):
    assert loaded.gain.text() == "as recorded"
    press(loaded, Qt.Key.Key_U)
    qtbot.waitUntil(lambda: lane_services.player.is_gain_known("answer"))
    told = f"{lane_services.player.gain_db('answer'):.1f}".replace("-", "−")
    assert loaded.gain.text() == f"per clip {told} dB"
    assert "never the file" in loaded.gain.toolTip()
    press(loaded, Qt.Key.Key_U)
    assert lane_services.settings.get("sound_gain") == "system"
    words.use("zh")
    assert loaded.gain.text().startswith("按系统")


def test_a_gain_that_would_clip_says_that_it_is_limited(bar, lane_services, recording, qtbot):
    samples = np.full(32000, 0.001)
    samples[::100] *= -1
    samples[16000] = 0.5
    lane_services.player.set_gain_mode("clip")
    lane_services.player.load(None, recording("a", samples))
    qtbot.waitUntil(lambda: bar.gain.text() == "per clip +5.0 dB, limited")
    assert "clip this recording" in bar.gain.toolTip()


def test_the_gain_is_chosen_from_its_menu(loaded, lane_services):
    loaded.gain.menu().aboutToShow.emit()
    rules = loaded.gain.menu().actions()
    assert [rule.isChecked() for rule in rules] == [True, False, False]
    rules[1].trigger()
    assert lane_services.player.gain_mode == "clip"


def test_on_a_narrow_bar_the_key_of_the_gain_says_what_it_did(loaded, lane_services):
    loaded.window().resize(700, 80)
    loaded.grab()
    assert not loaded.gain.isVisible()
    press(loaded, Qt.Key.Key_U)
    assert lane_services.said == ["Gain: Per clip: each recording as loud as the next"]


@MENUS
def test_another_device_is_chosen_from_a_menu_that_asks_for_them(loaded, lane_services, sound, qtbot):
    with qtbot.waitSignal(lane_services.player.devices_changed):
        press(loaded, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    menu = loaded.device.devices
    assert menu.isVisible()
    assert [choice.text() for choice in menu.actions()] == [
        "the usual one (Headphones)", "Headphones", "", words.text("preferences.sound.refresh"),
    ]  # fmt: skip
    menu.actions()[1].trigger()
    assert lane_services.settings.get("sound_output") == "Headphones"
    loaded.device.open_menu()
    assert [choice.isChecked() for choice in menu.actions()[:2]] == [False, True]
    menu.close()


@MENUS
def test_a_device_that_is_gone_stays_named_and_looking_again_is_in_the_menu(loaded, lane_services, sound, qtbot):
    lane_services.settings.set("sound_output", "Old & speaker")
    with qtbot.waitSignal(lane_services.player.devices_changed):
        loaded.device.open_menu()
    qtbot.waitUntil(lambda: any("not connected" in choice.text() for choice in loaded.device.devices.actions()))
    with qtbot.waitSignal(lane_services.player.devices_changed):
        loaded.device.devices.actions()[-1].trigger()
    assert sound.looked_again == 1
    loaded.device.devices.close()


def test_the_clip_lamp_stays_until_it_is_clicked_or_put_out_by_key(loaded, lane_services, recording, sound, qtbot):
    def clip():
        lane_services.player.load(None, recording("loud", np.ones(8000)))
        press(loaded, Qt.Key.Key_Space)
        playing(qtbot, lane_services.player)
        sound.opened[-1].play(0.3)
        qtbot.waitUntil(lambda: loaded.level.has_clipped)
        sound.opened[-1].play(0.6)
        qtbot.waitUntil(lambda: lane_services.player.state is State.READY)

    clip()
    lane_services.player.load(None, recording("soft", np.full(8000, 0.1)))
    assert loaded.level.has_clipped
    meter = loaded.level.meter
    QTest.mouseClick(meter, LEFT, pos=meter._lamp_box().center().toPoint())
    assert not loaded.level.has_clipped
    clip()
    press(loaded, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    assert not loaded.level.has_clipped


def test_the_meter_shows_the_level_as_heard_with_its_gain(loaded, lane_services, recording, sound, qtbot):
    tone = 0.01 * np.sin(2 * np.pi * 997 * np.arange(32000) / 16000)
    lane_services.player.set_gain_mode("clip")
    lane_services.player.load(None, recording("soft", tone))
    press(loaded, Qt.Key.Key_Space)
    playing(qtbot, lane_services.player)
    sound.opened[-1].play(0.5)
    qtbot.waitUntil(lambda: loaded.level.peak.text() == "−20.0")


def test_shift_and_r_clear_the_range(loaded, lane_services):
    lane_services.player.set_loop((1.0, 2.0))
    press(loaded, Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    assert (lane_services.player.region, lane_services.player.loops) == (None, False)
    assert loaded.range.text() == "Loop"


def test_previous_and_next_are_asked_for(loaded, qtbot):
    with qtbot.waitSignal(loaded.previous_wanted):
        QTest.mouseClick(loaded.previous, LEFT)
    with qtbot.waitSignal(loaded.next_wanted):
        QTest.mouseClick(loaded.next, LEFT)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("wide", [460, 560, 640, 800, 1000, 1400, 2200])
def test_at_every_width_what_is_shown_has_its_room(loaded, wide, language):
    words.use(language)
    loaded.window().resize(wide, 80)
    loaded.grab()
    parts = [
        loaded.play,
        loaded.position,
        loaded.part,
        loaded.level,
        loaded.speed,
        loaded.gain,
        loaded.underruns,
        loaded.device,
        loaded.range,
    ]
    for part in parts:
        if part.isVisible():
            assert part.geometry().right() <= loaded.width()
            assert part.width() >= part.minimumSizeHint().width()
    assert loaded.play.isVisible() and loaded.position.isVisible() and loaded.part.isVisible()


def test_every_control_has_a_tip_and_a_name(loaded):
    for control in (loaded.previous, loaded.play, loaded.next, loaded.loop, loaded.speed, loaded.gain, loaded.device):
        assert control.toolTip()
        assert control.accessibleName()


def test_its_keys_clash_with_none_of_their_own(bar, lane_services):
    assert lane_services.actions.clashes() == []
    for action in lane_services.actions:
        assert lane_services.actions.title(action.id)
