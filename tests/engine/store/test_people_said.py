"""What the page about an answer is told of people's ratings: everything that was revealed, nothing that is sealed."""

from __future__ import annotations

import pytest

from engine.query.detail import detail_of
from engine.store.people_said import NOBODY_SAID, people_said
from engine.store.sittings import Remark, remark, skip, undo
from engine.store.studies import disclose
from tests.engine.store.of_people import people_rate
from tests.engine.store.rated import SYSTEMS, answers, new_assignment, with_answers


@pytest.fixture
def there(workspace):
    return with_answers(workspace)


@pytest.fixture
def ids(there):
    db = there.connect()
    yield answers(db)
    db.close()


def told(db, response_id):
    return [
        (item.rater, item.kind, [(said.kind, said.scale, said.value or said.text, said.holds) for said in item.said])
        for item in people_said(db, response_id).items
    ]


def test_an_answer_that_nobody_rates_has_nothing_to_tell(there, ids):
    assert people_said(there.connect(), ids[0]) == NOBODY_SAID


def test_a_sealed_study_is_told_of_every_answer_to_the_question_alike_rated_or_not(there, ids):
    """Three questions, two systems: only the first system's answer to the first question is in the study."""
    study = people_rate(there, "safety", ("林",), ids[:1])
    before = [people_said(study.db, number) for number in ids]
    study.rate("林", 0, safety="refused")
    assert [people_said(study.db, number) for number in ids] == before
    assert [told.is_sealed for told in before] == [True, False, False] * len(SYSTEMS)
    assert all(told.items == () for told in before)
    assert detail_of(study.db, ids[0]).people.is_sealed


def test_what_is_compared_under_seal_is_sealed_too(there, ids):
    pair = new_assignment(ids[0], "A", other_response_id=ids[3], other_letter="B")
    study = people_rate(there, "preference", ("林",), [pair])
    assert people_said(study.db, ids[3]).is_sealed
    disclose(study.db, study.study, "done")
    study.rate("林", 0, preference="first")
    first, second = (people_said(study.db, number).items[0] for number in (ids[0], ids[3]))
    assert (first.other_system, first.is_second) == (SYSTEMS[1], False)
    assert (second.other_system, second.is_second) == (SYSTEMS[0], True)


def test_once_revealed_each_rating_is_told_with_its_history(there, ids):
    study = people_rate(there, "empathy_semantic", ("林", "王"), ids[:2])
    study.rate("林", 0, empathy_semantic=2)
    study.rate("林", 0, empathy_semantic=4)
    undo(study.db, study.rate("王", 0, empathy_semantic=1))
    remark(study.db, study.shown("王", 0), Remark("note", "<b>太快</b>"))
    undo(study.db, remark(study.db, study.shown("王", 0), Remark("flag")))
    skip(study.db, study.shown("林", 1), "听不清")
    disclose(study.db, study.study, "done")
    assert told(study.db, ids[0]) == [
        ("林", "rated", [("rating", "empathy_semantic", 2, "replaced"), ("rating", "empathy_semantic", 4, "now")]),
        ("王", "rated", [
            ("rating", "empathy_semantic", 1, "taken_back"), ("note", None, "<b>太快</b>", "now"),
            ("flag", None, "", "taken_back"),
        ]),
    ]  # fmt: skip
    assert told(study.db, ids[1]) == [("林", "rated", [("skip", None, "听不清", "now")])]
    [item, _] = people_said(study.db, ids[0]).items
    assert item.declaration["scales"][0]["steps"][3]["label"]
    assert (item.study, item.protocol, item.protocol_version) == ("winter", "empathy_semantic", 1)


def test_checks_and_repeats_are_told_as_what_they_are(there, ids):
    items = [
        new_assignment(ids[0], "A"),
        new_assignment(ids[0], "B", kind="repeat", repeats=0),
        new_assignment(ids[0], "A", kind="gold", expected={"naturalness": 5}, pi=None),
        new_assignment(ids[0], "A", kind="trap", expected={"naturalness": 1}, pi=None),
    ]
    study = people_rate(there, "naturalness", ("林",), items)
    for place in range(4):
        study.rate("林", place, naturalness=3)
    disclose(study.db, study.study, "done")
    found = people_said(study.db, ids[0]).items
    assert [(item.kind, dict(item.expected)) for item in found] == [
        ("rated", {}), ("repeat", {}), ("gold", {"naturalness": 5}), ("trap", {"naturalness": 1}),
    ]  # fmt: skip


def test_one_study_may_be_revealed_while_another_is_sealed(there, ids):
    first = people_rate(there, "safety", ("林",), ids[:1])
    first.rate("林", 0, safety="refused")
    second = people_rate(there, "correctness", ("林",), ids[:1], "spring")
    second.rate("林", 0, correctness="correct")
    disclose(first.db, first.study, "done")
    found = people_said(first.db, ids[0])
    assert [item.study for item in found.items] == ["winter"]
    assert found.is_sealed
