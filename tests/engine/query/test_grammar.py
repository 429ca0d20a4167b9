"""What a filter's text means, what is wrong with it and where, and that a tree's text reads as the same tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.query.grammar import parse
from engine.query.tree import (
    EVERYTHING,
    AllOf,
    AnyOf,
    Bound,
    Condition,
    Given,
    Not,
    Pattern,
    Range,
    Span,
    Words,
    top_terms,
)
from engine.query.wording import chips, joined, to_text
from tests.engine.query.trees import TREES


def one(field, *items):
    return Condition(field, items)


def test_an_empty_filter_is_passed_by_everything():
    assert parse("") == parse("  　") == EVERYTHING


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("per>0.05", one("per", Bound(">", 0.05))),
        ("per > 5%", one("per", Bound(">", 0.05))),
        ("length<=10s", one("length", Bound("<=", 10))),
        ("peak<-3", one("peak", Bound("<", -3))),
        ("length:1..3", one("length", Range(1, 3))),
        ("length:..3,10..", one("length", Range(None, 3), Range(10, None))),
        ("score:3", one("score", Bound("=", 3))),
        ("per:*", one("per", Given())),
        ("state:failed,unscored", one("state", Pattern("failed"), Pattern("unscored"))),
        ("系统：example-*", one("system", Pattern("example-*"))),
        ('system:"a, b"', one("system", Pattern("a, b", True))),
        ("状态:失败", one("state", Pattern("failed"))),
        ("Syllable-Error＞０.1".replace("０", "0"), one("per", Bound(">", 0.1))),
        ("is:flipped", one("flipped", Pattern("yes"))),
        ("wrong_language:no", one("other_script", Pattern("no"))),
        ("少林", Words("少林")),
        ("“少林 寺”", Words("少林 寺", True)),
        ("12:30", Words("12:30")),
        ("-tag:seen", Not(one("tag", Pattern("seen")))),
        ("per!=0.1", Not(one("per", Bound("=", 0.1)))),
        ("NOT (a OR b)", Not(AnyOf((Words("a"), Words("b"))))),
        ("a b OR c", AnyOf((AllOf((Words("a"), Words("b"))), Words("c")))),
        ("a AND (b OR c)", AllOf((Words("a"), AnyOf((Words("b"), Words("c")))))),
        ("（a OR b）c", AllOf((AnyOf((Words("a"), Words("b"))), Words("c")))),
        ("or and", AllOf((Words("or"), Words("and")))),
    ],
)
def test_each_form_reads_as_its_tree(text, tree):
    assert parse(text) == tree
    assert parse(to_text(tree)) == tree


@given(TREES)
def test_a_trees_text_reads_as_the_same_tree(tree):
    text = to_text(tree)
    assert parse(text) == tree
    assert to_text(parse(text)) == text


@given(st.text(max_size=40) | st.text('per:>"()- ORANDNOT少,.*0', max_size=30))
def test_any_text_is_a_tree_or_an_error_that_points_into_it(text):
    error = error_of(text)
    if error is None:
        assert parse(to_text(parse(text))) == parse(text)
        return
    assert error.code.startswith("query.")
    assert 0 <= error.values["start"] < error.values["end"] <= max(1, len(text))
    assert error.sentence("en") and error.sentence("zh")


def error_of(text):
    try:
        parse(text)
    except EngineError as error:
        return error


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("emotio:sad", "unknown_field_meant", "emotio"),
        ("a xyzzy:1", "unknown_field", "xyzzy"),
        ("-state:faild", "unknown_value_meant", "faild"),
        ("per>abc", "not_a_number", "abc"),
        ("length:3..1", "range_backwards", "3..1"),
        ("system>3", "not_comparable", "system>3"),
        ('a "open', "open_quote", '"open'),
        ("(a OR b", "open_parenthesis", "("),
        ("a)", "unexpected_parenthesis", ")"),
        ("per:", "missing_value", "per:"),
        ("is:slow", "unknown_flag", "slow"),
        ("a OR", "missing_term", "R"),
        ("a 、", "nothing_to_find", "、"),
    ],
)
def test_an_error_names_the_characters_that_are_wrong(text, code, place):
    with pytest.raises(EngineError) as caught:
        parse(text)
    values = caught.value.values
    assert (caught.value.code, text[values["start"] : values["end"]]) == (f"query.{code}", place)


def test_a_misspelt_field_is_answered_with_the_one_meant():
    with pytest.raises(EngineError, match="Did you mean emotion"):
        parse("emotio:sad")


@pytest.mark.parametrize("text", ["(" * 1000, "-" * 1000 + "a", "a " * 1000])
def test_a_filter_without_end_is_refused(text):
    with pytest.raises(EngineError, match="too long|closed"):
        parse(text)


def test_terms_tell_where_they_stand():
    text = " per>0.05  -tag:seen (a OR b) "
    spans = [term.span for term in top_terms(parse(text))]
    assert [text[span.start : span.end] for span in spans] == ["per>0.05", "-tag:seen", "a OR b"]
    assert spans[0] == Span(1, 9)


def test_chips_name_faults_and_leave_names_as_they_are():
    (faults,), (tag,) = chips(parse("faults:silent,no_samples"), "zh"), chips(parse("tag:silent"), "zh")
    assert (faults.plain, tag.plain) == ("缺陷 静音、没有采样", "标签 silent")


def test_chips_say_each_term_for_people_and_can_be_put_together_again():
    text = "system:a*,b (per>0.05 OR state:failed) -tag:seen"
    told = chips(parse(text), "en")
    assert [chip.plain for chip in told] == ["system a*, b", "syllable error > 0.05 or state failed", "not tag seen"]
    assert [chip.plain for chip in chips(parse(text), "zh")] == [
        "系统 a*、b",
        "音节错误 > 0.05 或 状态 失败",
        "除去 标签 seen",
    ]
    assert joined([chip.text for chip in told]) == text
    assert joined([told[1].text]) == "per>0.05 OR state:failed"
