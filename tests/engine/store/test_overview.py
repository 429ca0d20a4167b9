"""What a workspace holds is counted as it is, and the next step is the first that has something left to do."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from engine.runs.imports import take_responses
from engine.scoring.derive import refresh
from engine.store.audio import set_facts
from engine.store.audit_row import current_response_ids
from engine.store.makers import Maker, maker_id
from engine.store.overview import Durations, LastRun, Overview, durations_of, glance, overview, what_next
from engine.store.responses import system_id
from engine.store.results import (
    JudgementRow,
    MeasurementRow,
    TranscriptRow,
    put_judgements,
    put_measurements,
    put_transcripts,
)
from engine.store.transaction import transaction
from engine.store.workspace import DATABASE
from tests.engine.runs.made import response, tone, with_benchmark


@pytest.fixture
def held(workspace, tmp_path, finish):
    """Two subsets of four instances; one system with three answers, two of them spoken."""
    with_benchmark(workspace, "chinese_knowledge", "robust")
    answers = [
        response(0, "少林", audio=tone(tmp_path / "a.wav")),
        response(1, "武当", audio=tone(tmp_path / "b.wav", hz=300.0)),
        response(2, "嵩山"),
    ]
    finish(take_responses(workspace, "vocalbench_zh", "parrot", answers))
    return workspace


def counted(workspace):
    with closing(workspace.connect()) as db:
        return overview(db)


def test_an_empty_workspace_holds_nothing_and_asks_for_a_benchmark(workspace):
    found = counted(workspace)
    assert found.is_empty
    assert (found.instances, found.answers, found.ratings, found.durations.known) == (0, 0, 0, 0)
    assert found.durations.share_over_30_s is None
    assert what_next(found) == "import_benchmark"


def test_instances_answers_and_missing_audio_are_counted_by_subset_and_system(held):
    found = counted(held)
    assert found.benchmarks == ("vocalbench_zh",)
    assert [(part.subset, part.instances, part.answers) for part in found.subsets] == [
        ("chinese_knowledge", 4, 3),
        ("robust", 4, 0),
    ]
    (parrot,) = found.systems
    assert (parrot.name, parrot.kind, parrot.answers, parrot.spoken, parrot.measured) == ("parrot", "recorded", 3, 2, 0)
    assert found.last_run is not None
    assert (found.last_run.kind, found.last_run.state) == ("import", "done")
    assert found.own_bytes > 0


def test_an_instance_whose_audio_is_missing_is_told(workspace):
    with_benchmark(workspace, "robust")
    with closing(workspace.connect()) as db, transaction(db):
        db.execute("INSERT INTO instance_audio SELECT id, 0, 'a.wav', NULL FROM instance WHERE position < 3")
        db.execute("INSERT INTO instance_audio SELECT id, 1, 'b.wav', NULL FROM instance WHERE position = 0")
    found = counted(workspace)
    assert (found.subsets[0].with_audio, found.missing_audio) == (1, 3)


def test_lengths_measurements_and_verdicts_are_counted_from_the_derived_rows(held):
    with closing(held.connect()) as db, transaction(db):
        first, second, third = current_response_ids(db)
        for audio_id, seconds in ((1, 31.0), (2, 30.0)):
            set_facts(db, audio_id, {"duration_s": seconds})
        put_transcripts(
            db, maker_id(db, Maker("recogniser", "r")), [TranscriptRow(first, 1, "failed", None, error="audio.x")]
        )
        put_measurements(
            db, maker_id(db, Maker("quality", "q")), [MeasurementRow(second, "dnsmos_ovrl", 3.0, "scored")]
        )
        judge = maker_id(db, Maker("judge", "j"))
        put_judgements(
            db,
            judge,
            [
                JudgementRow(first, "knowledge", "scored", "correct", None, ""),
                JudgementRow(second, "knowledge", "failed", None, None, "", error="timed_out"),
            ],
        )
        refresh(db, [first, second, third])
    found = counted(held)
    assert (found.measured, found.judged, found.waiting) == (2, 2, 1)
    assert (found.durations.known, found.durations.over_30_s, found.durations.share_over_30_s) == (2, 1, 0.5)
    assert found.durations.counts[15] == 2


def test_lengths_fall_into_bins_of_two_seconds_and_the_last_is_open():
    assert durations_of([]).known == 0
    found = durations_of([0.0, 1.999, 2.0, 30.0, 30.001, 59.9, 60.0, 7200.0])
    assert found.counts[0] == 2
    assert found.counts[1] == 1
    assert found.counts[15] == 2
    assert found.counts[29] == 1
    assert found.counts[30] == 2
    assert (found.known, found.over_30_s) == (8, 4)


def made(**more):
    return replace(Overview((), (), Durations((), 0), 0, 0, 0, None), **more)


@pytest.mark.parametrize(
    ("answers", "spoken", "measured", "waiting", "run", "has_judge", "step"),
    [
        (0, 0, 0, 0, None, True, "import_answers"),
        (9, 8, 5, 9, None, True, "measure"),
        (9, 8, 5, 9, "running", True, "follow"),
        (9, 8, 5, 9, "stopped", True, "measure"),
        (9, 8, 8, 2, None, True, "judge"),
        (9, 8, 8, 2, None, False, "listen"),
        (9, 8, 8, 0, None, True, "listen"),
        (9, 0, 0, 0, None, True, "listen"),
    ],
)
def test_the_next_step_is_the_first_with_something_left(held, answers, spoken, measured, waiting, run, has_judge, step):
    found = counted(held)
    system = replace(found.systems[0], answers=answers, spoken=spoken, measured=measured, waiting=waiting)
    last = None if run is None else LastRun(1, "measure", run, 9, 1, 0, "2026", None)
    found = replace(found, systems=(system,), last_run=last)
    assert what_next(found, has_judge=has_judge) == step


def test_a_glance_counts_a_workspace_without_opening_or_changing_it(held):
    with closing(held.connect()) as db, transaction(db):
        system_id(db, "silent", "recorded")  # has not answered: counted nowhere
    assert counted(held).answering == 1
    before = {path: path.stat().st_mtime_ns for path in held.folder.rglob("*") if path.is_file()}
    found = glance(held.folder)
    assert (found.state, found.systems, found.answers, found.ratings) == ("here", 1, 3, 0)
    assert {path: path.stat().st_mtime_ns for path in held.folder.rglob("*") if path.is_file()} == before


def test_a_glance_at_a_moved_or_broken_workspace_says_so(tmp_path):
    assert glance(tmp_path / "gone").state == "missing"
    (tmp_path / DATABASE).write_bytes(b"not a database at all, but long enough to be read as one" * 40)
    assert glance(tmp_path).state == "unreadable"
