"""How sharp a study can be and how long it takes, reckoned before anything is rated."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.rating.design import Precision
from engine.rating.values import Protocol
from engine.store.studies import NewAssignment

GAP_S = 0.6  # between a question and its answer, and between two clips compared
UNKNOWN_S = 8.0  # a clip whose length nobody measured
_READING_PER_S = {"zh": 5.0, "en": 15.0}  # characters read with care: 300 a minute, and some 180 words
_POWER = 0.8


def half_width_of_mean(sd: float, n: float) -> float | None:
    """Half of a 95 % t-interval of a mean over ``n`` items, t(.975, n - 1) sd / sqrt(n); None under two items.

    >>> half_width_of_mean(1.0, 30)  # t = 2.0452
    0.3734...
    """
    if n < 2:
        return None
    from scipy.special import stdtrit  # scipy.stats takes half a second to import

    return float(stdtrit(n - 1, 0.975)) * sd / math.sqrt(n)


def half_width_of_share(share: float, n: float) -> float | None:
    """Half of a 95 % interval of a share over ``n`` items, z sqrt(p (1 - p) / n); None without items.

    >>> half_width_of_share(0.5, 385)
    0.0499...
    """
    return None if n <= 0 else _normal(0.975) * math.sqrt(share * (1 - share) / n)


def items_for_share(share: float, half_width: float) -> int:
    """Items that bring the 95 % interval of a share to ``half_width``: z^2 p (1 - p) / h^2, rounded up.

    Case SS1 of calibration/cases.json.

    >>> items_for_share(0.5, 0.05), items_for_share(0.8, 0.05), items_for_share(0.9, 0.03)
    (385, 246, 385)
    """
    return math.ceil(_normal(0.975) ** 2 * share * (1 - share) / half_width**2)


def detectable_difference(sd: float, correlation: float, n: float) -> float | None:
    """The difference of two systems' means over the same ``n`` items that shows in 80 % of studies, two-sided at 5 %.

    (z.975 + z.80) sd_d / sqrt(n), about 2.80 sd_d / sqrt(n), with sd_d = sd sqrt(2 (1 - r)) of the paired differences
    (Cohen, Statistical Power Analysis, 2nd ed. 1988, 2.3; for shares sd = sqrt(p (1 - p)), which is the
    2.8 sqrt(disc) / sqrt(n) of calibration/design.md 1.10 with disc = 2 p (1 - p) (1 - r)).

    >>> detectable_difference(1.0, 0.5, 100)
    0.2801...
    """
    spread = sd * math.sqrt(2 * (1 - correlation))
    return None if n < 2 else (_normal(0.975) + _normal(_POWER)) * spread / math.sqrt(n)


def precision_of(protocol: Protocol, n: float, drawn_from: int, systems: int) -> Precision:
    """What one pass over ``n`` items (as many as equal weights would need) tells, by the protocol's assumptions.

    Raters count as they are: how others would rate is not in it. Of a comparison, ``difference`` is how far the mean
    must lie from no difference, or the share from a half.
    """
    planning = protocol.planning
    is_share = planning.share is not None
    sd = math.sqrt(planning.share * (1 - planning.share)) if planning.share is not None else planning.sd or 0.0
    half = half_width_of_share(planning.share, n) if planning.share is not None else half_width_of_mean(sd, n)
    rest = math.sqrt(max(0.0, 1 - n / drawn_from)) if drawn_from else 1.0
    apart = detectable_difference(sd, 0.5 if protocol.compares else planning.correlation, n)  # 0.5: sd as it is
    assumed = {"share": planning.share} if planning.share is not None else {"sd": sd}
    if not protocol.compares:
        assumed["correlation"] = planning.correlation
    return Precision(
        protocol=protocol.id,
        is_share=is_share,
        n=n,
        half_width=half,
        half_width_run=None if half is None or not drawn_from else half * rest,
        difference=apart if systems > 1 else None,
        assumed=assumed,
    )


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long things are: seconds of each answer's sound and characters of its text, by response id.

    ``instances`` says which question an answer is to, ``questions`` how many seconds that takes to hear; what is
    missing there has no sound. An answer missing in ``clips`` was never measured.
    """

    clips: Mapping[int, float]
    written: Mapping[int, int]
    instances: Mapping[int, int]
    questions: Mapping[int, float]


def session_seconds(protocol: Protocol, assignments: Sequence[NewAssignment], lengths: Lengths) -> float:
    """Seconds that one pass takes: clips at 1x with the gaps, reading, and the protocol's time for an answer each.

    A question that stands before several answers in a row is heard once.
    """
    total, before = 0.0, None
    for entry in assignments:
        clips = [entry.response_id] + ([entry.other_response_id] if entry.other_response_id is not None else [])
        for clip in clips:
            if protocol.perceived == "text":
                total += lengths.written.get(clip, 0) / _READING_PER_S[protocol.language]
            else:
                total += lengths.clips.get(clip, UNKNOWN_S)
        asked = lengths.instances.get(entry.response_id)
        if protocol.question != "none" and asked is not None and asked != before and asked in lengths.questions:
            total += lengths.questions[asked] + GAP_S
        before = asked
        total += protocol.planning.answer_s + GAP_S * (len(clips) - 1)
    return total


def _normal(share: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(share))
