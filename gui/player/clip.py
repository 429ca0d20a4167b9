"""A recording to look at and to hear: what is known of it before its file is opened."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.store.audio import KeptAudio, audio_of
from engine.store.workspace import Workspace

Lane = Literal["question", "answer"]
LANES: tuple[Lane, ...] = ("question", "answer")


@dataclass(frozen=True, slots=True)
class Clip:
    """One recording; what its facts do not tell yet is None.

    Attributes:
        audio_id: its row in the workspace; None for a file outside of any.
        path: where it lies, for a message; ``located`` asks the store.
        workspace: whose row ``audio_id`` is.
        gain_db: it is played by so much louder, whatever gain the user has set; None follows the user.
    """

    audio_id: int | None
    path: Path
    duration_s: float | None = None
    sample_rate_hz: int | None = None
    channels: int | None = None
    loudness_lufs: float | None = None
    workspace: Workspace | None = None
    gain_db: float | None = None


def located(clip: Clip) -> KeptAudio:
    """The file of a clip, for a pool thread; a file outside of a workspace has no hash.

    Raises EngineError ``store.audio_moved`` for one that was moved or changed since it was taken in.
    """
    if clip.workspace is None or clip.audio_id is None:
        return KeptAudio(clip.audio_id or 0, "", clip.path, None)
    with closing(clip.workspace.connect()) as db:
        return audio_of(db, clip.workspace, clip.audio_id)
