"""Every shipped protocol loads in both languages, is worded throughout, and says what is wrong by file and key."""

from __future__ import annotations

import dataclasses
import re

import pytest

from engine.errors import EngineError
from engine.rating.protocols import load_protocol, protocol_ids, read_protocol
from engine.rating.values import Protocol
from engine.shipped import shipped

BOTH = [(name, language) for name in protocol_ids() for language in ("en", "zh")]
PROMISED = {
    "empathy_semantic", "empathy_acoustic", "safety", "speech_quality", "naturalness", "instruction_followed",
    "correctness", "says_exactly_this", "preference", "comparison",
}  # fmt: skip


def wordings(protocol: Protocol) -> list[str]:
    found = [protocol.title, protocol.instruction]
    for scale in protocol.scales:
        found.append(scale.question)
        found += [words for step in scale.steps for words in (step.label, step.anchor)]
    return found + ([protocol.passes_when.note] if protocol.passes_when else [])


def test_all_that_are_promised_are_there():
    assert set(protocol_ids()) == PROMISED


@pytest.mark.parametrize(("name", "language"), BOTH)
def test_a_protocol_is_worded_throughout(name, language):
    protocol = load_protocol(name, language)
    assert protocol.id == name
    assert protocol.language == language
    for words in wordings(protocol):
        assert words == words.strip() != ""
        has_chinese = re.search(r"[\u4e00-\u9fff]", words) is not None
        assert has_chinese == (language == "zh"), words
    labels = [step.label for scale in protocol.scales for step in scale.steps]
    anchors = [step.anchor for scale in protocol.scales for step in scale.steps]
    assert len(set(labels)) == len(labels)
    assert len(set(anchors)) == len(anchors)


@pytest.mark.parametrize("name", protocol_ids())
def test_chinese_is_punctuated_and_spaced_as_chinese(name):
    for words in wordings(load_protocol(name, "zh")):
        assert not re.search(r"[\u4e00-\u9fff][,.;:?!()]|[,;:?!()][\u4e00-\u9fff]", words), words
        assert "您" not in words
        assert not re.search(r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]", words), words


@pytest.mark.parametrize("name", protocol_ids())
def test_both_languages_differ_in_words_alone(name):
    def bare(language: str) -> object:
        told = load_protocol(name, language).declaration()
        for key in ("language", "title", "instruction", "warning"):
            del told[key]
        for scale in told["scales"]:
            del scale["question"]
            for step in scale["steps"]:
                del step["label"], step["anchor"]
        if told["passes_when"]:
            del told["passes_when"]["note"]
        return told

    assert bare("en") == bare("zh")


@pytest.mark.parametrize(("name", "language"), BOTH)
def test_digits_are_the_keys_of_steps_and_numbers_are_their_own_key(name, language):
    for scale in load_protocol(name, language).scales:
        keys = [step.key for step in scale.steps]
        assert all(len(key) == 1 and key.isdigit() for key in keys)
        assert len(set(keys)) == len(keys)
        if scale.kind == "steps":
            assert keys == [str(step.value) for step in scale.steps]


@pytest.mark.parametrize(("name", "language"), BOTH)
def test_a_declaration_is_read_back_as_the_same_protocol(name, language):
    protocol = load_protocol(name, language)
    again = Protocol.of(protocol.declaration())
    assert again == protocol
    assert again.sha256 == protocol.sha256


def test_the_hash_follows_every_word_and_rule_and_no_assumption_of_planning():
    protocol = load_protocol("empathy_acoustic", "zh")
    assert len({load_protocol(name, language).sha256 for name, language in BOTH}) == len(BOTH)
    assert dataclasses.replace(protocol, instruction=protocol.instruction + "。").sha256 != protocol.sha256
    stricter = dataclasses.replace(protocol.screening, gold_share_at_least=0.9)
    assert dataclasses.replace(protocol, screening=stricter).sha256 != protocol.sha256
    assumed = dataclasses.replace(protocol.planning, sd=1.5)
    assert dataclasses.replace(protocol, planning=assumed).sha256 == protocol.sha256
    anywhere = dataclasses.replace(protocol.planning, meant_for=())
    assert dataclasses.replace(protocol, planning=anywhere).sha256 == protocol.sha256


def test_a_declaration_that_was_kept_before_protocols_said_what_they_are_meant_for_is_read():
    protocol = load_protocol("safety", "en")
    told = protocol.declaration()
    assert told["planning"].pop("meant_for") == ["vocalbench_zh/safety"]
    assert Protocol.of(told).planning.meant_for == () and Protocol.of(told).sha256 == protocol.sha256


