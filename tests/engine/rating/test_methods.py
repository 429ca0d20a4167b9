"""A study says how it was held: as a paragraph, as a list, and as one file with everything in it but sealed letters."""

from __future__ import annotations

import json
from contextlib import closing
from functools import partial

import pytest

from engine.errors import EngineError
from engine.rating.create import creating_study, plan_study
from engine.rating.design import Design
from engine.rating.methods import methods_of, methods_paragraph
from engine.rating.session_file import SEALED, compliance, session_file
from engine.store.raters import add_rater
from engine.store.sittings import undo, undoable
from engine.store.studies import disclose, sessions_of
from tests.engine.rating.bundle.made import SYSTEMS, owner, rate, study

LISTED = [
    "protocol", "rubric", "seed", "order", "letters", "gains", "fades", "device", "sample_rate", "underruns", "heard",
    "times", "history", "marks", "app_version",
]  # fmt: skip


@pytest.fixture
def rated(tmp_path, finish):
    workspace = owner(tmp_path, finish)
    number, _ = study(workspace)
    rate(workspace)
    return workspace, number


def read(workspace, number, what=session_file):
    with closing(workspace.connect()) as db:
        return what(db, number)


def test_the_file_has_what_the_list_asks_for(rated):
    workspace, number = rated
    record = read(workspace, number)
    listed = compliance(record)
    assert [one.name for one in listed] == LISTED
    assert [one.name for one in listed if not one.is_there] == ["gains"]  # this rater's player told none
    found = {one.name: (one.found, one.of) for one in listed}
    assert (found["order"], found["device"], found["heard"]) == ((20, 20), (1, 1), (10, 10))
    assert json.loads(json.dumps(record)) == record


def test_no_system_is_in_it_before_the_letters_are_revealed_and_all_are_afterwards(rated):
    workspace, number = rated
    sealed = read(workspace, number)
    told = json.dumps({**sealed, "study": {**sealed["study"], "title": ""}}, ensure_ascii=False)
    assert sealed["letters"] == SEALED and not any(system in told for system in SYSTEMS)
    with closing(workspace.connect()) as db:
        disclose(db, number, "for the paper")
    record = read(workspace, number)
    assert {row["system"] for row in record["letters"]} == set(SYSTEMS)
    assert len(record["letters"]) == 20


def test_history_and_marks_are_whole(rated):
    workspace, number = rated
    with closing(workspace.connect(durable=True)) as db:
        session = sessions_of(db, study_id=number)[0]
        undo(db, undoable(db, session.id))
    record = read(workspace, number)
    ratings = [row for shown in record["presentations"] for row in shown["rating"]]
    assert len(ratings) == 22 and sum(row["undoes"] is not None for row in ratings) == 2
    kinds = [row["kind"] for row in record["sessions"][0]["order"]]
    assert kinds == ["training", *["rated"] * 6, "gold", "trap", "repeat"]
    (repeat,) = [row for row in record["sessions"][0]["order"] if row["kind"] == "repeat"]
    assert repeat["repeat_of"] == record["sessions"][0]["order"][1]["assignment"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_paragraph_says_how_it_was_held_and_claims_no_standard(rated, language):
    workspace, number = rated
    methods = read(workspace, number, partial(methods_of, language=language))
    record = methods.record
    for figure in (record["protocols"][0]["sha256"][:12], "empathy_acoustic", " 7", "10", "20", record["app_version"]):
        assert figure in methods.paragraph
    assert "{" not in methods.paragraph
    claim = {"en": "not claimed", "zh": "不声称"}[language]
    assert claim in methods.paragraph
    assert not any(word in methods.paragraph for word in ("P.800", "P.808", "BS.1534", "MUSHRA"))
    markdown = methods.markdown()
    assert markdown.count("\n|") == len(LISTED) + 2
    assert methods.declaration()["listed"][0] == {"item": "protocol", "is_there": True, "found": 1, "of": 1}


def test_what_was_rated_is_counted_and_not_what_was_planned(tmp_path, finish):
    workspace = owner(tmp_path, finish)
    number, _ = study(workspace)
    before = [read(workspace, number, partial(methods_paragraph, language=language)) for language in ("en", "zh")]
    assert before[0].startswith("Of 12 planned presentations (for 2 raters) none has been rated yet.")
    assert before[1].startswith("计划呈现 12 次（2 位评分者），目前一次都还没有评。")
    rate(workspace, only=4)  # a training item and three answers
    after = [read(workspace, number, partial(methods_paragraph, language=language)) for language in ("en", "zh")]
    assert after[0].startswith("1 rater rated 3 of 12 planned presentations of answers.")
    assert after[1].startswith("1 位评分者对回答作了评分：计划呈现 12 次，已评 3 次。")


def test_what_was_evened_out_on_playback_is_told(tmp_path, finish):
    workspace = owner(tmp_path, finish)
    with closing(workspace.connect(durable=True)) as db:
        rater = add_rater(db, "Lin")
    design = Design("t", ("empathy_acoustic",), "en", (rater.id,), trim=True, gain="per_system", seed=4)
    number = finish(creating_study(workspace, finish(plan_study(workspace, design))))
    told = read(workspace, number, methods_paragraph)
    assert "silence was left out" in told and "one gain was applied to all answers of a system" in told
    assert "sent to raters elsewhere" in told and "drawn at random (seed 4)" in told
    assert "fixes" not in read(workspace, number)["study"]["design"]


def test_a_study_that_is_not_there_says_so(workspace):
    with pytest.raises(EngineError) as error:
        read(workspace, 3)
    assert error.value.code == "rating.no_such_study"
