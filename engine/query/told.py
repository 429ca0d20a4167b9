"""What the store holds about one response, as values: what was asked, answered, heard, measured and judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.metrics.located import HeardWord
from engine.metrics.mismatch import Mismatch
from engine.store.corrections import Correction
from engine.store.evidence import ToldChange
from engine.store.people_said import NOBODY_SAID, PeopleSaid


@dataclass(frozen=True, slots=True)
class MakerTold:
    """What made a result; ``libraries`` are the versions when it first did."""

    id: int
    key: str
    kind: str
    name: str
    code_version: str
    settings: Mapping[str, Any]
    weights_sha256: str | None
    rubric_sha256: str | None
    libraries: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FloorTold:
    """What a recogniser gets wrong on speech whose words are known."""

    errors: int
    reference_length: int
    clip_count: int

    @property
    def rate(self) -> float:
        """Errors over reference length; lower is better."""
        return self.errors / self.reference_length


@dataclass(frozen=True, slots=True)
class ClipTold:
    """One audio file by content.

    Attributes:
        name: as the benchmark writes it; empty for an answer.
        path: below the workspace's ``audio``, or absolute; None with ``audio_id`` where the file was missing.
        facts: what reading it found; None until it was measured.
    """

    audio_id: int | None
    sha256: str | None
    name: str
    path: str | None
    facts: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the talk that leads up to the question."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The instance: what was asked."""

    id: int
    benchmark: str
    subset: str
    key: str
    question: str
    context: tuple[Turn, ...]
    reference: str | None
    category: str | None
    language: str
    labels: Mapping[str, Any]
    clips: tuple[ClipTold, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The response itself: ``audio_fault`` says why a file could not be taken, ``is_current`` whether a later answer
    took its place.
    """

    id: int
    uid: str
    state: str
    text: str | None
    repeat: int
    is_current: bool
    error: str | None
    flags: tuple[str, ...]
    timings: Mapping[str, float]
    clip: ClipTold | None
    audio_fault: Mapping[str, Any] | None
    created_at: str
    run_id: int
    run_kind: str
    run_started_at: str


@dataclass(frozen=True, slots=True)
class SystemTold:
    """The system that answered, and what it declares of itself."""

    name: str
    kind: str
    declaration: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TranscriptTold:
    """What one recogniser heard; ``words`` are empty where it was not asked for times."""

    id: int
    maker: MakerTold
    state: str
    text: str | None
    language: str | None
    words: tuple[HeardWord, ...]
    seconds: float | None
    flags: tuple[str, ...]
    error: str | None
    created_at: str


@dataclass(frozen=True, slots=True)
class MeasurementTold:
    """One number about the response, or the state that stands in its place."""

    id: int
    maker: MakerTold
    metric: str
    state: str
    value: float | None
    errors: float | None
    reference_length: float | None
    detail: Mapping[str, Any]
    created_at: str

    @property
    def transcript_maker(self) -> str | None:
        """The key of the recogniser whose transcript it is derived from."""
        return self.maker.settings.get("transcript_maker")


@dataclass(frozen=True, slots=True)
class JudgementTold:
    """One opinion of a judge or a word rule, or the state that stands in its place."""

    id: int
    maker: MakerTold
    judge: str
    repeat: int
    state: str
    verdict: str | None
    score: float | None
    reason: str
    raw_reply: str | None
    flags: tuple[str, ...]
    error: str | None
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    seconds: float | None
    created_at: str


@dataclass(frozen=True, slots=True)
class VerdictTold:
    """What the response is worth under a method, of its text or its speech; ``why`` is a code of ``scoring.why``."""

    state: str
    verdict: str | None
    score: float | None
    why: str | None
    maker_id: int | None


@dataclass(frozen=True, slots=True)
class TagTold:
    """A tag in force, on the whole answer or on a span of it."""

    uid: str
    name: str
    start_s: float | None
    end_s: float | None
    made_at: str


@dataclass(frozen=True, slots=True)
class NoteTold:
    """A note in force, on the whole answer or on a span of it."""

    uid: str
    text: str
    start_s: float | None
    end_s: float | None
    made_at: str


@dataclass(frozen=True)
class ResponseDetail:
    """One response with all that is known of it; the newest of each kind comes last.

    Attributes:
        verdicts: by method and subject (``text``, ``speech``); empty where the response has no derived row.
        recognisers: the recogniser whose transcript each method reads, by method; None without one.
        quality_maker_id: whose speech quality counts.
        floors: of every recogniser here, by maker, language and metric.
        changes: all that people said, took back and gave back, the oldest first.
        people: what was said of it by those who rated it.
        corrections: what people heard, those that were taken back too; the last one that stands holds.
    """

    asked: Asked
    answered: Answered
    system: SystemTold
    transcripts: tuple[TranscriptTold, ...]
    measurements: tuple[MeasurementTold, ...]
    judgements: tuple[JudgementTold, ...]
    verdicts: Mapping[tuple[str, str], VerdictTold]
    recognisers: Mapping[str, int | None]
    quality_maker_id: int | None
    derived: Mapping[str, Any]
    floors: Mapping[tuple[int, str, str], FloorTold]
    tags: tuple[TagTold, ...]
    notes: tuple[NoteTold, ...]
    people: PeopleSaid = NOBODY_SAID
    corrections: tuple[Correction, ...] = ()
    changes: tuple[ToldChange, ...] = ()

    def transcript(self, method: str) -> TranscriptTold | None:
        """The transcript that a method reads; None where nothing was recognised."""
        wanted = self.recognisers.get(method)
        return next((t for t in self.transcripts if t.maker.id == wanted and t.state == "scored"), None)

    def measurement(self, metric: str, method: str) -> MeasurementTold | None:
        """The newest measurement of ``metric`` that rests on the transcript a method reads."""
        read = self.transcript(method)
        found = [m for m in self.measurements if m.metric == metric and read and m.transcript_maker == read.maker.key]
        return found[-1] if found else None

    @property
    def first_sound_s(self) -> float | None:
        """Seconds to the first sound: the first audio and the silence it begins with; None where one is not known."""
        first_audio_s = self.answered.timings.get("first_audio_s")
        facts = (self.answered.clip.facts if self.answered.clip else None) or {}
        start_s = facts.get("sound_start_s")
        return None if first_audio_s is None or start_s is None else first_audio_s + start_s

    @cached_property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """The passages where speech and text part, by the transcript of the corrected method."""
        stored = self.measurement("mismatch", "corrected")
        found = stored.detail.get("found", ()) if stored else ()
        return tuple(Mismatch(m["kind"], m["start"], m["end"], m["count"], m["text"]) for m in found)

    def maker(self, maker_id: int | None) -> MakerTold | None:
        """A maker by its row, as far as it made anything here."""
        made: Sequence[Any] = (*self.judgements, *self.measurements, *self.transcripts)
        return next((entry.maker for entry in made if entry.maker.id == maker_id), None)
