from engine.errors import unknown
from engine.text.near import nearest


def test_a_mistyped_name_finds_the_one_that_was_meant():
    known = ["chinese_knowledge", "safety", "qwen2_5_omni_7b"]
    assert nearest("safty", known) == "safety"
    assert nearest("vocalbench_zh/Chinese-Knowledge", known) == "chinese_knowledge"
    assert nearest("omni", known) == "qwen2_5_omni_7b"
    assert nearest("reasoning", known) is None
    assert nearest("x", []) is None


def test_an_unknown_name_lists_all_only_where_none_is_like_it():
    near = unknown("runs.no_such_subset", "safty", ["safety", "robust"], subset="safty")
    assert (near.code, near.values) == ("runs.no_such_subset_near", {"near": "safety", "subset": "safty"})
    far = unknown("runs.no_such_subset", "zzz", ["safety", "robust"], subset="zzz")
    assert (far.code, far.values["known"]) == ("runs.no_such_subset", ["safety", "robust"])
