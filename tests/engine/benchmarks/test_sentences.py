"""Every code that the room uses has a sentence in both languages, with the same places."""

from __future__ import annotations

import re
import string
import tomllib
from pathlib import Path

import pytest

import engine.benchmarks
from engine.shipped import shipped
from engine.strings import LANGUAGES

SOURCE = "".join(path.read_text(encoding="utf-8") for path in Path(engine.benchmarks.__file__).parent.glob("*.py"))
CODES = sorted(
    set(re.findall(r'"benchmarks\.([a-z0-9_]+)"', SOURCE)) | set(re.findall(r'_say\([^"()]*"(\w+)"', SOURCE))
)


def strings(language):
    return tomllib.loads(shipped(f"strings/{language}/benchmarks.toml").read_text(encoding="utf-8"))


def places(sentence):
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_languages_have_the_same_keys_and_places():
    there = {
        language: {
            (table, key): places(text) for table, entries in strings(language).items() for key, text in entries.items()
        }
        for language in LANGUAGES
    }
    assert there["en"] == there["zh"]


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_its_sentence(code):
    tables = strings("en")
    assert any(code in tables[table] for table in ("error", "problem", "finding"))


def test_no_sentence_is_left_that_nothing_says():
    codes = {key for table in ("error", "problem", "finding") for key in strings("en")[table]}
    assert {code for code in codes if f'{code}"' not in SOURCE} == set()
