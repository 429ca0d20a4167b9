"""What is drawn of a recording, read on a pool thread."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.audio import Pyramid, load_channels, read_pyramid
from engine.audio.source import opened
from engine.audio.stretches import Stretches, StretchFinder
from engine.progress import Progress
from engine.store.peaks import peaks_of
from gui.player.clip import Clip, located

#: Recordings of up to so many samples are held whole (4 MB), so that every zoom shows them as they are.
MOST_SAMPLES = 1 << 20


@dataclass(frozen=True, slots=True)
class Outline:
    """The peaks of a recording; its samples too where it is short, else they are read from ``path`` where needed."""

    pyramid: Pyramid
    samples: NDArray[np.float32] | None
    path: Path = Path()

    @property
    def duration_s(self) -> float:
        """Seconds that could be decoded."""
        return self.pyramid.frame_count / self.pyramid.sample_rate_hz if self.pyramid.sample_rate_hz else 0.0


def outline_of(clip: Clip) -> Generator[Progress, None, Outline]:
    """The outline of ``clip``, from the workspace's cache where it has one.

    Raises EngineError ``store.audio_moved`` and what ``inspect_audio`` raises.
    """
    kept = located(clip)
    yield Progress(0, 2)
    if clip.workspace is None or not kept.sha256:
        pyramid = read_pyramid(kept.path)
    else:
        pyramid = peaks_of(clip.workspace, kept.sha256, kept.path)
    yield Progress(1, 2)
    is_short = pyramid.frame_count * pyramid.channels <= MOST_SAMPLES
    return Outline(pyramid, load_channels(kept.path, keep_non_finite=True)[0] if is_short else None, kept.path)


def stretches_in(clip: Clip) -> Generator[Progress, None, Stretches]:
    """Where ``clip`` is silent or clipped; raises what ``outline_of`` raises."""
    with opened(located(clip).path) as source:
        finder, done = StretchFinder(source.channels, source.sample_rate_hz, source.subtype), 0
        for block in source.blocks():
            yield Progress(done, max(done, source.expected_frames))
            finder.add(block)
            done += len(block)
    return finder.found()
