"""Answers of several systems to one instance, and measures of two systems, on made rows and small workspaces."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from engine.errors import EngineError
from engine.query.compare import (
    MEASURES,
    PAIR_KINDS,
    Beside,
    Pairs,
    beside,
    compared_systems,
    pairs,
    round_edges,
    spreads,
    voice_of,
)
from engine.query.detail import detail_of
from engine.query.fields import FIELDS
from engine.runs.imports import take_responses
from engine.scoring.derive import refresh
from engine.store.makers import Maker, maker_id
from engine.store.results import TranscriptRow, put_transcripts
from engine.store.transaction import transaction
from engine.store.workspace import open_workspace
from tests.engine.runs.made import response, tone, with_benchmark

STATES = ("scored", "unparsable", "failed", "unscored")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(connection, rows): three systems over 60 instances with gaps, in the wide rows alone."""
    db = open_workspace(tmp_path_factory.mktemp("pairs") / "w", create=True).connect()
    db.execute("PRAGMA foreign_keys = OFF")
    choose = random.Random(3)
    rows = []
    for system in ("one", "two", "three"):
        for number in range(60):
            if choose.random() < 0.1:
                continue
            state = choose.choice(STATES)
            rows.append(
                {
                    "response_id": len(rows) + 1,
                    "system": system,
                    "benchmark": "b",
                    "subset": "s" if number % 2 else "t, with a comma",
                    "key": f"s-{number}" if number % 4 == 1 else f"k-{number}",
                    "language": "en" if number % 5 == 0 else "zh",
                    "repeat": 0,
                    "question": "",
                    "response_state": "answered",
                    "syllable_error_rate": choose.choice([None, 0.0, 0.25, 1.5]),
                    "word_error_rate": choose.choice([None, 0.125]),
                    "published_error_rate": choose.choice([None, 0.75]),
                    "dnsmos_ovrl": choose.choice([None, round(choose.uniform(1, 5), 2)]),
                    "published_state": "unscored",
                    "corrected_state": state,
                    "corrected_verdict": choose.choice(["right", "wrong", None]) if state == "scored" else None,
                }
            )
    columns = list(rows[0])
    db.executemany(f"INSERT INTO audit_row ({', '.join(columns)}) VALUES ({', '.join(f':{c}' for c in columns)})", rows)
    yield db, rows
    db.close()


def told(rows, first, second, value, among=None):
    """What ``pairs`` gives, read row by row."""
    found = []
    others = {(r["subset"], r["key"]): r for r in rows if r["system"] == second}
    for one in (r for r in rows if r["system"] == first):
        other = others.get((one["subset"], one["key"]))
        if other is None or (among and one["response_id"] not in among and other["response_id"] not in among):
            continue
        if None not in (value(one), value(other)):
            found.append((one["response_id"], other["response_id"], value(one), value(other), kind(one, other)))
    return sorted(found)


def kind(one, other):
    for state in ("failed", "unparsable", "unscored"):
        if state in (one["corrected_state"], other["corrected_state"]):
            return state
    verdicts = (one["corrected_verdict"], other["corrected_verdict"])
    return {("right", "wrong"): "first", ("wrong", "right"): "second"}.get(verdicts, "same")


def entries(found: Pairs):
    kinds = [PAIR_KINDS[number] for number in found.kinds]
    return sorted(zip(found.first.tolist(), found.second.tolist(), found.x.tolist(), found.y.tolist(), kinds))


def error(row):
    return row["word_error_rate"] if row["language"] == "en" else row["syllable_error_rate"]


def test_pairs_are_those_of_a_plain_reading(made):
    db, rows = made
    assert entries(pairs(db, ("one", "error"), ("two", "error"))) == told(rows, "one", "two", error)
    dnsmos = pairs(db, ("three", "dnsmos"), ("one", "dnsmos"))
    assert entries(dnsmos) == told(rows, "three", "one", lambda row: row["dnsmos_ovrl"])
    assert {kind for *_, kind in entries(dnsmos)} > {"same", "unscored", "failed"}


