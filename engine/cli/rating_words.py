"""What the verb ``rate`` says and prints of plans, leak checks, studies and merges."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.cli.console import language, number, print_table
from engine.strings import text

if TYPE_CHECKING:
    from engine.rating.design import Precision, StudyPlan
    from engine.rating.leaks import LeakReport
    from engine.store.merging import Taken
    from engine.store.raters import Rater
    from engine.store.studies import SessionRow, StudyRow

_SHOWN = 20
#: What the owner may be called on the command line, in either language.
OWNERS_NAMES = ("me", "owner", "you", "我", "你")


def said(key: str, **values: Any) -> str:
    """One sentence of the verb, in the user's language."""
    return text(f"rate_verb.{key}", language(), **values)


def headings(*names: str) -> list[str]:
    """Headings of columns."""
    return [said(f"column.{name}") for name in names]


def print_plan(plan: StudyPlan, raters: Sequence[Rater]) -> None:
    """How much a study is, how long it takes and how sharp it gets, with what an owner ought to know."""
    counts = plan.counts
    print(said("plan.size", items=counts.items, systems=len(counts.systems), instances=counts.instances,
               presentations=counts.presentations, rated=counts.rated, repeats=counts.repeats, gold=counts.gold,
               traps=counts.traps, training=counts.training))  # fmt: skip
    names = {rater.id: shown_name(rater) for rater in raters}
    rows = [
        [
            names.get(load.rater_id, "?"),
            str(load.items),
            str(load.shared),
            str(load.presentations),
            f"{load.minutes:.0f}",
        ]
        for load in plan.loads
    ]
    print_table("", headings("rater", "items", "shared", "presentations", "minutes"), rows)
    titles = {protocol.id: protocol.title for protocol in plan.protocols}
    precise = [
        [titles[one.protocol], f"{one.n:.0f}", _width(one.half_width, one), _width(one.difference, one)]
        for one in plan.precision
    ]
    print_table("", headings("protocol", "worth", "half_width", "difference"), precise, said("plan.assumed"))
    for warning in plan.warnings:
        print(f"- {warning.sentence(language())}")


def print_leaks(reports: Sequence[LeakReport]) -> None:
    """What each blind-leak check found, in sentences."""
    from engine.rating.leaks import sentences_of

    for report in reports:
        for sentence in sentences_of(report, language()):
            print(f"- {sentence}")


def print_studies(studies: Sequence[StudyRow]) -> None:
    """A table of studies, the newest first."""
    rows = [
        [str(study.id), study.title, said(f"kind.{_kind(study)}"), ", ".join(study.protocols), _names(study.raters),
         str(study.planned), str(study.rated), str(study.skipped), said(_letters(study))]
        for study in studies
    ]  # fmt: skip
    columns = headings("study", "title", "kind", "protocols", "raters", "planned", "rated", "skipped", "letters")
    print_table("", columns, rows, words=5)


def print_sessions(sessions: Sequence[SessionRow]) -> None:
    """A table of a study's sessions."""
    rows = [
        [owners_word(one.rater_name, "owner_listed"), str(one.number),
         f"{one.protocol_name} {one.protocol_version} ({one.language})",
         one.protocol_sha256[:12], str(one.planned), str(one.rated), str(one.skipped)]
        for one in sessions
    ]  # fmt: skip
    print_table("", headings("rater", "pass", "protocol", "sha256", "planned", "rated", "skipped"), rows, words=4)


def print_taken(taken: Taken) -> bool:
    """What was new and, one by one, what was not taken; whether there was any of that."""
    print(said("taken", ratings=taken.added["rating"], presentations=taken.added["presentation"],
               remarks=taken.added["remark"]))  # fmt: skip
    told = [said(f"refused.{one.why}", table=said(f"table.{one.table}"), uid=one.uid[:8]) for one in taken.refused]
    told += [said("clash", table=said(f"table.{one.table}"), name=one.name[:8]) for one in taken.conflicts]
    print_some(told)
    return bool(told)


def print_some(lines: Sequence[str]) -> None:
    """The first lines on stderr, and how many more there are."""
    for line in lines[:_SHOWN]:
        print(f"- {line}", file=sys.stderr)
    if len(lines) > _SHOWN:
        print("- " + text("cli.said.and_more", language(), count=len(lines) - _SHOWN), file=sys.stderr)


def shown_name(rater: Rater) -> str:
    """A rater's name; the owner has a word of the user's language."""
    return owners_word(rater.name) if rater.is_owner else rater.name


def listed_name(rater: Rater) -> str:
    """As ``shown_name``, in a list, where the owner is told as such."""
    return owners_word(rater.name, "owner_listed") if rater.is_owner else rater.name


def owners_word(name: str, word: str = "owner") -> str:
    """What a rater of this name is called: themselves, and the owner by the user's language."""
    return said(word) if name == "owner" else name


def session_said(study: StudyRow) -> str:
    """A session by its number and title."""
    return said("session", number=study.id, title=study.title)


def standing_of(study: StudyRow) -> str:
    """A session by its number, and how far it is."""
    return said("standing", number=study.id, rated=study.rated, planned=study.planned, letters=said(_letters(study)))


def _letters(study: StudyRow) -> str:
    return "sealed" if study.is_sealed else "revealed"


def _kind(study: StudyRow) -> str:
    if "adjudicates" in study.design:
        return "disagreements"
    return "imported" if study.is_imported else study.selection


def _names(raters: Sequence[str]) -> str:
    raters = [owners_word(name, "owner_listed") for name in raters]
    return ", ".join(raters[:4]) + (f" +{len(raters) - 4}" if len(raters) > 4 else "")


def _width(value: float | None, of: Precision) -> str:
    if value is None:
        return "—"
    return f"± {100 * value:.1f} %" if of.is_share else f"± {number(value, 2)}"
