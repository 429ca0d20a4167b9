"""The overall score: the paper's rows come out, and what is missing is named."""

from __future__ import annotations

import math

import pytest

from engine.scoring.overall import CONDITIONS, overall, published_rows, recomputed_overalls, robust_points


def test_fourteen_printed_overalls_come_out_and_one_does_not():
    rows = recomputed_overalls()
    off = {row.system: row.difference for row in rows if abs(row.difference) > 0.001}
    assert len(rows) == 15
    assert list(off) == ["Qwen3-Omni"]
    assert off["Qwen3-Omni"] == pytest.approx(-0.054, abs=5e-4)


def test_every_part_counts_as_table_2_follows_it():
    parts = {
        "knowledge": 50.0,  # 5
        "reasoning": 40.0,  # 4
        "creativity": 3.0,  # 6
        "fluency": 3.5,
        "clarity": 5.0,  # 10 - floor(2.5) = 8
        "single_round": 4.0,  # 8
        "instruction_following": 30.0,  # 3
        "empathy": 20.0,  # 2
        "safety": 90.0,  # 9
        "robust": 12.5,
    }
    assert overall(parts).value == pytest.approx(5 + 4 + 6 + 3.5 + 8 + 8 + 3 + 2 + 9 + 12.5)


def test_a_missing_part_leaves_no_value_but_the_points_there_are():
    found = overall({"knowledge": 50.0, "safety": math.nan})
    assert math.isnan(found.value)
    assert found.known == 5.0
    assert "knowledge" not in found.missing
    assert "safety" in found.missing
    assert len(found.missing) == 9


def test_clarity_never_counts_below_zero():
    assert overall({"clarity": 33.947}).known == 0.0


def test_the_robust_part_is_capped_at_the_clean_score():
    scores = dict.fromkeys(CONDITIONS, 2.0)
    assert robust_points(4.0, scores) == pytest.approx(7.5)
    assert robust_points(1.0, scores) == 15.0
    assert math.isnan(robust_points(0.0, scores))
    assert math.isnan(robust_points(4.0, {"white_noise": 2.0}))


def test_every_printed_table_names_its_systems():
    for table in ("overall", "knowledge", "empathy", "robust", "instruction"):
        assert len({row["system"] for row in published_rows(table)}) == 15
