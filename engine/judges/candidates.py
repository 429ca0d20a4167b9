"""Places in a reply where a verdict is given: alone, first, or after a label; never a word found anywhere."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from engine.judges.declaration import Judge

# Repeats are bounded: a reply of twenty thousand asterisks must not take minutes.
_OPENING = r"[\s*_`~\"'“‘「『【\[({<#-]{0,16}"
_CLOSING = r"[ \t*_`~\"'”’」』】\])}>]{0,12}"
_SUBJECT = (
    r"(?:(?:该|此|候选|候选者|模型|助手)?的?(?:回答|答案|回复|答复)(?:是|为)?"
    r"|(?:the\s+)?(?:response|answer|candidate|assistant)(?:\s+answer)?\s+(?:is|was|has)\s+)?"
)
_FINAL = r"最终|最后|综合|总体|总的|final\s+|overall\s+|my\s+final\s+"
_CHOICE_LABELS: tuple[str, ...] = ("判断结果", "判断", "判斷", "判定", "结论", "結論", "裁定", "评判", "结果")
_CHOICE_LABELS += ("verdict", "judgement", "judgment", "conclusion", "decision", "result")
_SCORE_LABELS = ("得分", "评分", "評分", "分数", "分數", "打分", "总分", "score", "rating", "grade")
_GAP = re.compile(r"[\s。.!?;,:(\u2013\u2014-]*")
_HEDGE = re.compile(r"但|不过|然而|可是|部分|大致|but|however|though|yet|partly", re.IGNORECASE)
_AFTER_WORD = re.compile(r"[ \t]*(?:\Z|[\n。.!?;,:(\u2013\u2014\ufffc-]|because|since|因为|由于)", re.IGNORECASE)
_NUMERALS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_SCORE = re.compile(
    r"[\s*_`~\"'“‘「『【\[({<#]{0,16}"
    r"(?P<number>[-+\u2212]?\d+(?:\.\d+)?|[一二两三四五六七八九十](?![一二三四五六七八九十]))\s*分?"
    rf"(?:\s*(?:/|out\s+of)\s*(?P<of>\d+)\s*分?)?{_CLOSING}",
    re.IGNORECASE,
)
# A number that goes on is part of a range, a list of numbers or a longer word, and no score.
_NUMBER_GOES_ON = re.compile(
    r"(?<![ \t])[\w%]|\.\d|\s*(?:[-~\u2013\u2014,/\u2044]|至|到|或|、|or\b|to\b|and\b)\s*[\[【(]?\s*\d", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One place where a verdict is given; ``verdict`` is None where what stands there is off the scale.

    ``exact``: it fills its line or opens the reply. ``is_final``: its label says that it is the last word.
    """

    verdict: str | None
    start: int
    exact: bool
    is_final: bool = False


def candidates(judge: Judge, text: str) -> list[Candidate]:
    """Every place in plain, unquoted ``text`` where ``judge`` gives a verdict, in order."""
    found = [*_labelled(judge, text), *_alone(judge, text)]
    return sorted(found, key=lambda candidate: candidate.start)


def value_of(judge: Judge, text: str) -> str | None:
    """The verdict that ``text`` consists of, None when it is anything else."""
    value = _value_at(judge, text, 0)
    return value[0] if value and not text[value[1] :].strip(" \n。.!,") else None


def is_verdict_line(judge: Judge, line: str) -> bool:
    """Whether a line holds a verdict, with its label or without, and nothing else."""
    return value_of(judge, line) is not None or any(found.exact for found in _labelled(judge, line))


def label_names(judge: Judge) -> tuple[str, ...]:
    """The labels that may stand before this judge's verdict, longest first, lower case."""
    own = {label.casefold() for some in judge.labels.values() for label in some}
    return tuple(sorted(own | set(_SCORE_LABELS if judge.kind == "score" else _CHOICE_LABELS), key=len, reverse=True))


