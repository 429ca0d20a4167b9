"""Reads a recording for the player: decoded, mixed for two ears, at the device's rate, block by block."""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from engine.audio.finite import without_non_finite
from engine.audio.source import opened
from engine.errors import EngineError
from engine.progress import Progress
from gui.player.channels import for_two_ears
from gui.player.clip import Clip, located
from gui.player.pcm import Pcm

_QUALITY = "HQ"  # soxr's 20-bit quality, as the measures use


def fill(pcm: Pcm, clip: Clip) -> Generator[Progress, None, Pcm]:
    """Decode ``clip`` into ``pcm``; yields after each block, and the head can be played from the first on.

    The file is only read. Raises EngineError ``store.audio_moved`` and what ``inspect_audio`` raises, and
    ``audio.no_samples`` for an empty sound.
    """
    import soxr

    kept = located(clip)
    with opened(kept.path) as source:
        rate = source.sample_rate_hz
        pcm.expect(math.ceil(source.expected_frames * pcm.rate_hz / rate))
        resampler = None
        for block in source.blocks():
            ears = for_two_ears(without_non_finite(block))
            if rate != pcm.rate_hz:
                resampler = resampler or soxr.ResampleStream(rate, pcm.rate_hz, ears.shape[1], "float32", _QUALITY)
                ears = _columns(resampler.resample_chunk(np.ascontiguousarray(ears)))
            pcm.append(ears)
            yield Progress(pcm.ready, pcm.length)
        if resampler is not None:
            rest = np.zeros((0, min(source.channels, 2)), np.float32)
            pcm.append(_columns(resampler.resample_chunk(rest, last=True)))
    pcm.finish()
    if not pcm.ready:
        raise EngineError("audio.no_samples", path=str(kept.path))
    return pcm


def _columns(samples: np.ndarray) -> np.ndarray:
    return samples if samples.ndim == 2 else samples[:, None]
