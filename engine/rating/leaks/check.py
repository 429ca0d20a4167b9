"""The check that is run before a blind study opens: can a system be told by anything but what is rated?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.progress import Progress
from engine.rating.leaks.bins import views_of
from engine.rating.leaks.cues import Column, Given, columns_of
from engine.rating.leaks.fixes import allowed_fixes, fixes_of, most_fixes
from engine.rating.leaks.guess import Answered, Guessed, guess
from engine.rating.leaks.said import names_said
from engine.rating.leaks.sound import ClipSound, sounds_of, told_as
from engine.rating.leaks.values import FEWEST_ITEMS, ClipFix, Cue, Fixes, LeakReport, NameSaid
from engine.rating.values import Perceived, Protocol
from engine.statistics.differences import holm
from engine.store.blind_answers import BlindAnswer, blind_answers, systems_among
from engine.store.workspace import Workspace

_AS_IT_IS = Fixes()


def check_leaks(
    workspace: Workspace, response_ids: Sequence[int], protocol: Protocol, *, fixes: Fixes = _AS_IT_IS, seed: int = 0
) -> Generator[Progress, None, LeakReport]:
    """Whether raters of these answers could tell the systems apart under ``protocol``.

    The answers are looked at as they are played: with as much of ``fixes`` as the protocol allows. Run it without and
    then with them; the second time nothing is read again. The voice itself is no cue here: it cannot be hidden, and
    much of it is what is rated. The same seed gives the same report.

    Raises nothing for a clip that cannot be read: it is counted as left out.
    """
    with closing(workspace.connect()) as db:
        answers, systems = blind_answers(db, response_ids), systems_among(db, response_ids)
    heard = answers if protocol.perceived != "text" else []
    sounds = yield from sounds_of(workspace, heard)
    read = Progress(len(answers), len(answers))
    said = yield from told_as(read, _names(answers, systems))
    fixes = allowed_fixes(fixes, protocol)
    played = fixes_of(answers, sounds, fixes)
    kept = _comparable(answers, sounds, protocol.perceived)
    given = [Given(one, sounds.get(one.id), played.get(one.id, ClipFix()), said[one.id]) for one in kept]
    names = tuple(name for one in answers for name in said[one.id])
    report = replace(_empty(given, len(answers)), name_sayers=names, fixes=fixes, allowed=most_fixes(protocol))
    if report.n < FEWEST_ITEMS:
        return report
    return (yield from told_as(read, _guessed(report, given, protocol.perceived, seed)))


def _names(
    answers: Sequence[BlindAnswer], systems: tuple[str, ...]
) -> Generator[Progress, None, dict[int, tuple[NameSaid, ...]]]:
    found = {}
    for done, answer in enumerate(answers, start=1):
        found[answer.id] = names_said(answer, systems)
        if done % 100 == 0:
            yield Progress(done, len(answers))
    return found


def _comparable(
    answers: Sequence[BlindAnswer], sounds: Mapping[int, ClipSound], perceived: Perceived
) -> list[BlindAnswer]:
    """The answers that can be put before a rater, to questions that two systems or more answered."""
    by_item: dict[int, list[BlindAnswer]] = defaultdict(list)
    for answer in answers:
        if (perceived != "text" and answer.id in sounds) or (perceived != "audio" and answer.text):
            by_item[answer.instance_id].append(answer)
    return [one for group in by_item.values() if len({a.system_id for a in group}) > 1 for one in group]


def _empty(given: Sequence[Given], asked: int) -> LeakReport:
    return LeakReport(
        guess_rate=None,
        chance=None,
        p=None,
        detectable=None,
        cues=(),
        name_sayers=(),
        fixes=_AS_IT_IS,
        n=len({one.answer.instance_id for one in given}),
        answers=len(given),
        systems=len({one.answer.system_id for one in given}),
        left_out=asked - len(given),
    )


def _guessed(
    report: LeakReport, given: Sequence[Given], perceived: Perceived, seed: int
) -> Generator[Progress, None, LeakReport]:
    answered = Answered(
        np.unique([one.answer.instance_id for one in given], return_inverse=True)[1],
        np.unique([one.answer.system_id for one in given], return_inverse=True)[1],
    )
    columns = columns_of(given, perceived)
    views = [views_of(column, answered.items) for column in columns]
    alone, together = yield from guess(views, [column.kind.is_heard for column in columns], answered, seed)
    varies = [any(codes.max() > 0 for codes in of_cue) for of_cue in views]
    tried = iter(holm([found.p for found, is_tried in zip(alone, varies, strict=True) if is_tried]))
    adjusted = [next(tried) if is_tried else 1.0 for is_tried in varies]  # what is the same in all is no test
    cues = [_cue(*one, answered) for one in zip(columns, alone, adjusted, strict=True)]
    return replace(
        report,
        guess_rate=together.rate,
        chance=answered.chance,
        p=together.p,
        detectable=together.detectable,
        cues=tuple(sorted(cues, key=lambda cue: (cue.adjusted_p, -cue.guess_rate))),
    )


def _cue(column: Column, found: Guessed, adjusted_p: float, answered: Answered) -> Cue:
    system, clearest = found.clearest
    is_it = answered.systems == system
    return Cue(
        id=column.kind.id,
        is_heard=column.kind.is_heard,
        guess_rate=found.rate,
        p=found.p,
        adjusted_p=adjusted_p,
        clearest=clearest,
        apart=None if column.figures is None else _median(column.figures[is_it]),
        others=None if column.figures is None else _median(column.figures[~is_it]),
        remedy=column.kind.remedy,
    )


def _median(figures: NDArray[np.float64]) -> float | None:
    known = figures[~np.isnan(figures)]
    return float(np.median(known)) if len(known) else None
