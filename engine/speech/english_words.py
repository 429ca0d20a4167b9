"""How an English word is said, from the pronouncing dictionaries that misaki carries (its own code needs spaCy)."""

from __future__ import annotations

import json
from functools import cache

from engine.speech.packages import install_misaki, package_folder

VOWELS = frozenset("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻɐ")
# Names that no dictionary of the package has and that the sample pack says.
_NAMES = {
    "cervantes": "səɹvˈæntiz",
    "crusoe": "kɹˈusO",
    "de": "də",
    "eiffel": "ˈIfᵊl",
    "miguel": "mɪɡˈɛl",
    "robinson": "ɹˈɑbɪnsən",
}
_WEAK = {"a": "ɐ", "an": "ɐn", "i": "ˌI", "in": "ɪn", "and": "ænd", "the": "the", "to": "to"}


def english_word(word: str) -> str:
    """The IPA of one word with stress marks, in Kokoro's alphabet; its letters' names when no dictionary has it.

    "the" and "to" come back as they are: their vowel depends on the next word. A capital "A" is the letter.
    Raises EngineError ``speech_synthesis.package_missing``.
    """
    word = word.replace("’", "'")
    if word.lower() in _WEAK and word != "A":
        return _WEAK[word.lower()]
    return _in_dictionary(word) or _NAMES.get(word.lower()) or _inflected(word.lower()) or _spelled(word)


def _in_dictionary(word: str) -> str | None:
    entries = _dictionary()
    for form in (word, word.lower(), word.lower().capitalize()):
        if form in entries and not (len(word) > 1 and word.isupper() and len(form) < 4 and form != word):
            return entries[form]
    return None


def _inflected(word: str) -> str | None:
    """Plural, possessive, past and -ing forms built on a dictionary word."""
    for ending, stems, join in (
        ("'s", ("",), _with_s),
        ("s", ("", "e", "y"), _with_s),
        ("ed", ("", "e"), _with_ed),
        ("ing", ("", "e"), lambda stem: stem + "ɪŋ"),
    ):
        base = word.removesuffix(ending)
        bases = [base.removesuffix("ie") + stem if stem == "y" else base + stem for stem in stems]
        if ending in ("ed", "ing") and len(base) > 2 and base[-1:] == base[-2:-1]:
            bases.append(base[:-1])
        found = next((said for each in bases if len(each) > 1 and (said := _in_dictionary(each))), None)
        if word.endswith(ending) and found:
            return str(join(found))
    return None


def _with_s(stem: str) -> str:
    if stem[-1] in "ptkfθ":
        return stem + "s"
    return stem + ("ᵻz" if stem[-1] in "szʃʒʧʤ" else "z")


def _with_ed(stem: str) -> str:
    if stem[-1] in "pkfθʃsʧ":
        return stem + "t"
    return stem + ("ᵻd" if stem[-1] in "td" else "d")


def _spelled(word: str) -> str:
    return " ".join(_dictionary().get(letter.upper(), "") for letter in word if letter.isalpha())


@cache
def _dictionary() -> dict[str, str]:
    folder = package_folder("misaki", install_misaki()) / "data"
    entries: dict[str, str] = {}
    for name in ("us_silver.json", "us_gold.json"):  # gold, checked by hand, overrides
        for word, said in json.loads((folder / name).read_text(encoding="utf-8")).items():
            entries[word] = said["DEFAULT"] if isinstance(said, dict) else said
    return entries
