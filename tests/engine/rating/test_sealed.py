"""Nothing that leaves a sealed study sorts its answers by system: not by a value, not by an order, not by a length."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import defaultdict
from contextlib import closing
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

import pytest
import soundfile

from engine.benchmarks.values import AudioRef, Instance
from engine.rating.create import creating_study, plan_study
from engine.rating.design import Design
from engine.rating.exchange.export import export_ratings
from engine.rating.exchange.label_studio import export_label_studio
from engine.rating.protocols import load_protocol
from engine.rating.result_sentences import sentences
from engine.rating.result_values import TOGETHER
from engine.rating.session_file import UNTIL_REVEALED, compliance, session_file
from engine.rating.told import results_told
from engine.runs.imports import take_responses
from engine.store.benchmarks import add_instances
from engine.store.raters import add_rater
from engine.store.sittings import Heard, Remark, begin_sitting, commit, present
from engine.store.studies import assignments_of, disclose, sessions_of, studies_of
from engine.store.workspace import open_workspace
from tests.engine.rating.bundle.made import SYSTEMS, owner, sound, study
from tests.engine.runs.made import response

ITEMS = 20  # by chance a column of names parts them once in a million


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    """A study whose systems differ in level, length and silence, evened out on playback; with the system of each."""
    folder = tmp_path_factory.mktemp("sealed")
    workspace = open_workspace(folder / "owner", create=True)
    asked = [
        Instance(
            "vocalbench_zh", "emotion", f"emotion-{n:03d}", n, f"第 {n} 问",
            audio=(AudioRef(f"q{n}.wav", sound(folder / "questions" / f"q{n}.wav", 200.0 + n, 16_000)),),
        )
        for n in range(ITEMS)
    ]  # fmt: skip
    with closing(workspace.connect()) as db:
        add_instances(db, workspace, "vocalbench_zh", Path("made"), asked)
    for place, (system, rate) in enumerate(zip(SYSTEMS, (24_000, 16_000), strict=True)):
        shape = {"seconds": 0.4 + 0.25 * place, "lead": 0.1 + 0.15 * place, "level": 0.1 + 0.3 * place, "tail": 0.2}
        sounds = [sound(folder / system / f"{n}.wav", 300.0 + n, rate, **shape) for n in range(ITEMS)]
        answers = [response(n, f"回答 {n}", "emotion", audio=clip) for n, clip in enumerate(sounds)]
        answers = [type(one)("emotion", f"emotion-{n:03d}", one.text, audio=one.audio) for n, one in enumerate(answers)]
        done(take_responses(workspace, "vocalbench_zh", system, answers))
    with closing(workspace.connect(durable=True)) as db:
        rater = add_rater(db, "Lin")
        for number, path in db.execute("SELECT id, path FROM audio").fetchall():
            facts = json.dumps({"duration_s": soundfile.info(workspace.audio / path).duration})
            db.execute("UPDATE audio SET facts = ? WHERE id = ?", (facts, number))
        db.commit()
    design = Design("t", ("empathy_acoustic",), "en", (rater.id,), trim=True, gain="per_system", seed=4)
    number = done(creating_study(workspace, done(plan_study(workspace, design))))
    rate_all(workspace)
    with closing(workspace.connect()) as db:
        systems = dict(
            db.execute(
                "SELECT assignment.uid, system.name FROM assignment JOIN response ON response.id = response_id"
                " JOIN system ON system.id = system_id WHERE assignment.kind = 'rated'"
            ).fetchall()
        )
    return workspace, number, rater, systems


def done(work):
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def rate_all(workspace):
    """As the rating screen keeps it: with the gain and the ends of each clip."""
    with closing(workspace.connect(durable=True)) as db:
        (session,) = sessions_of(db)
        sitting = begin_sitting(db, session.rater_id, device="headphones", sample_rate_hz=48_000, setup={})
        for row in assignments_of(workspace, db, session.id):
            clips = {"question": row.question, "answer": row.answer}
            chosen = random.Random(row.response_id)  # so that hidden repeats are rated as before
            gains = {
                part: {"gain_db": clip.gain_db, "skip_s": clip.skip_s, "stop_s": clip.stop_s}
                for part, clip in clips.items()
            }
            heard = [
                Heard(part, ((clip.skip_s, clip.stop_s or clip.duration_s, 1.0),), 1.0) for part, clip in clips.items()
            ]
            values = {"empathy_acoustic": chosen.randint(1, 5), "emotion_heard": chosen.choice(["sad", "neutral"])}
            remarks = [Remark("note", f"备注 {row.position}")]
            commit(db, present(db, row.id, sitting, gains), values, heard, remarks, active_s=2 + 5 * chosen.random())


def flat(value, name=""):
    """A JSON value as columns: one for each place in it, and the length of each text."""
    if isinstance(value, dict):
        return {key: each for inner, one in value.items() for key, each in flat(one, f"{name}.{inner}").items()}
    if isinstance(value, list):
        return {key: each for place, one in enumerate(value) for key, each in flat(one, f"{name}.{place}").items()}
    return {name: value, f"{name} (length)": len(value)} if isinstance(value, str) else {name: value}


def telling(rows, systems):
    """The columns of ``rows`` (assignment uid, record) by which the systems can be told apart, and "order"."""
    rows = [(uid, flat(record)) for uid, record in rows if uid in systems]
    columns = {"order": [(place, systems[uid]) for place, (uid, _) in enumerate(rows)]}
    for name in sorted({name for _, record in rows for name in record}):
        columns[name] = [(record.get(name), systems[uid]) for uid, record in rows]
    return [name for name, column in columns.items() if parts(column)]


def parts(column):
    """Whether each value belongs to one system, or sorting by it puts one system before the other."""
    of = defaultdict(set)
    for value, system in column:
        of[str(value)].add(system)
    is_alike = len(of) <= len(column) // 4 and all(len(found) == 1 for found in of.values())
    in_order = [system for _, system in sorted(column, key=lambda one: (str(type(one[0])), one[0] is None or one[0]))]
    changes = sum(one != other for one, other in pairwise(in_order))
    return (len(of) > 1 and is_alike) or (len(of) > 1 and changes == 1)


def test_the_test_itself_sees_what_would_tell(sealed):
    workspace, number, _, systems = sealed
    with closing(workspace.connect()) as db:
        design = studies_of(db)[0].design
        (session,) = sessions_of(db, study_id=number)
        rows = [(row.uid, asdict(row.answer) | {"sound": ""}) for row in assignments_of(workspace, db, session.id)]
    assert {fix[1] for fix in design["fixes"].values()} != {0.0}
    assert {".gain_db", ".skip_s", ".duration_s"} <= set(telling(rows, systems))


def test_the_session_file_tells_no_gain_and_no_end_of_an_answer(sealed):
    workspace, number, _, systems = sealed
    with closing(workspace.connect()) as db:
        record = session_file(db, number)
    assert {shown["gains"] for shown in record["presentations"]} == {UNTIL_REVEALED}
    order = [(row["assignment"], row) for session in record["sessions"] for row in session["order"]]
    assert telling(order, systems) == []
    assert telling([(shown["assignment"], shown) for shown in record["presentations"]], systems) == []
    assert "gain_db" not in json.dumps(record["presentations"])
    assert [one.name for one in compliance(record) if not one.is_there] == []


def test_tables_tell_nothing_by_which_answers_fall_into_systems(sealed, tmp_path):
    workspace, number, _, systems = sealed
    for form in ("csv", "jsonl"):
        export_ratings(workspace, tmp_path / f"r.{form}", form, study_id=number, with_history=True)
    table = csv.DictReader(io.StringIO((tmp_path / "r.csv").read_text("utf-8-sig")))
    records = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text("utf-8").splitlines()]
    for rows in (list(table), records):
        for scale in ("empathy_acoustic", "emotion_heard", None):
            wanted = [row for row in rows if row.get("scale") == scale]
            assert telling([(row["assignment_uid"], row) for row in wanted], systems) == []


@pytest.mark.parametrize("view", ["rating_given", "rating_current"])
def test_views_tell_nothing_by_which_answers_fall_into_systems(sealed, view):
    workspace, _, _, systems = sealed
    with closing(workspace.connect()) as db:
        rows = [dict(row) for row in db.execute(f"SELECT * FROM {view} WHERE scale = 'empathy_acoustic'")]
    assert len(rows) >= 2 * ITEMS
    assert telling([(row["assignment_uid"], row) for row in rows], systems) == []


def test_a_project_for_label_studio_tells_nothing_by_which_answers_fall_into_systems(sealed, tmp_path):
    workspace, number, rater, systems = sealed
    done(export_label_studio(workspace, number, rater.id, tmp_path / "project", with_ratings=True))
    tasks = json.loads((tmp_path / "project" / "pass-1" / "tasks.json").read_text("utf-8"))
    assert telling([(task["data"]["assignment"], task) for task in tasks], systems) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_results_are_of_all_systems_together(sealed, language):
    workspace, number, _, _ = sealed
    with closing(workspace.connect()) as db:
        told = results_told(db, number, load_protocol("empathy_acoustic", "en"), seed=1, raters={"Lin": "me"})
    assert told.is_sealed
    for results in (told.sides.everyone, told.sides.without):
        for scale in results.scales:
            assert [(one.system, one.n) for one in scale.systems] == [(TOGETHER, 2 * ITEMS)]
            assert (scale.items, scale.differences) == ((), ())
            assert (scale.counts.planned, scale.counts.rated) == (2 * ITEMS, 2 * ITEMS)
    declared = json.dumps([told.sides.everyone.declaration(), told.sides.without.declaration()])
    assert not any(system in declared for system in SYSTEMS) and '"me"' in declared and "Lin" not in declared
    said = " ".join(sentences(told.sides.everyone, language))
    assert {"en": "All systems together: mean", "zh": "所有系统合计：均值"}[language] in said and TOGETHER not in said


def test_who_asks_without_a_seed_is_told_the_intervals_of_the_studys_own(sealed):
    workspace, number, _, _ = sealed
    protocol = load_protocol("empathy_acoustic", "en")
    with closing(workspace.connect()) as db:
        one, other, another = (results_told(db, number, protocol, seed=seed) for seed in (None, 4, 5))  # it has 4
    assert one.sides.everyone.declaration() == other.sides.everyone.declaration()
    assert one.sides.everyone.declaration() != another.sides.everyone.declaration()


def test_comparisons_tell_no_pair_and_no_strength_while_sealed(tmp_path, finish):
    workspace = owner(tmp_path, finish)
    number, _ = study(workspace, "preference")
    with closing(workspace.connect(durable=True)) as db:
        (session, *_) = sessions_of(db, study_id=number)
        sitting = begin_sitting(db, session.rater_id, device="", sample_rate_hz=None, setup={})
        for row in assignments_of(workspace, db, session.id):
            commit(db, present(db, row.id, sitting, {}), {"preference": "first"})
        protocol = load_protocol("preference", "zh")
        sealed, _ = results_told(db, number, protocol, seed=1), disclose(db, number, "all have rated")
        revealed = results_told(db, number, protocol, seed=1)
    (scale,) = sealed.sides.everyone.scales
    assert (scale.comparison.pairs, scale.comparison.strengths, scale.items) == ((), (), ())
    assert scale.comparison.order.wins == 6  # what was heard first, whoever it was
    assert not any(system in json.dumps(sealed.sides.everyone.declaration()) for system in SYSTEMS)
    assert [(pair.one, pair.other) for pair in revealed.sides.everyone.scales[0].comparison.pairs] == [SYSTEMS]


def test_once_revealed_gains_and_lengths_are_told(sealed, tmp_path):
    workspace, number, _, _ = sealed
    with closing(workspace.connect()) as db:
        disclose(db, number, "all have rated")
        record = session_file(db, number)
    assert all("gain_db" in shown["gains"]["answer"] for shown in record["presentations"])
    export_ratings(workspace, tmp_path / "r.jsonl", "jsonl", study_id=number)
    records = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text("utf-8").splitlines()]
    with closing(workspace.connect()) as db:
        told = results_told(db, number, load_protocol("empathy_acoustic", "en"), seed=1)
    assert [one.system for one in told.sides.everyone.scales[0].systems] == sorted(SYSTEMS) and not told.is_sealed
    assert all(row["clip_s"] > 0 for row in records if row["record"] == "rating")
