"""The spectrum's lane: what is drawn, when it is computed, and how it is shown otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from engine.audio.mel import height_of
from engine.audio.spectrum import TOP_HZ
from gui.strings import words
from gui.theme import height, set_theme, theme_named
from gui.waveform.load import MOST_SAMPLES
from gui.waveform.spectrum_head import spectrum_menu
from gui.waveform.spectrum_look import RANGES_DB, TOP_DB, SpectrumLook, colour_table, look_of
from gui.waveform.spectrum_tiles import SpectrumTiles

RATE = 16_000


def tone(hz, seconds, peak=0.1, rate_hz=RATE):
    return (peak * np.sin(2 * np.pi * hz * np.arange(round(seconds * rate_hz)) / rate_hz)).astype(np.float32)


@pytest.fixture
def show(lanes, recording, qtbot):
    """Show an answer and wait for its spectrum."""
    lanes.resize(lanes.width(), 260)
    number = iter(range(99))

    def show_it(samples, rate_hz=RATE):
        lanes.show_clips(None, recording(f"s{next(number)}", samples, rate_hz))
        qtbot.waitUntil(lambda: is_drawn(lanes), timeout=20_000)
        return lanes

    return show_it


def is_drawn(lanes):
    lanes.grab()
    return lanes.spectrum.outline is not None and lanes.spectrum._is_whole and lanes._tiles.is_complete


def drawn(lanes):
    """The codes on screen, low frequencies last."""
    assert is_drawn(lanes)
    return lanes.spectrum._codes


def test_a_tone_is_a_line_at_its_frequency_and_its_time(show):
    codes = drawn(show(np.concatenate([tone(3000, 2.0), np.zeros(2 * RATE, np.float32)])))
    row = int(codes[:, 200].argmax())
    assert 1 - (row + 0.5) / codes.shape[0] == pytest.approx(height_of(3000, TOP_HZ, "mel"), abs=0.02)
    assert codes[:, 500 + 20 :].max() == 0
    assert codes[:, : 500 - 20].max(axis=0).min() > 0


def test_the_same_level_has_the_same_colour_in_every_recording(show):
    loud = int(drawn(show(np.concatenate([tone(900, 1), tone(900, 1, peak=0.8)]))).max())
    alone = int(drawn(show(tone(900, 1, peak=0.8))).max())
    assert loud == alone


def test_another_theme_swaps_the_colours_and_computes_nothing(show):
    lanes = show(tone(500, 2))
    codes, before = lanes.spectrum._codes, lanes.spectrum._image.colorTable()
    set_theme("dark")
    lanes.grab()
    assert lanes.spectrum._codes is codes
    assert lanes.spectrum._image.colorTable() != before
    assert lanes.spectrum._image.colorTable()[0] == theme_named("dark").color("spectrogram.0").rgb()
    assert lanes._tiles._job is None


def test_another_range_swaps_the_colours_alone(show):
    lanes = show(tone(500, 2))
    codes = lanes.spectrum._codes
    lanes.set_look(SpectrumLook(range_db=92))
    lanes.grab()
    assert lanes.spectrum._codes is codes
    assert lanes.spectrum_head.text() == "mel · 92 dB"
    assert lanes._tiles._job is None


@pytest.mark.parametrize("theme_name", ["light", "dark"])
def test_colours_begin_with_the_lanes_own_and_end_at_the_top_of_the_range(qapp, theme_name):
    set_theme(theme_name)
    stops = [theme_named(theme_name).color(f"spectrogram.{place}").rgb() for place in (0, 4)]
    for range_db in RANGES_DB:
        table = colour_table(range_db)
        floor, top = round((TOP_DB - range_db + 127.5) * 2), round((TOP_DB + 127.5) * 2)
        assert set(table[: floor + 1]) == {stops[0]}
        assert set(table[top:]) == {stops[1]}
        assert len(set(table[floor:top])) > 60


def test_the_linear_scale_is_another_picture_of_the_same_sound(show, qtbot):
    lanes = show(tone(3000, 2))
    lanes.toggle_scale()
    qtbot.waitUntil(lambda: is_drawn(lanes))
    codes = drawn(lanes)
    row = int(codes[:, 200].argmax())
    assert 1 - (row + 0.5) / codes.shape[0] == pytest.approx(0.25, abs=0.02)
    assert lanes.spectrum_head.accessibleName() == "Spectrum: linear · 62 dB"


def test_a_pan_asks_for_what_is_new_alone_and_going_back_for_nothing(show, qtbot):
    lanes = show(np.random.default_rng(1).normal(0, 0.1, 40 * RATE).astype(np.float32))
    lanes.canvas.set_view(lanes.canvas.view.zoomed(20, 1.0))
    qtbot.waitUntil(lambda: is_drawn(lanes))
    first, start_s = drawn(lanes).copy(), lanes.canvas.view.start_s
    held = lanes._tiles.held_bytes
    lanes.canvas.set_view(lanes.canvas.view.moved(0.5))
    qtbot.waitUntil(lambda: is_drawn(lanes))
    assert lanes._tiles.held_bytes - held <= 3 * 256 * 70
    lanes.canvas.set_view(lanes.canvas.view.moved(start_s - lanes.canvas.view.start_s))
    assert lanes._tiles.is_complete
    assert np.array_equal(drawn(lanes), first)


def test_while_a_zoom_is_computed_the_coarser_picture_stands_in(show):
    lanes = show(np.random.default_rng(1).normal(0, 0.1, 40 * RATE).astype(np.float32))
    lanes.canvas.set_view(lanes.canvas.view.zoomed(4, 5.0))
    lanes.grab()
    assert not lanes._tiles.is_complete
    assert lanes.spectrum._codes.max() > 0


def test_a_long_recording_is_read_in_parts_and_the_tiles_stay_within_their_bound(show, lanes, qtbot):
    lanes._tiles._most_bytes = 300_000
    show(np.tile(tone(700, 1), MOST_SAMPLES // RATE + 3))
    assert lanes.rows[-1].outline.samples is None
    for at_s in (1.0, 20.0, 40.0, 60.0):
        lanes.canvas.set_view(lanes.canvas.view.whole().zoomed(60, at_s))
        qtbot.waitUntil(lambda: is_drawn(lanes))
        assert drawn(lanes)[:, 100:900].max(axis=0).min() > 150
    assert lanes._tiles.held_bytes <= 300_000


def test_a_click_is_on_screen_when_ten_minutes_are(show):
    samples = np.zeros(600 * RATE, np.float32)
    samples[123 * RATE : 123 * RATE + 400] = tone(1000, 0.025)
    codes = drawn(show(samples))
    assert codes[:, codes.shape[1] * 123 // 600].max() > 40


def test_it_gives_way_where_there_is_no_room_and_when_it_is_switched_off(show, lanes):
    show(tone(500, 1))
    assert lanes.spectrum_head.isVisible()
    assert lanes.spectrum.height == height("lane_spectrum")
    lanes.resize(lanes.width(), 190)
    assert not lanes.spectrum_head.isVisible()
    assert lanes.canvas.drawn == lanes.rows
    lanes.resize(lanes.width(), 260)
    lanes.toggle_spectrum()
    assert not lanes.spectrum_head.isVisible()
    assert lanes.rows[-1].top + lanes.rows[-1].height == lanes.canvas.height()


def test_without_an_answer_there_is_no_spectrum(lanes, recording, qtbot):
    lanes.resize(lanes.width(), 260)
    lanes.show_clips(recording("q", tone(300, 1)), None)
    qtbot.waitUntil(lambda: lanes.rows[0].outline is not None)
    assert not lanes.spectrum_head.isVisible()


def test_the_menu_offers_scales_and_ranges(show, lanes):
    show(tone(500, 1))
    menu = spectrum_menu(lanes.look, lanes.set_look, lanes)
    chosen = [action.text() for action in menu.actions() if action.isChecked()]
    assert chosen == ["Show the spectrum", "Frequencies as heard (mel)", "Range of 62 dB"]
    next(action for action in menu.actions() if action.text() == "Range of 72 dB").trigger()
    assert lanes.look.range_db == 72


def test_hover_tells_frequency_and_level(show, lanes):
    show(tone(1000, 2))
    row = int(drawn(lanes)[:, 300].argmax())
    told = lanes.spectrum.told_at(300.0, lanes.spectrum.top + row + 0.5, 1.0)
    hz, level = told.replace("Hz", "").replace("dB", "").replace("−", "-").split()
    assert int(hz) == pytest.approx(1000, abs=40)
    assert float(level) == pytest.approx(-20, abs=3)


def test_settings_that_make_no_sense_are_as_they_ship(qapp):
    assert look_of({"shown": "no", "scale": "bark", "range_db": 7}) == SpectrumLook()
    assert look_of(SpectrumLook(False, "linear", 82).told()) == SpectrumLook(False, "linear", 82)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_speaks_both_languages(show, lanes, language):
    show(tone(500, 1))
    words.use(language)
    assert lanes.spectrum_head.text() == {"en": "mel · 62 dB", "zh": "梅尔 · 62 dB"}[language]


def test_samples_that_are_not_numbers_are_silence(show):
    samples = tone(500, 2)
    samples[RATE // 2 : RATE] = np.nan
    codes = drawn(show(samples))
    assert codes[:, 260:490].max() == 0
    assert codes[:, :240].max() > 0


def test_a_file_that_goes_away_leaves_the_lane_as_it_is(show, lanes, qtbot):
    show(np.tile(tone(700, 1), MOST_SAMPLES // RATE + 3))
    lanes.rows[-1].outline.path.unlink()
    lanes.canvas.set_view(lanes.canvas.view.zoomed(50, 30.0))
    lanes.grab()
    qtbot.waitUntil(lambda: lanes._tiles._failed != set())
    lanes.grab()


def test_only_what_is_wanted_last_is_computed(jobs, recording, qtbot):
    tiles = SpectrumTiles(jobs)
    tiles.forget()
    assert tiles.is_complete


def test_the_range_is_seen_over_the_spectrum_too(show, lanes, lane_services):
    show(np.zeros(4 * RATE, np.float32))
    before = lanes.canvas.grab().toImage().pixelColor(500, lanes.spectrum.top + 10)
    lane_services.player.set_region((1.0, 3.0))
    after = lanes.canvas.grab().toImage().pixelColor(500, lanes.spectrum.top + 10)
    assert after != before
