"""Which judgements say something else than their repeats, and which makers something else than the one before."""

from __future__ import annotations

from engine.query.flips import rounds_of
from engine.query.told import JudgementTold, MakerTold


def maker(number, name="local-judge", version="1", rubric="a", settings=None):
    return MakerTold(number, f"key{number}", "judge", name, version, settings or {}, None, rubric, {})


class Made:
    def __init__(self):
        self.number = 0

    def __call__(self, made_by, verdict, repeat=0, state="scored", judge="knowledge", score=None):
        self.number += 1
        verdict = verdict if state == "scored" else None
        return JudgementTold(
            self.number,
            made_by,
            judge,
            repeat,
            state,
            verdict,
            score,
            "",
            None,
            (),
            None,
            None,
            None,
            None,
            None,
            "2026",
        )


def test_the_repeat_that_says_something_else_is_odd():
    made, one = Made(), maker(1)
    (found,) = rounds_of([made(one, "wrong", 0), made(one, "right", 1), made(one, "wrong", 2)])
    assert [opinion.is_odd for opinion in found.opinions] == [False, True, False]
    assert found.said == ("scored", "wrong")
    assert found.odd_count == 1
    assert found.before is None
    assert found.differs_in == ()


def test_of_as_many_on_both_sides_the_first_is_what_was_said():
    made, one = Made(), maker(1)
    (found,) = rounds_of([made(one, "right", 0), made(one, "wrong", 1)])
    assert found.said == ("scored", "right")
    assert found.odd_count == 1


def test_a_new_rubric_that_turns_the_verdict_is_a_flip_and_says_what_changed():
    made = Made()
    first, second, third = maker(1), maker(2, version="2", rubric="b"), maker(3, "other-judge", "2", "b")
    rounds = rounds_of([made(first, "wrong"), made(second, "right"), made(third, "right")])
    assert [found.before for found in rounds] == [None, ("scored", "wrong"), None]
    assert [found.differs_in for found in rounds] == [(), ("rubric", "version"), ("model",)]


def test_a_reply_that_can_no_longer_be_read_is_a_flip():
    made = Made()
    rounds = rounds_of([made(maker(1), "right"), made(maker(2, settings={"temperature": 1}), None, state="unparsable")])
    assert rounds[1].said == ("unparsable", None)
    assert rounds[1].before == ("scored", "right")
    assert rounds[1].differs_in == ("settings",)


def test_judges_are_kept_apart_and_scores_count_where_there_is_no_verdict():
    made, one = Made(), maker(1)
    rounds = rounds_of(
        [
            made(one, None, judge="empathy", score=4.0),
            made(one, "right"),
            made(one, None, 1, judge="empathy", score=2.0),
        ]
    )
    assert [found.judge for found in rounds] == ["empathy", "knowledge"]
    assert rounds[0].said == ("scored", 4.0)
    assert rounds[0].odd_count == 1


def test_no_judgement_has_no_round():
    assert rounds_of([]) == ()
