"""Names of systems and vendors as declared in resources/names/*.toml, made ready to be looked for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.shipped import shipped
from engine.text.pinyin import toned_syllables
from engine.text.script import fold

#: What may stand between the parts of a name, and between letters that are spelled out.
_JOINT = r"[\s\-_.·']"
_PART = re.compile("[a-z]+|[0-9]+|[\u4e00-\u9fff]+")
_HAN = re.compile("[\u4e00-\u9fff]+")
_LONGEST_SPELLED = 5
_LEAST_OWN = 4
#: A name of so many syllables is taken for what it sounds like wherever it stands: 统一千问.
_SYLLABLES_ENOUGH = 4


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way in which a name may be written.

    Attributes:
        name: the name as it is told. squeezed: its letters and digits, or Han characters, without anything between.
        latin: where letters are looked for; None for one in Han. syllables: of one in Han, without tones.
        by_sound: it is a mishearing of the name, or is looked for by its syllables.
        needs_introduction: it counts only where the answer speaks of itself.
        but_not: longer words in which it is no name.
    """

    name: str
    squeezed: str
    latin: re.Pattern[str] | None
    syllables: str
    by_sound: bool
    needs_introduction: bool
    but_not: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Introduction:
    """How an answer speaks of itself in one language; see resources/names/introductions.toml."""

    begins: re.Pattern[str]
    never: tuple[str, ...]
    goes_on: tuple[str, ...]
    within: int

    def leads_to(self, before: str) -> bool:
        """Whether ``before``, what stands in front of a name in its sentence, introduces whoever speaks by it."""
        for begin in self.begins.finditer(before):
            if not before.startswith(self.never, begin.start()):
                clauses = re.split("[，,、:：]", before[begin.end() :])
                last = clauses[-1].strip()
                if len(clauses) == 1 or not last or last.startswith(self.goes_on):
                    return True
        return False


@dataclass(frozen=True, slots=True)
class NameFile:
    """One file of names: the ids of resources/systems that it serves, and the patterns of all its names."""

    id: str
    version: int
    systems: tuple[str, ...]
    patterns: tuple[Pattern, ...]


@cache
def load_names() -> Mapping[str, NameFile]:
    """The shipped names by the id of their file; raises ValueError naming the file for one declared wrongly."""
    files = sorted(path for path in shipped("names").glob("*.toml") if path.stem != "introductions")
    return {path.stem: _file(path.stem, tomllib.loads(path.read_text(encoding="utf-8"))) for path in files}


@cache
def introductions() -> tuple[Introduction, ...]:
    """How answers begin to speak of themselves, for each language."""
    told = tomllib.loads((shipped("names") / "introductions.toml").read_text(encoding="utf-8"))
    return tuple(_introduction(told[language]) for language in ("zh", "en"))


@cache
def patterns_of(systems: tuple[str, ...] = ()) -> tuple[Pattern, ...]:
    """All that is looked for: every shipped name, and the names under which ``systems`` stand in the store.

    Those are looked for only if they have four letters or two Han characters; one plain word needs an introduction.
    """
    own = [
        _latin(name, name, needs_introduction=len(_parts(name)) == 1)
        for name in systems
        if sum(2 if _HAN.match(character) else 1 for part in _parts(name) for character in part) >= _LEAST_OWN
    ]
    return (*(pattern for file in load_names().values() for pattern in file.patterns), *own)


def toneless(han: str) -> list[str]:
    """One syllable without its tone for each Han character: ``["qian", "wen"]`` for 千问."""
    return [syllable.rstrip("12345") for syllable in toned_syllables(han)]


def _file(stem: str, told: Mapping[str, Any]) -> NameFile:
    extra = set(told) - {"id", "version", "systems", "name"}
    if extra or told.get("id") != stem:
        raise ValueError(f"names/{stem}.toml: id or {sorted(extra)} cannot stand here")
    patterns = tuple(pattern for name in told["name"] for pattern in _patterns(stem, name))
    return NameFile(stem, told["version"], tuple(told["systems"]), patterns)


def _patterns(stem: str, told: Mapping[str, Any]) -> list[Pattern]:
    extra = set(told) - {"of", "en", "zh", "pinyin", "heard", "needs_introduction", "but_not"}
    han, pinyin = told.get("zh", []), told.get("pinyin", [])
    if extra or told.get("of") not in ("system", "vendor") or len(han) != len(pinyin):
        raise ValueError(f"names/{stem}.toml: {sorted(extra) or 'of, zh or pinyin'} cannot stand so in a name")
    needs = bool(told.get("needs_introduction", False))
    found = [_latin(name, name, needs_introduction=needs) for name in told.get("en", [])]
    for name, said in zip(han, pinyin, strict=True):
        is_long = len(said.split()) >= _SYLLABLES_ENOUGH
        found.append(Pattern(name, name, None, "", False, needs, tuple(told.get("but_not", ()))))
        found.append(Pattern(name, "", None, said, True, needs or not is_long))
        found.append(_latin(name, said, needs_introduction=needs, is_pinyin=True))
    for heard in told.get("heard", []):
        name = [*told.get("en", []), *han][0]
        found.append(
            Pattern(name, "", None, " ".join(toneless(heard)), True, True)
            if _HAN.fullmatch(heard)
            else _latin(name, heard, needs_introduction=True, by_sound=True)
        )
    return found


def _latin(
    name: str, written: str, *, needs_introduction: bool, by_sound: bool = False, is_pinyin: bool = False
) -> Pattern:
    """Letters and digits of ``written``, with or without something between its parts, or all letters spelled out."""
    parts = _parts(written)
    joint = ("[1-5]?" if is_pinyin else "") + _JOINT + "*"
    ways = [joint.join(parts) + ("[1-5]?" if is_pinyin else "")]
    if len(parts) == 1 and parts[0].isalpha() and parts[0].isascii() and len(parts[0]) <= _LONGEST_SPELLED:
        ways.append((_JOINT + "+").join(parts[0]))
    pattern = re.compile(f"(?<![a-z0-9])(?:{'|'.join(ways)})(?![a-z])")
    return Pattern(name, "".join(parts), pattern, "", by_sound, needs_introduction)


def _parts(written: str) -> list[str]:
    return _PART.findall(fold(written))


def _introduction(told: Mapping[str, Any]) -> Introduction:
    words = "|".join(re.escape(word) for word in sorted(told["begins"], key=len, reverse=True))
    begins = re.compile(f"(?<![a-z])(?:{words})(?:(?<![a-z])|(?![a-z']))")  # a word of letters ends there
    return Introduction(begins, tuple(told["never"]), tuple(told["goes_on"]), told["within"])
