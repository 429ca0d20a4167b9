"""What people rated of an answer, in words: a line for each protocol, and every rating with its history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.store.human_rows import HumanVotes
from engine.store.people_said import PeopleSaid, RatedItem, Said
from engine.store.raters import OWNER
from gui.audit.detail.text_part import TextPart
from gui.strings import words

_MINUTE = 16  # characters of a time up to its minute
REASONS = ("technical", "unclear", "upsetting", "cannot_judge", "other")  # of a skip, as the rating screen gives them


def people_lines(people: PeopleSaid) -> list[str]:
    """One line for each protocol: what counts now on its main scale, and how many pass it or their mean."""
    by_protocol: dict[str, list[RatedItem]] = {}
    for item in people.items:
        by_protocol.setdefault(item.protocol, []).append(item)
    votes = {entry.protocol: entry for entry in people.votes}
    return [_line(items, votes.get(name)) for name, items in by_protocol.items()]


def people_told(people: PeopleSaid) -> list[TextPart]:
    """Every time the answer was put before a rater, with all that was said; that something is sealed is told first."""
    sealed = [TextPart(_say("title"), _say("sealed"))] if people.is_sealed else []
    return sealed + [_part(item) for item in people.items]


def _line(items: Sequence[RatedItem], votes: HumanVotes | None) -> str:
    found: Counter[str] = Counter()
    for item in items:
        if item.kind == "rated":
            found.update(_label(item.declaration, said) for said in item.said if _is_main(item, said))
            found.update(_say("skipped") for said in item.said if said.kind == "skip" and said.counts)
    found = found or Counter(_say(item.kind) for item in items if item.kind != "rated")
    values = [value if count == 1 else _say("times", value=value, count=count) for value, count in found.most_common()]
    line = _say("line", protocol=_title(items[0]), values=_say("joint").join(values) or _say("nothing"))
    if votes is None:
        return line
    if votes.passed is not None and votes.failed is not None:
        more = _say("passed", passed=votes.passed, all=votes.passed + votes.failed)
    elif votes.mean is not None:
        more = _say("mean", mean=f"{votes.mean:.2f}", all=votes.raters)
    else:
        return line
    return _say("with", said=line, more=more)


def _is_main(item: RatedItem, said: Said) -> bool:
    scales = _scales(item.declaration)
    return said.kind == "rating" and said.counts and (not scales or said.scale == scales[0].get("id"))


def _part(item: RatedItem) -> TextPart:
    heading = _say("heading", study=item.study, protocol=_title(item), version=item.protocol_version)
    rater = words.text("rate_owner.me") if item.rater == OWNER else item.rater
    note = rater if item.kind == "rated" else _say("joint").join((rater, _say(item.kind)))
    lines = []
    if item.other_system is not None:
        lines.append(_say("compared_second" if item.is_second else "compared_first", system=item.other_system))
    lines += [_say("expected", value=_value(item.declaration, *pair)) for pair in item.expected.items()]
    return TextPart(heading, "\n".join([*lines, *(_told(item, said) for said in item.said)]), note)


def _told(item: RatedItem, said: Said) -> str:
    marks = [] if said.holds == "now" else [_say("counts" if said.counts else said.holds)]
    if not said.is_before_reveal and item.declaration.get("reveals") == "after_commit":
        marks.append(_say("after_reveal"))
    when = said.made_at[:_MINUTE].replace("T", " ")
    return "  ".join([_what(item, said), _say("joint").join([when, *marks])])


def _what(item: RatedItem, said: Said) -> str:
    if said.kind == "rating":
        return _say("rating", scale=_question(item.declaration, said.scale), value=_label(item.declaration, said))
    if said.kind == "skip" and said.text in REASONS:
        return _say("skip", text=words.text(f"rate.skip.{said.text}"))
    if said.kind == "span_tag":
        return _say("span_tag", text=said.text, start=_seconds(said.start_s), end=_seconds(said.end_s))
    return _say(said.kind, text=said.text)


def _label(declaration: Mapping[str, Any], said: Said) -> str:
    return _value(declaration, said.scale, said.value)


def _value(declaration: Mapping[str, Any], scale: str | None, value: object) -> str:
    """A step as it was put to the rater: its number, where it has one, and its label."""
    steps = _listed(_scale(declaration, scale).get("steps"))
    label = next((str(step.get("label", "")) for step in steps if step.get("value") == value), "")
    if isinstance(value, str):
        return label or value
    return f"{value} {label}".rstrip()


def _question(declaration: Mapping[str, Any], scale: str | None) -> str:
    return str(_scale(declaration, scale).get("question") or scale or "")


def _title(item: RatedItem) -> str:
    return str(item.declaration.get("title") or item.protocol)


def _scale(declaration: Mapping[str, Any], name: str | None) -> Mapping[str, Any]:
    return next((scale for scale in _scales(declaration) if scale.get("id") == name), {})


def _scales(declaration: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return _listed(declaration.get("scales"))


def _listed(told: object) -> list[Mapping[str, Any]]:
    """The tables of a list; a declaration that came from elsewhere may hold anything."""
    return [entry for entry in told if isinstance(entry, dict)] if isinstance(told, list) else []


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _say(key: str, /, **values: object) -> str:
    return words.text(f"audit.detail.people.{key}", **values)
