"""The shared worked cases that this room covers; each was agreed there by two routes."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from engine.statistics.alpha import krippendorff_alpha
from engine.statistics.correlations import pearson
from engine.statistics.icc import icc_agreement, icc_consistency, icc_of_mean, icc_one_way
from engine.statistics.kappa import (
    chance_agreement,
    cohen_kappa,
    counts_of,
    disagreements,
    gwet_ac1,
    percent_agreement,
    weighted_kappa,
)
from engine.statistics.preferences import both_orders
from engine.statistics.resampling import bootstrap_over_items, percentile_interval
from engine.statistics.shares import wilson
from tests.shared import needs_shared, shared_file

pytestmark = needs_shared


@cache
def cases() -> dict[str, Any]:
    told = json.loads(shared_file("calibration/cases.json").read_text(encoding="utf-8"))
    return {case["id"]: case for case in told["cases"]}


def data_and_expected(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return cases()[name]["data"], cases()[name]["expected"]


def table_of(rows: list[list[float | None]]) -> np.ndarray:
    return np.array([[math.nan if value is None else value for value in row] for row in rows], dtype=float)


def close(value: float) -> Any:
    return pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_of_four_observers_with_gaps(level):
    data, expected = data_and_expected("K1_krippendorff2011_C")
    assert krippendorff_alpha(table_of(list(data["raters"].values())), level) == close(expected[level])


def test_alpha_of_two_observers():
    data, expected = data_and_expected("K2_krippendorff2011_A")
    assert krippendorff_alpha(table_of(list(data.values())), "nominal") == close(expected["alpha"])


def test_cohens_own_table():
    data, expected = data_and_expected("C1_cohen1960")
    table = np.array(data["table"])
    assert percent_agreement(table) == close(expected["po"])
    assert chance_agreement(table) == close(expected["pe"])
    assert cohen_kappa(table) == close(expected["kappa"])


def test_cohens_own_weights():
    data, expected = data_and_expected("C2_cohen1968_weighted")
    weights = np.array(data["disagreement_weights"], dtype=float)
    assert weighted_kappa(np.array(data["table"]), weights) == close(expected["kappa_w"])


@pytest.mark.parametrize("name", ["P1_kappa_paradox_balanced", "G1_gwet_paradox"])
def test_kappa_falls_by_prevalence_alone_and_ac1_does_not(name):
    data, expected = data_and_expected(name)
    table = np.array(data["table"])
    assert percent_agreement(table) == close(expected["po"])
    assert cohen_kappa(table) == close(expected["kappa"])
    assert gwet_ac1(table) == close(expected["ac1"])


def test_intraclass_correlations_of_shrout_and_fleiss():
    data, expected = data_and_expected("I1_shrout_fleiss1979")
    ratings = np.array(data["ratings"], dtype=float)
    found = [float(icc(ratings)) for icc in (icc_one_way, icc_agreement, icc_consistency, icc_of_mean)]
    assert found == close([expected[name] for name in ("ICC1", "ICC2", "ICC3", "ICC2k")])


def test_a_step_nobody_used_still_lies_between_its_neighbours():
    data, expected = data_and_expected("W1_missing_category")
    table = counts_of(data["human"], data["judge"], data["scale"])
    assert weighted_kappa(table, disagreements(5, "quadratic")) == close(expected["qwk"])
    assert weighted_kappa(table, disagreements(5, "linear")) == close(expected["lwk"])
    assert cohen_kappa(table) == close(expected["kappa"])
    guessed = counts_of(data["human"], data["judge"], [1, 2, 4, 5])
    assert weighted_kappa(guessed, disagreements(4, "quadratic")) == close(expected["qwk_wrong_labels_inferred"])


def test_what_has_no_value_is_nan_and_a_constant_judge_is_zero():
    data, expected = data_and_expected("X1_constant_judge")
    constant, same = data["judge_constant"], data["all_same_human"]
    assert cohen_kappa(counts_of(data["human"], constant, [0, 1])) == close(expected["kappa_judge_constant"])
    assert math.isnan(cohen_kappa(counts_of(same, constant, [0, 1])))
    assert math.isnan(krippendorff_alpha(table_of([same, constant]), "nominal"))
    assert math.isnan(pearson(*table_of([data["human"], constant])))
    assert gwet_ac1(counts_of(same, constant, [0, 1])) == 1.0


@pytest.mark.parametrize("name", ["N1_wilson_81_263", "N1_wilson_15_148", "N1_wilson_0_20"])
def test_wilson(name):
    data, expected = data_and_expected(name)
    figure = wilson(data["k"], data["n"])
    assert (figure.low, figure.high) == (close(expected["lo"]), close(expected["hi"]))


def test_the_bootstrap_follows_the_law_that_all_resamples_have():
    data, expected = data_and_expected("B1_exact_bootstrap")
    means = bootstrap_over_items(np.array(data["x"], dtype=float), seed=4, rounds=20_000)
    assert means.mean() == pytest.approx(expected["mean"], abs=0.01)
    assert means.std() == pytest.approx(expected["sd"], abs=0.01)
    assert percentile_interval(means) == close((expected["q025"], expected["q975"]))


def test_flips_show_a_pull_to_the_first_place():
    data, expected = data_and_expected("POS1_position_bias")
    found = both_orders(np.array(data["fw"]), np.array(data["bw"]))
    assert found.consistent == close(expected["consistent"])
    assert (found.first_only, found.second_only) == (expected["first_wins_only"], expected["second_wins_only"])
    assert found.p == close(expected["p_exact"])


def test_repeats_of_one_rater_are_interchangeable():
    data, expected = data_and_expected("REP1_self_consistency")
    assert icc_one_way(np.array(data["runs"], dtype=float)) == close(expected["icc1"])
