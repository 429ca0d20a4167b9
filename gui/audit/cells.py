"""What a cell of the table says, as words: for painting, for screen readers, for hover."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from engine.query.fields import choice_label
from engine.query.rows import AuditRow
from engine.strings import sentence_of_code
from gui.audit.columns import Column
from gui.audit.why_words import why_said
from gui.strings import Words

NOTHING = "—"
MINUS = "−"
_WEAK = ("recogniser_too_weak", "recogniser_floor_unknown")


@dataclass(frozen=True, slots=True)
class Judged:
    """What a verdict cell shows: a mark for right or wrong, a score, words, or the mark of a state."""

    kind: Literal["right", "wrong", "score", "unread", "state", "nothing"]
    text: str = ""
    of: str = ""
    state: str = ""


def instance_parts(row: AuditRow) -> tuple[str, str]:
    """The subset, and what of the key says more than the subset does."""
    return row.subset, key_rest(row.subset, row.key)


def key_rest(subset: str, key: str) -> str:
    """What of a key says more than its subset does: without a head that is the subset, its first word, or shares one.

    >>> key_rest("cs_knowledge_en", "codeswitching_knowledge-001")
    '001'
    """
    for head in (subset, subset.split("_")[0]):
        if key.startswith(head) and re.match(r"[-_ ].", key[len(head) :]):
            return key[len(head) + 1 :]
    head, _, rest = key.partition("-")
    return rest if rest and not set(head.split("_")).isdisjoint(subset.split("_")) else key


def text_judged(row: AuditRow, highest: int | None) -> Judged:
    """The verdict or score of the answer's text."""
    if row.state == "unparsable":
        return Judged("unread")
    if row.state != "scored":
        return Judged("nothing", NOTHING)
    if row.score is not None:
        return Judged("score", f"{row.score:.1f}".removesuffix(".0"), "" if highest is None else f"/{highest}")
    return Judged("right" if row.verdict == "right" else "wrong") if row.verdict else Judged("nothing", NOTHING)


def speech_judged(row: AuditRow) -> Judged:
    """The verdict on the spoken answer; a state of its own where the text was judged and the speech could not be."""
    if row.speech_state == "unparsable":
        return Judged("unread")
    if row.speech_state in ("failed", "unscored") and row.state == "scored":
        return Judged("state", state=row.speech_state)
    if row.speech_state != "scored" or not row.speech_verdict:
        return Judged("nothing", NOTHING)
    return Judged("right" if row.speech_verdict == "right" else "wrong")


def mismatch_kind(row: AuditRow) -> str:
    """The word for how speech and text part: a class of mismatch, else what stands in the place of one; "" for none."""
    if row.mismatch:
        return row.mismatch[0]
    if "silent" in row.faults or "no_samples" in row.faults:
        return "silent"
    if row.speech_why in _WEAK:
        return "weak"
    return "single" if row.error_rate else ""


def value_of(row: AuditRow, column: Column) -> Any:
    """What the column's cell is made from; None where it has no value."""
    return row.more.get(column.value) if column.is_extra else getattr(row, column.value)


def figure(row: AuditRow, column: Column) -> str:
    """A number with the column's decimals; a dash where there is none."""
    value = value_of(row, column)
    return "–" if value is None else f"{value:.{column.decimals}f}".replace("-", MINUS)


def extra_text(row: AuditRow, column: Column, words: Words) -> str:
    """What a cell of words says, the names of choices in the user's language."""
    value = value_of(row, column)
    if value is None or value == "":
        return ""
    if column.kind == "flag":
        return choice_label("yes", words.language) if value else ""
    if column.kind == "choice":
        return choice_label(str(value), words.language)
    if column.kind == "words":
        return words.text("query.word.comma").join(choice_label(word, words.language) for word in str(value).split())
    return why_said(str(value), words) if column.kind == "why" else str(value)


def answer_text(row: AuditRow, words: Words) -> tuple[str, str]:
    """The answer's text and its tone: what went wrong where there is no answer."""
    if row.response_state != "answered":
        said = sentence_of_code(row.failure, words.language) if row.failure else ""
        return said or words.text(f"audit.table.{row.response_state}"), "failed"
    if row.answer is None:
        return words.text("audit.table.no_text"), "tertiary"
    return row.answer, "secondary"


def cell_text(row: AuditRow, column: Column, words: Words, highest: int | None) -> str:
    """The cell as plain words."""
    if column.kind == "state":
        return words.text(f"widgets.state.{row.state}")
    if column.kind == "instance":
        return " ".join(instance_parts(row))
    if column.kind == "name":
        return row.system
    if column.kind == "question":
        return row.question
    if column.kind == "answer":
        return answer_text(row, words)[0]
    if column.kind in ("text", "speech"):
        return _judged_text(text_judged(row, highest) if column.kind == "text" else speech_judged(row), words)
    if column.kind == "mismatch":
        return mismatch_text(row, words)
    if column.kind == "tags":
        return ", ".join(row.tags)
    return figure(row, column) if column.kind in ("figure", "rate") else extra_text(row, column, words)


def cell_tip(row: AuditRow, column: Column, words: Words) -> str:
    """What hovering says: the whole text, or why the mark is what it is; "" where the cell says all."""
    if column.kind in ("state", "text"):
        return _why(row.state, row.why, words)
    if column.kind == "speech" and row.speech_state:
        return _why(row.speech_state, row.speech_why, words)
    if column.kind == "rate" and row.error_is_of_words:
        return words.text("audit.table.rate_of_words")
    if column.kind == "mismatch":
        return words.text("query.word.comma").join(
            words.text(f"audit.mismatch.{kind}") for kind in row.mismatch[1:] and row.mismatch
        )
    if column.kind == "figure":
        return ""
    if column.kind == "instance":
        return f"{row.benchmark} / {row.subset} / {row.key}"
    return cell_text(row, column, words, None)


def mismatch_text(row: AuditRow, words: Words) -> str:
    """The word for the mismatch, and how many more kinds there are."""
    kind = mismatch_kind(row)
    more = f" +{len(row.mismatch) - 1}" if len(row.mismatch) > 1 else ""
    return words.text(f"audit.mismatch.{kind}") + more if kind else ""


def _judged_text(judged: Judged, words: Words) -> str:
    if judged.kind in ("right", "wrong"):
        return words.text(f"audit.verdict.{judged.kind}")
    if judged.kind == "unread":
        return words.text("audit.verdict.unread")
    if judged.kind == "state":
        return words.text(f"widgets.state.{judged.state}")
    return judged.text + judged.of


def _why(state: str, why: str | None, words: Words) -> str:
    name = words.text(f"widgets.state.{state}")
    if not why:
        return name
    return f"{name}: {why_said(why, words)}"
