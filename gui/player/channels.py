"""Channels of a recording to what two ears hear: mono to both, surround mixed down."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_HALF = 2**-0.5  # -3 dB: what both speakers share, and what comes from behind (ITU-R BS.775)
_LEFT, _RIGHT, _CENTRE, _BASS = (1.0, 0.0), (0.0, 1.0), (_HALF, _HALF), (0.0, 0.0)
_BEHIND_LEFT, _BEHIND_RIGHT, _BEHIND = (_HALF, 0.0), (0.0, _HALF), (0.5, 0.5)

#: Speakers in the order of a WAV file, by the number of channels.
_SPEAKERS = {
    3: (_LEFT, _RIGHT, _CENTRE),
    4: (_LEFT, _RIGHT, _BEHIND_LEFT, _BEHIND_RIGHT),
    5: (_LEFT, _RIGHT, _CENTRE, _BEHIND_LEFT, _BEHIND_RIGHT),
    6: (_LEFT, _RIGHT, _CENTRE, _BASS, _BEHIND_LEFT, _BEHIND_RIGHT),
    7: (_LEFT, _RIGHT, _CENTRE, _BASS, _BEHIND, _BEHIND_LEFT, _BEHIND_RIGHT),
    8: (_LEFT, _RIGHT, _CENTRE, _BASS, _BEHIND_LEFT, _BEHIND_RIGHT, _BEHIND_LEFT, _BEHIND_RIGHT),
}


def for_two_ears(frames: NDArray[np.float32]) -> NDArray[np.float32]:
    """Frames of shape (time, channels) as (time, 1) or (time, 2); no full-scale sound goes over full scale.

    One and two channels stay as they are. More are mixed down by where their speakers stand; an unknown number of
    them is averaged.
    """
    channels = frames.shape[1]
    if channels <= 2:
        return frames
    if channels not in _SPEAKERS:
        return np.asarray(frames.mean(axis=1, keepdims=True), np.float32)
    matrix = np.array(_SPEAKERS[channels], np.float32)
    return np.asarray(frames @ (matrix / matrix.sum(axis=0).max()), np.float32)


def for_device(frames: NDArray[np.float32], channels: int) -> NDArray[np.float32]:
    """Frames of shape (time, 2) for a device of ``channels``: their mean for one, the first two of more."""
    if channels == 2:
        return frames
    if channels == 1:
        return np.asarray(frames.mean(axis=1, keepdims=True), np.float32)
    wide = np.zeros((len(frames), channels), np.float32)
    wide[:, :2] = frames
    return wide
