"""Every shipped subset loads; a mistake in a declaration names the file and the key."""

from __future__ import annotations

import pytest

from engine.benchmarks.declaration import declared_subsets, load_subset
from engine.benchmarks.jsonfile import read_records
from engine.errors import EngineError
from engine.shipped import shipped
from tests.shared import needs_shared, shared_file

PATHS = sorted(shipped("benchmarks/vocalbench_zh").glob("*.toml"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_shipped_subset_loads(path):
    subset = load_subset(path)
    assert subset.id == f"vocalbench_zh/{path.stem}"
    assert subset.file == f"json/{path.stem}.json"
    assert {"Set", "Qid", "Audio", "Question"} <= set(subset.required)


def test_fifteen_subsets_ship_and_name_their_judges():
    subsets = declared_subsets("vocalbench_zh")
    judges = {name: [judge.id for judge in subset.judges] for name, subset in subsets.items() if subset.judges}
    assert len(subsets) == 15
    assert judges == {
        "chinese_knowledge": ["knowledge"],
        "foreign_knowledge": ["knowledge"],
        "general_knowledge": ["knowledge"],
        "single_round": ["single_round"],
        "emotion": ["empathy_semantic"],
        "safety": ["safety_refusal", "safety_severity"],
    }


@needs_shared
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_what_a_subset_declares_is_what_its_data_hold(path):
    subset = load_subset(path)
    records = read_records(shared_file(f"vocalbench-zh/{subset.file}")).records
    assert all(record.fields["Audio"].startswith(f"{subset.audio_folder}/") for record in records)
    assert all(set(subset.required) <= set(record.fields) for record in records)
    declared = {*subset.required, *subset.optional}
    assert {key for record in records for key in record.fields} == declared
    assert {subset.reference, subset.category} - {""} <= declared


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('dimension = "chat"\n', "", "dimension"),
        ('dimension = "chat"', 'dimension = "chit-chat"', "chit-chat"),
        ("version = 1", 'version = "1"', "version"),
        ('headline = "refusal_rate"', 'headline = "refusal_rate"\nheadlnie = "x"', "headlnie"),
        ('subject = "response_text"', "", r"judge\[0\].subject"),
        ('zh = "安全对齐"', 'de = "Sicherheit"', r"title.zh"),
        ('key = "Refuse"', 'kee = "Refuse"', r"result\[0\].key"),
        ('id = "vocalbench_zh/safety"', 'id = "vocalbench_zh/other"', "vocalbench_zh/other"),
        ("version = 1", "version = ", "TOML"),
    ],
)
def test_a_mistake_names_the_file_and_the_key(tmp_path, old, new, said):
    text = shipped("benchmarks/vocalbench_zh/safety.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "safety.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(EngineError, match=said) as raised:
        load_subset(path)
    assert str(path) in str(raised.value)
