"""Both languages say the same things, and every code that the program uses has its sentence."""

from __future__ import annotations

import re
import string
import tomllib
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.strings import sentence_of_code, text

ROOT = Path(__file__).resolve().parents[2]
STRINGS = ROOT / "resources" / "strings"
ROOMS = sorted(path.stem for path in (STRINGS / "en").glob("*.toml"))


def flat(table: dict, prefix: str = "") -> dict[str, str]:
    found = {}
    for key, value in table.items():
        found |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value}
    return found


def sentences(language: str, room: str) -> dict[str, str]:
    return flat(tomllib.loads((STRINGS / language / f"{room}.toml").read_text(encoding="utf-8")))


def places(sentence: str) -> set[str]:
    return {name.split(".")[0].split("[")[0] for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_every_room_has_both_languages():
    assert ROOMS == sorted(path.stem for path in (STRINGS / "zh").glob("*.toml"))


@pytest.mark.parametrize("room", ROOMS)
def test_both_languages_have_the_same_keys_and_places(room):
    english, chinese = sentences("en", room), sentences("zh", room)
    assert english.keys() == chinese.keys()
    assert {key: places(value) for key, value in english.items()} == {
        key: places(value) for key, value in chinese.items()
    }


@pytest.mark.parametrize("room", ROOMS)
def test_an_apostrophe_is_a_typographic_one(room):
    judge_reads = ("judges.prompt.fence",)  # part of what a judge is asked: other words would be another rubric
    straight = re.compile(r"(?<=\w)'(?=\w)|(?<=s)'(?=[\s.,;:]|$)")
    said = {f"{room}.{key}": value for key, value in sentences("en", room).items()}
    assert [key for key, value in said.items() if straight.search(value) and key not in judge_reads] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_minus_before_a_figure_is_a_true_one(language):
    hyphen = re.compile(r"(?<![\w.\-\])}])-[0-9]")
    found = {
        f"{room}.{key}" for room in ROOMS for key, value in sentences(language, room).items() if hyphen.search(value)
    }
    assert found == set()


def test_every_error_code_in_the_code_has_a_sentence():
    codes = set()
    for path in (ROOT / "engine").rglob("*.py"):
        codes |= set(re.findall(r'EngineError\(\s*"([a-z_]+\.[a-z_0-9]+)"', path.read_text(encoding="utf-8")))
    missing = [
        code for code in sorted(codes) if f"error.{code.split('.')[1]}" not in sentences("en", code.split(".")[0])
    ]
    assert codes
    assert missing == []


def test_an_error_speaks_both_languages_and_survives_a_journey_between_processes():
    import pickle

    error = pickle.loads(pickle.dumps(EngineError("store.no_workspace", path="/w")))
    assert "/w" in error.sentence("en")
    assert "/w" in error.sentence("zh")
    assert error.sentence("en") != error.sentence("zh")


def test_an_error_written_down_by_another_version_leaves_open_what_it_does_not_know():
    error = EngineError("speech.extra_missing", package="librosa", extra="features")
    assert error.sentence("en") == "The package … is needed and cannot be imported. Install it with: …"
    assert EngineError("speech.of_another_time").sentence("zh") == "speech.of_another_time"


def test_an_unknown_key_is_a_bug_and_says_so():
    with pytest.raises(KeyError):
        text("store.error.no_such_thing")


@pytest.mark.parametrize("said", ["timed out after 60 s", "../../etc/passwd.x", "x" * 5000 + ".y", "no.such_thing"])
def test_words_that_are_no_code_stay_as_they_are(said):
    assert sentence_of_code(said) == said


def test_a_code_becomes_its_sentence_with_what_differs_left_open():
    assert "…" in sentence_of_code("store.no_workspace")
    assert sentence_of_code("store.no_workspace", "zh") != sentence_of_code("store.no_workspace", "en")
