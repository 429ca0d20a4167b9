"""What has to be told about one audio file, from its headers and its levels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.audio.facts import Fault
from engine.audio.formats import FLOATING, is_misnamed
from engine.audio.levels import Levels
from engine.audio.sound import is_over_long
from engine.audio.source import Source

#: A mean of 1 % of full scale: no sound converter in order is that far off, and below it costs under 0.1 dB of room.
DC_NAMED = 0.01
#: The mean of less than ten periods of a low voice (100 Hz) is not zero even without any offset.
DC_LEAST_S = 0.1
#: Encoders pad and cut by up to two frames of MPEG layer III, so that an MP3 may be short by that much.
_MP3_SLACK_FRAMES = 2 * 1152
#: Bytes behind the declared end are named from this long a sound on; less is some program's own mark.
_SOUND_AFTER_END_S = 0.1
_SIDES = {0: "left", 1: "right"}


def find_faults(source: Source, levels: Levels) -> tuple[Fault, ...]:
    """The faults of one file, what makes it unusable first, mere notes last."""
    told = (*_of_samples(source, levels), *_of_headers(source, levels), *_of_levels(source, levels))
    faults = [Fault(code, {"name": source.path.name, **values}) for code, values in told]
    return tuple(sorted(faults, key=lambda fault: fault.is_note))


def clipped_share(source: Source, levels: Levels) -> float:
    """Share 0..1 of the finite samples in runs at full scale; 0.0 where floats go over it, not cut off yet."""
    if not levels.usable or _goes_over(source, levels):
        return 0.0
    return sum(runs.clipped for runs in levels.clipping) / levels.usable


def _goes_over(source: Source, levels: Levels) -> bool:
    return source.subtype in FLOATING and bool(levels.peak_by_channel.max() > 1.0)


def _of_samples(source: Source, levels: Levels) -> Iterator[tuple[str, dict[str, Any]]]:
    if not levels.frames:
        yield "no_samples", {}
    elif not levels.usable:
        yield "no_usable_sample", {"count": levels.non_finite}
    elif levels.first_non_finite is not None:
        first_s = levels.first_non_finite / source.sample_rate_hz
        yield "non_finite", {"count": levels.non_finite, "first_s": first_s}
    if levels.usable and levels.sound.start_s is None:
        yield "silent", {"duration_s": levels.sound.duration_s, "peak": float(levels.peak_by_channel.max())}


def _of_headers(source: Source, levels: Levels) -> Iterator[tuple[str, dict[str, Any]]]:
    promise, rate = source.promise, source.sample_rate_hz
    is_mp3 = source.format == "MP3"  # its tag counts the encoder's padding, which the decoder takes off
    declared = source.expected_frames if is_mp3 and promise.frames else promise.frames
    if declared is not None and levels.frames + is_mp3 * _MP3_SLACK_FRAMES < declared:
        missing_s = (declared - levels.frames) / rate
        yield "truncated", {"declared": declared, "present": levels.frames, "missing_s": missing_s}
    elif promise.broken_off:
        yield "truncated_stream", {"present": levels.frames, "duration_s": levels.frames / rate}
    if promise.length_unset:
        yield "header_length_unset", {"duration_s": levels.frames / rate}
    if promise.riff is not None and promise.riff.frame_bytes:
        after_s = promise.bytes_after / promise.riff.frame_bytes / rate
        if after_s >= _SOUND_AFTER_END_S:
            yield "data_after_declared_end", {"bytes": promise.bytes_after, "after_s": after_s}
    if is_misnamed(source.format, source.path.suffix):
        yield "wrong_extension", {"format": source.format, "extension": source.path.suffix}


def _of_levels(source: Source, levels: Levels) -> Iterator[tuple[str, dict[str, Any]]]:
    sound, rate = levels.sound, source.sample_rate_hz
    for index in levels.dead:
        yield "dead_channel", {"channel": index + 1, "side": _SIDES.get(index, "") if source.channels == 2 else ""}
    if levels.cancels:
        yield "out_of_phase", {"channel": levels.mixed[0] + 1}
    if is_over_long(sound.duration_s, sound.spoken_duration_s):
        values = {"spoken_s": sound.spoken_duration_s, "start_s": sound.start_s, "end_s": sound.end_s}
        yield "over_long", {"duration_s": sound.duration_s, **values}
    firsts = [runs.first for runs in levels.clipping if runs.first is not None]
    if _goes_over(source, levels):
        yield "over_full_scale", {"peak": float(levels.peak_by_channel.max())}
    elif firsts:
        percent = 100 * clipped_share(source, levels)
        count = sum(runs.runs for runs in levels.clipping)
        yield "clipped", {"percent": percent, "runs": count, "first_s": min(firsts) / rate}
    worst = max(levels.dc_by_channel.tolist(), key=abs)
    if abs(worst) >= DC_NAMED and sound.duration_s >= DC_LEAST_S:
        yield "dc_offset", {"offset": worst}
