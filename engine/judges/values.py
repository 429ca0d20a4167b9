"""The values that pass between judges and the rooms that plan, store and show their opinions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["scored", "unparsable", "failed", "unscored"]


@dataclass(frozen=True, slots=True)
class JudgeItem:
    """One answer to be judged: the judge's id, the language to ask in, and the text of each declared field."""

    response_id: int
    judge: str
    language: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says: ``scored`` with its verdict and score, or ``unparsable`` with neither.

    ``verdict`` is the declared name of a choice, or the step as text for a score; ``score`` is its value. ``why``
    tells an unparsable reply's trouble: ``judges.no_verdict`` or ``judges.several_verdicts``.
    """

    state: Literal["scored", "unparsable"]
    verdict: str | None
    score: float | None
    reason: str
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """One opinion of one judge about one response, or the reason why there is none.

    ``scored``: verdict and score are there. ``unparsable``: a reply came, ``raw_reply`` holds it, no verdict could be
    read. ``failed``: no usable reply. ``error_code`` says why, for both. ``unscored``: never asked (a spent budget).
    ``verdict`` and ``score`` are None in all but the first. ``reason`` is the judge's own; a failure has none, but the
    ``error_values`` that its sentence speaks of. ``cost`` is None without a price; ``seconds`` is the last call alone,
    without waiting.
    """

    response_id: int
    judge: str
    judge_version: int
    rubric_sha256: str
    repeat: int
    state: State
    verdict: str | None
    score: float | None
    reason: str
    raw_reply: str | None
    flags: tuple[str, ...] = ()
    error_code: str | None = None
    error_values: Mapping[str, Any] = field(default_factory=dict)
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Match:
    """What comparing strings decided: ``decided`` with a verdict, or not, with the reason and the rule that spoke."""

    decided: bool
    verdict: str | None
    reason: str
    rule: str


@dataclass(frozen=True, slots=True)
class Notice:
    """How the calls of a run go: ``at_once`` may run at once from now on.

    ``kind`` is ``limit`` where all goes well, ``pushed_back`` where the endpoint had too much: it answered ``status``
    (0 for no answer in time) and asked for ``wait_s`` seconds (None where it did not say).
    """

    kind: Literal["limit", "pushed_back"]
    at_once: int
    status: int = 0
    wait_s: float | None = None
