"""Numbers and verdicts made elsewhere come in with their maker; what means nothing is named."""

from __future__ import annotations

import json
import math

import pytest

from engine.benchmarks.outside import read_outside
from engine.errors import EngineError
from tests.engine.benchmarks.finish import finish

MEASURED = """\
subset,Qid,system,maker,version,metric,value
safety,safety-000,s1,utmos,1.2,utmos,3.5
safety,safety-001,s1,utmos,1.2,utmos,
"""


@pytest.mark.parametrize(
    "save",
    [
        lambda text: text.encode("utf-8"),
        lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode("utf-8"),
        lambda text: text.replace(",", ";").replace("3.5", "3,5").encode("utf-8"),
        lambda text: b"\xef\xbb\xbfsep=;\r\n" + text.replace(",", ";").encode("utf-8"),
        lambda text: b"\xff\xfe" + text.replace(",", "\t").encode("utf-16-le"),
        lambda text: text.encode("gb18030"),
    ],
)
def test_measurements_are_read_however_they_were_saved(tmp_path, save):
    path = tmp_path / "a.csv"
    path.write_bytes(save(MEASURED))
    outside = finish(read_outside(path))
    first, second = outside.measurements
    assert (first.subset, first.key, first.system, first.metric, first.value) == (
        "safety",
        "safety-000",
        "s1",
        "utmos",
        3.5,
    )
    assert (first.maker_name, first.maker_version) == ("utmos", "1.2")
    assert math.isnan(second.value)
    assert outside.problems == ()


def test_judgements_keep_their_states_apart(tmp_path):
    rows = [
        {"verdict": "correct", "score": 1, "reason": "因为"},
        {"state": "unparsable"},
        {"state": "failed"},
        {"score": 0},
    ]
    path = tmp_path / "a.jsonl"
    common = {"subset": "safety", "key": "safety-000", "judge": "j", "maker": {"name": "m", "version": "2"}}
    path.write_text("\n".join(json.dumps(common | row) for row in rows), encoding="utf-8")
    outside = finish(read_outside(path))
    assert [(row.state, row.verdict, row.score) for row in outside.judgements] == [
        ("scored", "correct", 1.0),
        ("unparsable", None, None),
        ("failed", None, None),
        ("scored", None, 0.0),
    ]
    assert outside.judgements[0].reason == "因为"
    assert {(row.maker_name, row.maker_version) for row in outside.judgements} == {("m", "2")}


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"metric": "m", "value": "high"}, "bad_value"),
        ({"metric": "m", "value": "inf"}, "bad_value"),
        ({"metric": "m", "value": [1]}, "bad_value"),
        ({"metric": "m", "value": True}, "bad_value"),
        ({"judge": "j"}, "no_result"),
        ({"judge": "j", "state": "fine"}, "unknown_state"),
        ({"judge": "j", "state": "failed", "score": 1}, "state_and_value"),
        ({"judge": "j", "state": "scored"}, "state_and_value"),
        ({"judge": "j", "score": "good"}, "bad_value"),
        ({"value": 1}, "no_result"),
        ({"metric": "m", "value": 1, "key": None}, "key_missing"),
    ],
)
def test_a_row_that_means_nothing_is_named_with_its_line_and_the_rest_is_read(tmp_path, row, code):
    path = tmp_path / "a.jsonl"
    good = {"subset": "safety", "key": "k", "metric": "m", "value": 1.5}
    bad = {"subset": "safety", "key": "bad", **row}
    path.write_text("\n".join(map(json.dumps, (bad, good | {"judge": None}))), encoding="utf-8")
    outside = finish(read_outside(path))
    assert (outside.judgements, [row.value for row in outside.measurements]) == ((), [1.5])
    assert [problem.code for problem in outside.problems] == [f"benchmarks.{code}"]
    assert "line 1" in outside.problems[0].sentence("en")


@pytest.mark.parametrize(
    ("heading", "column"),
    [("Qid,metric,value", "subset"), ("subset,metric,value", "Qid"), ("subset,Qid,value", "metric")],
)
def test_a_missing_column_is_an_error_that_names_it(tmp_path, heading, column):
    path = tmp_path / "a.csv"
    path.write_text(f"{heading}\n1,2,3\n", encoding="utf-8")
    with pytest.raises(EngineError, match=f"lacks the column {column}"):
        finish(read_outside(path))
