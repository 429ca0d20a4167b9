"""A second reading of the tree, in plain Python over a row as a dict: True, False, or None where a value is missing."""

from __future__ import annotations

import re

from engine.query.fields import FIELDS
from engine.query.tree import AllOf, AnyOf, Bound, Condition, Given, Not, Pattern, Range, Term, Words


def holds(tree: Term, row: dict, method: str = "corrected") -> bool | None:
    if isinstance(tree, Words):
        return any(in_text(tree.text, row[name], tree.phrase) for name in ("question", "text", "transcript"))
    if isinstance(tree, Condition):
        return either([test(tree.field, item, row, method) for item in tree.items])
    if isinstance(tree, Not):
        inner = holds(tree.term, row, method)
        return None if inner is None else not inner
    found = [holds(term, row, method) for term in tree.terms]
    if isinstance(tree, AnyOf):
        return either(found)
    assert isinstance(tree, AllOf)
    return False if False in found else None if None in found else True


def either(found: list[bool | None]) -> bool | None:
    return True if True in found else None if None in found else False


def in_text(words: str, text: str | None, phrase: bool) -> bool:
    """Texts and words here are Chinese alone or lower-case words, so that holding is plain."""
    parts = [words] if phrase else words.split()
    return text is not None and all(part in text for part in parts)


def of_people(row: dict) -> list[tuple[int, int]]:
    """(passed, failed) of every protocol with a rule."""
    return [(passed, failed) for _, _, passed, failed, _ in row["people"] if passed is not None]


def human(row: dict) -> str | None:
    votes = of_people(row)
    if any(failed > passed for passed, failed in votes):
        return "fail"
    return "pass" if votes and all(passed > failed for passed, failed in votes) else None


def against(row: dict, method: str) -> list[tuple[bool, int]]:
    """(is against the judge, raters of the greater number) of every protocol where both decide."""
    found = []
    for dimension, _, passed, failed, _ in row["people"]:
        fits = {"safety": row["subset"] == "safety", "correctness": row["subset"] != "safety"}.get(dimension, False)
        verdict = row[f"{method}_verdict"] if fits else None
        if verdict is not None and passed is not None and passed != failed:
            found.append(((verdict == "right") != (passed > failed), max(passed, failed)))
    return found


def against_human(row: dict, method: str) -> bool | None:
    found = against(row, method)
    return any(is_against for is_against, _ in found) if found else None


VALUES = {
    "rated": lambda row, m: bool(row["people"]),
    "human": lambda row, m: human(row),
    "human_score": lambda row, m: min((mean for *_, mean in row["people"] if mean is not None), default=None),
    "human_raters": lambda row, m: max((raters for _, raters, *_ in row["people"]), default=None),
    "rated_for": lambda row, m: " ".join(entry[0] for entry in row["people"]) or None,
    "against_human": against_human,
    "raters_against": lambda row, m: max((many for is_so, many in against(row, m) if is_so), default=None),
    "system": lambda row, m: row["system"],
    "language": lambda row, m: row["language"],
    "category": lambda row, m: row["category"],
    "per": lambda row, m: row["published_error_rate" if m == "published" else "syllable_error_rate"],
    "error": lambda row, m: (
        row["published_error_rate"]
        if m == "published"
        else row["word_error_rate"]
        if row["language"] == "en"
        else row["syllable_error_rate"]
    ),
    "dnsmos": lambda row, m: row["dnsmos_ovrl"],
    "length": lambda row, m: row["duration_s"],
    "state": lambda row, m: row[f"{m}_state"],
    "verdict": lambda row, m: row[f"{m}_verdict"],
    "speech": lambda row, m: row[f"{m}_s2s_verdict"],
    "score": lambda row, m: row[f"{m}_score"],
    "mismatch": lambda row, m: None if row["transcript_id"] is None else row["mismatch"],
    "faults": lambda row, m: row["faults"],
    "flipped": lambda row, m: any(
        row[f"published_{v}"] is not None
        and row[f"corrected_{v}"] is not None
        and row[f"published_{v}"] != row[f"corrected_{v}"]
        for v in ("verdict", "s2s_verdict")
    ),
    "tag": lambda row, m: row["tags"],
    "question": lambda row, m: row["question"],
    "answer": lambda row, m: row["text"],
}


def test(name: str, item: object, row: dict, method: str) -> bool | None:
    kind, value = FIELDS[name].kind, VALUES[name](row, method)
    if kind == "tag":
        return bool(value) if isinstance(item, Given) else any(fits(item, tag) for tag in value)
    if isinstance(item, Given):
        return bool(value) if kind == "words" and value is not None else value is not None
    if kind == "text":
        return in_text(item.text, value, item.quoted)
    if value is None:
        return None
    if kind == "flag":
        return value == (item.text == "yes")
    if isinstance(item, Bound):
        signs = {"<": value < item.value, "<=": value <= item.value, ">": value > item.value, ">=": value >= item.value}
        return signs.get(item.operator, value == item.value)
    if isinstance(item, Range):
        return (item.low is None or value >= item.low) and (item.high is None or value <= item.high)
    if kind == "words":
        if item.text in ("", "none"[: 4 * (not item.quoted)]):
            return value == ""
        return any(fits(item, word) for word in value.split())
    return fits(item, value)


test.__test__ = False


def fits(item: Pattern, value: str) -> bool:
    parts = [item.text] if item.quoted else item.text.split("*")
    return re.fullmatch(".*".join(map(re.escape, parts)), value, re.IGNORECASE | re.DOTALL) is not None
