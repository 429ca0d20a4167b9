"""What reading a system's recorded answers gives, from whichever layout they come."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.benchmarks.values import OutsideJudgement, OutsideMeasurement, Problem, RecordedResponse
from engine.benchmarks.wavfolder import StrayAudio

_BLANKS = "\ufeff\u200b\u200c\u200d\u2060"  # blanks that str.strip leaves


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was read of one system's answers, and what else lay there.

    ``duplicates`` are answers left out because their key had one already, each with the flag ``duplicate_same`` or
    ``duplicate_differs``. ``stray_audio`` belongs to no answer. ``judgements`` and ``measurements`` come from
    ``result``, made by ``published/<file>``.
    """

    system: str
    responses: tuple[RecordedResponse, ...]
    problems: tuple[Problem, ...]
    duplicates: tuple[RecordedResponse, ...] = ()
    stray_audio: tuple[StrayAudio, ...] = ()
    judgements: tuple[OutsideJudgement, ...] = ()
    measurements: tuple[OutsideMeasurement, ...] = ()


def spoken_text(value: str) -> str | None:
    """``value`` itself, character for character, or None when there is nothing in it but blanks: no answer."""
    return value if value.strip().strip(_BLANKS).strip() else None


@dataclass(slots=True)
class ResponseRows:
    """Collects answers by (subset, key); the first of a key counts, later ones are duplicates."""

    found: dict[tuple[str, str], RecordedResponse] = field(default_factory=dict)
    duplicates: list[RecordedResponse] = field(default_factory=list)

    def add(self, response: RecordedResponse) -> None:
        """Keep the answer, or mark it as a repeat of one that is there."""
        first = self.found.setdefault((response.subset, response.key), response)
        if first is not response:
            flag = "duplicate_same" if first == response else "duplicate_differs"
            self.duplicates.append(replace(response, flags=(*response.flags, flag)))

    def key_users(self) -> dict[str, set[str]]:
        """Which subsets have an answer with each key."""
        users: dict[str, set[str]] = {}
        for subset, key in self.found:
            users.setdefault(key, set()).add(subset)
        return users
