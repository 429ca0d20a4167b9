"""The lanes as a user meets them: keys, mouse, what is drawn, what is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.player.clip import Clip
from gui.player.player import State
from gui.strings import words
from gui.theme import height, set_theme, theme_named
from gui.waveform.spans import MismatchSpan, span_label
from tests.gui.waveform.hearing import playing

HELD = Qt.KeyboardModifier
LEFT = Qt.MouseButton.LeftButton


def at(lanes, lane, second):
    """A point of a lane at a second."""
    row = next(row for row in lanes.rows if row.lane == lane)
    return QPoint(round(lanes.canvas.view.x(second)), row.top + row.height // 2)


def drag(lanes, lane, start_s, end_s):
    canvas = lanes.canvas
    begin, end = at(lanes, lane, start_s), at(lanes, lane, end_s)
    QTest.mousePress(canvas, LEFT, HELD.NoModifier, begin)
    QTest.mouseMove(canvas, begin + QPoint(6, 0))
    QTest.mouseMove(canvas, end)
    QTest.mouseRelease(canvas, LEFT, HELD.NoModifier, end)


def wheel(lanes, second, notches, held):
    point = QPointF(at(lanes, "answer", second))
    event = QWheelEvent(
        point, lanes.canvas.mapToGlobal(point), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, held,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(lanes.canvas, event)
    return event.isAccepted()


#: Colours of the answer's outline, its core, and what is over full scale.
INKS = {theme_named("light").color(f"audio.{name}").name() for name in ("answer", "answer_rms", "clip")}


class Paints:
    """Notes which rectangle each paint event covers."""

    def __init__(self, canvas):
        self.rects = []
        paint = canvas.paintEvent
        canvas.paintEvent = lambda event: (self.rects.append(event.rect()), paint(event))[1]


def test_both_lanes_begin_at_zero_and_the_gap_follows_the_question(shown):
    assert [row.duration_s for row in shown.rows] == [4.0, 10.0]
    assert (shown.canvas.view.start_s, shown.canvas.view.end_s) == (0.0, 10.0)
    assert shown.canvas.gap == pytest.approx((4.0, 5.28))
    assert shown.rows[0].height == height("lane_question")


def test_the_gap_of_a_short_answer_is_on_screen_whole(lanes, recording, qtbot):
    lanes.show_clips(recording("q", np.zeros(16000)), recording("a", np.zeros(8000)), (), 2.5)
    assert lanes.canvas.view.end_s == 3.5


def test_a_click_seeks_in_the_lane_that_is_clicked(shown, lane_services):
    QTest.mouseClick(shown.canvas, LEFT, HELD.NoModifier, at(shown, "answer", 3.0))
    assert (lane_services.player.spot.lane, lane_services.player.position_s) == ("answer", pytest.approx(3.0, abs=0.01))
    QTest.mouseClick(shown.canvas, LEFT, HELD.NoModifier, at(shown, "question", 1.0))
    assert (lane_services.player.spot.lane, lane_services.player.position_s) == (
        "question",
        pytest.approx(1.0, abs=0.01),
    )


def test_a_drag_chooses_a_range_and_does_not_seek(shown, lane_services):
    drag(shown, "answer", 3.0, 5.0)
    assert lane_services.player.region == pytest.approx((3.0, 5.0), abs=0.01)
    assert lane_services.player.position_s == 0.0
    assert shown.canvas.chosen.range_s == lane_services.player.region


def test_dragging_an_edge_resizes_the_range_without_rewinding(shown, lane_services):
    drag(shown, "answer", 3.0, 5.0)
    lane_services.player.seek(4.0)
    drag(shown, "answer", 5.0, 7.0)
    assert lane_services.player.region == pytest.approx((3.0, 7.0), abs=0.02)
    assert lane_services.player.position_s == 4.0


def test_a_bracket_is_dragged_in_the_ruler(shown, lane_services):
    lane_services.player.set_loop((3.0, 5.0))
    for from_s, to_s in ((5.0, 6.0), (3.0, 2.0)):
        inside = -6 if from_s == 5.0 else 6  # the bracket is drawn inwards
        start, end = (QPoint(round(shown.canvas.view.x(second)) + inside, 4) for second in (from_s, to_s))
        QTest.mousePress(shown.canvas, LEFT, HELD.NoModifier, start)
        QTest.mouseMove(shown.canvas, end)
        QTest.mouseRelease(shown.canvas, LEFT, HELD.NoModifier, end)
    assert lane_services.player.region == pytest.approx((2.0, 6.0), abs=0.08)
    assert lane_services.player.loops


def test_a_double_click_on_a_mark_plays_it(shown, lane_services, sound, qtbot):
    QTest.mouseDClick(shown.canvas, LEFT, HELD.NoModifier, at(shown, "answer", 6.4))
    playing(qtbot, lane_services.player)
    sound.opened[-1].play(1.5)
    assert lane_services.player.region == pytest.approx((6.0, 6.8))
    assert np.count_nonzero(sound.opened[-1].heard) == pytest.approx(0.8 * 16000, abs=20)


@pytest.mark.parametrize(
    ("key", "held", "from_s", "to_s"),
    [
        (Qt.Key.Key_Right, HELD.NoModifier, 2.0, 3.0),
        (Qt.Key.Key_Left, HELD.NoModifier, 2.0, 1.0),
        (Qt.Key.Key_Right, HELD.ShiftModifier, 2.0, 2.1),
        (Qt.Key.Key_Left, HELD.ShiftModifier, 2.0, 1.9),
        (Qt.Key.Key_Right, HELD.ControlModifier, 2.0, 7.0),
        (Qt.Key.Key_Left, HELD.ControlModifier, 2.0, 0.0),
        (Qt.Key.Key_Home, HELD.NoModifier, 2.0, 0.0),
        (Qt.Key.Key_Backspace, HELD.NoModifier, 2.0, 0.0),
        (Qt.Key.Key_End, HELD.NoModifier, 2.0, 10.0),
    ],
)
def test_keys_move_the_playhead(shown, lane_services, key, held, from_s, to_s):
    lane_services.player.seek(from_s)
    QTest.keyClick(shown, key, held)
    assert lane_services.player.position_s == pytest.approx(to_s)


def test_keys_zoom_around_the_playhead_and_show_all_again(shown, lane_services):
    lane_services.player.seek(6.0)
    for _ in range(6):
        QTest.keyClick(shown, Qt.Key.Key_Plus)
    view = shown.canvas.view
    assert view.span_s < 4
    assert view.x(6.0) == pytest.approx(600, abs=1)
    QTest.keyClick(shown, Qt.Key.Key_Minus)
    assert shown.canvas.view.span_s == pytest.approx(view.span_s * 1.25)
    QTest.keyClick(shown, Qt.Key.Key_0)
    assert shown.canvas.view.is_whole


def test_escape_clears_the_range(shown, lane_services):
    lane_services.player.set_loop((1.0, 2.0))
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert lane_services.player.region is None
    assert not lane_services.player.loops
    assert shown.canvas.chosen is None


def test_ctrl_and_the_wheel_zoom_at_the_pointer_and_shift_scrolls(shown):
    assert wheel(shown, 7.0, 4, HELD.ControlModifier)
    view = shown.canvas.view
    assert view.span_s == pytest.approx(10 / 1.25**4)
    assert view.x(7.0) == pytest.approx(700, abs=1)
    assert wheel(shown, 7.0, -1, HELD.ShiftModifier)
    assert shown.canvas.view.start_s > view.start_s
    assert not wheel(shown, 7.0, 1, HELD.NoModifier)  # what is around may scroll


def test_a_drag_with_the_middle_button_pans(shown):
    shown.canvas.set_view(shown.canvas.view.zoomed(5, 5.0))
    before = shown.canvas.view.start_s
    point = QPoint(500, 100)
    QTest.mousePress(shown.canvas, Qt.MouseButton.MiddleButton, HELD.NoModifier, point)
    QTest.mouseMove(shown.canvas, point - QPoint(100, 0))
    QTest.mouseRelease(shown.canvas, Qt.MouseButton.MiddleButton, HELD.NoModifier, point - QPoint(100, 0))
    assert shown.canvas.view.start_s == pytest.approx(before + 100 / 1000 * 2, abs=0.02)


def test_while_it_plays_a_zoomed_view_follows(shown, lane_services, sound, qtbot):
    shown.canvas.set_view(shown.canvas.view.zoomed(20, 0.0))
    lane_services.player.play()
    playing(qtbot, lane_services.player)
    sound.opened[-1].play(1.0)
    qtbot.waitUntil(lambda: shown.canvas.view.start_s > 0)
    assert shown.canvas.view.start_s <= lane_services.player.position_s <= shown.canvas.view.end_s


def test_a_moving_playhead_repaints_its_two_strips_only(shown, lane_services, qtbot):
    from gui.player.player import Spot

    qtbot.waitUntil(lambda: shown.rows[1]._tile is not None)
    paints = Paints(shown.canvas)
    tile = shown.rows[1]._tile
    shown.canvas.set_playhead(Spot("answer", 5.0))
    qtbot.waitUntil(lambda: len(paints.rects) > 0)
    paints.rects.clear()
    shown.canvas.set_playhead(Spot("answer", 5.02))
    qtbot.waitUntil(lambda: len(paints.rects) > 0)
    assert all(rect.width() <= 24 for rect in paints.rects)
    assert shown.rows[1]._tile is tile


def test_a_playhead_on_the_same_pixel_repaints_nothing(shown, qtbot):
    from gui.player.player import Spot

    shown.canvas.set_playhead(Spot("answer", 5.0))
    QApplication.processEvents()
    paints = Paints(shown.canvas)
    shown.canvas.set_playhead(Spot("answer", 5.001))
    QApplication.processEvents()
    assert paints.rects == []


def test_another_theme_draws_the_outline_anew(shown, qtbot):
    light = shown.canvas.grab().toImage()
    set_theme("dark")
    dark = shown.canvas.grab().toImage()
    ground, wave = QPoint(450, shown.rows[1].top + 4), QPoint(450, round(shown.rows[1]._middle()))
    assert light.pixelColor(ground).name() == theme_named("light").hex("surface.lane")
    assert dark.pixelColor(ground).name() == theme_named("dark").hex("surface.lane")
    assert light.pixelColor(wave).name() == theme_named("light").hex("audio.answer_rms")
    assert dark.pixelColor(wave).name() == theme_named("dark").hex("audio.answer_rms")


def test_a_missing_file_says_so_in_its_lane_and_the_other_is_shown(lanes, recording, lane_services, qtbot):
    lanes.show_clips(Clip(None, Path("/no/such.wav"), 3.0, 16000, 1), recording("a", np.zeros(16000)))
    qtbot.waitUntil(lambda: lanes.rows[0].error is not None and lanes.rows[1].outline is not None)
    assert "/no/such.wav" in lanes.accessibleDescription()
    lane_services.player.set_part("question")
    with qtbot.waitSignal(lane_services.player.failed) as failed:
        lane_services.player.play()
    assert failed.args[0].code == lanes.rows[0].error.code == "audio.missing"
    lanes.grab()


def test_without_an_answer_the_lane_says_so(lanes, recording, qtbot):
    lanes.show_clips(recording("q", np.zeros(16000)), None)
    qtbot.waitUntil(lambda: lanes.rows[0].outline is not None)
    assert lanes.heads[1].facts() == ""
    assert not lanes.heads[1].solo.isVisible()
    lanes.show_clips(None, None)
    assert words.text("player.lanes.describe_empty") in lanes.accessibleDescription()
    lanes.grab()


def test_what_comes_late_of_an_earlier_answer_is_not_shown(lanes, recording, qtbot):
    lanes.show_clips(None, recording("first", np.full(16000, 0.5)))
    lanes.show_clips(None, recording("second", np.full(32000, 0.5)))
    qtbot.waitUntil(lambda: lanes.rows[1].outline is not None)
    assert lanes.rows[1].duration_s == 2.0


def test_solo_and_mute_are_switches_of_the_head(shown, lane_services):
    _, head = shown.heads
    QTest.mouseClick(head.mute, LEFT)
    assert lane_services.player.is_muted("answer")
    QTest.mouseClick(head.solo, LEFT)
    assert lane_services.player.is_solo("answer")
    lane_services.player.set_muted("answer", False)
    assert not head.mute.isChecked()


def test_the_head_tells_length_and_rate_or_loudness(lanes, recording, qtbot):
    lanes.show_clips(recording("q", np.zeros(24000)), recording("a", np.zeros(16000), loudness_lufs=-21.4))
    assert lanes.heads[0].facts() == "1.5 s · 16 kHz"
    assert lanes.heads[1].facts() == "−21.4 LUFS"


def test_all_regions_are_in_a_table_in_the_order_of_time(shown, lane_services, qtmodeltester):
    lane_services.player.set_region((1.0, 2.5))
    regions = shown.regions()
    assert [(region.lane, region.start_s) for region in regions[:2]] == [("question", 0.0), ("answer", 0.0)]
    assert [region.start_s for region in regions[2:]] == [1.0, 2.0, 4.0, 6.0]
    shown.list_regions()
    qtmodeltester.check(shown._popup.model)
    cells = [shown._popup.model.index(3, column).data() for column in range(4)]
    assert cells == ["Answer: − 二", "0:02.00", "0:02.10", "skipped"]
    shown._popup.hide()


def test_enter_in_the_table_of_regions_plays_the_row(shown, lane_services, sound, qtbot):
    QTest.keyClick(shown, Qt.Key.Key_Return)
    table = shown._popup.table
    table.selectRow(4)
    QTest.keyClick(table, Qt.Key.Key_Return)
    playing(qtbot, lane_services.player)
    assert lane_services.player.region == pytest.approx((6.0, 6.8))
    assert not shown._popup.isVisible()


def test_other_marks_do_not_stop_what_plays(shown, lane_services, qtbot):
    lane_services.player.play()
    playing(qtbot, lane_services.player)
    shown.mark((MismatchSpan("truncation", 9.0, 10.0),))
    assert lane_services.player.state is State.PLAYING
    assert [span.kind for span in shown.rows[1].spans] == ["truncation"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "kind", ["substitution", "insertion", "deletion", "repetition", "truncation", "unrelated", "silent"]
)
def test_every_kind_of_mark_has_a_sign_and_a_word(qapp, kind, language):
    words.use(language)
    sign, _, word = span_label(MismatchSpan(kind, 0, 1)).partition(" ")
    assert len(sign) == 1 and word


def test_hostile_text_in_a_mark_breaks_nothing(shown, qtbot):
    hostile = ["\u202egnorw", "x" * 100_000, "a\x00b\nc", "<b>bold</b>", "\u200b" * 50, "🤖" * 40]
    shown.mark([MismatchSpan("insertion", place, place + 0.5, text) for place, text in enumerate(hostile)])
    before = shown.canvas.size()
    shown.grab()
    shown.regions()
    assert shown.canvas.size() == before


def test_hover_tells_the_time_and_the_level(shown, qtbot):
    samples = shown.rows[1].outline.samples
    shown.canvas.grab()
    QTest.mouseMove(shown.canvas, at(shown, "answer", 5.0))
    hover = shown.canvas._hover
    assert hover.second == pytest.approx(5.0, abs=0.01)
    text = shown.canvas._hover_text(hover)
    peak = np.abs(samples[80_000:80_160]).max()
    assert text.startswith("0:05.0")
    assert text.endswith(f"{20 * np.log10(peak):.1f}".replace("-", "−") + " dBFS")
    QApplication.sendEvent(shown.canvas, QEvent(QEvent.Type.Leave))
    assert shown.canvas._hover is None


def test_the_menu_offers_what_the_keys_do(shown, lane_services):
    lane_services.player.set_region((1.0, 2.0))
    menu = shown.menu(at(shown, "question", 1.0))
    texts = [action.text() for action in menu.actions() if action.text()]
    assert words.text("player.lanes.play_here") in texts
    mute = next(action for action in menu.actions() if action.text() == "Question: Mute this lane")
    mute.trigger()
    assert lane_services.player.is_muted("question")
    menu.deleteLater()


def test_tab_reaches_the_lanes_and_then_their_switches(shown, qtbot):
    shown.setFocus()
    assert shown.hasFocus() or shown.window().focusWidget() is shown
    assert shown.focusPolicy() == Qt.FocusPolicy.StrongFocus
    chain, widget = [], shown
    for _ in range(12):
        widget = widget.nextInFocusChain()
        chain.append(widget)
    assert chain.index(shown.heads[1].solo) < chain.index(shown.heads[1].mute)


def test_small_and_large_sizes_draw(shown):
    for wide, high in ((250, 124), (800, 150), (2200, 400), (100, 40)):
        shown.resize(wide, high)
        shown.grab()


def kept_clip(workspace, there, keep):
    from contextlib import closing

    from engine.store.audio import take_audio

    with closing(workspace.connect()) as db:
        return Clip(take_audio(db, workspace, there.path, keep=keep), there.path, there.duration_s, 16000, 1)


def test_outlines_of_the_workspace_are_kept_in_its_cache(lanes, lane_services, workspace, recording, qtbot):
    lane_services.workspace.current = workspace
    clip = kept_clip(workspace, recording("a", np.zeros(16000)), "copy")
    lanes.show_clips(None, clip)
    qtbot.waitUntil(lambda: lanes.rows[1].outline is not None)
    assert len(list((workspace.folder / "peaks").iterdir())) == 1


def test_a_recording_that_was_moved_says_so_in_its_lane_and_when_played(
    lanes, lane_services, workspace, recording, qtbot
):
    lane_services.workspace.current = workspace
    there = recording("a", np.zeros(16000))
    clip = kept_clip(workspace, there, "reference")
    there.path.rename(there.path.with_suffix(".moved"))
    lanes.show_clips(None, clip)
    qtbot.waitUntil(lambda: lanes.rows[1].error is not None)
    with qtbot.waitSignal(lane_services.player.failed) as failed:
        lane_services.player.play()
    assert failed.args[0].code == lanes.rows[1].error.code == "store.audio_moved"


@pytest.fixture
def marked(lanes, recording, qtbot):
    """An answer with a mismatch at 1 s, clipping from 3 to 3.4 s, and silence from 5 to 7 s of its 8."""
    samples = 0.4 * np.sin(np.arange(8 * 16_000) / 12).astype(np.float32)
    samples[3 * 16_000 : int(3.4 * 16_000)] = 1.0
    samples[5 * 16_000 : 7 * 16_000] = 0.0
    lanes.show_clips(None, recording("marked", samples), (MismatchSpan("repetition", 1.0, 1.5),))
    qtbot.waitUntil(lambda: len(lanes.rows[-1].stretches) == 2)
    return lanes


def test_silence_and_clipping_are_found_and_listed_with_the_mismatches(marked):
    names = [(region.name, round(region.start_s, 1), round(region.end_s, 1)) for region in marked.regions()[1:]]
    assert names == [("+ repetition", 1.0, 1.5), ("▲ clipped 0.4 s", 3.0, 3.4), ("○ silence 2.0 s", 5.0, 7.0)]


def test_the_head_tells_the_marks_apart_by_pattern_sign_and_word(marked):
    legend = marked.heads[-1].toolTip()
    assert "+ slanting bar above: repetition, 1×" in legend
    assert "▲ upright strokes below: clipped at full scale, 1×" in legend
    assert "○ dotted bar below: silence of half a second or more, 1×" in legend


def test_keys_go_from_mark_to_mark_and_choose_its_range(marked, lane_services):
    player, told, pointed = lane_services.player, [], []
    marked.marked.connect(told.append)
    marked.pointed.connect(lambda lane, second: pointed.append((lane, round(second, 2))))
    for start_s, end_s in ((1.0, 1.5), (3.0, 3.4), (5.0, 7.0)):
        marked.next_mark()
        assert player.position_s == pytest.approx(start_s)
        assert player.region == pytest.approx((start_s, end_s), abs=0.02)
    marked.next_mark()
    assert told[-1] == "No mark after this place."
    marked.previous_mark()
    assert player.position_s == pytest.approx(3.0)
    assert told[-1] == "▲ clipped 0.4 s, 0:03.00–0:03.40 (0.40 s)"
    assert pointed[-1] == ("answer", 3.0)


def test_going_to_a_mark_shows_it_and_hears_the_answer(marked, lane_services, recording, qtbot):
    lane_services.player.set_part("question")
    marked.canvas.set_view(marked.canvas.view.zoomed(8, 0.1))
    marked.next_mark()
    marked.next_mark()
    view = marked.canvas.view
    assert view.start_s <= 3.0 <= view.end_s
    assert lane_services.player.region_lane == "answer"


def test_the_tip_of_a_mark_says_when_it_is_and_explains_all_marks(marked, qtbot, monkeypatch):
    from PySide6.QtGui import QHelpEvent

    shown = []
    monkeypatch.setattr("gui.waveform.canvas.QToolTip.showText", lambda place, text, widget: shown.append(text))
    for second in (3.2, 4.2):
        point = at(marked, "answer", second)
        QApplication.sendEvent(marked.canvas, QHelpEvent(QEvent.Type.ToolTip, point, marked.canvas.mapToGlobal(point)))
    (text,) = shown
    assert text.startswith("▲ clipped 0.4 s, 0:03.00–0:03.40")
    assert "dotted bar below" in text


def test_a_click_tells_the_lane_and_the_second(marked, qtbot):
    with qtbot.waitSignal(marked.pointed) as told:
        QTest.mouseClick(marked.canvas, LEFT, HELD.NoModifier, at(marked, "answer", 4.0))
    assert told.args[0] == "answer"
    assert told.args[1] == pytest.approx(4.0, abs=0.02)


def test_full_scale_stands_at_the_same_height_for_every_recording(lanes, recording, qtbot):
    """0 dBFS is the top of the lane, whatever the recording's own peak."""
    found = []
    for peak in (0.9, 0.45, 0.09):
        wave = peak * np.sign(np.sin(np.arange(16_000) / 2)).astype(np.float32)
        lanes.show_clips(None, recording(f"peak{peak}", wave))
        qtbot.waitUntil(lambda: lanes.rows[-1].outline is not None)
        row = lanes.rows[-1]
        lanes.grab()
        image = row._tile
        drawn = [y for y in range(image.height()) if image.pixelColor(5, y).name() in INKS]
        found.append((max(drawn) - min(drawn)) / 2 / row._scale())
    assert found == pytest.approx([0.9, 0.45, 0.09], abs=0.02)
