"""Why a judgement failed is kept as a code with values and worded for whoever reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import EngineError
from engine.judges.failed import kept_reason, reason_said
from engine.judges.values import Judgement

BLANK = Judgement(1, "knowledge", 1, "", 0, "failed", None, None, "", None)


def test_a_failure_is_worded_in_the_readers_language_whatever_the_item_was_asked_in():
    failed = replace(BLANK, error_code="judges.unreachable", error_values={"status": 0, "tries": 8})
    kept = kept_reason(failed)
    assert reason_said("failed", "judges.unreachable", kept, "en") == (
        "No connection to the endpoint, through 8 tries."
    )
    assert reason_said("failed", "judges.unreachable", kept, "zh") == "尝试 8 次，都无法连接接口。"


def test_what_was_never_asked_says_why():
    spent = replace(BLANK, state="unscored", error_code="judges.budget_spent")
    assert (
        reason_said("unscored", "judges.budget_spent", kept_reason(spent), "en") == "Not asked: the budget was spent."
    )


@pytest.mark.parametrize("state", ["scored", "unparsable"])
def test_a_judges_own_words_stay_as_they_are(state):
    said = replace(BLANK, state=state, reason="{因为}", error_code="judges.no_verdict")
    assert reason_said(state, "judges.no_verdict", kept_reason(said), "en") == "{因为}"


@pytest.mark.parametrize(
    ("error", "kept", "shown"),
    [
        (
            "judges.unreachable",
            "尝试 8 次，都无法连接接口。",
            "尝试 8 次，都无法连接接口。",
        ),  # as earlier versions kept it
        ("judges.of_a_later_version", "{}", "judges.of_a_later_version"),
        ("question_changed", "{", "{"),
        (None, "{}", "{}"),
    ],
)
def test_what_other_versions_kept_is_shown_as_far_as_it_is_understood(error, kept, shown):
    assert reason_said("failed", error, kept, "en") == shown


def test_an_endpoint_that_is_down_says_its_last_reason_in_the_readers_language():
    because = ("judges.server_error", {"status": 502, "tries": 8})
    error = EngineError("judges.endpoint_down", base_url="u", model="m", count=32, because=because)
    assert "status 502 through 8 tries" in error.sentence("en")
    assert "接口都返回状态 502" in error.sentence("zh")
