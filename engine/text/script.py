"""Folds what only writing tells apart: full width, case, Traditional and Simplified."""

from __future__ import annotations

import unicodedata
from functools import cache


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
    table = opencc_table("TSCharacters")
    return {ord(traditional): simplified for traditional, simplified in table.items() if len(traditional) == 1}


def opencc_table(name: str) -> dict[str, str]:
    """One of OpenCC's tables, each entry with the first of its choices."""
    from importlib.resources import files

    text = files("opencc").joinpath("dictionary", f"{name}.txt").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.split("\n") if "\t" in line)
    return {row[0]: row[1].split(" ")[0] for row in rows}
