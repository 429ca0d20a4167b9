"""Taking in answers and outside results: identity by Qid, nothing twice, nothing lost."""

from __future__ import annotations

import math

import pytest

from engine.benchmarks.values import OutsideJudgement, OutsideMeasurement
from engine.errors import EngineError
from engine.runs.imports import take_judgements, take_measurements, take_responses
from engine.store.audio import audio_of, collect_garbage, take_audio
from engine.store.search import find_responses
from tests.engine.runs.made import response, tone, with_benchmark


def rows(workspace, columns="*"):
    return [dict(row) for row in workspace.connect().execute(f"SELECT {columns} FROM audit_row ORDER BY key")]


def dump(workspace):
    db = workspace.connect()
    tables = (
        "response",
        "transcript",
        "measurement",
        "judgement",
        "audio",
        "maker",
        "audit_row",
        "instance",
        "instance_audio",
    )
    return {table: [tuple(row) for row in db.execute(f"SELECT * FROM {table}")] for table in tables}


def test_answers_are_placed_by_their_qid_and_importing_again_changes_nothing(workspace, finish, tmp_path):
    with_benchmark(workspace)
    answers = [
        response(2, "是少林寺。", audio=tone(tmp_path / "2.wav"), transcript="是少林寺"),
        response(0, "武当"),
        response(9, "nobody asked"),
    ]
    first = finish(take_responses(workspace, "vocalbench_zh", "s", answers))
    before = dump(workspace)
    second = finish(take_responses(workspace, "vocalbench_zh", "s", answers))
    assert (first.added, first.same, first.unknown, first.transcripts) == (2, 0, 1, 1)
    assert (second.added, second.same) == (0, 2)
    assert dump(workspace) == before
    assert [row["text"] for row in rows(workspace)] == ["武当", "是少林寺。"]


def test_a_changed_answer_becomes_the_current_one_and_the_earlier_one_stays(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "先前的回答")]))
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "后来的回答")]))
    db = workspace.connect()
    assert [tuple(r) for r in db.execute("SELECT text, current FROM response ORDER BY id")] == [
        ("先前的回答", 0),
        ("后来的回答", 1),
    ]
    assert [row["text"] for row in rows(workspace)] == ["后来的回答"]
    assert find_responses(db, "先前") == []
    assert len(find_responses(db, "后来")) == 1


def test_text_is_kept_character_for_character(workspace, finish):
    with_benchmark(workspace, count=4)
    texts = ["前\x00后", "👩\u200d👩\u200d👧 家", "a\u202eb\u202cc", "好" * 100_000]
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(n, t) for n, t in enumerate(texts)]))
    assert [row["text"] for row in rows(workspace)] == texts
    assert len(find_responses(workspace.connect(), "后")) == 1


def test_answers_to_a_benchmark_that_is_not_there_say_what_to_import(workspace, finish):
    with pytest.raises(EngineError, match="auricle import vocalbench-zh"):
        finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "x")]))


def test_no_answer_is_a_state_and_speech_alone_is_an_answer(workspace, finish, tmp_path):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [
        response(0, None), response(1, None, error="out of memory"), response(2, None, audio=tone(tmp_path / "a.wav")),
    ]))  # fmt: skip
    assert [row["response_state"] for row in rows(workspace)] == ["no_answer", "failed", "answered"]
    assert [row["corrected_why"] for row in rows(workspace)] == ["no_answer", "failed", "answer_has_no_text"]


def test_outside_results_find_their_answer_and_the_others_are_counted_out(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "x"), response(1, "y")]))
    db = workspace.connect()
    numbers = [
        OutsideMeasurement("chinese_knowledge", "chinese_knowledge-0000", "utmos", 3.5, maker_name="utmos22"),
        OutsideMeasurement("chinese_knowledge", "chinese_knowledge-0001", "utmos", math.nan, maker_name="utmos22"),
        OutsideMeasurement("chinese_knowledge", "chinese_knowledge-0003", "utmos", 1.0),
    ]
    verdicts = [
        OutsideJudgement("chinese_knowledge", "chinese_knowledge-0001", "knowledge", "scored", "correct", reason="对")
    ]
    assert take_measurements(db, "vocalbench_zh", numbers, "s") == 2
    assert take_judgements(db, "vocalbench_zh", verdicts, "s") == 1
    stored = [tuple(r) for r in db.execute("SELECT state, value FROM measurement ORDER BY id")]
    assert stored == [("scored", 3.5), ("unscored", None)]
    assert [row["corrected_verdict"] for row in rows(workspace)] == [None, "right"]