def test_a_filter_keeps_an_instance_when_either_answer_passed_it(made):
    db, rows = made
    among = set(range(1, 30)) | {70, 90}
    found = pairs(db, ("one", "error"), ("two", "error"), among=np.array(sorted(among)))
    assert entries(found) == told(rows, "one", "two", error, among)


def test_each_method_has_its_own_values(made):
    db, _ = made
    assert set(pairs(db, ("one", "error"), ("two", "error"), "published").x) == {0.75}


def test_one_system_may_stand_against_itself_by_another_measure(made):
    db, rows = made
    found = pairs(db, ("one", "dnsmos"), ("one", "per"))
    assert (found.first == found.second).all()
    both = [r for r in rows if r["system"] == "one" and None not in (r["dnsmos_ovrl"], r["syllable_error_rate"])]
    assert len(found) == len(both)
    assert found.missing == sum(r["system"] == "one" for r in rows) - len(both)


def test_the_names_are_the_instances(made):
    db, rows = made
    found = pairs(db, ("one", "per"), ("two", "per"))
    by_id = {row["response_id"]: f"{row['subset']} {row['key'].removeprefix('s-')}" for row in rows}
    assert [by_id[number] for number in found.first.tolist()] == list(found.names)


def test_a_system_that_is_not_there_has_no_pairs(made):
    db, _ = made
    found = pairs(db, ("one", "per"), ("nobody", "per"))
    assert (len(found), found.common, found.response_ids(found.within((0, 9), (0, 9)))) == (0, 0, ())


@pytest.mark.parametrize("measure", ["question", "nothing", "repeat"])
def test_what_is_no_measure_is_refused(made, measure):
    with pytest.raises(EngineError) as refused:
        pairs(made[0], ("one", measure), ("two", "per"))
    assert refused.value.code == "query.no_measure"


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_can_be_drawn_by_both_methods(made, measure):
    for method in ("published", "corrected"):
        pairs(made[0], ("one", measure), ("two", measure), method)
        spreads(made[0], measure, ("one", "two"), method)


def test_a_polygon_and_a_box_hold_what_lies_inside():
    grid = np.array([(x, y) for x in range(5) for y in range(5)], float)
    numbers = np.arange(25)
    found = Pairs(numbers, numbers + 100, grid[:, 0], grid[:, 1], numbers * 0, ("",) * 25, 25)
    inside = {(int(found.x[n]), int(found.y[n])) for n in found.enclosed([(0.5, 0.5), (3.4, 0.5), (0.5, 3.4)])}
    assert inside == {(1, 1), (1, 2), (2, 1)}
    assert {(int(found.x[n]), int(found.y[n])) for n in found.within((2, 3), (4, 9))} == {(2, 4), (3, 4)}
    assert found.response_ids(np.array([3, 1])) == (1, 3, 101, 103)
    assert len(found.enclosed([(1, 1), (2, 2)])) == 0


def test_spreads_count_every_answer_once_and_tell_missing_apart(made):
    db, rows = made
    found = spreads(db, "per", ("two", "one", "nobody"))
    assert [row.system for row in found.rows] == ["two", "one", "nobody"]
    for spread in found.rows[:2]:
        values = [r["syllable_error_rate"] for r in rows if r["system"] == spread.system]
        known = [value for value in values if value is not None]
        assert (spread.count, spread.missing) == (len(known), len(values) - len(known))
        assert sum(spread.counts) + spread.over == len(known)
        assert spread.median == np.median(known)
    assert (found.rows[2].count, found.rows[2].missing) == (0, 0) and math.isnan(found.rows[2].median)
    assert found.edges[0] == 0.0 and found.edges[-1] == 1.5


