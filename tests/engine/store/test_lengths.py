"""Lengths of questions come from what was measured, else from the headers of their files."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from engine.benchmarks.values import AudioRef
from engine.runs.sample import sample_contents, take_sample
from engine.store.audio import set_facts
from engine.store.benchmarks import add_instances
from engine.store.lengths import question_lengths
from engine.store.overview import overview
from tests.engine.runs.made import instances, tone


def test_headers_facts_and_unreadable_files(workspace, tmp_path, finish):
    (tmp_path / "broken.wav").write_bytes(b"RIFF no sound")
    paths = [tone(tmp_path / "a.wav", 0.5), tone(tmp_path / "b.wav", 3.0), tmp_path / "broken.wav", None]
    made = [replace(i, audio=(AudioRef("x.wav", path),)) for i, path in zip(instances(4), paths)]
    with closing(workspace.connect()) as db:
        add_instances(db, workspace, "vocalbench_zh", tmp_path, made)
        set_facts(db, 1, {"duration_s": 45.0})
    found = finish(question_lengths(workspace))
    assert (found.known, found.over_30_s) == (2, 1)
    assert found.counts[1] == 1


def test_the_samples_contents_are_what_taking_it_gives(workspace, finish):
    told = finish(sample_contents())
    taken = finish(take_sample(workspace))
    with closing(workspace.connect()) as db:
        found = overview(db)
    assert (told.instances, told.systems) == (taken.instances, len(found.systems))
    assert told.answers == taken.answers == found.answers
    assert told.byte_count > found.own_bytes / 4
