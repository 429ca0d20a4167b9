"""What the filter offers while one types."""

from __future__ import annotations

from engine.query.complete import Facets, complete, read_facets
from engine.query.grammar import parse
from tests.engine.query.test_rows import filled  # noqa: F401

FACETS = Facets({"system": ("example-flawed", "two words", 'a "quote"'), "tag": ("seen",)})


def offered(text, language="en"):
    return [text[: s.start] + s.text + text[s.end :] for s in complete(text, len(text), FACETS, language)]


def test_fields_are_offered_by_name_alias_and_label():
    assert offered("sys")[0] == "system:"
    assert offered("-ta")[0] == "-tag:"
    assert offered("a (dura")[0] == "a (length"
    assert "state:" in offered("状", "zh")
    assert offered("flip") == ["is:flipped"]


def test_values_are_offered_as_they_can_be_written():
    assert offered("system:") == ["system:example-flawed", 'system:"two words"', 'system:"a \\"quote\\""']
    for text in offered("system:"):
        parse(text)
    assert offered("state:f") == ["state:failed", "state:unparsable"][:1]
    assert offered("state:failed,un") == ["state:failed,unparsable", "state:failed,unscored"]
    assert offered("状态:失", "zh") == ["状态:failed"]


def test_what_people_rated_is_offered_as_other_fields_are():
    assert offered("human:") == ["human:pass", "human:fail"]
    assert offered("human:未", "zh") == ["human:fail"]
    assert offered("against_h") == ["is:against_human"]
    assert "human_score" in offered("人工", "zh")
    assert parse("human:通过") == parse("human:pass")
    assert parse("is:rated") == parse("rated:yes") != parse("rated:no")


def test_nothing_is_offered_in_quotes_behind_numbers_or_for_nothing():
    assert offered('"sys') == offered("per>0") == offered("") == offered("system ") == []


def test_facets_are_the_values_that_occur(filled):  # noqa: F811
    facets = read_facets(filled[0])
    assert set(facets.values["system"]) == {"one", "two", "One-B"}
    assert set(facets.values["faults"]) == {"silent", "clipped", "silently"}
    assert set(facets.values["tag"]) >= {"seen", "flat"}
    assert set(facets.values["rated_for"]) == {"correctness", "naturalness", "safety"}