def _labelled(judge: Judge, text: str) -> list[Candidate]:
    found = []
    for match in _label_pattern(label_names(judge), judge.kind == "score").finditer(text):
        value = _value_at(judge, text, match.end())
        if value and not _listed_below(judge, text, match.end(), value[1]):
            line_start = text.rfind("\n", 0, match.start()) + 1
            fills_line = not text[line_start : match.start()].strip(" *_#>-.【[") and _ends_line(text, value[1])
            found.append(Candidate(value[0], match.start(), fills_line, match["final"] is not None))
    return found


def _alone(judge: Judge, text: str) -> list[Candidate]:
    """A word that opens the reply, and a first or last line that is a verdict and nothing else."""
    found = []
    lines = [(match.start(), match[0]) for match in re.finditer(r"[^\n]*\S[^\n]*", text)]
    opening = _value_at(judge, text, 0) if judge.kind != "score" else None
    if opening:
        found.append(Candidate(opening[0], 0, exact=True))
    for start, line in {lines[0], lines[-1]} if lines else ():
        verdict = value_of(judge, line)
        if verdict is not None and not (opening and start == lines[0][0]):
            found.append(Candidate(verdict, start, exact=True))
    return found


def _value_at(judge: Judge, text: str, start: int) -> tuple[str | None, int] | None:
    """The verdict that begins at ``start`` and where it ends; None when none does, or when it goes on otherwise."""
    return _score_at(judge, text, start) if judge.kind == "score" else _choice_at(judge, text, start)


def _choice_at(judge: Judge, text: str, start: int) -> tuple[str, int] | None:
    found = _word_at(judge, text, start)
    if found is None:
        return None
    gap = _GAP.match(text, found[1])
    if gap is None or "\n" in gap[0] or gap.end() == len(text):
        return found
    goes_on = _HEDGE.match(text, gap.end()) or _word_at(judge, text, gap.end())
    return None if goes_on else found  # "correct, but ..." and "correct, incorrect" commit to nothing


def _word_at(judge: Judge, text: str, start: int) -> tuple[str, int] | None:
    words = _words(judge)
    match = _word_pattern(tuple(words)).match(text, start)
    if match is None or not _AFTER_WORD.match(text, match.end()):
        return None
    return words[match["word"].casefold()], match.end()


def _score_at(judge: Judge, text: str, start: int) -> tuple[str | None, int] | None:
    match = _SCORE.match(text, start)
    if match is None or _NUMBER_GOES_ON.match(text, match.end()):
        return None
    number = match["number"]
    value = math.nan if number[0] in "+-\u2212" else float(_NUMERALS.get(number, number))
    on_scale = value in judge.scale and match["of"] in (None, str(judge.scale[-1]))
    return (str(int(value)) if on_scale else None), match.end()


def _listed_below(judge: Judge, text: str, label_end: int, value_end: int) -> bool:
    """Whether a score stands on a line after its label and does not fill that line: the 1. of a list, not a score."""
    skipped = text[label_end:value_end].strip(" \t*_")
    return judge.kind == "score" and skipped.startswith("\n") and not _ends_line(text, value_end)


def _ends_line(text: str, end: int) -> bool:
    return not text[end:].partition("\n")[0].strip(" *_。.!;,】]")


def _words(judge: Judge) -> dict[str, str]:
    return {word.casefold(): choice.name for choice in judge.choices for some in choice.words.values() for word in some}


@lru_cache(maxsize=64)
def _word_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"{_OPENING}{_SUBJECT}{_OPENING}(?P<word>{alternatives})(?![a-z])的?{_CLOSING}", re.IGNORECASE)


@lru_cache(maxsize=64)
def _label_pattern(labels: tuple[str, ...], is_score: bool) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(label) for label in labels)
    joint = r"[:=]|->|→|(?<=[】\]])" + (r"|为|是|is\b|of\b|(?=[\[【(]?\s*\d)|(?=[\[【])" if is_score else "")
    return re.compile(
        rf"(?:(?P<final>{_FINAL})(?:的|[ \t])*)?(?<![a-z])(?:{alternatives})"
        rf"[ \t*_`~]{{0,8}}(?:\([^)\n]{{0,16}}\))?[】\]]?[ \t*_`~]{{0,8}}(?:{joint})",
        re.IGNORECASE,
    )
