"""Checks the audio of recorded answers: its own faults, its rate among the others, its length against the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from engine.audio.facts import AudioFacts
from engine.audio.read import inspect_audio
from engine.benchmarks.values import Finding, RecordedResponse
from engine.errors import EngineError

# Read Mandarin runs at 4-6 syllables a second, news and drills at up to 9; English words have about 1.5 syllables.
# The bounds are wide, so that only an answer that lost or repeated a good part of its text is named.
_FEWEST_S_PER_SYLLABLE = 0.08
_MOST_S_PER_SYLLABLE = 0.6
_SLACK_S = 3.0
_SYLLABLES_PER_WORD = 1.5
_HAN_OR_DIGIT = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff0-9０-９]")
_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")


def syllables(text: str) -> int:
    """About how many syllables ``text`` has when read aloud; 0 for text without letters, characters or digits."""
    return len(_HAN_OR_DIGIT.findall(text)) + round(_SYLLABLES_PER_WORD * len(_WORD.findall(text)))


class AudioCheck:
    """Inspects one answer after another, and compares their sample rates in the end."""

    def __init__(self) -> None:
        self._rates: dict[tuple[str, str], int] = {}

    def inspect(self, response: RecordedResponse) -> Iterator[Finding]:
        """What is wrong with the answer's audio by itself; codes ``audio.*`` are those of the audio room."""
        assert response.audio is not None
        place = (response.subset, response.key)
        try:
            facts = inspect_audio(response.audio)
        except EngineError as error:
            yield Finding(
                *place, "benchmarks.audio_unreadable", {"error_code": error.code, "error_values": error.values}
            )
            return
        self._rates[place] = facts.sample_rate_hz
        for fault in facts.faults:
            yield Finding(*place, f"audio.{fault.code}", fault.values, severity="note" if fault.is_note else "fault")
        if response.text is not None and all(fault.is_note for fault in facts.faults):
            yield from _length_mismatch(response, facts)

    def sample_rates(self) -> Iterator[Finding]:
        """Files whose rate differs from that of most; one note where no rate has a majority."""
        counts = Counter(self._rates.values())
        if len(counts) < 2:
            return
        majority, holders = counts.most_common(1)[0]
        if 2 * holders <= len(self._rates):
            rates = ", ".join(f"{rate} Hz: {count}" for rate, count in sorted(counts.items()))
            yield Finding("", "", "benchmarks.sample_rates_mixed", {"rates": rates}, severity="note")
            return
        for place, rate in self._rates.items():
            if rate != majority:
                yield Finding(*place, "benchmarks.sample_rate_differs", {"rate": rate, "majority": majority})


def _length_mismatch(response: RecordedResponse, facts: AudioFacts) -> Iterator[Finding]:
    units, spoken_s = syllables(response.text or ""), facts.spoken_duration_s
    values = {"units": units, "spoken_s": spoken_s}
    if not units:
        return
    if spoken_s < _FEWEST_S_PER_SYLLABLE * units:
        yield Finding(response.subset, response.key, "benchmarks.too_short_for_text", values, severity="note")
    elif spoken_s > _MOST_S_PER_SYLLABLE * units + _SLACK_S:
        yield Finding(response.subset, response.key, "benchmarks.too_long_for_text", values, severity="note")