def test_equal_audio_is_kept_once_and_the_original_is_untouched(workspace, finish, tmp_path):
    with_benchmark(workspace)
    one, two = tone(tmp_path / "one.wav"), tone(tmp_path / "two.wav")
    before = one.read_bytes()
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "a", audio=one), response(1, "b", audio=two)]))
    db = workspace.connect()
    (audio,) = db.execute("SELECT id, byte_count FROM audio").fetchall()
    kept = audio_of(db, workspace, audio["id"])
    assert kept.path.read_bytes() == before
    assert kept.path.name.startswith(kept.sha256)
    assert one.read_bytes() == before


def test_a_reference_that_moved_or_changed_says_so(workspace, tmp_path):
    path = tone(tmp_path / "far.wav")
    db = workspace.connect()
    audio = take_audio(db, workspace, path, "reference")
    assert audio_of(db, workspace, audio).path == path
    path.rename(tmp_path / "gone.wav")
    with pytest.raises(EngineError, match="moved or changed"):
        audio_of(db, workspace, audio)


def test_a_linked_original_may_be_touched_but_not_changed(workspace, tmp_path):
    path = tone(tmp_path / "a.wav")
    db = workspace.connect()
    audio = take_audio(db, workspace, path, "link")
    path.touch()
    assert audio_of(db, workspace, audio).path.exists()
    path.write_bytes(path.read_bytes()[:-2] + b"xx")
    with pytest.raises(EngineError, match="moved or changed"):
        audio_of(db, workspace, audio)


def test_a_reference_that_is_imported_as_a_copy_survives_its_original(workspace, tmp_path):
    path = tone(tmp_path / "a.wav")
    db = workspace.connect()
    audio = take_audio(db, workspace, path, "reference")
    assert take_audio(db, workspace, path, "copy") == audio
    path.unlink()
    assert audio_of(db, workspace, audio).path.is_relative_to(workspace.audio)


def test_garbage_is_what_no_row_names(workspace, tmp_path):
    db = workspace.connect()
    take_audio(db, workspace, tone(tmp_path / "a.wav"), "copy")
    (workspace.audio / "ab").mkdir(exist_ok=True)
    (workspace.audio / "ab" / ".partial-x").write_bytes(b"12345")
    assert collect_garbage(db, workspace, remove=True) == (1, 5)
    assert collect_garbage(db, workspace, remove=True) == (0, 0)


def test_answers_that_replace_others_are_told_from_new_ones(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "少林"), response(1, "武当")]))
    again = [response(0, "少林"), response(1, "峨眉"), response(2, "武当")]
    taken = finish(take_responses(workspace, "vocalbench_zh", "s", again))
    assert (taken.added, taken.replaced, taken.same) == (1, 1, 1)


def test_a_failed_import_leaves_no_system_without_answers(workspace, finish, tmp_path):
    with_benchmark(workspace)
    with pytest.raises(EngineError):
        finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "x", audio=tmp_path / "gone.wav")]))
    finish(take_responses(workspace, "vocalbench_zh", "t", [response(99, "to no question")]))
    assert workspace.connect().execute("SELECT COUNT(*) FROM system").fetchone()[0] == 0


def test_files_that_do_not_begin_as_audio_does_are_counted_and_taken_all_the_same(workspace, finish, tmp_path):
    with_benchmark(workspace)
    (tmp_path / "empty.wav").touch()
    (tmp_path / "noise.wav").write_bytes(bytes(range(256)) * 8)
    names = ("empty.wav", "tone.wav", "noise.wav")
    tone(tmp_path / "tone.wav")
    given = [response(n, "x", audio=tmp_path / name) for n, name in enumerate(names)]
    taken = finish(take_responses(workspace, "vocalbench_zh", "s", given))
    assert taken.added == 3
    assert taken.not_audio == (
        "chinese_knowledge/chinese_knowledge-0000 (empty.wav)",
        "chinese_knowledge/chinese_knowledge-0002 (noise.wav)",
    )
