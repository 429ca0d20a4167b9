"""Results of a study: what counts, what is kept apart, and figures worked out by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from engine.rating.protocols import load_protocol
from engine.rating.results import is_drawn, study_results
from engine.statistics.alpha import krippendorff_alpha
from engine.statistics.figures import TooFew
from engine.store.planned_ratings import PlannedRating
from tests.engine.rating.rows_of_ratings import drawn, rating, table

EMPATHY = load_protocol("empathy_semantic", "en")
SAFETY = load_protocol("safety", "en")


def only_scale(rows, protocol=EMPATHY, **more):
    return study_results(rows, protocol, seed=1, **more).scales[0]


def safety(rater: str, item: int, value, system: str = "a", **told):
    return rating(rater, item, value, system, **{"protocol": "safety", "scale": "safety", **told})


def test_a_systems_figures_by_hand():
    system = only_scale([rating("li", 1, 2), rating("wu", 1, 4), rating("li", 2, 5)]).systems[0]
    assert (system.n, system.items, system.raters) == (3, 2, 2)
    assert system.mean.value == 4.0  # items (2 + 4) / 2 and 5: an item counts once
    assert system.mean.too_few == TooFew("items", 2, 20)
    assert (system.sd, system.median) == (pytest.approx(math.sqrt(7 / 3)), 4.0)


def test_the_histogram_has_every_step_also_those_nobody_gave():
    system = only_scale([rating("li", 1, 2), rating("wu", 1, 4), rating("li", 2, 4)]).systems[0]
    assert [(step.value, step.count) for step in system.histogram] == [(1, 0), (2, 1), (3, 0), (4, 2), (5, 0)]
    assert all(step.label for step in system.histogram)


def test_each_item_and_system_has_its_own_figures():
    scale = only_scale([rating("li", 1, 2), rating("wu", 1, 4), rating("li", 1, 5, "b")])
    first, second = scale.items
    assert (first.system, first.n, first.mean.value, first.mean.too_few) == ("a", 2, 3.0, TooFew("ratings", 2, 3))
    assert (second.system, second.n, second.mean.value) == ("b", 1, 5.0)
    assert math.isnan(second.mean.low) and math.isnan(second.sd)


def test_the_interval_of_an_answer_stays_on_the_scale():
    values = {1: (3, 3, 4), 2: (4, 5, 5), 3: (5, 5, 5), 4: (1, 1)}
    rows = [rating(f"r{n}", item, value) for item, given in values.items() for n, value in enumerate(given)]
    even, high, alike, two = (item.mean for item in only_scale(rows).items)
    assert even.high - even.value == pytest.approx(4.3026527 / 3, abs=1e-6)  # t(.975, 2) x sqrt(1 / 3) / sqrt(3)
    assert (high.high, high.low) == (5.0, pytest.approx(14 / 3 - 4.3026527 / 3, abs=1e-6))
    assert (alike.high, alike.low) == (5.0, pytest.approx(1 + 4 * 3 / (3 + 1.959964**2), abs=1e-5))  # Wilson of 3 in 3
    assert not two.has_interval and two.too_few == TooFew("ratings", 2, 3)


def test_training_gold_traps_and_hidden_repeats_enter_no_figure():
    rows = [rating("li", 1, 3)] + [rating("li", 1, 5, kind=kind) for kind in ("training", "gold", "trap", "repeat")]
    results = study_results(rows, EMPATHY, seed=1)
    assert results.scales[0].systems[0].mean.value == 3.0
    assert results.scales[0].counts.rated == 1


def test_ratings_of_other_protocols_versions_and_former_ratings_are_passed_over():
    rows = [
        rating("li", 1, 3),
        rating("li", 1, 1, protocol="naturalness", scale="naturalness"),
        rating("li", 2, 1, protocol_version=2),
        rating("li", 3, 1, is_current=False),
    ]
    assert only_scale(rows).systems[0].n == 1


def test_a_value_the_protocol_does_not_know_counts_nowhere_and_is_told():
    results = study_results([rating("li", 1, 3), rating("li", 2, 9), rating("li", 3, "five")], EMPATHY, seed=1)
    assert (results.off_scale, results.scales[0].systems[0].n) == (2, 1)


def test_only_ratings_before_the_reveal_count_where_the_protocol_reveals_afterwards():
    acoustic = load_protocol("empathy_acoustic", "en")
    told = {"protocol": "empathy_acoustic", "scale": "empathy_acoustic"}
    rows = [rating("li", 1, 3, **told), rating("li", 2, 5, **told, is_before_reveal=False)]
    assert only_scale(rows, acoustic).systems[0].n == 1
    seen = [rating("li", 1, 3), rating("li", 2, 5, is_before_reveal=False)]
    assert only_scale(seen).systems[0].n == 2  # where the text is there from the start it makes no difference


def planned(*states: str, system: str = "a", kind: str = "rated") -> list[PlannedRating]:
    return [
        PlannedRating("li", "Li", "empathy_semantic", 1, f"u{i}", kind, i, system, None, "random", 0.5, state)
        for i, state in enumerate(states)
    ]


def test_rated_skipped_and_missing_are_kept_apart():
    plan = planned("rated", "skipped", "skipped", "open", "open", "open") + planned("rated", kind="gold")
    plan += planned("open", system="b")
    scale = only_scale([rating("li", 0, 3)], planned=plan)
    assert (scale.counts.planned, scale.counts.rated, scale.counts.skipped, scale.counts.missing) == (7, 1, 2, 4)
    of_a = scale.systems[0].counts
    assert (of_a.planned, of_a.rated, of_a.skipped, of_a.missing) == (6, 1, 2, 3)


def test_without_a_plan_nothing_is_said_of_what_is_missing():
    counts = only_scale([rating("li", 0, 3)]).counts
    assert (counts.planned, counts.rated, counts.skipped, counts.missing) == (None, 1, None, None)


def test_a_scale_that_was_not_asked_is_not_missing():
    rows = [safety("li", 1, "refused"), safety("li", 2, "partly"), safety("li", 2, 4, scale="severity"),
            safety("li", 3, "complied")]  # fmt: skip
    severity = study_results(rows, SAFETY, seed=1).scale("severity")
    assert (severity.counts.planned, severity.counts.rated, severity.counts.missing) == (2, 1, 1)
    assert severity.systems[0].mean.value == 4.0


def test_safety_has_a_share_for_each_verdict_and_passes_as_the_protocol_says():
    rows = [safety("li", item, "refused" if item < 14 else "partly" if item < 17 else "complied") for item in range(20)]
    system = only_scale(rows, SAFETY).systems[0]
    assert [(each.value, each.share.value) for each in system.shares] == [
        ("refused", 0.7),
        ("partly", 0.15),
        ("complied", 0.15),
    ]
    assert (system.shares[0].share.method, system.shares[0].share.n) == ("wilson", 20)
    assert system.shares[0].share.low == pytest.approx(0.4810, abs=1e-4)  # Wilson of 14 in 20
    assert system.passes is not None and system.passes.value == 0.7
    assert math.isnan(system.mean.value)
    lenient = replace(SAFETY, passes_when=replace(SAFETY.passes_when, among=("refused", "partly")))
    assert only_scale(rows, lenient).systems[0].passes.value == pytest.approx(0.85)


def test_raters_who_differ_on_an_item_share_it_and_the_interval_counts_items():
    rows = [safety(rater, item, "refused") for item in range(10) for rater in ("li", "wu")]
    rows[0] = replace(rows[0], value="complied")
    refused = only_scale(rows, SAFETY).systems[0].shares[0].share
    assert (refused.value, refused.n) == (pytest.approx(0.95), 10)


def test_a_numbered_scale_passes_from_its_cut_on():
    rows = [rating("li", item, value) for item, value in enumerate((1, 2, 3, 5))]
    assert only_scale(rows).systems[0].passes.value == 0.5


def test_under_eight_raters_each_is_left_out_in_turn_and_from_eight_on_raters_are_resampled():
    few, many = (study_results(table(drawn(n, 40)), EMPATHY, seed=1) for n in (3, 8))
    assert few.method == few.scales[0].systems[0].mean.method == "bootstrap_items"
    assert [each.rater for each in few.scales[0].systems[0].without_rater] == ["R0", "R1", "R2"]
    expected = drawn(3, 40)[1:].mean()
    assert few.scales[0].systems[0].without_rater[0].value == pytest.approx(expected)
    assert many.method == many.scales[0].systems[0].mean.method == "bootstrap_two_way"
    assert many.scales[0].systems[0].without_rater == ()


def test_systems_are_compared_on_their_common_items_with_holm_over_all_pairs():
    rows = table(drawn(3, 40), "a") + table(np.minimum(drawn(3, 40) + 1, 5), "b") + table(drawn(3, 40, seed=9), "c")
    found = only_scale(rows).differences
    assert [(each.one, each.other, each.of) for each in found] == [
        ("a", "b", "mean"),
        ("a", "c", "mean"),
        ("b", "c", "mean"),
    ]
    a_b = found[0].difference
    assert a_b.figure.value == pytest.approx((drawn(3, 40) - np.minimum(drawn(3, 40) + 1, 5)).mean())
    assert a_b.figure.high < 0 and a_b.pairing == "within_rater"
    assert a_b.p_holm == pytest.approx(min(1, 3 * a_b.p), abs=1e-3)


def test_systems_without_a_common_item_have_no_difference():
    rows = [rating("li", 1, 3, "a"), rating("li", 2, 3, "b")]
    assert only_scale(rows).differences == ()


def test_differences_of_named_steps_are_of_what_passes():
    rows = [safety("li", item, "refused", "a") for item in range(30)]
    rows += [safety("li", item, "refused" if item % 2 else "complied", "b") for item in range(30)]
    found = only_scale(rows, SAFETY).differences[0]
    assert (found.of, found.difference.figure.value) == ("passes", 0.5)


def test_agreement_is_over_answers_and_draws_questions_whole():
    values = drawn(3, 60)
    rows = table(values, "a") + table(drawn(3, 60, seed=5), "b")
    found = only_scale(rows).agreement
    both = np.hstack([values, drawn(3, 60, seed=5)])
    assert found.alpha.value == pytest.approx(krippendorff_alpha(both, "ordinal"))
    assert (found.raters, found.answers, found.items, found.alpha.n, found.level) == (3, 120, 60, 60, "ordinal")
    assert found.alpha.low < found.alpha.value < found.alpha.high
    assert found.icc is not None and found.icc.low < found.icc.value < found.icc.high
    assert [(pair.one, pair.other, pair.answers) for pair in found.pairs] == [
        ("R0", "R1", 120),
        ("R0", "R2", 120),
        ("R1", "R2", 120),
    ]
    assert found.pairs[0].by_chance < found.pairs[0].agreed


def test_agreement_on_named_steps_is_nominal_and_has_no_icc():
    rows = [safety(rater, item, "refused" if item % 3 else "partly") for item in range(60) for rater in ("li", "wu")]
    found = only_scale(rows, SAFETY).agreement
    assert (found.level, found.alpha.value, found.icc) == ("nominal", 1.0, None)
    assert found.pairs[0].kappa.value == 1.0


def test_one_rater_has_nobody_to_agree_with():
    assert only_scale([rating("li", item, 3) for item in range(5)]).agreement is None


def test_a_step_that_nobody_gave_stands_between_its_neighbours_in_kappa():
    rows = [rating("li", i, value) for i, value in enumerate((2, 2, 4, 4))]
    rows += [rating("wu", i, value) for i, value in enumerate((2, 4, 4, 4))]
    # of 4 answers one is 2 steps apart: 1 - (4 / 4) / (4 x (2 x 3 + 2 x 1) / 16)
    assert only_scale(rows).agreement.pairs[0].kappa.value == pytest.approx(1 - 1 / 2)


def test_items_picked_by_hand_cannot_correct_a_score():
    by_hand = study_results([rating("li", 1, 3, selection="manual", pi=None)], EMPATHY, seed=1)
    assert not by_hand.basis.corrects_a_score and by_hand.basis.by_hand == 1
    assert study_results([rating("li", 1, 3)], EMPATHY, seed=1).basis.corrects_a_score


def test_what_was_drawn_beside_them_can_be_taken_alone():
    rows = [rating("li", 1, 1, selection="manual", pi=None), rating("li", 2, 5)]
    both, drawn_only = study_results(rows, EMPATHY, seed=1), study_results(filter(is_drawn, rows), EMPATHY, seed=1)
    assert not both.basis.corrects_a_score
    assert drawn_only.basis.corrects_a_score and drawn_only.scales[0].systems[0].mean.value == 5.0


def test_unequal_chances_are_weighted_and_the_cost_is_told():
    rows = [rating("li", item, 5, selection="stratified", stratum="fail", pi=1.0) for item in range(10)]
    rows += [rating("li", 10 + item, 1, selection="stratified", stratum="pass", pi=0.1) for item in range(10)]
    results = study_results(rows, EMPATHY, seed=1)
    system = results.scales[0].systems[0]
    assert system.mean.value == pytest.approx((10 * 5 + 100 * 1) / 110)
    assert results.basis.is_weighted and results.basis.corrects_a_score
    assert results.basis.design_effect == pytest.approx(20 * (10 + 1000) / 110**2)
    assert system.mean.low < system.mean.value < system.mean.high


def test_a_weighted_share_rests_on_fewer_items():
    rows = [safety("li", item, "refused", selection="stratified", pi=1.0) for item in range(50)]
    rows += [safety("li", 50 + item, "complied", selection="stratified", pi=0.5) for item in range(50)]
    refused = only_scale(rows, SAFETY).systems[0].shares[0].share
    assert (refused.value, refused.n) == (pytest.approx(1 / 3), 90)  # 150^2 / 250


def test_no_rating_gives_empty_results_and_no_error():
    results = study_results([], SAFETY, seed=1, planned=[])
    assert (results.raters, results.items, results.scales[0].systems) == ((), 0, ())
    assert not results.basis.corrects_a_score
    assert json.dumps(results.declaration(), allow_nan=False)


def test_the_order_of_the_rows_changes_nothing():
    rows = table(drawn(3, 30), "a") + table(drawn(3, 30, seed=2), "b")
    shuffled = [rows[place] for place in np.random.default_rng(1).permutation(len(rows))]
    assert study_results(rows, EMPATHY, seed=4).declaration() == study_results(shuffled, EMPATHY, seed=4).declaration()


def test_another_seed_moves_the_intervals_and_not_the_values():
    one, other = (study_results(table(drawn(3, 30)), EMPATHY, seed=seed).scales[0].systems[0].mean for seed in (1, 2))
    assert one.value == other.value and one.low != other.low


def test_two_languages_of_a_protocol_are_one_and_told_apart():
    rows = [rating("li", 1, 3), rating("wu", 1, 4, language="zh", protocol_sha256="1" * 64)]
    results = study_results(rows, EMPATHY, seed=1)
    assert results.languages == ("en", "zh") and len(results.sha256s) == 2
    assert results.raters == ("Li", "Wu")


def test_two_answers_of_one_system_to_a_question_are_two_answers():
    rows = [rating(rater, 1, value, response_uid=uid, assignment_uid=f"{rater}-{uid}")
            for uid, value in (("first run", 2), ("second run", 5)) for rater in ("li", "wu")]  # fmt: skip
    scale = only_scale(rows)
    assert scale.agreement.answers == 2 and scale.agreement.alpha.value == 1.0
    assert [item.mean.value for item in scale.items] == [2.0, 5.0]
    assert scale.systems[0].mean.value == 3.5
