"""Opens the contractions of an English text and says its titles and signs."""

from __future__ import annotations

import re

from engine.text.draft import Draft

_CONTRACTIONS = (
    ("contraction", re.compile(r"\b(?:can't|cannot)\b", re.I), "can not"),
    ("contraction", re.compile(r"\bwon't\b", re.I), "will not"),
    ("contraction", re.compile(r"\bshan't\b", re.I), "shall not"),
    ("contraction", re.compile(r"\blet's\b", re.I), "let us"),
    ("contraction", re.compile(r"(?<=[a-z])n't\b", re.I), " not"),
    ("contraction", re.compile(r"(?<=\bi)'m\b", re.I), " am"),
    ("contraction", re.compile(r"(?<=[a-z])'re\b", re.I), " are"),
    ("contraction", re.compile(r"(?<=[a-z])'ve\b", re.I), " have"),
    ("contraction", re.compile(r"(?<=[a-z])'ll\b", re.I), " will"),
    ("contraction", re.compile(r"\b(it|that|what|he|she|there|here|where|who|how)'s\b", re.I), r"\1 is"),
)
_TITLES = (
    ("title", re.compile(r"\bMr\.?(?= [A-Z])"), "mister"),
    ("title", re.compile(r"\bMrs\.?(?= [A-Z])"), "missus"),
    ("title", re.compile(r"\bDr\.?(?= [A-Z])"), "doctor"),
    ("title", re.compile(r"\b(?:e\.g\.|E\.g\.)"), "for example"),
    ("title", re.compile(r"\bi\.e\."), "that is"),
    ("title", re.compile(r"\b(?:vs\.|vs\b)"), "versus"),
    ("title", re.compile(r"(?<=\w )([ap])\.m\.", re.I), r"\1m"),
)
_SIGNS = (
    ("sign", re.compile(r"[ ]?&[ ]?"), " and "),
    ("sign", re.compile(r"(?<=\w)@(?=\w)"), " at "),
    ("sign", re.compile(r"(?<=[\w)])[ ]?\+[ ]?(?=[\w(])"), " plus "),
    ("sign", re.compile(r"(?<=[\w)])[ ]?[×*][ ]?(?=[\w(])"), " times "),
    ("sign", re.compile(r"[ ]?÷[ ]?"), " divided by "),
    ("sign", re.compile(r"(?<=[\w)])[ ]?={1,2}[ ]?(?=[\w(-])"), " equals "),
    ("sign", re.compile(r"[ ]?(?:≤|<=)[ ]?"), " less than or equal to "),
    ("sign", re.compile(r"[ ]?(?:≥|>=)[ ]?"), " greater than or equal to "),
    ("sign", re.compile(r"[ ]?≈[ ]?"), " approximately "),
    ("sign", re.compile(r"(?<=\w)[ ]<[ ](?=\w)"), " less than "),
    ("sign", re.compile(r"(?<=\w)[ ]>[ ](?=\w)"), " greater than "),
)
_QUOTE = re.compile("[’‘ʼ`´](?=\\w)")
_AND = re.compile(
    r"(?:(?<=hundred)|(?<=thousand)|(?<=million)) and (?=(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety)\b)",
    re.I,
)


def open_words(draft: Draft) -> None:
    """Apostrophes made one, titles said, contractions opened where they can mean one thing only."""
    draft.rewrite("apostrophe", _QUOTE, "'")
    for name, pattern, said in _TITLES:
        draft.rewrite(name, pattern, said)
    if "'" in draft.text or "cannot" in draft.text:
        for name, pattern, said in _CONTRACTIONS:
            draft.rewrite(name, pattern, said)


def say_signs(draft: Draft) -> None:
    """Signs between words said, after the numbers are; the "and" inside a number goes, for not everybody says it."""
    for name, pattern, said in _SIGNS:
        draft.rewrite(name, pattern, said)
    draft.rewrite("number-and", _AND, " ")
