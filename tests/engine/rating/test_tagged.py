"""Known answers by their tags, and answers whose questions are left out of a study."""

from __future__ import annotations

from contextlib import closing

import pytest

from engine.rating.create import plan_study
from engine.rating.design import Design
from engine.rating.protocols import load_protocol
from engine.rating.tagged import known_by_tags
from engine.store.raters import raters_of
from engine.store.tags import add_tag, remove_tag
from tests.engine.rating.asked import asked

PROTOCOLS = [load_protocol(name, "en") for name in ("empathy_semantic", "empathy_acoustic", "safety", "preference")]


@pytest.fixture
def there(workspace, tmp_path):
    sounds = tmp_path / "sounds"
    sounds.mkdir()
    return asked(workspace, sounds, items=6, systems=2)


@pytest.fixture
def db(there):
    with closing(there.connect(durable=True)) as found:
        yield found


def told(db):
    found = (
        (each.use, each.known.protocol, each.known.response_id, dict(each.known.expected))
        for each in known_by_tags(db, PROTOCOLS)
    )
    return sorted(found, key=str)


def test_a_tag_with_a_scale_speaks_of_that_scale_alone(db):
    add_tag(db, [1], "gold:empathy_acoustic:4")
    add_tag(db, [2], "Trap：safety：refused")  # as a Chinese keyboard writes it
    assert told(db) == [
        ("gold", "empathy_acoustic", 1, {"empathy_acoustic": 4}),
        ("trap", "safety", 2, {"safety": "refused"}),
    ]
    assert all(each.names_scale for each in known_by_tags(db, PROTOCOLS))


def test_a_tag_without_one_speaks_of_every_main_scale_that_has_the_step(db):
    add_tag(db, [3], "training: 2")
    assert told(db) == [
        ("training", "empathy_acoustic", 3, {"empathy_acoustic": 2}),
        ("training", "empathy_semantic", 3, {"empathy_semantic": 2}),
    ]
    assert not any(each.names_scale for each in known_by_tags(db, PROTOCOLS))


@pytest.mark.parametrize(
    "tag", ["gold", "gold:", "gold:9", "golden:4", "gold:no_such_scale:4", "gold:empathy_semantic:four"]
)
def test_a_tag_that_says_no_step_is_a_word_like_any_other(db, tag):
    add_tag(db, [1], tag)
    assert told(db) == []


def test_a_tag_that_was_taken_back_counts_no_more(db):
    add_tag(db, [1, 2], "gold:empathy_semantic:4")
    remove_tag(db, [1], "gold:empathy_semantic:4")
    assert [number for _, _, number, _ in told(db)] == [2]


def test_the_question_of_an_answer_that_is_left_out_is_asked_of_no_system(there, db, finish):
    rater = raters_of(db)[0].id
    design = Design("winter", ("empathy_semantic",), "en", (rater,), without=(1,))
    left = db.execute("SELECT id FROM response WHERE instance_id = (SELECT instance_id FROM response WHERE id = 1)")
    gone = {row[0] for row in left}
    plan = finish(plan_study(there, design))
    assert plan.counts.items == 5
    assert len(gone) == 2
    assert not gone & set(plan.response_ids)
