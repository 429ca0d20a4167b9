"""Full-text search that finds one and two Chinese characters: overlapping bigrams in FTS5."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable

from engine.text.script import fold

_CJK = "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PARTS = re.compile(rf"([{_CJK}]+)|([^\W{_CJK}]+)")
Texts = tuple[str | None, str | None, str | None]


def bigrams(text: str | None) -> str:
    """``text`` as the index keeps it: CJK runs as overlapping pairs and the last character alone, words in lower case.

    >>> bigrams("少林寺 Kung-Fu")
    '少林 林寺 寺 kung fu'
    """
    pieces: list[str] = []
    for cjk, word in _PARTS.findall(fold(text or "")):
        if cjk:
            pieces += [cjk[i : i + 2] for i in range(len(cjk))]
        else:
            pieces.append(word)
    return " ".join(pieces)


def match_query(words: str) -> str:
    """The FTS5 query that finds texts holding every part of ``words``; "" when it holds nothing to look for."""
    parts = []
    for cjk, word in _PARTS.findall(fold(words)):
        if len(cjk) == 1:
            parts.append(f'"{cjk}"*')
        elif cjk:
            parts.append('"' + " ".join(cjk[i : i + 2] for i in range(len(cjk) - 1)) + '"')
        else:
            parts.append(f'"{word}"')
    return " AND ".join(parts)


def phrase_query(words: str) -> str:
    """The FTS5 query that finds texts holding the parts of ``words`` one right behind the other; "" as above.

    >>> phrase_query("Kung-Fu 少林寺")
    '"kung fu 少林 林寺"'
    """
    parts = _PARTS.findall(fold(words))
    if not parts:
        return ""
    pieces: list[str] = []
    for cjk, word in parts[:-1]:
        pieces += [cjk[i : i + 2] for i in range(len(cjk))] or [word]
    cjk, word = parts[-1]
    if len(cjk) == 1:  # it may begin a pair
        return f'"{" ".join([*pieces, cjk])}" *'
    return f'"{" ".join(pieces + ([cjk[i : i + 2] for i in range(len(cjk) - 1)] or [word]))}"'


def find_responses(db: sqlite3.Connection, words: str) -> list[int]:
    """Ids of the responses whose question, text or transcript holds ``words``; in order of id."""
    query = match_query(words)
    if not query:
        return []
    return [row[0] for row in db.execute("SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid", (query,))]


def replace_in_index(
    db: sqlite3.Connection, old: Iterable[tuple[int, Texts]], new: Iterable[tuple[int, Texts]]
) -> None:
    """Take the ``old`` texts out of the index and put the ``new`` ones in.

    A contentless table is told the old values again to forget them (SQLite before 3.43 knows no other way).
    """
    db.executemany(
        "INSERT INTO search (search, rowid, question, text, transcript) VALUES ('delete', ?, ?, ?, ?)",
        [(row_id, *map(bigrams, texts)) for row_id, texts in old],
    )
    db.executemany(
        "INSERT INTO search (rowid, question, text, transcript) VALUES (?, ?, ?, ?)",
        [(row_id, *map(bigrams, texts)) for row_id, texts in new],
    )
