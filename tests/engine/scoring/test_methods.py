"""Both methods are declared, and the published one says what was repaired."""

from __future__ import annotations

import pytest

from engine.scoring.methods import declared_method
from engine.scoring.verdicts import METHODS


@pytest.mark.parametrize("method", METHODS)
def test_a_method_says_its_rules_in_both_languages(method):
    declared = declared_method(method)
    assert declared.id == method
    assert declared.rules
    assert all(rule.text["en"] and rule.text["zh"] for rule in declared.rules)
    assert len({(rule.id, rule.is_repair) for rule in declared.rules}) == len(declared.rules)


def test_only_the_published_method_is_repaired():
    assert [rule.id for rule in declared_method("published").rules if rule.is_repair]
    assert not [rule.id for rule in declared_method("corrected").rules if rule.is_repair]
