"""A design becomes a plan over a real workspace: who rates what, what is left out, how long, and what is told."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import closing

import pytest

from engine.errors import EngineError
from engine.query.selection import Selection
from engine.rating.create import plan_study
from engine.rating.design import Given, Known, Told
from engine.rating.leaks.values import Fixes
from engine.rating.protocols import load_protocol
from engine.rating.split import split_of
from engine.strings import LANGUAGES
from tests.engine.rating.asked import (
    ANSWER_S,
    QUESTION_S,
    SYSTEMS,
    answers_of,
    asked,
    by_item,
    designed,
    items_of,
    judged,
    measured,
    rated,
    systems_of,
    told,
)

BOTH = ("empathy_semantic", "empathy_acoustic")


@pytest.fixture
def plan(workspace, tmp_path, finish):
    """Plan over a workspace of 24 questions, three systems and two raters, made as ``made`` says."""

    class Planned:
        def make(self, **made):
            asked(workspace, tmp_path / "sounds", **made)
            self.systems, self.items = systems_of(workspace), items_of(workspace)

        def __call__(self, *protocols, **more):
            if not hasattr(self, "items"):
                self.make()
            return finish(plan_study(workspace, designed(workspace, *(protocols or BOTH), **more)))

    return Planned()


def test_every_pass_holds_all_systems_answers_to_each_item(plan):
    found = plan(items=10, ratings_per_item=2)
    assert [(session.rater_id, session.protocol.id, session.number) for session in found.sessions] == [
        (1, BOTH[0], 1), (2, BOTH[0], 1), (1, BOTH[1], 2), (2, BOTH[1], 2),
    ]  # fmt: skip
    for session in found.sessions:
        groups = by_item(rated(session), plan.items)
        assert len(groups) == 10
        for group in groups.values():
            assert sorted(plan.systems[entry.response_id] for entry in group) == list(SYSTEMS[:3])
    orders = [[plan.items[entry.response_id] for entry in rated(session)] for session in found.sessions]
    assert len({tuple(order) for order in orders}) == 4  # shuffled for each rater, and again for each pass
    assert len({frozenset(order) for order in orders}) == 1


def test_each_assignment_says_how_it_came_to_be_rated(plan, workspace):
    found = plan(items=6, ratings_per_item=2, stage="adjudication")
    with closing(workspace.connect()) as db:
        keys = dict(db.execute("SELECT id, key FROM instance").fetchall())
    for session in found.sessions:
        for entry in session.assignments:
            assert (entry.selection, entry.pi, entry.stratum, entry.stage) == ("random", 0.25, "", "adjudication")
            assert entry.split == split_of("vocalbench_zh", "emotion", keys[plan.items[entry.response_id]])
            assert entry.perceived == session.protocol.perceived
            assert entry.dimension == session.protocol.dimension
            assert entry.blind


def test_raters_share_the_overlap_and_split_the_rest(plan):
    found = plan("naturalness", items=20, overlap=6)
    mine = [set(by_item(rated(session), plan.items)) for session in found.sessions]
    assert [len(items) for items in mine] == [13, 13]
    assert len(mine[0] & mine[1]) == 6
    assert [(load.items, load.shared) for load in found.loads] == [(13, 6), (13, 6)]


def test_the_same_seed_makes_the_same_plan(plan):
    assert plan(items=8, seed=5).sessions == plan(items=8, seed=5).sessions
    assert plan(items=8, seed=5).sessions != plan(items=8, seed=6).sessions


def test_counts_are_those_of_the_sessions(plan):
    found = plan(items=10)
    every = [entry.kind for session in found.sessions for entry in session.assignments]
    assert found.counts.presentations == len(every) == sum(load.presentations for load in found.loads)
    assert (found.counts.rated, found.counts.repeats) == (every.count("rated"), every.count("repeat"))
    assert (found.counts.instances, found.counts.items, found.counts.raters) == (24, 10, 2)
    assert found.counts.rated == 10 * 3 * 2
    assert len(found.response_ids) == 30


def test_minutes_are_those_of_the_clips_and_the_answers(plan, workspace):
    plan.make(items=12, systems=2, raters=1)
    measured(workspace)
    found = plan("empathy_acoustic", repeats_share=0.0)
    answer_s = load_protocol("empathy_acoustic", "zh").planning.answer_s
    assert found.loads[0].minutes * 60 == pytest.approx(12 * (QUESTION_S + 0.6 + 2 * (ANSWER_S + answer_s)))
    assert "unknown_lengths" not in told(found)


def test_clips_nobody_measured_are_reckoned_with_and_told(plan):
    assert "unknown_lengths" in told(plan("naturalness"))


def test_what_cannot_be_rated_is_left_out_and_counted(plan, workspace):
    plan.make(items=12, systems=2)
    one, other = (answers_of(workspace, system) for system in SYSTEMS[:2])
    with closing(workspace.connect()) as db:
        db.execute("UPDATE response SET state = 'failed' WHERE id = ?", (one[0],))
        db.execute("UPDATE response SET audio_id = NULL WHERE id = ?", (other[1],))
        db.execute("UPDATE response SET text = '' WHERE id = ?", (one[2],))
        db.execute("UPDATE audit_row SET text = '', transcript = NULL WHERE response_id = ?", (one[2],))
        db.execute("DELETE FROM instance_audio WHERE instance_id = ?", (items_of(workspace)[one[3]],))
    everything = plan(*BOTH).counts
    assert everything.left_out == {"no_answer": 1, "no_sound": 1, "no_text": 1, "no_question_sound": 1}
    assert (everything.instances, everything.items) == (12, 8)
    assert plan("naturalness").counts.left_out == {"no_answer": 1, "no_sound": 1}
    assert plan("empathy_semantic").counts.left_out == {"no_answer": 1, "no_text": 1}
    assert plan("naturalness", systems=(SYSTEMS[0],)).counts.left_out == {"no_answer": 1}


def test_pi_is_of_what_can_be_rated_alone(plan, workspace):
    plan.make(items=12, systems=1)
    with closing(workspace.connect()) as db:
        db.execute("UPDATE response SET audio_id = NULL WHERE id = ?", (answers_of(workspace, SYSTEMS[0])[0],))
    assert {entry.pi for entry in rated(plan("naturalness", items=5).sessions[0])} == {5 / 11}


def test_a_filter_names_the_items_and_all_systems_answers_to_them_are_rated(plan):
    found = plan("naturalness", chosen=Selection(f'system:"{SYSTEMS[0]}" category:angry'), systems=SYSTEMS[:2])
    assert found.counts.instances == found.counts.items == 12
    assert {plan.systems[number] for number in found.response_ids} == set(SYSTEMS[:2])


def test_certain_answers_name_their_items(plan, workspace):
    plan.make()
    one = answers_of(workspace, SYSTEMS[1])
    found = plan("naturalness", chosen=Selection(ids=(one[3], one[5], one[7])), systems=SYSTEMS[:2])
    assert found.counts.instances == 3
    assert {plan.items[number] for number in found.response_ids} == {plan.items[one[n]] for n in (3, 5, 7)}
    assert {plan.systems[number] for number in found.response_ids} == set(SYSTEMS[:2])
    both = plan("naturalness", chosen=Selection(f"system:{SYSTEMS[1]}", (one[3], one[5])))
    assert both.counts.systems == (SYSTEMS[1],)
    assert both.counts.items == 2


def test_safety_is_drawn_by_what_the_judge_said(plan, workspace):
    plan.make(items=40, systems=1, subset="safety")
    judged(workspace, 8)
    found = plan("safety", items=15, selection="stratified", repeats_share=0.0)
    # weights 32 and sqrt(32 / 8) x 8 = 16: of 15 items 10 and 5
    assert found.strata == {"right": (10, 32), "wrong": (5, 8)}
    pis = Counter((entry.stratum, entry.pi) for session in found.sessions for entry in session.assignments)
    assert pis == {("right", 10 / 32): 10, ("wrong", 5 / 8): 5}


def test_strata_that_are_none_are_told(plan):
    for strata in (("verdict",), ()):
        found = plan("naturalness", items=6, selection="stratified", strata=strata)
        assert found.counts.items == 6
        assert {entry.pi for session in found.sessions for entry in rated(session)} == {0.25}
        assert "one_stratum" in told(found)


def test_a_study_picked_by_hand_says_that_it_corrects_nothing_and_others_can_be_added(plan, workspace):
    plan.make()
    chosen = Selection(ids=tuple(answers_of(workspace, SYSTEMS[0])[n] for n in (0, 1, 2)))
    found = plan("naturalness", chosen=chosen, selection="manual")
    assert {entry.pi for session in found.sessions for entry in session.assignments} == {None}
    assert "manual" in told(found)
    assert found.precision[0].half_width is None
    sentence = next(entry for entry in found.warnings if entry.name == "manual").sentence("en")
    assert "can be heard and discussed, and cannot correct a score" in sentence
    added = plan("naturalness", chosen=chosen, selection="manual", added_random=12)
    assert told(added) >= {"manual_beside", "few_items"}
    assert "manual" not in told(added)
    pis = {(entry.selection, entry.pi) for session in added.sessions for entry in rated(session)}
    assert pis == {("manual", None), ("random", 0.5)}
    assert added.precision[0].n == pytest.approx(12)


def test_a_list_with_its_own_probabilities_is_taken_as_it_is(plan, workspace):
    plan.make()
    numbers = [plan.items[answers_of(workspace, SYSTEMS[0])[n]] for n in range(4)]
    given = tuple(Given(number, 0.2 + 0.1 * n, "queue") for n, number in enumerate(numbers))
    found = plan("naturalness", selection="active", given=(*given, Given(9999, 0.5)))
    pis = {plan.items[e.response_id]: e.pi for session in found.sessions for e in rated(session)}
    assert pis == {entry.instance_id: entry.pi for entry in given}
    assert "given_missing" in told(found)


def test_known_answers_are_placed_and_never_rated_twice_by_one_rater(plan, workspace):
    plan.make(items=30, systems=1)
    mine = answers_of(workspace, SYSTEMS[0])
    gold = tuple(Known("naturalness", mine[n], {"naturalness": 4}) for n in range(6))
    training = tuple(Known("naturalness", mine[n], {"naturalness": 2}) for n in range(6, 14))
    found = plan("naturalness", items=20, gold=gold, training=training)
    for session in found.sessions:
        ids = [entry.response_id for entry in session.assignments if entry.kind != "repeat"]
        assert len(set(ids)) == len(ids)
        assert len(rated(session, "training")) <= load_protocol("naturalness", "zh").training.items
        assert all(entry.expected == {"naturalness": 4} for entry in rated(session, "gold"))
        assert all(entry.pi is None for entry in rated(session, "gold"))


@pytest.mark.parametrize(
    ("protocol", "expected", "code"),
    [
        ("naturalness", {"naturalness": 6}, "rating.known_value"),
        ("naturalness", {"loudness": 3}, "rating.known_value"),
        ("naturalness", {}, "rating.known_value"),
        ("preference", {"preference": "first"}, "rating.known_pair"),
    ],
)
def test_a_known_answer_must_fit_its_protocol(plan, workspace, protocol, expected, code):
    plan.make()
    known = Known(protocol, answers_of(workspace, SYSTEMS[0])[0], expected)
    with pytest.raises(EngineError) as raised:
        plan(protocol, gold=(known,))
    assert raised.value.code == code
    assert all(raised.value.sentence(language) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"raters": ()}, "rating.no_rater"),
        ({"raters": (1, 1)}, "rating.no_rater"),
        ({"raters": (1, 77)}, "rating.unknown_rater"),
        ({"ratings_per_item": 3}, "rating.ratings_per_item"),
        ({"ratings_per_item": 0}, "rating.ratings_per_item"),
        ({"systems": ("GPT-4o",)}, "rating.unknown_system"),
        ({"chosen": Selection("subset:safety")}, "rating.no_item"),
        ({"chosen": Selection("subset:")}, "query.no_value"),
        ({"selection": "active"}, "rating.no_item"),
        ({"gold": (Known("empathy_semantic", 9999, {"empathy_semantic": 1}),)}, "rating.known_answer"),
    ],
)
def test_what_cannot_be_planned_says_what_to_change(plan, more, code):
    with pytest.raises(EngineError) as raised:
        plan(**more)
    assert raised.value.code.split(".")[0] == code.split(".")[0]
    if code.startswith("rating."):
        assert raised.value.code == code
    assert all(raised.value.sentence(language) for language in LANGUAGES)


def test_no_protocol_one_twice_and_a_comparison_of_one_system_are_refused(plan, workspace, finish):
    plan.make()
    for protocols, more, code in (
        ((), {}, "rating.no_protocol"),
        (("safety", "safety"), {}, "rating.no_protocol"),
        (("preference",), {"systems": SYSTEMS[:1]}, "rating.two_systems"),
        (("preference",), {"against": "GPT-4o"}, "rating.unknown_system"),
        (("mushra",), {}, "rating.unknown_protocol"),
    ):
        with pytest.raises(EngineError) as raised:
            finish(plan_study(workspace, designed(workspace, *protocols, **more)))
        assert raised.value.code == code


def test_a_workspace_without_sounds_says_why_nothing_can_be_rated(plan, workspace):
    plan.make(items=5)
    with closing(workspace.connect()) as db:
        db.execute("UPDATE response SET audio_id = NULL")
    with pytest.raises(EngineError) as raised:
        plan("naturalness")
    assert raised.value.code == "rating.none_rateable"
    assert raised.value.values["no_sound"] == 5


def test_limits_are_told_in_both_languages(plan):
    found = plan(items=10)
    assert told(found) >= {"few_raters", "few_items", "no_agreement", "few_gold", "few_traps", "few_training"}
    for entry in found.warnings:
        assert entry.sentence("en") != entry.sentence("zh")
        assert "{" not in entry.sentence("en") + entry.sentence("zh")
    assert "no_agreement" not in told(plan(items=10, overlap=5))


def test_too_few_items_for_balance_are_told(plan):
    plan.make(items=12, systems=5, raters=1)
    assert "balance" in told(plan("naturalness", items=9))
    assert "balance" not in told(plan("naturalness", items=10))


def test_a_long_share_is_told_with_its_sittings(plan):
    plan.make(items=200, systems=2, raters=1)
    found = plan("naturalness")
    entry = next(entry for entry in found.warnings if entry.name == "long")
    assert entry.values["minutes"] == round(found.loads[0].minutes) > 45
    assert entry.values["sittings"] == -(-entry.values["minutes"] // 45)


def test_what_is_evened_out_is_what_every_pass_allows(plan):
    assert plan("naturalness", trim=True).fixes == Fixes(True, "per_clip")
    assert plan("empathy_acoustic", trim=True).fixes == Fixes(True, "per_system")
    assert plan("empathy_acoustic", gain="none").fixes == Fixes(False, "none")
    assert plan("empathy_semantic", trim=True).fixes == Fixes(False, "none")
    both = plan("naturalness", "empathy_acoustic", trim=True)
    assert both.fixes == Fixes(True, "per_system")
    assert "gain_per_system" in told(both)
    assert plan("naturalness", "instruction_followed", trim=True).fixes == Fixes(False, "none")


def test_each_pair_of_a_comparison_is_as_sharp_as_the_items_it_has(plan):
    found = plan("preference", items=20, pairs_per_item=1)
    assert found.precision[0].n == pytest.approx(20 / 3)
    pairs = Counter(
        frozenset((plan.systems[entry.response_id], plan.systems[entry.other_response_id]))
        for session in found.sessions
        for entry in rated(session)
    )
    assert sum(pairs.values()) == 20
    assert max(pairs.values()) - min(pairs.values()) <= 2


def test_planning_stores_nothing(plan, workspace):
    plan(items=5)
    with closing(workspace.connect()) as db:
        for table in ("study", "session", "assignment", "protocol"):
            assert db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] == 0


def test_how_many_items_two_people_rate_is_told(plan):
    plan.make(items=40, systems=1, raters=3)
    assert "no_agreement" in told(plan("naturalness"))
    few = next(entry for entry in plan("naturalness", overlap=12).warnings if entry.name == "few_shared")
    assert few.values == {"n": 12, "least": 30}
    assert not {"few_shared", "no_agreement"} & told(plan("naturalness", ratings_per_item=2))
    assert "no_agreement" in told(plan("naturalness", raters=(1,)))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_one_rater_and_one_item_are_told_in_the_singular(language):
    few = [Told("few_raters", {"n": n, "least": 8}).sentence(language) for n in (1, 2)]
    assert few[0].startswith({"en": "1 rater:", "zh": "评分者 1 位："}[language]) and "1 raters" not in few[0]
    assert few[1].startswith({"en": "2 raters:", "zh": "评分者 2 位："}[language])
    for name in ("manual_beside", "given_missing", "few_items", "few_shared", "idle_raters", "unknown_lengths"):
        one, two = (Told(name, {"n": n, "least": 30}).sentence(language) for n in (1, 2))
        assert "{" not in one + two and one != two
        assert not re.search(r"\b1 (raters|items|clips)\b", one)


def test_questions_that_a_protocol_is_not_meant_for_are_told_with_the_filter_that_finds_its_own(plan):
    plan.make(subset="chinese_knowledge")
    found = [one for one in plan("empathy_acoustic", "naturalness").warnings if one.name == "not_about"]
    assert [(one.values["n"], one.values["of"], one.values["query"]) for one in found] == [(24, 24, "subset:emotion")]
    for language in LANGUAGES:
        assert "--where 'subset:emotion'" in found[0].sentence(language)


def test_of_its_own_questions_and_of_those_of_other_benchmarks_nothing_is_said(plan, workspace):
    plan.make(subset="emotion")
    assert "not_about" not in told(plan("empathy_acoustic"))
    assert "not_about" in told(plan("safety"))
    with closing(workspace.connect()) as db:
        db.execute("UPDATE benchmark SET name = 'my_own'")
        db.commit()
    assert "not_about" not in told(plan("safety"))
