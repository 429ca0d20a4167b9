"""Which columns stand where, what a click sorts, and what a cell says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.query.presets import ALL
from engine.query.ranks import SortKey
from engine.query.rows import AuditRow
from gui.audit.cells import (
    Judged,
    answer_text,
    cell_text,
    cell_tip,
    figure,
    instance_parts,
    mismatch_kind,
    speech_judged,
    text_judged,
)
from gui.audit.columns import BY_ID, COLUMNS, DEFAULT, clicked, measure_text, sort_keys, sort_of, widths_for
from gui.strings import words

ROW = AuditRow(
    id=1, benchmark="vocalbench_zh", subset="general_knowledge", key="general_knowledge-0417", system="steady",
    language="zh", repeat=0, question="问", answer="答", response_state="answered", failure=None,
    state="scored", why="judge", verdict="right", score=None,
    speech_state="scored", speech_why="error_rate", speech_verdict="wrong",
    error_rate=0.143, error_is_of_words=False, mismatch=("omission",), faults=(),
    dnsmos=3.21, duration_s=11.0, first_audio_s=None, rtf=0.6, tags=("lang",),
)  # fmt: skip


@pytest.mark.parametrize("room", [1510, 1308, 1200, 900, 640])
def test_the_columns_fill_the_room_and_leave_in_their_order(room):
    widths = widths_for(room, {})
    assert sum(widths.values()) == room
    gone = [name for name in DEFAULT if name not in widths]
    assert set(gone) == set(("tags", "first", "dnsmos", "length", "mismatch", "speech", "question")[: len(gone)])


def test_a_width_that_the_user_set_stays_and_its_neighbour_gives_way():
    assert widths_for(1510, {"question": 500})["question"] == 500
    assert sum(widths_for(1510, {"question": 400}).values()) == 1510


def test_a_click_sorts_worst_first_turns_round_and_adds_with_shift():
    first = clicked((), "rate", add=False)
    assert first == (("rate", True),)
    assert clicked(first, "rate", add=False) == (("rate", False),)
    both = clicked(first, "system", add=True)
    assert both == (("rate", True), ("system", False))
    assert clicked(both, "rate", add=True) == (("rate", False), ("system", False))
    assert clicked(both, "tags", add=False) == both
    assert sort_keys((("instance", False),)) == (SortKey("subset"), SortKey("key"))
    assert sort_of(sort_keys(both)) == both


@pytest.mark.parametrize(
    ("subset", "key", "shown"),
    [
        ("general_knowledge", "general_knowledge-0417", "0417"),
        ("instruction_following", "instruction-000", "000"),
        ("robust", "robust-background_noise-snr_-5-000", "background_noise-snr_-5-000"),
        ("cs_knowledge", "codeswitching_knowledge-000", "000"),
        ("cs_knowledge_en", "codeswitching_knowledge-001", "001"),
        ("spoken_topics", "last_minute-goal", "last_minute-goal"),
        ("emotion", "emotion-", "emotion-"),
    ],
)
def test_the_key_does_not_say_the_subset_again(subset, key, shown):
    assert instance_parts(replace(ROW, subset=subset, key=key)) == (subset, shown)


def test_hover_tells_the_whole_of_an_instance():
    row = replace(ROW, subset="cs_knowledge_en", key="codeswitching_knowledge-001")
    assert cell_tip(row, BY_ID["instance"], words) == "vocalbench_zh / cs_knowledge_en / codeswitching_knowledge-001"


def test_wrong_is_a_mark_and_failed_is_a_state():
    assert text_judged(ROW, None).kind == "right"
    assert speech_judged(ROW).kind == "wrong"
    assert text_judged(replace(ROW, score=4.0), 5) == Judged("score", "4", "/5")
    assert text_judged(replace(ROW, score=10 / 3), 5).text == "3.3"
    assert text_judged(replace(ROW, state="unparsable"), None).kind == "unread"
    assert text_judged(replace(ROW, state="failed"), None).kind == "nothing"
    weak = replace(ROW, speech_state="unscored", speech_why="recogniser_too_weak", mismatch=())
    assert speech_judged(weak) == Judged("state", state="unscored")
    assert mismatch_kind(weak) == "weak"


def test_figures_keep_their_decimals_and_missing_ones_are_dashes():
    assert figure(ROW, BY_ID["rate"]) == "0.143"
    assert figure(ROW, BY_ID["length"]) == "11.0"
    assert figure(ROW, BY_ID["first"]) == "–"
    assert figure(replace(ROW, dnsmos=-1.0), BY_ID["dnsmos"]) == "−1.00"


def test_a_measure_has_the_decimals_of_its_column():
    assert measure_text("error", 0.04545) == "0.045"
    assert measure_text("dnsmos", 3.0) == "3.00"
    assert measure_text("peak", -6.04) == "−6.0"
    assert measure_text("human_raters", 2.0) == "2"


def test_an_answer_that_is_none_says_why():
    failed = replace(ROW, answer=None, response_state="failed", failure="timed out after 60 s")
    assert answer_text(failed, words) == ("timed out after 60 s", "failed")
    assert answer_text(replace(failed, failure=None), words)[0] == "the system failed"
    assert answer_text(replace(ROW, answer=None), words)[1] == "tertiary"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_cell_has_words_and_a_tip_in_both_languages(language):
    words.use(language)
    for row in (ROW, replace(ROW, mismatch=("omission", "repetition")), replace(ROW, why="a_code_of_its_own")):
        for column in COLUMNS:
            assert isinstance(cell_text(row, column, words, 5), str)
            assert isinstance(cell_tip(row, column, words), str)
    assert cell_text(replace(ROW, mismatch=("omission", "insertion")), BY_ID["mismatch"], words, None).endswith("+1")


def test_the_order_of_the_judge_against_people_is_shown_by_columns():
    [preset] = [preset for preset in ALL if preset.id == "against_human"]
    assert sort_keys(sort_of(preset.sort)) == preset.sort
