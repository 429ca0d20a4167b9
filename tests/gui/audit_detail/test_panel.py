"""What the panel shows of one answer, and what its parts do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt

from engine.errors import EngineError
from gui.audit.detail.measurement_table import Column
from gui.audit.detail.text_popover import LONGEST_PART, shown_lines
from gui.strings import words
from gui.theme import set_theme, theme_named
from tests.gui.audit_detail.conftest import HEARD, REASON, TEXT


def rows(panel):
    model = panel.measurements.table.lines
    return {
        model.index(row, Column.NAME).data(): [model.index(row, column).data() for column in list(Column)[1:]]
        for row in range(model.rowCount())
    }


def test_nothing_chosen_says_so_and_an_answer_takes_its_place(panel, answers, show):
    assert panel.detail is None
    assert panel.empty.isVisible()
    show(answers.judged)
    assert not panel.empty.isVisible()
    panel.show_response(None)
    assert panel.empty.isVisible()


def test_each_measurement_stands_with_its_counts_and_its_maker(show, answers):
    found = rows(show(answers.judged))
    assert found["Syllable error (toned)"] == ["0.214", "3 / 14", "faster-whisper base"]
    assert found["Character error"] == ["0.286", "4 / 14", "faster-whisper base"]
    assert found["DNSMOS overall"] == ["3.21", "1–5", "dnsmos"]
    assert found["First audio"] == ["1.28 s", "", "example-flawed"]


def test_what_has_no_value_shows_its_state_and_the_reason(show, answers):
    assert rows(show(answers.judged))["emotion a k"] == ["unscored", "weights missing", "emotion2vec"]
    assert rows(show(answers.hostile))["DNSMOS overall"][0] == "failed"


def test_the_picture_says_the_rates_of_the_table(show, answers):
    panel = show(answers.judged)
    assert panel.alignment.legend.accessibleName() == (
        "≠ substituted 1 (homophone), − skipped 1, + added 2, "
        "4 of 14 characters; a homophone is no syllable error: 3 of 14, click a character to hear ±0.3 s"
    )


def test_the_judgement_is_told_with_its_maker_repeats_and_reason(show, answers):
    panel = show(answers.judged)
    shown = panel.judgement
    assert shown._title.text() == "Judgement · speech"
    assert shown._main._pill.accessibleName() == "wrong"
    assert shown._main._maker.text() == "local-judge-7b · Knowledge zh v3 #a41c"
    assert shown._main._agree.text() == "3 of 3 agree"
    assert REASON in shown._reason.toPlainText()
    assert shown._other.text().startswith("published rules: also wrong")


def test_a_state_is_never_shown_as_a_verdict(show, answers):
    panel = show(answers.hostile)
    assert panel.judgement._state.state == "unparsable"
    assert not panel.judgement._main._pill.isVisible()


def test_a_failed_answer_shows_its_error_and_no_lanes(show, answers):
    panel = show(answers.failed)
    assert panel.failed.isVisible()
    assert "timed out after 60 s" in panel.failed.accessibleName()
    assert not panel.lanes.isVisible()
    assert not panel.alignment.isVisible()


def test_an_answer_without_audio_says_so(show, answers):
    panel = show(answers.silent)
    assert panel.trouble.sentence() == "This answer has no audio."
    assert panel.lanes.isVisible()


def test_a_cell_is_heard_with_three_tenths_of_a_second_around_it(show, answers, services, monkeypatch):
    played = []
    monkeypatch.setattr(services.player, "play", lambda range_s=None, lane=None: played.append((range_s, lane)))
    panel = show(answers.judged)
    panel.alignment.view.cell_activated.emit(3)
    [((start, end), lane)] = played
    assert (start, end, lane) == (pytest.approx(0.9), pytest.approx(1.9), "answer")


def test_texts_reply_and_history_open_whole_and_can_be_copied(show, answers, qtbot, qapp):
    panel = show(answers.judged)
    qtbot.mouseClick(panel.head.text_button, Qt.MouseButton.LeftButton)
    assert TEXT in panel.popover.shown
    assert HEARD in panel.popover.shown
    panel.popover._copy_all()
    assert TEXT in qapp.clipboard().text()
    qtbot.keyClick(panel.popover, Qt.Key.Key_Escape)
    assert not panel.popover.isVisible()
    qtbot.mouseClick(panel.judgement._raw, Qt.MouseButton.LeftButton)
    assert "判断：错误 2" in panel.popover.shown
    panel.popover.close()
    qtbot.mouseClick(panel.judgement._history, Qt.MouseButton.LeftButton)
    assert panel.popover.shown.count(REASON) == 3
    panel.popover.close()


def test_control_characters_of_a_reply_are_shown_by_signs(show, answers, qtbot):
    panel = show(answers.hostile)
    qtbot.mouseClick(panel.judgement._raw, Qt.MouseButton.LeftButton)
    assert "[RLO]evil <b>bold</b>␀␇" in panel.popover.shown
    assert "\u202e" not in panel.popover.shown
    assert len(panel.popover.shown) < LONGEST_PART + 500
    panel.popover.close()


def test_a_text_longer_than_anyone_reads_says_how_much_more_there_is():
    assert shown_lines("x" * (LONGEST_PART + 7)).endswith("… 7 more characters; Copy all takes them too")


def test_the_language_changes_everything_at_once(show, answers):
    panel = show(answers.judged)
    words.use("zh")
    assert "音节错误（带调）" in rows(panel)
    assert panel.judgement._title.text() == "判定 · 语音"
    assert "3 次中 3 次一致" in panel.judgement._main._agree.text()


def test_makers_leave_a_narrow_panel_for_the_tips(show, answers):
    panel = show(answers.judged)
    panel.resize(1366, 384)
    table = panel.measurements.table
    assert table.isColumnHidden(Column.MAKER)
    tip = table.lines.index(0, Column.NAME).data(Qt.ItemDataRole.ToolTipRole)
    assert "faster-whisper" in tip


def test_the_published_rules_are_drawn_by_their_own_reader(show, answers):
    panel = show(answers.judged, "published")
    assert "by the published reader 3 of 14" in panel.alignment.legend.accessibleName()
    assert next(iter(rows(panel))) == "Published PER"
    assert panel.judgement._other.text().startswith("corrected rules")


def test_an_answer_seen_before_is_there_at_once(panel, show, answers):
    show(answers.judged)
    show(answers.silent)
    panel.show_response(answers.judged)
    assert panel.detail.answered.id == answers.judged


def test_results_of_other_answers_leave_what_is_looked_at_alone(panel, show, answers, services, qtbot):
    show(answers.judged)
    panel.alignment.view.choose(3)
    loads = []
    services.player.loaded.connect(lambda: loads.append(1))
    with qtbot.waitSignal(panel.model.loaded):
        services.workspace.content_changed.emit()
    assert panel.alignment.view.current == 3
    assert loads == []


def test_another_language_does_not_stop_what_plays(panel, show, answers, services):
    show(answers.judged)
    loads = []
    services.player.loaded.connect(lambda: loads.append(1))
    words.use("zh")
    assert loads == []
    assert [span.text for span in panel.lanes.rows[-1].spans] == ["漏「二」", "多「前后」"]


def test_going_on_quickly_shows_the_last_one_alone(panel, answers, qtbot):
    seen = []
    panel.model.loaded.connect(lambda loaded: seen.append(loaded.detail.answered.id))
    for response_id in (answers.judged, answers.hostile, answers.silent):
        panel.show_response(response_id)
    qtbot.waitUntil(lambda: seen != [])
    assert seen == [answers.silent]


def test_an_answer_that_is_gone_is_said_in_place(panel, qtbot):
    with qtbot.waitSignal(panel.model.failed):
        panel.show_response(99_999)
    assert "no longer" in panel.empty.accessibleName()


@pytest.mark.parametrize("size", [(700, 300), (1318, 378), (2120, 900)])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_hostile_text_fits_every_size(show, answers, size, language):
    words.use(language)
    panel = show(answers.hostile)
    panel.resize(*size)
    panel.grab()
    assert panel.minimumSizeHint().width() <= 700
    assert panel.size().width() == size[0]


def test_the_keys_of_the_panel_are_shown_and_clash_with_none(panel, services, show, answers):
    show(answers.judged)
    assert services.actions.clashes() == []
    services.actions.enter("audit")
    next(action for action in services.actions if action.id == "audit.full_text").run()
    assert TEXT in panel.popover.shown
    panel.popover.close()


def test_the_table_of_measurements_is_a_sound_model(panel, show, answers, qtmodeltester):
    show(answers.judged)
    qtmodeltester.check(panel.measurements.table.lines)


def test_the_history_marks_what_flipped_and_says_between_what(show, answers, qtbot):
    panel = show(answers.flipped)
    panel.show_history()
    told = panel.popover.shown
    assert "Between makers or rubrics: 1" in told
    assert "Repeats that say something else than most: 1" in told
    assert "⇄ right → wrong; changed: rubric, version" in told
    assert "⇄ against 2 of 3 repeats, which say wrong" in told


def test_the_history_says_how_todays_reader_would_read_a_reply(show, answers):
    from gui.audit.detail.history_words import judgements_told

    parts = judgements_told(show(answers.flipped).detail.judgements)
    assert any("⇄ today’s reader would read this reply as" in part.flip for part in parts)


def test_the_history_tells_what_people_said_and_took_back(show, answers):
    panel = show(answers.flipped)
    panel.show_history()
    told = panel.popover.shown
    assert "tagged tts-loop" in told
    assert "took back the tag tts-loop" in told
    assert "noted: 听第三秒" in told


def test_a_click_on_the_answer_shows_the_character_that_is_heard_there(show, answers, services):
    panel = show(answers.judged)
    panel.lanes.pointed.emit("answer", 1.4)  # the fourth character lasts from 1.2 to 1.6 s
    view = panel.alignment.view
    assert view._cells[view.current].hypothesis == HEARD[3]
    assert services.asked.said[-1][0].endswith("1.20–1.60 s")
    before = view.current
    panel.lanes.pointed.emit("question", 3.0)
    assert view.current == before


def test_a_place_far_down_a_long_alignment_is_brought_in_sight(show, answers, qtbot):
    panel = show(answers.judged)
    panel.alignment.view.resize(200, 70)
    panel.resize(700, 300)
    panel.lanes.pointed.emit("answer", 0.1)
    first = panel.alignment.view.verticalScrollBar().value()
    panel.lanes.pointed.emit("answer", 5.9)
    view = panel.alignment.view
    assert view.viewport().rect().intersects(view.cell_rect(view.current).toRect())
    assert view.verticalScrollBar().value() >= first


def test_the_text_as_spoken_takes_the_place_of_the_alignment_with_its_rules(show, answers, qtbot):
    panel = show(answers.spoken)
    panel.toggle_spoken()
    shown = panel.alignment.spoken
    qtbot.waitUntil(lambda: shown.toPlainText() != "")
    assert shown.isVisible() and not panel.alignment.view.isVisible()
    told = shown.toPlainText()
    assert "沸点是**100℃**" in told
    assert "沸点是一百摄氏度" in told
    assert "100℃ → 一百摄氏度    number with unit" in told
    assert "** → not said    emphasis ×2" in told
    assert "As spoken, published rules" in told
    panel.toggle_spoken()
    assert panel.alignment.view.isVisible() and not shown.isVisible()


def heading_colour(shown):
    cursor = shown.textCursor()
    cursor.movePosition(cursor.MoveOperation.Start)
    cursor.movePosition(cursor.MoveOperation.NextCharacter)
    return cursor.charFormat().foreground().color().name()


def test_the_spoken_text_follows_the_answer_the_language_and_the_theme(show, answers, qtbot):
    panel = show(answers.spoken)
    panel.toggle_spoken()
    shown = panel.alignment.spoken
    qtbot.waitUntil(lambda: "100℃" in shown.toPlainText())
    words.use("zh")
    assert "带单位的数" in shown.toPlainText()
    set_theme("dark")
    ink = theme_named("dark").color("text.secondary").name()
    qtbot.waitUntil(lambda: heading_colour(shown) == ink)
    words.use("en")
    show(answers.judged)
    qtbot.waitUntil(lambda: TEXT in shown.toPlainText())
    assert "100℃" not in shown.toPlainText()


def test_the_reason_follows_the_theme(show, answers):
    panel = show(answers.judged)
    for name in ("dark", "light", "dark"):
        set_theme(name)
        image = panel.judgement._reason.grab().toImage()
        colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(0, image.height(), 2)}
        assert theme_named(name).color("text.primary").name() in colours
        assert panel.judgement._reason.styleSheet() == ""


def test_an_answer_that_was_left_and_come_back_to_is_looked_into_again(panel, answers, show, services, qtbot):
    show(answers.judged)
    qtbot.waitUntil(lambda: panel.lanes.rows[1].outline is not None and not services.jobs.running)
    panel.lanes.rows[1].mark((), ())
    panel.show_response(answers.flipped)
    panel.show_response(answers.judged)
    assert panel.detail.answered.id == answers.judged
    assert panel.lanes.rows[1].outline is None
    qtbot.waitUntil(lambda: panel.lanes.rows[1].outline is not None and not services.jobs.running)
    assert panel.lanes._loader._searching is None
    assert panel.lanes._tiles.is_complete


def test_the_head_is_laid_out_and_then_rests(panel, answers, show, services, qtbot, qapp):
    show(answers.judged)
    qtbot.waitUntil(lambda: not services.jobs.running)
    for _ in range(5):
        qapp.processEvents()
    asked = []

    class Watch(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.LayoutRequest:
                asked.append(watched)
            return False

    watch = Watch()
    panel.head.installEventFilter(watch)
    for _ in range(20):
        qapp.processEvents()
    assert asked == []


def test_the_answer_that_comes_next_is_read_ahead_and_then_there_at_once(panel, answers, show, services, qtbot):
    show(answers.judged)
    panel.model.look_ahead(answers.flipped)
    qtbot.waitUntil(lambda: not services.jobs.running)
    assert panel.detail.answered.id == answers.judged
    panel.show_response(answers.flipped)
    assert panel.detail.answered.id == answers.flipped
    assert panel.lanes.rows[1].clip is not None
    assert panel.lanes.rows[1].outline is not None
    qtbot.waitUntil(lambda: not services.jobs.running)


def test_what_was_read_ahead_is_forgotten_when_results_come(panel, answers, show, services, qtbot):
    show(answers.judged)
    panel.model.look_ahead(answers.flipped)
    services.workspace.content_changed.emit()
    qtbot.waitUntil(lambda: not services.jobs.running)
    assert (answers.flipped, "corrected") not in panel.model._kept


def test_the_history_opens_at_its_beginning_and_names_makers_in_the_language_of_the_window(show, answers, qtbot):
    panel = show(answers.judged)
    words.use("zh")
    panel.show_history()
    assert panel.popover._text.verticalScrollBar().value() == 0
    assert panel.popover._text.firstVisibleBlock().blockNumber() == 0
    assert "识别器 " in panel.popover.shown
    for english in ("recogniser ", "key ", "weights ", "correct"):
        assert english not in panel.popover.shown


def test_why_nothing_is_drawn_is_said_on_the_status_line_and_leaves_no_bar(show, answers, services):
    panel = show(answers.judged)
    panel.lanes.failed.emit(EngineError("speech.extra_missing", package="librosa", command="pip install x"))
    assert "librosa" in services.asked.said[-1][0]
    assert not panel.trouble.isVisible()


def test_an_answer_not_judged_yet_leads_to_where_a_judge_is_set_up(show, answers, services):
    panel = show(answers.spoken)
    button = panel.judgement.judges_button
    assert button.isVisible()
    told = panel.judgement._reason.toPlainText()
    assert "Settings › Judge endpoints" in told and "--" not in told
    button.click()
    assert services.asked.gone[-1][0] == "settings"
    show(answers.judged)
    assert not button.isVisible()


def test_no_line_of_the_spoken_text_is_cut_in_half(show, answers, qtbot):
    panel = show(answers.spoken)
    panel.toggle_spoken()
    shown = panel.alignment.spoken
    qtbot.waitUntil(lambda: shown.toPlainText() != "")
    bottom = shown.viewport().height()
    block, offset = shown.firstVisibleBlock(), shown.contentOffset()
    while block.isValid():
        box = shown.blockBoundingGeometry(block).translated(offset)
        assert box.bottom() <= bottom + 1 or box.top() >= bottom - 1
        block = block.next()