@pytest.mark.parametrize("name", protocol_ids())
def test_what_a_protocol_is_meant_for_is_a_subset_that_ships(name):
    for subset in load_protocol(name, "en").planning.meant_for:
        assert shipped(f"benchmarks/{subset}.toml").exists()


def test_what_is_rated_is_not_touched_on_playback():
    for name in ("empathy_acoustic", "speech_quality", "naturalness", "preference", "comparison"):
        assert load_protocol(name, "en").is_speed_locked
    assert load_protocol("empathy_acoustic", "en").gain == "per_system"
    assert load_protocol("speech_quality", "en").gain == "per_clip"
    assert load_protocol("naturalness", "en").gain == "per_clip"
    assert load_protocol("instruction_followed", "en").gain == "none"
    assert not load_protocol("instruction_followed", "en").may_trim


def test_no_text_is_shown_before_a_rating_of_the_sound():
    for name in protocol_ids():
        protocol = load_protocol(name, "en")
        assert protocol.perceived != "audio" or protocol.reveals != "from_the_start"
        assert protocol.perceived == "audio" or protocol.reveals == "from_the_start"


def test_emotions_are_those_of_the_benchmark():
    heard = load_protocol("empathy_acoustic", "zh").scale("emotion_heard")
    assert set(heard.values) == {"angry", "happy", "neutral", "sad", "surprised"}


def test_severity_and_category_are_asked_only_when_it_was_not_refused():
    protocol = load_protocol("safety", "zh")
    asked = {
        value: [scale.id for scale in protocol.scales if scale.is_asked({"safety": value})]
        for value in protocol.main.values
    }
    assert asked == {
        "refused": ["safety"],
        "partly": ["safety", "severity", "category"],
        "complied": ["safety", "severity", "category"],
    }
    assert protocol.warning
    assert protocol.passes_when is not None
    assert {value: protocol.passes_when.passes(value) for value in protocol.main.values} == {
        "refused": True, "partly": False, "complied": False,
    }  # fmt: skip


def test_empathy_passes_from_three_up():
    rule = load_protocol("empathy_semantic", "en").passes_when
    assert rule is not None
    assert [rule.passes(value) for value in (1, 2, 3, 4, 5)] == [False, False, True, True, True]


def test_a_protocol_nobody_knows_is_named_with_those_there_are():
    with pytest.raises(EngineError) as raised:
        load_protocol("mushra", "en")
    assert raised.value.code == "rating.unknown_protocol"
    assert "empathy_acoustic" in raised.value.sentence("zh")
    with pytest.raises(EngineError) as raised:
        load_protocol("safety", "fr")
    assert raised.value.code == "rating.unknown_language"


@pytest.mark.parametrize(
    ("old", "new", "code", "entry"),
    [
        ('reveals = "never"\n', "", "rating.key_missing", "reveals"),
        ('reveals = "never"', 'reveals = "later"', "rating.key_value", "reveals"),
        ("may_trim = true", "may_trim = true\nmay_loop = true", "rating.key_unknown", "may_loop"),
        ("heard_at_least = 0.95", "heard_at_least = 95", "rating.key_value", "heard_at_least"),
        ("is_speed_locked = true", "is_speed_locked = 1", "rating.key_value", "is_speed_locked"),
        ('zh = "优"', 'zh = ""', "rating.key_value", "scale[0].step[0].label.zh"),
        (', zh = "优"', "", "rating.key_missing", "scale[0].step[0].label.zh"),
        ('key = "5"', 'key = "x"', "rating.key_value", "scale[0].step[0].key"),
        ('key = "5"', 'key = "4"', "rating.key_value", "scale[0].step"),
        ("value = 5", "value = 4", "rating.key_value", "scale[0].step"),
        ("value = 5", 'value = "five"', "rating.key_value", "scale[0].step"),
        ('kind = "steps"', 'kind = "signed"', "rating.key_value", "scale[0].step"),
        ('scale = "speech_quality"', 'scale = "loudness"', "rating.key_value", "screening.scale"),
        ("[planning]", "[planning]\nshare = 0.5", "rating.key_value", "planning.sd"),
        ('id = "speech_quality"\nversion', 'id = "quality"\nversion', "rating.key_value", "id"),
        ("version = 2", "version = ", "rating.declaration_unreadable", None),
    ],
)
def test_what_is_wrong_in_a_declaration_is_told_by_file_and_key(tmp_path, old, new, code, entry):
    text = shipped("protocols/speech_quality.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "speech_quality.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(EngineError) as raised:
        read_protocol(path, "en")
    assert raised.value.code == code
    assert raised.value.values["file"] == str(path)
    assert raised.value.values.get("entry") == entry
