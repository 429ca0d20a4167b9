"""Screening: the protocol's rules, held against each rater, with the numbers; nothing is deleted."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from engine.rating.protocols import load_protocol, protocol_ids
from engine.rating.screening import screened, side_by_side
from tests.engine.rating.rows_of_ratings import drawn, rating, table

EMPATHY = load_protocol("empathy_semantic", "en")
TRAPPED = replace(EMPATHY, screening=replace(EMPATHY.screening, trap_share_at_least=0.5))


def outcome(rows, rule: str, protocol=EMPATHY, rater: str = "li"):
    found = next(each for each in screened(rows, protocol).raters if each.rater_uid == rater)
    return next(each for each in found.rules if each.rule == rule)


def gold(*values: int, kind: str = "gold"):
    return [rating("li", item, value, kind=kind, expected=5) for item, value in enumerate(values)]


def test_too_few_right_gold_items_set_a_rater_aside_with_the_numbers():
    found = outcome(gold(5, 4, 1, 2), "gold_share_at_least")
    assert (found.state, found.value, found.limit, found.n, found.needed) == ("failed", 0.5, 0.7, 4, 2)
    assert outcome(gold(5, 4, 4, 2), "gold_share_at_least").state == "kept"


def test_a_rule_with_too_little_to_look_at_is_not_applied():
    found = outcome(gold(1), "gold_share_at_least")
    assert (found.state, found.n, found.needed) == ("not_applied", 1, 2)
    assert not screened(gold(1), EMPATHY).raters[0].is_set_aside


def test_a_rule_the_protocol_does_not_have_is_not_there():
    rules = [each.rule for each in screened(gold(5, 5), EMPATHY).raters[0].rules]
    assert "trap_share_at_least" not in rules and "repeat_share_at_least" not in rules


def test_traps_must_be_exact():
    assert outcome(gold(4, 4, 4, 5, kind="trap"), "trap_share_at_least", TRAPPED).state == "failed"
    assert outcome(gold(4, 4, 5, 5, kind="trap"), "trap_share_at_least", TRAPPED).state == "kept"


@pytest.mark.parametrize("count", [1, 2, 3])
def test_on_fewer_than_four_traps_nobody_is_judged_whatever_the_protocol_says(count):
    found = outcome(gold(*[1] * count, kind="trap"), "trap_share_at_least", TRAPPED)
    assert TRAPPED.screening.fewest_traps == 1  # as in studies that were planned by an earlier version
    assert (found.state, found.n, found.needed) == ("not_applied", count, 4)


@pytest.mark.parametrize("name", protocol_ids())
def test_one_missed_trap_sets_nobody_aside_and_the_protocol_says_from_how_many_on(name):
    protocol = load_protocol(name, "en")
    rules, steps = protocol.screening, protocol.scale(protocol.screening.scale).values
    if rules.trap_share_at_least is None:
        return
    assert (rules.fewest_traps, protocol.version) == (4, 2)
    told = {"protocol": name, "protocol_version": 2, "scale": rules.scale, "kind": "trap", "expected": steps[0]}
    for count in range(1, 9):
        values = [steps[0]] * (count - 1) + [steps[-1]]
        (rater,) = screened([rating("li", item, value, **told) for item, value in enumerate(values)], protocol).raters
        assert not rater.is_set_aside


def test_the_same_step_every_time_is_no_rating():
    same = [rating("li", item, 3) for item in range(10)]
    assert outcome(same, "variance_at_least").state == "failed"
    assert outcome(same[:9], "variance_at_least").state == "not_applied"
    assert outcome([*same[:9], rating("li", 9, 5)], "variance_at_least").state == "kept"


def repeated(pairs, protocol=EMPATHY):
    """Ratings of one rater, each with its hidden repeat."""
    made = []
    told = {"protocol": protocol.id, "protocol_version": protocol.version, "scale": protocol.screening.scale}
    told |= {"other_system": "b"} if protocol.compares else {}
    for item, (first, again) in enumerate(pairs):
        one = rating("li", item, first, **told)
        made += [one, rating("li", item, again, kind="repeat", repeat_of=one.assignment_uid, **told)]
    return made


def test_inconsistent_repeats_set_a_rater_aside():
    apart = [(1, 3), (2, 4), (3, 5), (1, 3), (2, 4)]
    assert outcome(repeated([(one, again - 1) for one, again in apart]), "repeat_difference_at_most").state == "kept"
    found = outcome(repeated(apart), "repeat_difference_at_most")
    assert (found.state, found.value, found.n) == ("failed", 2.0, 5)
    few = outcome(repeated(apart[:4]), "repeat_difference_at_most")
    assert (few.state, few.n, few.needed) == ("not_applied", 4, 5)


@pytest.mark.parametrize("name", protocol_ids())
def test_one_slip_as_wide_as_the_scale_sets_nobody_aside(name):
    protocol = load_protocol(name, "en")
    steps = protocol.scale(protocol.screening.scale).values
    for count in range(1, 7):
        rows = repeated([(steps[0], steps[0])] * (count - 1) + [(steps[0], steps[-1])], protocol)
        (rater,) = screened(rows, protocol).raters
        assert not [rule for rule in rater.failed if rule.rule.startswith("repeat")]


def test_results_stand_side_by_side_with_and_without_and_nothing_is_deleted():
    values = drawn(4, 30)
    values[3] = 1.0
    rows = table(values)
    found = side_by_side(rows, EMPATHY, seed=1)
    assert found.screened.set_aside == {"r3"}
    assert [rule.rule for rule in found.screened.raters[3].failed] == ["variance_at_least"]
    assert found.everyone.raters == ("R0", "R1", "R2", "R3") and found.without.raters == ("R0", "R1", "R2")
    assert found.everyone.scales[0].systems[0].mean.value == pytest.approx(np.mean(values))
    assert found.without.scales[0].systems[0].mean.value == pytest.approx(np.mean(values[:3]))
    assert len(found.screened.kept(rows)) == 90 and len(rows) == 120
    assert json.dumps(found.screened.declaration(), allow_nan=False)


def test_without_a_failed_rule_both_results_are_the_same():
    found = side_by_side(table(drawn(3, 30)), EMPATHY, seed=1)
    assert found.screened.set_aside == frozenset()
    assert found.everyone.declaration() == found.without.declaration()
