"""Subsets are called by their titles, tasks by their names in words with the data set apart."""

from __future__ import annotations

import pytest

from engine.benchmarks.titles import benchmark_title, subset_title


@pytest.mark.parametrize(
    ("subset", "language", "title"),
    [
        ("chinese_knowledge", "en", "Chinese knowledge"),
        ("vocalbench_zh/chinese_knowledge", "zh", "中国知识"),
        (
            "dynamic_superb/spoken_question_answering_auricle_general",
            "zh",
            "Spoken question answering · auricle general",
        ),
        ("how_far_are_you_3dspeaker", "en", "How far are you 3dspeaker"),
        ("detection", "en", "Detection"),
        ("___", "en", "___"),
    ],
)
def test_a_subset_is_called_by_its_title_or_its_name_in_words(subset, language, title):
    assert subset_title(subset, language) == title


def test_a_benchmark_nobody_named_keeps_its_id():
    assert [benchmark_title(name) for name in ("vocalbench_zh", "mine")] == ["VocalBench-zh", "mine"]
