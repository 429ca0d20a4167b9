"""What is known about one audio file, and what is wrong with it, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.strings import text

#: Faults that tell something about a file without making its sound doubtful; all others are faults.
NOTES = frozenset({"header_length_unset", "wrong_extension", "data_after_declared_end", "dead_channel", "dc_offset"})


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing to be told about a file: ``code`` is ``truncated``, ``silent``, ...; ``values`` fill its sentence.

    The sentences stand under ``[fault]`` in ``resources/strings/<language>/audio.toml``; ``values["name"]`` is
    always the file's name.
    """

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_note(self) -> bool:
        """True when the sound itself is whole and the fault is information only."""
        return self.code in NOTES

    def sentence(self, language: str = "en") -> str:
        """The fault as one sentence in ``language``: the file, what is wrong, what to do."""
        values = dict(self.values)
        if side := values.get("side"):
            values["side"] = text(f"audio.side.{side}", language)
        return text(f"audio.fault.{self.code}", language, **values)


@dataclass(frozen=True, slots=True)
class AudioFacts:
    """Facts of one audio file. Full scale is 1.0; no value is ever NaN or infinite.

    Attributes:
        format: what the content is, whatever the name says: ``WAV``, ``RF64``, ``W64``, ``FLAC``, ``OGG``, ``MP3``, ...
        subtype: libsndfile's name of the coding, ``PCM_16``, ``FLOAT``, ``OPUS``, ...
        frame_count: frames that could be decoded, not what the header promises; ``duration_s`` follows from it.
        bits: bits of one stored sample; None where the coding has none (MP3, Opus, Vorbis).
        peak: largest magnitude of any finite sample, 0.0 for silence; over 1.0 where a float file goes over.
        peak_by_channel: the same for each channel, in file order.
        dc_offset: signed mean of the channel that is furthest from zero, dead channels included.
        rms_dbfs: level of the channels that carry sound, 0 dB for a mean square of 1; None for silence.
        silent_share: share 0..1 of the duration in which nothing sounds (see ``engine.audio.sound``); 1.0 when empty.
        spoken_duration_s: seconds in which something sounds, pauses up to 0.2 s included. Energy, not speech
            recognition: steady noise counts.
        sound_start_s, sound_end_s: where the first sound begins and the last one ends; None for silence.
        clipped_share: share 0..1 of samples in runs of at least three at full scale; 0.0 for a float file that goes
            over full scale, for nothing in it is cut off yet.
        non_finite_samples: NaN and infinite samples over all channels, and those over 1e10 (broken bytes);
            ``first_non_finite_s`` is None when 0.
        mixed_channels: channels (from 1) whose mean is the mono signal a recogniser gets.
        faults: what has to be told about the file, in order of weight; empty for a sound file.
    """

    format: str
    subtype: str
    sample_rate_hz: int
    channels: int
    frame_count: int
    duration_s: float
    bits: int | None
    peak: float
    peak_by_channel: tuple[float, ...]
    dc_offset: float
    rms_dbfs: float | None
    silent_share: float
    spoken_duration_s: float
    sound_start_s: float | None
    sound_end_s: float | None
    clipped_share: float
    non_finite_samples: int
    first_non_finite_s: float | None
    mixed_channels: tuple[int, ...]
    faults: tuple[Fault, ...]

    @property
    def is_silent(self) -> bool:
        """True when nothing sounds: no samples, no usable ones, or silence throughout."""
        return self.sound_start_s is None

    def fault(self, code: str) -> Fault | None:
        """The first fault of that code, or None."""
        return next((fault for fault in self.faults if fault.code == code), None)
