"""What a worker can be asked: recognise, quality, facts, curves, and what makes a recogniser's results."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from engine.audio.facts import AudioFacts
from engine.audio.read import inspect_audio, load_mono, resample
from engine.errors import EngineError
from engine.speech.curves import HOP, curve_pieces, made_by
from engine.speech.dnsmos import dnsmos
from engine.speech.recognise import Recogniser, load_recogniser
from engine.speech.values import SAMPLE_RATE_HZ, RecogniserSpec, Samples
from engine.worker.carried import on_disk
from engine.worker.protocol import pcm_samples, pcm_text
from engine.worker.respond import respond
from engine.worker.serve import Done, Failed, Kind, Request, Step

#: Clips are held in memory and decoded together up to 20 minutes of sound.
_MOST_SAMPLES = 20 * 60 * SAMPLE_RATE_HZ

_loaded: dict[RecogniserSpec, Recogniser] = {}


def recognise(request: Request) -> Iterator[Done | Failed | Step]:
    """Transcripts: ``items`` of {id, path}, {id, data, suffix} (a file's bytes) or {id, pcm, rate}.

    ``settings`` {recogniser, language}.

    A result has text, language, words, flags, seconds and ``spent_s``: the time since the result before, so that
    the sum over a batch is what the batch took.
    """
    yield Step("loading the recogniser")
    recogniser = _recogniser(request)
    waiting: list[_Clip] = []
    for item in request.items:
        try:
            waiting.append(_Clip(item.get("id"), *_heard_samples(item)))
        except EngineError as error:
            yield Failed(item.get("id"), error)
        if sum(len(clip.samples) for clip in waiting) > _MOST_SAMPLES:
            yield from _transcripts(recogniser, waiting, request)
            waiting = []
    yield from _transcripts(recogniser, waiting, request)


def quality(request: Request) -> Iterator[Done | Failed | Step]:
    """DNSMOS of items as in ``recognise``: ovrl, sig, bak, p808; null where there is no value (silence)."""
    for item in request.items:
        try:
            began = time.perf_counter()
            values = asdict(dnsmos(_heard_samples(item)[0]))
            yield Done(item.get("id"), {**values, "spent_s": time.perf_counter() - began})
        except EngineError as error:
            if error.code.startswith("speech."):
                raise  # a package is missing: that is no item's fault
            yield Failed(item.get("id"), error)


def facts(request: Request) -> Iterator[Done | Failed | Step]:
    """Facts and faults of the audio files of ``items`` {id, path} or {id, data, suffix}."""
    for item in request.items:
        try:
            with on_disk(item) as path:
                found = inspect_audio(path)
            yield Done(item.get("id"), _told_facts(found))
        except EngineError as error:
            yield Failed(item.get("id"), error)


def curves(request: Request) -> Iterator[Done | Failed | Step]:
    """Pitch and energy of items as in ``recognise``: step_s, pitch_hz and energy_dbfs as ``pcm`` is, made_by."""
    for item in request.items:
        try:
            samples = _heard_samples(item)[0]
        except EngineError as error:
            yield Failed(item.get("id"), error)
            continue
        parts = [(np.zeros(0, np.float32), np.zeros(0, np.float32))]
        for piece in curve_pieces(samples):  # raises where librosa is missing: that is no item's fault
            parts.append(piece)
            yield Step("pitch and energy")
        pitch, energy = (pcm_text(np.concatenate([part[place] for part in parts])) for place in (0, 1))
        told = {"pitch_hz": pitch, "energy_dbfs": energy, "made_by": made_by()}
        yield Done(item.get("id"), {"step_s": HOP / SAMPLE_RATE_HZ, **told})


def describe(request: Request) -> Iterator[Done | Failed | Step]:
    """For each item: what makes the results of the recogniser in ``settings``: name, hash, settings, libraries."""
    yield Step("loading the recogniser")
    maker = asdict(_recogniser(request).maker)
    for item in request.items:
        yield Done(item.get("id"), maker)


KINDS: dict[str, Kind] = {
    "recognise": recognise,
    "quality": quality,
    "facts": facts,
    "curves": curves,
    "describe": describe,
    "respond": respond,
}


@dataclass(frozen=True, slots=True)
class _Clip:
    """One clip in memory, with flags of what was mended in it."""

    id: Any
    samples: Samples
    flags: tuple[str, ...]


def _transcripts(recogniser: Recogniser, clips: list[_Clip], request: Request) -> Iterator[Done]:
    language = str(request.settings.get("language", "auto"))
    began = time.perf_counter()
    for index, transcript in recogniser.stream([clip.samples for clip in clips], language):
        now = time.perf_counter()
        told = asdict(transcript)
        flags = [*told["flags"], *clips[index].flags]
        yield Done(clips[index].id, {**told, "flags": flags, "spent_s": now - began})
        began = now


def _recogniser(request: Request) -> Recogniser:
    """The recogniser that is asked for, loaded once and kept; another one takes its place in memory."""
    told: Mapping[str, Any] = request.settings.get("recogniser") or {}
    known = {field.name for field in fields(RecogniserSpec)}
    spec = RecogniserSpec(**{name: value for name, value in told.items() if name in known})
    if spec not in _loaded:
        _loaded.clear()
        _loaded[spec] = load_recogniser(spec)
    return _loaded[spec]


def _heard_samples(item: Mapping[str, Any]) -> tuple[Samples, tuple[str, ...]]:
    """Finite mono samples at 16 kHz, and flags of what was mended in them."""
    if "pcm" not in item:
        with on_disk(item) as path:
            mended = bool(inspect_audio(path).non_finite_samples)
            return load_mono(path, SAMPLE_RATE_HZ), ("non_finite",) if mended else ()
    samples = pcm_samples(str(item["pcm"]))
    finite = np.isfinite(samples)
    if len(samples) and not finite.any():
        raise EngineError("worker.pcm_not_finite", count=len(samples))
    mended = not finite.all()
    samples = np.where(finite, samples, np.float32(0))
    samples = resample(samples, int(item.get("rate", SAMPLE_RATE_HZ)), SAMPLE_RATE_HZ)
    return samples, ("non_finite",) if mended else ()


def _told_facts(found: AudioFacts) -> dict[str, Any]:
    return {**asdict(found), "peak_dbfs": 20 * math.log10(found.peak) if found.peak > 0 else None}
