"""The quality of raters, by hand: bias, consistency, gold, traps, pace, agreement with the others."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from engine.rating.protocols import load_protocol
from engine.rating.quality import rater_quality
from engine.statistics.figures import TooFew
from tests.engine.rating.rows_of_ratings import drawn, rating, table

EMPATHY = load_protocol("empathy_semantic", "en")
SAFETY = load_protocol("safety", "en")
PREFERENCE = load_protocol("preference", "en")
SAFE = {"protocol": "safety", "scale": "safety"}


def quality_of(rater: str, rows, protocol=EMPATHY):
    return next(each for each in rater_quality(rows, protocol) if each.rater_uid == rater)


def test_bias_is_the_mean_distance_from_the_others_on_common_answers():
    rows = [rating("li", 1, 2), rating("wu", 1, 4), rating("xu", 1, 4), rating("li", 2, 3), rating("wu", 2, 5)]
    rows += [rating("li", 3, 1)]  # nobody else rated it
    found = quality_of("li", rows)
    assert (found.bias.value, found.bias.n, found.compared) == (-2.0, 2, 2)
    assert found.bias.too_few == TooFew("answers", 2, 3) and not found.bias.has_interval
    more = [rating(rater, item, value) for rater, value in (("li", 1), ("wu", 5)) for item in (4, 5)]
    wide = quality_of("li", [*rows, *more]).bias  # -2, -2, -4, -4: t would go down to -4.84
    assert (wide.value, wide.low, wide.high) == (
        -3.0,
        -4.0,
        pytest.approx(-3 + 3.182446 * math.sqrt(4 / 3) / 2, abs=1e-5),
    )
    assert quality_of("wu", rows).bias.value == pytest.approx((4 - 3 + 5 - 3) / 2)


def test_alone_a_rater_has_no_bias():
    found = quality_of("li", [rating("li", 1, 2)])
    assert math.isnan(found.bias.value) and found.compared == 0 and math.isnan(found.pearson)


def test_scale_use_shows_in_histogram_spread_and_evenness():
    found = quality_of("li", [rating("li", item, value) for item, value in enumerate((3, 3, 3, 3))])
    assert ([step.count for step in found.histogram], found.sd, found.evenness) == ([0, 0, 4, 0, 0], 0.0, 0.0)
    even = quality_of("li", [rating("li", item, value) for item, value in enumerate((1, 2, 3, 4, 5))])
    assert even.evenness == pytest.approx(1.0) and even.sd == pytest.approx(math.sqrt(2.5))


def repeated(item: int, first, again, **told):
    one = rating("li", item, first, **told)
    return [one, rating("li", item, again, kind="repeat", repeat_of=one.assignment_uid, **told)]


def test_hidden_repeats_tell_how_consistent_a_rater_is():
    rows = repeated(1, 3, 3) + repeated(2, 4, 2) + repeated(3, 5, 4)
    found = quality_of("li", rows).repeats
    assert (found.n, found.same.value, found.difference) == (3, pytest.approx(1 / 3), 1.0)


def test_a_repeat_of_something_never_rated_is_no_pair():
    rows = [rating("li", 1, 3), rating("li", 2, 4, kind="repeat", repeat_of="nothing")]
    assert quality_of("li", rows).repeats.n == 0
    assert math.isnan(quality_of("li", rows).repeats.same.value)


def test_a_comparison_played_the_other_way_round_is_repeated_by_the_same_system():
    told = {"protocol": "preference", "scale": "preference"}
    one = rating("li", 1, "first", "a", other_system="b", **told)
    again = rating("li", 1, "second", "b", other_system="a", kind="repeat", repeat_of=one.assignment_uid, **told)
    assert quality_of("li", [one, again], PREFERENCE).repeats.same.value == 1.0


def test_gold_may_be_one_step_off_and_a_trap_may_not():
    rows = [rating("li", item, value, kind=kind, expected=4)
            for kind in ("gold", "trap") for item, value in enumerate((4, 5, 3, 2))]  # fmt: skip
    found = quality_of("li", rows)
    assert (found.gold.right, found.gold.n, found.gold.share.value) == (3, 4, 0.75)
    assert (found.traps.right, found.traps.n) == (1, 4)


def test_gold_of_named_steps_must_be_the_same():
    rows = [rating("li", item, value, kind="gold", expected="refused", **SAFE)
            for item, value in enumerate(("refused", "partly"))]  # fmt: skip
    assert quality_of("li", rows, SAFETY).gold.right == 1


def test_a_gold_item_without_an_expected_value_on_this_scale_says_nothing():
    assert quality_of("li", [rating("li", 1, 4, kind="gold")]).gold.n == 0


def test_time_is_held_against_the_length_of_the_clips():
    rows = [rating("li", 1, 3, active_s=2.0, clip_s=4.0), rating("li", 2, 3, active_s=8.0, clip_s=4.0),
            rating("li", 3, 3, active_s=12.0, clip_s=4.0), rating("li", 4, 3, active_s=None),
            rating("li", 5, 3, active_s=5.0, clip_s=None)]  # fmt: skip
    found = quality_of("li", rows).pace
    assert (found.n, found.median_s, found.over_clip, found.shorter) == (4, 6.5, 2.0, pytest.approx(1 / 3))


def test_no_times_give_no_pace():
    found = quality_of("li", [rating("li", 1, 3, active_s=None)]).pace
    assert found.n == 0 and math.isnan(found.median_s) and math.isnan(found.shorter)


def test_a_rater_like_the_others_correlates_with_their_mean_and_a_random_one_does_not():
    values = drawn(4, 60)
    values[3] = np.random.default_rng(8).integers(1, 6, 60)
    rows = table(values)
    assert quality_of("r0", rows).pearson > 0.6 > 0.3 > quality_of("r3", rows).pearson
    rest = values[1:].mean(axis=0)
    assert quality_of("r0", rows).pearson == pytest.approx(np.corrcoef(values[0], rest)[0, 1])
    assert quality_of("r0", rows).spearman > 0.6


def test_on_named_steps_a_rater_is_held_against_what_most_of_the_others_gave():
    rows = [rating(rater, 1, value, **SAFE) for rater, value in
            (("li", "partly"), ("wu", "refused"), ("xu", "refused"), ("yu", "complied"))]  # fmt: skip
    rows += [rating(rater, 2, value, **SAFE) for rater, value in (("li", "refused"), ("wu", "refused"))]
    assert quality_of("li", rows, SAFETY).as_most.value == 0.5
    assert quality_of("wu", rows, SAFETY).as_most.value == 1.0  # of three who differ each is a tie at the top
    assert math.isnan(quality_of("li", rows, SAFETY).bias.value)
    assert math.isnan(quality_of("li", rows, SAFETY).sd)


def test_of_comparisons_a_pull_to_the_first_shows():
    told = {"protocol": "preference", "scale": "preference", "other_system": "b"}
    rows = [rating("li", item, "first", "a", **told) for item in range(6)]
    found = quality_of("li", rows, PREFERENCE)
    assert found.order is not None and (found.order.wins, found.order.losses) == (6, 0)
    assert math.isnan(found.bias.value)


def test_training_is_passed_over():
    assert rater_quality([rating("li", 1, 3, kind="training", expected=3)], EMPATHY) == ()


def test_all_of_it_becomes_plain_values():
    for found in rater_quality(table(drawn(3, 10)), EMPATHY):
        assert json.dumps(found.declaration(), allow_nan=False)
