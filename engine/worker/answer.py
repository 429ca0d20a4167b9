"""What a system has said of one item so far: text and sound as they come, checked and kept whole."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.audio.finite import are_finite
from engine.errors import EngineError
from engine.systems.values import AudioPiece, Finished, Piece, TextPiece

LONGEST_TEXT = 200_000  # characters; nobody says that much in one answer
_LOUDEST = 4.0  # of full scale 1.0: above it the samples are on another scale


@dataclass(slots=True)
class Answer:
    """What a system has said so far."""

    longest_s: float
    texts: list[str] = field(default_factory=list)
    sounds: list[NDArray[np.float32]] = field(default_factory=list)
    rate: int = 0
    frames: int = 0
    characters: int = 0
    flags: set[str] = field(default_factory=set)
    timings: dict[str, float] = field(default_factory=dict)
    finished: Finished | None = None

    def take(self, piece: Piece) -> EngineError | None:
        """Add a piece; returns what makes it useless to hear more."""
        if isinstance(piece, TextPiece):
            text = self._clean(piece.text)
            self.timings.setdefault("first_token_s", piece.after_s)
            self.texts.append(text)
            self.characters += len(text)
            if self.characters > LONGEST_TEXT:
                return EngineError("systems.text_too_long", limit=LONGEST_TEXT)
        elif isinstance(piece, AudioPiece):
            return self._take_sound(piece)
        else:
            self.finished = piece
        return None

    def is_first(self, piece: Piece) -> bool:
        """Whether it is the first of its kind, before it is taken."""
        if isinstance(piece, TextPiece):
            return not self.texts
        return isinstance(piece, AudioPiece) and not self.sounds

    def _take_sound(self, piece: AudioPiece) -> EngineError | None:
        samples = np.asarray(piece.samples, np.float32)
        if samples.ndim != 1:
            return EngineError("systems.audio_shape", shape=str(samples.shape))
        if self.rate not in (0, piece.sample_rate_hz) or piece.sample_rate_hz < 1:
            return EngineError("systems.audio_rate", before=self.rate, after=piece.sample_rate_hz)
        self.rate = int(piece.sample_rate_hz)
        if len(samples):
            self.timings.setdefault("first_audio_s", piece.after_s)
            self.sounds.append(samples)
            self.frames += len(samples)
        if self.frames > self.longest_s * self.rate:
            return EngineError("systems.audio_too_long", limit=round(self.longest_s))
        return None

    @property
    def text(self) -> str:
        """All of the text; what the end says counts where it differs from the pieces."""
        whole = "" if self.finished is None else self._clean(self.finished.text)
        return (whole or "".join(self.texts))[:LONGEST_TEXT]

    def samples(self) -> tuple[NDArray[np.float32] | None, EngineError | None]:
        """The sound as a whole, None without any, and what is wrong with it."""
        if not self.sounds:
            return None, None
        samples = np.concatenate(self.sounds)
        wrong = len(samples) - int(np.count_nonzero(are_finite(samples)))
        if wrong:
            return None, EngineError("systems.audio_not_finite", count=wrong, total=len(samples))
        peak = float(np.max(np.abs(samples)))
        if peak > _LOUDEST:
            return None, EngineError("systems.audio_scale", peak=f"{peak:.1f}")
        if peak > 1.0:
            self.flags.add("over_full_scale")
        return samples, None

    def _clean(self, text: str | bytes) -> str:
        """``text`` as UTF-8 can hold it."""
        if isinstance(text, bytes):
            self.flags.add("not_utf8")
            return text.decode("utf-8", "replace")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            self.flags.add("surrogate_replaced")
            return text.encode("utf-8", "replace").decode("utf-8")
        return text