def test_spreads_follow_the_filter(made):
    found = spreads(made[0], "per", ("one",), among=np.array([1, 2, 3]))
    assert found.rows[0].count + found.rows[0].missing == 3


def test_spreads_without_values_have_no_edges(made):
    found = spreads(made[0], "rtf", ("one",))
    assert (found.edges, found.rows[0].counts, found.rows[0].count) == ((), (), 0)
    assert found.rows[0].missing > 0


def test_a_thin_tail_is_counted_and_not_drawn():
    edges = round_edges(np.concatenate([np.linspace(0, 0.3, 999), [40.0]]))
    assert 0.3 <= edges[-1] < 0.4
    assert round_edges(np.array([7.0]))[0] <= 7.0 <= round_edges(np.array([7.0]))[-1]
    assert round_edges(np.array([-60.0, -3.0]))[0] <= -60.0
    assert round_edges(np.empty(0)) == ()


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """Two systems on four instances, a third on one of them; ``words`` came with times, the others without."""
    folder = tmp_path_factory.mktemp("beside")
    workspace = with_benchmark(open_workspace(folder / "w", create=True))
    sound = tone(folder / "a.wav", 3.0)
    for system, count in (("first", 4), ("second", 4), ("third", 1)):
        given = [response(n, "白天最长，在六月。", audio=sound if n == 0 else None) for n in range(count)]
        for _ in take_responses(workspace, "vocalbench_zh", system, given):
            pass
    db = workspace.connect()
    with transaction(db):
        db.execute("""UPDATE audio SET facts = '{"duration_s": 3.0}'""")
        maker = maker_id(db, Maker("recogniser", "faster-whisper", settings={"weights": "base"}))
        said = [(letter, n * 0.25, n * 0.25 + 0.25, 0.9) for n, letter in enumerate("白天最长在六月")]
        ids = [row[0] for row in db.execute("SELECT id FROM response WHERE audio_id IS NOT NULL ORDER BY id")]
        put_transcripts(db, maker, [TranscriptRow(ids[0], 1, "scored", "白天最长在六月", "zh", said)])
        refresh(db, ids)
    yield db
    db.close()


def test_every_system_stands_beside_with_its_answer_or_none(workspace):
    ids = {row[0]: row[1] for row in workspace.execute("SELECT id, system_id FROM response WHERE instance_id = 2")}
    found = beside(workspace, next(iter(ids)))
    assert [entry.system for entry in found] == ["first", "second", "third"]
    assert [entry.response_id for entry in found] == [*ids, None]


def test_an_answer_that_is_not_there_is_refused(workspace):
    with pytest.raises(EngineError) as refused:
        beside(workspace, 10_000)
    assert refused.value.code == "query.no_response"


def test_voices_have_the_recognisers_times_or_an_estimate_or_nothing(workspace):
    answers = beside(workspace, 1)
    timed, estimated = (voice_of(detail_of(workspace, entry.response_id)) for entry in answers[:2])
    assert (timed.source, [clause.start_s for clause in timed.clauses]) == ("words", [0.0, 1.0])
    assert (estimated.source, len(estimated.clauses)) == ("estimate", 2)
    silent = voice_of(detail_of(workspace, beside(workspace, 2)[0].response_id))
    assert (silent.source, silent.clauses, silent.duration_s) == ("nothing", (), 0.0)


def test_the_chosen_answer_is_always_among_those_compared():
    there = [Beside(name, number if number % 2 else None) for number, name in enumerate("abcdefgh")]
    assert compared_systems(there, "a", ["b", "d"], 2) == ("b", "a")
    assert compared_systems(there, "b", ["b", "gone"], 3) == ("b", "d", "f")
    assert len(compared_systems(there, "c", [], 6)) == 6
    assert compared_systems(there[:1], "a", [], 4) == ("a",)


def test_a_measure_has_a_name_in_both_languages():
    assert all(FIELDS[name].label(language) for name in MEASURES for language in ("en", "zh"))
