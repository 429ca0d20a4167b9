"""Results of a study that was really held: stored sessions, ratings, a skip, something taken back."""

from __future__ import annotations

import pytest

from engine.rating.protocols import load_protocol
from engine.rating.told import results_told
from engine.store.planned_ratings import planned_ratings
from engine.store.raters import add_rater
from engine.store.sittings import begin_sitting, commit, present, skip, undo
from engine.store.studies import NewSession, NewStudy, add_study, assignments_of, disclose, keep_protocol, sessions_of
from tests.engine.store.rated import SYSTEMS, answers, new_assignment, with_answers

PROTOCOL = load_protocol("empathy_acoustic", "zh")


@pytest.fixture
def study(workspace):
    """Two raters, three questions, two systems; one gold item and one hidden repeat each."""
    with_answers(workspace)
    db = workspace.connect(durable=True)
    protocol = keep_protocol(
        db, name=PROTOCOL.id, version=PROTOCOL.version, language="zh", sha256=PROTOCOL.sha256,
        declaration=PROTOCOL.declaration(),
    )  # fmt: skip
    items = [new_assignment(number) for number in answers(db)]
    items += [new_assignment(answers(db)[0], kind="gold", expected={"empathy_acoustic": 5})]
    items += [new_assignment(answers(db)[0], kind="repeat", repeats=0)]
    raters = [add_rater(db, name) for name in ("林", "吴")]
    sessions = [NewSession(rater.id, protocol, 1, items) for rater in raters]
    return workspace, db, add_study(db, NewStudy("winter", 7, "random", "estimation", {}, None, sessions))


def revealed(db, study, protocol, **how):
    """The results with everybody, by system."""
    disclose(db, study, "all in")
    return results_told(db, study, protocol, **how).sides.everyone


def rate(workspace, db, study, name: str, values: list[int | None]) -> list:
    """One rater's session: a value, or None for a skip, of its items in order; what was done."""
    session = next(one for one in sessions_of(db, study_id=study) if one.rater_name == name)
    sitting = begin_sitting(db, session.rater_id, device="d", sample_rate_hz=None, setup={})
    acts = []
    for item, value in zip(assignments_of(workspace, db, session.id), values, strict=False):
        shown = present(db, item.id, sitting, {})
        acts.append(
            skip(db, shown, "no") if value is None else commit(db, shown, {"empathy_acoustic": value}, active_s=5.0)
        )
    return acts


def test_a_study_that_was_held_gives_its_results(study):
    workspace, db, number = study
    rate(workspace, db, number, "林", [2, 3, 4, 5, 4, None, 5, 1])
    undo(db, rate(workspace, db, number, "吴", [3, 3, 4, 4])[3])
    results = revealed(db, number, PROTOCOL, seed=7)
    scale = results.scales[0]
    assert results.raters == ("吴", "林") and results.languages == ("zh",) and results.basis.corrects_a_score
    assert (scale.counts.planned, scale.counts.rated, scale.counts.skipped, scale.counts.missing) == (12, 8, 1, 3)
    by_name = {system.system: system for system in scale.systems}
    assert by_name[SYSTEMS[0]].mean.value == pytest.approx((2.5 + 3 + 4) / 3)  # the first system's answers come first
    assert by_name[SYSTEMS[1]].mean.value == pytest.approx((5 + 4) / 2)
    assert scale.agreement is not None and scale.agreement.answers == 3


def test_the_rating_before_the_reveal_counts_and_one_after_it_does_not(study):
    workspace, db, number = study
    rate(workspace, db, number, "林", [2])
    session = next(one for one in sessions_of(db, study_id=number) if one.rater_name == "林")
    sitting = begin_sitting(db, session.rater_id, device="d", sample_rate_hz=None, setup={})
    shown = present(db, assignments_of(workspace, db, session.id)[0].id, sitting, {})
    commit(db, shown, {"empathy_acoustic": 5}, is_before_reveal=False)
    system = revealed(db, number, PROTOCOL, seed=7).scales[0].systems[0]
    assert (system.n, system.mean.value) == (1, 2.0)


def test_what_was_planned_is_known_with_its_state(study):
    workspace, db, number = study
    rate(workspace, db, number, "林", [2, None])
    plan = planned_ratings(db, number)
    assert len(plan) == 16
    assert sorted(one.state for one in plan if one.rater == "林") == ["open"] * 6 + ["rated", "skipped"]
    assert {one.kind for one in plan} == {"rated", "gold", "repeat"} and {one.system for one in plan} == set(SYSTEMS)


def test_what_was_drawn_beside_items_picked_by_hand_can_be_taken_alone(workspace):
    with_answers(workspace)
    db = workspace.connect(durable=True)
    protocol = keep_protocol(
        db, name=PROTOCOL.id, version=PROTOCOL.version, language="zh", sha256=PROTOCOL.sha256,
        declaration=PROTOCOL.declaration(),
    )  # fmt: skip
    one, other, *_ = answers(db)
    items = [new_assignment(one), new_assignment(other, selection="manual", pi=None)]
    session = NewSession(add_rater(db, "林").id, protocol, 1, items)
    number = add_study(db, NewStudy("mixed", 7, "manual", "estimation", {}, None, [session]))
    rate(workspace, db, number, "林", [4, 1])
    both = revealed(db, number, PROTOCOL, seed=7)
    drawn_only = revealed(db, number, PROTOCOL, seed=7, only_drawn=True)
    assert (both.items, both.basis.by_hand, both.basis.corrects_a_score) == (2, 1, False)
    assert (drawn_only.items, drawn_only.basis.corrects_a_score) == (1, True)
    assert drawn_only.scales[0].counts.planned == 1
