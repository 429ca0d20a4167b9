"""Sizes told before a study agree with the shared cases, with an independent library and with simulation."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from engine.rating.protocols import load_protocol
from engine.rating.sizes import (
    GAP_S,
    Lengths,
    detectable_difference,
    half_width_of_mean,
    half_width_of_share,
    items_for_share,
    precision_of,
    session_seconds,
)
from engine.store.studies import NewAssignment

CASES = Path(__file__).resolve().parents[4] / "shared" / "calibration" / "cases.json"


def test_items_for_a_share_are_those_of_the_textbook():
    assert [items_for_share(*case) for case in ((0.5, 0.05), (0.8, 0.05), (0.9, 0.03))] == [385, 246, 385]


@pytest.mark.skipif(not CASES.exists(), reason="needs the shared reading")
def test_items_for_a_share_are_those_of_the_shared_case():
    case = next(c for c in json.loads(CASES.read_text(encoding="utf-8"))["cases"] if c["id"] == "SS1_proportion")
    assert [items_for_share(*entry) for entry in case["data"]["cases"]] == case["expected"]["n"]


def test_the_interval_of_a_mean_is_the_t_interval():
    values = np.array([1.0, 2.0, 4.0, 4.0, 5.0, 3.0, 2.0])
    low, high = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
    assert half_width_of_mean(float(values.std(ddof=1)), len(values)) == pytest.approx((high - low) / 2)
    assert half_width_of_mean(1.0, 1) is None


def test_the_interval_of_a_share_shrinks_with_the_root_of_the_items():
    assert half_width_of_share(0.5, 100) == pytest.approx(1.959964 * 0.05, rel=1e-6)
    assert half_width_of_share(0.5, 400) == pytest.approx(1.959964 * 0.025, rel=1e-6)
    assert half_width_of_share(0.5, 0) is None


def test_a_detectable_difference_is_found_in_four_of_five_studies():
    sd, correlation, n = 0.9, 0.3, 60
    apart = detectable_difference(sd, correlation, n)
    spread = sd * math.sqrt(2 * (1 - correlation))
    power = 1 - stats.norm.cdf(stats.norm.ppf(0.975) - apart / (spread / math.sqrt(n)))
    assert power == pytest.approx(0.8, abs=1e-6)
    rng = np.random.default_rng(0)
    differences = rng.normal(apart, spread, (4000, n))
    found = np.abs(differences.mean(axis=1)) > 1.959964 * spread / math.sqrt(n)
    assert found.mean() == pytest.approx(0.8, abs=0.03)


def test_a_difference_of_shares_is_that_of_the_design_note():
    share, correlation = 0.5, 0.8
    changed = 2 * share * (1 - share) * (1 - correlation)  # 10 % of the answers change
    apart = detectable_difference(math.sqrt(share * (1 - share)), correlation, 200)
    assert changed == pytest.approx(0.1)
    assert apart == pytest.approx(2.8 * math.sqrt(changed) / math.sqrt(200), rel=0.001)
    assert round(100 * apart) == 6


def test_precision_tells_both_intervals_and_what_it_assumes():
    found = precision_of(load_protocol("empathy_acoustic", "en"), 50, 100, 2)
    assert found.half_width == pytest.approx(stats.t.ppf(0.975, 49) * 0.9 / math.sqrt(50))
    assert found.half_width_run == pytest.approx(found.half_width * math.sqrt(0.5))
    assert found.assumed == {"sd": 0.9, "correlation": 0.3}
    assert precision_of(load_protocol("safety", "en"), 100, 100, 1).half_width_run == 0.0
    assert precision_of(load_protocol("safety", "en"), 100, 100, 1).difference is None
    assert precision_of(load_protocol("safety", "en"), 0, 0, 1).half_width is None
    compared = precision_of(load_protocol("comparison", "en"), 49, 100, 2)
    assert compared.difference == pytest.approx(2.8016 * 1.2 / 7, rel=1e-4)


def assignment(response_id: int, other: int | None = None) -> NewAssignment:
    return NewAssignment(
        "rated", response_id, "A", "audio", "d", "random", 0.5, "", "test", "estimation", other_response_id=other
    )


LENGTHS = Lengths({1: 3.0, 2: 4.0, 3: 5.0}, {1: 50, 2: 100, 3: 10}, {1: 10, 2: 10, 3: 11}, {10: 6.0, 11: 2.0})


def test_a_question_is_heard_once_before_all_its_answers():
    protocol = load_protocol("empathy_acoustic", "zh")
    seconds = session_seconds(protocol, [assignment(1), assignment(2), assignment(3)], LENGTHS)
    assert seconds == pytest.approx((6 + GAP_S + 3 + 4) + (2 + GAP_S + 5) + 3 * protocol.planning.answer_s)


def test_a_comparison_plays_two_clips_with_a_gap():
    protocol = load_protocol("comparison", "zh")
    seconds = session_seconds(protocol, [assignment(1, 2)], LENGTHS)
    assert seconds == pytest.approx(3 + GAP_S + 4 + protocol.planning.answer_s)


def test_a_text_takes_the_time_to_read_it():
    protocol = load_protocol("empathy_semantic", "zh")
    seconds = session_seconds(protocol, [assignment(2)], LENGTHS)
    assert seconds == pytest.approx(6 + GAP_S + 100 / 5 + protocol.planning.answer_s)
