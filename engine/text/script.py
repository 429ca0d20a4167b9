"""Folds what only writing tells apart: full width, case, Traditional and Simplified."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files


def fold(text: str) -> str:
    """``text`` in compatibility form, lower case and Simplified characters, for search and for comparing words.

    Characters are folded one by one (no phrases), so it costs one pass; the empty text stays empty.

    >>> fold("ＡＩ 臺灣")
    'ai 台湾'
    """
    return unicodedata.normalize("NFKC", text).casefold().translate(simplified_characters())


@cache
def simplified_characters() -> dict[int, str]:
    """Traditional -> Simplified, character by character, from OpenCC's table (the first of its choices)."""
    table = files("opencc").joinpath("dictionary", "TSCharacters.txt").read_text(encoding="utf-8")
    pairs = (line.split("\t") for line in table.splitlines() if "\t" in line)
    return {ord(traditional): simplified.split(" ")[0] for traditional, simplified in pairs if len(traditional) == 1}
