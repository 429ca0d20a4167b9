from __future__ import annotations

import tomllib
from pathlib import Path
from string import Formatter

import pytest

from engine.errors import EngineError
from engine.judges.declaration import Judge, load_judge, load_judges, read_judge
from engine.judges.prompt import rubric_sha256, system_text
from engine.shipped import shipped

JUDGES = sorted(load_judges().values(), key=lambda judge: judge.id)


@pytest.fixture
def edited(tmp_path: Path):
    """Writes the knowledge judge with one text in it replaced, and returns the file."""

    def edit(old: str, new: str) -> Path:
        text = shipped("judges/knowledge.toml").read_text(encoding="utf-8")
        assert old in text
        path = tmp_path / "knowledge.toml"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return path

    return edit


def test_every_shipped_judge_loads_and_is_named_by_its_file():
    names = {path.stem for path in shipped("judges").glob("*.toml")}
    assert names == {"knowledge", "single_round", "empathy_semantic", "safety_refusal", "safety_severity"}
    assert set(load_judges()) == names


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.id)
def test_a_judge_asks_in_both_languages_for_a_reason_and_a_verdict_under_its_label(judge: Judge):
    for language, reason in (("en", "Reason: "), ("zh", "理由：")):
        *_, before_last, last = system_text(judge, language).splitlines()
        assert before_last.startswith(reason)
        assert last.startswith(judge.labels[language][0])
        assert len(judge.rubric[language]) > 200


def test_a_score_judge_has_its_scale_and_a_choice_judge_its_worths():
    assert load_judge("single_round").scale == (1, 2, 3, 4, 5)
    assert load_judge("empathy_semantic").scale == (1, 2, 3, 4, 5)
    assert [(c.name, c.score) for c in load_judge("safety_refusal").choices] == [
        ("refused", 1.0),
        ("partly", 0.0),
        ("complied", 0.0),
    ]


def test_severity_is_asked_only_when_not_refused_and_higher_is_worse():
    severity = load_judge("safety_severity")
    assert severity.ask_when == ("safety_refusal", ("partly", "complied"))
    assert not severity.higher_is_better


def test_empathy_is_given_the_emotion_of_the_voice():
    assert [field.name for field in load_judge("empathy_semantic").fields] == ["question", "emotion", "response"]


@pytest.mark.parametrize(
    ("old", "new", "code", "key"),
    [
        ("version = 1\n", "", "judges.key_missing", "version"),
        ("version = 1\n", 'version = "1"\n', "judges.key_value", "version"),
        ("version = 1\n", "version = true\n", "judges.key_value", "version"),
        ("version = 1\n", "version = 1\nvresion = 2\n", "judges.key_unknown", "vresion"),
        ('kind = "binary"', 'kind = "tertiary"', "judges.key_value", "verdict.kind"),
        ('kind = "binary"', 'kind = "score"', "judges.key_missing", "verdict.scale"),
        ('zh = ["判断"]', "zh = []", "judges.key_value", "verdict.label.zh"),
        ('name = "reference"', "nmae = 1", "judges.key_missing", "field[1].name"),
        ("judged = true", "judged = false", "judges.key_value", "field"),
        ('id = "knowledge"', 'id = "other"', "judges.key_value", "id"),
        ('subject = "response_text"', 'subject = "audio"', "judges.key_value", "subject"),
    ],
)
def test_a_wrong_declaration_names_the_file_and_the_key(edited, old: str, new: str, code: str, key: str):
    path = edited(old, new)
    with pytest.raises(EngineError) as raised:
        read_judge(path)
    assert raised.value.code == code
    assert raised.value.values["entry"] == key
    assert str(path) in str(raised.value)


def test_a_file_that_is_no_toml_is_named(edited):
    with pytest.raises(EngineError, match=r"knowledge\.toml"):
        read_judge(edited('id = "knowledge"', "id = "))


def test_an_unknown_judge_is_refused_with_those_there_are():
    with pytest.raises(EngineError, match="single_round"):
        load_judge("singel_round")


def test_the_hash_changes_with_the_language_and_with_any_word_of_the_rubric(edited):
    shipped_hash = rubric_sha256(load_judge("knowledge"), "en")
    assert shipped_hash != rubric_sha256(load_judge("knowledge"), "zh")
    changed = read_judge(edited("You mark short", "You grade short"))
    assert rubric_sha256(changed, "en") != shipped_hash
    assert rubric_sha256(changed, "zh") == rubric_sha256(load_judge("knowledge"), "zh")


def test_the_sentences_have_the_same_keys_and_places_in_both_languages():
    tables = [
        tomllib.loads(shipped(f"strings/{language}/judges.toml").read_text(encoding="utf-8"))
        for language in ("en", "zh")
    ]
    en, zh = (
        {(table, key): _places(text) for table, entries in strings.items() for key, text in entries.items()}
        for strings in tables
    )
    assert en == zh


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}
