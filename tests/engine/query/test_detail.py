"""Everything about one response, and the picture of its alignment, which gives the stored rates."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from engine.benchmarks.values import Instance
from engine.errors import EngineError
from engine.query.alignment import NotShown, ShownAlignment, shown_alignment
from engine.query.detail import detail_of
from engine.runs.driver import driving
from engine.runs.error_rates import measure_error_rates
from engine.runs.imports import take_responses
from engine.scoring.derive import refresh
from engine.store.benchmarks import add_instances
from engine.store.makers import Maker, maker_id
from engine.store.origin import next_origin
from engine.store.plans import Scope
from engine.store.results import JudgementRow, TranscriptRow, put_judgements, put_transcripts
from engine.store.transaction import transaction
from tests.engine.runs.made import response, tone, with_benchmark

PAIRS = [
    ("节气是夏至，在六月二十一日前后。", "节气是下至再六月十一日前后前后"),
    ("请把meeting改到Friday，共200元", "请把meeting改到friday共两百元"),
    ("共１０页", "共十页"),
    ("少林", ""),
    ("", "有人说话"),
    ("これは本です", "これ本です"),
]


@pytest.fixture
def filled(workspace, finish, tmp_path):
    """A workspace with answers, their transcripts and rates."""
    with_benchmark(workspace, count=len(PAIRS) + 2)
    answers = [
        response(n, text, transcript=heard, audio=tone(tmp_path / f"{n}.wav", hz=200 + n))
        for n, (text, heard) in enumerate(PAIRS)
    ]
    answers.append(response(len(PAIRS), None, error="timed out after 60 s"))
    finish(take_responses(workspace, "vocalbench_zh", "flawed", answers))

    def work():
        with driving(workspace, "measure", {}) as drive:
            return (yield from measure_error_rates(drive, Scope()))

    finish(work())
    return workspace


def ids(db):
    return [row[0] for row in db.execute("SELECT id FROM response ORDER BY id")]


def test_every_picture_gives_the_stored_rates(filled):
    db = filled.connect()
    seen = set()
    for response_id in ids(db):
        detail = detail_of(db, response_id)
        for method in ("published", "corrected"):
            shown = shown_alignment(detail, method)
            if isinstance(shown, NotShown):
                seen.add(shown.why)
                continue
            for counted in shown.drawn.counts:
                stored = detail.measurement(counted.metric, method)
                assert (counted.errors, counted.reference_length) == (stored.errors, stored.reference_length)
                assert stored.value is None or counted.rate == stored.value
                seen.add(counted.metric)
    assert {"syllable_error_rate", "mixed_error_rate", "published_syllable_error_rate", "crashes"} <= seen


def test_an_answer_is_told_with_its_question_system_run_and_audio(filled):
    db = filled.connect()
    detail = detail_of(db, ids(db)[0])
    assert (detail.asked.subset, detail.asked.key, detail.asked.reference) == (
        "chinese_knowledge", "chinese_knowledge-0000", "少林",
    )  # fmt: skip
    assert (detail.system.name, detail.system.kind) == ("flawed", "recorded")
    assert detail.answered.text == PAIRS[0][0]
    assert detail.answered.clip is not None
    assert len(detail.answered.clip.sha256) == 64
    assert (detail.answered.run_kind, detail.answered.is_current) == ("import", True)
    assert [t.text for t in detail.transcripts] == [PAIRS[0][1]]


def test_a_failed_answer_tells_its_error_and_has_nothing_to_draw(filled):
    db = filled.connect()
    detail = detail_of(db, ids(db)[-1])
    assert detail.answered.state in ("no_answer", "failed")
    assert detail.answered.error == "timed out after 60 s"
    assert shown_alignment(detail) == NotShown("not_recognised")
    assert detail.verdicts["corrected", "text"].state == "failed"


def test_mismatches_and_word_times_reach_the_picture(filled):
    db = filled.connect()
    first = ids(db)[0]
    recogniser = Maker("recogniser", "made", settings={"weights": "none"})
    heard = "节气是夏至在六月二十一日前后节气是夏至在六月二十一日前后"
    words = [(character, n * 0.5, n * 0.5 + 0.5, 0.9) for n, character in enumerate(heard)]
    with transaction(db):
        row = maker_id(db, recogniser)
        put_transcripts(db, row, [TranscriptRow(first, None, "scored", heard, words=words)])
        refresh(db, [first])

    def work():
        with driving(filled, "measure", {}) as drive:
            return (yield from measure_error_rates(drive, Scope()))

    for _ in work():
        pass
    shown = shown_alignment(detail_of(db, first))
    assert isinstance(shown, ShownAlignment)
    assert shown.times.source == "words"
    [span] = shown.mismatches
    assert (span.kind, span.count, span.start_s, span.end_s) == ("repetition", 2, 7.0, 14.0)


def test_judgements_come_with_their_makers_and_both_methods_verdicts(filled):
    db = filled.connect()
    first = ids(db)[0]
    judge = Maker("judge", "local-judge", "3", {"judge": "knowledge", "language": "zh"}, None, "a41c" + "0" * 60)
    with transaction(db):
        row = maker_id(db, judge)
        judged = [
            JudgementRow(first, "knowledge", "scored", "incorrect", 0.0, "日期不对", f"{n}", repeat=n) for n in range(3)
        ]
        put_judgements(db, row, [*judged, JudgementRow(first, "knowledge", "unparsable", raw_reply="?", repeat=3)])
        refresh(db, [first])
    detail = detail_of(db, first)
    verdict = detail.verdicts["corrected", "text"]
    assert (verdict.state, verdict.verdict, verdict.why, verdict.maker_id) == ("scored", "wrong", "judge", row)
    assert [(j.repeat, j.state, j.raw_reply) for j in detail.judgements] == [
        (0, "scored", "0"), (1, "scored", "1"), (2, "scored", "2"), (3, "unparsable", "?"),
    ]  # fmt: skip
    assert detail.maker(row).rubric_sha256.startswith("a41c")
    assert detail.verdicts["published", "speech"].state == "scored"


def add_tag(db, response_id, name, undoes=None):
    uid, origin, number = next_origin(db)
    db.execute(
        "INSERT INTO tag (uid, origin, origin_seq, response_id, name, undoes, made_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (uid, origin, number, response_id, name, undoes, f"2026-01-01T00:00:{number:02d}.000000Z"),
    )
    return uid


def test_a_tag_taken_back_is_gone_and_taking_that_back_restores_it(filled):
    db = filled.connect()
    first = ids(db)[0]
    with transaction(db):
        seen = add_tag(db, first, "seen")
        lang = add_tag(db, first, "lang")
        undo = add_tag(db, first, "seen", undoes=seen)
        add_tag(db, first, "lang", undoes=lang)
    assert [tag.name for tag in detail_of(db, first).tags] == []
    with transaction(db):
        add_tag(db, first, "seen", undoes=undo)
    assert [tag.name for tag in detail_of(db, first).tags] == ["seen"]


def test_context_turns_labels_and_question_clips_are_told(workspace, finish, tmp_path):
    db = workspace.connect()
    instance = Instance("vocalbench_zh", "multi_round", "multi_round-0001", 0, "那周四呢？", None, "VocalBench")
    spoken = replace(
        instance,
        context=(replace_turn("user", "周三有空吗？"), replace_turn("assistant", "有的。")),
        labels={"Emotion": "sad"},
    )
    add_instances(db, workspace, "vocalbench_zh", tmp_path, [spoken])
    db.close()
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(1, "周四也可以。", subset="multi_round")]))
    db = workspace.connect()
    detail = detail_of(db, ids(db)[0])
    assert [(turn.role, turn.text) for turn in detail.asked.context] == [
        ("user", "周三有空吗？"),
        ("assistant", "有的。"),
    ]
    assert detail.asked.labels["Emotion"] == "sad"
    assert detail.asked.reference is None


def replace_turn(role, text):
    from engine.benchmarks.values import Turn

    return Turn(role, text)


def test_an_answer_that_is_not_there_is_said_so(workspace):
    db = workspace.connect()
    with pytest.raises(EngineError, match="no longer"):
        detail_of(db, 7)


def test_one_detail_reads_by_keys_alone(filled):
    """No table of results is read from end to end, so a detail costs the same in a large workspace."""
    db = filled.connect()
    asked: list[str] = []
    db.set_trace_callback(asked.append)
    detail_of(db, ids(db)[0])
    db.set_trace_callback(None)
    plain = sqlite3.connect(filled.database)
    scans = [
        step[3]
        for statement in asked
        if statement.startswith("SELECT") and "ORDER BY id" not in statement.split("FROM response")[-1]
        for step in plain.execute("EXPLAIN QUERY PLAN " + statement)
        if step[3].startswith("SCAN") and "json_each" not in step[3]
    ]
    assert {scan.split()[1] for scan in scans} <= {"tag", "note"}
