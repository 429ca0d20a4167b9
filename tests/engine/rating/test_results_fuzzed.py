"""Results of any ratings at all: sparse, lopsided, unanimous, of one rater; never an error, never a false number."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rating.protocols import load_protocol, protocol_ids
from engine.rating.quality import rater_quality
from engine.rating.quality_sentences import quality_said, screening_said, side_by_side_said
from engine.rating.result_sentences import sentences
from engine.rating.screening import side_by_side
from tests.engine.rating.rows_of_ratings import rating


@st.composite
def rows_of(draw, name: str):
    protocol = load_protocol(name, "en")
    made = []
    for _ in range(draw(st.integers(0, 40))):
        scale = draw(st.sampled_from(protocol.scales))
        kind = draw(st.sampled_from(["rated"] * 6 + ["gold", "trap", "repeat", "training"]))
        system = draw(st.sampled_from("abc"))
        other = draw(st.sampled_from([each for each in "abc" if each != system])) if protocol.compares else None
        made.append(
            rating(
                draw(st.sampled_from(["li", "wu", "xu"])),
                draw(st.integers(0, 30)),
                draw(st.sampled_from(scale.values)),
                system,
                other_system=other,
                protocol=name,
                scale=scale.id,
                kind=kind,
                expected=draw(st.sampled_from(scale.values)),
                repeat_of=draw(st.sampled_from([None, *(row.assignment_uid for row in made)])),
                pi=draw(st.sampled_from([None, 0.1, 0.5, 1.0])),
                active_s=draw(st.sampled_from([None, 0.0, 3.5])),
                is_before_reveal=draw(st.booleans()),
            )
        )
    return protocol, list({(row.assignment_uid, row.scale): row for row in made}.values())


@pytest.mark.parametrize("name", protocol_ids())
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_any_ratings_have_results_that_can_be_told_and_stored(name, data):
    protocol, rows = data.draw(rows_of(name))
    found = side_by_side(rows, protocol, seed=3)
    for results in (found.everyone, found.without):
        assert json.dumps(results.declaration(), allow_nan=False)
        for scale in results.scales:
            for system in scale.systems:
                assert sum(step.count for step in system.histogram) == system.n == system.counts.rated
    for language in ("en", "zh"):
        said = [*sentences(found.everyone, language), *screening_said(found.screened, language)]
        said += [*side_by_side_said(found, language)]
        said += [line for each in rater_quality(rows, protocol) for line in quality_said(each, language)]
        assert not any("nan" in line or "{" in line for line in said)
